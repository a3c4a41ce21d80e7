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
const ASIDE: &str = ".tablero-tmp";

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

/// Makes a folder appear whole: the files are written into a temporary folder beside it, which then
/// takes its place. A folder that stood at `path` is replaced at once where the system can exchange
/// two names; what a killed process left of an earlier attempt is cleared.
///
/// # Errors
/// If writing fails; `path` is then untouched.
pub fn write_folder_atomic(path: &Path, files: &[(&str, &[u8])]) -> Result<(), StorageError> {
    let temporary = aside(path);
    remove_folder(&temporary)?;
    fs::create_dir_all(&temporary).map_err(StorageError::of("create", &temporary))?;
    let write = || {
        for (name, content) in files {
            write_atomic(&temporary.join(name), |out| out.write_all(content))?;
        }
        replace_folder(&temporary, path).map_err(StorageError::of("write", path))
    };
    write().inspect_err(|_| {
        // The first failure is the one to tell; the clean-up may fail for the same reason.
        let _ = fs::remove_dir_all(&temporary);
    })?;
    remove_folder(&temporary)?;
    sync_folder_of(path)
}

fn remove_folder(path: &Path) -> Result<(), StorageError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(StorageError::of("remove", path)),
    }
}

/// Puts a folder in the place of another; what stood there may be left under the first name.
fn replace_folder(new: &Path, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(new, path);
    }
    if exchange(new, path).is_ok() {
        return Ok(());
    }
    fs::remove_dir_all(path)?;
    fs::rename(new, path)
}

/// Exchanges two names at once, so that neither is ever missing.
#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    let [a, b] = [a, b].map(|path| CString::new(path.as_os_str().as_bytes()));
    let (a, b) = (a?, b?);
    // SAFETY: both are texts that end with 0 and outlive the call (renameat2(2)).
    let done = unsafe {
        libc::renameat2(
            libc::AT_FDCWD,
            a.as_ptr(),
            libc::AT_FDCWD,
            b.as_ptr(),
            libc::RENAME_EXCHANGE,
        )
    };
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_a: &Path, _b: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
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
    fn a_folder_is_replaced_whole_and_leftovers_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        fs::create_dir(aside(&path)).unwrap();
        fs::write(aside(&path).join("half"), b"x").unwrap();
        write_folder_atomic(&path, &[("a", b"1"), ("b", b"2")]).unwrap();
        write_folder_atomic(&path, &[("a", b"3")]).unwrap();
        let names = |path: &Path| fs::read_dir(path).unwrap().count();
        assert_eq!((names(folder.path()), names(&path)), (1, 1));
        assert_eq!(read(&path.join("a")).unwrap(), b"3");
    }

    #[test]
    fn a_folder_that_fails_half_way_does_not_appear() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        // The second file would lie in a folder that is not there.
        let failed = write_folder_atomic(&path, &[("a", b"1"), ("missing/b", b"2")]);
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
