"""Axes and marks in which the papers' figures are redrawn."""

from __future__ import annotations

from typing import Any

import numpy as np

import thresher as th
from papers.needs import needs

__all__ = [
    "AID",
    "MARKERS",
    "PALETTE",
    "draw_pr",
    "draw_roc",
    "legend",
    "line",
    "panels",
    "plain_axes",
    "pr_axes",
    "roc_axes",
    "style",
]

# Okabe and Ito's colours without yellow; dashes for readers who see no colour, or print none.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINE_STYLES = ("-", (0, (9, 1)), (0, (4, 1)), (0, (9, 1, 2, 1)), (0, (2, 0.8)), "-", (0, (9, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
AID = "#8A8A8A"
_MARGIN = 0.015


def panels(
    rows: int, columns: int, *, width: float = 4.4, height: float = 4.4, layout: str = "constrained"
) -> tuple[Any, Any]:
    """Return a figure that no window knows of, and an array of its axes."""
    figure = needs("matplotlib.figure", extra="plot").Figure(figsize=(width * columns, height * rows), layout=layout)
    return figure, figure.subplots(rows, columns, squeeze=False)


def roc_axes(ax: Any, title: str = "") -> Any:
    """Dress axes as ROC space, with the diagonal of a worthless score."""
    _unit_square(ax, x="False positive rate", y="True positive rate")
    ax.plot([0, 1], [0, 1], color=AID, linewidth=1.0, linestyle=(0, (2, 2)), zorder=1.5)
    ax.set_title(title, fontsize=11)
    return ax


def pr_axes(ax: Any, title: str = "", *, prevalence: float | None = None, bound: bool = False) -> Any:
    """Dress axes as PR space, with the precision of a worthless score and the lowest that any can have."""
    _unit_square(ax, x="Recall", y="Precision")
    if prevalence is not None:
        ax.axhline(prevalence, color=AID, linewidth=1.0, linestyle=(0, (2, 2)), zorder=1.5)
        if bound:
            x = np.linspace(0.0, 1.0, 201)
            lowest = prevalence * x / (prevalence * x + 1.0 - prevalence)
            ax.plot(x, lowest, color=AID, linewidth=1.0, zorder=1.5)
    ax.set_title(title, fontsize=11)
    return ax


def _unit_square(ax: Any, *, x: str, y: str) -> None:
    plain_axes(ax, x=x, y=y)
    ax.set(xlim=(-_MARGIN, 1 + _MARGIN), ylim=(-_MARGIN, 1 + _MARGIN))
    ax.set_aspect("equal", adjustable="box")


def plain_axes(ax: Any, *, x: str, y: str, title: str = "") -> Any:
    """Dress axes that are not the unit square."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_title(title, fontsize=11)
    ax.grid(True, color=AID, alpha=0.18, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def style(index: int) -> dict[str, Any]:
    """Return the look of curve number `index`: colour, and dashes for readers without colour."""
    return {"color": PALETTE[index], "linestyle": LINE_STYLES[index], "linewidth": 2.0, "zorder": 3}


def line(ax: Any, x: Any, y: Any, index: int, *, label: str | None = None, **kwargs: Any) -> Any:
    """Draw a line in the look of curve number `index`."""
    return ax.plot(x, y, label=label, **{**style(index), **kwargs})[0]


def draw_roc(ax: Any, curve: th.RocCurve, index: int, *, label: str | None = None, **kwargs: Any) -> Any:
    """Draw a ROC curve."""
    return line(ax, curve.fpr, curve.tpr, index, label=label, **kwargs)


def draw_pr(ax: Any, curve: th.PrCurve, index: int, *, label: str | None = None, **kwargs: Any) -> Any:
    """Draw a PR curve, bent between its points as it must be."""
    recall, precision = [curve.recall[:1]], [curve.precision[1:2]]
    for at in range(1, len(curve)):
        before, after = float(curve.recall[at - 1]), float(curve.recall[at])
        if after > before and at > 1:
            # Closer together at the start, where precision bends most.
            inner = before + (after - before) * np.linspace(0.0, 1.0, 65)[1:-1] ** 2
            recall.append(inner)
            precision.append(curve.interpolate(inner))
        recall.append(curve.recall[at : at + 1])
        precision.append(curve.precision[at : at + 1])
    return line(ax, np.concatenate(recall), np.concatenate(precision), index, label=label, **kwargs)


def legend(ax: Any, place: str = "best", **kwargs: Any) -> None:
    """Add a legend with handles long enough to show dashes."""
    ax.legend(**{"loc": place, "frameon": False, "handlelength": 2.8, "fontsize": 9, **kwargs})
