"""Intervals for the rates of one operating point: precision, recall, false positive rate, F-beta and the like."""

from __future__ import annotations

import math

import numpy as np

from thresher._cells import f_beta_bounds
from thresher._core.checks import check_choice, check_confidence_level, check_number, show
from thresher._core.warn import warn
from thresher._curves import OperatingPoint
from thresher._inference.interval import ConfidenceInterval
from thresher._inference.rates.effective_counts import Cells, effective_f_beta, effective_share, refuse_unknown
from thresher._inference.rates.proportion import PROPORTION_METHODS, proportion_bounds
from thresher.exceptions import InvalidInputError, InvalidTypeError

__all__ = ["RATES", "rate_interval"]

# Name -> (what is counted, out of what), in terms of tp, fp, fn, tn.
_PARTS = {
    "precision": (("tp",), ("tp", "fp")),
    "recall": (("tp",), ("tp", "fn")),
    "fpr": (("fp",), ("fp", "tn")),
    "specificity": (("tn",), ("fp", "tn")),
    "npv": (("tn",), ("tn", "fn")),
    "accuracy": (("tp", "tn"), ("tp", "fp", "fn", "tn")),
    "predicted_positive_rate": (("tp", "fp"), ("tp", "fp", "fn", "tn")),
}
_PARTS["tpr"] = _PARTS["sensitivity"] = _PARTS["recall"]
_PARTS["tnr"] = _PARTS["specificity"]
_PARTS["alert_rate"] = _PARTS["predicted_positive_rate"]
RATES = (*_PARTS, "f_beta")
# The rates that do not change with the prevalence.
_WITHIN_A_CLASS = ("recall", "tpr", "sensitivity", "fpr", "specificity", "tnr")


def rate_interval(
    rate: str,
    point: OperatingPoint | None = None,
    *,
    tp: float | None = None,
    fp: float | None = None,
    fn: float | None = None,
    tn: float | None = None,
    beta: float = 1.0,
    method: str = PROPORTION_METHODS[0],
    confidence_level: float = 0.95,
) -> ConfidenceInterval:
    """Interval for a rate at a fixed threshold, from its confusion matrix.

    Parameters
    ----------
    rate : str
        "precision", "recall" (also "tpr", "sensitivity"), "fpr", "specificity" (also "tnr"), "npv", "accuracy",
        "alert_rate" (also "predicted_positive_rate") or "f_beta".
    point : OperatingPoint, optional
        The confusion matrix, as `roc.at`, `choose_threshold` and `tune(...).evaluate` return it.
    tp, fp, fn, tn : number, optional
        The four counts, where there is no `point`: numbers of independent cases. A point of a table with sampling
        weights or with clusters carries what its rows are worth; bare numbers cannot.
    beta : float, default 1.0
        Weight of recall against precision in "f_beta"; the other rates do not use it.
    method : {"bayes", "wilson", "clopper-pearson", "jeffreys"}, default "bayes"
        See `proportion_interval`. Clopper-Pearson never covers less than its level.
    confidence_level : float, default 0.95
        Strictly between 0 and 1.

    Returns
    -------
    ConfidenceInterval
        Inside [0, 1]; unpacks as ``(low, high)``.

    Warns
    -----
    ThresherWarning
        When the rate has no cases to be computed from, as precision when nothing is predicted positive: the interval is
        then [0, 1].

    Notes
    -----
    The threshold must have been fixed before these cases were seen. A threshold chosen on the same cases makes every
    rate look better than it is, and these intervals do not account for it.

    With sampling weights the interval is that of n* cases of equal weight, n* = W^2 / (r_yes W_no + r_no W_yes), with r
    the typical weight of the rows of a side; with clusters n* is such that the variance is that of sums over clusters.

    All rates but F-beta are proportions. Given the number TP + FP + FN, TP is binomial; for beta = 1, F is a monotone
    function of that proportion and its interval is that of the proportion, transformed. Other values of beta also
    depend on how the errors divide: "bayes" and "jeffreys" then take tails of the posterior of both shares, "wilson"
    inverts the score test of the contrast (1+b^2)(1-F) TP - F (b^2 FN + FP), and "clopper-pearson" joins exact
    intervals for both shares.

    References
    ----------
    .. [1] L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science
       16 (2001), 101-133. https://doi.org/10.1214/ss/1009213286

    Examples
    --------
    >>> import thresher as th
    >>> print(f"{th.rate_interval('precision', tp=40, fp=10, fn=20, tn=130):.3f}")
    0.667 to 0.899
    >>> print(f"{th.rate_interval('f_beta', tp=40, fp=10, fn=20, tn=130):.3f}")
    0.620 to 0.815

    From a curve:

    >>> data = th.datasets.load_digits_eight()
    >>> point = th.Scores(data.y_true, data.tree).roc().at(threshold=0.5)
    >>> print(f"{point.precision:.3f}, {th.rate_interval('precision', point):.3f}")
    0.786, 0.715 to 0.847
    """
    check_choice(rate, "rate", RATES)
    check_choice(method, "method", PROPORTION_METHODS)
    level = check_confidence_level(confidence_level)
    counts = _check_cells(rate, point, {"tp": tp, "fp": fp, "fn": fn, "tn": tn})
    weight = _check_beta(beta)
    empty = (
        counts["tp"] + counts["fp"] + counts["fn"] if rate == "f_beta" else sum(counts[c] for c in _PARTS[rate][1])
    ) == 0.0
    if empty:
        warn(f'No case enters "{rate}", so its interval is [0, 1].')
    cells = _weighed(rate, point, counts)
    if rate == "f_beta":
        three = (counts["tp"], counts["fp"], counts["fn"])
        low, high = f_beta_bounds(
            *(three if cells is None else effective_f_beta(cells, weight, level)), weight, level, method
        )
    else:
        if cells is None:
            part, whole = (np.asarray(math.fsum(counts[c] for c in names)) for names in _PARTS[rate])
        else:
            part, whole = (np.asarray(number) for number in effective_share(cells, *_PARTS[rate], level))
        ends = proportion_bounds(part, whole, level, method)
        low, high = float(ends[0]), float(ends[1])
    return ConfidenceInterval(low, high, level, method)


_LEAST_BETA = 1e-6


def _weighed(rate: str, point: OperatingPoint | None, counts: dict[str, float]) -> Cells | None:
    """Return the cells with their rows; None, with plain counts, where rows have no weights that matter."""
    sample = None if point is None else point.sample
    if sample is None:
        return None
    refuse_unknown(sample)
    if sample.independent and sample.rows is not None and rate in _WITHIN_A_CLASS:
        # All rows of a class weigh the same: its rates are those of the rows.
        counts.update(zip(("tp", "fp", "fn", "tn"), sample.rows, strict=True))
        return None
    return Cells(counts, sample)


def _check_cells(rate: str, point: object, cells: dict[str, float | None]) -> dict[str, float]:
    given = [name for name, value in cells.items() if value is not None]
    if point is None:
        if len(given) < len(cells):
            missing = ", ".join(f"`{name}`" for name in cells if name not in given)
            raise InvalidInputError(
                f"`tp`, `fp`, `fn` and `tn` must all be given unless there is a `point`; got no {missing}. "
                "Hint: pass an operating point, such as `scores.roc().at(threshold=0.5)`."
            )
        return {name: _check_cell(value, name) for name, value in cells.items()}
    if not isinstance(point, OperatingPoint):
        raise InvalidTypeError(
            f"`point` must be an OperatingPoint; got {show(point)} of type {type(point).__name__}. "
            "Hint: give counts by name, as in tp=40."
        )
    if given:
        raise InvalidInputError(f"Counts must not be given beside a `point`; got `{given[0]}`.")
    if point.skew != 1.0 and rate not in _WITHIN_A_CLASS:
        raise InvalidInputError(
            f'"{rate}" must be that of the sample to have this interval; the point refers to the prevalence '
            f"{point.prevalence:.6g}. Hint: `scores.pr_band([recall], prevalence=...)` has an interval for precision."
        )
    return {name: float(getattr(point, name)) for name in cells}


def _check_cell(value: object, name: str) -> float:
    cell = check_number(value, name)
    if not 0.0 <= cell < 2.0**62:
        raise InvalidInputError(f"`{name}` must be at least 0 and below 2**62; got {show(value)}.")
    return cell


def _check_beta(value: object) -> float:
    beta = check_number(value, "beta")
    if not _LEAST_BETA <= beta <= 1 / _LEAST_BETA:
        raise InvalidInputError(
            f"`beta` must be between {_LEAST_BETA:g} and {1 / _LEAST_BETA:g}; got {show(value)}. "
            "Hint: 1 weighs recall and precision alike."
        )
    return beta
