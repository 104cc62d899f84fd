"""Metrics of the confusion matrix over all thresholds, drawn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from thresher._decide import MetricCurve
from thresher.exceptions import InvalidTypeError
from thresher.plotting._axes import add_grid, check_axes, draw_band, new_axes
from thresher.plotting._legend import add_legend
from thresher.plotting._style import LINE_STYLES, LINE_WIDTH, PALETTE

__all__ = ["MetricCurveDisplay"]

_PLACES = ("lower center", "lower left", "lower right", "upper right", "upper left", "center right", "center")


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
