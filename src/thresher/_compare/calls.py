"""Predictions of two or more models for the same cases compared, by any metric of the confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._compare.multiplicity import holm
from thresher._compare.paired import compare
from thresher._core.arrays import as_labels, as_vector, unequal
from thresher._core.checks import OneWarning, check_choice, check_confidence_level, show
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._inference.rates import log_ratio_difference, mcnemar, newcombe_paired, predictive_value_test, tango
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import Confusion, Measure, as_call, as_measure, takes
from thresher.typing import ArrayLike

_DEFAULT = ("sensitivity", "specificity", "ppv", "npv", "lr_positive", "lr_negative")


@value
class CallDifference(Presented):
    """One metric of two models' predictions on the same cases.

    Attributes
    ----------
    name : str
        The metric, such as "sensitivity", "ppv", "lr_positive" or "mcc".
    models : tuple of str
        The first and the second model.
    a, b : float
        The metric of each.
    difference : float
        a minus b; for likelihood ratios a over b.
    low, high : float
        Its interval; NaN if the method gives none.
    pvalue : float
        Of equality; NaN if it is not defined.
    pvalue_adjusted : float
        Adjusted by Holm's method for all pairs of models.
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
    models: tuple[str, str]
    a: float
    b: float
    difference: float
    low: float
    high: float
    pvalue: float
    pvalue_adjusted: float
    method: str


@value(repr=False)
class CallComparison(Presented):
    """How the predictions of two or more models differ on the same cases.

    Attributes
    ----------
    figures : tuple of CallDifference
        Every metric of every pair of models.
    models : tuple of str
        The names of the models.
    pvalue_both : float
        Of "sensitivity and specificity are both equal": the sum of two squared z, 2 degrees of freedom. NaN with more
        than two models, weights or clusters.
    cells : tuple
        Rows by (neither, b only, a only, both) among the positives, then among the negatives; empty with more than two
        models.
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
    models: tuple[str, ...]
    pvalue_both: float
    cells: tuple[tuple[int, int, int, int], ...]
    confidence_level: float

    def __getitem__(self, key: str | tuple[str, str, str]) -> CallDifference:
        name, *models = (key,) if isinstance(key, str) else key
        found = [one for one in self.figures if one.name == name and (not models or one.models == tuple(models))]
        if len(found) == 1:
            return found[0]
        names = list(dict.fromkeys(one.name for one in self.figures))
        if found:
            raise InvalidInputError(
                f"{show(name)} is there for {len(found)} pairs of models. "
                f"Hint: result[{name!r}, {found[0].models[0]!r}, {found[0].models[1]!r}]."
            )
        raise InvalidInputError(
            f"The comparison must have the metric and the models; got {show(key)}. "
            f"Hint: it has {', '.join(map(repr, names))} of {', '.join(map(repr, self.models))}."
        )

    def __repr__(self) -> str:
        lines = []
        several = len(self.models) > 2
        for pair in dict.fromkeys(one.models for one in self.figures):
            own = [one for one in self.figures if one.models == pair]
            wide = max(20, *(len(one.name) + 1 for one in own))
            first, second = (name[:8] for name in pair)
            head = f"{'':<{wide}} {first:>8} {second:>8} {'a - b':>8} {'interval':>20} {'p':>8}"
            lines.append(head + (f" {'adjusted':>8}" if several else ""))
            for one in own:
                if math.isnan(one.low):
                    shown, ends = [f"{value:.3f}" for value in (one.a, one.b, one.difference)], ""
                else:
                    *shown, low, high = beside_interval(one.low, one.high, one.a, one.b, one.difference)
                    ends = f"{low} to {high}"
                name = one.name + (" (ratio)" if one.name.startswith("lr_") else "")
                cells = [f"{name:<{wide}}", *(f"{cell:>8}" for cell in shown), f"{ends:>20}", f"{one.pvalue:>8.3g}"]
                line = " ".join(cells)
                lines.append(line + (f" {one.pvalue_adjusted:>8.3g}" if several else ""))
        return "\n".join(lines)


def compare_calls(
    y_true: ArrayLike,
    calls_a: ArrayLike | Mapping[str, ArrayLike],
    calls_b: ArrayLike | None = None,
    *,
    metrics: Sequence[Any] | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    method: str = "mid-p",
    interval: str = "tango",
    confidence_level: float = 0.95,
    **options: Any,
) -> CallComparison:
    """Compare predictions of two or more models, or at two cut-offs, for the same cases.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `Scores`.
    calls_a, calls_b : array-like of shape (n,)
        What each model predicted: booleans, or 0 and 1. Or, as `calls_a` alone, a mapping of names to such arrays, of
        two or more models.
    metrics : list of str, callable or Measure, optional
        Any metrics of the confusion matrix; by default sensitivity, specificity, both predictive values and both
        likelihood ratios.
    pos_label : object, optional
        The label of the positive class.
    sample_weight, cluster : array-like of shape (n,), optional
        Sampling weights and clusters of the rows, as in `Scores`.
    method : {"mid-p", "exact"}
        McNemar's test of sensitivity and of specificity, without weights and clusters.
    interval : {"tango", "newcombe"}
        For their differences: score limits, or Wilson limits with the correlation of the two.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    **options
        Options of the metrics, such as `prevalence` or `beta`.

    Returns
    -------
    CallComparison

    Notes
    -----
    By default predictive values are tested by Kosinski's weighted generalised score statistic, and likelihood ratios by
    the delta method with the paired covariance. With weights or clusters, and for other metrics, the difference is
    divided by the larger of two standard errors, as ``compare(..., method="score")`` does; likelihood ratios are
    compared on the scale of the logarithm. The cut-offs must have been fixed beforehand.

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

    Any metrics, of several models:

    >>> calls = {"logistic": data.logistic >= 0.2, "tree": data.tree >= 0.5, "strict": data.logistic >= 0.9}
    >>> result = th.compare_calls(data.y_true, calls, metrics=["mcc", "f1"])
    >>> round(result["mcc", "logistic", "tree"].difference, 3)
    -0.011
    """
    check_choice(method, "method", ("mid-p", "exact"))
    check_choice(interval, "interval", ("tango", "newcombe"))
    level = check_confidence_level(confidence_level)
    positive = as_labels(y_true, pos_label).copy()  # someone may change theirs meanwhile
    models = _models(calls_a, calls_b, positive.size)
    if not positive.any() or positive.all():
        raise UndefinedMetricError("Comparing two tests needs both classes. Hint: check the labels and `pos_label`.")
    pairs = list(combinations(models, 2))
    plain = sample_weight is None and cluster is None
    classical = metrics is None and plain and not options
    found: list[CallDifference] = []
    cells: list[tuple[CellCounts, CellCounts]] = []
    for a, b in pairs:
        one, other = (_cells(models[a][side], models[b][side]) for side in (positive, ~positive))
        cells.append((one, other))
        if classical:
            found += _classical((a, b), *cells[-1], method, interval, level)
    if not classical:
        rows = {"sample_weight": sample_weight, "cluster": cluster, "confidence_level": level}
        with OneWarning():
            for name, measure in _measures(_DEFAULT if metrics is None else metrics, options):
                found += _by_catalogue(positive, models, name, measure, rows)
    figures = [replace(one, pvalue_adjusted=p) for one, p in _adjusted(found)]
    both = _both(*cells[0]) if len(pairs) == 1 and plain else math.nan
    return CallComparison(tuple(figures), tuple(models), both, cells[0] if len(pairs) == 1 else (), level)


def _models(
    calls_a: ArrayLike | Mapping[str, ArrayLike], calls_b: ArrayLike | None, size: int
) -> dict[str, NDArray[np.bool_]]:
    if isinstance(calls_a, Mapping):
        if calls_b is not None:
            raise InvalidInputError("`calls_b` must be left out if `calls_a` is a mapping of all models.")
        if len(calls_a) < 2:
            raise InvalidInputError(
                f"`calls_a` must hold the predictions of at least 2 models; got {len(calls_a)}. "
                'Hint: {"a": score_a >= t, "b": score_b >= t}.'
            )
        return {str(name): _check_calls(one, f"calls_a[{name!r}]", size) for name, one in calls_a.items()}
    if calls_b is None:
        raise InvalidTypeError(
            "`calls_b` must be the predictions of the second model; got none. "
            'Hint: or pass a mapping of all models, {"a": calls_a, "b": calls_b}.'
        )
    return {"a": _check_calls(calls_a, "calls_a", size), "b": _check_calls(calls_b, "calls_b", size)}


def _measures(metrics: object, options: Mapping[str, Any]) -> list[tuple[str, Confusion]]:
    """Return the metrics by name, each with those of the options that it takes."""
    if isinstance(metrics, str) or not isinstance(metrics, Sequence) or not metrics:
        raise InvalidInputError(f"`metrics` must list metrics; got {show(metrics)}. Hint: ['mcc', 'f1'].")
    found = []
    left = set(options)
    for metric in metrics:
        own = dict(options)
        if isinstance(metric, str) and len(metrics) > 1:
            own = {name: one for name, one in options.items() if name in takes(metric)}
        left -= set(own)
        known = isinstance(metric, str) and as_call(metric) is not None and "threshold" not in takes(metric)
        measure = metric if isinstance(metric, Measure) or known else as_measure(metric, threshold=1.0, **own)
        if not isinstance(measure, Confusion):
            raise InvalidInputError(
                f"`metrics` must be of the confusion matrix; got {show(metric)}. Hint: for example 'mcc'."
            )
        name = metric if isinstance(metric, str) else measure.title
        found.append((name, replace(measure, threshold=1.0)))
    if left:
        raise InvalidInputError(
            f"`{min(left)}` must be an option of one of the metrics; got {show(options[min(left)])}. "
            f"Hint: leave it out, or add a metric that takes it."
        )
    return found


# Logarithms of likelihood ratios, which are compared on that scale.
_LOGS: Mapping[str, Callable[..., Any]] = {
    "lr_positive": lambda tp, fp, fn, tn: np.log(tp / (tp + fn)) - np.log(fp / (fp + tn)),
    "lr_negative": lambda tp, fp, fn, tn: np.log(fn / (tp + fn)) - np.log(tn / (fp + tn)),
}


def _by_catalogue(
    positive: NDArray[np.bool_],
    models: Mapping[str, NDArray[np.bool_]],
    name: str,
    measure: Confusion,
    rows: Mapping[str, Any],
) -> list[CallDifference]:
    """Return a metric of every pair by the test for any metric of the confusion matrix."""
    log = _LOGS.get(measure.title)
    asked: Measure = measure if log is None else Confusion(log, 1.0)
    ratio = log is not None
    found = []
    for a, b in combinations(models, 2):
        columns = {key: models[key].astype(np.float64) for key in (a, b)}
        first, second = (
            measure.of(Counts(positive, column, sample_weight=rows["sample_weight"])) for column in columns.values()
        )
        if not math.isfinite(first - second) or (ratio and first * second == 0.0):
            low = high = pvalue = math.nan
            change, how = (first / second if ratio and second else first - second), "score"
        else:
            one = compare(positive, columns, metric=asked, **rows)
            change, low, high = one.difference, one.low, one.high
            if ratio:
                change, low, high = math.exp(change), math.exp(low), math.exp(high)
            pvalue, how = one.pvalue, one.method
        found.append(CallDifference(name, (a, b), first, second, change, low, high, pvalue, pvalue, how))
    return found


def _adjusted(found: Sequence[CallDifference]) -> list[tuple[CallDifference, float]]:
    """Return every figure with its p-value adjusted for all pairs of models, in the order of pairs."""
    out = []
    for name in dict.fromkeys(one.name for one in found):
        own = [one for one in found if one.name == name]
        out += list(zip(own, holm([one.pvalue for one in own]), strict=True))
    order = list(dict.fromkeys(one.models for one in found))
    return sorted(out, key=lambda pair: order.index(pair[0].models))


def _classical(
    models: tuple[str, str], pos: CellCounts, neg: CellCounts, method: str, interval: str, level: float
) -> list[CallDifference]:
    """Return the usual metrics of diagnostic tests, each by its own method."""
    return [
        CallDifference(name, models, *figures)
        for name, figures in (
            ("sensitivity", _rate(pos, method, interval, level)),
            ("specificity", _rate(neg[::-1], method, interval, level)),
            ("ppv", _predictive(pos, neg)),
            ("npv", _predictive(neg[::-1], pos[::-1])),
            ("lr_positive", _ratio(pos, neg, level)),
            ("lr_negative", _ratio(pos[::-1], neg[::-1], level)),
        )
    ]


def _check_calls(calls: ArrayLike, name: str, size: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    column = np.asarray(as_vector(calls, name))
    if column.size != size:
        raise unequal(name, column.size, "y_true", size)
    if not np.isin(column, (0, 1)).all():
        raise InvalidInputError(
            f"`{name}` must be booleans, or 0 and 1; got other values. Hint: compare scores with a cut-off: `s >= t`."
        )
    return column.astype(np.bool_)


CellCounts = tuple[int, int, int, int]


def _cells(a: Any, b: Any) -> CellCounts:
    counts = np.bincount(2 * a.astype(np.int64) + b, minlength=4).tolist()
    return counts[0], counts[1], counts[2], counts[3]


_Figures = tuple[float, float, float, float, float, float, float, str]
"""The metric of both models, the difference with its limits, the p value twice, and the method."""


def _rate(cells: CellCounts, method: str, interval: str, level: float) -> _Figures:
    neither, only_b, only_a, both = cells
    total = sum(cells)
    if interval == "tango":
        low, high = tango(only_a, only_b, total, level)
    else:
        low, high = newcombe_paired(both, only_a, only_b, neither, level)
    a, b = (both + only_a) / total, (both + only_b) / total
    p = mcnemar(only_a, only_b, method)
    return a, b, (only_a - only_b) / total, low, high, p, p, method


def _predictive(right: CellCounts, wrong: CellCounts) -> _Figures:
    hits, misses = (right[3] + right[2], right[3] + right[1]), (wrong[3] + wrong[2], wrong[3] + wrong[1])
    called = tuple(x + y for x, y in zip(hits, misses, strict=True))
    p = predictive_value_test(hits[0], called[0], hits[1], called[1], right[3], wrong[3])[1]
    a, b = (hit / all_ if all_ else math.nan for hit, all_ in zip(hits, called, strict=True))
    return a, b, a - b, math.nan, math.nan, p, p, "weighted-score"


def _ratio(pos: CellCounts, neg: CellCounts, level: float) -> _Figures:
    n_pos, n_neg = sum(pos), sum(neg)

    def one(only: int) -> float:
        found, alarmed = (pos[3] + pos[only]) / n_pos, (neg[3] + neg[only]) / n_neg
        return found / alarmed if alarmed else (math.inf if found else math.nan)

    sides = ((pos[3], pos[2], pos[1]), (neg[3], neg[2], neg[1]))
    ratio, low, high, p = log_ratio_difference(*sides, level)
    return one(2), one(1), ratio, low, high, p, p, "log"


def _both(pos: CellCounts, neg: CellCounts) -> float:
    total = 0.0
    for cells in (pos, neg):
        if cells[1] + cells[2]:
            total += (cells[2] - cells[1]) ** 2 / (cells[1] + cells[2])
    return float(scipy.special.chdtrc(2.0, total))
