"""Figures as OpenMetrics text: gauges with labels."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_ESCAPED = {"\\": r"\\", "\n": r"\n", '"': r"\""}


def openmetrics(
    facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], prefix: str, labels: Mapping[str, str]
) -> str:
    """Return what is true of the whole, and rows of figures, as text; numbers are gauges, texts are labels."""
    for name in (prefix, *labels):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InvalidInputError(
                f"Names in OpenMetrics must be letters, digits and underscores; got {show(name)}. "
                "Hint: for example labels={'model': 'new'}."
            )
    given = {name: str(text) for name, text in labels.items()}
    shared = given | _texts(facts)
    samples: dict[str, list[tuple[dict[str, str], float]]] = {}
    for name, number in _numbers(facts).items():
        samples.setdefault(name, []).append((shared, number))
    for row in rows:
        own = shared | _texts(row)
        for name, number in _numbers(row).items():
            samples.setdefault(name, []).append((own, number))
    lines = []
    for name, found in samples.items():
        lines.append(f"# TYPE {prefix}_{name} gauge")
        lines += [f"{prefix}_{name}{_braced(own)} {_written(number)}" for own, number in found]
    return "\n".join([*lines, "# EOF", ""])


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Return the figures among values, with names that OpenMetrics has; truth values are 0 and 1."""
    return {_named(name): float(one) for name, one in values.items() if isinstance(one, bool | int | float)}


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts among values, and options by their names."""
    out: dict[str, str] = {}
    for name, one in values.items():
        if isinstance(one, str):
            out[_named(name)] = one
        elif isinstance(one, Mapping) and name == "options":
            out |= {_named(option): str(value) for option, value in one.items()}
    return out


def _named(name: str) -> str:
    plain = re.sub(r"[^a-zA-Z0-9_]", "_", name)
    return plain if _NAME.fullmatch(plain) else f"_{plain}"


def _braced(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    written = (f'{name}="{"".join(_ESCAPED.get(sign, sign) for sign in text)}"' for name, text in labels.items())
    return "{" + ",".join(written) + "}"


def _written(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    return repr(int(number)) if number.is_integer() and abs(number) < 2.0**53 else repr(number)
