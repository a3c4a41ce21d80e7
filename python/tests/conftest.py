"""What all tests share."""

import signal

import numpy as np
import pytest
import tablero

# A shell starts what it runs in the background with Ctrl-C ignored; some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: One of each kind, small where the game allows it.
GAMES = ["dots-and-boxes:3x3", "queens:6", "paper-soccer:4x4", "xadrersi", "hive:base+mlp"]


@pytest.fixture(params=GAMES)
def spec(request):
    return request.param


def random_states(game, n_games, seed=0):
    """The unfinished positions of random games."""
    rng = np.random.default_rng(seed)
    for _ in range(n_games):
        state = game.initial()
        for _ in range(300):
            yield state.clone()
            state.play(state.random_action(int(rng.integers(2**63))))
            if state.is_over:
                break


@pytest.fixture(scope="session")
def planes_policy(tmp_path_factory):
    """A small policy of the Queens duel on 8x8 that reads planes."""
    config = """
game = "queens:8"
rounds = 1
[network]
kind = "mlp"
hidden = [24, 16]
[search]
sims = 4
[self_play]
games = 20
random_plies = 2
temperature = 1.0
temperature_plies = 4
[learner]
batch_size = 32
samples_per_position = 2
"""
    run = tmp_path_factory.mktemp("planes") / "run"
    tablero.train(config, run, threads=1)
    return tablero.Policy.load(str(run))
