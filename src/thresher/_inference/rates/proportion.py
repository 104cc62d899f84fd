"""Intervals of a proportion and of the rates of an operating point, and limits of binomial counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import scipy

from thresher._cells import PROPORTION_METHODS as PROPORTION_METHODS
from thresher._cells import CellMetric, Matrix, canonical, find
from thresher._cells import proportion_bounds as proportion_bounds
from thresher._core.checks import check_choice, check_confidence_level, check_number, show, warn
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._curves import OperatingPoint
from thresher._inference.interval import ConfidenceInterval
from thresher._inference.sampling import cell_limits, refuse_unknown
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, FloatArray

# So close to the level the sum is formed again in fractions, as long as that is quick.
_NEAR = 1e-9
_LARGEST_EXACT = 4000


def binomial_cdf(count: ArrayLike, trials: ArrayLike, share: ArrayLike) -> FloatArray:
    """P(Bin(trials, share) <= count) by the incomplete beta function, so that real arguments are allowed."""
    k, n = np.asarray(count, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        inside = scipy.special.betainc(n - k, k + 1.0, 1.0 - np.asarray(share, dtype=np.float64))
    return np.asarray(np.where(k < 0.0, 0.0, np.where(k >= n, 1.0, inside)))


def _exact_cdf(count: int, trials: int, share: Fraction) -> Fraction:
    """P(Bin(trials, share) <= count) for a share below 1."""
    a, b = share.numerator, share.denominator - share.numerator
    term = b**trials
    total = 0
    for k in range(count + 1):
        total += term
        # The next term of the binomial expansion; the division is exact because a * term carries a factor b.
        term = term * (trials - k) * a // ((k + 1) * b)
    return Fraction(total, share.denominator**trials)


def keeps(count: int, trials: int, share: Fraction, delta: Fraction) -> bool:
    """Return whether P(Bin(trials, share) <= count) <= delta, decided in fractions where floats cannot."""
    if count < 0:
        return True
    if count >= trials:
        return delta >= 1
    if share in (0, 1):
        return share == 1
    chance, level = float(binomial_cdf(count, trials, float(share))), float(delta)
    if abs(chance - level) > _NEAR * level or trials > _LARGEST_EXACT:
        return chance <= level
    return _exact_cdf(count, trials, share) <= delta


def most_errors(trials: int, share: Fraction, delta: Fraction) -> int:
    """Return the largest k with P(Bin(trials, share) <= k) <= delta; -1 if there is none."""
    low, high = -1, trials
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keeps(middle, trials, share, delta) else (low, middle)
    return low


def most_errors_expected(trials: int, share: Fraction) -> int:
    """Return the largest k with (k + 1) / (trials + 1) <= share: the mean rate keeps the limit, samples need not."""
    return math.floor(share * (trials + 1)) - 1


def beta_binomial_cdf(count: int, trials: int, errors: int, seen: int) -> float:
    """P(M <= count) of errors M among the next `trials` when the threshold left `errors` of `seen`: beta-binomial."""
    if count >= trials:
        return 1.0
    k = np.arange(count + 1, dtype=np.float64)
    a, b = errors + 1.0, float(seen - errors)
    log = scipy.special.betaln(k + a, trials - k + b) - scipy.special.betaln(a, b)
    # The binomial coefficient by beta: 1 / ((m + 1) B(m - k + 1, k + 1)).
    log -= scipy.special.betaln(trials - k + 1.0, k + 1.0) + math.log1p(trials)
    return min(math.fsum(np.exp(log).tolist()), 1.0)


def most_errors_next(seen: int, share: Fraction, delta: Fraction, trials: int) -> int:
    """Return the largest k for which the next `trials` keep the limit with probability 1 - delta; -1 if none."""
    allowed = math.floor(share * trials)
    low, high = -1, seen
    while high - low > 1:
        middle = (low + high) // 2
        kept = beta_binomial_cdf(allowed, trials, middle, seen) >= 1.0 - float(delta)
        low, high = (middle, high) if kept else (low, middle)
    return low


def trials_needed(share: Fraction, delta: Fraction, errors: int = 0) -> int:
    """Return the least n with P(Bin(n, share) <= errors) <= delta."""
    high = errors + 1
    while not keeps(errors, high, share, delta):
        high *= 2
    low = errors
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(errors, middle, share, delta) else (middle, high)
    return high


@value
class ProportionInterval(Presented):
    """Intervals for one proportion or for many.

    Element i of `low` and `high` belongs to element i of the counts; for scalar counts both are NumPy scalars.
    Unpacks as ``low, high = interval``.

    Attributes
    ----------
    low, high : array of float64
        The ends, ``0 <= low <= count / total <= high <= 1``.
    confidence_level : float
        The level that was asked for.
    method : str
        The name of the method.

    Examples
    --------
    >>> import thresher as th
    >>> low, high = th.proportion_interval(8, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.46, 0.974)
    """

    low: FloatArray
    high: FloatArray
    confidence_level: float
    method: str

    def __iter__(self) -> Iterator[FloatArray]:
        return iter((self.low, self.high))


def proportion_interval(
    count: ArrayLike, total: ArrayLike, *, method: str = PROPORTION_METHODS[0], confidence_level: float = 0.95
) -> ProportionInterval:
    """Interval for a proportion that was observed `count` times in `total` independent cases.

    Parameters
    ----------
    count : number or array
        Number of cases with the property; between 0 and `total`. Sums of weights are allowed and are read as numbers
        of cases: a case of weight 2 counts as two cases.
    total : number or array
        Number of cases; broadcast against `count`.
    method : {"bayes", "wilson", "clopper-pearson", "jeffreys"}, default "bayes"
        "bayes" takes the lower limit from the posterior with three quarters of a case more without the property, the
        upper one from that with as much more with it: Beta(count, total - count + 3/4) and
        Beta(count + 3/4, total - count). Wilson inverts the score test and holds its level on average over proportions;
        with a count of few cases it falls far short. Clopper-Pearson inverts the exact binomial test: its coverage is
        never below the level, so it is longer. Jeffreys gives the equal-tailed posterior interval under the
        Beta(1/2, 1/2) prior, with the end set to 0 at count 0 and to 1 at count = total.
    confidence_level : float, default 0.95
        Strictly between 0 and 1.

    Returns
    -------
    ProportionInterval
        With `.low` and `.high` in the broadcast shape.

    Warns
    -----
    ThresherWarning
        When a total is 0: nothing was seen, and the interval is [0, 1].

    Notes
    -----
    Over all proportions "bayes" covers at least 93.1% at the level of 95%, whatever the number of cases; Wilson's
    interval falls to 79%, Jeffreys' to 85%. It is 2% longer than Wilson's at the median of a grid of numbers and
    proportions, where Clopper-Pearson's is 7% longer. All of this is in the table of docs/validation/rates.md.

    References
    ----------
    .. [1] L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science
       16 (2001), 101-133. https://doi.org/10.1214/ss/1009213286

    Examples
    --------
    >>> from thresher import proportion_interval
    >>> low, high = proportion_interval(8, 10)
    >>> round(float(low), 4), round(float(high), 4)
    (0.46, 0.9741)
    >>> proportion_interval([0, 10], 10, method="clopper-pearson").high.round(4)
    array([0.3085, 1.    ])
    """
    check_choice(method, "method", PROPORTION_METHODS)
    level = check_confidence_level(confidence_level)
    counts, totals = _check_counts(count, total)
    if (totals == 0.0).any():
        warn("No case was counted, so the interval of its share is [0, 1].")
    low, high = proportion_bounds(counts, totals, level, method)
    return ProportionInterval(low[()], high[()], level, method)


def _check_counts(count: ArrayLike, total: ArrayLike) -> tuple[FloatArray, FloatArray]:
    try:
        counts, totals = np.broadcast_arrays(np.asarray(count, dtype=np.float64), np.asarray(total, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        raise InvalidTypeError(
            f"`count` and `total` must be numbers of shapes that broadcast; got {show(count)} and {show(total)}."
        ) from None
    bad = ~((counts >= 0.0) & (counts <= totals) & (totals < 2.0**62))
    if bad.any():
        at = np.flatnonzero(bad)[0]
        raise InvalidInputError(
            f"`count` must be between 0 and `total`, which must be below 2**62; got count {counts.flat[at]:g} and "
            f"total {totals.flat[at]:g}."
        )
    return counts, totals


RATES = (
    "precision",
    "recall",
    "fpr",
    "specificity",
    "npv",
    "accuracy",
    "predicted_positive_rate",
    "tpr",
    "sensitivity",
    "tnr",
    "alert_rate",
    "f_beta",
)
_LEAST_BETA = 1e-6


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
    weight, known = _check_beta(beta), canonical(rate)
    metric = find("f_beta", beta=weight) if known is None or rate == "f_beta" else find(known[0])
    counts = _check_cells(rate, metric, point, {"tp": tp, "fp": fp, "fn": fn, "tn": tn})
    yes, no = metric.share or (("tp",), ("fp", "fn"))
    if math.fsum(counts[cell] for cell in (*yes, *no)) == 0.0:
        warn(f'No case enters "{rate}", so its interval is [0, 1].')
    sample = None if point is None else point.sample
    if sample is not None:
        refuse_unknown(sample)
    low, high = cell_limits(metric, Matrix(**counts), sample, method=method, level=level)
    return ConfidenceInterval(low, high, level, method)


def _check_cells(rate: str, metric: CellMetric, point: object, cells: dict[str, float | None]) -> dict[str, float]:
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
    if point.skew != 1.0 and not metric.free:
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
