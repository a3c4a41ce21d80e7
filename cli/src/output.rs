//! Printing that ends quietly when nobody reads on, as in `tablero moves hive | head`.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Writes to standard output. If its reader has gone, the process ends: what a run has done by then
/// is on the disk, as after any other end.
///
/// # Panics
/// On any other failure, as the standard library's macros do.
pub fn write(text: Arguments<'_>) {
    match std::io::stdout().write_fmt(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.expect("standard output takes what is printed"),
    }
}

/// The standard macros of this name, through [`write`](crate::output::write).
macro_rules! print {
    ($($text:tt)*) => { crate::output::write(format_args!($($text)*)) };
}

/// The standard macros of this name, through [`write`](crate::output::write).
macro_rules! println {
    () => { print!("\n") };
    ($($text:tt)*) => { print!("{}\n", format_args!($($text)*)) };
}
