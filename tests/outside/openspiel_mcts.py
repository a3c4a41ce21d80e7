"""Plays our tree search against OpenSpiel's C++ MCTSBot: Dots and Boxes, random rollouts.

Equal terms: as many simulations a move, one rollout a simulation, a new tree for each move, proven
results used on both sides (`solve`). Games come in pairs from distinct random openings, with colours
swapped, so the pair is the unit of the interval. OpenSpiel judges what is legal and who has won.

A simulation's price is CPU time of the same run, by the operating system's clock: of ours the whole
process with its start and its JSON, of OpenSpiel the calls of the search alone. Both end a search early
when the root is proven; only simulations that were done count.

Exit code 1 if our share of the points or the ratio of simulations a CPU-second is below the bars.

Needs OpenSpiel; see README.md.

Example:
    venv/bin/python tests/outside/openspiel_mcts.py --ours target/release/tablero --sims 1000 --games 400
"""

import argparse
import collections
import itertools
import json
import math
import os
import random
import subprocess
import sys
import time

import pyspiel
from in_order import games_in_order
from openspiel_dots_and_boxes import text_of

Side = collections.namedtuple("Side", "moves sims cpu_s")


def load(board):
    """OpenSpiel's game."""
    rows, columns = board.split("x")
    return pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns})")


def draw_openings(game, n, n_plies, seed):
    """`n` random openings as lists of OpenSpiel's actions, distinct as positions."""
    rng = random.Random(seed)
    openings = {}
    for _ in range(100 * n):
        state = game.new_initial_state()
        while len(state.history()) < n_plies and not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        openings.setdefault((str(state), state.current_player()), state.history())
        if len(openings) == n:
            return list(openings.values())
    raise SystemExit(f"there are too few openings of {n_plies} plies")


class Ours:
    """`tablero analyze`, a process of its own, whose CPU time is known when it has ended."""

    def __init__(self, options, seed):
        self.sims, self.n_moves, self.n_sims = options.sims, 0, 0
        self._process = subprocess.Popen(
            [
                options.ours,
                "analyze",
                f"dots-and-boxes:{options.board}",
                *["--player", f"mcts:sims={options.sims}", "--seed", str(seed), "--json", "--lines"],
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def choose(self, state):
        """The action, as OpenSpiel numbers it."""
        texts = [text_of(state.action_to_string(player, action)) for player, action in played(state)]
        self._process.stdin.write(" ".join(texts) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if answer["nodes"] > self.sims:
            raise RuntimeError(f"{answer['visits']} simulations instead of {self.sims}")
        self.n_moves += 1
        self.n_sims += answer["nodes"]
        return next(
            action
            for action in state.legal_actions()
            if text_of(state.action_to_string(state.current_player(), action)) == answer["text"]
        )

    def close(self):
        """Ends the process and tells what it has spent."""
        self._process.stdin.close()
        self._process.stdout.close()
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        if self._process.returncode != 0:
            raise RuntimeError(f"our binary ended with code {self._process.returncode}")
        return Side(self.n_moves, self.n_sims, usage.ru_utime + usage.ru_stime)


class Theirs:
    """OpenSpiel's bot, in this process."""

    def __init__(self, game, options, seed):
        self.n_moves, self.n_sims, self.cpu_s = 0, 0, 0.0
        self._bot = pyspiel.MCTSBot(
            game,
            evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
            uct_c=options.uct_c,
            max_simulations=options.sims,
            max_memory_mb=1000,
            solve=True,
            seed=seed,
            verbose=False,
        )

    def choose(self, state):
        """The action that `step` would choose; `mcts_search` tells the simulations, too."""
        started = time.process_time()
        root = self._bot.mcts_search(state)
        action = root.best_child().action
        n_sims = root.explore_count
        del root
        self.cpu_s += time.process_time() - started
        self.n_moves += 1
        self.n_sims += n_sims
        return action

    def close(self):
        """What it has spent."""
        return Side(self.n_moves, self.n_sims, self.cpu_s)


def played(state):
    """The (player, action) of each ply."""
    return [(ply.player, ply.action) for ply in state.full_history()]


class Arena:
    """Plays one pair of games at a time."""

    def __init__(self, options):
        self.options = options
        self.game = load(options.board)

    def play(self, number):
        """Pair `number`: our return (+1, 0, -1) and the actions of each game, and both sides' spending."""
        seed = random.Random(f"{self.options.seed} {number}").getrandbits(31)
        ours, theirs = Ours(self.options, seed), Theirs(self.game, self.options, seed)
        games = []
        for our_colour in (0, 1):
            state = self.game.new_initial_state()
            for action in self.options.openings[number % len(self.options.openings)]:
                state.apply_action(action)
            while not state.is_terminal():
                side = ours if state.current_player() == our_colour else theirs
                state.apply_action(side.choose(state))
            games.append((int(state.returns()[our_colour]), tuple(state.history())))
        return games, ours.close(), theirs.close()


def interval(shares):
    """The mean of the pairs' shares and its 95 % interval.

    Wilson's score interval with the variance between pairs in place of the binomial one; an added pair of
    a win and a loss keeps it from collapsing when all pairs agree.
    """
    n, mean = len(shares), sum(shares) / len(shares)
    binomial = mean * (1 - mean)
    squares = sum((share - mean) ** 2 for share in shares)
    n_effective = n / min(1.0, (squares + 0.25) / (n * binomial + 0.25))
    z = 1.959964
    centre = (mean + z * z / (2 * n_effective)) / (1 + z * z / n_effective)
    half = z / (1 + z * z / n_effective)
    half *= math.sqrt(binomial / n_effective + (z / (2 * n_effective)) ** 2)
    return mean, centre - half, centre + half


def elo(share):
    """The Elo difference at which this share of the points is expected."""
    if 0 < share < 1:
        return -400 * math.log10(1 / share - 1)
    return math.copysign(math.inf, share - 0.5)


def play_match(options):
    """Plays all pairs and returns the figures."""
    n_pairs = len(options.openings)
    returns, lines, shares = collections.Counter(), set(), []
    ours, theirs = Side(0, 0, 0.0), Side(0, 0, 0.0)
    pairs = itertools.islice(games_in_order(Arena, options, options.jobs), n_pairs)
    for number, (games, here, there) in enumerate(pairs, 1):
        returns.update(result for result, _ in games)
        lines.update(line for _, line in games)
        shares.append(sum(result + 1 for result, _ in games) / 4)
        ours, theirs = (Side(*map(sum, zip(*both))) for both in ((ours, here), (theirs, there)))
        if number % 20 == 0 and not options.json:
            print(f"  {2 * number} of {2 * n_pairs} games, {sum(shares) / number:.1%}", flush=True)
    share, low, high = interval(shares)
    rates = [side.sims / side.cpu_s for side in (ours, theirs)]
    return {
        "uct_c": options.uct_c,
        "sims": options.sims,
        "games": 2 * n_pairs,
        "wins": returns[1],
        "draws": returns[0],
        "losses": returns[-1],
        "share": share,
        "share_low": low,
        "share_high": high,
        "elo": elo(share),
        "elo_low": elo(low),
        "elo_high": elo(high),
        "distinct_openings": len(set(map(tuple, options.openings))),
        "distinct_games": len(lines),
        "our_sims_per_move": ours.sims / ours.moves,
        "their_sims_per_move": theirs.sims / theirs.moves,
        "our_sims_per_cpu_s": rates[0],
        "their_sims_per_cpu_s": rates[1],
        "speed_ratio": rates[0] / rates[1],
    }


def report(figures):
    print(
        "uct_c {uct_c:.4g}, {sims} simulations a move: {wins} won, {draws} drawn, {losses} lost of {games} "
        "games from {distinct_openings} openings, {distinct_games} distinct\n"
        "  share of the points {share:.1%} ({share_low:.1%} to {share_high:.1%}), "
        "Elo {elo:+.0f} ({elo_low:+.0f} to {elo_high:+.0f})\n"
        "  simulations a CPU-second: ours {our_sims_per_cpu_s:.0f}, OpenSpiel "
        "{their_sims_per_cpu_s:.0f}, ratio {speed_ratio:.1f}; done a move: ours "
        "{our_sims_per_move:.0f}, OpenSpiel {their_sims_per_move:.0f}".format(**figures)
    )


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", required=True, help="our binary")
    parser.add_argument("--board", default="5x5", metavar="ROWSxCOLS")
    parser.add_argument("--sims", type=int, default=1000, help="simulations a move, of both")
    parser.add_argument("--games", type=int, default=400, help="games in all, two for each opening")
    parser.add_argument("--opening-plies", type=int, default=10, help="random plies before each game")
    parser.add_argument(
        "--uct-c",
        type=float,
        nargs="+",
        default=[2.0, math.sqrt(2)],
        help="OpenSpiel's exploration constants, one match for each; default 2, as in its examples, and sqrt(2)",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least-share", type=float, default=0.55, help="of the points")
    parser.add_argument("--least-speed-ratio", type=float, default=5.0)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each match")
    return parser.parse_args()


def main():
    options = parse_options()
    openings = draw_openings(
        load(options.board), (options.games + 1) // 2, options.opening_plies, options.seed
    )
    missed = False
    for uct_c in options.uct_c:
        figures = play_match(argparse.Namespace(**(vars(options) | {"uct_c": uct_c, "openings": openings})))
        if options.json:
            print(json.dumps(figures), flush=True)
        else:
            report(figures)
        missed |= figures["share"] < options.least_share
        missed |= figures["speed_ratio"] < options.least_speed_ratio
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
