"""The test scores of every fold: apart, pooled and averaged."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._compare import Estimates
from thresher._compare.estimation import independent_estimates
from thresher._core.arrays import frozen
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_fractions, show
from thresher._core.random_streams import random_generator
from thresher._core.shared_docs import with_texts
from thresher._core.values import value
from thresher._curves import PrCurve, RocCurve
from thresher._facade import Scores
from thresher._inference import CurveBand
from thresher._table import with_infinity
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import Measure, as_measure
from thresher.sklearn._cross_val_figures import (
    DATA_TEXT,
    CrossValDifference,
    CrossValEstimate,
    FoldRows,
    cross_val_difference,
    cross_val_estimate,
)
from thresher.typing import ArrayLike, FloatArray

FIVE_TEXT = f"{DATA_TEXT}\n>>> result = cross_val_scores(GaussianNB(), X, y, cv=5)"


@with_texts(data=DATA_TEXT, five=FIVE_TEXT)
@value(repr=False)
class CrossValScores:
    """The test scores of each fold.

    Parameters
    ----------
    folds : tuple of Scores
        Fold i holds the rows that split i left out, scored by a model that did not see them.
    pos_label : object
        The positive class.

    Notes
    -----
    *Pooled* means that all folds are counted as one data set (``pooled``). That compares scores of different models
    with each other: it asks for one scale of scores, and punishes models that rank well but sit at different levels.
    *Averaged* means the mean of the folds' own figures, which only asks each model to rank its own rows. They answer
    different questions; `roc_auc` averages, and ``pooled.roc_auc()`` pools. A threshold that will be used with one
    model is a pooled question; the quality of a method is an averaged one.

    Examples
    --------
    {five}
    >>> len(result.folds), result.pooled.n_pos, round(result.pooled.roc_auc().value, 3)
    (5, 357, 0.986)
    """

    folds: tuple[Scores, ...]
    pos_label: Any = None
    _rows: tuple[FoldRows, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def pooled(self) -> Scores:
        """All folds counted as one: the exact sum of their tables."""
        total = self.folds[0]
        for fold in self.folds[1:]:
            total = total + fold
        return total

    def fold_values(self, metric: str | Measure = "roc_auc", **options: Any) -> FloatArray:
        """Return the metric of each fold.

        Parameters
        ----------
        metric : str or Measure, default="roc_auc"
            A name of `thresher.measures.names()`, or an object of `thresher.measures`.
        **options
            Options of the measure.

        Returns
        -------
        ndarray of shape (n_folds,)

        Examples
        --------
        {five}
        >>> result.fold_values().round(3)
        array([0.972, 0.985, 0.993, 0.992, 0.995])
        >>> result.fold_values("interpolated").round(3)
        array([0.985, 0.991, 0.996, 0.995, 0.997])
        """
        measure = as_measure(metric, **options)
        return frozen(np.array([measure.of(fold) for fold in self._complete()]))

    def _complete(self) -> tuple[Scores, ...]:
        for i, fold in enumerate(self.folds):
            if not (fold.n_pos > 0 and fold.n_neg > 0):
                raise UndefinedMetricError(
                    f"Every fold must hold both classes; fold {i} has {fold.n_pos:,} positives and {fold.n_neg:,} "
                    "negatives. Hint: use a stratified splitter, or `pooled`."
                )
        return self.folds

    def measure(self, metric: str | Measure, **options: Any) -> CrossValEstimate:
        """Return the mean of a metric over the folds, with its interval.

        Parameters
        ----------
        metric : str or Measure
            A name of `thresher.measures.names()`, or an object of `thresher.measures`, that has an analytic variance:
            both areas, parts of them, and means over rows such as "brier".
        **options
            Options of the measure.

        Returns
        -------
        CrossValEstimate
            For these models on new rows; it is not an interval for the method, as its notes say.

        Examples
        --------
        {data}
        >>> found = cross_val_scores(GaussianNB(), X, y, cv=5, pos_label=1).measure("average_precision")
        >>> round(found, 3), round(found.standard_error, 3)
        (0.993, 0.002)
        """
        return cross_val_estimate(self._complete(), as_measure(metric, **options))

    def estimates(self, metric: str | Measure = "roc_auc", **options: Any) -> Estimates:
        """Return the metric of each fold, called "fold 0" and so on, with their covariance.

        Parameters
        ----------
        metric : str or Measure, default="roc_auc"
            What is measured.
        **options
            Options of the measure.

        Returns
        -------
        Estimates
            Of the models that were fitted. Folds hold different rows, so the covariances are 0; how much models vary
            with their training rows, which folds share, no covariance of one cross-validation shows.

        Examples
        --------
        {data}
        >>> folds = cross_val_scores(GaussianNB(), X, y, cv=5).estimates()
        >>> folds.mean()
        mean = 0.987, 95% interval 0.966 to 0.993
        >>> round(folds.omnibus().pvalue, 2)
        0.47
        """
        measure = as_measure(metric, **options)
        folds = self._complete()
        names = [f"fold {i}" for i in range(len(folds))]
        return independent_estimates(names, folds, measure, np.array([measure.of(fold) for fold in folds]))

    def compare(
        self,
        other: CrossValScores,
        metric: str | Measure = "roc_auc",
        *,
        confidence_level: float = 0.95,
        target: str = "models",
        n_resamples: int = 2000,
        rng: Any = 0,
        **options: Any,
    ) -> CrossValDifference:
        """Compare with another model that was cross-validated over the same folds.

        Parameters
        ----------
        other : CrossValScores
            The second model.
        metric : str or Measure, default="roc_auc"
            What is compared, fold by fold, both models on the same rows.
        confidence_level : float, default=0.95
            Of the interval of the mean difference.
        target : {"models", "learner"}
            ``"models"``: whether the models that were fitted differ on new rows. ``"learner"``: whether the learners
            differ when they are fitted to other data of this size, by Nadeau and Bengio's t, which allows for the
            training rows that folds share.
        n_resamples, rng
            For figures whose difference is resampled, such as "pr_auc".
        **options
            Options of the measure.

        Returns
        -------
        CrossValDifference
            As a test of learners ``target="models"`` rejects too often: 5 to 13% of equal learners at the 5% level in
            simulations, where ``target="learner"`` rejected 2 to 4%.

        References
        ----------
        .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52 (2003), 239-281.
           https://doi.org/10.1023/A:1024068626366

        Examples
        --------
        {data}
        >>> all_columns = cross_val_scores(GaussianNB(), X, y, cv=5, pos_label=1)
        >>> two_columns = cross_val_scores(GaussianNB(), X[:, :2], y, cv=5, pos_label=1)
        >>> found = all_columns.compare(two_columns)
        >>> round(found.value, 3), found.pvalue < 0.001
        (0.032, True)
        >>> round(all_columns.compare(two_columns, target="learner").pvalue, 4)
        0.0109
        """
        if not isinstance(other, CrossValScores):
            raise InvalidTypeError(f"`other` must be a CrossValScores; got {show(other)}.")
        return cross_val_difference(
            self._rows,
            other._rows,
            as_measure(metric, **options),
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=rng,
            target=target,
        )

    def roc_auc(self) -> CrossValEstimate:
        """Return the cross-validated AUC: the mean of the folds' areas, with its interval, as `measure` does.

        Examples
        --------
        {data}
        >>> area = cross_val_scores(GaussianNB(), X, y, cv=5).roc_auc()
        >>> round(area, 3), round(area.standard_error, 4)
        (0.987, 0.0036)
        """
        return self.measure("roc_auc")

    def averaged_roc(self, fpr: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
        """Return false positive rates and the mean over folds of the true positive rate at each.

        Parameters
        ----------
        fpr : array-like, optional
            Rates in [0, 1]; 201 of them by default.

        Returns
        -------
        fpr, tpr : ndarray

        Examples
        --------
        {five}
        >>> fpr, tpr = result.averaged_roc([0.01, 0.05, 0.1])
        >>> tpr.round(3)
        array([0.835, 0.938, 0.975])
        """
        x = _grid(fpr, "fpr")
        return x, frozen(np.mean([fold.roc().interpolate(x) for fold in self._complete()], axis=0))

    def averaged_pr(
        self, recall: ArrayLike | None = None, *, prevalence: float | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return recalls and the mean over folds of the precision at each, interpolated as in the 2006 paper.

        Parameters
        ----------
        recall : array-like, optional
            Values in [0, 1]; 201 of them by default.
        prevalence : float, optional
            The proportion of positives to which precision refers; each fold's own by default.

        Returns
        -------
        recall, precision : ndarray

        Examples
        --------
        {five}
        >>> recall, precision = result.averaged_pr([0.5, 0.9, 0.99])
        >>> precision.round(3)
        array([1.   , 0.985, 0.865])
        """
        x = _grid(recall, "recall")
        values = [fold.pr(prevalence=prevalence).interpolate(x) for fold in self._complete()]
        return x, frozen(np.mean(values, axis=0))

    def averaged_band(
        self,
        x: ArrayLike | None = None,
        *,
        curve: str = "roc",
        confidence_level: float = 0.95,
        n_resamples: int = 500,
        rng: Any = None,
    ) -> CurveBand:
        """Return a pointwise band around the averaged curve.

        Parameters
        ----------
        x : array-like, optional
            False positive rates (ROC) or recalls (PR); 201 of them by default.
        curve : {"roc", "pr"}
            Which curve.
        confidence_level : float, default=0.95
            In (0, 1), for each point alone.
        n_resamples : int, default=500
            How often the rows of each fold are drawn again.
        rng : seed or Generator, optional
            Makes it repeatable.

        Returns
        -------
        CurveBand
            Percentiles of the averaged curve when the rows of each fold are drawn again, class by class. It is about
            these models on new rows; how models vary with their training rows is not in it. The pooled curve's band is
            ``pooled.roc_band()``.

        Examples
        --------
        {five}
        >>> band = result.averaged_band([0.05, 0.1], n_resamples=200, rng=0)
        >>> band.value.round(3), bool((band.high - band.low < 0.1).all())
        (array([0.938, 0.975]), True)
        """
        kind = check_choice(curve, "curve", ("roc", "pr"))
        grid = _grid(x, "x")
        level = check_confidence_level(confidence_level)
        draws = check_count(n_resamples, "n_resamples", minimum=20)
        generator = random_generator(rng)
        total = np.zeros((draws, grid.size))
        for fold in self._complete():
            total += _resampled(fold, grid, kind, draws, generator)
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(total / len(self.folds), [tail, 1.0 - tail], axis=0)
        value = (self.averaged_roc(grid) if kind == "roc" else self.averaged_pr(grid))[1]
        return CurveBand(
            grid,
            frozen(np.minimum(low, value)),
            frozen(np.maximum(high, value)),
            value,
            level,
            "fold-bootstrap",
            False,
            kind,
        )

    def __repr__(self) -> str:
        return (
            f"CrossValScores: {len(self.folds)} folds, {self.pooled.n_pos:,} positives, {self.pooled.n_neg:,} negatives"
        )


def _grid(values: ArrayLike | None, name: str) -> FloatArray:
    grid = np.linspace(0.0, 1.0, 201) if values is None else check_fractions(values, name)
    if grid.ndim != 1:
        raise InvalidInputError(f"`{name}` must be one-dimensional; got shape {grid.shape}.")
    return frozen(grid.copy())


def _resampled(fold: Scores, grid: FloatArray, kind: str, draws: int, rng: np.random.Generator) -> FloatArray:
    """Return the curve on the grid for each drawing of a fold's rows, class by class."""
    thresholds = with_infinity(fold.thresholds)
    out = np.empty((draws, grid.size))
    # Drawing rows with replacement, class by class, is a multinomial over the distinct scores.
    sizes = (round(fold.n_pos), round(fold.n_neg))
    shares = (fold.pos / fold.n_pos, fold.neg / fold.n_neg)
    for i in range(draws):
        tp, fp = (
            np.concatenate(([0], np.cumsum(rng.multinomial(size, share))))
            for size, share in zip(sizes, shares, strict=True)
        )
        curve: RocCurve | PrCurve
        curve = RocCurve(thresholds, tp, fp) if kind == "roc" else _pr(thresholds, tp, fp)
        out[i] = curve.interpolate(grid)
    return out


def _pr(thresholds: NDArray[Any], tp: NDArray[Any], fp: NDArray[Any]) -> PrCurve:
    """Return the PR curve without the points above the first row that was drawn."""
    first = int(np.searchsorted(tp + fp, 0, side="right"))
    kept = np.concatenate(([0], np.arange(first, tp.size)))
    return PrCurve(thresholds[kept], tp[kept], fp[kept])
