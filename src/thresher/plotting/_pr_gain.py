"""The drawn precision-recall-gain curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypedDict, Unpack

import numpy as np

from thresher._curves import PrGainCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidTypeError
from thresher.plotting._axes import check_axes, draw_band, draw_curve, dress, is_drawn, new_axes
from thresher.plotting._inputs import check_scores
from thresher.plotting._place import add_legend, settle
from thresher.plotting._style import AID, curve_label
from thresher.typing import ArrayLike

__all__ = ["PrGainDisplay", "PrGainPlotOptions"]

_LEGEND_PLACES = (
    "lower left", "lower center", "center left", "center", "upper right", "upper center", "center right", "lower right",
)  # fmt: skip


class PrGainPlotOptions(TypedDict, total=False):
    """The keyword arguments of `PrGainDisplay.plot`."""

    chance: bool
    band: Any
    legend: bool
    curve_kwargs: Mapping[str, Any] | None


class PrGainDisplay:
    """A precision-recall-gain curve (Flach and Kull 2015), straight between thresholds as it is in this space.

    Make one with `from_scores` or `from_predictions`, which draw at once; `plot` draws again.

    Parameters
    ----------
    curve : PrGainCurve
        What is drawn. Points with a gain below 0, worse than calling everything positive, lie outside of the picture.
    name : str, optional
        The name to show in the legend, with the area.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of those axes.
    line_ : matplotlib Line2D
        The curve.
    chance_ : matplotlib Line2D or None
        Precision gain 0: that of calling everything positive, and of a score that knows nothing at any threshold.
    band_ : matplotlib artist or None
        The shaded band.
    legend_ : matplotlib Legend or None
        The legend.

    See Also
    --------
    PrCurveDisplay : The same counts in precision-recall space.

    References
    ----------
    P. Flach and M. Kull (2015), "Precision-Recall-Gain curves: PR analysis done right".

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")  # draws to files only, as a script on a server does
    >>> import matplotlib.pyplot as plt
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.tree)
    >>> display = th.PrGainDisplay.from_scores(scores, name="tree", band=scores.pr_gain_band())
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['tree (AUC-PRG 0.929)', '95% band', 'calling everything positive']
    >>> plt.close(display.figure_)
    """

    ax_: Any
    figure_: Any
    line_: Any
    chance_: Any
    band_: Any
    legend_: Any

    def __init__(self, curve: PrGainCurve, *, name: str | None = None) -> None:
        if not isinstance(curve, PrGainCurve):
            raise InvalidTypeError(
                f"`curve` must be a PrGainCurve; got {type(curve).__name__}. Hint: pass `scores.pr_gain()`."
            )
        self.curve = curve
        self.name = name

    @classmethod
    def from_scores(
        cls, scores: Scores, *, name: str | None = None, ax: Any = None, **options: Unpack[PrGainPlotOptions]
    ) -> Self:
        """Draw the precision-recall-gain curve of scores.

        Parameters
        ----------
        scores : Scores
            The counts.
        name : str, optional
            What the legend calls it.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        **options
            The options of `plot`.

        Returns
        -------
        PrGainDisplay

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.PrGainDisplay.from_scores(th.Scores(data.y_true, data.tree), name="tree")
        >>> display.line_.get_label()
        'tree (AUC-PRG 0.929)'
        >>> plt.close(display.figure_)
        """
        return cls(check_scores(scores).pr_gain(), name=name).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        **options: Unpack[PrGainPlotOptions],
    ) -> Self:
        """Count labels and scores, and draw their precision-recall-gain curve.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight
            As for `Scores`.
        name : str, optional
            What the legend calls it.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        **options
            The options of `plot`.

        Returns
        -------
        PrGainDisplay

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.PrGainDisplay.from_predictions(data.y_true, data.logistic)
        >>> display.line_.get_label()
        'AUC-PRG 0.996'
        >>> plt.close(display.figure_)
        """
        scores = Scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return cls.from_scores(scores, name=name, ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance: bool = True,
        band: Any = None,
        legend: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        name : str, optional
            What the legend calls it, in place of the display's own name.
        chance : bool, default=True
            Draw the gain of calling everything positive, which is 0 in precision.
        band : CurveBand, optional
            What `pr_gain_band` of the scores returns; it is shaded.
        legend : bool, default=True
            Add a legend where it covers least.
        curve_kwargs : dict, optional
            Properties of the line, as `matplotlib.axes.Axes.plot` takes them.

        Returns
        -------
        PrGainDisplay
            This display.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> curve = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]).pr_gain()
        >>> display = th.PrGainDisplay(curve, name="eight cases").plot()
        >>> display.line_.get_label()
        'eight cases (AUC-PRG 0.431)'
        >>> plt.close(display.figure_)
        """
        self.ax_ = ax = new_axes()[0] if ax is None else check_axes(ax)
        self.figure_ = ax.figure
        dress(ax, x="Recall gain", y="Precision gain")
        label = curve_label(self.name if name is None else name, "AUC-PRG", self.curve.area)
        x, y = self._inside()
        self.line_ = draw_curve(ax, x, y, label=label, kwargs=curve_kwargs)
        self.band_ = draw_band(ax, band, colour=self.line_.get_color())
        self.chance_ = self._draw_chance() if chance else None
        if legend:
            settle(ax)
        self.legend_ = add_legend(ax, _LEGEND_PLACES) if legend else None
        return self

    def _inside(self) -> tuple[Any, Any]:
        """Return the points from the last one left of the picture on; what lies further left cannot be seen."""
        first = max(int(np.searchsorted(self.curve.recall_gain, 0.0)) - 1, 0)
        return self.curve.recall_gain[first:], self.curve.precision_gain[first:]

    def _draw_chance(self) -> Any:
        label = "calling everything positive"
        if is_drawn(self.ax_, label):
            return None
        return self.ax_.plot([0, 1], [0, 0], color=AID, linestyle=(0, (1, 2)), linewidth=1.4, zorder=1.5, label=label)[
            0
        ]
