"""Training whose games are played by a cluster: actors on Ray, the learner where this is called.

    >>> import tablero.ray
    >>> tablero.ray.train("dots-and-boxes-5x5", "runs/d5", workers=16, address="auto")

Needs ``pip install tablero[ray]``, here and on every machine that plays.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

from . import print_round, read_config
from ._tablero import actor_kind, play_assignment, round_games
from ._tablero import train as _train
from .needs import need

ray = need("ray")

#: Chunks that wait at an actor, so that it has work while an answer travels.
_IN_FLIGHT = 2
#: How often a chunk is begun again after its actor died, before that is an error.
_RETRIES = 5
#: Seconds between looks at whether training was stopped.
_PATIENCE = 0.2


class SelfPlay:
    """Plays games. What it returns depends on its arguments alone, so that a chunk whose actor died can
    be played by the next."""

    def __init__(self, config: str, threads: int, setup: Callable[[], object] | None = None):
        if setup is not None:
            setup()
        self._config = config
        self._threads = threads

    def kind(self) -> str:
        """What it has in common with the others."""
        return actor_kind()

    def play(self, round: int, first: int, end: int, weights: bytes) -> bytes:
        """Plays the games `first` to before `end` of a round, and packs them."""
        return play_assignment(self._config, round, first, end, weights, threads=self._threads)


#: The same as an actor of Ray.
_RemoteSelfPlay = ray.remote(max_restarts=-1, max_task_retries=_RETRIES)(SelfPlay)


class Actors:
    """Some actors, and the work that each has."""

    def __init__(
        self, config: str, *, workers: int, threads: int, chunk_games: int, setup: Callable[[], object] | None
    ):
        self._kind = actor_kind()
        self._chunk_games = chunk_games
        self._is_stopped = threading.Event()
        options = _RemoteSelfPlay.options(num_cpus=threads)
        self._actors: list[Any] = [options.remote(config, threads, setup) for _ in range(workers)]
        # Those that have not yet said that they are there: a cluster may still be growing.
        self._starting = {actor.kind.remote(): actor for actor in self._actors}
        self._free: deque[Any] = deque()
        wanted, present = workers * threads, ray.cluster_resources().get("CPU", 0)
        if wanted > present:
            warnings.warn(
                f"{workers} workers with {threads} CPUs each want {wanted}, the cluster has {present:g}: "
                "those without a place wait for one",
                stacklevel=3,
            )

    def play(self, round: int, first: int, end: int, weights: bytes) -> list[bytes]:
        """The games of a round, in parts of `chunk_games`."""
        # Once a version: every actor of a machine reads the same copy.
        shared = ray.put(weights)
        chunks = deque(range(first, end, self._chunk_games))
        in_flight: dict[Any, Any] = {}
        played = []
        while chunks or in_flight:
            while chunks and self._free:
                begin = chunks.popleft()
                actor = self._free.popleft()
                part = actor.play.remote(round, begin, min(begin + self._chunk_games, end), shared)
                in_flight[part] = actor
            ready, _ = ray.wait([*in_flight, *self._starting], timeout=_PATIENCE)
            for done in ready:
                if done in self._starting:
                    self._welcome(self._starting.pop(done), ray.get(done))
                else:
                    self._free.append(in_flight.pop(done))
                    played.append(ray.get(done))
            if self._is_stopped.is_set():
                raise InterruptedError("training was stopped")
        return played

    def _welcome(self, actor: Any, kind: str) -> None:
        # Others round in another way: a game would depend on who plays it.
        if kind != self._kind:
            raise RuntimeError(f"expected actors that evaluate by {self._kind}, got one by {kind}")
        self._free.extend([actor] * _IN_FLIGHT)

    def stop(self) -> None:
        """Lets go of all of them."""
        self._is_stopped.set()
        for actor in self._actors:
            ray.kill(actor)


def train(
    config: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    workers: int = 2,
    address: str | None = None,
    threads: int = 1,
    chunk_games: int | None = None,
    setup: Callable[[], object] | None = None,
    callback: Callable[[dict[str, Any]], object] | None = print_round,
    allow_commands: bool = False,
) -> None:
    """Trains an agent as `tablero.train` does, in the same kind of folder and with the same result, while
    `workers` actors with `threads` CPUs each play the games.

    `address` is a cluster's, ``"auto"`` the one that this machine belongs to; without it Ray starts here,
    unless `ray.init` was called before. Games are handed out in chunks of `chunk_games`, by default a
    quarter of an actor's share of a round. An actor that dies is started again, and its chunks with
    it; training stops with Ray's error once a chunk has taken six actors with it. Each actor calls `setup`
    first, such as ``lambda: tablero.register(MyGame())`` for a game of your own. Actors must have this
    machine's version and vector instructions: otherwise `RuntimeError`. Matches on the way are played
    here; `allow_commands` is that of `tablero.train`. The same call resumes a run
    that was stopped, as does `tablero.train`.
    """
    text = read_config(config)
    if workers < 1 or threads < 1 or (chunk_games is not None and chunk_games < 1):
        raise ValueError(
            "expected at least one worker, thread and game a chunk, got "
            f"workers={workers}, threads={threads}, chunk_games={chunk_games}"
        )
    if not ray.is_initialized():
        ray.init(address=address, include_dashboard=False if address is None else None)
    chunk_games = chunk_games or max(1, round_games(text) // (4 * workers))
    actors = Actors(text, workers=workers, threads=threads, chunk_games=chunk_games, setup=setup)
    try:
        _train(
            text,
            os.fspath(out),
            callback=callback,
            actors=actors.play,
            stop_actors=actors.stop,
            allow_commands=allow_commands,
        )
    finally:
        actors.stop()
