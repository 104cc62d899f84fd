"""The drawn calibration curve with the histogram of the scores, and the drawn Murphy diagram."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from thresher._core.optional import require
from thresher._facade import Scores
from thresher._inference import Calibration
from thresher.plotting._axes import check_axes, dress
from thresher.plotting._inputs import check_scores
from thresher.plotting._style import AID, GRID_ALPHA, LINE_STYLES, LINE_WIDTH, PALETTE

__all__ = ["CalibrationDisplay", "MurphyDisplay"]

_BINS = 40


class CalibrationDisplay:
    """A reliability diagram: the calibration curve over the diagonal, bands, and below it how the scores lie.

    Make one with `from_scores`, which draws at once.

    Parameters
    ----------
    calibration : Calibration
        What is drawn.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_, ax_histogram_ : matplotlib Axes
        Where the curve, and where the histogram was drawn; the latter is None on axes that were given.
    figure_ : matplotlib Figure
        The figure of those axes.
    line_ : matplotlib Line2D
        The curve.
    band_, consistency_ : matplotlib artist or None
        The honest band, outlined, and the consistency band, shaded.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.CalibrationDisplay.from_scores(th.Scores(data.y_true, data.logistic), name="logistic", rng=0)
    >>> display.line_.get_label()
    'logistic (MCB 0.0122)'
    >>> plt.close(display.figure_)
    """

    def __init__(self, calibration: Calibration, *, name: str | None = None) -> None:
        self.calibration = calibration
        self.name = name

    @classmethod
    def from_scores(
        cls, scores: Scores, *, name: str | None = None, prevalence: float | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the calibration of scores.

        Parameters
        ----------
        scores : Scores
            Scores in [0, 1].
        name : str, optional
            What the legend calls it.
        prevalence : float, optional
            As in `Scores.calibration`; bands are drawn at the data's own prevalence only.
        ax : matplotlib Axes, optional
            Where to draw the curve, without histogram; new axes by default.
        **options
            The options of `plot`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.CalibrationDisplay.from_scores(th.Scores(data.y_true, data.tree), band=None)
        >>> display.ax_.get_ylabel()
        'Share of positives'
        >>> plt.close(display.figure_)
        """
        return cls(check_scores(scores).calibration(prevalence=prevalence), name=name).plot(ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        band: str | None = "honest",
        consistency: bool = True,
        confidence_level: float = 0.95,
        legend: bool = True,
        rng: Any = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes with a histogram below them by default.
        band : {"honest"} or None
            Whether the honest band is outlined.
        consistency : bool, default=True
            Whether what a calibrated model would show is shaded.
        confidence_level : float, default=0.95
            Of both bands.
        legend : bool, default=True
            Whether to add one.
        rng : int, optional
            A seed for the consistency band.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> calibration = th.Scores(data.y_true, data.tree).calibration()
        >>> display = th.CalibrationDisplay(calibration).plot(consistency=False)
        >>> display.consistency_ is None
        True
        >>> plt.close(display.figure_)
        """
        calibration = self.calibration
        self.ax_histogram_: Any = None
        if ax is None:
            pyplot = require("matplotlib.pyplot", extra="plot", purpose="A plot")
            _, (ax, self.ax_histogram_) = pyplot.subplots(
                2, 1, figsize=(5.0, 6.2), layout="constrained", sharex=True, height_ratios=(4, 1)
            )
        self.ax_ = check_axes(ax)
        self.figure_ = ax.figure
        dress(ax, x="Score", y="Share of positives")
        if not any(line.get_label() == "calibrated" for line in ax.lines):
            ax.plot([0, 1], [0, 1], color=AID, linewidth=1.2, linestyle="--", label="calibrated", zorder=1.1)
        parts = calibration.decomposition()
        label = f"{self.name} (MCB {parts.miscalibration:.3g})" if self.name else f"MCB {parts.miscalibration:.3g}"
        x, y = calibration.scores[::-1], calibration.calibrated[::-1]
        (self.line_,) = ax.plot(x, y, linewidth=LINE_WIDTH, label=label, solid_joinstyle="round")
        colour = self.line_.get_color()
        plain = calibration._prevalence is None and not calibration.counts.weighted
        self.consistency_: Any = None
        self.band_: Any = None
        if consistency and plain:
            shade = calibration.band(
                confidence_level, method="consistency", simultaneous=False, n_resamples=400, rng=rng
            )
            self.consistency_ = ax.fill_between(
                shade.x, shade.low, shade.high, color=AID, alpha=0.25, linewidth=0, zorder=1, label="if calibrated"
            )
        if band is not None and plain:
            honest = calibration.band(confidence_level, method=band)
            for edge in (honest.low, honest.high):
                (self.band_,) = ax.step(
                    honest.x,
                    edge,
                    where="post" if edge is honest.low else "pre",
                    color=colour,
                    linewidth=1.0,
                    linestyle=":",
                    label="_",
                )
            self.band_.set_label(f"{confidence_level:.0%} honest band")
        if legend:
            ax.legend(loc="best", fontsize="small", framealpha=0.9)
        if self.ax_histogram_ is not None:
            self._histogram(self.ax_histogram_)
            ax.set_xlabel("")
        return self

    def _histogram(self, ax: Any) -> None:
        counts, x = self.calibration.counts, self.calibration.scores
        edges = np.linspace(0.0, 1.0, _BINS + 1)
        heights = [np.histogram(x, edges, weights=side)[0] for side in (counts.pos, counts.neg)]
        ax.bar(edges[:-1], heights[0], width=1 / _BINS, align="edge", color=PALETTE[1], label="positives")
        ax.bar(edges[:-1], -heights[1], width=1 / _BINS, align="edge", color=PALETTE[5], label="negatives")
        ax.axhline(0.0, color=AID, linewidth=0.8)
        most = max(float(max(side.max() for side in heights)), 1.0)
        ax.set_yscale("symlog", linthresh=max(most / 20.0, 1.0))
        ax.set(xlabel="Score", ylabel="Cases")
        ax.yaxis.set_major_formatter(lambda count, _: f"{abs(count):g}")
        ax.grid(True, color=AID, alpha=GRID_ALPHA, linewidth=0.8)
        ax.legend(loc="best", fontsize="x-small", framealpha=0.9)


class MurphyDisplay:
    """A Murphy diagram, drawn: the mean cost at every threshold, with what recalibration would leave of it.

    Parameters
    ----------
    calibration : Calibration
        What is drawn.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of those axes.
    line_, best_ : matplotlib Line2D
        The mean cost, and that of the recalibrated scores.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.MurphyDisplay.from_scores(th.Scores(data.y_true, data.logistic), name="logistic")
    >>> display.line_.get_label()
    'logistic (Brier 0.0412)'
    >>> plt.close(display.figure_)
    """

    def __init__(self, calibration: Calibration, *, name: str | None = None) -> None:
        self.calibration = calibration
        self.name = name

    @classmethod
    def from_scores(
        cls, scores: Scores, *, name: str | None = None, prevalence: float | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the Murphy diagram of scores; arguments as in `CalibrationDisplay.from_scores`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.MurphyDisplay.from_scores(th.Scores(data.y_true, data.tree))
        >>> display.ax_.get_xlabel()
        'Threshold'
        >>> plt.close(display.figure_)
        """
        return cls(check_scores(scores).calibration(prevalence=prevalence), name=name).plot(ax, **options)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw the diagram.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.MurphyDisplay(th.Scores(data.y_true, data.tree).calibration()).plot(legend=False)
        >>> display.ax_.get_legend() is None
        True
        >>> plt.close(display.figure_)
        """
        if ax is None:
            ax = require("matplotlib.pyplot", extra="plot", purpose="A plot").subplots(layout="constrained")[1]
        self.ax_ = check_axes(ax)
        self.figure_ = ax.figure
        if not ax.lines:
            ax.set_prop_cycle(color=PALETTE, linestyle=LINE_STYLES)
        curve = self.calibration.murphy()
        mean = self.calibration.decomposition().mean
        label = f"{self.name} (Brier {mean:.3g})" if self.name else f"Brier {mean:.3g}"
        if not any(line.get_label() == "constant prevalence" for line in ax.lines):
            ax.plot(
                curve.theta, curve.uncertainty, color=AID, linewidth=1.2, linestyle="--", label="constant prevalence"
            )
        (self.line_,) = ax.plot(curve.theta, curve.mean, linewidth=LINE_WIDTH, label=label)
        style = {"color": self.line_.get_color(), "linewidth": 1.2, "linestyle": ":"}
        (self.best_,) = ax.plot(curve.theta, curve.recalibrated, label="recalibrated", **style)
        ax.set(xlabel="Threshold", ylabel="Mean cost", xlim=(0, 1))
        ax.set_ylim(bottom=0.0)
        ax.grid(True, color=AID, alpha=GRID_ALPHA, linewidth=0.8)
        if legend:
            ax.legend(loc="best", fontsize="small", framealpha=0.9)
        return self
