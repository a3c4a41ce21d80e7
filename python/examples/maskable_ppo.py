"""MaskablePPO of sb3-contrib against a random player: the environment tells it which actions are legal.

``pip install 'tablero[gymnasium]' sb3-contrib``, then ``python maskable_ppo.py [SPEC] [STEPS]``. Half a minute on
two cores for the default, a board of 2x2 boxes. It then plays 400 games and prints its score with the 95 % interval;
random play has 50 %.
"""

import sys

import numpy as np
import tablero
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

GAMES = 400


def play(env, model, n_games):
    """The share of points in each game."""
    scores = []
    for seed in range(n_games):
        observation, _ = env.reset(seed=1_000_000 + seed)
        is_over = False
        while not is_over:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(action)
            is_over = terminated or truncated
        scores.append((1 + reward) / 2)
    return np.array(scores)


def main():
    spec = sys.argv[1] if len(sys.argv) > 1 else "dots-and-boxes:2x2"
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 16_000
    # Such a small network is faster without more.
    torch.set_num_threads(1)
    envs = DummyVecEnv([lambda: tablero.make_single(spec, "random") for _ in range(8)])
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=256,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.01,
        seed=1,
        device="cpu",
    )
    model.learn(steps)
    scores = play(tablero.make_single(spec, "random"), model, GAMES)
    error = 1.96 * scores.std(ddof=1) / np.sqrt(len(scores))
    print(f"against random in {GAMES} games: {scores.mean():.1%}, {100 * error:.1f} points more or less")


if __name__ == "__main__":
    main()
