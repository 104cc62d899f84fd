"""Values with their intervals, drawn: a forest plot, metrics over thresholds, a measure over time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from thresher._core.checks import show
from thresher._decide import MetricCurve
from thresher._horizons import OverTime
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import (
    AID,
    LINE_STYLES,
    LINE_WIDTH,
    MARKERS,
    PALETTE,
    add_grid,
    check_axes,
    draw_band,
    new_axes,
)
from thresher.plotting._place import add_legend

_ROW = 0.38  # inches
_MOST = 60
_PLACES = ("lower center", "lower left", "lower right", "upper right", "upper left", "center right", "center")


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


class MetricCurveDisplay:
    """Metrics against the threshold, the depth or another metric.

    Parameters
    ----------
    curve : MetricCurve
        What `Scores.metric_curve` returns.
    name : str, optional
        The title.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_, bands_ : list of matplotlib artists
        A line for each metric, and the shaded bands, if they were asked for.
    legend_ : matplotlib Legend
        The legend.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.Scores(data.y_true, data.logistic).metric_curve("mcc", "f1").plot(band=True)
    >>> [line.get_label() for line in display.lines_], display.ax_.get_xlabel()
    (['mcc', 'f1'], 'Threshold')
    """

    def __init__(self, curve: MetricCurve, *, name: str | None = None) -> None:
        if not isinstance(curve, MetricCurve):
            raise InvalidTypeError(
                f"`curve` must be a MetricCurve; got {type(curve).__name__}. Hint: pass `scores.metric_curve('mcc')`."
            )
        self.curve = curve
        self.name = name

    def plot(
        self, ax: Any = None, *, band: bool = False, simultaneous: bool = False, confidence_level: float = 0.95
    ) -> Self:
        """Draw the metrics, as steps against the threshold and as a path otherwise.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        band : bool, default=False
            Shade the band of each metric.
        simultaneous, confidence_level
            As in `MetricCurve.band`.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> curve = th.Scores(data.y_true, data.logistic).metric_curve("precision", x="recall")
        >>> display = th.plotting.MetricCurveDisplay(curve, name="logistic").plot()
        >>> display.ax_.get_xlabel(), display.ax_.get_title()
        ('Recall', 'logistic')
        """
        self.ax_ = ax = new_axes(1, (6.0, 4.4))[0] if ax is None else check_axes(ax)
        self.figure_ = ax.figure
        self.lines_: list[Any] = []
        self.bands_: list[Any] = []
        curve, steps = self.curve, self.curve.x_name == "threshold"
        order = np.argsort(curve.x, kind="stable") if steps else np.arange(curve.x.size)
        order = order[np.isfinite(curve.x[order])]
        for number, (name, values) in enumerate(zip(curve.names, curve.values, strict=True)):
            colour = PALETTE[number % len(PALETTE)]
            style = {"color": colour, "linestyle": LINE_STYLES[number % len(LINE_STYLES)], "linewidth": LINE_WIDTH}
            if steps:  # a threshold between two scores predicts what the higher one does
                style["drawstyle"] = "steps-pre"
            shown = order[np.isfinite(values[order])]  # where it is not defined there is no point
            self.lines_ += ax.plot(curve.x[shown], values[shown], label=name, zorder=3, **style)
            if band:
                found = curve.band(name, confidence_level, simultaneous=simultaneous)
                self.bands_.append(draw_band(ax, found, colour=colour))
        ax.set_xlabel(curve.x_name.replace("_", " ").capitalize())
        ax.set_ylabel(curve.names[0].replace("_", " ") if len(curve.names) == 1 else "Value")
        add_grid(ax)
        if self.name is not None:
            ax.set_title(self.name)
        self.legend_ = add_legend(ax, _PLACES)
        return self


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
