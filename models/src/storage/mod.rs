//! Files and folders that are whole or absent: written aside, synced, then renamed.
//!
//! Whoever replaces or removes a folder checks first that all in it is theirs: [`foreign_entry`].

mod read;

pub use read::{open, open_own, read, read_at_most};

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
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
    name.trim_end_matches(ASIDE)
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
        // Not over what stands there: it may be a link to elsewhere.
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut writer = BufWriter::new(File::create_new(&temporary)?);
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

/// Appends a line to a file of lines. Lines of several processes do not mix; one that a killed
/// process left without its end is ended first, so that it damages no other. A link is not followed.
///
/// # Errors
/// If the file is no plain file or cannot be written; it then has no part of the line.
pub fn append_line(path: &Path, line: &str) -> Result<(), StorageError> {
    let append = || {
        let mut file = open_own(path, File::options().create(true).read(true).append(true))?;
        file.lock()?;
        let length = file.metadata()?.len();
        let mut last = [b'\n'];
        if length > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        let start = if last == *b"\n" { "" } else { "\n" };
        file.write_all(format!("{start}{line}\n").as_bytes())
            .and_then(|()| file.sync_all())
            .inspect_err(|_| {
                // The first failure is the one to tell.
                let _ = file.set_len(length);
            })
    };
    append().map_err(StorageError::of("write", path))
}

/// Makes a folder appear whole: the files are written into a temporary folder beside it, which then
/// takes its place. A folder that stood at `path` is replaced, with all that is in it, and at once
/// where the system can exchange two names. What a killed process left of an earlier attempt is
/// cleared. A link to a folder stays: the folder that it names is replaced.
///
/// # Errors
/// If writing fails; `path` is then untouched.
pub fn write_folder_atomic(path: &Path, files: &[(&str, &[u8])]) -> Result<(), StorageError> {
    let path = &resolved(path).map_err(StorageError::of("write", path))?;
    restore_retired(path)?;
    let temporary = aside(path);
    clear(&temporary)?;
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
    clear(&temporary)?;
    clear(&retired(path))?;
    sync_folder_of(path)
}

/// Clears what a killed [`write_folder_atomic`] left beside a folder that may not be written again,
/// and brings the folder back if its successor did not come.
///
/// # Errors
/// If the system refuses.
pub fn clear_leftovers(path: &Path) -> Result<(), StorageError> {
    restore_retired(path)?;
    clear(&aside(path))
}

/// Removes a folder with all that is in it. It takes another name first, so that a process that is
/// killed leaves no half of it under its own.
///
/// # Errors
/// If the system refuses.
pub fn remove_folder(path: &Path) -> Result<(), StorageError> {
    let temporary = aside(path);
    clear(&temporary)?;
    fs::rename(path, &temporary).map_err(StorageError::of("remove", path))?;
    clear(&temporary)
}

/// The name of an entry of a folder that is no plain file, or that `is_ours` does not accept; names
/// of files that were being written count without their ending. `None` if there is no such entry.
///
/// # Errors
/// If the folder cannot be read.
pub fn foreign_entry(
    folder: &Path,
    is_ours: impl Fn(&str) -> bool,
) -> Result<Option<String>, StorageError> {
    for entry in fs::read_dir(folder).map_err(StorageError::of("read", folder))? {
        let entry = entry.map_err(StorageError::of("read", folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !(is_file && is_ours(without_aside(&name))) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The name under which a folder can be renamed: no link, no slash at its end, no last `..`.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let plain: PathBuf = path.components().collect();
            match plain.file_name() {
                Some(_) => Ok(plain),
                None => Err(error),
            }
        }
        resolved => resolved,
    }
}

fn clear(path: &Path) -> Result<(), StorageError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(StorageError::of("remove", path)),
    }
}

/// Where a folder waits while its successor takes its place, if two names cannot be exchanged.
fn retired(path: &Path) -> PathBuf {
    aside(&aside(path))
}

/// Brings back a folder whose successor did not come, since the process was killed.
fn restore_retired(path: &Path) -> Result<(), StorageError> {
    let retired = retired(path);
    if path.exists() || !retired.exists() {
        return clear(&retired);
    }
    fs::rename(&retired, path).map_err(StorageError::of("restore", path))
}

/// Puts a folder in the place of another; what stood there may be left under the first name.
fn replace_folder(new: &Path, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(new, path);
    }
    exchange(new, path).or_else(|_| replace_in_steps(new, path))
}

/// Where two names cannot be exchanged. Nothing is removed before the new folder stands.
fn replace_in_steps(new: &Path, path: &Path) -> io::Result<()> {
    let retired = retired(path);
    fs::rename(path, &retired)?;
    fs::rename(new, path).inspect_err(|_| {
        // The failure is the one to tell; the next attempt restores it, too.
        let _ = fs::rename(&retired, path);
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        write_atomic(&path, |out| out.write_all(b"old")).unwrap();
        let error = write_atomic(&path, |out| {
            out.write_all(&[0; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("data"), "{error}");
        assert_eq!(read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_to_write() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [mine, lines, data] = ["mine", "lines", "data"].map(|name| folder.path().join(name));
        fs::write(&mine, "mine").unwrap();
        symlink(&mine, &lines).unwrap();
        let error = append_line(&lines, "theirs").unwrap_err().to_string();
        assert!(
            error.contains("lines") && error.contains("a link"),
            "{error}"
        );
        // What was written aside might be one, too.
        symlink(&mine, aside(&data)).unwrap();
        write_atomic(&data, |out| out.write_all(b"new")).unwrap();
        assert_eq!(read(&mine).unwrap(), b"mine");
        assert_eq!(read(&data).unwrap(), b"new");
        assert!(!data.is_symlink());
    }

    #[test]
    fn lines_of_several_writers_neither_mix_nor_vanish() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, "whole\ncut off").unwrap();
        let line = |writer: usize, n: usize| format!("{writer} {n} ").repeat(2000);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for n in 0..20 {
                        append_line(path, &line(writer, n)).unwrap();
                    }
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["whole", "cut off"]);
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 2 + 4 * 20);
        for (writer, n) in (0..4).flat_map(|writer| (0..20).map(move |n| (writer, n))) {
            assert!(lines.contains(&&*line(writer, n)));
        }
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
    fn a_folder_is_replaced_however_its_path_is_written() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("folder");
        let names = || fs::read_dir(parent.path()).unwrap().count();
        for (n, written) in [
            "folder",
            "folder/",
            "folder/.",
            "./folder//",
            "folder/../folder",
        ]
        .into_iter()
        .enumerate()
        {
            let content = n.to_string();
            write_folder_atomic(
                &parent.path().join(written),
                &[("a", content.as_bytes()), ("b", b"2")],
            )
            .unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(read(&path.join("a")).unwrap(), content.as_bytes());
            assert_eq!((names(), fs::read_dir(&path).unwrap().count()), (1, 2));
        }
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_folder_atomic(&link, &[("a", b"by the link")]).unwrap();
        assert_eq!(read(&path.join("a")).unwrap(), b"by the link");
        assert!(link.is_symlink() && names() == 2);
        assert!(write_folder_atomic(&parent.path().join("none/.."), &[]).is_err());
    }

    #[test]
    fn without_an_exchange_of_names_the_old_folder_waits_for_the_new_one() {
        let parent = tempfile::tempdir().unwrap();
        let [path, new] = ["folder", "new"].map(|name| parent.path().join(name));
        write_folder_atomic(&path, &[("a", b"old")]).unwrap();
        assert!(replace_in_steps(&new, &path).is_err());
        assert_eq!(read(&path.join("a")).unwrap(), b"old", "nothing came");
        write_folder_atomic(&new, &[("a", b"new")]).unwrap();
        replace_in_steps(&new, &path).unwrap();
        assert_eq!(read(&path.join("a")).unwrap(), b"new");
        assert_eq!(read(&retired(&path).join("a")).unwrap(), b"old");

        // Killed between the two steps: a next attempt that fails has the old one back.
        fs::remove_dir_all(&path).unwrap();
        assert!(write_folder_atomic(&path, &[("missing/a", b"1")]).is_err());
        assert_eq!(read(&path.join("a")).unwrap(), b"old");
        write_folder_atomic(&path, &[("a", b"newest")]).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_foreign_entry_is_found_and_a_folder_removed() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("folder");
        write_folder_atomic(&path, &[("a", b"1"), ("b.tablero-tmp", b"2")]).unwrap();
        let foreign = || foreign_entry(&path, |name| ["a", "b"].contains(&name)).unwrap();
        assert_eq!(foreign(), None);
        fs::create_dir(path.join("b")).unwrap();
        assert_eq!(foreign().as_deref(), Some("b"), "a folder");
        remove_folder(&path).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        assert!(remove_folder(&path).is_err());
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
