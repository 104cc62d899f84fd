"""The drawn decision curve."""

from __future__ import annotations

from typing import Any, Self

from thresher._core.optional import require
from thresher._decide import DecisionCurve
from thresher._facade import Scores
from thresher.plotting._axes import check_axes
from thresher.plotting._inputs import check_scores
from thresher.plotting._style import AID, GRID_ALPHA, LINE_STYLES, LINE_WIDTH, PALETTE

__all__ = ["DecisionCurveDisplay"]


class DecisionCurveDisplay:
    """A decision curve, drawn with those of acting on all and on none.

    Parameters
    ----------
    curve : DecisionCurve
        What is drawn.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of those axes.
    line_ : matplotlib Line2D
        The curve.
    band_ : matplotlib artist or None
        The shaded band.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> display = th.DecisionCurveDisplay.from_scores(th.Scores(data.y_true, data.logistic), name="logistic")
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['act on all', 'act on none', 'logistic']
    >>> plt.close(display.figure_)
    """

    def __init__(self, curve: DecisionCurve, *, name: str | None = None) -> None:
        self.curve = curve
        self.name = name

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        name: str | None = None,
        prevalence: float | None = None,
        calibrate: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the decision curve of scores.

        Parameters
        ----------
        scores : Scores
            Probabilities, or any scores with ``calibrate="hull"``.
        name : str, optional
            What the legend calls it.
        prevalence, calibrate
            As in `Scores.decision_curve`.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        **options
            The options of `plot`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.DecisionCurveDisplay.from_scores(th.Scores(data.y_true, data.tree), band=True)
        >>> display.band_ is None
        False
        >>> plt.close(display.figure_)
        """
        curve = check_scores(scores).decision_curve(prevalence=prevalence, calibrate=calibrate)
        return cls(curve, name=name).plot(ax, **options)

    def plot(self, ax: Any = None, *, band: bool = False, confidence_level: float = 0.95, legend: bool = True) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        band : bool, default=False
            Whether the pointwise band is shaded.
        confidence_level : float, default=0.95
            Of the band.
        legend : bool, default=True
            Whether to add one.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> curve = th.Scores(data.y_true, data.tree).decision_curve()
        >>> display = th.DecisionCurveDisplay(curve).plot(legend=False)
        >>> display.ax_.get_ylabel()
        'Net benefit'
        >>> plt.close(display.figure_)
        """
        if ax is None:
            ax = require("matplotlib.pyplot", extra="plot", purpose="A plot").subplots(layout="constrained")[1]
        self.ax_ = check_axes(ax)
        self.figure_ = ax.figure
        if not ax.lines:
            ax.set_prop_cycle(color=PALETTE, linestyle=LINE_STYLES)
        curve = self.curve
        x = curve.threshold_probability
        if not any(line.get_label() == "act on all" for line in ax.lines):
            ax.plot(x, curve.treat_all, color=AID, linewidth=1.2, label="act on all")
            ax.axhline(0.0, color=AID, linewidth=1.2, linestyle="--", label="act on none")
        label = (self.name or "act on the score") + (" (achievable in sample)" if curve.calibrated else "")
        (self.line_,) = ax.plot(x, curve.net_benefit, linewidth=LINE_WIDTH, label=label)
        self.band_: Any = None
        if band:
            limits = curve.band(confidence_level)
            self.band_ = ax.fill_between(
                limits.x, limits.low, limits.high, color=self.line_.get_color(), alpha=0.2, linewidth=0
            )
        top = max(float(curve.net_benefit.max()), curve.prevalence)
        ax.set(xlabel="Threshold probability", ylabel="Net benefit", xlim=(0, 1))
        ax.set_ylim(-0.15 * top, 1.08 * top)  # acting on all falls without end
        ax.grid(True, color=AID, alpha=GRID_ALPHA, linewidth=0.8)
        if legend:
            ax.legend(loc="best", fontsize="small", framealpha=0.9)
        return self
