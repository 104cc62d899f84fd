"""Planning for rates: one by the exact binomial test, or two on the same cases by McNemar's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from thresher._core.checks import check_confidence_level, check_number, show
from thresher._decide.counted_power import Rejects, TwoCounts, at_least, counted
from thresher._decide.question import Question, StudyCases, check_share, check_test, tails
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray


def rate(
    rate: float | tuple[float, float],
    *,
    null: float | None = None,
    discordant: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
) -> Question:
    """Return the question whether a rate differs from a value, or those of two tests on the same cases.

    Parameters
    ----------
    rate : float or (float, float)
        A supposed sensitivity or specificity among the cases of its class, tested against `null` by the exact binomial
        test, with half of the level on each side if two-sided; or those of two tests on the same cases, which McNemar's
        test compares, by mid-p.
    null : float, optional
        The rate under the null hypothesis; needed with one rate.
    discordant : float, optional
        With two rates: the proportion of cases that the tests predict differently; by default that of independent
        predictions, which is about the most and needs most cases.
    significance_level, alternative
        As in `area`.

    Returns
    -------
    Question
        Its `power(n)` and `size(power)` answer it, in cases of the class.

    Examples
    --------
    >>> import thresher as th
    >>> th.planning.rate(0.95, null=0.9).size(0.8).n
    255
    >>> round(th.planning.rate((0.9, 0.8), discordant=0.14).power(200).power, 2)
    0.98
    """
    if isinstance(rate, tuple | list):
        if null is not None:
            raise InvalidInputError("`null` must be left out with two rates: the test is that they are equal.")
        if len(rate) != 2:
            raise InvalidInputError(f"`rate` must be one number, or two of tests on the same cases; got {show(rate)}.")
        a, b = (check_confidence_level(one, "rate") for one in rate)
        return _two_rates(a, b, discordant, check_test(significance_level, alternative))
    if discordant is not None:
        raise InvalidInputError("`discordant` must go with two rates. Hint: `rate=(0.9, 0.8)`.")
    if null is None:
        raise InvalidInputError("`null` must be given with `rate`: the rate under the null hypothesis.")
    share, at = check_share(rate, "rate"), check_share(null, "null")
    tested = check_test(significance_level, alternative)

    def refuse(_: float) -> None:
        wrong = {"greater": share <= at, "less": share >= at, "two-sided": share == at}
        if wrong[alternative]:
            where = {"greater": "above", "less": "below", "two-sided": "apart from"}[alternative]
            raise InvalidInputError(
                f"`rate` must be {where} `null` to have power; got {share:g} and {at:g} with "
                f"alternative={alternative!r}."
            )

    return Question(
        difference=share - at,
        metric="rate",
        method="exact binomial",
        null=at,
        _power=lambda cases: rate_power(at, share, cases.n, tested["level"], alternative),
        _error=lambda cases: math.sqrt(share * (1 - share) / cases.n),
        _supposed=share,
        _least=1,
        _search=lambda _, power: rate_size(at, share, power, tested["level"], alternative),
        _refuse=refuse,
        **tested,
    )


def _two_rates(a: float, b: float, discordant: object, tested: dict[str, Any]) -> Question:
    """Return the question of two tests on the same cases, by mid-p.

    Given how many cases the tests predict differently, those of the first alone are binomial.
    """
    least, most = abs(a - b), a * (1.0 - b) + b * (1.0 - a)
    share = most if discordant is None else check_number(discordant, "discordant")
    top = min(a + b, 2.0 - a - b)
    if not (least <= share <= top * (1.0 + 1e-12)) or share <= 0.0:
        raise InvalidInputError(
            f"`discordant` must be from {least:g} to {top:g} with the rates {a:g} and {b:g}; got {show(discordant)}. "
            "Hint: it is the proportion of cases that the two tests predict differently; left out, it is that of "
            f"independent tests, {most:g}."
        )
    difference = a - b
    first_alone = min(max((share + difference) / (2.0 * share), 0.0), 1.0)

    def test(_: StudyCases, level: float, upwards: bool) -> Rejects:
        return lambda first, second: _mid_p(first - second if upwards else second, first) <= level

    return counted(
        lambda cases: TwoCounts(cases.n, share, first_alone, rest=-1),
        test,
        difference=difference,
        metric="difference of rates",
        method="mid-p McNemar",
        _error=lambda cases: math.sqrt(max(share - difference**2, 0.0) / cases.n),
        _least=1,
        **tested,
    )


def _mid_p(fewer: FloatArray, n: FloatArray) -> FloatArray:
    """Return the chance of so few or fewer heads among n fair tosses, that of exactly so many halved."""
    log_chance = -np.log1p(n) - scipy.special.betaln(n - fewer + 1.0, fewer + 1.0) - n * math.log(2.0)
    return np.asarray(at_least(n - fewer, n, 0.5) - np.exp(log_chance) / 2.0)


def rate_power(null: float, true: float, n: int, level: float, alternative: str = "greater") -> float:
    """Return the power of the exact binomial test of a rate; two-sided it has half of the level on each side."""
    up, down = tails(level, alternative)
    above = _upper_power(null, true, n, up) if up else 0.0
    return above + (_upper_power(1.0 - null, 1.0 - true, n, down) if down else 0.0)


def _upper_power(null: float, true: float, n: int, level: float) -> float:
    critical = critical_count(null, n, level)
    return 0.0 if critical > n else 1.0 if critical == 0 else float(scipy.special.bdtrc(critical - 1.0, n, true))


def critical_count(null: float, n: int, level: float) -> int:
    """Return the least count of n that the null hypothesis reaches with at most the level; n + 1 if there is none."""
    low, high = -1, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        chance = 1.0 if middle == 0 else float(scipy.special.bdtrc(middle - 1.0, n, null))
        low, high = (low, middle) if chance <= level else (middle, high)
    return high


def rate_size(null: float, true: float, power: float, level: float, alternative: str = "greater") -> int:
    """Return the least number of cases from which the power never falls below again: it rises in a sawtooth."""
    # Beyond twice the normal size, and a hundred more, no tooth reaches down again.
    tail = max(tails(level, alternative))
    z, spare = (float(scipy.special.ndtri(1 - share)) for share in (tail, 1 - power))
    rough = ((z * math.sqrt(null * (1 - null)) + spare * math.sqrt(true * (1 - true))) / (true - null)) ** 2
    n = 2 * math.ceil(rough) + 100
    while n > 1 and rate_power(null, true, n - 1, level, alternative) >= power:
        n -= 1
    return n
