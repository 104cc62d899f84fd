"""Two tests that called the same cases: their rates, predictive values and likelihood ratios compared."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from thresher._core.arrays import as_labels, as_vector, unequal
from thresher._core.checks import check_choice, check_confidence_level
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._inference.rates import (
    log_ratio_difference,
    mcnemar,
    newcombe_paired,
    predictive_value_test,
    tango,
)
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import ArrayLike

__all__ = ["CallComparison", "CallDifference", "compare_calls"]


@value
class CallDifference(Presented):
    """One figure of two tests on the same cases.

    Attributes
    ----------
    name : str
        "sensitivity", "specificity", "ppv", "npv", "lr_positive" or "lr_negative".
    a, b : float
        The figure of each test.
    difference : float
        a minus b; for likelihood ratios a over b.
    low, high : float
        Its interval; NaN where the method gives none.
    pvalue : float
        Of equality; NaN where it is not defined.
    method : str
        Of the test.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.compare_calls(data.y_true, data.logistic >= 0.2, data.tree >= 0.5)["specificity"].method
    'mid-p'
    """

    name: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    pvalue: float
    method: str


@value(repr=False)
class CallComparison(Presented):
    """How two tests differ on the same cases.

    Attributes
    ----------
    figures : tuple of CallDifference
        Sensitivity, specificity, predictive values, likelihood ratios.
    pvalue_both : float
        Of "sensitivity and specificity are both equal": the sum of two squared z, 2 degrees of freedom.
    cells : tuple
        (neither, b only, a only, both) among the positives, then among the negatives.
    confidence_level : float
        Of the intervals.

    Examples
    --------
    >>> import thresher as th
    >>> y = [1] * 10 + [0] * 10
    >>> a = [1] * 9 + [0] + [1] * 2 + [0] * 8
    >>> b = [1] * 6 + [0] * 4 + [1] * 3 + [0] * 7
    >>> result = th.compare_calls(y, a, b)
    >>> result["sensitivity"].difference, round(result["sensitivity"].pvalue, 4)
    (0.3, 0.125)
    """

    _records = "figures"

    figures: tuple[CallDifference, ...]
    pvalue_both: float
    cells: tuple[tuple[int, int, int, int], tuple[int, int, int, int]]
    confidence_level: float

    def __getitem__(self, name: str) -> CallDifference:
        return next(figure for figure in self.figures if figure.name == name)

    def __repr__(self) -> str:
        lines = [f"{'':<20} {'a':>8} {'b':>8} {'a - b':>8} {'interval':>20} {'p':>8}"]
        for one in self.figures:
            ends = "" if math.isnan(one.low) else f"{one.low:.3f} to {one.high:.3f}"
            name = one.name + (" (ratio)" if one.name.startswith("lr_") else "")
            lines.append(f"{name:<20} {one.a:>8.4g} {one.b:>8.4g} {one.difference:>8.4g} {ends:>20} {one.pvalue:>8.3g}")
        return "\n".join(lines)


def compare_calls(
    y_true: ArrayLike,
    calls_a: ArrayLike,
    calls_b: ArrayLike,
    *,
    pos_label: object = None,
    method: str = "mid-p",
    interval: str = "tango",
    confidence_level: float = 0.95,
) -> CallComparison:
    """Compare two tests, or two cut-offs of different scores, that called the same cases.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `Scores`.
    calls_a, calls_b : array-like of shape (n,)
        What each test called: booleans, or 0 and 1.
    pos_label : object, optional
        The label of the positive class.
    method : {"mid-p", "exact"}
        McNemar's test of sensitivity and of specificity.
    interval : {"tango", "newcombe"}
        For their differences: score limits, or Wilson limits with the correlation of the two.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    CallComparison

    Notes
    -----
    Predictive values are tested by Kosinski's weighted generalised score statistic; likelihood ratios by the delta
    method with the paired covariance. The cut-offs must have been fixed beforehand.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
       design", Statistics in Medicine 17 (1998), 891-908.
    .. [2] A. S. Kosinski, "A weighted generalized score statistic for comparison of predictive values of diagnostic
       tests", Statistics in Medicine 32 (2013), 964-977, doi:10.1002/sim.5587

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> result = th.compare_calls(data.y_true, data.logistic >= 0.2, data.tree >= 0.5)
    >>> round(result["sensitivity"].difference, 3), result["sensitivity"].pvalue < 0.01
    (0.144, True)
    """
    check_choice(method, "method", ("mid-p", "exact"))
    check_choice(interval, "interval", ("tango", "newcombe"))
    level = check_confidence_level(confidence_level)
    positive = as_labels(y_true, pos_label).copy()  # somebody may change theirs meanwhile
    a, b = _check_calls(calls_a, "calls_a", positive.size), _check_calls(calls_b, "calls_b", positive.size)
    if not positive.any() or positive.all():
        raise UndefinedMetricError("Comparing two tests needs both classes. Hint: check the labels and `pos_label`.")
    pos, neg = (_cells(a[side], b[side]) for side in (positive, ~positive))
    figures = [
        _rate("sensitivity", pos, method, interval, level),
        _rate("specificity", neg[::-1], method, interval, level),
        _predictive("ppv", pos, neg),
        _predictive("npv", neg[::-1], pos[::-1]),
        _ratio("lr_positive", pos, neg, level),
        _ratio("lr_negative", pos[::-1], neg[::-1], level),
    ]
    return CallComparison(tuple(figures), _both(pos, neg), (pos, neg), level)


def _check_calls(calls: ArrayLike, name: str, size: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    column = np.asarray(as_vector(calls, name))
    if column.size != size:
        raise unequal(name, column.size, "y_true", size)
    if not np.isin(column, (0, 1)).all():
        raise InvalidInputError(
            f"`{name}` must be booleans, or 0 and 1; got other values. Hint: compare scores with a cut-off: `s >= t`."
        )
    return column.astype(np.bool_)


Cells = tuple[int, int, int, int]


def _cells(a: Any, b: Any) -> Cells:
    counts = np.bincount(2 * a.astype(np.int64) + b, minlength=4).tolist()
    return counts[0], counts[1], counts[2], counts[3]


def _rate(name: str, cells: Cells, method: str, interval: str, level: float) -> CallDifference:
    neither, only_b, only_a, both = cells
    total = sum(cells)
    if interval == "tango":
        low, high = tango(only_a, only_b, total, level)
    else:
        low, high = newcombe_paired(both, only_a, only_b, neither, level)
    a, b = (both + only_a) / total, (both + only_b) / total
    return CallDifference(name, a, b, (only_a - only_b) / total, low, high, mcnemar(only_a, only_b, method), method)


def _predictive(name: str, right: Cells, wrong: Cells) -> CallDifference:
    hits, misses = (right[3] + right[2], right[3] + right[1]), (wrong[3] + wrong[2], wrong[3] + wrong[1])
    called = tuple(x + y for x, y in zip(hits, misses, strict=True))
    chance = predictive_value_test(hits[0], called[0], hits[1], called[1], right[3], wrong[3])[1]
    a, b = (hit / all_ if all_ else math.nan for hit, all_ in zip(hits, called, strict=True))
    return CallDifference(name, a, b, a - b, math.nan, math.nan, chance, "weighted-score")


def _ratio(name: str, pos: Cells, neg: Cells, level: float) -> CallDifference:
    n_pos, n_neg = sum(pos), sum(neg)

    def one(only: int) -> float:
        found, alarmed = (pos[3] + pos[only]) / n_pos, (neg[3] + neg[only]) / n_neg
        return found / alarmed if alarmed else (math.inf if found else math.nan)

    sides = ((pos[3], pos[2], pos[1]), (neg[3], neg[2], neg[1]))
    ratio, low, high, chance = log_ratio_difference(*sides, level)
    return CallDifference(name, one(2), one(1), ratio, low, high, chance, "log")


def _both(pos: Cells, neg: Cells) -> float:
    total = 0.0
    for cells in (pos, neg):
        if cells[1] + cells[2]:
            total += (cells[2] - cells[1]) ** 2 / (cells[1] + cells[2])
    return float(scipy.special.chdtrc(2.0, total))
