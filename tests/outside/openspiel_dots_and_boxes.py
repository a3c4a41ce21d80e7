"""Compares `tablero replay` with OpenSpiel's dots_and_boxes over whole random games.

OpenSpiel picks the moves. At every ply the player to move, the set of legal actions, the boxes captured
and the next player must agree, and at the end the points and the returns. Actions are matched by
what they draw (`P1(h,0,1)` there, `1-2-h` here), not by their ids. The whole of the game is compared;
there is nothing that only one of the two knows.

Needs OpenSpiel; see README.md.

Example:
    venv/bin/python tests/outside/openspiel_dots_and_boxes.py --ours target/release/tablero
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time

import pyspiel
from in_order import games_in_order

BOARDS = ["1x1", "1x2", "2x1", "2x2", "2x3", "3x2", "3x3", "1x7", "4x4", "3x5", "5x5", "6x4", "8x8", "10x10"]


def text_of(action_string):
    """Our text for an edge that OpenSpiel writes as `P1(h,0,1)`: orientation, row and column from 0."""
    edge, row, column = re.fullmatch(r"P[12]\(([hv]),(\d+),(\d+)\)", action_string).groups()
    return f"{int(row) + 1}-{int(column) + 1}-{edge}"


def ids_of(rows, columns):
    """Our action id of each text, by the table in the documentation of the game."""
    horizontal = {f"{r + 1}-{c + 1}-h": r * columns + c for r in range(rows + 1) for c in range(columns)}
    vertical = {
        f"{r + 1}-{c + 1}-v": (rows + 1) * columns + r * (columns + 1) + c
        for r in range(rows)
        for c in range(columns + 1)
    }
    return horizontal | vertical


def points_of(state):
    """The boxes of each player, counted in OpenSpiel's drawing."""
    drawing = str(state)
    return [drawing.count("1"), drawing.count("2")]


class Referee:
    """Plays one game at a time and compares it."""

    def __init__(self, options):
        self.options = options

    def play(self, number):
        """The number of plies of game `number`, and the differences found (none: an empty list)."""
        rng = random.Random(f"{self.options.seed} {number}")
        board = self.options.boards[number % len(self.options.boards)]
        rows, columns = map(int, board.split("x"))
        expected, last, texts = self._openspiel_game(rng, rows, columns)
        run = subprocess.run(
            [self.options.ours, "replay", f"dots-and-boxes:{board}", "--json", "--actions", " ".join(texts)],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            return len(texts), [f"{board} {' '.join(texts)}\n  {run.stderr}"]
        *plies, end = [json.loads(line) for line in run.stdout.splitlines()]
        found = [
            {
                "player": ply["player"],
                "legal": ply["legal"],
                "text": ply["text"],
                "captured": len(ply["captured"]),
                "next": ply["next"],
            }
            for ply in plies
        ]
        differences = [
            f"{board} ply {ply}\n  OpenSpiel: {there}\n  ours: {here}\n  {' '.join(texts)}"
            for ply, (there, here) in enumerate(zip(expected, found, strict=True))
            if there != here
        ]
        here = {"outcome": end["outcome"], "points": end["points"]}
        if last != here:
            differences.append(f"{board} end\n  OpenSpiel: {last}\n  ours: {here}\n  {' '.join(texts)}")
        return len(texts), differences

    def _openspiel_game(self, rng, rows, columns):
        ids = ids_of(rows, columns)
        state = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns})").new_initial_state()
        expected, texts = [], []
        while not state.is_terminal():
            player, before = state.current_player(), sum(points_of(state))
            edges = {
                action: text_of(state.action_to_string(player, action)) for action in state.legal_actions()
            }
            action = rng.choice(list(edges))
            state.apply_action(action)
            texts.append(edges[action])
            expected.append(
                {
                    "player": player,
                    "legal": sorted(ids[text] for text in edges.values()),
                    "text": edges[action],
                    "captured": sum(points_of(state)) - before,
                    "next": None if state.is_terminal() else state.current_player(),
                }
            )
        last = {"outcome": [int(r) for r in state.returns()], "points": points_of(state)}
        return expected, last, texts


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", required=True, help="our binary")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--boards", nargs="+", default=BOARDS, metavar="ROWSxCOLS")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main():
    options = parse_options()
    started = time.monotonic()
    n_games = n_plies = n_different = 0
    for plies, differences in games_in_order(Referee, options, options.jobs):
        n_games += 1
        n_plies += plies
        n_different += bool(differences)
        for difference in differences[:1]:
            print(f"DIFFERENCE in game {n_games - 1}: {difference}", flush=True)
        if n_games % 1000 == 0:
            print(f"{n_games} of {options.games} games, {n_plies} plies, {n_different} differ", flush=True)
        if n_games >= options.games or n_different >= 10:
            break
    print(
        f"{n_games} games on {len(options.boards)} boards, {n_plies} plies, seed {options.seed}, "
        f"{time.monotonic() - started:.0f} s: {n_different} games differ"
    )
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
