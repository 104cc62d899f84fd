"""Libraries that some figures need, imported when they are drawn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from thresher.exceptions import MissingDependencyError

__all__ = ["needs"]


def needs(module: str, *, extra: str) -> Any:
    """Import and return a library, or say which extra brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            f"The papers need the library {(error.name or module).split('.')[0]!r}, which is not installed. "
            f"Hint: pip install 'thresher[{extra}]'."
        ) from None
