"""Plays the Queens duel with an exported policy, by nothing but onnxruntime and numpy.

    tablero export zoo:queens:8 --format onnx --out policies/queens
    python python/examples/play_onnx.py policies/queens

The rules stand here, the observation is made as policy.json says, and golden.json proves that it is the
same as in training.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime

DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]


class Queens:
    """Two players place queens in turn where none is attacked; who places the last one, wins."""

    def __init__(self, side):
        self.side = side
        self.queens = np.zeros((side, side), dtype=bool)
        #: For each cell, the cells that a queen there occupies or attacks.
        self.reach = np.zeros((side, side, side, side), dtype=bool)
        for y, x in np.ndindex(side, side):
            self.reach[y, x, y, x] = True
            for dy, dx in DIRECTIONS:
                row, column = y + dy, x + dx
                while 0 <= row < side and 0 <= column < side:
                    self.reach[y, x, row, column] = True
                    row, column = row + dy, column + dx

    def free(self):
        """The cells on which a queen may be placed."""
        return ~self.reach[self.queens].any(axis=0)

    def play(self, cell):
        self.queens[cell] = True

    def observation(self):
        """The planes that policy.json lists, in its order."""
        free = self.free()
        n_queens = self.queens.sum()
        # Of the free cells, how many each queen to come would take.
        taken = (self.reach & free).sum(axis=(2, 3))
        everywhere = np.ones_like(free)
        planes = [
            self.queens,
            free,
            ~free & ~self.queens,
            everywhere * (n_queens % 2 == 0),
            everywhere * (free.sum() % 2 == 1),
            everywhere * (n_queens / self.side),
            free * taken / max(free.sum(), 1),
            free & ((free.sum() - taken) % 2 == 1),
        ]
        return np.stack(planes).astype(np.float32)


class Network:
    """The model and what its numbers mean."""

    def __init__(self, directory):
        directory = Path(directory)
        self.manifest = json.loads((directory / "policy.json").read_text())
        self.golden = json.loads((directory / "golden.json").read_text())
        self.session = onnxruntime.InferenceSession(
            directory / "policy.onnx", providers=["CPUExecutionProvider"]
        )

    def __call__(self, observation):
        """Logits of the policy, one a cell, and chances of win, draw and loss for the player to move."""
        policy, wdl = self.session.run(["policy_logits", "wdl_logits"], {"observation": observation[None]})
        chances = np.exp(wdl[0] - wdl[0].max())
        return policy[0].reshape(observation.shape[1:]), chances / chances.sum()


def choose(network, game):
    """The free cell with the highest logit: the network without any search."""
    logits, _ = network(game.observation())
    return np.unravel_index(np.where(game.free(), logits, -np.inf).argmax(), logits.shape)


def match(network, side, n_games, seed=1):
    """The share of games that the network wins against random moves, moving first in every other."""
    rng = np.random.default_rng(seed)
    wins = 0
    for index in range(n_games):
        game = Queens(side)
        is_network = index % 2 == 0
        while game.free().any():
            if is_network:
                game.play(choose(network, game))
            else:
                game.play(tuple(rng.choice(np.argwhere(game.free()))))
            is_network = not is_network
        # Who would have to move now has lost.
        wins += not is_network
    return wins / n_games


def check_observations(network, side):
    """The golden positions as they are made here, beside those that the policy was exported with."""
    for position in network.golden["positions"]:
        game = Queens(side)
        game.queens[:] = [[cell != "." for cell in row] for row in position["state"].split("/")]
        expected = np.reshape(position["observation"], (-1, side, side))
        np.testing.assert_allclose(game.observation(), expected, atol=1e-6)


def main():
    network = Network(sys.argv[1])
    name, _, side = network.manifest["game"].partition(":")
    if name != "queens":
        sys.exit(f"expected a policy of queens, got one of {network.manifest['game']}")
    check_observations(network, int(side))
    score = match(network, int(side), 200)
    print(f"the network alone won {score:.1%} of 200 games against random moves")


if __name__ == "__main__":
    main()
