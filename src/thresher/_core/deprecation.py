"""Names and arguments on their way out: they still work, and say what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from thresher._core.warn import warn
from thresher.exceptions import InvalidInputError, ThresherDeprecationWarning

__all__ = ["deprecated", "renamed_arguments"]

P = ParamSpec("P")
R = TypeVar("R")


def _say(what: str, since: str, until: str, hint: str) -> None:
    warn(f"{what} is deprecated since {since} and goes in {until}. Hint: {hint}.", ThresherDeprecationWarning)


def deprecated(instead: str, *, since: str, until: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function or method work on and warn on each call.

    Parameters
    ----------
    instead : str
        What to call, as the user writes it.
    since, until : str
        The version that warned first, and the one that will not have the name.

    Examples
    --------
    >>> import warnings
    >>> @deprecated("area", since="1.2", until="2.0")
    ... def surface(side):
    ...     return side * side
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     surface(3)
    9
    >>> print(caught[0].message)
    `surface` is deprecated since 1.2 and goes in 2.0. Hint: use `area`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            _say(f"`{function.__name__}`", since, until, f"use `{instead}`")
            return function(*args, **kwargs)

        return call

    return decorate


def renamed_arguments(*, since: str, until: str, **new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let old keywords stand for new ones, and warn where they are used; the signature shows the new ones alone.

    Parameters
    ----------
    since, until : str
        The version that warned first, and the one that will not know the old keywords.
    **new : str
        ``old="new"`` for each keyword.

    Examples
    --------
    >>> import warnings
    >>> @renamed_arguments(since="1.2", until="2.0", width="side")
    ... def area(*, side):
    ...     return side * side
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     area(width=3)
    9
    >>> print(caught[0].message)
    The argument `width` of `area` is deprecated since 1.2 and goes in 2.0. Hint: write `side`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in new.keys() & kwargs.keys():
                if new[old] in kwargs:
                    raise InvalidInputError(
                        f"`{old}` is the old name of `{new[old]}`; got both. Hint: pass `{new[old]}` alone."
                    )
                _say(f"The argument `{old}` of `{function.__name__}`", since, until, f"write `{new[old]}`")
                kwargs[new[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
