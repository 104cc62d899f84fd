"""Colours and words of the drawings, and what all displays do with their axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thresher._core.checks import require, show
from thresher.exceptions import InvalidTypeError
from thresher.plotting._inputs import Mark

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


BAND = "thresher band"
"""By its gid the legend knows parts of one kind, of which it names one for all models: bands are such."""
MARGIN = 0.015
"""How far the axes reach beyond [0, 1], so that lines along the border are seen in full."""


def new_axes(count: int = 1, size: tuple[float, float] = (5.0, 5.0)) -> list[Any]:
    """Return axes side by side in a new figure, each of a size in inches."""
    pyplot = require("matplotlib.pyplot", extra="plot", purpose="A plot")
    _, axes = pyplot.subplots(1, count, figsize=(size[0] * count, size[1]), layout="constrained", squeeze=False)
    return list(axes[0])


def check_axes(ax: object, name: str = "ax") -> Any:
    """Return what can be drawn on, or say what can."""
    if not (hasattr(ax, "plot") and hasattr(ax, "set_xlabel")):
        raise InvalidTypeError(
            f"`{name}` must be matplotlib Axes; got {show(ax)} of type {type(ax).__name__}. "
            "Hint: `figure, ax = matplotlib.pyplot.subplots()`; leave it out for new ones."
        )
    return ax


def dress(ax: Any, *, x: str, y: str, log_x_from: float | None = None) -> None:
    """Give axes their labels, limits and shape; empty ones also a palette that colour-blind readers can use."""
    if not ax.lines:
        ax.set_prop_cycle(color=PALETTE, linestyle=LINE_STYLES)
    fresh = not ax.has_data()
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_ylim(-MARGIN, 1.0 + MARGIN)
    if log_x_from is None:
        ax.set_xlim(-MARGIN, 1.0 + MARGIN)
        ax.set_aspect("equal", adjustable="box")
    else:
        ax.set_xscale("log")
        ax.set_xlim(log_x_from if fresh else min(log_x_from, ax.get_xlim()[0]), 1.15)
        ax.set_aspect("auto")
        ax.set_box_aspect(1)
    add_grid(ax)


def add_grid(ax: Any, axis: str = "both", without: tuple[str, ...] = ("top", "right")) -> None:
    """Draw a pale grid under everything, and leave out sides of the frame."""
    ax.grid(True, axis=axis, color=AID, alpha=GRID_ALPHA, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in without:
        ax.spines[side].set_visible(False)


def is_drawn(ax: Any, label: str) -> bool:
    """Return whether a line or region with this label is there already."""
    return any(artist.get_label() == label for artist in (*ax.lines, *ax.collections))


def draw_reference(ax: Any, x: Any, y: Any, label: str, linestyle: Any = (0, (1, 2)), linewidth: float = 1.4) -> Any:
    """Draw a grey line to read curves by, such as that of chance, once for all models; None where it is there."""
    if is_drawn(ax, label):
        return None
    return ax.plot(x, y, color=AID, linestyle=linestyle, linewidth=linewidth, zorder=1.5, label=label)[0]


def coloured(kwargs: Mapping[str, Any] | None, color: Any) -> Mapping[str, Any] | None:
    """Return the properties of a line with the colour that was given beside them."""
    return kwargs if color is None else {**(kwargs or {}), "color": color}


def draw_curve(ax: Any, x: Any, y: Any, *, label: str | None, kwargs: Mapping[str, Any] | None) -> Any:
    """Draw a curve and return its line."""
    given: dict[str, Any] = {}
    if kwargs is not None:
        line = require("matplotlib.lines", extra="plot", purpose="A plot").Line2D
        given = require("matplotlib.cbook", extra="plot", purpose="A plot").normalize_kwargs(dict(kwargs), line)
    style = {"linewidth": LINE_WIDTH, "zorder": 3, "solid_joinstyle": "round", "label": label, **given}
    return ax.plot(x, y, **style)[0]


def draw_band(ax: Any, band: Any, *, colour: Any) -> Any:
    """Shade a band: anything with arrays `x`, `low` and `high`, and perhaps a `confidence_level`."""
    if band is None:
        return None
    if not all(hasattr(band, name) for name in ("x", "low", "high")):
        raise InvalidTypeError(
            f"`band` must have the arrays `x`, `low` and `high`; got {show(band)} of type {type(band).__name__}. "
            "Hint: pass what `roc_band` or `pr_band` of the scores returns."
        )
    level = getattr(band, "confidence_level", None)
    label = "band" if level is None else f"{100 * level:g}% band"
    label = f"_{label}" if is_drawn(ax, label) else label  # one entry of the legend stands for the bands of all models
    x, low, high = (np.asarray(getattr(band, name), dtype=np.float64) for name in ("x", "low", "high"))
    shade = ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0, zorder=1.8, label=label)
    shade.set_gid(BAND)
    return shade


def draw_marks(ax: Any, marks: Sequence[Mark], places: Sequence[tuple[float, float]], *, colour: Any) -> list[Any]:
    """Draw one marker a point, its shape by its number, and return the lines."""
    return [
        ax.plot(
            [x], [y], linestyle="none", marker=MARKERS[number % len(MARKERS)], markersize=7.5, color=colour,
            markeredgecolor=ax.get_facecolor(), markeredgewidth=1.0, zorder=5, clip_on=False,
            label=f"_mark {mark.text}",
        )[0]
        for number, (mark, (x, y)) in enumerate(zip(marks, places, strict=True))
    ]  # fmt: skip
