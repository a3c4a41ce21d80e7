"""Times Tablero's vector environment in Python beside OpenSpiel's Python loop, and beside the same steps in Rust.

A step gives observation and mask of legal actions of every game, and a finished game starts anew.

- `tablero`: `make_vec(spec, B)` stepped by actions that were drawn at random before, with copies of observations
  and masks for the caller, and `no copy`.
- `rust`: the same actions in the Rust `VecEnv`, by the example `vec_env_steps`: what Python costs.
- `OpenSpiel`: random games one state at a time, as a learner would drive them, the choice of the actions included.
  OpenSpiel returns tensor and mask as Python lists: `lists` leaves them so, `arrays` also makes a float32 and an int8
  NumPy array of them, which is what a network needs.

All take turns, on one thread, in one run; ratios are the medians over the turns.

Needs OpenSpiel and the Python package; see README.md.

Example:
    cargo build --release -p tablero-env --examples
    venv/bin/python tests/outside/vector_env_speed.py --repeats 5
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyspiel
import tablero

GAMES = {"dots-and-boxes:5x5": "dots_and_boxes(num_rows=5,num_cols=5)", "hive": "hive"}
#: Of games that may last forever.
MAX_PLIES = 400
EXAMPLE = Path(__file__).parents[2] / "target" / "release" / "examples" / "vec_env_steps"


def random_actions(spec, n_envs, n_steps, seed):
    """Legal actions `[n_steps, n_envs]`, drawn uniformly."""
    envs = tablero.make_vec(spec, n_envs, max_plies=max_plies(spec), copy=False)
    rng = np.random.default_rng(seed)
    _, infos = envs.reset(seed=1)
    actions = np.empty((n_steps, n_envs), np.int64)
    for row in actions:
        for index, mask in enumerate(infos["action_mask"]):
            row[index] = rng.choice(np.flatnonzero(mask))
        *_, infos = envs.step(row)
    return actions


def max_plies(spec):
    return MAX_PLIES if tablero.Game(spec).max_plies is None else None


def tablero_rate(spec, actions, copy):
    envs = tablero.make_vec(spec, actions.shape[1], max_plies=max_plies(spec), copy=copy)
    envs.reset(seed=1)
    started = time.perf_counter()
    for row in actions:
        envs.step(row)
    return actions.size / (time.perf_counter() - started)


def rust_rate(spec, actions, file):
    arguments = [spec, actions.shape[1], max_plies(spec) or 0, file]
    said = subprocess.run([EXAMPLE, *map(str, arguments)], check=True, capture_output=True, text=True)
    return float(said.stdout)


def openspiel_rate(game, seconds, seed, arrays):
    rng = random.Random(seed)
    state = game.new_initial_state()
    n_steps, checksum = 0, 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        for _ in range(100):
            player = state.current_player()
            observation = state.observation_tensor(player)
            mask = state.legal_actions_mask(player)
            if arrays:
                observation = np.asarray(observation, dtype=np.float32)
                mask = np.asarray(mask, dtype=np.int8)
            checksum += len(observation) + len(mask)
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            if state.is_terminal():
                state = game.new_initial_state()
        n_steps += 100
    assert checksum == n_steps * (game.observation_tensor_size() + game.num_distinct_actions())
    return n_steps / elapsed


def measure(spec, options):
    game = pyspiel.load_game(GAMES[spec])
    actions = random_actions(spec, options.batch, options.steps, options.seed)
    with tempfile.NamedTemporaryFile() as file:
        actions.astype("<u4").tofile(file.name)
        kinds = {
            "tablero": lambda: tablero_rate(spec, actions, copy=True),
            "tablero, no copy": lambda: tablero_rate(spec, actions, copy=False),
            "rust": lambda: rust_rate(spec, actions, file.name),
            "OpenSpiel, lists": lambda: openspiel_rate(game, options.seconds, options.seed, arrays=False),
            "OpenSpiel, arrays": lambda: openspiel_rate(game, options.seconds, options.seed, arrays=True),
        }
        rates = {kind: [] for kind in kinds}
        for _ in range(options.repeats):
            for kind, rate in kinds.items():
                rates[kind].append(rate())

    def ratio(above, below):
        pairs = [a / b for a, b in zip(rates[above], rates[below])]
        return [round(value, 3) for value in (statistics.median(pairs), min(pairs), max(pairs))]

    return {
        "game": spec,
        "batch": options.batch,
        "steps_per_second": {kind: round(statistics.median(values)) for kind, values in rates.items()},
        "over OpenSpiel with arrays": ratio("tablero", "OpenSpiel, arrays"),
        "over OpenSpiel with lists": ratio("tablero", "OpenSpiel, lists"),
        "of Rust": ratio("tablero", "rust"),
        "of Rust, no copy": ratio("tablero, no copy", "rust"),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--steps", type=int, default=400, help="steps of the whole batch")
    parser.add_argument("--seconds", type=float, default=3.0, help="time of a measurement of OpenSpiel")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not EXAMPLE.exists():
        sys.exit(f"{EXAMPLE} is missing: cargo build --release -p tablero-env --examples")
    for spec in options.games:
        print(json.dumps(measure(spec, options), indent=2), flush=True)


if __name__ == "__main__":
    main()
