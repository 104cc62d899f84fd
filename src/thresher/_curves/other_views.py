"""Other views of the same counts: DET, lift, gain, cost and precision-recall-gain curves."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.checks import check_choice, check_fractions
from thresher._core.hull import upper_hull
from thresher._core.notebook_html import Picture
from thresher._core.presented import Presented
from thresher._core.result_bases import Drawn
from thresher._core.values import value
from thresher._curves.points import bracket_tp, counts_between
from thresher._curves.roc import roc_curve
from thresher._table import Counts, check_two_classes, padded_counts, with_infinity
from thresher.typing import ArrayLike, FloatArray


@value
class DetCurve(Drawn, Presented):
    """Detection error trade-off: false negative rate against false positive rate.

    Point i predicts a row positive when its score is at least ``thresholds[i]``; `fpr` rises and `fnr` falls with i.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> curve = scores.det()
    >>> curve.fpr[:4], curve.fnr[:4]
    (array([0.  , 0.  , 0.  , 0.25]), array([1.  , 0.75, 0.5 , 0.5 ]))
    """

    thresholds: NDArray[Any]
    fpr: FloatArray
    fnr: FloatArray

    def _picture(self) -> Picture:
        return Picture(self.fpr, self.fnr, ("false positive rate", "miss rate"), ((0, 1), (1, 0)))

    def normal_deviates(self) -> tuple[FloatArray, FloatArray]:
        """Return both rates on the probit scale, on which two normal classes give a straight line.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> x, y = scores.det().normal_deviates()
        >>> round(float(x[4]), 3), round(float(y[4]), 3)
        (-0.674, -0.674)
        """
        return np.asarray(scipy.special.ndtri(self.fpr)), np.asarray(scipy.special.ndtri(self.fnr))

    def equal_error_rate(self, *, curve: str = "hull") -> float:
        """Return the rate at which false negative and false positive rates are equal, interpolated between points.

        Parameters
        ----------
        curve : {"hull", "roc"}
            On the convex hull, as ``scores.measure("eer")``, or between the neighbouring points of the curve itself.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> scores.det().equal_error_rate()
        0.25
        """
        fpr, fnr = self.fpr, self.fnr
        if check_choice(curve, "curve", ("hull", "roc")) == "hull":
            # The vertices with the fewest misses for their false alarms.
            tpr = 1.0 - fnr
            new = np.append(True, (np.diff(fpr) > 0.0) | (np.diff(tpr) > 0.0))
            rest = np.flatnonzero(new)
            vertices = rest[upper_hull(fpr[rest], tpr[rest])]
            fpr, fnr = fpr[vertices], fnr[vertices]
        gap = fpr - fnr
        after = int(np.searchsorted(gap, 0.0, side="left"))
        if gap[after] == 0.0:
            return float(fpr[after])
        share = -gap[after - 1] / (gap[after] - gap[after - 1])
        return float(fpr[after - 1] + share * (fpr[after] - fpr[after - 1]))


@value
class LiftCurve(Drawn, Presented):
    """Lift: precision over prevalence against the proportion of rows that are predicted positive.

    `depth` is the proportion of rows predicted positive at ``thresholds[i]``; `lift` is precision over prevalence. At
    depth 0 the lift is that of the first group.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> curve = scores.lift()
    >>> curve.depth[:4], curve.lift[:4].round(3)
    (array([0.   , 0.125, 0.25 , 0.375]), array([2.   , 2.   , 2.   , 1.333]))
    """

    thresholds: NDArray[Any]
    depth: FloatArray
    lift: FloatArray

    def _picture(self) -> Picture:
        top = (0.0, max(float(self.lift.max()), 1.0))
        # Gain is straight between points, and lift is gain over depth.
        depth = np.union1d(self.depth[1:], np.geomspace(self.depth[1], 1.0, 200))
        lift = np.interp(depth, self.depth, self.depth * self.lift) / depth
        depth, lift = np.append(0.0, depth), np.append(self.lift[0], lift)
        return Picture(depth, lift, ("share predicted positive", "lift"), ((0, 1), (1, 1)), height=top)


@value
class GainCurve(Drawn, Presented):
    """Cumulative gain: recall against the proportion of rows that are predicted positive.

    Straight between points. Chance is the diagonal; the best possible curve reaches 1 at the prevalence.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> curve = scores.gain()
    >>> curve.depth[:4], curve.recall[:4]
    (array([0.   , 0.125, 0.25 , 0.375]), array([0.  , 0.25, 0.5 , 0.5 ]))
    """

    thresholds: NDArray[Any]
    depth: FloatArray
    recall: FloatArray

    def _picture(self) -> Picture:
        return Picture(self.depth, self.recall, ("proportion predicted positive", "recall"), ((0, 1), (0, 1)))


@value
class CostCurve(Drawn, Presented):
    """The lower envelope of expected cost over operating conditions (Drummond and Holte 2006).

    `probability_cost` are the corners of the envelope, from 0 to 1: prevalence times the cost of a miss, over its sum
    with one minus prevalence times the cost of a false alarm. `expected_cost` is the normalised cost there, and
    ``thresholds[i]`` the best threshold between corners i and i + 1: the vertices of the ROC convex hull. The first
    predicts nothing positive: +inf, or NaN, which no score reaches, if +inf is a score.

    References
    ----------
    C. Drummond and R. C. Holte (2006), doi:10.1007/s10994-006-8199-5.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> curve = scores.cost_curve()
    >>> curve.probability_cost.round(3)
    array([0.   , 0.   , 0.5  , 0.667, 1.   , 1.   ])
    >>> curve.thresholds
    array([inf,  7.,  5.,  2.,  1.])
    """

    probability_cost: FloatArray
    expected_cost: FloatArray
    thresholds: NDArray[Any]

    def _picture(self) -> Picture:
        axes, all_or_none = ("probability cost", "expected cost"), ((0, 0.5, 1), (0, 0.5, 0))
        return Picture(self.probability_cost, self.expected_cost, axes, all_or_none, height=(0.0, 0.5))

    def _columns(self) -> dict[str, Any]:
        corners = {name: getattr(self, name) for name in ("probability_cost", "expected_cost")}
        return corners | {"thresholds": [*self.thresholds.tolist(), None]}  # each is best up to the next corner

    def evaluate(self, probability_cost: ArrayLike) -> FloatArray:
        """Return the lowest normalised expected cost at operating conditions in [0, 1].

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> scores.cost_curve().evaluate([0.0, 0.25, 0.5, 1.0])
        array([0.   , 0.125, 0.25 , 0.   ])
        """
        x = check_fractions(probability_cost, "probability_cost")
        return np.asarray(np.interp(x, self.probability_cost, self.expected_cost))

    def best_threshold(self, probability_cost: float) -> Any:
        """Return the threshold that is best at one operating condition.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
        >>> curve = scores.cost_curve()
        >>> float(curve.best_threshold(0.25)), float(curve.best_threshold(0.75))
        (7.0, 2.0)
        """
        x = float(check_fractions(probability_cost, "probability_cost"))
        place = int(np.searchsorted(self.probability_cost, x, side="right")) - 1
        return self.thresholds[min(place, self.thresholds.size - 1)]


@value
class PrGainCurve(Drawn, Presented):
    """Precision gain against recall gain (Flach and Kull 2015).

    Point i belongs to ``thresholds[i]``; points without true positives, which have no gain, are left out. Straight
    lines between points are right in this space, because both gains are linear in 1 / TP. Always-positive is (1, 0).

    References
    ----------
    P. Flach and M. Kull (2015), "Precision-Recall-Gain curves: PR analysis done right".

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> curve = scores.pr_gain()
    >>> round(curve.area, 4), float(curve.recall_gain[-1]), float(curve.precision_gain[-1])
    (0.4306, 1.0, 0.0)
    """

    thresholds: NDArray[Any]
    recall_gain: FloatArray
    precision_gain: FloatArray
    area: float
    """The area over recall gain 0 to 1; it may be negative for a ranking worse than chance."""

    def _picture(self) -> Picture:
        inside = self.recall_gain >= 0.0
        return Picture(self.recall_gain[inside], self.precision_gain[inside], ("recall gain", "precision gain"))


def det_curve(counts: Counts) -> DetCurve:
    """Return the detection error trade-off curve: false negative rate against false positive rate.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).det().equal_error_rate()
    0.25
    """
    check_two_classes(counts, "A DET curve")
    tp, fp = padded_counts(counts)
    columns = with_infinity(counts.thresholds), fp / counts.n_neg, (counts.n_pos - tp) / counts.n_pos
    return DetCurve(*map(frozen, columns))


def lift_curve(counts: Counts) -> LiftCurve:
    """Return the lift curve: precision over prevalence against the proportion of rows predicted positive.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 0, 0, 1], [1, 2, 3, 4]).lift().lift.round(2)
    array([4.  , 4.  , 2.  , 1.33, 1.  ])
    """
    check_two_classes(counts, "A lift curve")
    tp, fp = padded_counts(counts)
    called = tp + fp
    lift = np.empty(tp.size)
    lift[1:] = tp[1:] / called[1:] / counts.prevalence
    lift[0] = lift[1]
    return LiftCurve(*map(frozen, (with_infinity(counts.thresholds), called / called[-1], lift)))


def gain_curve(counts: Counts) -> GainCurve:
    """Return the cumulative gain curve: recall against the proportion of rows that are predicted positive.

    Examples
    --------
    >>> import thresher as th
    >>> gain = th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).gain()
    >>> gain.depth, gain.recall
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0. , 0.5, 1. , 1. , 1. ]))
    """
    check_two_classes(counts, "A gain curve")
    tp, fp = padded_counts(counts)
    called = tp + fp
    return GainCurve(*map(frozen, (with_infinity(counts.thresholds), called / called[-1], tp / tp[-1])))


def cost_curve(counts: Counts) -> CostCurve:
    """Return the cost curve: the lowest expected cost under every operating condition.

    Examples
    --------
    >>> import thresher as th
    >>> curve = th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).cost_curve()
    >>> curve.evaluate(0.5), curve.best_threshold(0.5)
    (array(0.25), np.float64(2.0))
    """
    check_two_classes(counts, "A cost curve")
    hull = roc_curve(counts).hull()
    fpr, tpr = hull.fpr, hull.tpr
    step_fpr, step_tpr = np.diff(fpr), np.diff(tpr)
    inner = step_fpr / (step_fpr + step_tpr)
    corners = np.concatenate(([0.0], inner, [1.0]))
    best = np.append(np.arange(fpr.size), fpr.size - 1)
    cost = (1.0 - tpr[best]) * corners + fpr[best] * (1.0 - corners)
    return CostCurve(frozen(corners), frozen(cost), hull._thresholds)


def pr_gain_curve(counts: Counts) -> PrGainCurve:
    """Return the precision-recall-gain curve, in which straight lines are right.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).pr_gain().area
    1.0
    """
    check_two_classes(counts, "A precision-recall-gain curve")
    tp, fp = padded_counts(counts)
    odds = counts.n_pos / counts.n_neg
    found = np.flatnonzero(tp > 0)

    def gains(tp: NDArray[Any], fp: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
        return 1.0 - odds * (counts.n_pos - tp) / tp, 1.0 - odds * fp / tp

    recall_gain, precision_gain = gains(tp[found], fp[found])
    # Recall gain 0 is recall = prevalence; the area starts there, at interpolated counts unless a point is there.
    zero = Fraction(counts.n_pos) ** 2 / (Fraction(counts.n_pos) + Fraction(counts.n_neg))
    inside = tp[found] >= (float(zero) if not counts._whole else math.ceil(zero))
    x, y = recall_gain[inside], precision_gain[inside]
    if x[0] > 0:
        zero_tp = np.asarray(float(zero))
        _, start = gains(zero_tp, counts_between(fp, bracket_tp(tp, zero_tp)))
        x, y = np.append(0.0, x), np.append(start, y)
    area = float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))
    thresholds = with_infinity(counts.thresholds)[found]
    return PrGainCurve(frozen(thresholds), frozen(recall_gain), frozen(precision_gain), area)
