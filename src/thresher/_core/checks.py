"""Checks of arguments, with one message shape (rule; value. Hint: remedy), warnings and optional imports."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from importlib import import_module
from numbers import Integral, Real
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from thresher.exceptions import InvalidInputError, InvalidTypeError, MissingDependencyError, ThresherWarning
from thresher.typing import ArrayLike, FloatArray

_LEAST_LEVEL = 1e-12
_LEAST_SHARE = 1e-100
_LEAST_WIDTH = 1e-12
_FEWEST_RESAMPLES = 10  # 19 permutations are a test at 5%
_MOST_RESAMPLES = 10**8  # each is kept, in 8 bytes
_HELD: ContextVar[list[tuple[str, int]] | None] = ContextVar("held", default=None)
T = TypeVar("T")


def show(value: object, limit: int = 60) -> str:
    """Return `repr(value)`, cut so that a message stays readable."""
    try:
        text = repr(value)
    except Exception:  # an integer of many thousand digits, or an object that cannot show itself
        bits = f" of {value.bit_length()} bits" if isinstance(value, int) else ""
        return f"<{type(value).__name__}{bits}>"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def show_text(text: str, limit: int = 300) -> str:
    """Return a message in one printable line of bounded length."""
    line = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return line if len(line) <= limit else line[: limit - 3] + "..."


def check_number(value: object, name: str, rule: str = "a number") -> float:
    """Return a real number as a float: every number that a caller gives is checked here."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise InvalidTypeError(f"`{name}` must be {rule}; got {show(value)} of type {type(value).__name__}.")
    try:
        return float(value)
    except OverflowError:
        raise InvalidInputError(
            f"`{name}` must be {rule}; got {show(value)}, which no machine number holds. Hint: pass a smaller one."
        ) from None


def check_positive(value: object, name: str) -> float:
    """Return a number that is above 0 and finite."""
    number = check_number(value, name, "a positive number")
    if not (math.isfinite(number) and number > 0):
        raise InvalidInputError(f"`{name}` must be positive and finite; got {show(value)}.")
    return number


def is_percentage(value: float) -> bool:
    """Return whether a number that should lie in (0, 1) looks like a percentage; 1.1 looks like a slip."""
    return 2.0 <= value < 100.0


def check_confidence_level(value: object, name: str = "confidence_level") -> float:
    """Return the level if it lies strictly between 0 and 1."""
    level = check_number(value, name, "a number in (0, 1)")
    if not 0.0 < level < 1.0:
        usual = "0.05 is usual" if name == "significance_level" else "0.95 is usual"
        hint = f"pass {level / 100:g}, not a percentage" if is_percentage(level) else usual
        raise InvalidInputError(f"`{name}` must be in (0, 1); got {show(value)}. Hint: {hint}.")
    if not _LEAST_LEVEL <= level <= 1.0 - _LEAST_LEVEL:
        raise InvalidInputError(
            f"`{name}` must be at least {_LEAST_LEVEL:g} away from 0 and from 1; got {show(value)}. "
            "Hint: tails beyond that are not computed to any digit."
        )
    return level


def check_prevalence(value: object, name: str = "prevalence") -> float:
    """Return the proportion of positives if it lies strictly between 0 and 1."""
    share = check_number(value, name, "a number in (0, 1)")
    if not 0.0 < share < 1.0:
        hint = f"pass {share / 100:g}, not a percentage" if is_percentage(share) else "it is the rate of positives"
        raise InvalidInputError(f"`{name}` must be in (0, 1); got {show(value)}. Hint: {hint}.")
    if share < _LEAST_SHARE:
        raise InvalidInputError(
            f"`{name}` must be at least {_LEAST_SHARE:g}; got {show(value)}. Hint: below it, odds leave the range of a "
            "machine number."
        )
    return share


def check_fractions(value: ArrayLike, name: str) -> FloatArray:
    """Return a float64 array of any shape whose values all lie in [0, 1]."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidTypeError(
            f"`{name}` must be numbers in [0, 1]; got {show(value)}. Hint: for example 0.5."
        ) from None
    if np.asarray(value).dtype.kind in "USO":  # text is not a number, even if it looks like one
        raise InvalidTypeError(f"`{name}` must be numbers in [0, 1]; got {show(value)}. Hint: leave out the quotes.")
    outside = ~((array >= 0.0) & (array <= 1.0))
    if outside.any():
        bad = float(array[outside].flat[0]) if array.ndim else float(array)
        raise InvalidInputError(f"`{name}` must be in [0, 1]; got {bad!r}. Hint: it is a fraction, not a percentage.")
    return array


def check_fraction(value: object, name: str) -> float:
    """Return one number in [0, 1]."""
    number = check_number(value, name, "a number in [0, 1]")
    if not 0.0 <= number <= 1.0:
        raise InvalidInputError(
            f"`{name}` must be in [0, 1]; got {show(value)}. Hint: it is a fraction, not a percentage."
        )
    return number


def check_range(value: object, name: str) -> tuple[float, float]:
    """Return (low, high) with 0 <= low < high <= 1."""
    try:
        low, high = (check_number(end, name) for end in value)  # type: ignore[attr-defined]  # a pair is tried
    except (TypeError, ValueError):
        raise InvalidTypeError(
            f"`{name}` must be a pair (low, high); got {show(value)}. Hint: for example `{name}=(0, 0.1)`."
        ) from None
    if not (0.0 <= low < high <= 1.0):
        raise InvalidInputError(
            f"`{name}` must be a pair with 0 <= low < high <= 1; got ({low!r}, {high!r}). "
            "Hint: give fractions, lowest first."
        )
    if high - low < _LEAST_WIDTH:
        raise InvalidInputError(
            f"`{name}` must be a pair at least {_LEAST_WIDTH:g} apart; got ({low!r}, {high!r}). Hint: an area over "
            "less is lost in rounding."
        )
    return low, high


def check_choice(value: object, name: str, choices: Iterable[str]) -> str:
    """Return the value if it is one of the choices."""
    options = list(choices)
    if not isinstance(value, str) or value not in options:
        listed = ", ".join(repr(option) for option in options)
        raise InvalidInputError(f"`{name}` must be one of {listed}; got {show(value)}.{did_you_mean(value, options)}")
    return value


def did_you_mean(value: object, options: Iterable[str]) -> str:
    """Return a hint with the option that looks like the value, behind a space; nothing where none does."""
    if not isinstance(value, str):
        return ""
    known = {_folded(option): option for option in options}
    close = get_close_matches(_folded(value), list(known), n=1, cutoff=0.61)
    return f" Hint: did you mean {known[close[0]]!r}?" if close else ""


def _folded(name: str) -> str:
    return name[:100].lower().replace("-", "_").replace(" ", "_")


def check_resamples(value: object) -> int:
    """Return a number of resamples that is not absurdly small."""
    count = check_count(value, "n_resamples")
    if count < _FEWEST_RESAMPLES:
        raise InvalidInputError(
            f"`n_resamples` must be at least {_FEWEST_RESAMPLES}; got {count}. "
            "Hint: 2000 are usual, and 200 do for a first look."
        )
    if count > _MOST_RESAMPLES:
        raise InvalidInputError(
            f"`n_resamples` must be at most {_MOST_RESAMPLES}; got {show(count)}. "
            "Hint: 2000 are usual, and 100,000 settle the third digit of an interval's end."
        )
    return count


def check_count(value: object, name: str, *, minimum: int = 0, below: int = 2**63) -> int:
    """Return an integer that is at least `minimum` and below a power of two, by default what fits 64 bits."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise InvalidTypeError(f"`{name}` must be an integer; got {show(value)} of type {type(value).__name__}.")
    count = int(value)
    if count < minimum:
        raise InvalidInputError(f"`{name}` must be at least {minimum}; got {show(count)}.")
    if count >= below:
        raise InvalidInputError(
            f"`{name}` must be below 2**{below.bit_length() - 1}; got {show(count)}. Hint: pass a smaller number."
        )
    return count


def check_positive_total(value: Any, name: str) -> int | float:
    """Return a class total: a positive integer, or a positive finite sum of weights."""
    number = check_positive(value, name)
    if number >= 2**62:
        raise InvalidInputError(f"`{name}` must be below 2**62; got {show(value)}. Hint: totals are numbers of cases.")
    return int(value) if isinstance(value, Integral) else number


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import and return an optional module, or say which extra brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).split(".")[0]
        raise MissingDependencyError(
            f"{purpose} needs the library {missing!r}, which is not installed. Hint: pip install 'thresher[{extra}]'."
        ) from None


def warn(message: str, category: type[Warning] = ThresherWarning, *, weight: int = 1) -> None:
    """Warn as if from the first frame outside this package; a call shows that of its warnings with most weight."""
    held = _HELD.get()
    if held is not None and issubclass(category, ThresherWarning):
        held.append((message, weight))
        return
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "thresher":
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def held_warnings() -> Iterator[list[tuple[str, int]]]:
    """Hold the warnings of the library back in a list, each with its weight."""
    held: list[tuple[str, int]] = []
    token = _HELD.set(held)
    try:
        yield held
    finally:
        _HELD.reset(token)


class OneWarning:
    """Gives the warning of most weight for a call; a result with `remarks` keeps all. Within another call all go on."""

    def __enter__(self) -> OneWarning:
        self._held: list[tuple[str, int]] = []
        self._found: object = None
        self._token = None if _HELD.get() is not None else _HELD.set(self._held)
        return self

    def by(self, found: T) -> T:
        """Return the result, to which the warnings belong."""
        self._found = found
        return found

    def __exit__(self, kind: object, *_: object) -> None:
        if self._token is None:
            return
        _HELD.reset(self._token)
        notes = list(dict.fromkeys(note for note, _ in sorted(self._held, key=lambda one: -one[1])))
        if kind is not None or not notes:
            return
        more = ""
        if hasattr(type(self._found), "remarks") and hasattr(type(self._found), "_notes"):
            object.__setattr__(self._found, "_notes", tuple(notes))
            more = f" (All {len(notes)} notes: `.remarks()`.)" if len(notes) > 1 else ""
        warn(notes[0] + more)
