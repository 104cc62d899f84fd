"""The drawn ROC curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from thresher._core.checks import check_choice
from thresher._curves import Curve, RocCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError
from thresher.plotting._axes import coloured, draw_reference, dress
from thresher.plotting._display import CurveDisplay, Drawing, MarkedPoints
from thresher.plotting._inputs import Mark, as_roc, roc_area
from thresher.plotting._paths import SMALLEST_RATE, log_roc_path, roc_path
from thresher.typing import FloatArray

_AXES = {
    "fpr": ("False positive rate", "True positive rate (recall)"),
    "1-specificity": ("1 \N{MINUS SIGN} Specificity", "Sensitivity"),
    "specificity": ("Specificity", "Sensitivity"),
}
_LEGEND_PLACES = ("lower right", "center right", "lower center", "upper right", "center", "lower left", "upper left")


class RocCurveDisplay(CurveDisplay):
    """A ROC curve, drawn: true positive rate against false positive rate.

    Make one with `from_scores`, `from_predictions`, `from_curve`, `from_estimator` or `from_cv_results`, which draw at
    once; `plot` draws again.

    Parameters
    ----------
    curve : RocCurve
        What is drawn.
    roc_auc : float, optional
        The area to show in the legend.
    name : str, optional
        The name to show in the legend.
    x_axis : {"fpr", "1-specificity", "specificity"}
        The names of the axes. ``"specificity"`` counts down from 1, so that the picture stays the same; its ticks
        are written so, and data coordinates remain false positive rates. `from_scores` takes it too.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The curve. Above 16,384 points it holds those that can be told apart on 4,096 columns of pixels.
    chance_, hull_ : matplotlib Line2D or None
        The diagonal and the convex hull.
    marks_, labels_ : list of matplotlib Line2D, and of Annotation
        One marker for each marked operating point, and their labels; a label without a free place is left out.
    band_, legend_ : matplotlib artists or None
        The shaded band, and the legend.

    See Also
    --------
    PrCurveDisplay : The same counts in precision-recall space.
    LinkedDisplay : Both side by side.

    Examples
    --------
    {digits}
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> display = th.plotting.RocCurveDisplay.from_scores(scores, name="logistic", marks=[0.3], hull=True)
    >>> display.line_.get_label()
    'logistic (AUC 0.975)'

    A second model goes on the same axes:

    >>> tree = th.Scores(data.y_true, data.tree)
    >>> _ = th.plotting.RocCurveDisplay.from_scores(tree, name="tree", ax=display.ax_)
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['logistic (AUC 0.975)', 'logistic, convex hull', 'tree (AUC 0.879)', 'chance']
    """

    curve: RocCurve
    _area_label, _area_of, _band_of = "AUC", "roc_auc", "roc_band"
    _legend_places = _LEGEND_PLACES
    _asked = ("interval", "confidence_level")
    _made_with = ("x_axis",)

    chance_: Any
    hull_: Any

    def __init__(
        self, curve: RocCurve, *, roc_auc: float | None = None, name: str | None = None, x_axis: str = "fpr"
    ) -> None:
        self.curve = as_roc(curve)
        self.x_axis = check_choice(x_axis, "x_axis", tuple(_AXES))
        self.roc_auc = roc_auc
        self.name = name

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return roc_path(self.curve)

    @property
    def fpr(self) -> FloatArray:
        """False positive rate at each point of the curve."""
        return self.curve.fpr

    @property
    def tpr(self) -> FloatArray:
        """True positive rate at each point of the curve."""
        return self.curve.tpr

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        _no_prevalence(prevalence)
        return cls(scores.roc(), roc_auc=scores.roc_auc().value, name=name, **made)

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        _no_prevalence(prevalence)
        roc = as_roc(curve)
        return cls(roc, roc_auc=roc_area(roc), name=name)

    def _area(self) -> float | None:
        return self.roc_auc

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance: bool = True,
        hull: bool = False,
        marks: MarkedPoints = None,
        log_x: bool = False,
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
            The name in the legend, in place of the display's own name.
        chance : bool, default=True
            Draw the diagonal of a useless score.
        hull : bool, default=False
            Draw the convex hull: what mixing two thresholds reaches.
        marks : float, OperatingPoint, or several of them, optional
            Thresholds to mark with their values; operating points are marked where their rates lie.
        log_x : bool, default=False
            A logarithmic axis of false positive rates, for work at very few false alarms. Marks at rate 0, which has
            no place there, stand at its left end.
        band : CurveBand or bool, optional
            True for the pointwise band of the scores; or anything with arrays ``x``, ``low`` and ``high``. It is
            shaded.
        legend : bool, default=True
            Add a legend where it covers least.
        color : color, optional
            Of the curve and what belongs to it; the next of the cycle by default.
        curve_kwargs : dict, optional
            Properties of the line, as `matplotlib.axes.Axes.plot` takes them.

        Examples
        --------
        {digits}
        >>> scores = th.Scores(data.y_true, data.tree)
        >>> display = th.plotting.RocCurveDisplay(scores.roc(), name="tree").plot(hull=True, marks=[0.5, 0.1])
        >>> len(display.marks_)
        2
        """
        words, counting_down = _AXES[self.x_axis], self.x_axis == "specificity"
        if log_x and counting_down:
            raise InvalidInputError(
                "`x_axis` must not be 'specificity' on a logarithmic axis, which is one of false positive rates; got "
                "log_x=True. Hint: pass '1-specificity'."
            )

        path = log_roc_path if log_x else roc_path

        def dressed(ax: Any) -> None:
            dress(ax, x=words[0], y=words[1], log_x_from=self._left() if log_x else None)
            if counting_down:
                ax.xaxis.set_major_formatter(lambda rate, _: f"{1.0 - rate:.12g}")

        def around(title: str | None, colour: Any) -> None:
            self.hull_ = self._draw_hull(path(self.curve.hull()), title, colour) if hull else None
            self.chance_ = self._draw_chance(log_x) if chance else None

        def place(mark: Mark, ax: Any) -> tuple[float, float]:
            return max(mark.point.fpr, ax.get_xlim()[0] if log_x else 0.0), mark.point.tpr

        return self._drawn(
            ax, name, Drawing(dressed, path(self.curve), around, place), marked=self.curve.to_pr(), marks=marks,
            band=band, legend=legend, curve_kwargs=coloured(curve_kwargs, color),
        )  # fmt: skip

    def _left(self) -> float:
        """Return where a logarithmic axis begins: half of the smallest rate that occurs."""
        return float(min(self.fpr[self.fpr > 0][0] / 2, 0.05))

    def _draw_hull(self, path: tuple[FloatArray, FloatArray], title: str | None, colour: Any) -> Any:
        label = f"{title}, convex hull" if title else "convex hull"
        return self.ax_.plot(*path, color=colour, linestyle=(0, (4, 2)), linewidth=1.1, zorder=2.5, label=label)[0]

    def _draw_chance(self, log_x: bool) -> Any:
        x = np.geomspace(SMALLEST_RATE, 1.0, 800) if log_x else np.array([0.0, 1.0])
        return draw_reference(self.ax_, x, x, "chance")


def _no_prevalence(prevalence: float | None) -> None:
    if prevalence is not None:
        raise InvalidInputError(
            f"`prevalence` must not be given for a ROC curve, which does not depend on it; got {prevalence!r}. "
            "Hint: `PrCurveDisplay` redraws precision for it."
        )
