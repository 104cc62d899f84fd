"""The variance of a figure from its influence values: with sampling weights, with clusters, or with neither."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from thresher._core.sums import dot
from thresher._core.values import value
from thresher._core.warn import warn
from thresher._inference.interval import normal_quantile
from thresher._table import Clusters, Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray

__all__ = [
    "FEW_CLUSTERS",
    "Influence",
    "Spread",
    "centred",
    "clusters_of",
    "influence_spread",
    "mean_influence",
    "quantile",
]

FEW_CLUSTERS = 20
_DESIGNS = ("random", "fixed", "class")


@value
class Influence:
    """How a measure answers to a little more weight at each distinct score.

    Attributes
    ----------
    pos, neg : array of float64
        W times the derivative of the measure by the weight of a positive, or a negative, at each distinct score, where
        W is the total weight of its class. Weighted by the counts each sums to 0: only shares matter within a class.
    odds : float
        The derivative by the logarithm of the odds of a negative; 0 where the class balance plays no part.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    >>> th.measures.RocAuc().influence(scores).pos
    array([ 0.25,  0.  , -0.25, -0.5 ])
    """

    pos: FloatArray
    neg: FloatArray
    odds: float = 0.0


def mean_influence(pos: FloatArray, neg: FloatArray, counts: Counts) -> Influence:
    """Return the influence of a mean over all rows, from the value of a positive and of a negative at each score.

    Values that no row has may be infinite.
    """
    share = counts.prevalence
    centred_values, means = [], []
    for values, weight in ((pos, counts.pos), (neg, counts.neg)):
        own = np.where(weight > 0, values, 0.0)
        means.append(dot(own, weight) / float(weight.sum()))
        centred_values.append(np.where(weight > 0, own - means[-1], 0.0))
    odds = -share * (1.0 - share) * (means[0] - means[1])
    return Influence(share * centred_values[0], (1.0 - share) * centred_values[1], odds)


class Spread(NamedTuple):
    """A variance with the degrees of freedom of its t distribution; infinite for the normal."""

    variance: float
    df: float = math.inf


def quantile(confidence_level: float, df: float) -> float:
    """Return by how many standard errors an interval of this level reaches to either side."""
    if math.isinf(df):
        return normal_quantile(confidence_level)
    return -float(scipy.special.stdtrit(df, (1.0 - confidence_level) / 2.0))


def centred(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Return values minus their weighted mean."""
    return values - dot(weight, values) / float(weight.sum())


def clusters_of(counts: Counts) -> Clusters | None:
    """Return the clusters of a table; None also where each has one row only, which is to say there are none."""
    clusters = counts.clusters
    if clusters is None or clusters.size == _rows(counts):
        return None
    return clusters


def _rows(counts: Counts) -> int | None:
    rows = counts.rows_pos, counts.rows_neg
    return None if rows[0] is None or rows[1] is None else rows[0] + rows[1]


def influence_spread(influence: Influence, counts: Counts, *, design: str = "fixed") -> Spread:
    """Return the variance of a figure; both classes have more than one row.

    Parameters
    ----------
    influence : Influence
        Of the figure, at the rows of the table.
    counts : Counts
        The table. With squares its weights are sampling weights, with clusters rows of a cluster may depend on each
        other; with neither the sum is that of independent rows.
    design : {"fixed", "random", "class"}
        Matters where `influence.odds` is not 0. "fixed": the odds are known. "random": they are those of one random
        sample. "class": classes were drawn apart, and the odds are estimated from weights that vary within a class.

    Notes
    -----
    A row of weight w adds u = w d / W to the figure, with W the total of its class; a random sample also moves the
    odds, so that u = w (d - beta) / W for a positive and w (d + beta) / W for a negative. The variance is the sum of
    u^2, with W^2 / (W^2 - Q) for each class in the place of n / (n - 1), Q being the sum of squared weights. Rows of a
    cluster add their u before squaring [1]_.

    References
    ----------
    .. [1] N. A. Obuchowski, "Nonparametric analysis of clustered ROC curve data", Biometrics 53 (1997), 567-578.
       https://doi.org/10.2307/2533958
    """
    clusters = clusters_of(counts)
    if clusters is not None:
        return _clustered(influence, counts, clusters, design)
    squares = counts.squares
    weights = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    squared = weights if squares is None else (squares.pos, squares.neg)
    sums = [_class_sums(d, w, q) for d, w, q in zip((influence.pos, influence.neg), weights, squared, strict=True)]
    beta = influence.odds
    if design == "class" and beta != 0.0:
        variance = _by_class(counts, sums, beta)
    else:
        variance = sum(part.kappa * part.s for part in sums)
        if design == "random" and beta != 0.0:
            variance += beta * beta * (sums[0].q + sums[1].q) + 2.0 * beta * (sums[1].x - sums[0].x)
    if squares is not None and squares.both is not None:
        shift = beta if design == "random" else 0.0
        product = (influence.pos - shift) * (influence.neg + shift)
        variance += 2.0 * dot(squares.both, product) / (float(weights[0].sum()) * float(weights[1].sum()))
    return Spread(max(variance, 0.0))


class _Sums(NamedTuple):
    """Of one class, over its squared total: sums of Q d^2, of Q d and of Q; and W^2 / (W^2 - Q)."""

    s: float
    x: float
    q: float
    kappa: float


def _class_sums(d: FloatArray, weight: FloatArray, squared: FloatArray) -> _Sums:
    total = float(weight.sum())
    # Divided one by one: the square of a total may be beyond what a double holds.
    each = squared / total / total
    q = float(each.sum())
    return _Sums(dot(each, d * d), dot(each, d), q, 1.0 / (1.0 - q))


def _by_class(counts: Counts, sums: list[_Sums], beta: float) -> float:
    rows = counts.rows_pos, counts.rows_neg
    if rows[0] is None or rows[1] is None:
        raise InvalidInputError(
            "`design='class'` must know how many rows each class has; this table has sums of weights only. "
            "Hint: count the rows with `sample_weight=`."
        )
    total = 0.0
    for part, n, sign in zip(sums, (rows[0], rows[1]), (-1.0, 1.0), strict=True):
        u_squared = part.s + sign * 2.0 * beta * part.x + beta * beta * part.q
        total += n / (n - 1.0) * (u_squared - beta * beta / n)
    return total


def _clustered(influence: Influence, counts: Counts, clusters: Clusters, design: str) -> Spread:
    """Return Obuchowski's variance, and its counterpart for figures that depend on the prevalence."""
    if design == "class" and influence.odds != 0.0:
        raise InvalidInputError("`design='class'` must have independent rows; got clusters. Hint: design='random'.")
    ones = np.ones(len(counts))
    pos, neg = clusters.sums(influence.pos, influence.neg)
    pos, neg = pos / float(counts.n_pos), neg / float(counts.n_neg)
    mass = clusters.sums(ones, ones)
    numbers = [int(np.count_nonzero(part)) for part in mass]
    for number, name in zip(numbers, ("positives", "negatives"), strict=True):
        if number < 2:
            raise UndefinedMetricError(
                f"The {name} must come from at least two clusters; got {number}. "
                "Hint: nothing shows how clusters differ; leave `groups` out only if rows are independent."
            )
    size = int(np.count_nonzero((mass[0] > 0.0) | (mass[1] > 0.0)))
    if size < FEW_CLUSTERS:
        warn(f"There are only {size} clusters; intervals are rough with fewer than {FEW_CLUSTERS}.")
    factors = [number / (number - 1.0) for number in (*numbers, size)]
    variance = factors[0] * dot(pos, pos) + factors[1] * dot(neg, neg) + 2.0 * factors[2] * dot(pos, neg)
    if variance <= 0.0:
        both = pos + neg
        variance = factors[2] * dot(both, both)
    beta = influence.odds
    if design == "random" and beta != 0.0:
        h = mass[1] / float(counts.n_neg) - mass[0] / float(counts.n_pos)
        variance += beta * beta * dot(h, h) + 2.0 * beta * dot(h, pos + neg)
    return Spread(max(variance, 0.0), size - 1.0)
