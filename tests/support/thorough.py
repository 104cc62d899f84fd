"""What an ordinary run leaves to `pytest -m slow`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["dear"]


def dear(values: Iterable[Any], keep: int) -> list[Any]:
    """Return parameters of which only the first `keep` are in an ordinary run; the others are `slow`."""
    given = list(values)
    return [*given[:keep], *(_slow(value) for value in given[keep:])]


def _slow(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
