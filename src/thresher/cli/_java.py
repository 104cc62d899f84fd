"""Numbers as the Java programs of 2006 read and wrote them."""

from __future__ import annotations

import math
import re
from decimal import Decimal

__all__ = ["java_double", "read_double", "read_integer"]

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?")
_WHOLE = re.compile(r"[+-]?\d+")
_LONGEST_INTEGER = 100
_PLAIN_FROM, _PLAIN_BELOW = 1e-3, 1e7


def java_double(value: float) -> str:
    """Return a double as Java prints it: always a decimal point, scientific outside [0.001, 10,000,000)."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    shortest = repr(float(value))
    if _PLAIN_FROM <= abs(value) < _PLAIN_BELOW:
        return shortest
    exact = Decimal(shortest)
    digits = "".join(map(str, exact.as_tuple().digits)).rstrip("0")
    return f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{exact.adjusted()}"


def read_double(text: str) -> float | None:
    """Return the number that Java reads in a text, or None: `NaN` and `Infinity` count, `nan` and `inf` do not."""
    if text in ("NaN", "+NaN", "-NaN"):
        return math.nan
    if text in ("Infinity", "+Infinity", "-Infinity"):
        return -math.inf if text.startswith("-") else math.inf
    return float(text.rstrip("fFdD")) if _DECIMAL.fullmatch(text) else None


def read_integer(text: str) -> int | None:
    """Return the integer of 32 bits in a text, or None."""
    number = int(text) if _WHOLE.fullmatch(text) and len(text) <= _LONGEST_INTEGER else None
    return number if number is not None and -(2**31) <= number < 2**31 else None
