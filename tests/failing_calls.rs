//! File operations that fail. This binary has its own version of the C library's calls, through which
//! Rust's standard library opens, reads, writes, renames and deletes; each counts, and lets one fail.
//!
//! `TABLERO_FAULT=KIND:N`, with calls counted from 1 over the whole process:
//!
//! | kind | what happens |
//! |---|---|
//! | `error` | the N-th call fails with an input/output error |
//! | `full` | from the N-th call on the disk is full: what needs room fails |
//! | `short` | the N-th call, if it reads or writes, does half of it |
//! | `kill` | the process is killed in the N-th call's place |
//! | `none` | nothing; the number of calls is told at the end |
//!
//! Standard input, output and error do not count.

use libc::{DIR, c_char, c_int, c_void, dirent64, mode_t, off64_t, size_t, ssize_t};
use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Error,
    Full,
    Short,
    Kill,
    None,
}

static CALLS: AtomicU64 = AtomicU64::new(0);

fn fault() -> Option<(Kind, u64)> {
    static FAULT: OnceLock<Option<(Kind, u64)>> = OnceLock::new();
    *FAULT.get_or_init(|| {
        let text = std::env::var("TABLERO_FAULT").ok()?;
        let (kind, n) = text.split_once(':').expect("TABLERO_FAULT=KIND:N");
        let kind = match kind {
            "error" => Kind::Error,
            "full" => Kind::Full,
            "short" => Kind::Short,
            "kill" => Kind::Kill,
            "none" => Kind::None,
            _ => panic!("unknown kind of fault: {kind}"),
        };
        Some((kind, n.parse().expect("a number of calls")))
    })
}

/// Tells the number of calls, if faults are asked for.
pub fn report() {
    if fault().is_some() {
        eprintln!("file operations: {}", CALLS.load(Ordering::Relaxed));
    }
}

/// What becomes of a call.
#[derive(PartialEq)]
enum Fate {
    Whole,
    Half,
    Fails,
}

/// Counts a call and decides on it; `errno` is set where it fails.
fn fate(name: &CStr, needs_room: bool) -> Fate {
    let Some((kind, n)) = fault() else {
        return Fate::Whole;
    };
    let call = 1 + CALLS.fetch_add(1, Ordering::Relaxed);
    let is_struck = match kind {
        Kind::Full => call >= n && needs_room,
        _ => call == n,
    };
    if !is_struck || kind == Kind::None {
        return Fate::Whole;
    }
    eprintln!("fault at call {call}: {}", name.to_string_lossy());
    let errno = match kind {
        Kind::Short => return Fate::Half,
        Kind::Full => libc::ENOSPC,
        _ => libc::EIO,
    };
    // SAFETY: a signal to this process, and this thread's own `errno`.
    unsafe {
        if kind == Kind::Kill {
            libc::raise(libc::SIGKILL);
        }
        *libc::__errno_location() = errno;
    }
    Fate::Fails
}

/// The C library's own version of a call.
fn original(name: &CStr) -> *mut c_void {
    // SAFETY: a look-up by a name that ends with 0.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    assert!(!found.is_null(), "{name:?} is not in the C library");
    found
}

const fn is_standard(descriptor: c_int) -> bool {
    descriptor >= 0 && descriptor <= 2
}

/// Defines calls: name, arguments, what they return, what they return where they fail; whether they
/// count, and whether they need room on the disk.
macro_rules! calls {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $returned:ty, $failed:expr, $counts:expr, $room:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $kind),*) -> $returned {
            type Call = unsafe extern "C" fn($($kind),*) -> $returned;
            const NAME: &CStr =
                match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => unreachable!(),
                };
            if $counts && fate(NAME, $room) == Fate::Fails {
                return $failed;
            }
            // SAFETY: the C library's function of this name, with the caller's arguments.
            unsafe { std::mem::transmute::<*mut c_void, Call>(original(NAME))($($argument),*) }
        }
    )*};
}

calls! {
    open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int, -1, true, flags & libc::O_CREAT != 0;
    openat64(at: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int, -1, true, false;
    fsync(file: c_int) -> c_int, -1, true, true;
    ftruncate64(file: c_int, length: off64_t) -> c_int, -1, true, false;
    lseek64(file: c_int, offset: off64_t, whence: c_int) -> off64_t, -1, !is_standard(file), false;
    flock(file: c_int, operation: c_int) -> c_int, -1, true, false;
    rename(from: *const c_char, to: *const c_char) -> c_int, -1, true, false;
    renameat2(from_at: c_int, from: *const c_char, to_at: c_int, to: *const c_char, flags: libc::c_uint)
        -> c_int, -1, true, false;
    mkdir(path: *const c_char, mode: mode_t) -> c_int, -1, true, true;
    rmdir(path: *const c_char) -> c_int, -1, true, false;
    unlink(path: *const c_char) -> c_int, -1, true, false;
    unlinkat(at: c_int, path: *const c_char, flags: c_int) -> c_int, -1, true, false;
    opendir(path: *const c_char) -> *mut DIR, null_mut(), true, false;
    fdopendir(folder: c_int) -> *mut DIR, null_mut(), true, false;
    readdir64(folder: *mut DIR) -> *mut dirent64, null_mut(), true, false;
    realpath(path: *const c_char, resolved: *mut c_char) -> *mut c_char, null_mut(), true, false;
    statx(at: c_int, path: *const c_char, flags: c_int, mask: libc::c_uint, found: *mut libc::statx)
        -> c_int, -1, !is_standard(at), false;
}

/// Defines the two that may do half of what they are asked for.
macro_rules! transfers {
    ($($name:ident($kind:ty), $room:literal;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(file: c_int, bytes: $kind, length: size_t) -> ssize_t {
            type Call = unsafe extern "C" fn(c_int, $kind, size_t) -> ssize_t;
            const NAME: &CStr =
                match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => unreachable!(),
                };
            let fate = if is_standard(file) { Fate::Whole } else { fate(NAME, $room) };
            let length = match fate {
                Fate::Fails => return -1,
                Fate::Half => length.div_ceil(2),
                Fate::Whole => length,
            };
            // SAFETY: the C library's function of this name, with at most the caller's bytes.
            unsafe { std::mem::transmute::<*mut c_void, Call>(original(NAME))(file, bytes, length) }
        }
    )*};
}

transfers! {
    read(*mut c_void), false;
    write(*const c_void), true;
}
