"""Colours, marks and words of the drawings."""

from __future__ import annotations

import math
from typing import Any

# The colours of the report: Okabe and Ito's, darkened until letters in them are read well on white.
_COLOURS = ("#0068ad", "#c04700", "#00805c", "#b04a86", "#8a6400", "#a3243b", "#5b5fc7", "#3a3d44")
# Dashes with short gaps: a second cue for readers who see no colour, or print none.
_DASHES: tuple[Any, ...] = (
    "-", (0, (9, 1)), (0, (4, 1)), (0, (9, 1, 2, 1)), (0, (2, 0.8)), (0, (9, 1, 2, 1, 2, 1)),
)  # fmt: skip
_DASH_OF = (0, 1, 2, 3, 4, 5, 2, 1)
_LOOKS = tuple((_COLOURS[i % 8], _DASHES[(_DASH_OF[i % 8] + i // 8) % 6]) for i in range(48))
PALETTE = tuple(colour for colour, _ in _LOOKS)
"""Colours of lines, in their order; with its dashes a colour comes back after forty-eight lines."""
LINE_STYLES = tuple(dash for _, dash in _LOOKS)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
LINE_WIDTH = 2.0
AID = "#8A8A8A"
AID_TEXT = "#6B6B6B"
REGION_ALPHA = 0.24
GRID_ALPHA = 0.18


def area_text(value: float) -> str:
    """Return an area with three decimals, never rounded up to 1 nor down to 0."""
    if value < 1.0 and round(value, 3) == 1.0:
        return "> 0.999"
    if 0.0 < value < 0.01:
        return f"{value:.2g}"
    return f"{value:.3f}"


def curve_label(
    name: str | None, area_name: str, value: float | None, ends: tuple[float, float] | None = None
) -> str | None:
    """Return what the legend says of a curve, such as `logistic (AUC 0.934)`, with the ends of the area's interval."""
    if value is None or math.isnan(value):
        return name
    area = f"{area_name} {area_text(value)}"
    if ends is not None:
        area += f", {area_text(ends[0])} to {area_text(ends[1])}"
    return f"{name} ({area})" if name else area


def number_text(value: float) -> str:
    """Return a threshold or share as a reader would write it."""
    number = float(value)
    text = f"{number:.4g}" if abs(number) < 1e4 else f"{number:.6g}"
    return text.replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")
