"""The achievable PR curve: the ROC convex hull seen in PR space (Corollary 3.1 of Davis and Goadrich 2006)."""

from __future__ import annotations

from thresher._core.checks import check_prevalence
from thresher._curves.operating_point import Mix
from thresher._curves.pr import PrCurve
from thresher._curves.roc import roc_curve
from thresher._table import Counts

__all__ = ["AchievablePrCurve", "achievable_pr"]


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
    """Return the achievable PR curve of a count table."""
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
