"""Times OpenSpiel's Python loop as a learner would drive it: random games, one state at a time.

Every step reads the observation tensor and the mask of legal actions of the player to move, then plays
a random legal action; a finished game starts anew. OpenSpiel returns both as Python lists. `arrays` also turns
them into a float32 and an int8 NumPy array, which is what a network needs; `lists` does not, which is the
most that can be said for OpenSpiel. One thread. Figures hold only beside others that were taken on the same machine
in the same run.

Needs OpenSpiel; see README.md.

Example:
    venv/bin/python tests/outside/openspiel_speed.py --seconds 5 --repeats 3
"""

import argparse
import json
import random
import statistics
import time

import numpy as np
import pyspiel

GAMES = ["dots_and_boxes(num_rows=5,num_cols=5)", "hive"]


def steps_per_second(game, seconds, seed, arrays):
    """Steps a second over at least the given time."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    n_steps, checksum = 0, 0
    started = time.perf_counter()
    while True:
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
        elapsed_s = time.perf_counter() - started
        if elapsed_s >= seconds:
            break
    assert checksum == n_steps * (game.observation_tensor_size() + game.num_distinct_actions())
    return n_steps / elapsed_s


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=GAMES, help="OpenSpiel's game strings")
    parser.add_argument("--seconds", type=float, default=5.0, help="time of one measurement")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each figure")
    options = parser.parse_args()
    for name in options.games:
        game = pyspiel.load_game(name)
        for arrays in (False, True):
            rates = [
                steps_per_second(game, options.seconds, options.seed + i, arrays)
                for i in range(options.repeats)
            ]
            figure = {
                "game": name,
                "kind": "arrays" if arrays else "lists",
                "steps_per_second": round(statistics.median(rates)),
                "lowest": round(min(rates)),
                "highest": round(max(rates)),
            }
            if options.json:
                print(json.dumps(figure), flush=True)
            else:
                print("{game}, {kind}: {steps_per_second} steps/s ({lowest} to {highest})".format(**figure), flush=True)


if __name__ == "__main__":
    main()
