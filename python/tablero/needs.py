"""What to install where something is missing."""

from __future__ import annotations

import importlib
from typing import Any

#: What `pip install` is given for a module.
PACKAGES = {
    "numpy": "numpy",
    "gymnasium": "'tablero[gymnasium]'",
    "pettingzoo": "'tablero[pettingzoo]'",
    "ray": "'tablero[ray]'",
}


def need(module: str) -> Any:
    """The module, or `ModuleNotFoundError` with the package that has it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        # One that is there and broken says itself what it lacks.
        if error.name != module:
            raise
        raise ModuleNotFoundError(
            f"this part of tablero needs {module}: pip install {PACKAGES[module]}", name=module
        ) from None
