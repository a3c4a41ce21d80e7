"""Games of self-play as NumPy arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._tablero import Game, State, read_shard

#: Stands in `Replay.proven` where nothing was proven.
OPEN = -128


@dataclass(frozen=True)
class Replay:
    """The games of a replay shard. N games have T actions and P entries of policies in all."""

    game: str
    """The spec."""
    rules_version: int
    round: int
    """The round of the run that played them."""
    ids: NDArray[np.uint64]
    """`[N]`: the number of each game in its run; a fork has that of the game it leaves."""
    forked: NDArray[np.bool_]
    """`[N]`: whether it goes on from a position of another game."""
    returns: NDArray[np.int8]
    """`[N]`: +1, 0 or -1 of player 0."""
    points: NDArray[np.int32] | None
    """`[N, 2]`: the final points of both players, in games that have points."""
    opening_plies: NDArray[np.int64]
    """`[N]`: the first actions, which were not searched: random ones, or those of another game."""
    starts: NDArray[np.int64]
    """`[N + 1]`: game n has the actions from `starts[n]` to before `starts[n + 1]`."""
    actions: NDArray[np.uint32]
    """`[T]`"""
    root_wdl: NDArray[np.float32]
    """`[T, 3]`: the search's chances of win, draw and loss for the player to move; NaN in openings."""
    proven: NDArray[np.int8]
    """`[T]`: the exact return for the player to move where the search proved it, else `OPEN`."""
    policy: NDArray[np.float32]
    """`[P]`: the search's policies over the legal actions, ascending, one after the other."""
    policy_starts: NDArray[np.int64]
    """`[T + 1]`: the policy of action t, nothing where it is not learnt from."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Replay:
        """Reads a file of a run's folder `replay`. A damaged one raises `ValueError`."""
        return cls(**read_shard(os.fspath(path)))

    def __len__(self) -> int:
        return len(self.ids)

    def game_actions(self, index: int) -> NDArray[np.uint32]:
        """All actions of a game, from the first."""
        return self.actions[self.starts[index] : self.starts[index + 1]]

    def action_policy(self, action: int) -> NDArray[np.float32]:
        """The search's policy at an action, numbered from 0 to T."""
        return self.policy[self.policy_starts[action] : self.policy_starts[action + 1]]

    def positions(self, index: int) -> Iterator[State]:
        """The positions of a game before each action; a new `State` each time."""
        state = Game(self.game).initial()
        for action in self.game_actions(index):
            yield state.clone()
            state.play(int(action))
