"""The curves of a count table: the part of the public Scores that looks."""

from __future__ import annotations

from thresher import curves
from thresher.curves import (
    AchievablePrCurve,
    CostCurve,
    DetCurve,
    GainCurve,
    LiftCurve,
    PrCurve,
    PrGainCurve,
    PrPoints,
    RocCurve,
)
from thresher.scores import Counts
from thresher.typing import ArrayLike, FloatArray

__all__ = ["Curves"]


class Curves(Counts):
    """A count table that can be looked at."""

    def roc(self) -> RocCurve:
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
        return curves.roc_curve(self)

    def pr(self, *, prevalence: float | None = None, start: str = "group") -> PrCurve:
        """Return the precision-recall curve.

        Parameters
        ----------
        prevalence : float, optional
            The share of positives where the classifier will be used; precision is redrawn for it.
        start : {"group", "one"}
            The precision of point 0, which calls nothing positive: that of the first group of scores, or 1.

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
        return curves.pr_curve(self, prevalence=prevalence, start=start)

    def achievable_pr(self, *, prevalence: float | None = None) -> AchievablePrCurve:
        """Return the achievable PR curve: the ROC convex hull seen in PR space.

        Parameters
        ----------
        prevalence : float, optional
            The share of positives to which precision shall refer.

        Returns
        -------
        AchievablePrCurve
            Its ``mix(recall=r)`` gives the two thresholds and the coin that reach a recall.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([1, 0, 0, 1], [4, 3, 2, 1]).achievable_pr().mix(recall=0.75)
        Mix(high=4.0, low=1.0, probability=0.5)
        """
        return curves.achievable_pr(self, prevalence=prevalence)

    def pr_function(self, recall: ArrayLike, *, prevalence: float | None = None) -> FloatArray:
        """Return Hughes-Oliver's functional estimate of precision at recalls.

        Parameters
        ----------
        recall : array-like
            Values in [0, 1]; at 0 the limit is returned, at 1 the prevalence.
        prevalence : float, optional
            The share of positives to which precision shall refer.

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
        return curves.pr_function(self, recall, prevalence=prevalence)

    def pr_points(self, *, inclusive: bool = True) -> PrPoints:
        """Return recall and precision at each distinct score: Hughes-Oliver's PR⁰ and PR*.

        Parameters
        ----------
        inclusive : bool
            Whether a case at the threshold is called positive. True gives PR⁰ (``score >= t``, as everywhere in this
            library), False gives PR* (``score > t``).

        Returns
        -------
        PrPoints
            Points only. What lies between them is for `pr` (Davis and Goadrich) or `pr_function` to say.

        References
        ----------
        J. M. Hughes-Oliver (2018), "Population and empirical PR curves for assessment of ranking algorithms", 3.1.

        Examples
        --------
        >>> import thresher as th
        >>> points = th.Scores.from_pos_neg([5, 3], [4, 1]).pr_points()
        >>> points.recall, points.precision.round(3)
        (array([0.5, 0.5, 1. , 1. ]), array([1.   , 0.5  , 0.667, 0.5  ]))
        """
        return curves.pr_points(self, inclusive=inclusive)

    def det(self) -> DetCurve:
        """Return the detection error trade-off curve: misses against false alarms.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).det().equal_error_rate()
        0.5
        """
        return curves.det_curve(self)

    def lift(self) -> LiftCurve:
        """Return the lift curve: how many times the base rate the called cases hold.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 0, 0, 1], [1, 2, 3, 4]).lift().lift.round(2)
        array([4.  , 4.  , 2.  , 1.33, 1.  ])
        """
        return curves.lift_curve(self)

    def gain(self) -> GainCurve:
        """Return the cumulative gain curve: positives found against cases called.

        Examples
        --------
        >>> import thresher as th
        >>> gain = th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).gain()
        >>> gain.depth, gain.recall
        (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 1. , 1. , 1. ]))
        """
        return curves.gain_curve(self)

    def cost_curve(self) -> CostCurve:
        """Return the cost curve: the lowest expected cost under every operating condition.

        Examples
        --------
        >>> import thresher as th
        >>> curve = th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).cost_curve()
        >>> curve.evaluate(0.5), curve.best_threshold(0.5)
        (array(0.25), np.float64(2.0))
        """
        return curves.cost_curve(self)

    def pr_gain(self) -> PrGainCurve:
        """Return the precision-recall-gain curve, in which straight lines are right.

        Examples
        --------
        >>> import thresher as th
        >>> th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).pr_gain().area
        1.0
        """
        return curves.pr_gain_curve(self)
