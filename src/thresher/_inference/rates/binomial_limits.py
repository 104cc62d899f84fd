"""How many errors a binomial count may show before a limit can no longer be guaranteed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import scipy

from thresher.typing import ArrayLike, FloatArray

__all__ = [
    "beta_binomial_cdf",
    "binomial_cdf",
    "keeps",
    "most_errors",
    "most_errors_expected",
    "most_errors_next",
    "trials_needed",
]

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
    """P(M <= count) of errors M among the next `trials` when the threshold left `errors` of `seen`; continuous scores.

    M is beta-binomial with parameters errors + 1 and seen - errors.
    """
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
