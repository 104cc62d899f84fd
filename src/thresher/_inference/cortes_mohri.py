"""The intervals of Cortes and Mohri for the AUC, from class totals and a number of errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from thresher._core.checks import (
    check_choice,
    check_confidence_level,
    check_count,
    check_fractions,
    check_range,
    show,
    warn,
)
from thresher._core.root_search import minimise
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._inference.auc_moments import moments
from thresher._inference.error_counts import (
    BOUNDS,
    ERROR_INTERVALS,
    ERROR_LAWS,
    ErrorMixture,
    error_law,
    error_range,
    miss_bound,
    rounded_outwards,
    shortest_constant_selberg,
    shortest_gaussian,
    shortest_optimal,
)
from thresher._inference.interval import ConfidenceInterval
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import FloatArray, IntArray

_EPS = ("constant", "gaussian", "optimal")
EpsFunction = Callable[[IntArray], FloatArray]
"""The miss probability allowed to each number of errors, all of them at once."""


@value
class CortesMohriInterval(ConfidenceInterval):
    """Model-based interval for the AUC, from an error count only. See `cortes_mohri` for what it assumes.

    Attributes
    ----------
    low, high : float
        The ends, cut to [0, 1].
    confidence_level : float
        A lower bound on the probability, under the model.
    method : str
        Always ``"cortes-mohri"``.
    unclipped : tuple of float
        The pair before cutting.
    k_range : tuple of int
        First and last number of errors that took part.
    k_at_low, k_at_high : int or None
        The number of errors that fixes each end; None for ``eps="optimal"``, where all of them fix it together.
    n_pos, n_neg, n_errors : int
        What was given.
    error_level : float or None
        Level of the error-rate interval (None unless ``eps="constant"``).
    eps_parameters : tuple of float or None
        (a0, a1) of eps_k = a0 exp((k - k0)^2 / (2 a1^2)), for ``eps="gaussian"`` and for a pair of your own.
    observed : float or None
        The observed AUC, where it was given; it is not used for the interval.

    Examples
    --------
    >>> import thresher as th
    >>> interval = th.cortes_mohri(50, 50, 10)
    >>> round(interval.low, 3), round(interval.high, 3), interval.k_range
    (0.661, 1.0, (4, 19))
    >>> [round(end, 3) for end in interval.unclipped]
    [0.661, 1.033]
    """

    unclipped: tuple[float, float]
    k_range: tuple[int, int]
    k_at_low: int | None
    k_at_high: int | None
    n_pos: int
    n_neg: int
    n_errors: int
    error_level: float | None
    eps_parameters: tuple[float, float] | None
    observed: float | None

    @property
    def covers_observed(self) -> bool | None:
        """Whether the interval contains the observed AUC; None if it was not given.

        An observed AUC outside says that the equal-probability assumption does not hold for the data.
        """
        return None if self.observed is None else self.low <= self.observed <= self.high

    @property
    def beyond_paper(self) -> bool:
        """Whether error counts above the size of the smaller class were used, beyond the paper's formulas."""
        return self.k_range[1] > min(self.n_pos, self.n_neg)


class _Found(NamedTuple):
    low: float
    high: float
    k_range: tuple[int, int]
    k_at_low: int | None
    k_at_high: int | None
    error_level: float | None = None
    eps_parameters: tuple[float, float] | None = None


def _check_counts(n_pos: int, n_neg: int, n_errors: int) -> tuple[int, int, int]:
    positives = check_count(n_pos, "n_pos", minimum=1, below=2**61)
    negatives = check_count(n_neg, "n_neg", minimum=1, below=2**61)
    total, errors = positives + negatives, check_count(n_errors, "n_errors")
    if errors > total:
        raise InvalidInputError(
            f"`n_errors` must be between 0 and n_pos + n_neg = {total}; got {errors}. Hint: count the misclassified "
            "examples of both classes at one threshold."
        )
    return positives, negatives, errors


def cortes_mohri(
    n_pos: int,
    n_neg: int,
    n_errors: int,
    *,
    confidence_level: float = 0.95,
    error_interval: str | tuple[float, float] = "clopper-pearson",
    split: str | float = "equal",
    eps: str | tuple[float, float] | EpsFunction = "constant",
    bound: str = "chebyshev",
    law: str = "predictive",
    observed: float | None = None,
) -> CortesMohriInterval:
    """Model-based interval for the AUC from the class totals and the number of errors at one threshold.

    .. warning::
        This is not a confidence interval for the AUC of your scorer unless its model holds. It assumes that, given the
        number of errors, every ordering of the examples is equally likely: that scores say nothing about the ranking
        beyond the side of the threshold they fall on, and that errors are equally frequent among the examples called
        positive and those predicted negative. Under that assumption the level is a lower bound. **The observed AUC is
        never used.** A scorer that ranks usefully within the predicted classes, as most do, has an AUC above the centre
        of this interval, and in large samples the interval misses it: with binormal scores, AUC 0.9 and 1000 examples,
        95% intervals of this kind held the true value in 0 to 29% of samples (the widest, with
        ``error_interval="chebyshev"``, still did, at 8 to 14 times the length of DeLong's interval, and fails from
        about 3000 examples on). Imbalance makes it worse.

        If you have the scores, use DeLong's interval or a bootstrap; with a published AUC use Hanley and McNeil's
        (`roc_auc_interval`). Use this when a report gives nothing but class totals and an error count, and call it
        model-based. An observed AUC far outside is evidence against the model, which is a sound use of it. Do not
        compare two classifiers by it, and do not use a threshold that was tuned on the same data.

    Parameters
    ----------
    n_pos, n_neg : int
        Number of positive and of negative examples, each at least 1.
    n_errors : int
        Number of examples on the wrong side of the threshold, 0 to ``n_pos + n_neg``.
    confidence_level : float, default 0.95
        Strictly between 0 and 1.
    error_interval : {"clopper-pearson", "wilson", "normal", "chebyshev"} or pair, default "clopper-pearson"
        Interval for the error rate, for ``eps="constant"``. "normal" and "chebyshev" are the paper's. A pair
        (low, high) is an interval of your own (Theorem 1); its level is taken to be that of `split`.
    split : {"equal", "best"} or float, default "equal"
        Level of the error-rate interval. "equal" gives it and the AUC the level ``sqrt(confidence_level)`` each, as
        in the paper; "best" takes the split with the shortest interval; a number is the level itself, above
        `confidence_level`.
    eps : {"constant", "gaussian", "optimal"}, pair or function, default "constant"
        How the miss probability is shared among the numbers of errors k. "constant": equally, over an interval of k.
        "gaussian": a0 exp((k - k0)^2 / (2 a1^2)), the paper's own choice in its experiments, with a0 and a1 of least
        length. "optimal": as the shortest interval needs it (water-filling); never longer than "gaussian". A pair
        is your own (a0, a1); a function takes an array of k and returns eps_k for each, above 0 (k with eps_k >= 1
        say nothing and are left out). Both are refused when they do not prove `confidence_level`.
    bound : {"chebyshev", "selberg"}, default "chebyshev"
        Inequality that turns mean and variance into a probability; Selberg's is never worse. With "selberg", and with
        ``eps="optimal"``, an end at 0 or 1 counts as free, since the AUC cannot pass it.
    law : {"predictive", "binomial"}, default "predictive"
        Distribution of the errors in a fresh sample, for ``eps="gaussian"`` and ``"optimal"``: beta-binomial with
        the Jeffreys prior, or Binomial(N, k0/N), which ignores that the error rate is estimated.
    observed : float, optional
        An AUC to compare with; see ``.covers_observed``. It does not change the interval.

    Returns
    -------
    CortesMohriInterval
        Unpacks as ``(low, high)``.

    Warns
    -----
    ThresherWarning
        When ``law="binomial"`` meets 0 errors or only errors: the distribution is one point, and so is the interval.

    Notes
    -----
    If K' follows the distribution and, given K', the ranking of a sample of the same class totals is equally
    likely among all with K' errors, then the AUC of that sample lies in the interval with at least the stated
    probability. The paper's Theorem 2 is ``error_interval="chebyshev"`` or ``"normal"`` with ``eps="constant"``; all
    numbers of errors in the range are tried, since the extremes need not be at its ends.

    References
    ----------
    .. [1] C. Cortes and M. Mohri, "Confidence intervals for the area under the ROC curve", Advances in Neural
       Information Processing Systems 17 (2004), 305-312.

    Examples
    --------
    >>> from thresher import cortes_mohri
    >>> interval = cortes_mohri(136, 232, 88, error_interval="normal", observed=0.7)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.467, 0.895)
    >>> interval.k_range, interval.covers_observed
    ((66, 110), True)

    The paper's own eps_k, and one of your own:

    >>> interval = cortes_mohri(136, 232, 88, eps="gaussian", law="binomial")
    >>> [round(a, 4) for a in interval.eps_parameters]
    [0.0343, 11.166]
    >>> print(f"{cortes_mohri(136, 232, 88, eps=(0.03, 12.0), law='binomial'):.3f}")
    0.560 to 0.840
    >>> print(f"{cortes_mohri(136, 232, 88, eps=lambda k: 0.03 * 1.05 ** abs(k - 88), law='binomial'):.3f}")
    0.451 to 0.955
    """
    positives, negatives, errors = _check_counts(n_pos, n_neg, n_errors)
    total = positives + negatives
    level = check_confidence_level(confidence_level)
    choice = _check_eps(eps)
    check_choice(bound, "bound", BOUNDS)
    check_choice(law, "law", ERROR_LAWS)
    rates = _check_error_interval(error_interval)
    share = _check_split(split, level)
    _check_combination(choice, bound, rates is not None, share)
    seen = None if observed is None else float(check_fractions(observed, "observed"))

    if choice != "constant" and law == "binomial" and errors in (0, total):
        warn(
            f"The distribution Binomial({total}, {errors // total}) is a single point, so the interval is too. "
            'Hint: law="predictive" allows for errors that were not seen.'
        )
    # N - k errors turn the AUC A into 1 - A. Solving one of the two keeps searches with flat valleys symmetric as well.
    mirrored = 2 * errors > total
    fewer = min(errors, total - errors)
    if choice == "constant":
        if rates is not None and mirrored:
            rates = 1.0 - rates[1], 1.0 - rates[0]
        method = error_interval if isinstance(error_interval, str) else ""
        found = _constant(positives, negatives, fewer, level, method, rates, share, bound)
    elif isinstance(eps, str):
        found = _mixed(positives, negatives, fewer, level, eps, bound, law)
    else:
        found = _own(positives, negatives, fewer, level, eps, law, total if mirrored else None)
    if mirrored:
        found = _mirrored(found, total)
    return CortesMohriInterval(
        **found._asdict() | {"low": min(max(found.low, 0.0), 1.0), "high": min(max(found.high, 0.0), 1.0)},
        confidence_level=level,
        method="cortes-mohri",
        unclipped=(found.low, found.high),
        n_pos=positives,
        n_neg=negatives,
        n_errors=errors,
        observed=seen,
    )


def _mirrored(found: _Found, total: int) -> _Found:
    return found._replace(
        low=1.0 - found.high,
        high=1.0 - found.low,
        k_range=(total - found.k_range[1], total - found.k_range[0]),
        k_at_low=None if found.k_at_high is None else total - found.k_at_high,
        k_at_high=None if found.k_at_low is None else total - found.k_at_low,
    )


def _check_error_interval(value: str | tuple[float, float]) -> tuple[float, float] | None:
    if isinstance(value, str):
        check_choice(value, "error_interval", ERROR_INTERVALS)
        return None
    return check_range(value, "error_interval")


def _check_split(value: str | float, level: float) -> str | float:
    if isinstance(value, str):
        return check_choice(value, "split", ("equal", "best"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidTypeError(f'`split` must be "equal", "best" or a number; got {show(value)}.')
    if not level < value < 1.0:
        raise InvalidInputError(
            f"`split` must be above `confidence_level` = {level:g} and below 1; got {value!r}. Hint: it is the level "
            "of the error-rate interval; what it leaves over is spent on the AUC."
        )
    return float(value)


def _check_eps(eps: str | tuple[float, float] | EpsFunction) -> str:
    if isinstance(eps, str):
        return check_choice(eps, "eps", _EPS)
    if callable(eps):
        return "a function"
    if not isinstance(eps, tuple | list) or len(eps) != 2:
        raise InvalidTypeError(
            f"`eps` must be one of {', '.join(map(repr, _EPS))}, a pair (a0, a1) or a function of k; got {show(eps)}."
        )
    if not (0.0 < eps[0] < 1.0 and eps[1] > 0.0):
        raise InvalidInputError(
            f"`eps` must be a pair (a0, a1) with 0 < a0 < 1 and a1 > 0; got {show(eps)}. Hint: eps_k = a0 exp((k - k0)"
            "^2 / (2 a1^2)); eps='gaussian' finds the pair of least length."
        )
    return "a pair"


def _check_combination(eps: str, bound: str, own_interval: bool, split: str | float) -> None:
    if eps not in ("constant", "optimal") and bound != "chebyshev":
        name = 'eps="gaussian"' if eps == "gaussian" else f"{eps} for eps"
        raise InvalidInputError(
            f'`bound` must be "chebyshev" with {name}; got {bound!r}. Hint: eps="optimal" takes either bound and is '
            "never longer."
        )
    if eps != "constant" and (own_interval or split != "equal"):
        name, value = ("error_interval", "a pair") if own_interval else ("split", repr(split))
        raise InvalidInputError(
            f'`{name}` is used with eps="constant" only; got {value} with eps={eps!r}. Hint: that choice of eps takes '
            "the distribution of the number of errors instead; see `law`."
        )
    if own_interval and split == "best":
        raise InvalidInputError(
            f'`split` must be "equal" or a number when `error_interval` is a pair; got {split!r}. Hint: pass the level '
            "of your error-rate interval."
        )


def _constant(
    n_pos: int,
    n_neg: int,
    errors: int,
    level: float,
    method: str,
    rates: tuple[float, float] | None,
    split: str | float,
    bound: str,
) -> _Found:
    """Theorem 1 with the same eps for every k."""
    total = n_pos + n_neg

    def span(error_level: float) -> tuple[int, int]:
        if rates is not None:
            return rounded_outwards(_snapped(rates[0] * total, total), _snapped(rates[1] * total, total), total)
        return error_range(errors, total, error_level, method)

    # Proportions of the miss probability that go to the error rate.
    shares = np.geomspace(0.002, 0.98, 48).tolist() if split == "best" else []
    widest = 1.0 - (1.0 - level) * shares[0] if shares else 1.0
    error_level = math.sqrt(level) if isinstance(split, str) else split
    first, last = span(widest if shares else error_level)
    found = moments(n_pos, n_neg, np.arange(first, last + 1))

    def solve(at_level: float, eps: float) -> _Found:
        low_k, high_k = span(at_level)
        rows = slice(low_k - first, high_k - first + 1)
        mean, variance = found.mean[rows], found.variance[rows]
        if bound == "chebyshev":
            return _outermost(np.arange(low_k, high_k + 1), mean, variance, eps)._replace(error_level=at_level)
        low, high, at_low, at_high = shortest_constant_selberg(mean, variance, eps)
        return _Found(low, high, (low_k, high_k), low_k + at_low, low_k + at_high, error_level=at_level)

    def solve_share(share: float) -> _Found:
        at_level = 1.0 - (1.0 - level) * share
        return solve(at_level, (1.0 - level) * (1.0 - share) / at_level)

    # (1 - level) / (1 + sqrt(level)) is 1 - sqrt(level) without the cancellation.
    eps = (1.0 - level) / (1.0 + error_level) if isinstance(split, str) else (error_level - level) / error_level
    plain = solve(error_level, eps)
    if not shares:
        return plain

    def length(result: _Found) -> float:
        return result.high - result.low

    # The length jumps where the range gains a number of errors, so the search may end beside the best point.
    best = solve_share(minimise(lambda share: length(solve_share(share)), shares))
    return best if length(best) < length(plain) else plain


def _snapped(value: float, total: int) -> float:
    """Return the whole number that k / N * N was meant to be, or the value itself."""
    return float(round(value)) if abs(value - round(value)) <= 1e-14 * total else value


def _outermost(k: IntArray, mean: FloatArray, variance: FloatArray, eps: FloatArray | float) -> _Found:
    """Return the ends of all intervals by Chebyshev's inequality, one for each number of errors."""
    arm = np.sqrt(variance / eps)
    below, above = mean - arm, mean + arm
    at_low, at_high = int(np.argmin(below)), int(np.argmax(above))
    ends = float(below[at_low]), float(above[at_high])
    return _Found(*ends, (int(k[0]), int(k[-1])), int(k[at_low]), int(k[at_high]))


def _mixed(n_pos: int, n_neg: int, errors: int, level: float, eps: str, bound: str, law: str) -> _Found:
    """Inequality (11) with the distribution of K in it."""
    k, weight = error_law(errors, n_pos + n_neg, law)
    found = moments(n_pos, n_neg, k)
    mixture = ErrorMixture(k, weight, found.mean, found.variance)
    if eps == "optimal":
        low, high = shortest_optimal(mixture, bound, level)
        used = np.flatnonzero(miss_bound(found.mean, found.variance, low, high, bound) < 1.0)
        return _Found(low, high, (int(k[used[0]]), int(k[used[-1]])), None, None)
    _, _, a0, a1, mask = shortest_gaussian(mixture, errors, level)
    some = k[mask]
    scale = a0 * np.exp((some - float(errors)) ** 2 / (2.0 * a1 * a1))
    return _outermost(some, found.mean[mask], found.variance[mask], scale)._replace(eps_parameters=(a0, a1))


def _own(
    n_pos: int,
    n_neg: int,
    errors: int,
    level: float,
    eps: tuple[float, float] | EpsFunction,
    law: str,
    mirror: int | None,
) -> _Found:
    """Inequality (11) with an eps_k of the user's; `mirror` is N where N - k errors stand for k."""
    k, weight = error_law(errors, n_pos + n_neg, law)
    if callable(eps):
        parameters = None
        share = np.asarray(eps(k if mirror is None else mirror - k), dtype=np.float64)
        if share.shape != k.shape or not (share > 0.0).all():
            raise InvalidInputError(
                f"`eps` must return a number above 0 for each of the {k.size} values of k that it is given; got "
                f"{show(share)}. Hint: it is called with an array, and eps_k >= 1 leaves a k out."
            )
    else:
        parameters = (float(eps[0]), float(eps[1]))
        exponent = (k - float(errors)) ** 2 / (2.0 * parameters[1] ** 2)
        share = parameters[0] * np.exp(np.minimum(exponent, 600.0))
    proved = dot(weight, np.maximum(0.0, 1.0 - share))
    # What eps_parameters holds comes back as a pair, and is exact to rounding only.
    if proved < level - 1e-12:
        raise InvalidInputError(
            f"`eps` must prove the confidence level {level:g} by inequality (11); it proves {proved:.6g}. Hint: "
            f"smaller values of eps_k, or confidence_level={math.floor(1e4 * proved) / 1e4:g}."
        )
    some = share < 1.0
    found = moments(n_pos, n_neg, k[some])
    return _outermost(k[some], found.mean, found.variance, share[some])._replace(eps_parameters=parameters)
