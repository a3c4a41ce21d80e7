"""An engine in a child process: lines to it, lines from it, and the processor time that it takes."""

import os
import select
import shlex
import subprocess
import time
import weakref

# Bytes of an answer, beyond which an engine is taken for broken.
LONGEST_ANSWER = 1 << 24
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class ProcessError(Exception):
    """The engine died or fell silent; `kind` names which: `crash` or `time-out`."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class LineProcess:
    """A running program, driven line by line."""

    def __init__(self, command):
        self.command = command
        self._buffer = b""
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            raise ProcessError("crash", f"cannot start {command!r}: {error}") from None
        # However the program that drives it ends.
        self._finalizer = weakref.finalize(self, _end, self._process)
        self._out = self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN | select.POLLHUP)

    def send(self, line):
        try:
            self._process.stdin.write(line.encode() + b"\n")
        except (BrokenPipeError, OSError):
            raise ProcessError("crash", f"it has ended before {line[:80]!r}") from None

    def line(self, wait_s):
        """The next line, waited for at most so long."""
        deadline = time.monotonic() + wait_s
        while b"\n" not in self._buffer:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not self._poll.poll(max(1, left_s * 1000)):
                raise ProcessError("time-out", f"no answer within {wait_s:.1f} s")
            chunk = os.read(self._out, 1 << 16)
            if not chunk:
                raise ProcessError("crash", f"it has ended, exit code {self._process.poll()}")
            self._buffer += chunk
            if len(self._buffer) > LONGEST_ANSWER:
                raise ProcessError("crash", f"an answer of more than {LONGEST_ANSWER} bytes")
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def cpu_s(self):
        """Processor seconds of the program, all its threads and its children since it started."""
        return sum(_seconds_of(pid) for pid in _with_children(self._process.pid))

    def close(self):
        """Ends the program."""
        self._finalizer()


def _end(process):
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


def _seconds_of(pid):
    """To the nanosecond while the process lives; children that have ended count in ticks."""
    try:
        # The kernel's clock of another process: CPUCLOCK_SCHED of its number.
        own_s = time.clock_gettime(~pid << 3 | 2)
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return own_s + (int(fields[13]) + int(fields[14])) * TICK_S
    except OSError:
        return 0.0


def _with_children(pid):
    found = [pid]
    for parent in found:
        try:
            with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
                found.extend(int(child) for child in file.read().split())
        except OSError:
            pass
    return found
