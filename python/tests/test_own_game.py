"""Games whose rules are a Python class: the same laws, searches and training as all others."""

import json
from pathlib import Path

import numpy as np
import pytest
import tablero

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Three in a row win"""

    n_actions = 9
    max_plies = 9

    def initial(self):
        return "........."

    def to_move(self, board):
        return (9 - board.count(".")) % 2

    def legal(self, board):
        return [cell for cell in range(9) if board[cell] == "."]

    def play(self, board, cell):
        return board[:cell] + "xo"[self.to_move(board)] + board[cell + 1 :]

    def outcome(self, board):
        for line in LINES:
            row = "".join(board[cell] for cell in line)
            if row in ("xxx", "ooo"):
                return 1 if row == "xxx" else -1
        return None if "." in board else 0

    def observe(self, board):
        mine = "xo"[self.to_move(board)]
        cells = np.array(list(board)).reshape(3, 3)
        return np.stack([cells == mine, (cells != mine) & (cells != ".")])

    def symmetries(self, board):
        flipped = [2, 1, 0, 5, 4, 3, 8, 7, 6]
        return [(board, list(range(9))), ("".join(board[cell] for cell in flipped), flipped)]


@pytest.fixture(scope="module")
def game():
    return tablero.register(TicTacToe())


def test_it_keeps_the_laws_and_has_the_known_counts(game):
    assert tablero.check(TicTacToe(), games=5) > 5
    assert game.spec == "tic-tac-toe"
    assert ("tic-tac-toe", "Three in a row win") in [entry[:2] for entry in tablero.games()]
    # Sequences of n moves, none after a win: 1,440 games end with the fifth, so (15,120 - 1,440) * 4 have six.
    assert game.initial().perft(6) == [9, 72, 504, 3024, 15120, 54720]


def test_solver_and_search_play_it(game):
    state = game.initial()
    assert tablero.solve(state)["proven"] == 0
    # o must answer in the centre.
    state.play(0)
    assert tablero.solve(state)["action"] == 4
    assert tablero.Player("tic-tac-toe", "mcts:sims=2000").choose(state, seed=1) == 4
    assert game.parse_state(str(state)) == state
    assert "a" in state.draw() or "b" in state.draw()


CONFIG = """
game = "tic-tac-toe"
rounds = 2
[network]
kind = "sparse"
width = 32
hidden = [16]
[search]
sims = 16
[self_play]
games = 20
random_plies = 2
temperature = 1.0
temperature_plies = 4
[learner]
batch_size = 32
window_games = 100
samples_per_position = 1
learning_rate = 2e-3
"""


def test_training_is_a_function_of_the_seed_and_its_policy_plays(game, tmp_path):
    hashes = []
    for folder, threads in (("one", 1), ("two", 2)):
        rounds = []
        tablero.train(CONFIG, tmp_path / folder, threads=threads, callback=rounds.append)
        hashes.append([it["weights_hash"] for it in rounds])
    assert hashes[0] == hashes[1]
    player = tablero.Player("tic-tac-toe", f"policy:{tmp_path / 'one'},sims=50")
    assert player.choose(game.initial(), seed=1) in range(9)
    policy = tablero.Policy.load(tmp_path / "one")
    policy.save(tmp_path / "policy", format="onnx")
    manifest = json.loads(Path(tmp_path / "policy" / "policy.json").read_text())
    assert manifest["game"] == "tic-tac-toe"


def test_patterns_are_facts_for_a_sparse_network(game, tmp_path):
    n_features = {}
    for name, patterns in (("cells", []), ("lines", LINES)):
        tablero.register(broken(patterns=lambda self, patterns=patterns: patterns))
        tablero.train(CONFIG.replace("rounds = 2", "rounds = 1"), tmp_path / name)
        shape = tablero.Policy.load(tmp_path / name).manifest["shape"]
        n_features[name] = shape["features"]["features"]
    # Three cells that are empty, the mover's or the other player's, but not all of them empty.
    assert n_features["lines"] == n_features["cells"] + 8 * (3**3 - 1)
    with pytest.raises(ValueError, match=r"a pattern: expected one or more cells below 9, got \[0, 9\]"):
        tablero.register(broken(patterns=lambda self: [(0, 9)]))
    tablero.register(TicTacToe())


def broken(**changes):
    return type("TicTacToe", (TicTacToe,), changes)()


def test_what_is_wrong_with_a_game_is_told():
    with pytest.raises(ValueError, match="observe: expected an array of three dimensions"):
        tablero.register(broken(observe=lambda self, board: [1.0, 2.0]))
    with pytest.raises(AttributeError, match="n_actions"):
        tablero.register(object())
    with pytest.raises(ValueError, match="Tablero has a game of the name"):
        tablero.register(broken(name="hive"))
    with pytest.raises(RuntimeError, match="tic-tac-toe: legal: KeyError: 'nothing'"):
        tablero.check(broken(legal=lambda self, board: {}["nothing"]))
    with pytest.raises(RuntimeError, match="outcome: .*got 7"):
        tablero.check(broken(outcome=lambda self, board: 7))
    # The image of a state with the actions of the state itself.
    with pytest.raises(ValueError, match="(?i)symmetr"):
        tablero.check(
            broken(symmetries=lambda self, board: [(board, list(range(9))), (board[::-1], list(range(9)))])
        )
