//! Files that are whole or absent: written aside, synced, then renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file operation that failed, with the path it was about.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct StorageError {
    /// What was tried: "write", "read", …
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

impl StorageError {
    /// For `map_err`: the error of trying `action` on `path`.
    pub fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StorageError {
        move |source| StorageError {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

/// The ending of files that are being written. Anything with it is left over from a process that
/// was killed, and may be deleted.
const ASIDE: &str = ".tmp";

/// The name that a file which is being written will have, or else the name itself.
pub fn without_aside(name: &str) -> &str {
    name.strip_suffix(ASIDE).unwrap_or(name)
}

fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ASIDE);
    PathBuf::from(name)
}

/// Writes a file through `fill` such that, whenever the process dies, `path` holds either what it
/// held before or all of the new content. On failure the file written aside is removed and
/// `path` is untouched.
///
/// # Errors
/// If the folder cannot be written or the disk is full.
pub fn write_atomic(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StorageError> {
    let temporary = aside(path);
    let write = || {
        let mut writer = BufWriter::new(File::create(&temporary)?);
        fill(&mut writer)?;
        writer.flush()?;
        writer.get_ref().sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|source| {
        // The first failure is the one to tell; the clean-up may fail for the same reason.
        let _ = fs::remove_file(&temporary);
        StorageError::of("write", path)(source)
    })?;
    sync_folder_of(path)
}

/// Makes a folder appear whole: `fill` writes into a temporary folder beside it, which is then
/// renamed. A folder that stood at `path` is replaced.
///
/// # Errors
/// If writing fails; `path` is then untouched.
pub fn write_folder_atomic<E: From<StorageError>>(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    let temporary = aside(path);
    if temporary.exists() {
        fs::remove_dir_all(&temporary).map_err(StorageError::of("remove", &temporary))?;
    }
    fs::create_dir_all(&temporary).map_err(StorageError::of("create", &temporary))?;
    fill(&temporary).inspect_err(|_| {
        let _ = fs::remove_dir_all(&temporary);
    })?;
    if path.exists() {
        fs::remove_dir_all(path).map_err(StorageError::of("replace", path))?;
    }
    fs::rename(&temporary, path).map_err(StorageError::of("write", path))?;
    Ok(sync_folder_of(path)?)
}

/// A rename lasts through a power cut only once its folder is synced.
fn sync_folder_of(path: &Path) -> Result<(), StorageError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(StorageError::of("sync", folder))
}

/// Reads a whole file.
///
/// # Errors
/// If it is missing or cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, StorageError> {
    fs::read(path).map_err(StorageError::of("read", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        write_atomic(&path, |out| out.write_all(b"old")).unwrap();
        // /dev/full answers every write with "no space left on device".
        std::os::unix::fs::symlink("/dev/full", aside(&path)).unwrap();
        let error = write_atomic(&path, |out| out.write_all(&[0; 100_000])).unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("data"), "{error}");
        assert_eq!(read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_fails_half_way_does_not_appear() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let failed: Result<(), StorageError> = write_folder_atomic(&path, |inside| {
            fs::write(inside.join("weights"), b"half").unwrap();
            Err(StorageError::of("write", inside)(
                io::ErrorKind::StorageFull.into(),
            ))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
