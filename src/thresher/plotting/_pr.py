"""The drawn precision-recall curve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from thresher._core.checks import check_fractions, show
from thresher._curves import Curve, PrCurve, pr_lower_bound
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError
from thresher.plotting._axes import AID, AID_TEXT, REGION_ALPHA, area_text, coloured, draw_reference, dress, is_drawn
from thresher.plotting._display import CurveDisplay, Drawing, MarkedPoints
from thresher.plotting._inputs import as_pr, pr_area
from thresher.plotting._paths import pr_path
from thresher.typing import FloatArray

_LEGEND_PLACES = (
    "lower left", "upper right", "center left", "center", "lower center", "upper center", "center right", "lower right",
)  # fmt: skip
_ISO_F = (0.2, 0.4, 0.6, 0.8, 0.9)
_LEAST_LABEL_GAP = 0.045
_REGION_LABEL = "unachievable"


class PrCurveDisplay(CurveDisplay):
    """A precision-recall curve, drawn as it is between thresholds: by hyperbolas, not straight lines.

    Make one with `from_scores`, `from_predictions`, `from_curve`, `from_estimator` or `from_cv_results`, which draw at
    once; `plot` draws again.

    Parameters
    ----------
    curve : PrCurve
        What is drawn.
    pr_auc : float, optional
        The area to show in the legend.
    name : str, optional
        The name to show in the legend.

    Attributes
    ----------
    ax_, figure_, marks_, labels_, band_, legend_
        As in `RocCurveDisplay`.
    line_ : matplotlib Line2D
        The curve, with vertices added wherever a straight line would be wrong by more than 1/10,000 of the axis.
        Above 16,384 vertices it holds those that can be told apart on 4,096 columns of pixels.
    chance_, achievable_ : matplotlib Line2D or None
        The precision of a useless score, and the best that mixing thresholds reaches.
    unachievable_ : matplotlib artist or None
        The region below `pr_lower_bound`, where no classifier can be.
    iso_f_ : list of matplotlib Line2D
        Lines of equal F1.

    See Also
    --------
    RocCurveDisplay : The same counts in ROC space.
    LinkedDisplay : Both side by side.

    References
    ----------
    J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    {digits}
    >>> scores = th.Scores(data.y_true, data.tree)
    >>> display = th.plotting.PrCurveDisplay.from_scores(scores, name="tree", iso_f=True, achievable=True)
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ['tree (PR AUC 0.605)', 'tree, achievable', 'chance (prevalence 0.097)', 'unachievable']

    The tree has 30 distinct scores, most of them tied, and the curve is bent between them:

    >>> len(display.curve), len(display.line_.get_xdata()) > len(display.curve)
    (31, True)
    """

    curve: PrCurve
    _area_label, _area_of, _band_of = "PR AUC", "pr_auc", "pr_band"
    _legend_places = _LEGEND_PLACES
    _asked = ("interval", "confidence_level")

    chance_: Any
    achievable_: Any
    unachievable_: Any
    iso_f_: list[Any]

    def __init__(self, curve: PrCurve, *, pr_auc: float | None = None, name: str | None = None) -> None:
        self.curve = as_pr(curve)
        self.pr_auc = pr_auc
        self.name = name

    def _points(self) -> tuple[FloatArray, FloatArray]:
        return pr_path(self.curve)

    @property
    def recall(self) -> FloatArray:
        """Recall at each point of the curve."""
        return self.curve.recall

    @property
    def precision(self) -> FloatArray:
        """Precision at each point of the curve."""
        return self.curve.precision

    @property
    def prevalence(self) -> float:
        """The proportion of positives to which precision refers."""
        return self.curve.prevalence

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        return cls(scores.pr(prevalence=prevalence), pr_auc=scores.pr_auc(prevalence=prevalence).value, name=name)

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        pr = as_pr(curve, prevalence=prevalence)
        return cls(pr, pr_auc=pr_area(pr), name=name)

    def _area(self) -> float | None:
        return self.pr_auc

    def plot(  # type: ignore[override]  # the options are named here
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        chance: bool = True,
        unachievable: bool = True,
        iso_f: bool | Iterable[float] = False,
        achievable: bool = False,
        marks: MarkedPoints = None,
        band: Any = None,
        legend: bool = True,
        color: Any = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax, name, legend, color, curve_kwargs
            As in `RocCurveDisplay.plot`.
        chance : bool, default=True
            Draw the precision of a useless score, which is the prevalence.
        unachievable : bool, default=True
            Shade the region where no classifier can be at this prevalence.
        iso_f : bool or values in (0, 1), default=False
            Draw lines of equal F1, by default for 0.2, 0.4, 0.6, 0.8 and 0.9; their values stand at the right border.
        achievable : bool, default=False
            Draw the achievable curve: the ROC convex hull seen in this space.
        marks : float, OperatingPoint, or several of them, optional
            Thresholds to mark with their values. Operating points are marked at their recall and at the precision
            that their rates give at this curve's prevalence.
        band : CurveBand or bool, optional
            True for the pointwise band of the scores; or anything with arrays ``x``, ``low`` and ``high``. It is
            shaded.

        Examples
        --------
        {digits}
        >>> scores = th.Scores(data.y_true, data.tree)
        >>> display = th.plotting.PrCurveDisplay(scores.pr(), name="tree").plot(achievable=True, marks=[0.5, 0.1])
        >>> len(display.marks_)
        2
        """
        levels = _iso_f_levels(iso_f)

        def around(title: str | None, colour: Any) -> None:
            self.achievable_ = self._draw_achievable(title, colour) if achievable else None
            self.chance_ = self._draw_chance() if chance else None
            self.unachievable_ = self._draw_unachievable() if unachievable else None
            self.iso_f_ = [line for level in levels if (line := self._draw_iso_f(level)) is not None]
            self._label_iso_f()

        drawing = Drawing(
            lambda ax: dress(ax, x="Recall (true positive rate)", y="Precision"), self._points(), around,
            lambda mark, ax: (mark.point.tpr, mark.precision),
        )  # fmt: skip
        return self._drawn(
            ax, name, drawing, marked=self.curve, marks=marks, band=band, legend=legend,
            curve_kwargs=coloured(curve_kwargs, color),
        )  # fmt: skip

    def _draw_achievable(self, title: str | None, colour: Any) -> Any:
        best = self.curve.to_roc().hull().to_pr()
        label = f"{title}, achievable" if title else "achievable"
        style = {"color": colour, "linestyle": (0, (4, 2)), "linewidth": 1.1}
        return self.ax_.plot(*pr_path(best), zorder=2.5, label=label, **style)[0]

    def _draw_chance(self) -> Any:
        label = f"chance (prevalence {area_text(self.prevalence)})"
        return draw_reference(self.ax_, [0, 1], [self.prevalence, self.prevalence], label)

    def _draw_unachievable(self) -> Any:
        if is_drawn(self.ax_, _REGION_LABEL):
            return None
        x = np.linspace(0.0, 1.0, 501)
        y = pr_lower_bound(x, self.prevalence)
        style = {"color": AID, "alpha": REGION_ALPHA, "linewidth": 0, "zorder": 0.8}
        return self.ax_.fill_between(x, 0.0, y, label=_REGION_LABEL, **style)

    def _draw_iso_f(self, level: float) -> Any:
        label = f"_F1 {level:g}"
        if is_drawn(self.ax_, label):
            return None
        # F = 2 P R / (P + R); equal steps of precision on the steep half mirror those of recall on the flat half.
        half = np.linspace(level, 1.0, 200)
        other = level * half / (2.0 * half - level)
        x, y = np.append(other[::-1], half[1:]), np.append(half[::-1], other[1:])
        return self.ax_.plot(x, y, color=AID, linestyle="-", linewidth=0.7, alpha=0.7, zorder=1.2, label=label)[0]

    def _label_iso_f(self) -> None:
        """Write each value where its line meets the right border, leaving out those that would touch."""
        last = -1.0
        for number, line in enumerate(sorted(self.iso_f_, key=lambda line: float(line.get_ydata()[-1]))):
            height = float(line.get_ydata()[-1])
            if height - last < _LEAST_LABEL_GAP:
                continue
            value = line.get_label().removeprefix("_F1 ")
            self.ax_.annotate(
                f"F1 = {value}" if number == 0 else value, (1.0, height), xycoords=self.ax_.get_yaxis_transform(),
                xytext=(3, 0), textcoords="offset points", ha="left", va="center", fontsize="x-small", color=AID_TEXT,
                annotation_clip=False,
            )  # fmt: skip
            last = height


def _iso_f_levels(iso_f: object) -> list[float]:
    if isinstance(iso_f, bool):
        return list(_ISO_F) if iso_f else []
    levels = np.atleast_1d(check_fractions(iso_f, "iso_f")).ravel()
    ends = (levels <= 0.0) | (levels >= 1.0)
    if ends.any():
        raise InvalidInputError(
            f"`iso_f` must be in (0, 1); got {show(float(levels[ends][0]))}. Hint: 0.2, 0.4, 0.6 and 0.8 are usual."
        )
    return [float(level) for level in levels]
