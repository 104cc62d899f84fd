"""Optional libraries, imported when used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from thresher.exceptions import MissingDependencyError

__all__ = ["require"]


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import and return an optional module, or say which extra brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).split(".")[0]
        raise MissingDependencyError(
            f"{purpose} needs the library {missing!r}, which is not installed. Hint: pip install 'thresher[{extra}]'."
        ) from None
