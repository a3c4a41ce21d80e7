"""The examples do what they say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tablero

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name, *arguments):
    """What an example prints; it must end well."""
    finished = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def percents(text):
    return [float(number) for number in re.findall(r"([\d.]+)%", text)]


def test_an_exported_policy_plays_without_tablero(tmp_path):
    tablero.Policy.load("zoo:queens:8").save(tmp_path / "queens", format="onnx")
    # Nor can the example import it.
    source = (EXAMPLES / "play_onnx.py").read_text()
    assert "tablero" not in re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE)
    (score,) = percents(run("play_onnx.py", tmp_path / "queens"))
    assert score >= 85


def test_another_policy_is_refused(tmp_path):
    tablero.Policy.load("zoo:xadrersi").save(tmp_path / "xadrersi", format="onnx")
    finished = subprocess.run(
        [sys.executable, EXAMPLES / "play_onnx.py", tmp_path / "xadrersi"], capture_output=True, text=True
    )
    assert finished.returncode == 1
    assert "expected a policy of queens, got one of xadrersi" in finished.stderr


def test_ppo_learns():
    against_random, against_greedy, _ = percents(run("ppo.py", "dots-and-boxes:2x2", "--updates", 60))
    assert against_random >= 75
    assert against_greedy >= 25


def test_a_replay_is_plotted(tmp_path):
    pytest.importorskip("matplotlib")
    config = tablero.preset("quickstart").replace("rounds = 30", "rounds = 1")
    tablero.train(config, tmp_path / "run", threads=1)
    said = run("plot_replay.py", tmp_path / "run", tmp_path / "replay.svg")
    assert "games" in said
    assert "<svg" in (tmp_path / "replay.svg").read_text()


def test_openspiel_plays_our_games():
    pytest.importorskip("open_spiel")
    for spec in ("dots-and-boxes:2x2", "paper-soccer:4x4"):
        (score,) = percents(run("openspiel_loop.py", spec, "greedy", 2))
        assert 0 <= score <= 100


def test_connect_four_keeps_its_counts_and_learns():
    printed = run("connect_four.py", 1)
    # https://oeis.org/A212693 has the positions; these are the sequences of moves.
    assert "perft [7, 49, 343, 2401, 16807]" in printed
    assert "round 1" in printed


def test_other_frameworks_learn():
    # Only where they are installed: they are far larger than all else that the suite needs.
    pytest.importorskip("torch")
    (score,) = percents(run("torch_search.py", "dots-and-boxes:2x2", 2))
    assert score > 60
    pytest.importorskip("sb3_contrib")
    (score,) = percents(run("maskable_ppo.py"))
    assert score > 60
