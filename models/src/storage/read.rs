//! Opening and reading files that may be anybody's: plain ones alone, and no more than is expected.

use super::StorageError;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a file where it stands: a plain one, and not by a link, which might lead out of our folder.
///
/// # Errors
/// If it is a link, a folder, a device or a pipe, or the system refuses.
pub fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if path.is_symlink() {
        return Err(refused(
            "expected a plain file, got a link, which is not followed",
        ));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // In case that the link comes in between.
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    plain(options.open(path)?)
}

/// The file, if it is one: a device or a pipe may have no end.
fn plain(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(refused(
        "expected a plain file, got a folder, a device or a pipe",
    ))
}

fn refused(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// Bytes of the longest file that is read as a whole.
const MOST_BYTES: u64 = 4 << 30;

/// Opens a plain file to read it, and says how long it is.
///
/// # Errors
/// If it is missing, no plain file, or cannot be read.
pub fn open(path: &Path) -> Result<(File, u64), StorageError> {
    let open = || {
        let mut options = File::options();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // A pipe without a writer would be waited for.
            options.custom_flags(libc::O_NONBLOCK);
        }
        let file = plain(options.read(true).open(path)?)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    };
    open().map_err(StorageError::of("read", path))
}

/// Reads a whole file.
///
/// # Errors
/// If it is missing, no plain file, longer than 4 GiB, or cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, StorageError> {
    read_at_most(path, MOST_BYTES)
}

/// Reads a whole file of at most `most` bytes.
///
/// # Errors
/// If it is missing, no plain file, longer, or cannot be read.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, StorageError> {
    let (file, length) = open(path)?;
    let longer = || refused(&format!("expected at most {most} bytes, got {length}"));
    let read = || {
        if length > most {
            return Err(longer());
        }
        // It may grow while it is read.
        let mut content = Vec::new();
        file.take(most.saturating_add(1))
            .read_to_end(&mut content)?;
        match content.len() as u64 > most {
            true => Err(longer()),
            false => Ok(content),
        }
    };
    read().map_err(StorageError::of("read", path))
}

#[cfg(test)]
mod tests {
    use super::super::append_line;
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_is_longer_than_it_may_be_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        // It takes no room on the disk.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        for error in [
            read(&path).unwrap_err(),
            read_at_most(&path, 9).unwrap_err(),
        ] {
            assert!(
                error.to_string().contains("bytes, got 1099511627776"),
                "{error}"
            );
        }
        fs::write(&path, "123456789").unwrap();
        assert_eq!(read_at_most(&path, 9).unwrap(), b"123456789");
    }

    #[cfg(unix)]
    #[test]
    fn devices_pipes_and_folders_are_neither_read_nor_written() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let status = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(status.unwrap().success());
        for path in [Path::new("/dev/null"), &pipe, folder.path()] {
            assert!(append_line(path, "x").is_err(), "{}", path.display());
        }
        let error = read(&pipe).unwrap_err().to_string();
        assert!(error.contains("plain file"), "{error}");
        for path in ["/dev/zero", "/dev/null", "/"] {
            let error = read(Path::new(path)).unwrap_err().to_string();
            assert!(
                error.contains(path) && error.contains("plain file"),
                "{error}"
            );
        }
    }
}
