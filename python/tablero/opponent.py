"""The player on the other side of an environment."""

from __future__ import annotations

from typing import Any

from ._tablero import Player, Seat, State


class Opponent:
    """A player at one episode after the other; within one it remembers what it has searched.

    Pickled and copied, it plays on as the original does: what it remembers is found again by searching
    the episode's earlier moves once more, before its next one.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        #: Every action of the episode, and the seed of those that the player chose.
        self._moves: list[tuple[int, int | None]] = []
        self._start: State | None = None
        self._seat: Seat | None = None

    def begin(self, state: State) -> None:
        """A new episode, from this position on."""
        self._start = state.clone()
        self._moves = []
        self._seat = self.player.seat()

    def choose(self, state: State, seed: int) -> int:
        """The action that it plays."""
        seat = self._seated()
        action = seat.choose(state, seed=seed)
        self._note(seat, action, seed)
        return action

    def played(self, action: int) -> None:
        """The other side has played."""
        self._note(self._seated(), action, None)

    def _note(self, seat: Seat, action: int, seed: int | None) -> None:
        if seat.remembers:
            seat.played(action)
            self._moves.append((action, seed))

    def _seated(self) -> Seat:
        if self._seat is None:
            self._seat = self.player.seat()
            if self._moves:
                self._remember(self._seat)
        return self._seat

    def _remember(self, seat: Seat) -> None:
        assert self._start is not None
        state = self._start.clone()
        for action, seed in self._moves:
            if seed is not None:
                seat.choose(state, seed=seed)
            seat.played(action)
            state.play(action)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_seat": None}
