"""Compares our Hive with OpenSpiel's over random games: legal moves at every ply, and the ends.

Our engine speaks the Universal Hive Protocol; the script plays its moves, and the same moves in OpenSpiel.

What is compared: at every position the sets of moves as (kind and colour, from where, to where), which
is the set of resulting positions; whether the game is over; who won.

What cannot be compared, because OpenSpiel (2.0.2) has other conventions:
- Names. It lists a move once for each neighbouring tile that may name the destination, and lets the
  pieces of a kind be placed in any order (`wA3` before `wA1`). Hence sets, and kinds.
- Repetition. It has none; a draw by repetition on our side ends the comparison of that game.
- The board. Its radius is 14 at most (the pieces are recentred); leaving it draws the game. So does ply 500.
  Games here are shorter, and a hive that left the board would be reported as a difference in the end.
- The opening. It forbids the queen on a side's first turn: so does ours by default.
- Pins while the white queen is in hand. It searches for the cut vertices of the hive from the white queen,
  so until she is down it lets Black split the hive. In these positions its further moves are
  accepted if, and only if, they lift a piece that holds the hive together; they are counted.

Needs OpenSpiel; see README.md.

Example:
    venv/bin/python tests/outside/openspiel_hive.py --ours "target/release/tablero uhp" --games 2000
"""

import argparse
import collections
import random
import sys
import time

import pyspiel
from hive_board import NEIGHBOURS, PASS, Board
from hive_random import STYLES, choose
from in_order import games_in_order
from uhp import Engine, EngineError

TYPES = ["Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP"]


def load(game_type):
    """OpenSpiel's game with the largest board."""
    expansions = game_type.partition("+")[2]
    return pyspiel.load_game(
        "hive",
        {
            "board_size": 14,
            "uses_mosquito": "M" in expansions,
            "uses_ladybug": "L" in expansions,
            "uses_pillbug": "P" in expansions,
        },
    )


def without_numbers(board, moves):
    """Moves as (colour and kind, cell it leaves, cell it enters)."""
    return {(piece[:2], board.cell_of.get(piece), cell) for piece, cell in moves}


def splits(board, cell):
    """Whether the hive falls apart when the only piece on the cell is lifted."""
    rest = board.stacks.keys() - {cell}
    if len(board.stacks[cell]) > 1 or not rest:
        return False
    reached, edge = set(), [next(iter(rest))]
    while edge:
        q, r = edge.pop()
        if (q, r) in rest and (q, r) not in reached:
            reached.add((q, r))
            edge.extend((q + dq, r + dr) for dq, dr in NEIGHBOURS)
    return reached != rest


class Referee:
    """Our engine and OpenSpiel; plays one game at a time."""

    def __init__(self, options):
        self.options = options
        self.engine = Engine(options.ours)
        self.games = {game_type: load(game_type) for game_type in options.types}

    def play(self, number):
        """The counts of game `number`, and what differs or None."""
        rng = random.Random(f"{self.options.seed} {number}")
        game_type = self.options.types[number % len(self.options.types)]
        style = rng.choice([name for name in STYLES if name != "squeeze"])
        max_placed = rng.choice([3, 5, 7, 9, 14])
        counts = collections.Counter()
        try:
            return counts, self._play(rng, game_type, style, max_placed, counts)
        except EngineError as error:
            # Answers may still be on their way: go on with a fresh engine.
            self.engine.close()
            self.engine = Engine(self.options.ours)
            return counts, f"{game_type}: {error}"

    def _play(self, rng, game_type, style, max_placed, counts):
        state = self.games[game_type].new_initial_state()
        board = Board(has_pillbug="P" in game_type)
        self.engine.send(f"newgame {game_type}", "validmoves")
        for _ in range(self.options.max_plies):
            string = self.engine.answer()[0]
            ended = string.split(";")[1]
            over = ended not in ("NotStarted", "InProgress")
            texts = ";".join(self.engine.answer(or_error=over)).split(";")
            if ended == "Draw" and not state.is_terminal():
                counts["ended: our draw by repetition"] += 1
                return None
            if state.is_terminal() or over:
                there = {1.0: "WhiteWins", -1.0: "BlackWins", 0.0: "Draw"}[state.returns()[0]]
                counts[f"ended: {there}"] += 1
                if not state.is_terminal() or ended != there:
                    return f"{game_type}: OpenSpiel says {there}, we say {ended}\n  {string}"
                return None
            counts["positions"] += 1
            ours = board.moves(texts)
            actions = state.legal_actions()
            names = [state.action_to_string(action) for action in actions]
            theirs = board.moves(names)
            counts["moves"] += len(ours)
            counts["passes"] += PASS in ours
            counts["names of theirs"] += len(names)
            if difference := self._difference(board, ours, theirs, counts):
                return f"{game_type}: {difference}\n  {string}"
            move = choose(rng, board, ours, style, max_placed)
            self.engine.send(f"play {ours[move][0]}", "validmoves")
            state.apply_action(actions[names.index(theirs[move][0])])
            board.play(move)
        self.engine.answer()
        self.engine.answer(or_error=True)
        counts["ended: cut off"] += 1
        return None

    def _difference(self, board, ours, theirs, counts):
        here, there = without_numbers(board, ours), without_numbers(board, theirs)
        further = there - here
        if further and "wQ" not in board.cell_of:
            unpinned = {move for move in further if move[1] and splits(board, move[1])}
            counts["positions where OpenSpiel lets Black split the hive"] += bool(unpinned)
            further -= unpinned
        if further or here - there:
            return f"only OpenSpiel: {sorted(further, key=str)}, only ours: {sorted(here - there, key=str)}"
        return None


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", required=True, help="command that starts our UHP engine")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES, metavar="TYPE")
    parser.add_argument("--max-plies", type=int, default=120, help="longest game (default 120)")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main():
    options = parse_options()
    started = time.monotonic()
    total, n_different = collections.Counter(), 0
    for number, (counts, difference) in enumerate(games_in_order(Referee, options, options.jobs), 1):
        total += counts
        if difference:
            n_different += 1
            print(f"DIFFERENCE in game {number - 1}, {difference}", flush=True)
        if number % 100 == 0:
            print(
                f"{number} of {options.games} games, {total['positions']} positions, {n_different} differ",
                flush=True,
            )
        if number >= options.games or n_different >= 10:
            break
    print(f"{number} games, seed {options.seed}, {time.monotonic() - started:.0f} s")
    for name, count in sorted(total.items()):
        print(f"  {name}: {count}")
    print(f"games that differ: {n_different}")
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
