"""What the documentation shows, runs: Python, shell commands, and transcripts of them with their output.

A block that cannot be run here carries the reason in a comment above it: `<!-- not run: REASON -->`.
"""

import fnmatch
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import tablero

TOP = Path(__file__).parents[2]
# Commands that have measured something: they take minutes to hours each.
MEASURED = ["docs/experiments.md", "docs/strength.md"]
DOCS = sorted(str(page.relative_to(TOP)) for page in TOP.glob("docs/**/*.md"))
PAGES = ["README.md", "CONTRIBUTING.md", *(page for page in DOCS if page not in MEASURED)]
BINARY = Path(os.environ.get("TABLERO", TOP / "target/release/tablero"))
# `tablero` in the blocks. Training takes one round and a match four games: the lines are tested, not the agents.
SHORT = """#!/usr/bin/env bash
set -euo pipefail
case "${1:-}" in
    train | quickstart) set -- "$@" --rounds 1 ;;
esac
case "${1:-}" in
    quickstart) set -- "$@" --games 4 ;;
    eval)
        for ((i = 1; i < $#; i++)); do
            [[ ${!i} == --games ]] && set -- "${@:1:i}" 4 "${@:i+2}"
        done ;;
esac
exec "$BINARY" "$@"
"""


@dataclass
class Block:
    """A block of code on a page."""

    page: str
    line: int
    text: str
    why_not_run: str | None

    def __str__(self):
        return f"{self.page}:{self.line}"


def blocks(page, language):
    text = (TOP / page).read_text()
    pattern = rf"(?:<!-- not run: ([^>]+) -->\n)?^```{language}\n(.*?)^```$"
    for match in re.finditer(pattern, text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start(2)) + 1
        yield Block(page, line, match[2], match[1])


def runnable(language):
    """The pages with blocks to be run, and these blocks."""
    found = {page: [block for block in blocks(page, language) if block.why_not_run is None] for page in PAGES}
    return [pytest.param(of_page, id=page) for page, of_page in found.items() if of_page]


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A function that runs a script with `tablero` on its path, in an empty folder that its later calls share."""
    program = tmp_path / "bin" / "tablero"
    program.parent.mkdir()
    program.write_text(SHORT)
    program.chmod(0o755)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.setenv("BINARY", str(BINARY))
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    def run(script):
        command = ["bash", "-euo", "pipefail", "-c", script]
        with (tmp_path / "output").open("w+") as output:
            status = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
            output.seek(0)
            return status.returncode, output.read()

    return run


@pytest.mark.parametrize("page", runnable("python"))
def test_every_python_block_runs(page, tmp_path, monkeypatch):
    # Two rounds of the preset's 30 are enough to show that the lines are right.
    short = tablero.preset("quickstart").replace("rounds = 30", "rounds = 2")
    monkeypatch.setattr(tablero, "preset", lambda name: {"quickstart": short}[name])
    monkeypatch.chdir(tmp_path)
    for block in page:
        exec(compile(block.text, str(block), "exec"), {})


@pytest.mark.parametrize("page", runnable("sh"))
def test_every_command_runs(page, shell):
    for block in page:
        code, output = shell(block.text)
        assert code == 0, f"{block}\n{block.text}\n{output}"


def transcripts(page):
    """Each command that a page shows after `$`, with the lines that it prints."""
    for block in blocks(page, "text"):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield pytest.param(command, printed, id=f"{block}: {command}")


@pytest.mark.parametrize(("command", "printed"), [case for page in PAGES for case in transcripts(page)])
def test_every_transcript_is_what_is_printed(command, printed, shell):
    """`…` stands for anything; spaces at the ends of lines do not count."""
    _, output = shell(command)

    def stripped(text):
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())

    pattern = re.sub(r"([\[\]*?])", r"[\1]", stripped(printed)).replace("…", "*")
    assert fnmatch.fnmatchcase(stripped(output), pattern), (
        f"{stripped(output)}\n--- expected\n{stripped(printed)}"
    )
