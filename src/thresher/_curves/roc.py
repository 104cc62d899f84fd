"""The ROC curve."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from thresher._core.checks import check_fractions, check_prevalence
from thresher._core.decimals import portion
from thresher._core.device_path import ends_on_device, hull_on_device
from thresher._core.hull import upper_hull
from thresher._core.notebook_html import Picture
from thresher._curves.curve import Curve
from thresher._curves.points import bracket_fp, counts_between, counts_of_roc
from thresher._table import Counts, check_two_classes, running_counts, with_empty
from thresher.typing import ArrayLike, CountArray, FloatArray

if TYPE_CHECKING:
    from thresher._curves.pr import PrCurve


class RocCurve(Curve, space="roc"):
    """True positive rate against false positive rate.

    `thresholds`, `fpr` and `tpr` have equal length; the first point is (0, 0) at threshold +inf, which predicts nothing
    positive, the last (1, 1).
    Tied scores are one point, and between points the curve is straight. ``==`` compares thresholds, counts, prevalence
    and error bound.

    Examples
    --------
    >>> import thresher as th
    >>> roc = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
    >>> roc.fpr, roc.tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> roc.thresholds
    array([ inf, 0.8 , 0.4 , 0.35, 0.1 ])
    """

    @cached_property
    def fpr(self) -> FloatArray:
        """False positive rate at each point."""
        return self._shares(1)

    @cached_property
    def tpr(self) -> FloatArray:
        """True positive rate at each point."""
        return self._shares(0)

    def _picture(self) -> Picture:
        return Picture(self.fpr, self.tpr, ("false positive rate", "recall"), ((0, 1), (0, 1)))

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("thresholds", "fpr", "tpr", "tp", "fp")}

    @classmethod
    def from_points(
        cls,
        fpr: ArrayLike,
        tpr: ArrayLike,
        *,
        n_pos: float,
        n_neg: float,
        thresholds: ArrayLike | None = None,
    ) -> Self:
        """Make a curve from published points.

        Parameters
        ----------
        fpr, tpr : array-like of shape (k,)
            Rates in the order of falling or of rising thresholds. The ends (0, 0) and (1, 1) are added where they are
            missing.
        n_pos, n_neg : int or float
            The class totals behind the rates.
        thresholds : array-like of shape (k,), optional
            The threshold of each point; NaN where unknown.

        Returns
        -------
        RocCurve

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.RocCurve.from_points([0.25], [1.0], n_pos=20, n_neg=2000)
        >>> curve.tp, curve.fp
        (array([ 0, 20, 20]), array([   0,  500, 2000]))
        """
        return cls(*counts_of_roc(fpr, tpr, n_pos, n_neg, thresholds))

    def interpolate(self, fpr: ArrayLike) -> FloatArray:
        """Return the true positive rate at false positive rates, by straight lines.

        Parameters
        ----------
        fpr : array-like
            Values in [0, 1]; where the curve rises vertically the upper end is meant.

        Returns
        -------
        ndarray
            Of the shape of `fpr`.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0], [3, 2, 2, 1, 1, 0])
        >>> scores.roc().interpolate([0.0, 0.25, 1.0]).round(4)
        array([0.3333, 0.5833, 1.    ])
        """
        x = check_fractions(fpr, "fpr")
        tp = counts_between(self._tp, bracket_fp(self._fp, portion(x, self.n_neg)))
        return np.asarray(tp / self.n_pos)

    def hull(self) -> Self:
        """Return the ROC convex hull: the vertices that are best for some cost ratio, with their thresholds.

        Points on a straight edge are dropped. Integer arithmetic; linear in the number of points. A hull built on
        test data is optimistic about those data: build it on tuning data and carry the thresholds over.

        Examples
        --------
        >>> import thresher as th
        >>> hull = th.Scores([1, 0, 1, 0, 0, 1, 0], [7, 6, 5, 4, 3, 2, 1]).roc().hull()
        >>> hull.tp, hull.fp, hull.thresholds
        (array([0, 1, 2, 3, 3]), array([0, 0, 1, 3, 4]), array([inf,  7.,  5.,  2.,  1.]))
        """
        ranks = None if self._source is None else self._source._ranks
        if ranks is None:
            index = upper_hull(self._fp, self._tp)
            columns = self._thresholds[index], self._tp[index], self._fp[index]
        else:
            scores, tp, fp = hull_on_device(ranks)
            columns = with_empty(scores, ends_on_device(ranks)[0]), np.append(0, tp), np.append(0, fp)
        return type(self)(
            *columns,
            prevalence=self._prevalence,
            rate_error_bound=self._rate_error_bound,
            sample=self._sample,
        )

    def to_pr(self, *, prevalence: float | None = None) -> PrCurve:
        """Return the same confusion matrices as a PR curve (Theorem 3.1 of Davis and Goadrich 2006).

        Parameters
        ----------
        prevalence : float, optional
            The class balance to which precision refers; by default that of this curve.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> scores.roc().to_pr().precision.round(3)
        array([1.   , 1.   , 1.   , 0.667, 0.75 , 0.6  , 0.5  , 0.571, 0.5  ])
        >>> scores.roc().to_pr(prevalence=0.1).precision.round(3)
        array([1.   , 1.   , 1.   , 0.182, 0.25 , 0.143, 0.1  , 0.129, 0.1  ])
        """
        share = self._prevalence if prevalence is None else check_prevalence(prevalence)
        found: PrCurve = self._seen_in("pr", share)
        return found


def roc_curve(counts: Counts) -> RocCurve:
    """Return the ROC curve.

    Returns
    -------
    RocCurve
        With `thresholds`, `fpr` and `tpr` of equal length, from (0, 0) at threshold +inf to (1, 1).

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 1, 1], [0.2, 0.2, 0.7]).roc().tpr
    array([0. , 0.5, 1. ])
    """
    check_two_classes(counts, "A ROC curve")
    return RocCurve._of_table(counts)


def hull_counts(counts: Counts) -> tuple[CountArray, CountArray]:
    """Return the true and false positives at the vertices of the ROC convex hull, from (0, 0) on."""
    if counts._ranks is not None:
        _, tp, fp = hull_on_device(counts._ranks)
        return np.append(0, tp), np.append(0, fp)
    tp, fp = running_counts(counts)
    # The hull of the origin and the hull of the rest is the hull of both.
    rest = upper_hull(fp, tp)
    zero = counts.tp.dtype.type(0) if not counts._whole else np.int64(0)
    tp, fp = np.append(zero, tp[rest]), np.append(zero, fp[rest])
    vertices = upper_hull(fp, tp)
    return tp[vertices], fp[vertices]
