"""Compares two Hive engines move list by move list, over random games and all eight game types.

Both engines play the same game in lock-step over the Universal Hive Protocol. At every position the
lists of legal moves are read as sets of (piece, destination) and must be equal; our engine may name
no move twice. The state in our engine's GameString must be the one that the script works out by
itself (surrounded queens, third repetition). At the end of each game our engine undoes some plies,
then loads the other engine's GameString, and must answer with the same moves as before.

A game ends when either engine or the script says so, or after a number of plies that is drawn for
it. Engines differ in what they call a repetition, so a draw that only the other engine declares ends
the game and is counted, not failed.

Games have styles, so that rare things are common: besides uniform random moves there are games that
prefer moves to placements, games with few pieces, games that seek throws, mosquitoes or stacks, and
games that seek passes: there a player takes, of some moves, the one that leaves the fewest replies.
Game g of a seed is the same whatever the number of processes.

Example:
    python3 tests/outside/hive_engines.py --ours "target/release/tablero uhp" \\
        --theirs "nokamute uhp" --positions 100000 --seed 1
"""

import argparse
import dataclasses
import random
import sys
import time

from hive_board import PASS, Board
from hive_random import STYLES, choose
from in_order import games_in_order
from uhp import EngineError, Pair

TYPES = ["Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP"]

FEATURES = ["throw", "stack", "stack of 3", "mosquito move", "mosquito on top", "stunned", "pass"]


class Difference(Exception):
    """The engines, or our engine and the script, do not agree."""


@dataclasses.dataclass
class Result:
    """What one game gave."""

    game: str
    plies: int = 0
    moves: int = 0
    end: str = "cut off"
    duplicates_of_theirs: int = 0
    keys: dict = dataclasses.field(default_factory=dict)
    played: list = dataclasses.field(default_factory=list)
    difference: str = ""


def squeeze(rng, board, moves, engine, max_placed):
    """Of some random moves the one that leaves the fewest replies, as the engine counts them."""
    candidates = [choose(rng, board, moves, "squeeze", max_placed) for _ in range(6)]
    for move in candidates:
        engine.send(f"play {moves[move][0]}", "validmoves", "undo")
    replies = []
    for _ in candidates:
        ends = engine.answer()[0].split(";")[1] != "InProgress"
        texts = list_of_moves(engine.answer(or_error=ends))
        replies.append(1000 if ends else len(texts) - ("pass" in texts))
        engine.answer()
    return candidates[replies.index(min(replies))]


def features_of(board, moves):
    """A bit for each feature that the position has."""
    colour, mosquito = board.colour, board.colour + "M"
    top = board.cell_of.get(mosquito)
    mosquito_moves = top is not None and any(piece == mosquito for piece, _ in moves)
    tallest = max(map(len, board.stacks.values()))
    present = [
        any(piece[0] not in (colour, "p") for piece, _ in moves),
        tallest >= 2,
        tallest >= 3,
        mosquito_moves,
        mosquito_moves and len(board.stacks[top]) > 1,
        board.stunned is not None,
        PASS in moves,
    ]
    return sum(bit << i for i, bit in enumerate(present))


def list_of_moves(lines):
    """The MoveStrings of an answer to `validmoves`."""
    return [text for text in ";".join(lines).split(";") if text]


def describe(board, moves, only):
    """One line a move: the destination and how the engine wrote it."""
    return "".join(
        f"\n    {' = '.join(moves[m])}  (to {m[1]}, height {len(board.stacks.get(m[1], []))})"
        for m in sorted(only, key=str)
    )


class Referee(Pair):
    """Two engines and the options of the run; plays one game at a time."""

    def __init__(self, options):
        super().__init__(options.ours, options.theirs)
        self.options = options

    def play(self, number):
        """Game `number`: both engines, until it ends or the lists differ."""
        options = self.options
        rng = random.Random(f"{options.seed} {number}")
        game_type = options.types[number % len(options.types)]
        style = rng.choice(options.styles)
        max_placed = rng.choice([3, 5, 7, 9, 14])
        max_plies = rng.randint(options.max_plies // 4, options.max_plies)
        result = Result(f"game {number} ({game_type}, {style})")
        try:
            self._play(rng, game_type, style, max_placed, max_plies, result)
        except Difference as error:
            result.difference = f"{result.game}: {error}"
        except EngineError as error:
            result.difference = f"{result.game}: {error}\n  {game_type};;;{';'.join(result.played)}"
            self.restart()
        return result

    def _play(self, rng, game_type, style, max_placed, max_plies, result):
        ours, theirs = self.ours, self.theirs
        board = Board(has_pillbug="P" in game_type)
        command = f"newgame {game_type}"
        history = []  # our list of moves before each ply
        while True:
            ours.send(command, "validmoves")
            theirs.send(command, "validmoves")
            our_string, their_string = ours.answer()[0], theirs.answer()[0]
            ended = self._ended(board, our_string, their_string, result)
            # A finished game may have an empty list or none.
            our_texts = list_of_moves(ours.answer(or_error=ended))
            their_texts = list_of_moves(theirs.answer(or_error=ended))
            if ended:
                break
            our_moves, their_moves = self._read(board, our_texts), self._read(board, their_texts)
            self._compare(board, our_moves, their_moves, their_string, result)
            if board.n_plies:
                result.keys[board.key()] = features_of(board, our_moves)
            result.plies += 1
            result.moves += len(our_moves)
            history.append(our_moves.keys())
            if len(history) > max_plies:
                break
            if style == "squeeze":
                move = squeeze(rng, board, our_moves, ours, max_placed)
            else:
                move = choose(rng, board, our_moves, style, max_placed)
            # Each engine must also read how the other one writes.
            text = rng.choice(our_moves[move] + their_moves[move])
            command = f"play {text}"
            result.played.append(text)
            board.play(move)
        # Their moves under our state: they may not know that a repetition is a draw.
        game_string = ";".join(our_string.split(";")[:3] + their_string.split(";")[3:])
        self._undo_and_load(rng, board, history, game_string)

    def _read(self, board, texts):
        try:
            return board.moves(texts)
        except (KeyError, IndexError) as error:
            raise Difference(f"unreadable MoveString, {error!r}: {'; '.join(texts)}") from error

    def _ended(self, board, our_string, their_string, result):
        our_state, their_state = our_string.split(";")[1], their_string.split(";")[1]
        state = board.state()
        if self.options.check_state and our_state != state:
            raise Difference(f"we say {our_state}, the script says {state}\n  {our_string}")
        if our_state == their_state == state:
            result.end = state
        elif {our_state, their_state, state} <= {"InProgress", "Draw"}:
            result.end = "Draw by repetition, not for all"
        else:
            raise Difference(
                f"we say {our_state}, they say {their_state}, the script says {state}\n  {our_string}"
            )
        if result.end in ("NotStarted", "InProgress"):
            result.end = "cut off"
            return False
        return True

    def _compare(self, board, our_moves, their_moves, their_string, result):
        result.duplicates_of_theirs += sum(len(texts) > 1 for texts in their_moves.values())
        twice = [texts for texts in our_moves.values() if len(texts) > 1]
        if our_moves.keys() == their_moves.keys() and not (twice and self.options.check_state):
            return
        our_list, their_list = (
            "; ".join(sorted(text for texts in moves.values() for text in texts))
            for moves in (our_moves, their_moves)
        )
        raise Difference(
            f"the lists of moves differ after {board.n_plies} plies\n"
            f"  {their_string}\n"
            f"  ours ({len(our_moves)}): {our_list}\n"
            f"  theirs ({len(their_moves)}): {their_list}\n"
            f"  only ours:{describe(board, our_moves, our_moves.keys() - their_moves.keys())}\n"
            f"  only theirs:{describe(board, their_moves, their_moves.keys() - our_moves.keys())}\n"
            f"  twice in ours: {twice}"
        )

    def _undo_and_load(self, rng, board, history, game_string):
        """`undo` must bring a former list back, and a GameString the present one."""
        n_undone = rng.randint(1, board.n_plies)
        self.ours.send(f"undo {n_undone}", "validmoves", f"newgame {game_string}", "validmoves")
        self.ours.answer()
        undone = list_of_moves(self.ours.answer())
        self.ours.answer()
        over = len(history) <= board.n_plies
        loaded = list_of_moves(self.ours.answer(or_error=over))
        # The board has moved on, but the number of moves tells, and so do the pieces that move.
        former = history[board.n_plies - n_undone]
        if sorted(text.split()[0] for text in undone) != sorted(piece for piece, _ in former):
            raise Difference(f"undo {n_undone} does not bring the list back\n  {game_string}")
        if not over and board.moves(loaded).keys() != history[-1]:
            raise Difference(f"newgame GameString gives another list of moves\n  {game_string}")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", required=True, help="command that starts our engine")
    parser.add_argument("--theirs", required=True, help="command that starts the other engine")
    parser.add_argument("--positions", type=int, default=100_000, help="distinct positions to compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES, metavar="TYPE")
    parser.add_argument("--styles", nargs="+", default=list(STYLES), choices=STYLES)
    parser.add_argument("--max-plies", type=int, default=160, help="longest game (default 160)")
    parser.add_argument("--jobs", type=int, default=2, help="processes, each with both engines")
    parser.add_argument(
        "--max-differences", type=int, default=1, help="stop after this many differences (default 1)"
    )
    parser.add_argument(
        "--no-check-state",
        dest="check_state",
        action="store_false",
        help="do not hold our engine to the script's states and to lists without duplicates",
    )
    return parser.parse_args()


def main():
    options = parse_options()
    started, last_report = time.monotonic(), 0.0
    seen, ends, differences = {}, {}, []
    n_games = n_plies = n_moves = n_duplicates = 0
    for result in games_in_order(Referee, options, options.jobs):
        n_games += 1
        n_plies += result.plies
        n_moves += result.moves
        n_duplicates += result.duplicates_of_theirs
        ends[result.end] = ends.get(result.end, 0) + 1
        # Positions of games of different types differ in their hands.
        game_type = options.types[(n_games - 1) % len(options.types)]
        seen.update(((game_type, key), bits) for key, bits in result.keys.items())
        if result.difference:
            differences.append(result.difference)
            print(f"DIFFERENCE in {result.difference}\n", flush=True)
        elapsed_s = time.monotonic() - started
        if elapsed_s - last_report >= 5:
            last_report = elapsed_s
            print(
                f"{len(seen):>9} distinct positions of {options.positions}, {n_games} games, "
                f"{n_plies / elapsed_s:.0f} positions/s, {len(differences)} differences",
                flush=True,
            )
        if len(seen) >= options.positions or len(differences) >= options.max_differences:
            break
    elapsed_s = time.monotonic() - started
    print(f"ours: {options.ours}\ntheirs: {options.theirs}\nseed {options.seed}, {elapsed_s:.0f} s")
    print(f"{n_games} games, {n_plies} positions compared, {len(seen)} distinct, {n_moves} moves")
    for i, feature in enumerate(FEATURES):
        print(f"  with {feature}: {sum(bits >> i & 1 for bits in seen.values())}")
    for game_type in options.types:
        print(f"  of {game_type}: {sum(name == game_type for name, _ in seen)}")
    print("ends: " + ", ".join(f"{end} {n}" for end, n in sorted(ends.items())))
    print(f"moves that their lists hold twice: {n_duplicates}")
    print(f"differences: {len(differences)}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
