"""The drawn precision-recall-gain curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from thresher._curves import PrGainCurve
from thresher._facade import Scores
from thresher._inference import CurveBand
from thresher.exceptions import InvalidTypeError
from thresher.plotting._axes import coloured
from thresher.plotting._views import ViewDisplay
from thresher.typing import FloatArray

__all__ = ["PrGainDisplay"]


class PrGainDisplay(ViewDisplay):
    """A precision-recall-gain curve (Flach and Kull 2015), straight between thresholds as it is in this space.

    Make one with `from_scores`, `from_predictions` or `from_estimator`, which draw at once; `plot` draws again.

    Parameters
    ----------
    curve : PrGainCurve
        What is drawn. Points with a gain below 0, worse than calling everything positive, lie outside of the picture.
    name : str, optional
        The name to show in the legend, with the area; ``interval=True`` of `from_scores` adds that of
        `Scores.pr_gain_interval`, with a fixed seed.

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
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.tree)
    >>> display = th.plotting.PrGainDisplay.from_scores(scores, name="tree", band=True)
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['tree (PRG AUC 0.929)', 'calling everything positive', '95% band']
    """

    curve: PrGainCurve
    _view = "pr_gain"
    _kind = PrGainCurve
    _axes = ("Recall gain", "Precision gain")
    _area_label = "PRG AUC"
    _asked = ("interval", "confidence_level")
    _legend_places = (
        "lower left", "lower center", "center left", "center", "upper right", "upper center", "center right",
        "lower right",
    )  # fmt: skip

    def __init__(self, curve: PrGainCurve, *, name: str | None = None) -> None:
        if not isinstance(curve, PrGainCurve):
            raise InvalidTypeError(
                f"`curve` must be a PrGainCurve; got {type(curve).__name__}. Hint: pass `scores.pr_gain()`."
            )
        super().__init__(curve, name=name)

    def _area(self) -> float | None:
        return self.curve.area

    def _own_band(self, scores: Scores, prevalence: float | None, confidence_level: float) -> CurveBand:
        return scores.pr_gain_band(confidence_level=confidence_level)

    def _own_interval(self, scores: Scores, prevalence: float | None, confidence_level: float) -> tuple[float, float]:
        low, high = scores.pr_gain_interval(confidence_level, rng=0)
        return low, high

    def _points(self) -> tuple[FloatArray, FloatArray]:
        """Return the points from the last one left of the picture on; what lies further left cannot be seen."""
        first = max(int(np.searchsorted(self.curve.recall_gain, 0.0)) - 1, 0)
        return self.curve.recall_gain[first:], self.curve.precision_gain[first:]

    def _chance(self) -> tuple[FloatArray, FloatArray, str]:
        return np.array([0.0, 1.0]), np.array([0.0, 0.0]), "calling everything positive"

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance: bool = True,
        band: Any = None,
        legend: bool = True,
        color: Any = None,
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
        band : CurveBand or bool, optional
            True for the pointwise band of the scores, or what `pr_gain_band` returned; it is shaded.
        legend : bool, default=True
            Add a legend where it covers least.
        color : color, optional
            Of the curve and what belongs to it; the next of the cycle by default.
        curve_kwargs : dict, optional
            Properties of the line, as `matplotlib.axes.Axes.plot` takes them.

        Returns
        -------
        PrGainDisplay
            This display.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]).pr_gain()
        >>> display = th.plotting.PrGainDisplay(curve, name="eight cases").plot()
        >>> display.line_.get_label()
        'eight cases (PRG AUC 0.431)'
        """
        return self._view_drawn(ax, name, chance, legend, coloured(curve_kwargs, color), band)
