"""Measures the memory of a training on Ray whose learner is far slower than its actors.

The learner draws each position ten times as often as the preset says, so that actors wait for it. Nothing may pile up:
after the first rounds, which fill the window of recent games, the memory of every process stays where it is. Prints a
line a round, and at the end how far the second half of the run is above the first.

Needs the Python package with Ray; see README.md.

Example:
    venv/bin/python tests/outside/ray_memory.py --minutes 15
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import ray
import tablero.ray

CONFIG = """
game = "dots-and-boxes:3x3"
rounds = 100000
[network]
kind = "mlp"
hidden = [128, 128]
[search]
sims = 32
[self_play]
games = 200
random_plies = 8
temperature = 0.8
temperature_plies = 10
[learner]
batch_size = 256
window_games = 2000
samples_per_position = {samples}
"""


def mib(process, field="RssAnon"):
    """Memory of a process that it shares with no other."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def actor_memory():
    total = 0.0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if (folder / "cmdline").read_bytes().startswith(b"ray::SelfPlay"):
                    total += mib(folder.name)
            except (OSError, StopIteration):
                continue
    return total


def store_memory():
    """What the object store holds."""
    total, free = ray.cluster_resources(), ray.available_resources()
    return (total["object_store_memory"] - free.get("object_store_memory", 0)) / 2**20


class Enough(Exception):
    pass


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--samples", type=float, default=80.0, help="samples_per_position of the learner")
    options = parser.parse_args()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    begun = time.monotonic()
    rows = []

    def watch(metrics):
        learning, playing = metrics["learning"], metrics["self_play"]
        row = (mib(os.getpid()), actor_memory(), store_memory())
        rows.append(row)
        seconds = learning["seconds"] if learning else 0.0
        print(
            f"{time.monotonic() - begun:6.0f} s, round {metrics['round']:4}: learner {seconds:5.2f} s, actors "
            f"{playing['seconds']:5.2f} s; MiB: driver {row[0]:6.1f}, actors {row[1]:6.1f}, store {row[2]:6.2f}",
            flush=True,
        )
        if time.monotonic() - begun > 60 * options.minutes:
            raise Enough

    with tempfile.TemporaryDirectory() as folder:
        try:
            config = CONFIG.format(samples=options.samples)
            tablero.ray.train(config, f"{folder}/run", workers=2, callback=watch)
        except Enough:
            pass
    middle = len(rows) // 2
    for name, column in zip(("driver", "actors", "store"), zip(*rows)):
        early, late = statistics.median(column[middle // 2 : middle]), statistics.median(column[middle:])
        print(f"{name}: {early:.1f} MiB in the second quarter, {late:.1f} MiB in the second half")
    if len(rows) < 8:
        sys.exit("too few rounds to say anything")


if __name__ == "__main__":
    main()
