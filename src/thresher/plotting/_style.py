"""Colours, marks and words of the drawings."""

from __future__ import annotations

import math

__all__ = [
    "AID",
    "AID_TEXT",
    "GRID_ALPHA",
    "LINE_STYLES",
    "LINE_WIDTH",
    "MARKERS",
    "PALETTE",
    "REGION_ALPHA",
    "area_text",
    "curve_label",
    "number_text",
]

# Okabe and Ito's colours without yellow, which is lost on white paper.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Long dashes with short gaps: a second cue for readers who see no colour, or print none.
LINE_STYLES = ("-", (0, (9, 1)), (0, (4, 1)), (0, (9, 1, 2, 1)), (0, (2, 0.8)), "-", (0, (9, 1)))
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


def curve_label(name: str | None, area_name: str, value: float | None) -> str | None:
    """Return what the legend says of a curve, such as `logistic (AUC 0.934)`."""
    if value is None or math.isnan(value):
        return name
    area = f"{area_name} {area_text(value)}"
    return f"{name} ({area})" if name else area


def number_text(value: float) -> str:
    """Return a threshold or share as a reader would write it."""
    number = float(value)
    text = f"{number:.4g}" if abs(number) < 1e4 else f"{number:.6g}"
    return text.replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")
