"""ROC and precision-recall curves side by side, with the same thresholds marked on both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from thresher._core.checks import check_count, show
from thresher._core.shared_docs import with_texts
from thresher._curves import Curve, OperatingPoint
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import MARGIN, check_axes, draw_marks, new_axes
from thresher.plotting._display import DIGITS_TEXT
from thresher.plotting._inputs import Mark, check_scores, chosen_thresholds, counted, marks_of, named
from thresher.plotting._place import Label, add_labels, add_legend, fit_labels, settle
from thresher.plotting._pr import PrCurveDisplay
from thresher.plotting._roc import RocCurveDisplay
from thresher.typing import ArrayLike

_MARKS = 5
_MARKS_OF_ALL = 15

PlaceOnAxes = tuple[float, float]


@with_texts(digits=DIGITS_TEXT)
class LinkedDisplay:
    """ROC and PR curves side by side, with the same thresholds marked on both.

    Both are drawings of one list of confusion matrices. A marker of the same shape and colour is the same confusion
    matrix in both, at the height in ROC space that it has across in PR space: recall is the true positive rate.

    Make one with `from_scores`, `from_predictions` or `from_curve`, which draw at once; `plot` draws again.

    Parameters
    ----------
    roc : dict of RocCurveDisplay
        The ROC curves by name; the name of a single one may be "".
    pr : dict of PrCurveDisplay
        The PR curves by the same names.

    Attributes
    ----------
    ax_roc_, ax_pr_ : matplotlib Axes
        Where they were drawn.
    figure_ : matplotlib Figure
        The figure of the ROC axes.
    points_ : dict of list of OperatingPoint
        What is marked, by name; thresholds as they were given or chosen, in the order of the markers.
    labels_ : list of matplotlib Annotation
        The labels of the marks in both drawings; one without a free place is left out.

    References
    ----------
    J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874, Theorem 3.1.

    Examples
    --------
    {digits}
    >>> models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
    >>> display = th.plotting.LinkedDisplay.from_scores(models, thresholds=[0.3, 0.1])
    >>> for point in display.points_["logistic"]:
    ...     print(f"recall {point.recall:.2f}, FPR {point.fpr:.3f}, precision {point.precision:.2f}")
    recall 0.71, FPR 0.015, precision 0.83
    recall 0.96, FPR 0.160, precision 0.39
    """

    ax_roc_: Any
    ax_pr_: Any
    figure_: Any
    points_: dict[str, list[OperatingPoint]]
    labels_: list[Any]

    def __init__(self, roc: Mapping[str, RocCurveDisplay], pr: Mapping[str, PrCurveDisplay]) -> None:
        if not roc or list(roc) != list(pr):
            raise InvalidInputError(
                f"`roc` and `pr` must have the same names; got {show(list(roc))} and {show(list(pr))}. "
                "Hint: use `from_scores`, which makes both."
            )
        self.roc = dict(roc)
        self.pr = dict(pr)

    @classmethod
    def from_scores(
        cls,
        scores: Scores | Mapping[str, Scores],
        *,
        name: str | None = None,
        prevalence: float | None = None,
        axes: Sequence[Any] | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curves of one model or several.

        Parameters
        ----------
        scores : Scores, or dict of Scores
            One model, or several by name.
        name : str, optional
            The name in the legend. For one model only: several have theirs.
        prevalence : float, optional
            The prevalence to which precision refers.
        axes : pair of matplotlib Axes, optional
            Where to draw ROC and PR; new axes by default.
        **options
            The options of `plot`.

        Examples
        --------
        {digits}
        >>> models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
        >>> display = th.plotting.LinkedDisplay.from_scores(models, n_marks=3)
        >>> {name: len(points) for name, points in display.points_.items()}
        {'logistic': 3, 'tree': 3}
        """
        models = {title: check_scores(item) for title, item in named(scores, "scores", name).items()}
        return cls(
            {title: RocCurveDisplay._of_scores(item, title or None, None) for title, item in models.items()},
            {title: PrCurveDisplay._of_scores(item, title or None, prevalence) for title, item in models.items()},
        ).plot(axes, **options)

    @classmethod
    def from_curve(
        cls,
        curve: Curve | Mapping[str, Curve],
        *,
        prevalence: float | None = None,
        axes: Sequence[Any] | None = None,
        **options: Any,
    ) -> Self:
        """Draw one curve or several in both spaces, whichever kind they are.

        Parameters
        ----------
        curve : RocCurve or PrCurve, or dict of them
            One curve, or several by name. Curves from published points without thresholds get no marks.
        prevalence : float, optional
            The prevalence to which precision refers; by default that of the curve.
        axes, **options
            As in `from_scores`.

        Examples
        --------
        {digits}
        >>> curve = th.Scores(data.y_true, data.tree).roc()
        >>> display = th.plotting.LinkedDisplay.from_curve({"tree": curve}, n_marks=0)
        >>> display.ax_pr_.get_ylabel()
        'Precision'
        """
        curves = named(curve, "curve")
        return cls(
            {title: RocCurveDisplay._of_curve(item, title or None, None) for title, item in curves.items()},
            {title: PrCurveDisplay._of_curve(item, title or None, prevalence) for title, item in curves.items()},
        ).plot(axes, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[str, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        prevalence: float | None = None,
        axes: Sequence[Any] | None = None,
        **options: Any,
    ) -> Self:
        """Count labels and scores, and draw the curves.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight
            As for `Scores`. `y_score` may be a dict of the scores of several models by name.
        prevalence, axes, **options
            As in `from_scores`.

        Examples
        --------
        {digits}
        >>> Linked = th.plotting.LinkedDisplay
        >>> display = Linked.from_predictions(data.y_true, data.models, prevalence=0.01, thresholds=[0.2])
        >>> round(display.points_["tree"][0].precision, 3)
        0.239
        """
        models = counted(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return cls.from_scores(models, prevalence=prevalence, axes=axes, **options)

    def plot(
        self,
        axes: Sequence[Any] | None = None,
        *,
        thresholds: Iterable[float] | Mapping[str, Iterable[float]] | None = None,
        n_marks: int | None = None,
        guides: bool = True,
        chance: bool = True,
        unachievable: bool = True,
        iso_f: bool | Iterable[float] = False,
        achievable: bool = False,
        legend: bool = True,
    ) -> Self:
        """Draw the curves.

        Parameters
        ----------
        axes : pair of matplotlib Axes, optional
            Where to draw ROC and PR; new axes by default.
        thresholds : numbers, or dict of numbers, optional
            What to mark on every curve, or by name. By default thresholds are chosen for each curve so that their
            points lie apart in both spaces, and rounded as far as that moves no point visibly.
        n_marks : int, optional
            How many thresholds to choose at most for a curve; 0 marks nothing. By default five, and fewer where more
            than three curves would share fifteen.
        guides : bool, default=True
            Draw a thin line from each mark to the axis of recall: upright in one drawing, level in the other.
        chance, unachievable, iso_f
            As for the single displays.
        achievable : bool, default=False
            Draw the ROC convex hull, and the achievable PR curve that it is in the other space.
        legend : bool, default=True
            Add legends where they cover least.

        Examples
        --------
        {digits}
        >>> models = {name: th.Scores(data.y_true, score) for name, score in data.models.items()}
        >>> display = th.plotting.LinkedDisplay.from_scores(models)
        >>> display = display.plot(thresholds={"tree": [0.5]}, achievable=True)
        >>> [point.threshold for point in display.points_["tree"]]
        [0.5]
        """
        marks = {
            name: marks_of(self.pr[name].curve, items) for name, items in self._wanted(thresholds, n_marks).items()
        }
        levels = iso_f if isinstance(iso_f, bool) else list(iso_f)
        self.ax_roc_, self.ax_pr_ = new_axes(2) if axes is None else _pair(axes)
        self.figure_ = self.ax_roc_.figure
        self.points_ = {name: [mark.point for mark in items] for name, items in marks.items()}
        for name in marks:
            roc = self.roc[name].plot(self.ax_roc_, chance=chance, hull=achievable, legend=False)
            self.pr[name].plot(
                self.ax_pr_, chance=chance, unachievable=unachievable, iso_f=levels, achievable=achievable,
                legend=False, curve_kwargs={"color": roc.line_.get_color()},
            )  # fmt: skip
        if guides:
            for name, items in marks.items():
                self._draw_guides(items, self.roc[name].line_.get_color())
        on_roc = self._mark(self.roc, marks, lambda mark: (mark.point.fpr, mark.point.tpr))
        on_pr = self._mark(self.pr, marks, lambda mark: (mark.point.tpr, mark.precision))
        if legend or on_roc:
            settle(self.ax_roc_)
        if legend:
            for ax, display in ((self.ax_pr_, PrCurveDisplay), (self.ax_roc_, RocCurveDisplay)):
                add_legend(ax, display._legend_places)
            for ax in (self.ax_pr_, self.ax_roc_):
                fit_labels(ax)
        # Labels come last: a legend that finds no place inside moves both axes.
        self.labels_ = add_labels(self.ax_roc_, on_roc) + add_labels(self.ax_pr_, on_pr)
        return self

    def _wanted(self, thresholds: object, n_marks: int | None) -> dict[str, Any]:
        """Return the thresholds to mark, by name."""
        if thresholds is None:
            usual = max(1, min(_MARKS, _MARKS_OF_ALL // len(self.pr)))
            most = usual if n_marks is None else check_count(n_marks, "n_marks")
            return {name: chosen_thresholds(display.curve, most) for name, display in self.pr.items()}
        if n_marks is not None:
            raise InvalidInputError(
                f"Only one of `thresholds` and `n_marks` may be given; got {show(thresholds)} and {n_marks!r}. "
                "Hint: `n_marks` is how many the display chooses."
            )
        if not isinstance(thresholds, Mapping):
            shared = list(thresholds) if isinstance(thresholds, Iterable) else thresholds
            return dict.fromkeys(self.roc, shared)
        unknown = [name for name in thresholds if name not in self.roc]
        if unknown:
            raise InvalidInputError(
                f"`thresholds` must name models that are drawn; got {unknown[0]!r}, where there are "
                f"{show(list(self.roc))}."
            )
        return {name: thresholds.get(name) for name in self.roc}

    @staticmethod
    def _mark(
        displays: Mapping[str, RocCurveDisplay] | Mapping[str, PrCurveDisplay],
        marks: Mapping[str, Sequence[Mark]],
        place: Callable[[Mark], PlaceOnAxes],
    ) -> list[Label]:
        """Draw the marks of every curve, and return the labels that they want."""
        notes: list[Label] = []
        for name, items in marks.items():
            display, places = displays[name], [place(mark) for mark in items]
            colour = display.line_.get_color()
            display.marks_ = draw_marks(display.ax_, items, places, colour=colour)
            notes += [(x, y, mark.text, colour) for mark, (x, y) in zip(items, places, strict=True)]
        return notes

    def _draw_guides(self, marks: Sequence[Mark], colour: Any) -> None:
        style = {"color": colour, "linestyle": "-", "linewidth": 0.8, "alpha": 0.35, "zorder": 1.3, "label": "_guide"}
        ends: dict[float, tuple[float, float]] = {}
        for mark in marks:
            fpr, precision = ends.get(mark.point.tpr, (0.0, 0.0))
            ends[mark.point.tpr] = (max(fpr, mark.point.fpr), max(precision, mark.precision))
        for recall, (fpr, precision) in ends.items():
            self.ax_roc_.plot([-MARGIN, fpr], [recall, recall], **style)
            self.ax_pr_.plot([recall, recall], [-MARGIN, precision], **style)


def _pair(axes: Any) -> tuple[Any, Any]:
    try:
        first, second = axes
    except (TypeError, ValueError):
        raise InvalidTypeError(
            f"`axes` must be a pair of matplotlib Axes; got {show(axes)}. "
            "Hint: `figure, axes = matplotlib.pyplot.subplots(1, 2)`; leave it out for new ones."
        ) from None
    return check_axes(first, "axes"), check_axes(second, "axes")
