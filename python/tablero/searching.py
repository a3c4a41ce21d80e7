"""Tree search guided by a function of the user's own, such as a network of PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ._tablero import State
from ._tablero import search as _search
from .needs import need

Evaluate = Callable[[Any], tuple[Any, Any]]


def _as_array(answer: Any) -> Any:
    """What NumPy can read: a tensor that has a gradient, or lies on a graphics card, is fetched first."""
    if hasattr(answer, "detach"):
        answer = answer.detach().cpu()
    return need("numpy").asarray(answer)


def search(
    states: Iterable[State],
    evaluator: Evaluate,
    *,
    sims: int = 200,
    seed: int = 0,
    explore: bool = False,
    **options: float | bool | str,
) -> list[dict[str, Any]]:
    """What tree search finds of each position, when `evaluator` says what it thinks of their leaves.

    ``evaluator(observations)`` gets a float32 array of shape `(n, C, H, W)`, positions as their players to
    move see them, and returns a pair of arrays or tensors: the logits of all actions, `(n, n_actions)`, of
    which those of illegal ones are left out, and either the probabilities of win, draw and loss, `(n, 3)`, or
    the expected return in -1..1, `(n,)` or `(n, 1)`; both for the player to move. One call evaluates a leaf of
    each of the given states, so that `n` is their number at first, and less once some are done.

    `sims` simulations a position. Options are fields of the search configuration, such as
    ``root="gumbel"`` or ``c_puct=2``. `explore` adds the noise of self-play at the root. The same seed and
    the same answers give the same search; the seed of a state's own search comes from `seed` and its
    place in the list.

    Returns a dictionary for each state, as `Player.analyse` does (`action`, `value`, `wdl`, `proven`,
    `line`, `moves` with the visits of each, …), and in `policy` the search's policy over all actions,
    `(n_actions,)`: what a network learns.

    Raises `ValueError` for a finished state, states of several games, and answers of another shape or
    range; whatever the evaluator raises.
    """
    need("numpy")

    def evaluate(observations: Any) -> tuple[Any, Any]:
        answer = evaluator(observations)
        try:
            logits, value = answer
        except (TypeError, ValueError):
            raise TypeError(
                f"expected a pair of arrays from the evaluator, logits and wdl or value, got {type(answer).__name__}"
            ) from None
        return _as_array(logits), _as_array(value)

    found = _search(list(states), evaluate, sims=sims, seed=seed, explore=explore, options=options or None)
    return [analysis | {"policy": policy} for analysis, policy in found]
