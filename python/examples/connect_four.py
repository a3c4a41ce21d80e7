"""Connect Four as a game of one's own in Python: its laws, its counts, and an agent that learns it.

python connect_four.py [ROUNDS]
"""

import sys
import tempfile

import numpy as np
import tablero

WIDTH, HEIGHT = 7, 6
#: A cell, and the way to the next one of a line of four.
LINES = [
    [(x + i * dx, y + i * dy) for i in range(4)]
    for x in range(WIDTH)
    for y in range(HEIGHT)
    for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]
    if 0 <= x + 3 * dx < WIDTH and 0 <= y + 3 * dy < HEIGHT
]


class ConnectFour:
    """Drop stones into columns; four in a row win"""

    n_actions = WIDTH
    max_plies = WIDTH * HEIGHT

    # A state is a string for each column: the stones from below.
    def initial(self):
        return ("",) * WIDTH

    def to_move(self, columns):
        return sum(map(len, columns)) % 2

    def legal(self, columns):
        return [x for x in range(WIDTH) if len(columns[x]) < HEIGHT]

    def play(self, columns, x):
        stone = "01"[self.to_move(columns)]
        return (*columns[:x], columns[x] + stone, *columns[x + 1 :])

    def outcome(self, columns):
        board = [column.ljust(HEIGHT) for column in columns]
        for line in LINES:
            stones = {board[x][y] for x, y in line}
            if stones == {"0"} or stones == {"1"}:
                return 1 if stones == {"0"} else -1
        return None if self.legal(columns) else 0

    def observe(self, columns):
        planes = np.zeros((2, HEIGHT, WIDTH), np.float32)
        for x, column in enumerate(columns):
            for y, stone in enumerate(column):
                planes[int(stone) ^ self.to_move(columns), HEIGHT - 1 - y, x] = 1
        return planes

    # What is not needed, but teaches twice as much.
    def symmetries(self, columns):
        return [(columns, list(range(WIDTH))), (columns[::-1], list(range(WIDTH))[::-1])]


CONFIG = """
game = "connect-four"
rounds = {rounds}
[network]
kind = "mlp"
hidden = [128]
[search]
sims = 32
[self_play]
games = 64
random_plies = 4
temperature = 1.0
temperature_plies = 6
fork_share = 0.5
[learner]
batch_size = 256
window_games = 2000
samples_per_position = 4
learning_rate = 2e-3
"""


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(tablero.check(ConnectFour(), games=3), "positions keep the laws of a game")
    game = tablero.register(ConnectFour())
    # Published: https://oeis.org/A212693 counts positions; these are sequences of moves.
    print("perft", game.initial().perft(5))
    with tempfile.TemporaryDirectory() as folder:
        tablero.train(CONFIG.format(rounds=rounds), folder)
        player = tablero.Player("connect-four", f"policy:{folder},sims=100")
        state = game.initial()
        while not state.is_over:
            state.play(player.choose(state, seed=1))
        print(state.draw(), state.returns)


if __name__ == "__main__":
    main()
