"""Times the perft of our binary beside nokamute's, one thread each, in turns.

Both count the leaves of the last ply without playing them. nokamute counts one depth after another;
of it only the time of the last depth is taken, from the line before to its own. Of ours the whole
process is timed, its start included.
"""

import argparse
import json
import shlex
import statistics
import subprocess
import time


def ours(command, game_type, depth):
    """Leaves and seconds."""
    arguments = ["perft", f"hive:{game_type.lower()}", "--depth", str(depth), "--json"]
    start = time.perf_counter()
    done = subprocess.run(shlex.split(command) + arguments, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    return json.loads(done.stdout)["counts"][-1], seconds


def theirs(command, game_type, depth):
    """Leaves and seconds."""
    engine = subprocess.Popen(
        shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    engine.stdin.write(f"newgame {game_type}\nperft {depth}\nexit\n")
    engine.stdin.flush()
    before = time.perf_counter()
    for line in engine.stdout:
        words = line.split()
        now = time.perf_counter()
        if words and words[0].rstrip(":") == str(depth):
            engine.kill()
            engine.wait()
            return int(words[1]), now - before
        before = now
    raise SystemExit("the other engine printed no line for this depth")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True, help="our binary")
    parser.add_argument("--nokamute", required=True, help="nokamute's command, such as 'nokamute uhp'")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for game_type, depth in [("Base", 7), ("Base+MLP", 6)]:
        speeds = [[], []]
        for _ in range(options.runs):
            counts = []
            for side, (measure, command) in enumerate([(ours, options.ours), (theirs, options.nokamute)]):
                leaves, seconds = measure(command, game_type, depth)
                counts.append(leaves)
                speeds[side].append(leaves / seconds / 1e6)
            if counts[0] != counts[1]:
                raise SystemExit(f"{game_type}: counts differ, {counts}")
        medians = [statistics.median(side) for side in speeds]
        shown = [", ".join(f"{speed:.0f}" for speed in side) for side in speeds]
        print(
            f"{game_type} depth {depth}, {counts[0]} leaves: ours {medians[0]:.0f} M/s ({shown[0]}), "
            f"nokamute {medians[1]:.0f} M/s ({shown[1]}), ratio {medians[0] / medians[1]:.2f}"
        )


if __name__ == "__main__":
    main()
