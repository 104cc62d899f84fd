"""What a study of calls is to find: a rate, a figure of one test at its cut-off, or a difference of two tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.checks import check_choice, check_confidence_level, check_count, check_number, show
from thresher._decide.enumerated_power import Rejects, TwoCounts, rejection_share, steady_size, tails
from thresher._decide.study_results import Power, SampleSize
from thresher._decide.supposed_calls import SupposedCalls
from thresher._inference.delong import ALTERNATIVES
from thresher._inference.rates import net_benefit_bounds, net_benefit_variance, ratio_excluded
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, NetBenefit
from thresher.typing import FloatArray

__all__ = ["BenefitAim", "CallAim", "PairAim", "RatioAim", "ShareAim", "calls_power", "calls_size", "planned_calls"]


@dataclass(frozen=True, slots=True)
class PairAim:
    """Two tests on the same cases of a class: McNemar's test, by mid-p, of the share that each calls.

    Given how many cases the tests call differently, those called by the first alone are binomial.
    """

    rates: tuple[float, float]
    discordant: float
    level: float
    alternative: str

    @classmethod
    def checked(cls, rates: tuple[float, float], discordant: object, level: float, alternative: str) -> PairAim:
        """Check the proportion of cases that the two call differently; by default as of independent calls."""
        a, b = rates
        least, most = abs(a - b), a * (1.0 - b) + b * (1.0 - a)
        share = most if discordant is None else check_number(discordant, "discordant")
        top = min(a + b, 2.0 - a - b)
        if not (least <= share <= top * (1.0 + 1e-12)) or share <= 0.0:
            raise InvalidInputError(
                f"`discordant` must be from {least:g} to {top:g} with the rates {a:g} and {b:g}; "
                f"got {show(discordant)}. "
                "Hint: it is the proportion of cases on which the two tests disagree; by default that of tests "
                f"that are independent, {most:g}."
            )
        return cls(rates, share, level, alternative)

    @property
    def difference(self) -> float:
        """The first rate minus the second."""
        return self.rates[0] - self.rates[1]

    def standard_error(self, n: int) -> float:
        """Return that of the difference."""
        return math.sqrt(max(self.discordant - self.difference**2, 0.0) / n)

    def power(self, n: int) -> float:
        """Return the power with n cases of the class."""
        first_alone = min(max((self.discordant + self.difference) / (2.0 * self.discordant), 0.0), 1.0)
        distribution = TwoCounts(n, self.discordant, first_alone, rest=-1)
        up, down = tails(self.level, self.alternative)

        def rejects(level: float, *, upwards: bool) -> Rejects | None:
            if level == 0.0:
                return None
            return lambda first, second: _mid_p(first - second if upwards else second, first) <= level

        return rejection_share(distribution, rejects(up, upwards=True), rejects(down, upwards=False))


def _mid_p(fewer: FloatArray, n: FloatArray) -> FloatArray:
    """Return the chance of at most so many of n events of probability 1/2, those of exactly so many halved."""
    log_chance = -np.log1p(n) - scipy.special.betaln(n - fewer + 1.0, fewer + 1.0) - n * math.log(2.0)
    return np.asarray(_at_least(n - fewer, n, 0.5) - np.exp(log_chance) / 2.0)


@dataclass(frozen=True, slots=True)
class CallAim:
    """One figure of a test at its cut-off, tested against a value by what the library makes of the counts."""

    calls: SupposedCalls
    figure: str
    """By its name, as `SupposedCalls` has it."""
    null: float
    level: float
    alternative: str
    by_class: ClassVar[bool] = False
    """Whether the numbers of positives and negatives are given, and not left to chance."""
    method: ClassVar[str] = "enumerated"

    @property
    def value(self) -> float:
        """The supposed figure."""
        return float(getattr(self.calls, self.figure))

    @staticmethod
    def check_null(null: object) -> float:
        """Check the value under the null hypothesis."""
        if null is None:
            raise InvalidInputError("`null` must be given with `calls`: the value under the null hypothesis.")
        return check_number(null, "null")

    def sizes(self, n: int) -> tuple[int, int]:
        """Return the expected numbers of both classes among n cases, rounded."""
        n_pos = round(n * self.calls._known("A planned study"))
        return n_pos, n - n_pos

    def standard_error(self, sizes: tuple[int, int]) -> float:
        """Return the asymptotic standard error of the figure."""
        raise NotImplementedError

    def power(self, sizes: tuple[int, int]) -> float:
        """Return the power with so many positives and negatives, or with as many cases as both together."""
        raise NotImplementedError


class ShareAim(CallAim):
    """A predictive value, by the exact binomial test among the cases called, or among those not called."""

    __slots__ = ()
    method = "exact binomial"

    @staticmethod
    def check_null(null: object) -> float:
        """Check that it is a share."""
        at = CallAim.check_null(null)
        if not 0.0 < at < 1.0:
            raise InvalidInputError(f"`null` must be a number in (0, 1) for a predictive value; got {at:g}.")
        return at

    @property
    def _called(self) -> float:
        return 1.0 - self.calls.alert_rate if self.figure in _OF_NEGATIVES else self.calls.alert_rate

    def standard_error(self, sizes: tuple[int, int]) -> float:
        """Return that of a proportion of the expected number of calls."""
        return math.sqrt(self.value * (1.0 - self.value) / (sum(sizes) * self._called))

    def power(self, sizes: tuple[int, int]) -> float:
        """Return the power with as many cases as both classes have together."""
        up, down = tails(self.level, self.alternative)

        def above(called: FloatArray, right: FloatArray) -> NDArray[np.bool_]:
            return _at_least(right, called, self.null) <= up

        def below(called: FloatArray, right: FloatArray) -> NDArray[np.bool_]:
            return _at_least(called - right, called, 1.0 - self.null) <= down

        distribution = TwoCounts(sum(sizes), self._called, self.value, rest=-1)
        return rejection_share(distribution, above if up else None, below if down else None)


class RatioAim(CallAim):
    """A likelihood ratio, by whether its default interval excludes the null value."""

    __slots__ = ()
    by_class = True

    @staticmethod
    def check_null(null: object) -> float:
        """Check that it is a ratio."""
        at = CallAim.check_null(null)
        if not at > 0.0:
            raise InvalidInputError(f"`null` must be above 0 for a likelihood ratio; got {at:g}. Hint: 1 says nothing.")
        return at

    @property
    def _rates(self) -> tuple[float, float]:
        a, b = self.calls.tpr, self.calls.fpr
        return (1.0 - a, 1.0 - b) if self.figure in _OF_NEGATIVES else (a, b)

    def standard_error(self, sizes: tuple[int, int]) -> float:
        """Return that of the logarithm, times the ratio."""
        a, b = self._rates
        return a / b * math.sqrt((1.0 - a) / (a * sizes[0]) + (1.0 - b) / (b * sizes[1]))

    def power(self, sizes: tuple[int, int]) -> float:
        """Return the power with so many positives and negatives."""
        (n_pos, n_neg), (a, b) = sizes, self._rates
        up, down = tails(self.level, self.alternative)

        def above(of_neg: FloatArray, of_pos: FloatArray) -> NDArray[np.bool_]:
            return ratio_excluded(of_pos, n_pos, of_neg, n_neg, self.null, 1.0 - 2.0 * up)[0]

        def below(of_neg: FloatArray, of_pos: FloatArray) -> NDArray[np.bool_]:
            return ratio_excluded(of_pos, n_pos, of_neg, n_neg, self.null, 1.0 - 2.0 * down)[1]

        # The first count is that of the negatives, on which the second does not depend.
        distribution = TwoCounts(n_neg, b, a, rest=n_pos)
        return rejection_share(distribution, above if up else None, below if down else None)


@dataclass(frozen=True, slots=True)
class BenefitAim(CallAim):
    """Net benefit at a threshold probability, by whether its default interval excludes the null value."""

    cut: float = 0.5

    @property
    def value(self) -> float:
        """The supposed net benefit."""
        return self.calls.net_benefit(self.cut)

    @staticmethod
    def check_null(null: object) -> float:
        """Check that it can be reached; that of treating none is 0."""
        at = 0.0 if null is None else check_number(null, "null")
        if not at < 1.0:
            raise InvalidInputError(f"`null` must be below 1 for net benefit; got {at:g}.")
        return at

    @property
    def _shares(self) -> tuple[float, float, float]:
        """True and false positives as proportions of all cases, and what one of the latter costs."""
        share = self.calls._known("Net benefit")
        return share * self.calls.tpr, (1.0 - share) * self.calls.fpr, self.cut / (1.0 - self.cut)

    def standard_error(self, sizes: tuple[int, int]) -> float:
        """Return that of net benefit with classes left to chance."""
        (tp, fp, weight), n = self._shares, sum(sizes)
        return math.sqrt(net_benefit_variance(n * tp, n * fp, n, 0, weight, None).item())

    def power(self, sizes: tuple[int, int]) -> float:
        """Return the power with as many cases as both classes have together."""
        (found, alarmed, weight), n = self._shares, sum(sizes)
        up, down = tails(self.level, self.alternative)

        def above(fp: FloatArray, tp: FloatArray) -> NDArray[np.bool_]:
            return np.asarray(net_benefit_bounds(tp, fp, n, 0, weight, None, 1.0 - 2.0 * up)[0] > self.null)

        def below(fp: FloatArray, tp: FloatArray) -> NDArray[np.bool_]:
            return np.asarray(net_benefit_bounds(tp, fp, n, 0, weight, None, 1.0 - 2.0 * down)[1] < self.null)

        distribution = TwoCounts(n, alarmed, found / (1.0 - alarmed))
        return rejection_share(distribution, above if up else None, below if down else None)


_AIMS: dict[str, type[CallAim]] = {
    "precision": ShareAim,
    "npv": ShareAim,
    "lr_positive": RatioAim,
    "lr_negative": RatioAim,
}
_OF_NEGATIVES = ("npv", "lr_negative")  # figures of those who are not called
_ALIASES = {"ppv": "precision"}
_OF_ONE_CLASS = ("recall", "tpr", "sensitivity", "specificity", "tnr", "fpr")


def _call_aim(calls: object, wanted: str | Measure, null: object, level: float, alternative: str) -> CallAim:
    """Check what was asked for of a test at its cut-off."""
    if not isinstance(calls, SupposedCalls):
        raise InvalidTypeError(
            f"`calls` must be SupposedCalls; got {show(calls)}. Hint: th.planning.SupposedCalls(tpr=0.9, fpr=0.1)."
        )
    if isinstance(wanted, NetBenefit):
        if wanted.prevalence is not None:
            raise InvalidInputError(
                f"`metric` must not have a prevalence of its own; got {wanted.prevalence:g}. "
                "Hint: give it to SupposedCalls."
            )
        calls._known("Net benefit")
        at = BenefitAim.check_null(null)
        return BenefitAim(calls, wanted.name, at, level, alternative, wanted.threshold_probability)
    if wanted in _OF_ONE_CLASS:
        raise InvalidInputError(
            f"`metric={wanted!r}` is a share of one class alone. Hint: give `rate=` with `null=` instead of `calls`."
        )
    try:
        name = check_choice(_ALIASES.get(str(wanted), wanted), "metric", _AIMS)
    except InvalidInputError as error:
        raise InvalidInputError(f"{error} For net benefit: metric=th.measures.NetBenefit(0.2).") from None
    aim = _AIMS[name](calls, name, _AIMS[name].check_null(null), level, alternative)
    if not aim.by_class:
        calls._known(f"The {name} of a planned study")
    return aim


def _at_least(counts: FloatArray, sizes: FloatArray, share: float) -> FloatArray:
    """Return the chance of at least so many."""
    inside = np.clip(counts, 1.0, np.maximum(sizes, 1.0))
    chance = scipy.special.betainc(inside, np.maximum(sizes, 1.0) - inside + 1.0, share)
    return np.where(counts <= 0.0, 1.0, chance)


def planned_calls(
    others: tuple[object, ...],
    rate: object,
    calls: object,
    discordant: object,
    metric: str | Measure,
    null: object,
    significance_level: float,
    alternative: str,
) -> CallAim | PairAim | None:
    """Return what is planned of calls, or None where nothing is."""
    paired = isinstance(rate, tuple | list)
    if calls is None and not paired:
        if discordant is not None:
            raise InvalidInputError("`discordant` must go with two rates. Hint: `rate=(0.9, 0.8)`.")
        return None
    if any(other is not None for other in others) or (calls is not None and rate is not None):
        raise InvalidInputError(
            "`calls`, or two rates, must be given alone. Hint: leave `auc`, `pilot` and `margin` out."
        )
    level = check_confidence_level(significance_level, "significance_level")
    side = check_choice(alternative, "alternative", ALTERNATIVES)
    if calls is not None:
        return _call_aim(calls, metric, null, level, side)
    if null is not None:
        raise InvalidInputError("`null` must be left out with two rates: the test is that they are equal.")
    return PairAim.checked(_two_rates(rate), discordant, level, side)


def _two_rates(rate: Any) -> tuple[float, float]:
    if len(rate) != 2:
        raise InvalidInputError(f"`rate` must be one number, or two of tests on the same cases; got {show(rate)}.")
    a, b = (check_confidence_level(one, "rate") for one in rate)
    return a, b


def calls_power(aim: CallAim | PairAim, n: int | None, n_pos: int | None, n_neg: int | None) -> Power:
    """Return the power of a study of calls."""
    by_class = isinstance(aim, CallAim) and aim.by_class
    if by_class != (n is None) or by_class == (n_pos is None) or by_class == (n_neg is None):
        raise InvalidInputError(
            "`n_pos` and `n_neg` must be given with a likelihood ratio, and `n` alone with other metrics."
        )
    if isinstance(aim, PairAim):
        size = check_count(n, "n", minimum=1)
        error = aim.standard_error(size)
        return Power(aim.power(size), aim.difference, error, size, aim.level, "mid-p McNemar", None)
    sizes = aim.sizes(check_count(n, "n", minimum=2)) if n is not None else _class_sizes(n_pos, n_neg)
    error = aim.standard_error(sizes)
    return Power(aim.power(sizes), aim.value - aim.null, error, sum(sizes), aim.level, aim.method, None)


def _class_sizes(n_pos: int | None, n_neg: int | None) -> tuple[int, int]:
    return check_count(n_pos, "n_pos", minimum=1), check_count(n_neg, "n_neg", minimum=1)


def calls_size(aim: CallAim | PairAim, power: float, ratio: float) -> SampleSize:
    """Return how many cases a study of calls needs for a power."""

    def sizes(size: int) -> tuple[int, int]:
        if isinstance(aim, PairAim):
            return size, 0
        return (size, math.ceil(size * ratio - 1e-9)) if aim.by_class else aim.sizes(size)

    def reached(size: int) -> float:
        return aim.power(size) if isinstance(aim, PairAim) else aim.power(sizes(size))

    difference = aim.difference if isinstance(aim, PairAim) else aim.value - aim.null
    sign = {"greater": 1.0, "less": -1.0, "two-sided": math.copysign(1.0, difference)}[aim.alternative]
    if sign * difference <= 0.0:
        raise InvalidInputError(
            f"no number of cases has the power {power:g} for a difference of {difference:g} with "
            f"alternative={aim.alternative!r}. Hint: check what is supposed and the null value."
        )
    size = steady_size(lambda size: reached(size) >= power)
    found = sizes(size)
    if isinstance(aim, PairAim):
        what, value_, error = "difference of rates", aim.difference, aim.standard_error(size)
    else:
        what, value_, error = aim.figure, aim.value, aim.standard_error(found)
    return SampleSize(
        sum(found), float(found[0]), float(found[1]), what, value_, error, None, 1 - aim.level, None, reached(size)
    )
