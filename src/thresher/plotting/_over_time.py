"""The drawn values of a measure over time."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from thresher._horizons import OverTime
from thresher.exceptions import InvalidTypeError
from thresher.plotting._axes import add_grid, check_axes, new_axes
from thresher.plotting._style import LINE_STYLES, MARKERS, PALETTE

__all__ = ["OverTimeDisplay"]


class OverTimeDisplay:
    """A measure over time, drawn with its intervals or its band, and the cases known at each horizon below it.

    Parameters
    ----------
    found : OverTime
        What is drawn, from `TimeDependent.measure` or `TimeDependent.band`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_ : list of matplotlib Line2D
        The line of each model.
    legend_ : matplotlib Legend or None
        The legend.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> found = th.time_dependent(data.time, data.event, data.models, [365, 730, 1095])
    >>> display = th.plotting.OverTimeDisplay(found.band("roc_auc")).plot()
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['index', 'marker']
    """

    def __init__(self, found: OverTime) -> None:
        if not isinstance(found, OverTime):
            raise InvalidTypeError(
                f"`found` must be an OverTime; got {type(found).__name__}. "
                "Hint: `th.time_dependent(...).measure('roc_auc')`."
            )
        self.found = found

    def plot(self, ax: Any = None, *, numbers: bool = True, legend: bool = True) -> Self:
        """Draw each model's values over the horizons.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        numbers : bool, default=True
            Whether to write under each horizon how many cases and controls are known.
        legend : bool, default=True
            Whether to add one, if there are several models.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event, data.index, [365, 730, 1095]).measure("brier")
        >>> display = th.plotting.OverTimeDisplay(found).plot(numbers=False)
        >>> display.ax_.get_ylabel(), display.legend_ is None
        ('brier', True)
        """
        found = self.found
        self.ax_ = new_axes()[0] if ax is None else check_axes(ax)
        self.figure_ = self.ax_.figure
        times = np.unique(found.t)
        self.lines_: list[Any] = []
        gap = float(np.diff(times).min()) if times.size > 1 else 1.0
        for i, model in enumerate(found.models):
            at = found.of(model)
            colour, style = PALETTE[i % len(PALETTE)], LINE_STYLES[i % len(LINE_STYLES)]
            x = found.t[at] + (0.0 if found.simultaneous else 0.06 * gap * (i - (len(found.models) - 1) / 2.0))
            (line,) = self.ax_.plot(
                x, found.value[at], color=colour, linestyle=style, marker=MARKERS[i % len(MARKERS)], label=model
            )
            self.lines_.append(line)
            if found.simultaneous:
                self.ax_.fill_between(x, found.low[at], found.high[at], color=colour, alpha=0.15, linewidth=0.0)
            else:
                self.ax_.vlines(x, found.low[at], found.high[at], color=colour, alpha=0.6)
        self.ax_.set_ylabel(found.metric)
        add_grid(self.ax_)
        self.ax_.set_xticks(times)
        self.ax_.set_xlabel("Time")
        if numbers:
            first = found.of(found.models[0])
            order = np.argsort(found.t[first])
            cases, controls = found.cases[first][order], found.controls[first][order]
            rows = zip(times.tolist(), cases.tolist(), controls.tolist(), strict=True)
            self.ax_.set_xticklabels([f"{t:g}\n{c:,}\n{f:,}" for t, c, f in rows])
            self.ax_.set_xlabel("Time; cases and controls known by then")
        several = legend and len(found.models) > 1
        self.legend_ = self.ax_.legend(frameon=False) if several else None
        return self
