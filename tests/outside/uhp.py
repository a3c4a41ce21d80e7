"""A client for the Universal Hive Protocol: one engine in a child process.

The protocol is text on standard input and output: a command is a line, an answer is some lines and
a last line `ok`. An engine introduces itself when it starts, as if `info` had been asked.
Reference: https://github.com/jonthysell/Mzinga/wiki/UniversalHiveProtocol
"""

import os
import select
import shlex
import subprocess
import time


class EngineError(Exception):
    """The engine refused a command, fell silent or died."""


class Engine:
    """A running engine. `ask` sends a command and returns the answer's lines without the `ok`."""

    def __init__(self, command, timeout_s=60.0):
        self.command = command
        self.timeout_s = timeout_s
        self._buffer = b""
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._out = self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN | select.POLLHUP)
        greeting = self.answer()
        self.name = greeting[0].removeprefix("id ") if greeting else command

    def send(self, *commands):
        """Sends commands without waiting; each is to be followed by one `answer`."""
        try:
            self._process.stdin.write("".join(c + "\n" for c in commands).encode())
        except BrokenPipeError:
            raise EngineError(f"{self.command}: the engine has ended") from None

    def answer(self, or_error=False):
        """The lines of the next answer.

        Raises EngineError for `err` and `invalidmove`, or gives no lines for them with `or_error`.
        """
        lines = []
        while (line := self._line()) != "ok":
            lines.append(line)
        if lines and lines[0].startswith(("err", "invalidmove")):
            if or_error:
                return []
            raise EngineError(f"{self.command}: {' '.join(lines)}")
        return lines

    def ask(self, command):
        """One command and its answer."""
        self.send(command)
        return self.answer()

    def close(self):
        """Ends the engine."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def _line(self):
        deadline = time.monotonic() + self.timeout_s
        while b"\n" not in self._buffer:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not self._poll.poll(left_s * 1000):
                raise EngineError(f"{self.command}: no answer within {self.timeout_s:.0f} s")
            chunk = os.read(self._out, 1 << 16)
            if not chunk:
                raise EngineError(f"{self.command}: the engine has ended")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode().strip()


class Pair:
    """Our engine and another one, side by side."""

    def __init__(self, ours, theirs, setup=()):
        """`setup` are commands that the other one is given first."""
        self._commands = ours, theirs, setup
        self._start()

    def _start(self):
        ours, theirs, setup = self._commands
        self.ours = Engine(ours)
        self.theirs = Engine(theirs)
        for command in setup:
            self.theirs.ask(command)

    def restart(self):
        """Fresh engines, where answers to what was asked may still arrive."""
        self.close()
        self._start()

    def close(self):
        self.ours.close()
        self.theirs.close()
