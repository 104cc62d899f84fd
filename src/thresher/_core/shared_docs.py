"""Parts of docstrings that several functions share, written once."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import indent
from typing import TypeVar

__all__ = ["with_texts"]

T = TypeVar("T")


def with_texts(**texts: str) -> Callable[[T], T]:
    """Return a decorator that puts each text where its name stands in braces on a line of the docstring, alone."""

    def filled(documented: T) -> T:
        for name, text in texts.items():
            marker = re.compile(rf"^([ ]*)\{{{name}\}}$", re.MULTILINE)
            documented.__doc__ = marker.sub(lambda at: indent(text.strip("\n"), at[1]), documented.__doc__ or "")  # noqa: B023  # used at once
        return documented

    return filled
