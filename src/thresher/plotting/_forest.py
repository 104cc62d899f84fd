"""The forest plot: a row for each estimate, segment, gap or contrast, with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import add_grid, check_axes, new_axes
from thresher.plotting._style import AID, PALETTE

__all__ = ["ForestDisplay"]

_ROW = 0.38  # inches
_MOST = 60


class ForestDisplay:
    """A forest plot: estimates or contrasts of them, the values of segments or the gaps between them, with intervals.

    Parameters
    ----------
    result : Estimates, SimultaneousIntervals, GroupIntervals, GroupGaps or Fairness
        What is drawn: of `thresher.estimates`, or what `intervals`, `gaps` and `fairness` of `thresher.by_group`
        return. At most 60 rows.
    name : str, optional
        The title.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    rows_ : ErrorbarContainer
        The points with their intervals.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> groups = th.by_group(data.y_true, data.tree, ["a", "b", "c"] * 599, metric="recall", threshold=0.5)
    >>> display = groups.intervals().plot()
    >>> display.ax_.get_xlabel(), [text.get_text() for text in display.ax_.get_yticklabels()]
    ('recall (threshold 0.5)', ['a', 'b', 'c'])
    """

    def __init__(self, result: Any, *, name: str | None = None) -> None:
        if not hasattr(result, "_forest"):
            raise InvalidTypeError(
                f"`result` must be estimates, or the intervals, gaps or fairness of segments; got {show(result)}. "
                "Hint: `th.estimates(...)` or `th.by_group(y_true, y_score, by).intervals()`."
            )
        self.result = result
        self.name = name

    def plot(
        self, ax: Any = None, *, color: Any = PALETTE[0], errorbar_kwargs: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw the rows, the first one on top.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        color : color, optional
            Of points and intervals.
        errorbar_kwargs : dict, optional
            Properties of the points and intervals, as `matplotlib.axes.Axes.errorbar` takes them.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> gaps = th.by_group(data.y_true, data.tree, ["a", "b", "c"] * 599).gaps("a")
        >>> display = th.plotting.ForestDisplay(gaps).plot(color="black")
        """
        label, rows, zero = self.result._forest()
        if len(rows) > _MOST:
            raise InvalidInputError(
                f"A forest plot has at most {_MOST} rows; got {len(rows):,}. Hint: plot some of them."
            )
        self.ax_ = ax = new_axes(1, (6.0, 1.2 + _ROW * len(rows)))[0] if ax is None else check_axes(ax)
        self.figure_ = ax.figure
        shown = [(number, *row[1:]) for number, row in enumerate(rows) if math.isfinite(row[1])]
        places, values, lows, highs = zip(*shown, strict=True) if shown else ((), (), (), ())
        # An estimate without an interval is a point.
        reach = [
            [max(x - end, 0.0) if math.isfinite(end) else 0.0 for x, end in zip(values, lows, strict=True)],
            [max(end - x, 0.0) if math.isfinite(end) else 0.0 for x, end in zip(values, highs, strict=True)],
        ]
        style = {"fmt": "o", "color": color, "capsize": 3.0, "linewidth": 1.6, "zorder": 3, **(errorbar_kwargs or {})}
        self.rows_ = ax.errorbar(values, places, xerr=reach, **style)
        if zero is not None:
            ax.axvline(zero, color=AID, linewidth=1.0, zorder=1.5)
        ax.set_yticks(range(len(rows)), [row[0] for row in rows])
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_xlabel(label)
        add_grid(ax, "x", ("top", "right", "left"))
        ax.tick_params(axis="y", length=0)
        if self.name is not None:
            ax.set_title(self.name)
        return self
