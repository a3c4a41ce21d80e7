"""Matches of Dots and Boxes on 3x3 between players that are processes, for `learning_speed.py`.

A player reads a position a line, as the action ids that lead to it, and answers a line of JSON with its
`action`: what `tablero analyze --lines` does. All games of a match go on at once, so that a player gets many
positions at a time and starts once only.
"""

import collections
import json
import math
import random
import subprocess

SIDE = 3
N_EDGES = 2 * SIDE * (SIDE + 1)
# Lines that are under way at once: few enough for a pipe's buffer.
N_LINES = 100

Result = collections.namedtuple("Result", "wins games decisions")


def boxes_of(edge):
    """The edges of each box that `edge` is a side of; ids as in the documentation of the game."""
    n_horizontal = SIDE * (SIDE + 1)
    boxes = []
    for row in range(SIDE):
        for column in range(SIDE):
            left = n_horizontal + row * (SIDE + 1) + column
            box = {row * SIDE + column, (row + 1) * SIDE + column, left, left + 1}
            if edge in box:
                boxes.append(box)
    return boxes


BOXES = [boxes_of(edge) for edge in range(N_EDGES)]


class Game:
    """A game: its actions, the player to move and the points."""

    def __init__(self, actions=()):
        self.actions, self.drawn, self.player, self.points = [], set(), 0, [0, 0]
        for action in actions:
            self.play(action)

    def legal(self):
        return [edge for edge in range(N_EDGES) if edge not in self.drawn]

    def play(self, action):
        if not 0 <= action < N_EDGES or action in self.drawn:
            raise ValueError(f"{action} is illegal after {self.actions}")
        self.drawn.add(action)
        self.actions.append(action)
        n_closed = sum(box <= self.drawn for box in BOXES[action])
        self.points[self.player] += n_closed
        if n_closed == 0:
            self.player = 1 - self.player

    def is_over(self):
        return len(self.drawn) == N_EDGES


class Player:
    """Some processes of one player, which share the positions."""

    def __init__(self, command, n_processes=1):
        self._processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(n_processes)
        ]

    def ask(self, games):
        """An answer for each game."""
        answers = []
        n_together = N_LINES * len(self._processes)
        for start in range(0, len(games), n_together):
            some = games[start : start + n_together]
            shares = [some[index :: len(self._processes)] for index in range(len(self._processes))]
            for process, share in zip(self._processes, shares):
                process.stdin.write("".join(" ".join(map(str, game.actions)) + "\n" for game in share))
                process.stdin.flush()
            answered = [None] * len(some)
            for index, (process, share) in enumerate(zip(self._processes, shares)):
                answered[index :: len(self._processes)] = [
                    json.loads(process.stdout.readline()) for _ in share
                ]
            answers += answered
        return answers

    def close(self):
        for process in self._processes:
            process.stdin.close()
            process.stdout.close()
            if process.wait() != 0:
                raise RuntimeError(f"{process.args} ended with code {process.returncode}")


class Random:
    """Uniformly random moves."""

    def __init__(self, seed):
        self._rng = random.Random(seed)

    def ask(self, games):
        return [{"action": self._rng.choice(game.legal())} for game in games]

    def close(self):
        pass


def draw_openings(n, n_plies, seed):
    """`n` random openings, distinct as positions."""
    rng = random.Random(seed)
    openings = {}
    for _ in range(100 * n):
        game = Game()
        for _ in range(n_plies):
            game.play(rng.choice(game.legal()))
        openings.setdefault((frozenset(game.drawn), game.player), game.actions)
        if len(openings) == n:
            return list(openings.values())
    raise SystemExit(f"there are too few openings of {n_plies} plies")


def play_match(player, opponent, openings):
    """Both colours of each opening. 3x3 has nine boxes, so there are no draws."""
    games = [(Game(opening), colour) for opening in openings for colour in (0, 1)]
    decisions = []
    while running := [(game, colour) for game, colour in games if not game.is_over()]:
        ours = [game for game, colour in running if game.player == colour]
        theirs = [game for game, colour in running if game.player != colour]
        for side, some in ((player, ours), (opponent, theirs)):
            for game, answer in zip(some, side.ask(some)):
                if side is player:
                    decisions.append((tuple(game.actions), answer["action"]))
                game.play(answer["action"])
    wins = sum(game.points[colour] > game.points[1 - colour] for game, colour in games)
    return Result(wins, len(games), decisions)


def optimal_share(solver, decisions):
    """The critical decisions, where a legal move would have thrown the exact result away, and the share of
    them that kept it."""
    positions = sorted({actions for actions, _ in decisions})
    verdicts = dict(zip(positions, solver.ask([Game(actions) for actions in positions])))
    n_critical = n_optimal = 0
    for actions, action in decisions:
        results = {move["action"]: move["proven"] for move in verdicts[actions]["moves"]}
        if len(set(results.values())) > 1:
            n_critical += 1
            n_optimal += results[action] == max(results.values())
    return n_critical, n_optimal / n_critical if n_critical else math.nan


def interval(wins, games):
    """The 95 % score interval of Wilson."""
    z, share = 1.959964, wins / games
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    return max(0.0, centre - half), min(1.0, centre + half)
