"""Players, search and training."""

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import tablero

TINY = """
game = "dots-and-boxes:2x2"
rounds = 3
[network]
kind = "mlp"
hidden = [16]
[search]
sims = 8
[self_play]
games = 30
random_plies = 4
temperature = 1.0
temperature_plies = 4
[learner]
batch_size = 32
"""


def test_the_solver_and_a_deep_search_agree():
    state = tablero.Game("dots-and-boxes:2x2").initial()
    for action in ("1-1-h", "1-2-h", "2-1-v"):
        state.play(action)
    exact = tablero.solve(state)
    searched = tablero.minimax(state, "depth=20")
    assert exact["proven"] == searched["proven"]
    assert exact["by"] == "solver"
    assert {move["action"] for move in exact["moves"]} == set(state.legal_actions())
    player = tablero.Player("dots-and-boxes:2x2", "solver")
    best = [move["action"] for move in exact["moves"] if move["lead"] == exact["lead"]]
    assert player.choose(state) in best


def test_searches_are_fixed_by_their_seed():
    state = tablero.Game("paper-soccer:4x4").initial()
    player = tablero.Player("paper-soccer:4x4", "mcts:sims=100")
    first, again, other = (player.analyse(state, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert sum(move["visits"] for move in first["moves"]) >= 99


def test_foreign_states_and_unknown_players_are_refused():
    player = tablero.Player("queens:6", "greedy")
    with pytest.raises(ValueError, match="expected a state of queens:6, got one of queens:8"):
        player.choose(tablero.Game("queens:8").initial())
    with pytest.raises(ValueError, match="not a player"):
        tablero.Player("queens:6", "deep-blue")
    with pytest.raises(ValueError, match="greedy cannot analyse a position"):
        player.analyse(tablero.Game("queens:6").initial())


def test_training_prints_a_line_a_round_unless_told_otherwise(tmp_path, capsys):
    tablero.train(TINY, tmp_path / "said", threads=1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(";")[0] for line in lines] == ["round 1", "round 2", "round 3", "round 4"]
    assert "games" in lines[0] and "losses" in lines[1] and "games" not in lines[3]
    tablero.train(TINY, tmp_path / "silent", threads=1, callback=None)
    assert capsys.readouterr().out == ""


def test_training_reports_each_round_and_goes_on_where_it_stopped(tmp_path):
    rounds = []
    tablero.train(TINY, tmp_path / "whole", threads=1, callback=rounds.append)
    assert [metrics["checkpoint"] for metrics in rounds] == [1, 2, 3, 4]
    assert rounds[-1]["weights_hash"]

    class Enough(Exception):
        pass

    def stop(metrics):
        raise Enough

    with pytest.raises(Enough):
        tablero.train(TINY, tmp_path / "parts", threads=1, callback=stop)
    parts = []
    tablero.train(TINY, tmp_path / "parts", threads=2, callback=parts.append)
    assert [metrics["checkpoint"] for metrics in parts] == [2, 3, 4]
    assert parts[-1]["weights_hash"] == rounds[-1]["weights_hash"]
    lines = (tmp_path / "parts" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["checkpoint"] for line in lines] == [1, 2, 3, 4]


class Interrupted:
    """Sends Ctrl-C to this process while the body runs; on a machine of any speed, as it waits for the body
    to be under way in `is_running`."""

    def __init__(self, is_running):
        self.is_running = is_running

    def __enter__(self):
        def interrupt():
            while not self.is_running():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        self.thread = threading.Thread(target=interrupt)
        self.thread.start()

    def __exit__(self, *_):
        self.thread.join()


def test_ctrl_c_ends_a_long_count_and_other_threads_run_meanwhile():
    # The thread that interrupts runs only if the count has let go of the interpreter's lock. A count to depth 7
    # takes seconds on any machine, and ends by itself.
    state = tablero.Game("hive:base+mlp").initial()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Interrupted(lambda: time.monotonic() > begun + 0.2):
        state.perft(7)


def test_ctrl_c_stops_a_training_and_the_run_can_be_used(tmp_path):
    endless = TINY.replace("rounds = 3", "rounds = 1000000")
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt), Interrupted((folder / "metrics.jsonl").exists):
        tablero.train(endless, folder, threads=1)
    assert tablero.Policy.load(str(folder)).game == "dots-and-boxes:2x2"


def test_a_trained_run_plays_at_once(tmp_path):
    tablero.train(TINY, tmp_path / "run", threads=1)
    player = tablero.Player("dots-and-boxes:2x2", f"policy:{tmp_path / 'run'},sims=20")
    state = tablero.Game("dots-and-boxes:2x2").initial()
    while not state.is_over:
        state.play(player.choose(state))
    assert state.returns is not None


def test_the_replay_of_a_run_is_read_as_arrays(tmp_path):
    config = TINY.replace("[learner]", "fork_share = 0.5\nquick = { share = 0.5, sims = 2 }\n[learner]")
    rounds = []
    tablero.train(config, tmp_path / "run", threads=1, callback=rounds.append)
    shards = sorted((tmp_path / "run" / "replay").iterdir())
    for shard, metrics in zip(shards, rounds, strict=False):
        replay = tablero.Replay.read(shard)
        played = metrics["self_play"]
        assert (replay.game, replay.round) == ("dots-and-boxes:2x2", metrics["checkpoint"] - 1)
        assert len(replay) == played["games"]
        assert replay.points.shape == (len(replay), 2) and (replay.points.sum(axis=1) == 4).all()
        assert (np.sign(replay.points[:, 0] - replay.points[:, 1]) == replay.returns).all()
        assert replay.forked.sum() == played["forked"] > 0
        assert (replay.returns == 1).mean() == pytest.approx(played["first_player_wins"])
        searched = ~np.isnan(replay.root_wdl[:, 0])
        assert searched.sum() == played["positions"]
        assert searched.sum() == len(replay.actions) - replay.opening_plies.sum()
        lengths = np.diff(replay.policy_starts)
        assert (lengths > 0).sum() == played["taught"]
        for game in range(len(replay)):
            states = list(replay.positions(game))
            last = states[-1].clone()
            last.play(int(replay.game_actions(game)[-1]))
            assert last.returns[0] == replay.returns[game]
            for action, state in enumerate(states, start=replay.starts[game]):
                policy = replay.action_policy(action)
                if len(policy):
                    assert len(policy) == len(state.legal_actions())
                    assert policy.sum() == pytest.approx(1, abs=1e-4)
    damaged = tmp_path / "damaged.shard"
    damaged.write_bytes(shards[0].read_bytes()[:-1])
    with pytest.raises(ValueError, match="damaged.shard is not a complete replay shard"):
        tablero.Replay.read(damaged)


def test_a_wrong_configuration_says_what_is_wrong(tmp_path):
    with pytest.raises(ValueError, match="games"):
        tablero.train(TINY.replace("games = 30", "games = 0"), tmp_path / "run")
    with pytest.raises(ValueError, match="unknown preset"):
        tablero.train("no-such-preset", tmp_path / "run")


def test_a_training_starts_no_program_unless_it_may(tmp_path):
    started = tmp_path / "started"
    config = TINY.replace("dots-and-boxes:2x2", "hive:base").replace("games = 30", "games = 2\nmax_plies = 8")
    config += f"""[evaluation]\nevery = 1\ngames = 2\nopponents = ['uhp:"touch {started}"']\n"""
    with pytest.raises(ValueError, match="allow_commands=True"):
        tablero.train(config, tmp_path / "run", threads=1)
    assert not started.exists() and not (tmp_path / "run").exists()
    # It may, and turns out to be no engine.
    with pytest.raises(ValueError, match="touch"):
        tablero.train(config, tmp_path / "run", threads=1, allow_commands=True)
    assert started.exists()


def test_the_program_plays_and_learns_the_same(tmp_path):
    # Built beside the module; another place may be named.
    program = os.environ.get("TABLERO", Path(__file__).parents[2] / "target" / "release" / "tablero")
    config = tmp_path / "tiny.toml"
    config.write_text(TINY)
    subprocess.run(
        [program, "train", "--config", config, "--out", tmp_path / "program", "--threads", "2"],
        check=True,
        capture_output=True,
    )
    tablero.train(config, tmp_path / "python", threads=1)
    files = ["replay/000000.shard", "replay/000002.shard", "checkpoints/000004/weights.safetensors"]
    for file in files:
        ours, theirs = ((tmp_path / run / file).read_bytes() for run in ("python", "program"))
        assert ours == theirs, file
    state = tablero.Game("paper-soccer:8x10").initial()
    for _ in range(3):
        state.play(tablero.Player("paper-soccer:8x10", "minimax:level=2").choose(state))
    arguments = ["paper-soccer:8x10", "--from", str(state), "--player", "minimax:depth=4", "--json"]
    said = subprocess.run([program, "analyze", *arguments], check=True, capture_output=True, text=True)
    assert json.loads(said.stdout) == tablero.minimax(state, "depth=4")
