"""What a step of `tablero.make_single` costs against `random`, whose agent sits at the whole episode, and what it
costs with an agent and a thread made anew for each move, as `Player.choose` does. In turns, in one process.

``python tests/outside/single_env_speed.py [SPEC ...]``
"""

import sys
import time

import numpy as np
import tablero

STEPS = 3000
TURNS = 7
SPECS = ["dots-and-boxes:5x5", "queens:8", "paper-soccer:8x10", "xadrersi", "hive:base"]


def microseconds_a_step(env):
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(2)
    spent = 0.0
    for _ in range(STEPS):
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        start = time.perf_counter()
        _, _, terminated, truncated, info = env.step(action)
        spent += time.perf_counter() - start
        if terminated or truncated:
            _, info = env.reset()
    return spent / STEPS * 1e6


def main():
    for spec in sys.argv[1:] or SPECS:
        seated, anew = (tablero.make_single(spec, "random") for _ in range(2))
        anew._opponent.choose = lambda state, seed, player=anew.opponent: player.choose(state, seed=seed)
        rows = [(microseconds_a_step(seated), microseconds_a_step(anew)) for _ in range(TURNS)]
        ours, before = np.median(rows, axis=0)
        print(f"{spec}: {ours:.1f} us a step, {before:.1f} with agents made anew (ratio {before / ours:.1f})")


if __name__ == "__main__":
    main()
