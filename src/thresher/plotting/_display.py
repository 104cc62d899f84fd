"""What every display of one curve shares: how it is made from scores, curves and predictions, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from thresher._core.checks import require, show
from thresher._core.result_bases import own_constructors
from thresher._core.shared_docs import with_texts
from thresher._curves import Curve, OperatingPoint, PrCurve
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import check_axes, curve_label, draw_band, draw_curve, draw_marks, new_axes
from thresher.plotting._inputs import Mark, check_scores, counted, marks_of, named
from thresher.plotting._place import add_labels, add_legend, fit_labels, settle
from thresher.typing import ArrayLike, FloatArray

DIGITS_TEXT = """
>>> import thresher as th
>>> data = th.datasets.load_digits_eight()"""
_FOLD_STYLE = {"linewidth": 0.8, "alpha": 0.45, "zorder": 2.2}
MarkedPoints = float | OperatingPoint | Iterable[float | OperatingPoint] | None
"""Thresholds or operating points to be marked."""


class Drawing(NamedTuple):
    """What a display draws of its own: axes, path, what stands around the curve, and where marks go."""

    dress: Callable[[Any], None]
    path: tuple[FloatArray, FloatArray]
    around: Callable[[str | None, Any], None]
    place: Callable[[Mark, Any], tuple[float, float]] = lambda mark, ax: (0.0, 0.0)


@with_texts(digits=DIGITS_TEXT)
class CurveDisplay:
    """A curve, drawn. Subclasses say which curve, and what stands around it."""

    _area_label: ClassVar[str] = ""
    _area_of: ClassVar[str | None] = None
    """The method of `Scores` that returns the area, of which the interval is shown; and that of the band."""
    _band_of: ClassVar[str | None] = None
    _legend_places: ClassVar[tuple[str, ...]]
    _made_with: ClassVar[tuple[str, ...]] = ()
    """Options of `from_scores` with which a display is made; they are not those of `plot`."""
    _asked: ClassVar[tuple[str, ...]] = ("interval",)
    """Options of `from_scores` about what the scores alone can answer."""
    _source: tuple[Scores, dict[str, float]] | None = None
    """The scores that were drawn and the prevalence that was given, where they are known."""
    _interval: bool = False
    _confidence_level: float = 0.95

    curve: Any
    name: str | None
    ax_: Any
    figure_: Any
    line_: Any
    fold_lines_: list[Any]
    marks_: list[Any]
    labels_: list[Any]
    band_: Any
    legend_: Any
    displays_: list[Self]

    def __init_subclass__(cls) -> None:
        own_constructors(cls)
        with_texts(digits=DIGITS_TEXT)(cls)

    @classmethod
    def _of_scores(cls, scores: Scores, name: str | None, prevalence: float | None, **made: Any) -> Self:
        """Return the display of scores, with the area in its legend."""
        raise NotImplementedError

    @classmethod
    def _of_curve(cls, curve: Curve, name: str | None, prevalence: float | None) -> Self:
        """Return the display of a curve of either kind."""
        raise NotImplementedError

    def _points(self) -> tuple[FloatArray, FloatArray]:
        """Return the points to draw."""
        raise NotImplementedError

    def _area(self) -> float | None:
        """Return the area for the legend."""
        return None

    @classmethod
    def _for_many(cls, options: dict[str, Any], count: int) -> dict[str, Any]:
        """Return the options with which so many models are drawn on the same axes."""
        return options

    def _own_interval(self) -> tuple[float, float]:
        """Return the interval of the area that `interval=True` means."""
        if self._area_of is None:
            raise InvalidInputError(
                "`interval` must not be True for this curve, which has no area; got True. Hint: leave it out."
            )
        scores, how = self._known_source()
        low, high = getattr(scores, self._area_of)(**how).confidence_interval(self._confidence_level)
        return low, high

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> Self:
        """Draw the curve; each display says with which options."""
        raise NotImplementedError

    @classmethod
    def from_scores(
        cls,
        scores: Scores | Mapping[str, Scores],
        *,
        name: str | None = None,
        ax: Any = None,
        prevalence: float | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of scores, or the curves of several models on the same axes.

        Parameters
        ----------
        scores : Scores, or dict of str to Scores
            The counts; of several models by name.
        name : str, optional
            The name in the legend. For one model only: several have theirs.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        prevalence : float, optional
            For a precision-recall curve: the prevalence at which the classifier will be used.
        **options
            The options of `plot`; and for curves with an area, ``interval=True`` for its interval in the legend, and
            ``confidence_level``, 0.95 by default, for that and for the band of ``band=True``.

        Returns
        -------
        Display
            That of the first model; ``displays_`` holds one for each.

        Examples
        --------
        {digits}
        >>> display = th.plotting.PrCurveDisplay.from_scores(th.Scores(data.y_true, data.tree), name="tree")
        >>> display.line_.get_label()
        'tree (PR AUC 0.605)'
        >>> models = {name: th.Scores(data.y_true, values) for name, values in data.models.items()}
        >>> both = th.plotting.RocCurveDisplay.from_scores(models, band=True, interval=True)
        >>> [text.get_text() for text in both.legend_.get_texts()][:2]
        ['logistic (AUC 0.975, 0.961 to 0.983)', 'tree (AUC 0.879, 0.843 to 0.910)']
        """
        models = named(scores, "scores", name)
        made = {key: options.pop(key) for key in cls._made_with if key in options}
        legend = options.pop("legend", True)
        asked = {f"_{key}": options.pop(key) for key in cls._asked if key in options}
        options = cls._for_many(options, len(models))
        drawn: list[Self] = []
        for place, (title, table) in enumerate(models.items()):
            display = cls._of_scores(check_scores(table), title or None, prevalence, **made)
            display._source = (table, {} if prevalence is None else {"prevalence": prevalence})
            vars(display).update(asked)
            last = place == len(models) - 1
            drawn.append(display.plot(drawn[0].ax_ if drawn else ax, legend=legend and last, **options))
        drawn[0].legend_ = drawn[-1].legend_
        drawn[0].displays_ = drawn
        return drawn[0]

    @classmethod
    def from_curve(
        cls, curve: Curve, *, name: str | None = None, ax: Any = None, prevalence: float | None = None, **options: Any
    ) -> Self:
        """Draw a curve; one of the other space is converted (Theorem 3.1 of Davis and Goadrich 2006).

        Parameters
        ----------
        curve : RocCurve or PrCurve
            The curve, perhaps from published points.
        name, ax, prevalence, **options
            As in `from_scores`.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
        >>> display = th.plotting.RocCurveDisplay.from_curve(curve, name="published")
        >>> display.line_.get_label()
        'published (AUC 0.744)'
        """
        if options.pop("interval", False):
            raise InvalidInputError(
                "`interval=True` needs the scores behind the curve; got a curve alone. "
                "Hint: draw with `from_scores` or `from_predictions`."
            )
        return cls._of_curve(curve, name, prevalence).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[str, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Any = None,
        prevalence: float | None = None,
        **options: Any,
    ) -> Self:
        """Count labels and scores, and draw their curve.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight
            As for `Scores`. `y_score` may be a dict of the scores of several models by name.
        name, ax, prevalence, **options
            As in `from_scores`.

        Examples
        --------
        {digits}
        >>> display = th.plotting.RocCurveDisplay.from_predictions(data.y_true, data.logistic, name="logistic")
        >>> display.line_.get_label()
        'logistic (AUC 0.975)'
        """
        found = counted(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return cls.from_scores(found, name=name, ax=ax, prevalence=prevalence, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of a fitted classifier on given rows.

        Parameters
        ----------
        estimator : estimator
            A fitted binary classifier with `predict_proba` or `decision_function`.
        X, y : array-like
            Rows that did not train it, and their labels.
        sample_weight : array-like, optional
            Weights of the rows.
        response_method : {"auto", "predict_proba", "decision_function"}
            Where scores come from.
        pos_label : object, optional
            The positive class; ``classes_[1]`` by default.
        name : str, optional
            The name in the legend; the estimator's class by default.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        **options
            The options of `plot`.

        Examples
        --------
        >>> import thresher as th
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> model = GaussianNB().fit(X[:400], y[:400])
        >>> display = th.plotting.RocCurveDisplay.from_estimator(model, X[400:], y[400:])
        >>> display.line_.get_label()
        'GaussianNB (AUC 0.995)'
        """
        require("sklearn", extra="sklearn", purpose="A display from an estimator")
        from thresher.sklearn import counted_fold

        scores, _ = counted_fold(estimator, X, y, slice(None), sample_weight, response_method, pos_label)
        return cls.from_scores(scores, name=type(estimator).__name__ if name is None else name, ax=ax, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of each fold, thin, and the curve of all folds counted as one.

        Parameters
        ----------
        cv_results : CrossValScores or dict
            From `thresher.sklearn.cross_val_scores`, or from scikit-learn's `cross_validate` with
            ``return_estimator=True`` and ``return_indices=True``; the latter needs `X` and `y` again.
        X, y : array-like, optional
            The rows and labels that were cross-validated.
        sample_weight, response_method, pos_label, name, ax, **options
            As in `from_estimator`; `CrossValScores` are counted already and take no weights.

        Returns
        -------
        Display
            Of the pooled curve; ``fold_lines_`` holds the lines of the folds.

        Examples
        --------
        >>> import thresher as th
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> result = th.sklearn.cross_val_scores(GaussianNB(), X, y, cv=3)
        >>> display = th.plotting.PrCurveDisplay.from_cv_results(result)
        >>> display.line_.get_label()
        'PR AUC 0.992'
        """
        require("sklearn", extra="sklearn", purpose="A display from an estimator")
        from thresher.sklearn import CrossValScores, counted_fold

        if isinstance(cv_results, CrossValScores):
            folds = cv_results
        else:
            models, tests = _parts_of(cv_results, X, y)
            parts = [
                counted_fold(model, X, y, test, sample_weight, response_method, pos_label)
                for model, test in zip(models, tests, strict=True)
            ]
            folds = CrossValScores(tuple(scores for scores, _ in parts), parts[0][1])
        place = new_axes()[0] if ax is None else check_axes(ax)
        display = cls.from_scores(folds.pooled, name=name, ax=place, **options)
        prevalence = options.get("prevalence")
        style = {**_FOLD_STYLE, "color": display.line_.get_color()}
        display.fold_lines_ = [
            draw_curve(place, *cls._of_scores(fold, None, prevalence)._points(), label=f"_fold {i}", kwargs=style)
            for i, fold in enumerate(folds.folds)
        ]
        return display

    def _drawn(
        self,
        ax: Any,
        name: str | None,
        drawing: Drawing,
        *,
        marked: PrCurve | None = None,
        marks: MarkedPoints = None,
        band: Any = None,
        legend: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw in the one order that keeps labels off each other: curve, what is around it, band, marks, legend."""
        points = [] if marked is None else marks_of(marked, marks)
        shaded = self._asked_band(band)
        ends = self._own_interval() if self._interval else None
        self.displays_ = [self]
        self.ax_ = ax = self._fresh_axes() if ax is None else check_axes(ax)
        self.figure_ = ax.figure
        drawing.dress(ax)
        title = self.name if name is None else name
        label = self._label(title, ends)
        self.line_ = draw_curve(ax, *drawing.path, label=label, kwargs=curve_kwargs)
        colour = self.line_.get_color()
        drawing.around(title, colour)
        self.band_ = draw_band(ax, shaded, colour=colour)
        places = [drawing.place(mark, ax) for mark in points]
        self.marks_ = draw_marks(ax, points, places, colour=colour)
        if points or legend:
            settle(ax)
        self.legend_ = add_legend(ax, self._legend_places) if legend else None
        if points or legend:
            self._fit(ax)
        notes = [(x, y, mark.text, colour) for mark, (x, y) in zip(points, places, strict=True)]
        self.labels_ = add_labels(ax, notes)
        return self

    def __repr__(self) -> str:
        line = getattr(self, "line_", None)
        said = self.name if line is None else line.get_label()
        return f"{type(self).__name__}: {said}" if said else type(self).__name__

    def _fit(self, ax: Any) -> None:
        """Make what stands around the axes fit, once the legend has taken its place."""
        fit_labels(ax)

    def _fresh_axes(self) -> Any:
        """Return axes of a new figure."""
        return new_axes()[0]

    def _label(self, title: str | None, ends: tuple[float, float] | None) -> str | None:
        """Return what the legend says of the curve."""
        return curve_label(title, self._area_label, self._area(), ends)

    def _asked_band(self, band: Any) -> Any:
        """Return the band that was given, or the curve's own where True was given."""
        if not isinstance(band, bool | np.bool_):
            return band
        if not band:
            return None
        scores, how = self._known_source()
        if self._band_of is None:
            raise InvalidInputError(
                "`band` must not be True for this curve, which has no band of its own; got True. Hint: leave it out."
            )
        return getattr(scores, self._band_of)(confidence_level=self._confidence_level, **how)

    def _known_source(self) -> tuple[Scores, dict[str, float]]:
        if self._source is None:
            raise InvalidInputError(
                "`band=True` needs the scores behind the curve; got a curve alone. "
                "Hint: draw with `from_scores` or `from_predictions`, or pass the band itself."
            )
        return self._source


def _parts_of(cv_results: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """Return the estimators and the rows that each was tested on."""
    if not isinstance(cv_results, dict):
        raise InvalidTypeError(
            "`cv_results` must be CrossValScores or what `cross_validate` returns; got "
            f"{show(cv_results)} of type {type(cv_results).__name__}."
        )
    if "estimator" not in cv_results or "indices" not in cv_results:
        raise InvalidInputError(
            f"`cv_results` must hold 'estimator' and 'indices'; got {sorted(cv_results)}. "
            "Hint: call `cross_validate` with return_estimator=True and return_indices=True."
        )
    if X is None or y is None:
        raise InvalidInputError("`X` and `y` must be given with the results of `cross_validate`; got None.")
    return cv_results["estimator"], cv_results["indices"]["test"]
