"""Games as PettingZoo environments."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from ._tablero import Game, State
from ._tablero import VecEnv as _VecEnv
from .actions import NOT_RESET, as_action
from .limits import DEFAULT_MAX_PLIES
from .rendering import RENDER_MODES, check_mode, render


class TableroAEC(AECEnv):
    """A game of two agents, `player_0` (who moves first) and `player_1`, who act when it is their turn,
    also several times in a row where the rules say so.

    - Observation, as in PettingZoo's classic games: a dictionary of `observation`, `[C, H, W]` floats in
      -1 to 1, the position as the player to move sees it (`Game.planes` says what they hold), and
      `action_mask`, which has 1 for each legal action, and is all 0 for the agent whose turn it is
      not.
    - Action: a number below `Game.n_actions`. An illegal one raises `IllegalActionError`, and changes
      nothing; `pettingzoo.utils.TerminateIllegalWrapper` makes it lose instead.
    - Reward: +1, 0 or -1 for both when the game has ended, else 0.
    - Truncation after `max_plies` actions, for both, with rewards of 0: no draw. By default 400 in
      games without a bound on their length (Hive), none in the others.
    - `reset(seed)`: the games hold no chance; the seed decides the first `random_opening_plies` actions,
      which are played at random.

    Pickled and copied in mid-game, an environment continues as the original does.
    """

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "name": "tablero_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        spec: str,
        *,
        max_plies: int | None = None,
        random_opening_plies: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_mode(render_mode)
        self.game = Game(spec)
        self.render_mode = render_mode
        if max_plies is None and self.game.max_plies is None:
            max_plies = DEFAULT_MAX_PLIES
        self._env = _VecEnv(
            spec, 1, max_plies=max_plies, random_opening_plies=random_opening_plies, autoreset=False
        )
        self._seeds = np.random.default_rng()
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                observation=gymnasium.spaces.Box(-1.0, 1.0, self.game.observation_shape, np.float32),
                action_mask=gymnasium.spaces.Box(0, 1, (self.game.n_actions,), np.int8),
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.game.n_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """What the agent observes; the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """What the agent may choose from; the same object at each call."""
        return self.action_spaces[agent]

    @property
    def state_of_game(self) -> State:
        """The position, as a `State`."""
        return self._env.state(0)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The position as the player to move sees it, and what the agent may do in it."""
        self._expect_episode()
        mask = self._env.masks[0]
        acts = agent == self.agent_selection
        return {
            "observation": self._env.observations[0].copy(),
            "action_mask": mask.copy() if acts else np.zeros_like(mask),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins an episode; `options` has no meaning here."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._env.reset(int(self._seeds.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn_to(int(self._env.players[0]))
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Plays an action of the agent whose turn it is; None for one whose game is over."""
        self._expect_episode()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        _, rewards, terminated, truncated, players = self._env.step([as_action(action)])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: float(rewards[0, index]) for index, name in enumerate(self.agents)}
        self.terminations = dict.fromkeys(self.agents, bool(terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(truncated[0]))
        self._turn_to(int(players[0]))
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _expect_episode(self) -> None:
        if not hasattr(self, "agent_selection"):
            raise ResetNeeded(NOT_RESET)

    def _turn_to(self, player: int) -> None:
        self.agent_selection = self.possible_agents[player]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def render(self) -> str | np.ndarray | None:
        """The board: text in mode "ansi", pixels `[H, W, 3]` in "rgb_array"; printed in mode "human"."""
        self._expect_episode()
        return render(self._env.state(0), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def __copy__(self) -> TableroAEC:
        """A copy shares nothing: playing one does not change the other."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return f"tablero/{self.game.spec}"
