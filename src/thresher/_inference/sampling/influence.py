"""Influence values: by distinct score, by case, and the covariances of estimates that follow from them.

Estimates on rows that overlap, such as those of several metrics, models, classes, folds or readers, each have one
number for every case. The sum of products of two such columns is the covariance of the two estimates, whatever rows
each of them saw; the column of a smooth function of estimates is the same function of their columns, linearised.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.sums import dot
from thresher._core.values import value
from thresher._inference.interval import normal_quantile
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError
from thresher.typing import BoolArray, FloatArray


@value
class Influence:
    """The derivative of a measure with respect to the weight at each distinct score.

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
        return self if factor == 1.0 else Influence(self.pos * factor, self.neg * factor, self.odds * factor)


class Spread(NamedTuple):
    """A variance with the degrees of freedom of its t distribution; infinite for the normal."""

    variance: float
    df: float = math.inf


def mean_influence(pos: FloatArray, neg: FloatArray, counts: Counts) -> Influence:
    """Return the influence of a mean over all rows; values that no row has may be infinite."""
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


Codes = NDArray[np.intp]


class Stratum(NamedTuple):
    """Cases of one kind, such as a true class: how many they are worth, and the covariance that they make.

    `columns` are the estimates that their spread bears on; a variance of `size` cases has one degree of freedom less.
    """

    size: float
    columns: Codes
    covariance: FloatArray


class Moments(NamedTuple):
    """The covariance of estimates, with the strata that its degrees of freedom follow from; none: the normal."""

    covariance: FloatArray
    strata: tuple[Stratum, ...]

    def df_between(self, i: int, j: int) -> float:
        """Return the degrees of freedom of the difference of two estimates; infinite without spread."""
        weights = np.zeros(len(self.covariance))
        weights[[i, j]] = 1.0, -1.0
        variance = float(self.covariance[i, i] + self.covariance[j, j] - 2.0 * self.covariance[i, j])
        return satterthwaite_df(variance, self.strata, weights)

    def joint_df(self, directions: FloatArray) -> float:
        """Return the degrees of freedom of the covariance of several contrasts, the columns of `directions`."""
        parts = [directions[one.columns].T @ one.covariance @ directions[one.columns] for one in self.strata]
        return joint_df(parts, [one.size for one in self.strata])


class Cases(NamedTuple):
    """Cases over which the values of rows are added: single rows, or the case `of_row[i]` of each row i."""

    size: int
    of_row: Codes | None = None

    def values(
        self,
        influence: FloatArray,
        positive: BoolArray,
        weight: FloatArray | None = None,
        *,
        odds: float = 0.0,
        rows: Codes | None = None,
        classes: Codes | None = None,
    ) -> FloatArray:
        """Return what each case adds to an estimate, from the influence value of each row that the estimate sees.

        `rows` says which rows they are (all by default), `classes` are their true classes if the study fixed class
        totals. A row of weight w adds w (sqrt(kappa) d - beta) / W as a positive and w (sqrt(kappa) d + beta) / W as a
        negative, W being the weight of its side and kappa the factor n / (n - 1) of that side: with weights W^2 / (W^2
        - Q), Q being the sum of squared weights, with several rows a case I / (I - 1) for I cases.
        """
        out = np.empty(influence.size)
        beta = odds if classes is None else 0.0
        of_row = self.of_row if self.of_row is None or rows is None else self.of_row[rows]
        for side, sign, name in ((positive, -1.0, "positives"), (~positive, 1.0, "negatives")):
            own = None if weight is None else weight[side]
            total = float(np.count_nonzero(side)) if own is None else float(own.sum())
            if total == 0.0:
                continue
            kappa = self._kappa(side, own, of_row, total, name, spread=influence[side])
            each = (math.sqrt(kappa) * influence[side] + sign * beta) / total
            out[side] = each if own is None else own * each
        if classes is not None:
            _centre(out, weight, classes)
        if of_row is not None:
            return np.bincount(of_row, out, self.size).astype(np.float64, copy=False)
        if rows is None:
            return out
        placed = np.zeros(self.size)
        placed[rows] = out
        return placed

    def _kappa(
        self, side: BoolArray, own: FloatArray | None, of_row: Codes | None, total: float, name: str, spread: FloatArray
    ) -> float:
        """Return n / (n - 1) of a side of an estimate, or what stands for it."""
        if of_row is not None:
            cases = float(np.count_nonzero(np.bincount(of_row[side], minlength=self.size)))
            return factor(1.0 / cases, name, "cluster", spread=bool(spread.any()))
        share = 1.0 / total if own is None else dot(own / total, own / total)
        return factor(share, name, "case", spread=bool(spread.any()))


def factor(share: float, name: str, case: str, *, spread: bool) -> float:
    """Return 1 / (1 - share): n / (n - 1) for a side of n equal cases, each of which has the share 1 / n of it."""
    if share < 1.0:
        return 1.0 / (1.0 - share)
    if spread:
        raise UndefinedMetricError(
            f"A variance needs {name} from more than one {case}; got one. Hint: leave this estimate out."
        )
    return 1.0


def _centre(values: FloatArray, weight: FloatArray | None, classes: Codes) -> None:
    """Subtract from the values of each class their mean, in place, in proportion to the weights."""
    each = np.ones(values.size) if weight is None else weight
    means = np.bincount(classes, values) / np.maximum(np.bincount(classes, each), 1e-300)
    values -= each * means[classes]


def strata_of(columns: FloatArray, code: Codes | None, sizes: Sequence[float]) -> tuple[Stratum, ...]:
    """Return the strata of a matrix of values (a column for each estimate); `code` is that of each case."""
    every = np.arange(columns.shape[1])
    if code is None:
        return (Stratum(float(sizes[0]), every, columns.T @ columns),)
    if columns.shape[1] == 1:
        sums = np.bincount(code, columns[:, 0] ** 2, len(sizes))
        return tuple(
            Stratum(float(size), every, np.array([[part]])) for size, part in zip(sizes, sums.tolist(), strict=True)
        )
    # Numbers of 16 bits are sorted by counting.
    order = np.argsort(code.astype(np.uint16) if len(sizes) < 2**16 else code, kind="stable")
    ends = np.cumsum(np.bincount(code, minlength=len(sizes)))
    out, first = [], 0
    for size, last in zip(sizes, ends.tolist(), strict=True):
        part = columns[order[first:last]]
        out.append(Stratum(float(size), every, part.T @ part))
        first = last
    return tuple(out)


def satterthwaite_df(variance: float, strata: Sequence[Stratum], weights: FloatArray) -> float:
    """Return the degrees of freedom of the variance of a weighted sum of estimates; infinite without spread."""
    lower = 0.0
    for stratum in strata:
        used = np.flatnonzero(weights[stratum.columns])  # others may be unknown
        own = weights[stratum.columns[used]]
        part = max(float(own @ stratum.covariance[np.ix_(used, used)] @ own), 0.0)
        if part > 0.0 and stratum.size > 1.0:
            lower += part * part / (stratum.size - 1.0)
    return variance * variance / lower if lower > 0.0 else math.inf


def joint_df(parts: Sequence[FloatArray], sizes: Sequence[float]) -> float:
    """Return the degrees of freedom of a covariance matrix that is the sum of those of several strata.

    Of the Wishart distribution with the spread of the sum; directions in which no case differs are left out.
    """
    total = sum(parts[1:], parts[0])
    size = int(np.linalg.matrix_rank(total, hermitian=True))
    whole = np.linalg.inv(total) if size == len(total) else np.linalg.pinv(total, hermitian=True)
    lower = 0.0
    for part, cases in zip(parts, sizes, strict=True):
        if cases > 1.0:
            scaled = part @ whole
            lower += (float(np.trace(scaled @ scaled)) + float(np.trace(scaled)) ** 2) / (cases - 1.0)
    return (size + size * size) / lower if lower > 0.0 else math.inf


Pull = tuple[FloatArray, FloatArray]
"""How many rows, and what each of them adds to the error of a measure."""


def acceleration(pulls: Sequence[Pull]) -> float:
    """Return a sixth of the skewness of a sum, from what single rows add to it."""
    second = math.fsum(float((times * pull**2).sum()) for times, pull in pulls)
    third = math.fsum(float((times * pull**3).sum()) for times, pull in pulls)
    return third / (6.0 * second**1.5) if second > 0.0 else 0.0
