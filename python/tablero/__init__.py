"""Exact board games for reinforcement learning: Dots and Boxes, the Queens duel, Paper Soccer, Xadrersi
and Hive with its expansions, on the Rust core of Tablero.

    >>> import tablero
    >>> state = tablero.Game("dots-and-boxes:2x2").initial()
    >>> state.play("1-1-h")
    'no box, Orange to move'

Environments of the ecosystem: `make` (PettingZoo), `make_vec` and `make_single` (Gymnasium). Players:
`Player`, and by name `minimax` and `solve`. Networks: `Policy`, and `search` for one of your own; training:
`train`, on a cluster `tablero.ray.train`; what it played: `Replay`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._tablero import (
    Game,
    IllegalActionError,
    Player,
    Policy,
    State,
    __version__,
    check,
    games,
    preset,
    register,
)
from ._tablero import train as _train
from .needs import need
from .searching import search

try:
    from .registration import register_envs
except ModuleNotFoundError as error:
    # Rules, players and training need no Gymnasium.
    if error.name not in ("gymnasium", "numpy"):
        raise
else:
    register_envs()

if TYPE_CHECKING:
    from .aec import TableroAEC
    from .replay import Replay
    from .single import TableroEnv
    from .vector import TableroVectorEnv

__all__ = [
    "Game",
    "IllegalActionError",
    "Player",
    "Policy",
    "Replay",
    "State",
    "__version__",
    "check",
    "games",
    "make",
    "make_single",
    "make_vec",
    "minimax",
    "preset",
    "print_round",
    "register",
    "search",
    "solve",
    "train",
]


def __getattr__(name: str) -> Any:
    # Only when it is asked for: it is made of arrays, and rules and players go without NumPy.
    if name == "Replay":
        need("numpy")
        from .replay import Replay

        globals()["Replay"] = Replay
        return Replay
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def make(spec: str, **options: Any) -> TableroAEC:
    """A PettingZoo `AECEnv` of a game, such as ``make("hive:base", max_plies=300)``.

    The options are those of `tablero.aec.TableroAEC`. Needs ``pip install tablero[pettingzoo]``.
    """
    need("numpy"), need("gymnasium"), need("pettingzoo")
    from .aec import TableroAEC

    return TableroAEC(spec, **options)


def make_vec(spec: str, n_envs: int, **options: Any) -> TableroVectorEnv:
    """A Gymnasium vector environment in which one policy plays both sides of `n_envs` games.

    The options are those of `tablero.vector.TableroVectorEnv`. Needs ``pip install tablero[gymnasium]``.
    """
    need("numpy"), need("gymnasium")
    from .vector import TableroVectorEnv

    return TableroVectorEnv(spec, n_envs, **options)


def make_single(
    spec: str, opponent: str | os.PathLike[str] = "minimax:depth=3", **options: Any
) -> TableroEnv:
    """A Gymnasium environment of one agent against any player, or the path of a policy or a run.

    The options are those of `tablero.single.TableroEnv`. Needs ``pip install tablero[gymnasium]``.
    """
    need("numpy"), need("gymnasium")
    from .single import TableroEnv

    return TableroEnv(spec, opponent, **options)


def minimax(state: State, limits: str = "depth=4", *, seed: int = 0) -> dict[str, Any]:
    """What the alpha-beta baseline thinks of a position: the best action, value, line, every move.

    `limits` is what stands after ``minimax:``, such as ``"level=3"``, ``"depth=6"``, ``"ms=100"``.
    """
    return Player(state.game.spec, f"minimax:{limits}").analyse(state, seed=seed)


def solve(state: State) -> dict[str, Any]:
    """The exact value of a position and of every move, on boards that the solver takes."""
    return Player(state.game.spec, "solver").analyse(state)


def read_config(config: str | os.PathLike[str]) -> str:
    """The text of a configuration, given as the name of a preset, the path of a TOML file, or itself."""
    text = os.fspath(config)
    is_path = not isinstance(config, str)
    if "\n" in text and not is_path:
        return text
    if is_path or os.path.exists(text):
        with open(text, encoding="utf-8") as file:
            return file.read()
    return preset(text)


def print_round(metrics: dict[str, Any]) -> None:
    """Prints a line of what a round of training was like: what `train` does if nothing else is asked for."""
    parts = [f"round {metrics['checkpoint']}"]
    if played := metrics["self_play"]:
        parts.append(
            f"{played['games']} games ({played['distinct_games']} distinct) in {played['seconds']:.1f} s"
        )
    if learnt := metrics["learning"]:
        parts.append(
            f"{learnt['steps']} steps in {learnt['seconds']:.1f} s, losses: "
            f"policy {learnt['policy_loss']:.3f}, value {learnt['value_loss']:.3f}"
        )
    print("; ".join(parts), flush=True)


def train(
    config: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    threads: int | None = None,
    callback: Callable[[dict[str, Any]], object] | None = print_round,
    allow_commands: bool = False,
) -> None:
    """Trains an agent in the folder `out`, or goes on with the run that is there.

    `config` is the name of a preset, the path of a TOML file, or its text. `callback` gets the metrics
    of each round, those of ``metrics.jsonl``; where it raises, training stops, to be gone on with by
    the same call. Ctrl-C stops it, too. Without a callback of yours a line is printed; None is silent.
    Opponents of the configuration that start another program, ``uhp:"COMMAND"``, are refused with
    `ValueError` unless `allow_commands`: look at the command first.
    """
    _train(
        read_config(config),
        os.fspath(out),
        threads=threads,
        callback=callback,
        allow_commands=allow_commands,
    )
