"""Plays the Queens duel with an exported policy, by nothing but onnxruntime and numpy.

    tablero export zoo:queens:8 --format onnx --out policies/queens
    python python/examples/play_onnx.py policies/queens

The rules stand here, the features are made as docs/features.md says, and golden.json proves that they are
the same as in training.
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

    def features(self):
        """What the network reads: facts of the position and of each free cell, by number.

        `docs/features.md` lists the groups; the network adds up a row of its weights for each number.
        """
        side, n_cells = self.side, self.side**2
        free = self.free()
        n_free = int(free.sum())
        cells = [tuple(cell) for cell in np.argwhere(free)]
        # Of the free cells, how many a queen on each would take and leave.
        taken = {cell: int((self.reach[cell] & free).sum()) for cell in cells}
        left = {cell: n_free - taken[cell] for cell in cells}
        place = {cell: int(cell[0] * side + cell[1]) for cell in cells}
        lines = sorted(int(free.any(axis=axis).sum()) for axis in (0, 1))

        groups = [
            (n_cells, np.flatnonzero(self.queens).tolist()),
            (n_cells * 10, [place[cell] * 10 + with_parity(left[cell], 8) for cell in cells]),
            (side + 1, [int(self.queens.sum())]),
            (n_cells + 1, [n_free]),
            (2, [n_free % 2]),
            (6 * 4, [n * 4 + min(list(left.values()).count(n), 3) for n in range(6)]),
            (8 * 8, [n * 8 + min(list(taken.values()).count(n + 1), 7) for n in range(8)]),
            (side + 1, lines[:1]),
            (side + 1, lines[1:]),
            *self.components(cells, taken),
        ]
        actions = [
            [
                place[cell],
                n_cells + place[cell] * 10 + with_parity(left[cell], 8),
                n_cells * 11 + min(taken[cell], 32) - 1,
                n_cells * 11 + 32 + with_parity(left[cell], 32) * 2 + self.ends(cell, left[cell], free),
            ]
            for cell in cells
        ]
        return numbered(groups), actions

    def ends(self, cell, n_left, free):
        """Whether nothing is left after a queen there, or a next one could take all that is."""
        rest = free & ~self.reach[cell]
        replies = np.argwhere(rest) if n_left <= 8 else []
        return n_left == 0 or any(not (rest & ~self.reach[tuple(reply)]).any() for reply in replies)

    def components(self, cells, taken):
        """Of at most 32 free cells: how many parts attack no other, and of which sizes."""
        if len(cells) > 32:
            return [(2 * 10, []), (2 * 8 * 4, [])]
        sizes = np.zeros((2, 8), dtype=int)
        all_cliques, rest = True, set(cells)
        while rest:
            component, border = set(), {next(iter(rest))}
            while border:
                component |= border
                reached = {cell for cell in rest if any(self.reach[one][cell] for one in border)}
                border = reached - component
            rest -= component
            # Each of its cells attacks each other.
            is_clique = all(taken[cell] == len(component) for cell in component)
            all_cliques &= is_clique
            sizes[int(is_clique), min(len(component), 8) - 1] += 1
        number = int(all_cliques) * 10 + with_parity(int(sizes.sum()), 8)
        times = [4 * at + k for at, n in enumerate(sizes.flat) for k in range(min(n, 4))]
        return [(2 * 10, [number]), (2 * 8 * 4, times)]


def with_parity(number, exact):
    """Exactly below a bound, then only whether it is odd."""
    return number if number < exact else exact + number % 2


def numbered(groups):
    """The facts of groups of these sizes, which are numbered one after the other."""
    features, start = [], 0
    for size, facts in groups:
        features += [start + fact for fact in facts]
        start += size
    return features


class Network:
    """The model and what its numbers mean."""

    def __init__(self, directory):
        directory = Path(directory)
        self.manifest = json.loads((directory / "policy.json").read_text())
        self.golden = json.loads((directory / "golden.json").read_text())
        self.session = onnxruntime.InferenceSession(
            directory / "policy.onnx", providers=["CPUExecutionProvider"]
        )

    def __call__(self, game):
        """Logits of the free cells in their order, and chances of win, draw and loss for the player to move."""
        features, actions = game.features()
        inputs = {"features": np.array([features]), "action_features": np.array([actions])}
        policy, wdl = self.session.run(["policy_logits", "wdl_logits"], inputs)
        return policy[0], softmax(wdl[0])


def softmax(logits):
    chances = np.exp(logits - logits.max())
    return chances / chances.sum()


def choose(network, game):
    """The free cell with the highest logit: the network without any search."""
    logits, _ = network(game)
    return tuple(np.argwhere(game.free())[logits.argmax()])


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


def check_features(network, side):
    """The golden positions as they are read here, beside what the policy was exported with."""
    for position in network.golden["positions"]:
        game = Queens(side)
        game.queens[:] = [[cell != "." for cell in row] for row in position["state"].split("/")]
        features, actions = game.features()
        assert sorted(features) == sorted(position["features"])
        assert actions == position["action_features"]
        # Tablero calculates in integers of 16 bits.
        got, expected = softmax(network(game)[0]), softmax(np.array(position["policy_logits"]))
        np.testing.assert_allclose(got, expected, atol=1e-2)


def main():
    network = Network(sys.argv[1])
    name, _, side = network.manifest["game"].partition(":")
    if name != "queens":
        sys.exit(f"expected a policy of queens, got one of {network.manifest['game']}")
    check_features(network, int(side))
    score = match(network, int(side), 200)
    print(f"the network alone won {score:.1%} of 200 games against random moves")


if __name__ == "__main__":
    main()
