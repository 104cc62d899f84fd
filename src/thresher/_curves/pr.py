"""The precision-recall curve, the one that mixing thresholds achieves, and the functional estimator."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import MOST_EXACT, frozen
from thresher._core.checks import check_choice, check_fractions, check_prevalence
from thresher._core.decimals import portion
from thresher._core.notebook_html import Picture
from thresher._curves.curve import Curve
from thresher._curves.operating_point import Mix
from thresher._curves.points import bracket_tp, counts_between, counts_of_pr
from thresher._curves.roc import RocCurve, roc_curve
from thresher._table import EXACT, Counts, RateErrorBound, check_two_classes, padded_counts
from thresher.typing import ArrayLike, CountArray, FloatArray

_STARTS = ("group", "one")
_STEPS = np.linspace(0.0, 1.0, 101)


class PrCurve(Curve, space="pr"):
    """Precision against recall.

    `thresholds`, `recall` and `precision` have equal length. Point 0 (threshold +inf) predicts nothing positive and has
    no precision of its own: with ``start="group"`` it takes that of the first group of scores, which is the limit
    there (0 if that group holds no positive), with ``start="one"`` the value 1 that scikit-learn draws. Points
    without true positives are kept. ``==`` compares thresholds, counts, prevalence, start and error bound.

    Examples
    --------
    >>> import thresher as th
    >>> pr = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr()
    >>> pr.recall, pr.precision.round(3)
    (array([0. , 0.5, 0.5, 1. , 1. ]), array([1.   , 1.   , 0.5  , 0.667, 0.5  ]))
    """

    _parts = (*Curve._parts, "_start")
    _compared = (*Curve._compared, "_start")

    _start: str

    def __init__(
        self,
        thresholds: NDArray[Any],
        tp: CountArray,
        fp: CountArray,
        *,
        prevalence: float | None = None,
        start: str = "group",
        rate_error_bound: RateErrorBound = EXACT,
        sample: Counts | None = None,
        every_score: bool = False,
    ) -> None:
        super().__init__(
            thresholds,
            tp,
            fp,
            prevalence=prevalence,
            rate_error_bound=rate_error_bound,
            sample=sample,
            every_score=every_score,
        )
        self.__dict__["_start"] = check_choice(start, "start", _STARTS)

    @property
    def start(self) -> str:
        """The rule for the precision of point 0."""
        return self._start

    @cached_property
    def recall(self) -> FloatArray:
        """Recall at each point."""
        return self._shares(0)

    @cached_property
    def precision(self) -> FloatArray:
        """Precision at each point, at the curve's prevalence."""
        counts = self._kernel_counts
        if counts is not None and self.n_pos + self.n_neg <= MOST_EXACT:
            precision = native.rates(counts[0], self.skew, counts[1], first=1.0)
            if self._start != "one":
                precision[0] = precision[1]
            return frozen(precision)
        called = self._tp + self._fp if self._prevalence is None else self._tp + self.skew * self._fp
        precision = np.empty(len(self))
        precision[1:] = self._tp[1:] / called[1:]
        precision[0] = 1.0 if self._start == "one" else precision[1]
        return frozen(precision)

    def _picture(self) -> Picture:
        # Between thresholds the curve is bent, so points are added where a straight line would be wrong.
        between = np.setdiff1d(_STEPS, self.recall)
        recall = np.concatenate((self.recall, between))
        order = np.argsort(recall, kind="stable")
        precision = np.concatenate((self.precision, self.interpolate(between)))
        chance = (self.prevalence, self.prevalence)
        return Picture(recall[order], precision[order], ("recall", "precision"), ((0, 1), chance))

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in ("thresholds", "recall", "precision", "tp", "fp")}

    @classmethod
    def from_points(
        cls,
        recall: ArrayLike,
        precision: ArrayLike,
        *,
        n_pos: float,
        n_neg: float,
        thresholds: ArrayLike | None = None,
        start: str = "group",
    ) -> Self:
        """Make a curve from published points.

        Parameters
        ----------
        recall, precision : array-like of shape (k,)
            In order of rising (or falling) recall. The ends are added where they are missing. A point at recall 0
            fixes no confusion matrix; with precision 0 it says that false positives come before the first positive.
        n_pos, n_neg : int or float
            The class totals. Points that no confusion matrix of these totals has are refused.
        thresholds : array-like of shape (k,), optional
            The threshold of each point; NaN where unknown.
        start : {"group", "one"}
            The precision of point 0.

        Returns
        -------
        PrCurve

        Examples
        --------
        The paper's Table 1: between two points precision is not linear.

        >>> import thresher as th
        >>> curve = th.PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
        >>> curve.interpolate([0.25, 0.3, 0.35, 0.4, 0.45, 0.5]).round(3)
        array([0.5  , 0.375, 0.318, 0.286, 0.265, 0.25 ])
        """
        return cls(*counts_of_pr(recall, precision, n_pos, n_neg, thresholds), start=start)

    @property
    def _empty_precision(self) -> float | None:
        return float(self.precision[0])

    def interpolate(self, recall: ArrayLike, *, method: str = "davis-goadrich") -> FloatArray:
        """Return precision at any recall.

        Parameters
        ----------
        recall : array-like
            Values in [0, 1].
        method : {"davis-goadrich", "step"}
            ``"davis-goadrich"`` interpolates counts, exactly at any recall and not only where true positives are
            whole; it is what mixing two thresholds achieves. ``"step"`` takes the precision of the next threshold
            that reaches the recall, as average precision does. Where several precisions belong to one recall, the
            highest threshold's is meant.

        Returns
        -------
        ndarray
            Of the shape of `recall`.

        References
        ----------
        J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874, section 4.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0], [3, 2, 2, 1, 1, 0])
        >>> scores.pr().interpolate([0.25, 0.5, 1.0]).round(4)
        array([1.  , 0.75, 0.6 ])
        >>> scores.pr().interpolate([0.25, 0.5, 1.0], method="step").round(4)
        array([1.    , 0.6667, 0.6   ])
        """
        kind = check_choice(method, "method", ("davis-goadrich", "step"))
        x = check_fractions(recall, "recall")
        before, after, share = bracket_tp(self._tp, portion(x, self.n_pos))
        bracket = (before, after, share if kind == "davis-goadrich" else np.ones_like(share))
        tp, fp = counts_between(self._tp, bracket), counts_between(self._fp, bracket)
        called = tp + self.skew * fp
        start = self.precision[0]
        return np.asarray(np.where(called > 0, tp / np.where(called > 0, called, 1.0), start)) if x.size else x

    def to_roc(self) -> RocCurve:
        """Return the same confusion matrices as a ROC curve (Theorem 3.1 of Davis and Goadrich 2006).

        Points at recall 0 survive, because the curve keeps counts: from precision 0 alone they could not.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> roc = scores.pr().to_roc()
        >>> roc.fpr
        array([0.  , 0.  , 0.  , 0.25, 0.25, 0.5 , 0.75, 0.75, 1.  ])
        """
        found: RocCurve = self._seen_in("roc", self._prevalence)
        return found


def pr_curve(counts: Counts, *, prevalence: float | None = None, start: str = "group") -> PrCurve:
    """Return the precision-recall curve.

    Parameters
    ----------
    prevalence : float, optional
        The proportion of positives where the classifier will be used; precision is redrawn for it.
    start : {"group", "one"}
        The precision of point 0, which predicts nothing positive: that of the first group of scores, or 1.

    Returns
    -------
    PrCurve
        With `thresholds`, `recall` and `precision` of equal length.

    Examples
    --------
    A balanced test set says little about a deployment with one positive in a hundred:

    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> scores.pr().at(recall=1).precision
    0.75
    >>> round(scores.pr(prevalence=0.01).at(recall=1).precision, 3)
    0.029
    """
    check_two_classes(counts, "A precision-recall curve")
    share = None if prevalence is None else check_prevalence(prevalence)
    out = PrCurve._of_table(counts, prevalence=share)
    out.__dict__["_start"] = check_choice(start, "start", _STARTS)
    return out


def pr_function(counts: Counts, recall: ArrayLike, *, prevalence: float | None = None) -> FloatArray:
    """Return Hughes-Oliver's functional estimate of precision at recalls.

    Parameters
    ----------
    recall : array-like
        Values in [0, 1]; at 0 the limit is returned, at 1 the prevalence.
    prevalence : float, optional
        The proportion of positives to which precision refers.

    Returns
    -------
    ndarray
        Of the shape of `recall`. Without ties across the classes this is the interpolated PR curve at the lower
        end of its vertical pieces; with ties it is above what any threshold achieves.

    References
    ----------
    J. M. Hughes-Oliver (2018), "Population and empirical PR curves for assessment of ranking algorithms".

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores.from_pos_neg([5, 3], [4, 1]).pr_function([0.25, 0.5, 0.75, 1])
    array([1. , 0.5, 0.6, 0.5])
    """
    check_two_classes(counts, "The functional PR estimator")
    x = check_fractions(recall, "recall")
    tp, fp = padded_counts(counts)
    skew = 1.0
    if prevalence is not None:
        share = check_prevalence(prevalence)
        skew = (1.0 - share) / share * counts.n_pos / counts.n_neg
    found = portion(x, counts.n_pos)
    # The positive asked for lies in the group after the last point with no more than `found`; c is counted before it.
    above = fp[np.searchsorted(tp, found, side="right") - 1] * skew
    total = found + above
    return np.asarray(np.where(total > 0, found / np.where(total > 0, total, 1.0), 1.0))


class AchievablePrCurve(PrCurve):
    """The best PR curve that mixing thresholds reaches; no point of the data lies above it.

    Examples
    --------
    >>> import thresher as th
    >>> best = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1]).achievable_pr()
    >>> best.recall.round(3), best.precision
    (array([0.   , 0.333, 1.   , 1.   ]), array([1.  , 1.  , 0.75, 0.5 ]))
    >>> best.mix(recall=0.5)
    Mix(high=6.0, low=3.0, probability=0.25)
    """

    def mix(self, *, recall: float) -> Mix:
        """Return the two thresholds and the mixing probability that reach a recall on this curve.

        Parameters
        ----------
        recall : float
            In [0, 1].

        Returns
        -------
        Mix
            At a vertex both thresholds are the same.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> curve = scores.achievable_pr()
        >>> curve.mix(recall=0.625)
        Mix(high=7.0, low=5.0, probability=0.5)
        >>> round(curve.at(recall=0.625).precision, 4)
        0.8333
        """
        point = self.at(recall=recall)
        return point.mix if point.mix is not None else Mix(point.threshold, point.threshold, 1.0)


def achievable_pr(counts: Counts, *, prevalence: float | None = None) -> AchievablePrCurve:
    """Return the achievable PR curve: the ROC convex hull seen in PR space.

    Parameters
    ----------
    prevalence : float, optional
        The proportion of positives to which precision refers.

    Returns
    -------
    AchievablePrCurve
        Its ``mix(recall=r)`` gives the two thresholds and the mixing probability that reach a recall.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 0, 1], [4, 3, 2, 1]).achievable_pr().mix(recall=0.75)
    Mix(high=4.0, low=1.0, probability=0.5)
    """
    share = None if prevalence is None else check_prevalence(prevalence)
    hull = roc_curve(counts).hull()
    return AchievablePrCurve(
        hull._thresholds,
        hull.tp,
        hull.fp,
        prevalence=share,
        rate_error_bound=hull.rate_error_bound,
        sample=hull._sample,
    )
