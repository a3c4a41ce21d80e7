"""One agent against any player, as a Gymnasium environment."""

from __future__ import annotations

import copy
import os
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from ._tablero import Game, IllegalActionError, Player, State
from .actions import NOT_RESET, OVER, as_action
from .limits import DEFAULT_MAX_PLIES
from .opponent import Opponent
from .rendering import RENDER_MODES, check_mode, render

#: How often an episode is begun anew that is over before the agent has moved.
MOST_TRIES = 100


class TableroEnv(gymnasium.Env):
    """A game against a player such as ``"random"``, ``"minimax:depth=3"``, ``"mcts:sims=200"`` or
    ``"policy:DIR,sims=100"``, or the path of a policy or a run. A search keeps its tree over an episode.

    - Observation `[C, H, W]`: the position as the agent sees it when it is to move.
    - Action: a number below `Game.n_actions`; `info["action_mask"]` has 1 for each legal one, and
      `action_masks()` gives it as booleans.
    - Reward: +1, 0 or -1 when the game has ended, else 0.
    - An illegal action loses: the episode ends with reward -1, and `info["illegal_action"]` says which
      rule it broke. With ``illegal="raise"`` it raises `IllegalActionError`, and changes nothing.
    - `player`: 0 to move first, 1 to answer, None to draw it anew in each episode (the default).
    - Truncation after `max_plies` actions of both players, with reward 0: no draw.

    The seed of `reset` fixes the side, the random opening and what the opponent draws. A random ply that
    would end the game is not played. Where the opponent ends it before the agent has moved, the episode
    is drawn again; after 100 tries `reset` raises `RuntimeError`.

    Pickled and copied in mid-game, an environment continues as the original does.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        spec: str,
        opponent: str | os.PathLike[str] = "minimax:depth=3",
        *,
        player: Literal[0, 1] | None = None,
        max_plies: int | None = None,
        random_opening_plies: int = 0,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: str | None = None,
    ) -> None:
        check_mode(render_mode)
        if illegal not in ("lose", "raise"):
            raise ValueError(f"expected illegal 'lose' or 'raise', got {illegal!r}")
        if player not in (None, 0, 1):
            raise ValueError(f"expected player None, 0 or 1, got {player!r}")
        self.game = Game(spec)
        self.opponent = Player(self.game.spec, opponent)
        self._opponent = Opponent(self.opponent)
        self._state: State | None = None
        self._is_over = False
        self.player = player
        self.illegal = illegal
        self.render_mode = render_mode
        if max_plies is None and self.game.max_plies is None:
            max_plies = DEFAULT_MAX_PLIES
        self.max_plies = max_plies
        self.random_opening_plies = random_opening_plies
        self.observation_space = gymnasium.spaces.Box(-1.0, 1.0, self.game.observation_shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.game.n_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode, up to the agent's first action; `options` has no meaning here."""
        super().reset(seed=seed)
        for _ in range(MOST_TRIES):
            self._begin()
            if not self.state.is_over:
                break
        else:
            self._state = None
            raise RuntimeError(
                f"no episode of {self.game.spec} begins: in {MOST_TRIES} tries {self.opponent!r} ended the "
                f"game before the agent, player {self.side}, had moved"
            )
        self._is_over = False
        self._show()
        return self.state.observation(), self._info()

    @property
    def state(self) -> State:
        """The position, as a `State`."""
        if self._state is None:
            raise ResetNeeded(NOT_RESET)
        return self._state

    def action_masks(self) -> np.ndarray:
        """`[n_actions]`: True for each legal action; what `MaskablePPO` of sb3-contrib asks for."""
        return self.state.mask().astype(bool)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays an action, and what the opponent answers."""
        state = self.state
        if self._is_over:
            raise ResetNeeded(OVER)
        action = as_action(action)
        try:
            state.play(action)
        except IllegalActionError as error:
            if self.illegal == "raise":
                raise
            self._is_over = True
            info = self._info() | {"illegal_action": str(error)}
            return state.observation(), -1.0, True, False, info
        self.n_plies += 1
        self._opponent.played(action)
        self._let_opponent_play()
        self._show()
        returns = state.returns
        reward = 0.0 if returns is None else float(returns[self.side])
        truncated = returns is None and self._is_cut_off()
        self._is_over = truncated or returns is not None
        return state.observation(), reward, returns is not None, truncated, self._info()

    def _begin(self) -> None:
        """An episode up to the agent's first action, or to its end before that."""
        self.side = self.player if self.player is not None else int(self.np_random.integers(2))
        self._state = self.game.initial()
        self.n_plies = 0
        for _ in range(self.random_opening_plies):
            following = self._state.clone()
            following.play(following.random_action(self._draw()))
            if following.is_over:
                break
            self._state = following
        self._opponent.begin(self._state)
        self._let_opponent_play()

    def _let_opponent_play(self) -> None:
        state = self.state
        while not state.is_over and state.player_to_move != self.side and not self._is_cut_off():
            state.play(self._opponent.choose(state, self._draw()))
            self.n_plies += 1

    def _is_cut_off(self) -> bool:
        return self.max_plies is not None and self.n_plies >= self.max_plies

    def _draw(self) -> int:
        return int(self.np_random.integers(2**63))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.state.mask(), "player": self.side}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        """The board: text in mode "ansi", pixels `[H, W, 3]` in "rgb_array"; printed in mode "human"."""
        return render(self.state, self.render_mode)

    def __copy__(self) -> TableroEnv:
        """A copy shares nothing: playing one does not change the other."""
        return copy.deepcopy(self)
