"""Influence values: how much a measure changes with the weight of a row at each distinct score."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from thresher._core.sums import dot
from thresher._core.values import value
from thresher._inference.interval import normal_quantile
from thresher._table import Counts
from thresher.typing import FloatArray

__all__ = ["Influence", "Spread", "centred", "mean_influence", "quantile"]


@value
class Influence:
    """How a measure answers to a little more weight at each distinct score.

    Attributes
    ----------
    pos, neg : array of float64
        W times the derivative of the measure by the weight of a positive, or a negative, at each distinct score, where
        W is the total weight of its class. Weighted by the counts each sums to 0: only proportions matter in a class.
    odds : float
        The derivative by the logarithm of the odds of a negative; 0 if the class balance plays no part.

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

    def scaled(self, factor: float) -> Influence:
        """Return the influence values of the measure times a factor.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
        >>> th.measures.RocAuc().influence(scores).scaled(2).pos  # of the Gini coefficient
        array([ 0.5,  0. , -0.5, -1. ])
        """
        return Influence(self.pos * factor, self.neg * factor, self.odds * factor)


class Spread(NamedTuple):
    """A variance with the degrees of freedom of its t distribution; infinite for the normal."""

    variance: float
    df: float = math.inf


def mean_influence(pos: FloatArray, neg: FloatArray, counts: Counts) -> Influence:
    """Return the influence of a mean over all rows, from the value of a positive and of a negative at each score.

    Values that no row has may be infinite.
    """
    share = counts.prevalence
    centred_values, means = [], []
    for values, weight in ((pos, counts.pos), (neg, counts.neg)):
        own = np.where(weight > 0, values, 0.0)
        total = float(weight.sum())
        means.append(dot(own, weight) / total if total else 0.0)
        centred_values.append(np.where(weight > 0, own - means[-1], 0.0))
    odds = -share * (1.0 - share) * (means[0] - means[1])
    return Influence(share * centred_values[0], (1.0 - share) * centred_values[1], odds)


def quantile(confidence_level: float, df: float) -> float:
    """Return by how many standard errors an interval of this level reaches to either side."""
    if math.isinf(df):
        return normal_quantile(confidence_level)
    return -float(scipy.special.stdtrit(df, (1.0 - confidence_level) / 2.0))


def centred(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Return values minus their weighted mean."""
    return values - dot(weight, values) / float(weight.sum())
