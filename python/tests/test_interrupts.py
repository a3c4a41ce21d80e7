"""Ctrl-C ends what is calculated, not only the wait for it."""

import os
import signal
import threading
import time

import psutil
import pytest
import tablero
from test_own_game import TicTacToe


def n_threads():
    return psutil.Process().num_threads()


def interrupt(call, is_running=lambda: True):
    """Calls, and presses Ctrl-C a moment after it is under way; what is left of it may take some seconds on
    a loaded machine, and would take hours were it not ended."""
    before = n_threads()

    def press():
        while not is_running():
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        presser.join()
    deadline = time.monotonic() + 30
    while n_threads() > before:
        assert time.monotonic() < deadline, "a thread still runs"
        time.sleep(0.01)


def middle_game(spec, n_plies):
    state = tablero.Game(spec).initial()
    for seed in range(n_plies):
        state.play(state.random_action(seed))
    return state


CALLS = {
    "perft": lambda state: state.perft(12),
    "minimax": lambda state: tablero.minimax(state, "depth=30"),
    "choice of minimax": lambda state: tablero.Player(state.game.spec, "minimax:depth=30").choose(state),
    "rollouts": lambda state: tablero.Player(state.game.spec, "mcts:sims=4000000000").analyse(state),
    "seat": lambda state: tablero.Player(state.game.spec, "mcts:sims=4000000000").seat().choose(state),
    "network": lambda state: tablero.Policy.load("zoo:hive:base+mlp").search(state, sims=4_000_000_000),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_search_ends(call):
    state = middle_game("hive:base+mlp", 12)
    interrupt(lambda: call(state))


def test_the_solver_ends():
    state = middle_game("dots-and-boxes:4x4", 6)
    interrupt(lambda: tablero.solve(state))


def test_a_game_of_python_ends():
    state = tablero.register(TicTacToe()).initial()
    interrupt(lambda: tablero.check(TicTacToe(), games=10**9))
    interrupt(lambda: tablero.Player("tic-tac-toe", "mcts:sims=4000000000").choose(state))


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_training_ends_and_the_same_call_goes_on_at_once(tmp_path, rounds):
    config = tablero.preset("quickstart")
    folder = tmp_path / "run"

    def is_running():
        lines = folder / "metrics.jsonl"
        n_rounds = len(lines.read_text().splitlines()) if lines.exists() else 0
        return (folder / "manifest.json").exists() and n_rounds >= rounds

    interrupt(lambda: tablero.train(config, folder, callback=None), is_running)

    class Enough(Exception):
        pass

    def stop(metrics):
        raise Enough

    with pytest.raises(Enough):
        tablero.train(config, folder, callback=stop)
