"""Two values of the same groups or queries compared: groups are the sample, and each is its own control."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._compare import permutation_pvalue
from thresher._core.arrays import frozen
from thresher._core.checks import check_choice, check_confidence_level, check_resamples, warn
from thresher._core.digits import beside_interval
from thresher._core.presented import OfMeasure, Presented, Row
from thresher._core.random_streams import random_generator
from thresher._core.sums import dots
from thresher._core.values import value
from thresher._inference.delong import ALTERNATIVES, paired_test
from thresher.exceptions import UndefinedMetricError
from thresher.measures import Measure
from thresher.typing import FloatArray

_METHODS = ("t", "permutation")
_MOST_LISTED = 16  # groups for which every exchange is looked at
_BATCH = 4096


@value(repr=False)
class GroupedDifference(OfMeasure, Presented):
    """The difference of two models in each group, the first minus the second.

    Attributes
    ----------
    measure : Measure
        What was computed; `metric` and `options` are read from it.
    groups : ndarray of shape (k,)
        The groups in which both have it.
    differences : ndarray of shape (k,)
        First minus second in each.
    difference : float
        Their mean.
    low, high : float
        Student's two-sided interval for the mean over the groups that these were drawn from, inside what it can be.
    statistic : float
        Student's t for the method "t", the mean itself for permutations.
    pvalue : float
        In the direction of the alternative; 1 where no group differs.
    method, alternative : str
        How it was tested.

    Examples
    --------
    >>> import thresher as th
    >>> y, groups = [1, 0, 0, 1, 0, 1, 0, 0, 1], ["a", "a", "b", "b", "b", "c", "c", "c", "c"]
    >>> new = th.by_group(y, [0.9, 0.2, 0.4, 0.6, 0.4, 0.7, 0.8, 0.1, 0.9], groups)
    >>> old = th.by_group(y, [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3], groups)
    >>> new.compare(old)
    roc_auc +0.33 (-0.62 to +1.00) over 3 groups, p = 0.2697 (t, two-sided)
    """

    measure: Measure
    groups: NDArray[Any]
    differences: FloatArray
    difference: float
    low: float
    high: float
    statistic: float
    pvalue: float
    method: str
    alternative: str

    def _facts(self) -> Row:
        names = ("difference", "low", "high", "statistic", "pvalue", "method", "alternative")
        return {"metric": self.metric, "options": self.options} | {name: getattr(self, name) for name in names}

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"groups": self.groups, "differences": self.differences}

    def __repr__(self) -> str:
        change, low, high = beside_interval(self.low, self.high, self.difference, sign="+")
        return (
            f"{self.measure.described()} {change} ({low} to {high}) over "
            f"{self.groups.size:,} groups, p = {self.pvalue:.4g} ({self.method}, {self.alternative})"
        )


def group_difference(
    measure: Measure,
    first: tuple[NDArray[Any], FloatArray],
    second: tuple[NDArray[Any], FloatArray],
    *,
    method: str,
    alternative: str,
    confidence_level: float,
    n_resamples: int,
    rng: Any,
) -> GroupedDifference:
    """Compare values by group, given as names and values."""
    kind = check_choice(method, "method", _METHODS)
    side = check_choice(alternative, "alternative", ALTERNATIVES)
    # Of losses the better one is smaller.
    direction = {"greater": "less", "less": "greater"}.get(side, side) if measure.better == "lower" else side
    level = check_confidence_level(confidence_level)
    draws = check_resamples(n_resamples)
    groups, own, others = np.intersect1d(first[0], second[0], return_indices=True)
    left_out = first[0].size + second[0].size - 2 * groups.size
    if groups.size < 2:
        raise UndefinedMetricError(
            f"A comparison needs at least 2 groups that both have; got {groups.size}. Hint: are they the same groups?"
        )
    if left_out:
        warn(f"{left_out:,} groups have the value in one of the two only and are left out of the comparison.")
    differences = first[1][own] - second[1][others]
    k = differences.size
    mean = math.fsum(differences.tolist()) / k
    test = paired_test(
        mean,
        float(differences.var(ddof=1)) / k,
        df=k - 1.0,
        alternative=direction,
        confidence_level=level,
        reach=measure.reach,
    )
    statistic, pvalue = test.statistic, test.pvalue
    if kind == "permutation":
        statistic, pvalue = mean, _exchanged(differences, mean, direction, draws, rng)
    return GroupedDifference(
        measure, frozen(groups), frozen(differences), mean, test.low, test.high, statistic, pvalue, kind, side
    )


def _exchanged(differences: FloatArray, mean: float, alternative: str, draws: int, rng: Any) -> float:
    """Return the p value among all ways to exchange the two within groups, or among some of them."""
    k = differences.size
    if k <= _MOST_LISTED:
        ways = np.arange(1, 2**k)  # all but the observed one, which `permutation_pvalue` counts itself
        signs = 1.0 - 2.0 * ((ways[:, None] >> np.arange(k)) & 1)
        return permutation_pvalue(dots(signs, differences) / k, mean, alternative)
    generator = random_generator(rng)
    means = []
    for start in range(0, draws, _BATCH):
        signs = 1.0 - 2.0 * generator.integers(0, 2, (min(_BATCH, draws - start), k))
        means.append(dots(signs, differences) / k)
    return permutation_pvalue(np.concatenate(means), mean, alternative)
