"""What the documentation shows, runs."""

import re
from pathlib import Path

import pytest
import tablero

TOP = Path(__file__).parents[2]


def blocks(file):
    return re.findall(r"^```python\n(.*?)^```", (TOP / file).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("file", ["README.md", "docs/python.md"])
def test_every_block_runs(file, tmp_path, monkeypatch):
    # Two rounds of the preset's 48 are enough to show that the lines are right.
    short = tablero.preset("quickstart").replace("rounds = 30", "rounds = 2")
    monkeypatch.setattr(tablero, "preset", lambda name: {"quickstart": short}[name])
    monkeypatch.chdir(tmp_path)
    found = blocks(file)
    assert found
    for block in found:
        exec(compile(block, file, "exec"), {})
