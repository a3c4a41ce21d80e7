"""Draws what self-play of a run was like: how sure the search was, ply by ply, and who won.

    tablero train --preset quickstart --out runs/quickstart
    python python/examples/plot_replay.py runs/quickstart replay.svg

Needs matplotlib.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import tablero


def entropy(policy):
    """In nats."""
    return float(-(policy * np.log(np.maximum(policy, 1e-12))).sum())


def by_ply(replay, values):
    """The mean of one value an action over all games, ply by ply; NaN where there is none."""
    plies = np.arange(len(replay.actions)) - np.repeat(replay.starts[:-1], np.diff(replay.starts))
    known = ~np.isnan(values)
    totals = np.bincount(plies[known], values[known], minlength=plies.max() + 1)
    counts = np.bincount(plies[known], minlength=plies.max() + 1)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def main():
    run, picture = Path(sys.argv[1]), Path(sys.argv[2])
    shards = sorted((run / "replay").glob("*.shard"))
    if not shards:
        sys.exit(f"{run} has no replay")
    replay = tablero.Replay.read(shards[-1])
    # NaN where nothing was learnt, as after quick searches.
    lengths = np.diff(replay.policy_starts)
    entropies = np.array(
        [entropy(replay.action_policy(t)) if lengths[t] else np.nan for t in range(len(lengths))]
    )
    sureness = np.abs(replay.root_wdl[:, 0] - replay.root_wdl[:, 2])

    figure, (curves, games, winners) = plt.subplots(1, 3, figsize=(13, 4))
    curves.plot(by_ply(replay, entropies), label="entropy of the search's policy, nats")
    curves.plot(by_ply(replay, sureness), label="|win - loss| at the root")
    curves.set_xlabel("ply")
    curves.legend()
    games.hist(np.diff(replay.starts), bins="auto")
    games.set_xlabel("plies a game")
    winners.bar(["player 0", "draw", "player 1"], [(replay.returns == sign).sum() for sign in (1, 0, -1)])
    winners.set_xlabel("won by")
    figure.suptitle(f"{replay.game}, round {replay.round}: {len(replay)} games of self-play")
    figure.tight_layout()
    figure.savefig(picture)
    print(f"{picture}: {len(replay)} games, {len(replay.actions)} actions")


if __name__ == "__main__":
    main()
