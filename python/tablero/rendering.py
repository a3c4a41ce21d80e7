"""What the environments show."""

from __future__ import annotations

import gymnasium
import numpy as np

from ._tablero import State
from .drawing import picture

#: The board as text, printed, or as pixels `[H, W, 3]`.
RENDER_MODES = ["ansi", "human", "rgb_array"]


def check_mode(mode: str | None) -> None:
    """Raises `ValueError` for a mode that there is not."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"expected render_mode None, 'ansi', 'human' or 'rgb_array', got {mode!r}")


def render(state: State, mode: str | None) -> str | np.ndarray | None:
    """Shows a position in a mode."""
    if mode is None:
        modes = "'ansi', 'human' or 'rgb_array'"
        gymnasium.logger.warn(f"render() needs render_mode={modes} when the environment is made")
        return None
    if mode == "rgb_array":
        return picture(state)
    if mode == "human":
        print(state.draw())
        return None
    return state.draw()
