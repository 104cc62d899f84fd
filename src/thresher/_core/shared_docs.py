"""Parts of docstrings that several functions or methods share, written once."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import indent
from typing import Any, TypeVar

T = TypeVar("T")


def with_texts(**texts: str) -> Callable[[T], T]:
    """Return a decorator that puts each text where its name stands in braces on a line of a docstring, alone.

    Of a class the docstrings of its own methods are filled too.
    """

    def put(at: re.Match[str]) -> str:
        return indent(texts[at[2]].strip("\n"), at[1]) if at[2] in texts else at[0]

    def filled(documented: T) -> T:
        own: Any = vars(documented).values() if isinstance(documented, type) else ()
        for one in (documented, *own):
            function = getattr(one, "__func__", one)
            if one is documented or callable(function):
                text = getattr(function, "__doc__", None)
                if text and "{" in text:
                    function.__doc__ = re.sub(r"^( *)\{(\w+)\}$", put, text, flags=re.MULTILINE)
        return documented

    return filled
