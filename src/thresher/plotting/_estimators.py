"""Displays from fitted estimators and from cross-validation, as scikit-learn's displays have them."""

from __future__ import annotations

from typing import Any, Self

from thresher._core.checks import require, show
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.plotting._axes import check_axes, draw_curve, new_axes
from thresher.typing import FloatArray

__all__ = ["FromEstimators"]

_FOLD_STYLE = {"linewidth": 0.8, "alpha": 0.45, "zorder": 2.2}


class FromEstimators:
    """What a display of one curve needs to be made from an estimator or from folds."""

    line_: Any
    fold_lines_: list[Any]

    @classmethod
    def from_scores(cls, scores: Scores, *, name: str | None = None, ax: Any = None, **options: Any) -> Self:
        """Draw scores; each display has its own."""
        raise NotImplementedError

    @staticmethod
    def _path_of(scores: Scores, prevalence: float | None = None) -> tuple[FloatArray, FloatArray]:
        """Return the points to draw for a fold."""
        raise NotImplementedError

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
            What the legend calls it; the estimator's class by default.
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
        style = {**_FOLD_STYLE, "color": display.line_.get_color()}
        display.fold_lines_ = [
            draw_curve(place, *cls._path_of(fold, options.get("prevalence")), label=f"_fold {i}", kwargs=style)
            for i, fold in enumerate(folds.folds)
        ]
        return display


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
