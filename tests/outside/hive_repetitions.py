"""Compares draws by repetition in Hive with another engine, over random games made to repeat themselves.

Both engines play the same game in lock-step over the Universal Hive Protocol. After a random opening the
players like to go back to where they came from, or about with the same piece. At every position three
states are set side by side: ours, theirs, and those that the script works out by itself from the rule of
each. Our lists of legal moves must be theirs, read as sets of (piece, destination). After a draw by
repetition a ply is undone, and the game must be open again.

Engines differ in what a repetition is, so say which rule theirs has:

    third    the third occurrence of a position, up to translation, as ours without a pillbug
    fourths  two equal positions among those 4, 8 ... 32 plies ago, each cell at its place, whatever
             moved last: nokamute
    none     no draws by repetition: MzingaCpp

A draw that only one side declares is counted as such if both rules say so, and is a difference otherwise.
Game g of a seed is the same whatever the number of processes.

Example:
    python3 tests/outside/hive_repetitions.py --ours "target/release/tablero uhp" \\
        --theirs "nokamute uhp" --setup "options set TableSizeMiB 1" --rule fourths --games 10000
"""

import argparse
import collections
import random
import sys
import time

from hive_board import PASS, Board
from hive_engines import TYPES, list_of_moves
from hive_random import choose
from in_order import games_in_order
from uhp import EngineError, Pair

#: Plies back at which nokamute looks.
FOURTHS = range(4, 33, 4)


class Difference(Exception):
    """An engine does not do what its rule says, or the lists of moves differ."""


class Position(Board):
    """A board that knows the rule of the other engine, too."""

    def __init__(self, game_type, rule):
        super().__init__(has_pillbug="P" in game_type)
        self._rule = rule
        self._plain = Board(has_pillbug=False)
        self._places = []

    def play(self, move):
        super().play(move)
        self._plain.play(move)
        stacks = sorted((cell, "".join(p[:2] for p in stack)) for cell, stack in self.stacks.items())
        self._places.append((self.colour, tuple(stacks)))

    def their_state(self):
        """The state by the other engine's rule of repetition."""
        state = self._plain.state()
        if self._rule == "third" or any(self.surrounded()):
            return state
        back = [self._places[-1 - n] for n in FOURTHS if n < len(self._places)]
        is_repeated = self.n_plies > 10 and back.count(self._places[-1]) >= 2
        return "Draw" if self._rule == "fourths" and is_repeated else "InProgress"


def wander(rng, board, moves, came_from, shuffle):
    """Back to where the player's last piece came from, or elsewhere with it, or any move."""
    piece, cell = came_from.get(board.colour, (None, None))
    if (piece, cell) in moves and rng.random() < shuffle:
        return piece, cell
    same = sorted(move for move in moves if move[0] == piece and move != PASS)
    if same and rng.random() < 0.7:
        return rng.choice(same)
    # A piece once placed may be in the way of its like: walk, where there is a walk.
    walks = sorted(move for move in moves if move[0] in board.cell_of)
    if walks and rng.random() < 0.9:
        return rng.choice(walks)
    return rng.choice(sorted(moves))


class Referee(Pair):
    """Two engines and the options of the run; plays one game at a time."""

    def __init__(self, options):
        super().__init__(options.ours, options.theirs, options.setup)
        self.options = options

    def play(self, number):
        """Game `number`: its type, how it ended, its plies, and the difference or nothing."""
        options = self.options
        game_type = options.types[number % len(options.types)]
        rng = random.Random(f"{options.seed} {number}")
        played = []
        try:
            end = self._play(rng, game_type, played)
        except (Difference, EngineError) as error:
            text = f"game {number}: {error}\n  {game_type};;;{';'.join(played)}"
            self.restart()
            return game_type, "difference", len(played), text
        return game_type, end, len(played), ""

    def _play(self, rng, game_type, played):
        board = Position(game_type, self.options.rule)
        opening = rng.randint(2, 14)
        style = rng.choice(["uniform", "movement", "throws", "stacks"])
        shuffle = rng.choice([0.1, 0.4, 0.7, 0.95])
        came_from = {}
        command = f"newgame {game_type}"
        while len(played) <= self.options.max_plies:
            our_texts, their_texts, state = self._ask(board, command)
            if state != "open":
                return state
            our_moves, their_moves = board.moves(our_texts), board.moves(their_texts)
            if our_moves.keys() != their_moves.keys():
                only_ours, only_theirs = (
                    sorted(map(str, a.keys() - b.keys()))
                    for a, b in ((our_moves, their_moves), (their_moves, our_moves))
                )
                raise Difference(f"legal moves: only ours {only_ours}, only theirs {only_theirs}")
            if board.n_plies < opening:
                move = choose(rng, board, our_moves, style, 7)
            else:
                move = wander(rng, board, our_moves, came_from, shuffle)
            came_from[board.colour] = (move[0], board.cell_of.get(move[0]))
            text = rng.choice(our_moves[move] + their_moves[move])
            command = f"play {text}"
            played.append(text)
            board.play(move)
        return "cut off"

    def _ask(self, board, command):
        """The lists of both and "open", or how the game has ended."""
        engines = (self.ours, self.theirs)
        for engine in engines:
            engine.send(command, "validmoves")
        states = [engine.answer()[0].split(";")[1] for engine in engines]
        expected = [board.state(), board.their_state() if board.n_plies else "NotStarted"]
        has_ended = [state not in ("NotStarted", "InProgress") for state in states]
        texts = [list_of_moves(engine.answer(or_error=ended)) for engine, ended in zip(engines, has_ended)]
        if states != expected:
            raise Difference(f"we say {states[0]}, they say {states[1]}, the rules say {expected}")
        if not any(has_ended):
            return *texts, "open"
        repeated = [state == "Draw" and not any(board.surrounded()) for state in states]
        if any(repeated):
            self._undo(engines)
        if all(repeated):
            return *texts, "repetition for both"
        if any(repeated):
            return *texts, "repetition for us alone" if repeated[0] else "repetition for them alone"
        return *texts, "queen surrounded"

    def _undo(self, engines):
        for engine in engines:
            state = engine.ask("undo 1")[0].split(";")[1]
            if state != "InProgress":
                raise Difference(f"{engine.name} says {state} when the last ply is undone")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", required=True, help="command that starts our engine")
    parser.add_argument("--theirs", required=True, help="command that starts the other engine")
    parser.add_argument("--setup", nargs="+", default=[], help="commands for their engine before all else")
    parser.add_argument("--rule", required=True, choices=["third", "fourths", "none"], help="their rule")
    parser.add_argument("--games", type=int, default=10_000, help="games of each type (default 10000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES, metavar="TYPE")
    parser.add_argument("--max-plies", type=int, default=70, help="longest game (default 70)")
    parser.add_argument("--jobs", type=int, default=2, help="processes, each with both engines")
    parser.add_argument(
        "--max-differences", type=int, default=1, help="stop after this many differences (default 1)"
    )
    return parser.parse_args()


def count(options, ends):
    """Plays the games and counts how they end, by type. Returns games, plies and differences."""
    started, last_report = time.monotonic(), 0.0
    n_games = n_plies = n_differences = 0
    try:
        for game_type, end, plies, difference in games_in_order(Referee, options, options.jobs):
            n_games += 1
            n_plies += plies
            ends[game_type][end] += 1
            if difference:
                n_differences += 1
                print(f"DIFFERENCE in {difference}\n", flush=True)
            elapsed_s = time.monotonic() - started
            if elapsed_s - last_report >= 30:
                last_report = elapsed_s
                print(f"{n_games} games, {n_plies / elapsed_s:.0f} positions/s", flush=True)
            if n_games >= options.games * len(options.types) or n_differences >= options.max_differences:
                break
    except KeyboardInterrupt:
        print("interrupted: these are the games that were finished by then")
    return n_games, n_plies, n_differences


def main():
    options = parse_options()
    ends = {game_type: collections.Counter() for game_type in options.types}
    n_games, n_plies, n_differences = count(options, ends)
    print(f"ours: {options.ours}\ntheirs: {options.theirs}, rule {options.rule}, seed {options.seed}")
    print(f"{n_games} games, {n_plies} positions")
    for game_type, counts in ends.items():
        told = ", ".join(f"{end} {n}" for end, n in sorted(counts.items()))
        print(f"{game_type}: {counts.total()} games: {told}")
    print(f"differences: {n_differences}")
    return 1 if n_differences else 0


if __name__ == "__main__":
    sys.exit(main())
