//! Printing that ends quietly when nobody reads on, as in `tablero moves hive | head`, and never
//! panics: neither when a reader has gone nor when a disk is full. Texts of strangers, such as names in
//! a policy or errors of an engine, cannot steer the terminal.

use crate::failure::Failure;
use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether the process continues after standard output has refused a write.
static CONTINUES: AtomicBool = AtomicBool::new(false);
/// Why it refused.
static LOST: Mutex<Option<Error>> = Mutex::new(None);

/// From now on a failure to print does not end the process: the rest is not printed, and
/// [`finish`] tells. For commands that have more to do than to print.
pub fn continues_without_output() {
    CONTINUES.store(true, Ordering::Relaxed);
}

/// What became of the output after [`continues_without_output`]. A reader that has gone is no failure.
pub fn finish() -> Result<(), Failure> {
    match lost().take() {
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(anyhow::anyhow!("{}", text_of(&error))))
        }
        _ => Ok(()),
    }
}

fn lost() -> std::sync::MutexGuard<'static, Option<Error>> {
    LOST.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text_of(error: &Error) -> String {
    format!("cannot write to standard output: {error}")
}

/// Writes to standard output. A write that fails ends the process, unless [`continues_without_output`]
/// was called: with exit code 0 if the reader has gone, else with 1. What a run has finished by then is
/// on the disk, as after any other end.
pub fn write(text: Arguments<'_>) {
    let mut lost = lost();
    if lost.is_some() {
        return;
    }
    let text = escaped(std::fmt::format(text));
    let Err(error) = std::io::stdout().write_all(text.as_bytes()) else {
        return;
    };
    if CONTINUES.load(Ordering::Relaxed) {
        *lost = Some(error);
    } else if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    } else {
        write_error(format_args!("error: {}\n", text_of(&error)));
        std::process::exit(1);
    }
}

/// Writes to standard error. A failure is ignored: there is nowhere left to report it.
pub fn write_error(text: Arguments<'_>) {
    let text = escaped(std::fmt::format(text));
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The text with its control characters, ends of lines and tabs excepted, and those that turn the
/// direction of writing as `\u001b`: what a terminal shows is what is there. JSON stays the same JSON.
fn escaped(text: String) -> String {
    let is_steering = |c: char| {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        turns || (c.is_control() && !matches!(c, '\n' | '\t'))
    };
    if !text.contains(is_steering) {
        return text;
    }
    text.chars()
        .fold(String::with_capacity(text.len()), |mut all, c| {
            if is_steering(c) {
                all.push_str(&format!("\\u{:04x}", u32::from(c)));
            } else {
                all.push(c);
            }
            all
        })
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

/// The standard macro of this name, through [`write_error`](crate::output::write_error).
macro_rules! eprintln {
    ($($text:tt)*) => { crate::output::write_error(format_args!("{}\n", format_args!($($text)*))) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        let plain = "ä\tb\nc ♟".to_owned();
        assert_eq!(escaped(plain.clone()), plain);
        let hostile = "\u{1b}]0;title\u{7} \u{9b}2J \rover \u{202e}txt".to_owned();
        let shown = r"\u001b]0;title\u0007 \u009b2J \u000dover \u202etxt";
        assert_eq!(escaped(hostile), shown);
        let json = serde_json::json!({ "a": "\u{202e}\u{9b}\u{7f}" });
        let read: serde_json::Value = serde_json::from_str(&escaped(json.to_string())).unwrap();
        assert_eq!(read, json);
    }
}
