"""Sets our evaluation of small sparse networks beside onnxruntime: same weights, one thread each, in turns in one run.

Our program writes networks of 256 and 64 units as ONNX, with their inputs and logits for positions of random games.
Both must give the same probabilities; then each is timed, one position at a time as a search asks, and onnxruntime with
all positions at once, too. Ours computes the features of each position in that time; onnxruntime gets them ready made.
Times are processor time of the evaluating thread.

Exit code 1 if ours is slower, or the answers differ.

Needs onnxruntime; see README.md.

Example:
    cargo build --release -p tablero-models --example speed
    venv/bin/python tests/outside/sparse_onnxruntime.py --ours target/release/examples/speed
"""

import json
import pathlib
import statistics
import tempfile
import time

import numpy as np
import onnxruntime
from leaf_onnxruntime import session
from network_speed import Ours, parse_options

# Ours are integers of 16 bits: probabilities differ in the third digit.
TOLERANCE = 0.01


def batch(positions):
    """What the model reads: shorter rows are padded with -1."""
    features = np.full((len(positions), max(len(each["features"]) for each in positions)), -1)
    n_actions = max(len(each["actions"]) for each in positions)
    most = max((len(action) for each in positions for action in each["actions"]), default=1)
    actions = np.full((len(positions), n_actions, most), -1)
    for row, position in enumerate(positions):
        features[row, : len(position["features"])] = position["features"]
        for column, action in enumerate(position["actions"]):
            actions[row, column, : len(action)] = action
    return {"features": features.astype(np.int64), "action_features": actions.astype(np.int64)}


def softmax(logits):
    exponentials = np.exp(np.array(logits) - np.max(logits))
    return exponentials / exponentials.sum()


def difference(theirs, positions):
    """The largest difference of a probability."""
    worst = 0.0
    for position in positions:
        policy, wdl = theirs.run(["policy_logits", "wdl_logits"], batch([position]))
        for ours, logits in [(position["policy"], policy[0]), (position["wdl"], wdl[0])]:
            worst = max(worst, np.max(np.abs(softmax(ours) - softmax(logits))))
    return worst


def rate(theirs, batches, n_positions, seconds):
    """onnxruntime's positions a second of processor time."""
    outputs = ["policy_logits", "wdl_logits"]
    theirs.run(outputs, batches[0])
    start, cpu, n_rounds = time.monotonic(), time.thread_time(), 0
    while time.monotonic() - start < seconds:
        for inputs in batches:
            theirs.run(outputs, inputs)
        n_rounds += 1
    return n_rounds * n_positions / (time.thread_time() - cpu)


def main():
    options = parse_options(__doc__, 1.0)
    ours = Ours(options.ours, "sparse")
    print(f"onnxruntime {onnxruntime.__version__}; positions a second of processor time")
    print(f"{'network':22} {'ours':>9} {'theirs':>9} {'batched':>9} {'ratios':>13} {'difference':>11}")
    is_good = True
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        for name in ours.ask("write", directory).split():
            if options.networks not in name:
                continue
            theirs = session((directory / f"{name}.onnx").read_bytes())
            positions = json.loads((directory / f"{name}.json").read_text())
            worst = difference(theirs, positions)
            single, whole = [batch([position]) for position in positions], [batch(positions)]
            rates = [
                (
                    float(ours.ask("time", name, options.seconds)),
                    rate(theirs, single, len(positions), options.seconds),
                    rate(theirs, whole, len(positions), options.seconds),
                )
                for _ in range(options.turns)
            ]
            us, one, many = (statistics.median(side) for side in zip(*rates))
            is_good &= bool(us >= max(one, many) and worst < TOLERANCE)
            ratios = f"{us / one:.1f}, {us / many:.1f}"
            print(f"{name:22} {us:9.0f} {one:9.0f} {many:9.0f} {ratios:>13} {worst:11.4f}")
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
