"""PPO of RLlib against a random player, with illegal actions masked.

``pip install 'tablero[gymnasium]' 'ray[rllib]' torch``, then ``python rllib.py [SPEC] [ITERATIONS]``. RLlib's masking
module reads a dictionary of observation and mask, which a wrapper makes. Prints the share of points in the games
of each iteration; random play has 50 %.
"""

import sys

import gymnasium
import numpy as np
import tablero
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule


class Masked(gymnasium.Env):
    """The environment of one agent, whose observations hold the mask."""

    def __init__(self, config):
        self.env = tablero.make_single(config["spec"], "random")
        shape = (int(np.prod(self.env.observation_space.shape)),)
        n_actions = int(self.env.action_space.n)
        self.observation_space = gymnasium.spaces.Dict(
            observations=gymnasium.spaces.Box(-1.0, 1.0, shape, np.float32),
            action_mask=gymnasium.spaces.Box(0.0, 1.0, (n_actions,), np.float32),
        )
        self.action_space = gymnasium.spaces.Discrete(n_actions)

    def reset(self, *, seed=None, options=None):
        observation, info = self.env.reset(seed=seed)
        return self._with_mask(observation, info["action_mask"]), {}

    def step(self, action):
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_mask(observation, info["action_mask"]), reward, terminated, truncated, {}

    def _with_mask(self, observation, mask):
        return {"observations": observation.reshape(-1), "action_mask": mask.astype(np.float32)}


def main():
    spec = sys.argv[1] if len(sys.argv) > 1 else "dots-and-boxes:2x2"
    iterations = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    config = (
        PPOConfig()
        .environment(Masked, env_config={"spec": spec})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config={"head_fcnet_hiddens": [64, 64], "head_fcnet_activation": "relu"},
            )
        )
        .training(lr=1e-3, gamma=1.0, train_batch_size_per_learner=2000, minibatch_size=250, num_epochs=8)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    for number in range(iterations):
        result = algorithm.train()["env_runners"]
        score = (1 + result["episode_return_mean"]) / 2
        print(f"iteration {number + 1}: {score:.1%}", flush=True)
    algorithm.stop()


if __name__ == "__main__":
    main()
