"""Planning for ROC areas by the normal distribution: supposed ones, or those of a pilot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.arrays import as_labels, as_scores
from thresher._core.checks import show
from thresher._decide.question import (
    Question,
    StudyCases,
    by_ratio,
    check_correlation,
    check_share,
    check_test,
    rejection,
    two_models,
)
from thresher._inference.delong import delong_covariance, delong_of, hanley_mcneil_variance
from thresher._inference.sampling import clusters_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import roc_auc_value

VarianceBySizes = Callable[[int, int], float]
"""The variance of an estimate from so many positives and negatives."""


def area(
    auc: float | tuple[float, float],
    *,
    null: float | None = None,
    correlation: float = 0.0,
    margin: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
) -> Question:
    """Return the question whether an ROC area differs from a value, or two areas from each other.

    Parameters
    ----------
    auc : float or (float, float)
        The supposed area, tested against `null`, or those of two markers, with Hanley and McNeil's variances.
    null : float, default=0.5
        The area under the null hypothesis.
    correlation : float, default=0.0
        Of the estimates of two areas, in [-1, 1]; 0 for independent samples.
    margin : float, optional
        Non-inferiority: the test, one-sided, is that the first is not worse by as much. 0.025 is the usual level.
    significance_level : float, default=0.05
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
        "greater" looks for the first above the second, or above the null value.

    Returns
    -------
    Question
        Its `power(n_pos=, n_neg=)` and `size(power, ratio=1)` answer it, the latter with `ratio` negatives for each
        positive.

    Examples
    --------
    An area of 0.85 against 0.75, with three negatives for each positive; and two markers on the same cases:

    >>> import thresher as th
    >>> found = th.planning.area(0.85, null=0.75).size(0.8, ratio=3)
    >>> found.n_pos, found.n_neg
    (66.0, 198.0)
    >>> th.planning.area((0.85, 0.80), correlation=0.5).size(0.8).n_pos
    275.0
    """
    tested = check_test(significance_level, alternative, margin)
    if isinstance(auc, tuple | list):
        a, b = _two(auc)
        rho = check_correlation(correlation)
        variance = two_auc_variance(a, b, rho)
        return _question(a - b, (variance, variance), tested, correlation=rho)
    supposed, at = check_share(auc, "auc"), _null_area(null)
    return _question(supposed - at, (auc_variance(at), auc_variance(supposed)), tested, null=at)


def pilot_area(pilot: Any, auc: Any, null: object, tested: dict[str, Any]) -> Question:
    """Return the same with the variances that a pilot shows, and its areas unless others are supposed."""
    if isinstance(pilot, Counts):
        if clusters_of(pilot) is not None:
            raise InvalidInputError(
                "`pilot` must have independent rows; got clusters. "
                "Hint: keep one row of each cluster, and plan in numbers of clusters."
            )
        found, at = delong_of(pilot), _null_area(null)
        supposed = found.auc if auc is None else check_share(auc, "auc")
        spreads, facts = (found.spread_pos, found.spread_neg), {"null": at}
        difference = supposed - at
    else:
        labels, models = two_models(pilot)
        positive = as_labels(labels)
        scores = [as_scores(column, f"pilot[{name!r}]").astype(np.float64) for name, column in models.items()]
        covariance, _ = delong_covariance(positive, scores)
        tables = [Counts(positive, column) for column in scores]
        areas = _two(auc) if auc is not None else (roc_auc_value(tables[0]), roc_auc_value(tables[1]))
        difference = areas[0] - areas[1]
        spread = math.sqrt(covariance[0, 0] * covariance[1, 1])
        facts = {"correlation": float(covariance[0, 1] / spread) if spread > 0 else 0.0}
        spreads = _difference_spreads(positive, scores, tables)

    def variance(n_pos: int, n_neg: int) -> float:
        return spreads[0] / n_pos + spreads[1] / n_neg

    return _question(difference, (variance, variance), tested, method="pilot", **facts)


def _question(
    difference: float,
    variances: tuple[VarianceBySizes, VarianceBySizes],
    tested: dict[str, Any],
    method: str = "hanley-mcneil",
    **facts: Any,
) -> Question:
    """Return the question of a difference, with its variances under the null hypothesis and as supposed."""

    def power(cases: StudyCases) -> float:
        sizes = int(cases.pos), int(cases.neg)
        return area_power(difference, variances, sizes, tested["level"], tested["alternative"], tested.get("margin"))

    return Question(
        difference=difference,
        metric="roc_auc",
        method=method,
        _power=power,
        _error=lambda cases: math.sqrt(max(variances[1](int(cases.pos), int(cases.neg)), 0.0)),
        _cases=by_ratio,
        _few=10,
        _takes="`n_pos` and `n_neg` must be given with `auc` or `pilot`. Hint: `n` is for populations.",
        _refuse=lambda power: None,  # the search does: a margin moves what is possible
        **tested,
        **facts,
    )


def area_power(
    difference: float,
    variances: tuple[VarianceBySizes, VarianceBySizes],
    sizes: tuple[int, int],
    level: float,
    alternative: str,
    margin: float | None,
) -> float:
    """Return the power at class sizes; `variances` are under the null hypothesis and at the difference."""
    null, actual = (math.sqrt(max(variance(*sizes), 0.0)) for variance in variances)
    if margin is not None:
        return noninferiority(difference, margin, actual, level, alternative)
    return rejection(difference, null, actual, level, alternative)


def noninferiority(difference: float, margin: float, error: float, level: float, alternative: str) -> float:
    """Return the probability that a one-sided test excludes a loss of the margin."""
    away = (1.0 if alternative == "greater" else -1.0) * difference + margin
    if error == 0:
        return level if away == 0 else float(away > 0)
    return float(scipy.special.ndtr(away / error - scipy.special.ndtri(1 - level)))


def auc_variance(auc: float) -> VarianceBySizes:
    """Return Hanley and McNeil's variance of an area."""
    return lambda n_pos, n_neg: hanley_mcneil_variance(auc, n_pos, n_neg)


def two_auc_variance(auc_a: float, auc_b: float, correlation: float) -> VarianceBySizes:
    """Return the variance of the difference of two areas whose estimates have this correlation."""

    def variance(n_pos: int, n_neg: int) -> float:
        a, b = (hanley_mcneil_variance(auc, n_pos, n_neg) for auc in (auc_a, auc_b))
        return a + b - 2.0 * correlation * math.sqrt(a * b)

    return variance


def _difference_spreads(positive: NDArray[np.bool_], scores: list[Any], tables: list[Counts]) -> tuple[float, float]:
    """Return, for each class, the sample variance over its cases of the difference of their two placements."""
    places = [
        np.searchsorted(-table.thresholds.astype(np.float64), -column)
        for column, table in zip(scores, tables, strict=True)
    ]
    beaten = [((t.n_neg - t.fp + t.neg / 2) / t.n_neg)[at[positive]] for t, at in zip(tables, places, strict=True)]
    under = [((t.tp - t.pos / 2) / t.n_pos)[at[~positive]] for t, at in zip(tables, places, strict=True)]
    return float(np.var(beaten[0] - beaten[1], ddof=1)), float(np.var(under[0] - under[1], ddof=1))


def _null_area(null: object) -> float:
    return 0.5 if null is None else check_share(null, "null")


def _two(value: object) -> tuple[float, float]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise InvalidInputError(f"`auc` must be two areas for two markers; got {show(value)}. Hint: `auc=(0.85, 0.8)`.")
    return check_share(value[0], "auc"), check_share(value[1], "auc")
