"""Connect Four as a game of one's own in Python: its laws, its counts, and an agent that learns it.

python connect_four.py [ROUNDS]
"""

import sys
import tempfile

import numpy as np
import tablero

WIDTH, HEIGHT = 7, 6
#: The bits of a column of the board: one more than cells, so that lines end there.
STEP = HEIGHT + 1
#: The cells of each column, from below.
COLUMNS = [((1 << HEIGHT) - 1) << STEP * x for x in range(WIDTH)]


class ConnectFour:
    """Drop stones into columns; four in a row win"""

    n_actions = WIDTH
    max_plies = WIDTH * HEIGHT

    # A state is a number for each player: a bit for each cell with a stone.
    def initial(self):
        return 0, 0

    def to_move(self, stones):
        return (stones[0] | stones[1]).bit_count() % 2

    def legal(self, stones):
        taken = stones[0] | stones[1]
        return [x for x in range(WIDTH) if COLUMNS[x] & ~taken]

    def play(self, stones, x):
        first, second = stones
        taken = first | second
        # Adding to the lowest cell of the column carries to its first empty one.
        stone = (taken + (1 << STEP * x)) & COLUMNS[x] & ~taken
        return (first, second | stone) if self.to_move(stones) else (first | stone, second)

    def outcome(self, stones):
        for result, own in zip((1, -1), stones, strict=True):
            for step in (1, STEP - 1, STEP, STEP + 1):
                pairs = own & own >> step
                if pairs & pairs >> 2 * step:
                    return result
        return None if self.legal(stones) else 0

    def observe(self, stones):
        mover = self.to_move(stones)
        numbers = np.array([stones[mover], stones[1 - mover]], "<u8").view(np.uint8)
        bits = np.unpackbits(numbers, bitorder="little").reshape(2, 64)[:, : WIDTH * STEP]
        # Planes, rows from above, columns.
        return bits.reshape(2, WIDTH, STEP)[:, :, HEIGHT - 1 :: -1].transpose(0, 2, 1).astype(np.float32)

    # What is not needed, but teaches twice as much.
    def symmetries(self, stones):
        actions = list(range(WIDTH))
        return [(stones, actions), (tuple(map(self.mirror, stones)), actions[::-1])]

    def mirror(self, own):
        columns = [own >> STEP * x & COLUMNS[0] for x in range(WIDTH)]
        return sum(column << STEP * (WIDTH - 1 - x) for x, column in enumerate(columns))


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
