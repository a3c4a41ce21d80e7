"""How soon an agent learns Dots and Boxes 3x3 from nothing: Tablero beside two AlphaZeros in Python.

Each contender trains alone, one after another, with the same simulations a move. The two others have a dense
network of two hidden layers of the same width, ours that of its preset, a sum of embeddings; the rest is each
one's own, too (see the scripts of the two). While it
trains, each checkpoint is noted as it appears with the wall time and the processor time of all its processes
since the start, that of starting included. Afterwards, at no cost to anybody, checkpoints play
against random moves and against `minimax:depth=2` from distinct random openings, with colours swapped, with
their own tree search, a new tree for each move. Of those that have learnt from any game, the first at a bar is found
by halving, as if the strength only grew. Nobody has reached a bar if the checkpoints at a half, at three quarters
and at the end have not.

Ours trains as its preset does, but for the simulations. The others stop after `--times` times the wall
time that ours took to its highest bar, or `--seconds`.

The exact solver plays the same games, so that the bars can be judged. Of the critical decisions against
minimax, where some legal move throws the result away, the solver says which ones kept it.

Linux only: processor time is read from /proc. Needs both others; see README.md.

Example:
    python3 tests/outside/learning_speed.py --ours target/release/tablero --out learning-speed \
        --openspiel-python venv-openspiel/bin/python --general-python venv-general/bin/python \
        --general alpha-zero-general
"""

import argparse
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from learning_speed_match import Player, Random, draw_openings, interval, optimal_share, play_match

HERE = pathlib.Path(__file__).parent
GAME = "dots-and-boxes:3x3"
OPPONENTS = ("random", "minimax:depth=2")
POLL_S = 0.1

# A checkpoint: its number, and wall and processor time until it was there, in seconds.
Moment = collections.namedtuple("Moment", "number wall_s cpu_s")


class Tablero:
    """Ours, by the preset `quickstart`."""

    name = "Tablero"
    pattern = re.compile(r"(\d+)")

    def __init__(self, options):
        self.options = options

    def checkpoints(self, run):
        return run / "run" / "checkpoints"

    def train(self, run, seed):
        preset = (HERE.parents[1] / "train/presets/quickstart.toml").read_text()
        # Matches cost nobody anything here, so its own on the way are left out.
        preset = preset.partition("[evaluation]")[0]
        preset, n = re.subn(r"(?m)^sims = [^#\n]*", f"sims = {self.options.sims} ", preset)
        if n == 0:
            raise RuntimeError("the preset has no sims")
        (run / "config.toml").write_text(f"keep_checkpoints = 10000\n{preset}")
        command = [self.options.ours, "train", "--config", run / "config.toml", "--out", run / "run"]
        return [*command, "--seed", seed, "--threads", 2]

    def play(self, run, number):
        checkpoint = self.checkpoints(run) / f"{number:06}"
        return analyze(self.options.ours, f"policy:{checkpoint},sims={self.options.sims}")

    def games(self, run, number):
        """The games learnt from. A round is learnt from while the next is played: one stays behind."""
        games = re.search(r"(?m)^games = (\d+)", (run / "run" / "config.toml").read_text()).group(1)
        return max(0, number - 1) * int(games)


class Other:
    """A contender in Python, by its script here."""

    def __init__(self, options, python, script, *arguments):
        arguments = [*arguments, "--sims", options.sims, "--width", options.width]
        self._command = lambda task, *more: [python, "-W", "ignore", HERE / script, task, *arguments, *more]

    def checkpoints(self, run):
        return run / "run"

    def train(self, run, seed):
        return self._command("train", "--run", run / "run", "--seed", seed)

    def play(self, run, number):
        return self._command("play", "--run", run / "run", "--checkpoint", number)


class OpenSpiel(Other):
    name = "OpenSpiel"
    pattern = re.compile(r"checkpoint-(\d+)")

    def __init__(self, options, *more):
        super().__init__(options, options.openspiel_python, "learning_speed_openspiel.py", *more)

    def games(self, run, number):
        if number == 0:
            return 0
        steps = map(json.loads, (run / "run" / "learner.jsonl").read_text().splitlines())
        return next((step["total_trajectories"] for step in steps if step["step"] == number), None)


class OpenSpielInNumPy(OpenSpiel):
    """With inference in NumPy, which is no part of OpenSpiel: what it would be without its slow inference."""

    name = "OpenSpiel-NumPy"

    def __init__(self, options):
        super().__init__(options, "--numpy")


class General(Other):
    name = "alpha-zero-general"
    pattern = re.compile(r"checkpoint_(\d+)\.pth\.tar")
    GAMES = 25

    def __init__(self, options):
        script = "learning_speed_alphazero_general.py"
        more = ["--repository", options.general, "--games", self.GAMES]
        super().__init__(options, options.general_python, script, *more)

    def games(self, run, number):
        return number * self.GAMES


CONTENDERS = {one.name: one for one in (Tablero, General, OpenSpiel, OpenSpielInNumPy)}


def analyze(binary, player):
    return [binary, "analyze", GAME, "--lines", "--player", player]


def cpu_seconds(group):
    """Processor time of all processes of a group so far, those that have ended and been waited for included."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # Fields 5 and 14 to 17 of proc(5): group; user and system time, its own and its children's.
        if int(fields[2]) == group:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def train(contender, run, seed, limit_s):
    """Trains until the end or the limit; each checkpoint, and the last instant, with the time that it took."""
    run.mkdir(parents=True)
    moments, seen = [], set()
    with open(run / "train.log", "w") as log:
        started = time.monotonic()
        process = subprocess.Popen(
            list(map(str, contender.train(run, seed))),
            **{"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log},
            env=os.environ | {"TQDM_DISABLE": "1"},
            start_new_session=True,
        )
        try:
            has_ended = False
            while not has_ended and time.monotonic() - started < limit_s:
                time.sleep(POLL_S)
                # Its end is seen before the last checkpoints are, and it is not waited for before its time is read.
                has_ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
                folder = contender.checkpoints(run)
                entries = list(folder.iterdir()) if folder.exists() else []
                matches = filter(None, (contender.pattern.fullmatch(entry.name) for entry in entries))
                new = sorted(
                    number for number in (int(match.group(1)) for match in matches) if number not in seen
                )
                seen.update(new)
                if new or has_ended:
                    now = time.monotonic() - started, cpu_seconds(process.pid)
                    moments += [Moment(number, *now) for number in new]
            end = Moment(None, time.monotonic() - started, cpu_seconds(process.pid))
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
    if has_ended and code != 0:
        raise RuntimeError(f"{contender.name} has ended with code {code}; see {run / 'train.log'}")
    return moments, end


class Arena:
    """Plays the checkpoints of a run, each once."""

    def __init__(self, options, contender, run):
        self.options, self.contender, self.run = options, contender, run
        self.results = {}

    def result(self, number, opponent):
        key = number, opponent
        if key not in self.results:
            player = Player(list(map(str, self.contender.play(self.run, number))), 2)
            self.results[key] = result = against(self.options, player, opponent)
            player.close()
            print(f"  {self.contender.name} {number}: {share_text(result)} against {opponent}", flush=True)
        return self.results[key]

    def first_at(self, moments, opponent, bar):
        """The first moment at which the bar is reached, or None."""

        def is_good(index):
            result = self.result(moments[index].number, opponent)
            return result.wins >= bar * result.games

        if not moments:
            return None
        last = len(moments) - 1
        high = next((index for index in (last, 3 * last // 4, last // 2) if is_good(index)), None)
        if high is None:
            return None
        low = -1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_good(middle) else (middle, high)
        return moments[high]


def against(options, player, opponent):
    n_games = options.games_random if opponent == "random" else options.games
    openings = draw_openings(n_games // 2, options.opening_plies, options.seed)
    other = Random(options.seed) if opponent == "random" else Player(analyze(options.ours, opponent))
    result = play_match(player, other, openings)
    other.close()
    return result


def share_text(result):
    low, high = interval(result.wins, result.games)
    return f"{result.wins / result.games:.1%} ({low:.1%} to {high:.1%}) of {result.games}"


def critical_text(options, result):
    solver = Player(analyze(options.ours, "solver"))
    n, share = optimal_share(solver, result.decisions)
    solver.close()
    return f"{share:.1%} of {n} critical decisions optimal"


def bars_of(options):
    return [("random", options.bar_random)] + [("minimax:depth=2", bar) for bar in options.bars]


def measure(options, contender, seed, limit_s):
    """Trains, evaluates and reports one run; the moment of each bar, and of the end."""
    run = options.out.resolve() / f"{contender.name}-{seed}"
    print(
        f"{contender.name}, seed {seed}, at most {limit_s:.0f} s; load {os.getloadavg()[0]:.1f}", flush=True
    )
    moments, end = train(contender, run, seed, limit_s)
    load = os.getloadavg()[0]
    print(
        f"  {end.wall_s:.1f} s, processor {end.cpu_s:.1f} s, {len(moments)} checkpoints; load {load:.1f}",
        flush=True,
    )
    # A checkpoint that has learnt nothing shows the search alone, which is good enough against random moves.
    moments = [moment for moment in moments if contender.games(run, moment.number) != 0]
    arena = Arena(options, contender, run)
    reached = [arena.first_at(moments, opponent, bar) for opponent, bar in bars_of(options)]
    if moments:
        last = arena.result(moments[-1].number, "minimax:depth=2")
        print(f"  the last: {critical_text(options, last)}")
    record = {
        "contender": contender.name,
        "seed": seed,
        "moments": [[*moment, contender.games(run, moment.number)] for moment in moments],
        "end": end[1:],
        "reached": [moment and moment.number for moment in reached],
        "results": [[*key, result.wins, result.games] for key, result in arena.results.items()],
    }
    with open(options.out / "runs.jsonl", "a") as lines:
        lines.write(json.dumps(record) + "\n")
    games = [moment and contender.games(run, moment.number) for moment in reached]
    return {"name": contender.name, "seed": seed, "reached": reached, "games": games, "end": end}


def report(options, runs):
    """A row for each bar and run: times, and how many times ours that is, by the mean of our runs."""
    ours = [run for run in runs if run["name"] == Tablero.name]
    print(
        f"\n{'bar':>22} {'contender':>20} {'seed':>4} {'wall, s':>8} {'cpu, s':>8} {'games':>7}  times our wall, cpu"
    )
    for index, (opponent, bar) in enumerate(bars_of(options)):
        base = [run["reached"][index] for run in ours]
        for run in runs:
            moment, end = run["reached"][index], run["end"]
            sign, at = ("", moment) if moment else (">", end)
            ratios = ""
            if base and all(base):
                mean = [sum(times) / len(base) for times in zip(*(one[1:] for one in base))]
                ratios = f"{sign}{at.wall_s / mean[0]:.1f}, {sign}{at.cpu_s / mean[1]:.1f}"
            games = run["games"][index] if moment else None
            print(
                f"{opponent + f' {bar:.0%}':>22} {run['name']:>20} {run['seed']:>4} {sign + f'{at.wall_s:.1f}':>8} "
                f"{sign + f'{at.cpu_s:.1f}':>8} {'' if games is None else games:>7} {ratios:>20}"
            )


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", required=True, help="our binary")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder for runs; must not exist")
    parser.add_argument(
        "--contenders", nargs="+", default=list(CONTENDERS), choices=CONTENDERS, metavar="NAME"
    )
    parser.add_argument("--openspiel-python", help="a Python that has OpenSpiel and JAX")
    parser.add_argument("--general-python", help="a Python that has PyTorch")
    parser.add_argument("--general", help="a checkout of alpha-zero-general")
    parser.add_argument("--sims", type=int, default=64, help="simulations a move, everywhere")
    parser.add_argument("--width", type=int, default=128, help="of both hidden layers")
    parser.add_argument("--runs", type=int, default=2, help="runs of ours, with seeds from 1")
    parser.add_argument("--runs-others", type=int, default=1, help="… and of each other")
    parser.add_argument(
        "--times", type=float, default=20, help="limit of the others: times ours to the highest bar"
    )
    parser.add_argument("--seconds", type=float, help="limit of the others, instead")
    parser.add_argument(
        "--bar-random", type=float, default=0.9, help="share of the points against random moves"
    )
    bars = [0.2, 0.3, 0.4]
    parser.add_argument("--bars", type=float, nargs="+", default=bars, help="… and against minimax:depth=2")
    parser.add_argument(
        "--games", type=int, default=200, help="of a match against minimax, two for each opening"
    )
    parser.add_argument("--games-random", type=int, default=100, help="… and against random moves")
    parser.add_argument("--opening-plies", type=int, default=4, help="random plies before each game")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    options = parser.parse_args()
    if any("OpenSpiel" in name for name in options.contenders) and not options.openspiel_python:
        parser.error("OpenSpiel needs --openspiel-python")
    if General.name in options.contenders and not (options.general_python and options.general):
        parser.error(f"{General.name} needs --general-python and --general")
    # Absolute, since the contenders' scripts are started by path; a virtual environment's link stays as it is.
    for name in ("ours", "openspiel_python", "general_python", "general"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    return options


def main():
    options = parse_options()
    options.out.mkdir(parents=True)
    for opponent in OPPONENTS:
        solver = Player(analyze(options.ours, "solver"))
        result = against(options, solver, opponent)
        solver.close()
        print(f"the exact solver: {share_text(result)} against {opponent}", flush=True)
    runs = []
    for name in options.contenders:
        contender = CONTENDERS[name](options)
        limit_s, n_runs = 3600.0, options.runs
        if name != Tablero.name:
            ours = [run["reached"][-1] for run in runs if run["name"] == Tablero.name]
            limit_s, n_runs = options.seconds, options.runs_others
            if limit_s is None:
                if not ours or not all(ours):
                    raise SystemExit("ours has not reached the highest bar: say --seconds")
                limit_s = options.times * max(moment.wall_s for moment in ours)
        runs += [measure(options, contender, seed, limit_s) for seed in range(1, n_runs + 1)]
    report(options, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
