"""Games played by actors on Ray are those that the local trainer plays."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
import tablero

ray = pytest.importorskip("ray")
import tablero.ray  # noqa: E402

sys.path.append(str(Path(__file__).parent.parent / "examples"))
import connect_four  # noqa: E402

SMALL = """
game = "dots-and-boxes:3x3"
rounds = {rounds}
[network]
kind = "mlp"
hidden = [32]
[search]
sims = {simulations}
[self_play]
games = 40
random_plies = 6
temperature = 1.0
temperature_plies = 6
fork_share = 0.5
[self_play.teacher]
rounds = 1
nodes = 100
[learner]
batch_size = 32
"""


@pytest.fixture(scope="module", autouse=True)
def cluster():
    # The workers import the package from where these tests do.
    path = os.pathsep.join([str(Path(tablero.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        logging_level="error",
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    yield
    ray.shutdown()


def played_and_learnt(rounds):
    """All that must not depend on who played."""
    games = [
        round["self_play"]
        and {key: round["self_play"][key] for key in ("record_hash", "games", "unfinished")}
        for round in rounds
    ]
    return games, [round["weights_hash"] for round in rounds]


def locally(config, folder):
    rounds = []
    tablero.train(config, folder, threads=2, callback=rounds.append)
    return played_and_learnt(rounds)


def actor_processes():
    """The processes of actors, by the name that Ray gives them."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if name.startswith(b"ray::SelfPlay"):
                found.append(int(folder.name))
    return found


def test_two_actors_play_the_games_of_the_local_trainer(tmp_path):
    config = SMALL.format(rounds=3, simulations=16)
    rounds = []
    tablero.ray.train(config, tmp_path / "ray", workers=2, chunk_games=7, callback=rounds.append)
    assert played_and_learnt(rounds) == locally(config, tmp_path / "local")
    assert len(rounds) == 4
    # The folder is one like any other.
    assert tablero.Policy.load(str(tmp_path / "ray")).game == "dots-and-boxes:3x3"


def test_actors_play_a_game_of_ones_own_once_it_is_set_up(tmp_path):
    # As a class of a notebook or a script is sent: actors cannot import this module.
    ray.cloudpickle.register_pickle_by_value(connect_four)
    game, config = connect_four.ConnectFour, connect_four.CONFIG.format(rounds=2)
    tablero.register(game())
    rounds = []
    tablero.ray.train(
        config, tmp_path / "ray", setup=lambda: tablero.register(game()), callback=rounds.append
    )
    assert played_and_learnt(rounds) == locally(config, tmp_path / "local")
    assert len(rounds) == 3
    with pytest.raises(ray.exceptions.RayError, match="connect-four"):
        tablero.ray.train(config, tmp_path / "lost")


def test_actors_that_are_killed_change_nothing(tmp_path):
    config = SMALL.format(rounds=5, simulations=200)
    rounds, killed = [], []
    is_over = threading.Event()

    def kill_one_a_round():
        while len(killed) < 5 and not is_over.is_set():
            # As soon as the round of its turn is well under way.
            is_due = len(killed) <= len(rounds)
            time.sleep(0.15)
            alive = [process for process in actor_processes() if process not in killed]
            if is_due and alive:
                os.kill(alive[0], signal.SIGKILL)
                killed.append(alive[0])

    def count(metrics):
        # A round that was faster than the killer waits for it.
        while len(killed) < min(5, len(rounds) + 1):
            time.sleep(0.05)
        rounds.append(metrics)

    killer = threading.Thread(target=kill_one_a_round)
    killer.start()
    try:
        tablero.ray.train(config, tmp_path / "ray", workers=2, chunk_games=4, callback=count)
    finally:
        is_over.set()
        killer.join()
    assert len(killed) == 5
    assert played_and_learnt(rounds) == locally(config, tmp_path / "local")


def test_a_run_goes_on_with_actors_or_without(tmp_path):
    config = SMALL.format(rounds=3, simulations=16)
    rounds = []

    class Enough(Exception):
        pass

    def stop_after_one(metrics):
        rounds.append(metrics)
        raise Enough

    for train in (tablero.ray.train, tablero.train, tablero.ray.train):
        with pytest.raises(Enough):
            train(config, tmp_path / "parts", callback=stop_after_one)
    tablero.train(config, tmp_path / "parts", callback=rounds.append)
    assert played_and_learnt(rounds) == locally(config, tmp_path / "whole")


def test_what_actors_raise_reaches_the_caller_and_the_run_stays_whole(tmp_path):
    config = SMALL.format(rounds=1, simulations=16)

    def broken(round, first, end, weights):
        raise OSError("the cluster is on fire")

    def lazy(round, first, end, weights):
        return [tablero._tablero.play_assignment(config, round, first, end - 1, weights)]

    def eager(round, first, end, weights):
        return [tablero._tablero.play_assignment(config, round, first, end, weights)] * 2

    def foreign(round, first, end, weights):
        return [b"no games"]

    for actors, error, message in (
        (broken, OSError, "the cluster is on fire"),
        (lazy, RuntimeError, "expected 40 games, got 39"),
        (eager, RuntimeError, "again or besides"),
        (foreign, RuntimeError, "expected games as an actor of this version packs them"),
    ):
        with pytest.raises(error, match=message):
            tablero._tablero.train(config, str(tmp_path / "run"), actors=actors)
    rounds = []
    tablero.train(config, tmp_path / "run", callback=rounds.append)
    assert len(rounds) == 2


def test_actors_of_another_kind_are_refused(tmp_path, monkeypatch):
    config = SMALL.format(rounds=1, simulations=16)
    # What this process takes for its own; the actors see nothing of it.
    monkeypatch.setattr(tablero.ray, "actor_kind", lambda: "tablero 0.0.0 with an abacus")
    with pytest.raises(RuntimeError, match="by tablero 0.0.0 with an abacus, got one by tablero"):
        tablero.ray.train(config, tmp_path / "run")


def test_ctrl_c_stops_the_training_and_its_actors(tmp_path):
    config = SMALL.format(rounds=1000, simulations=16)
    rounds = []

    def interrupt_after_two(metrics):
        rounds.append(metrics)
        if len(rounds) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        tablero.ray.train(config, tmp_path / "run", callback=interrupt_after_two)
    # The folder is let go of as soon as the round under way has noticed.
    deadline = time.monotonic() + 60
    while actor_processes():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert tablero.Policy.load(str(tmp_path / "run")).game == "dots-and-boxes:3x3"


def test_actors_without_a_place_are_waited_for_by_no_one(tmp_path):
    config = SMALL.format(rounds=1, simulations=16)
    rounds = []
    with pytest.warns(UserWarning, match="5 workers with 1 CPUs each want 5, the cluster has 2"):
        tablero.ray.train(config, tmp_path / "ray", workers=5, chunk_games=3, callback=rounds.append)
    assert played_and_learnt(rounds) == locally(config, tmp_path / "local")


def test_a_cluster_of_no_workers_is_refused(tmp_path):
    with pytest.raises(ValueError, match="workers=0"):
        tablero.ray.train("quickstart", tmp_path / "run", workers=0)
