"""What the environments take as actions."""

from __future__ import annotations

import operator
from typing import Any

#: What an environment says that is stepped too early, or too late.
NOT_RESET = "no episode has begun: call reset before the first step"
OVER = "the episode is over: call reset"


def as_action(action: Any) -> int:
    """A whole number, of Python or NumPy. Anything else raises `TypeError`: 0.5 is not cut to 0."""
    try:
        return operator.index(action)
    except TypeError:
        raise TypeError(f"expected an action as a whole number, got {action!r}") from None
