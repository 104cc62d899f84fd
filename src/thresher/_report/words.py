"""Numbers and names as a reader sees them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

__all__ = ["clean", "listed", "number", "percent", "pvalue", "rate", "short", "signed", "threshold"]

_LONGEST = 32


def clean(name: str) -> str:
    """Return a name that can be written and shown: lone surrogates and control characters are replaced."""
    written = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in written)


def short(name: str, longest: int = _LONGEST) -> str:
    """Return a name cut in its middle, for places that have no room."""
    if len(name) <= longest:
        return name
    head = longest * 2 // 3
    return name[:head] + "…" + name[len(name) - (longest - head - 1) :]


def number(value: float) -> str:
    """Return a count: whole where it is whole."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def percent(share: float) -> str:
    """Return a share with as many digits as it deserves."""
    if share >= 0.1:
        return f"{share * 100:.1f}".removesuffix(".0") + "%"
    return f"{share * 100:.2g}%" if share > 0 else "0%"


def rate(value: float | None, digits: int = 3) -> str:
    """Return a rate in [0, 1] without pretending that 0.9999 is 1."""
    if value is None or math.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    if text == f"{1:.{digits}f}" and value < 1:
        return ">" + f"{1 - 10.0**-digits:.{digits}f}"
    if text == f"{0:.{digits}f}" and value > 0:
        return "<" + f"{10.0**-digits:.{digits}f}"
    return text


def signed(value: float) -> str:
    """Return a difference with its sign."""
    return f"{value:+.4f}".replace("-", "−")


def pvalue(value: float) -> str:
    """Return a p-value; below one in ten thousand its digits mean nothing."""
    return "< 0.0001" if value < 0.0001 else f"= {value:.2g}"


def threshold(value: float) -> str:
    """Return a threshold with all its digits."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value!r}".removesuffix(".0").replace("-", "−")


def listed(words: Sequence[str]) -> str:
    """Return words as a list with commas and `and`."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]
