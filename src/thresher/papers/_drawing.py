"""Axes and marks in which the papers' figures are redrawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.optional import require
from thresher._curves import PrCurve, RocCurve
from thresher.plotting._axes import dress
from thresher.plotting._paths import pr_path, roc_path
from thresher.plotting._style import AID, LINE_STYLES, LINE_WIDTH, PALETTE

__all__ = ["draw_pr", "draw_roc", "legend", "line", "panels", "plain_axes", "pr_axes", "roc_axes", "style"]


def panels(
    rows: int, columns: int, *, width: float = 4.4, height: float = 4.4, layout: str = "constrained"
) -> tuple[Any, Any]:
    """Return a figure that no window knows of, and an array of its axes."""
    figure = require("matplotlib.figure", extra="plot", purpose="A figure of a paper").Figure(
        figsize=(width * columns, height * rows), layout=layout
    )
    return figure, figure.subplots(rows, columns, squeeze=False)


def roc_axes(ax: Any, title: str = "") -> Any:
    """Dress axes as ROC space, with the diagonal of a worthless score."""
    dress(ax, x="False positive rate", y="True positive rate")
    ax.plot([0, 1], [0, 1], color=AID, linewidth=1.0, linestyle=(0, (2, 2)), zorder=1.5)
    ax.set_title(title, fontsize=11)
    return ax


def pr_axes(ax: Any, title: str = "", *, prevalence: float | None = None, bound: bool = False) -> Any:
    """Dress axes as PR space, with the precision of a worthless score and the lowest that any can have."""
    dress(ax, x="Recall", y="Precision")
    if prevalence is not None:
        ax.axhline(prevalence, color=AID, linewidth=1.0, linestyle=(0, (2, 2)), zorder=1.5)
        if bound:
            x = np.linspace(0.0, 1.0, 201)
            lowest = prevalence * x / (prevalence * x + 1.0 - prevalence)
            ax.plot(x, lowest, color=AID, linewidth=1.0, zorder=1.5)
    ax.set_title(title, fontsize=11)
    return ax


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
    return {"color": PALETTE[index], "linestyle": LINE_STYLES[index], "linewidth": LINE_WIDTH, "zorder": 3}


def line(ax: Any, x: Any, y: Any, index: int, *, label: str | None = None, **kwargs: Any) -> Any:
    """Draw a line in the look of curve number `index`."""
    return ax.plot(x, y, label=label, **{**style(index), **kwargs})[0]


def draw_roc(ax: Any, curve: RocCurve, index: int, *, label: str | None = None, **kwargs: Any) -> Any:
    """Draw a ROC curve."""
    return line(ax, *roc_path(curve), index, label=label, **kwargs)


def draw_pr(ax: Any, curve: PrCurve, index: int, *, label: str | None = None, **kwargs: Any) -> Any:
    """Draw a PR curve, bent between its points as it must be."""
    return line(ax, *pr_path(curve), index, label=label, **kwargs)


def legend(ax: Any, place: str = "best", **kwargs: Any) -> None:
    """Add a legend with handles long enough to show dashes."""
    ax.legend(**{"loc": place, "frameon": False, "handlelength": 2.8, "fontsize": 9, **kwargs})
