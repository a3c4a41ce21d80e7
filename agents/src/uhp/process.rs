//! The process of another program's engine, which may do anything: never read, crash, write without
//! end. Whatever it does costs bounded memory and bounded time.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for an engine to exit before it is killed, and for its last errors after it has
/// ended.
const EXIT_TIME: Duration = Duration::from_millis(500);

/// Bytes of a line, its end not counted. A game as text has some thousands.
const LONGEST_LINE: usize = 1 << 16;

/// Lines that are read before they are asked for; the engine waits with more.
const MOST_WAITING: usize = 64;

/// How many of the last lines of an engine's standard error are kept, and how much of each.
const LINES_KEPT: usize = 8;
const BYTES_KEPT: usize = 400;

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The time is up.
    Late,
    /// The process has ended, or closed its input or output.
    Ended,
    /// A line of more than [`LONGEST_LINE`] bytes.
    TooLong,
}

/// A process that is spoken to in lines. Dropping it ends it, with every process of its group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Lines to write, one at a time.
    input: SyncSender<String>,
    /// The answer of the writing thread to each.
    written: Receiver<io::Result<()>>,
    lines: Receiver<Result<String, Stop>>,
    errors: Arc<Mutex<LastLines>>,
    /// Closed when the standard error is.
    errors_end: Receiver<()>,
}

impl Process {
    /// Starts a program in a process group of its own, so that what it starts ends with it.
    pub(super) fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (input, written) = write_lines(input);
        let kept = Arc::new(Mutex::new(LastLines::default()));
        Ok(Process {
            child,
            input,
            written,
            lines: read_lines(output),
            errors_end: keep_last_lines(errors, Arc::clone(&kept)),
            errors: kept,
        })
    }

    /// Writes a line. After [`Stop::Late`] no other can be written.
    pub(super) fn write(&self, line: &str, deadline: Instant) -> Result<(), Stop> {
        let sent = self.input.try_send(format!("{line}\n"));
        sent.map_err(|_| Stop::Ended)?;
        match self.written.recv_timeout(left(deadline)) {
            Ok(Ok(())) => Ok(()),
            Err(RecvTimeoutError::Timeout) => Err(Stop::Late),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(Stop::Ended),
        }
    }

    /// The next line, without white space around it.
    pub(super) fn read(&self, deadline: Instant) -> Result<String, Stop> {
        // An engine that never stops writing has always written a line already.
        if Instant::now() >= deadline {
            return Err(Stop::Late);
        }
        match self.lines.recv_timeout(left(deadline)) {
            Ok(read) => read,
            Err(RecvTimeoutError::Timeout) => Err(Stop::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Stop::Ended),
        }
    }

    /// The last lines of the standard error of an engine that has ended.
    pub(super) fn last_errors(&self) -> String {
        // What it wrote last may be on its way; what still writes then is not waited for.
        let _ = self.errors_end.recv_timeout(EXIT_TIME);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.text()
    }

    /// Ends the process and all of its group. Not yet reaped, it keeps its number, so that no other
    /// process is hit.
    #[cfg(unix)]
    pub(super) fn kill(&mut self) {
        if let Ok(group) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: no memory is involved (killpg(3)). A failure means that nobody is left.
            unsafe { libc::killpg(group, libc::SIGKILL) };
        }
    }

    #[cfg(not(unix))]
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
    }

    /// Whether the process has ended. It is not reaped: see [`kill`](Process::kill).
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        // SAFETY: all zeros are a valid value of this plain structure.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the structure outlives the call (waitid(2)).
        let failed = unsafe { libc::waitid(libc::P_PID, self.child.id(), &mut info, options) };
        // Without a change of state the number stays 0.
        failed != 0 || info.si_signo != 0
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Process {
    /// Asks the engine to exit, and kills it if it does not, with what it has left behind.
    fn drop(&mut self) {
        let deadline = Instant::now() + EXIT_TIME;
        let _ = self.input.try_send("exit\n".to_owned());
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        self.kill();
        // It cannot refuse; waiting takes it out of the system's table.
        let _ = self.child.wait();
    }
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Writes lines in a thread of its own, since an engine that does not read would hold up ours.
fn write_lines(
    mut input: impl Write + Send + 'static,
) -> (SyncSender<String>, Receiver<io::Result<()>>) {
    let (sender, to_write) = sync_channel::<String>(1);
    let (done, written) = channel();
    thread::spawn(move || {
        for line in to_write {
            let result = input.write_all(line.as_bytes());
            if done.send(result.and_then(|()| input.flush())).is_err() {
                return;
            }
        }
    });
    (sender, written)
}

/// Reads lines in a thread of its own, which ends with the engine's output, with the receiver, or at
/// a line that is too long.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<Result<String, Stop>> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            let most = LONGEST_LINE as u64 + 1;
            let read = output.by_ref().take(most).read_until(b'\n', &mut line);
            let text = match read {
                Ok(0) | Err(_) => return,
                Ok(n) if n > LONGEST_LINE && !line.ends_with(b"\n") => Err(Stop::TooLong),
                Ok(_) => Ok(String::from_utf8_lossy(&line).trim().to_owned()),
            };
            let is_last = text.is_err();
            if sender.send(text).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

/// Takes in all that is written to a standard error, in a thread of its own.
fn keep_last_lines(
    mut errors: impl Read + Send + 'static,
    kept: Arc<Mutex<LastLines>>,
) -> Receiver<()> {
    let (open, end) = sync_channel(0);
    thread::spawn(move || {
        let mut bytes = [0; 1 << 13];
        while let Ok(n @ 1..) = errors.read(&mut bytes) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push(&bytes[..n]);
        }
        drop(open);
    });
    end
}

/// The last lines of a stream, each cut off after [`BYTES_KEPT`].
#[derive(Debug, Default)]
struct LastLines {
    lines: VecDeque<String>,
    /// What is there of a line that has not ended.
    unfinished: Vec<u8>,
}

impl LastLines {
    fn push(&mut self, bytes: &[u8]) {
        let mut parts = bytes.split(|&byte| byte == b'\n');
        self.extend(parts.next().unwrap_or_default());
        for part in parts {
            self.end_line();
            self.extend(part);
        }
    }

    fn extend(&mut self, part: &[u8]) {
        let n = part.len().min(BYTES_KEPT - self.unfinished.len());
        self.unfinished.extend(&part[..n]);
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.unfinished).trim().to_owned();
        self.unfinished.clear();
        if self.lines.len() == LINES_KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    fn text(&self) -> String {
        let unfinished = String::from_utf8_lossy(&self.unfinished);
        let lines = self.lines.iter().map(String::as_str);
        let lines = lines.chain(Some(unfinished.trim()));
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_however_they_arrive() {
        let mut kept = LastLines::default();
        for n in 0..100 {
            kept.push(b"li");
            kept.push(format!("ne {n}\n").as_bytes());
        }
        kept.push(b"one more");
        let text = kept.text();
        assert!(text.starts_with("line 92\nline 93"), "{text}");
        assert!(text.ends_with("line 99\none more"), "{text}");
        for _ in 0..1000 {
            kept.push(&[b'x'; 1000]);
        }
        assert!(kept.text().len() < 2 * BYTES_KEPT);
    }
}
