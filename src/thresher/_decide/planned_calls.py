"""Studies of predictions at a cut-off: a metric of one test, or the difference of two on the same cases."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.checks import check_choice, check_fraction, check_number, check_prevalence, show
from thresher._core.values import value
from thresher._decide.enumerated_power import Rejects, TwoCounts, rejection_share, steady_size, tails
from thresher._decide.question import Cases, Question, check_test
from thresher._inference.rates import net_benefit_bounds, net_benefit_variance, ratio_excluded
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, NetBenefit
from thresher.typing import FloatArray

__all__ = ["PairQuestion", "SupposedCalls", "at_cutoff"]


@value
class SupposedCalls:
    """What a test is supposed to do at its cut-off, for planning a study of it.

    Parameters
    ----------
    tpr : float
        Supposed sensitivity, strictly between 0 and 1.
    fpr : float
        Supposed false positive rate: one minus the specificity, strictly between 0 and 1.
    prevalence : float, optional
        The proportion of positives among the cases of the study; predictive values and net benefit need it.

    See Also
    --------
    power : The power of a study of one test, or of two on the same cases.
    sample_size : How many cases such a study needs.

    Examples
    --------
    >>> import thresher as th
    >>> test = th.planning.SupposedCalls(tpr=0.9, fpr=0.2, prevalence=0.1)
    >>> round(test.precision, 4), round(test.npv, 4), test.lr_positive
    (0.3333, 0.9863, 4.5)
    >>> round(test.net_benefit(0.2), 3)
    0.045
    """

    tpr: float
    fpr: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        for name in ("tpr", "fpr"):
            rate = check_fraction(getattr(self, name), name)
            if not 0.0 < rate < 1.0:
                raise InvalidInputError(
                    f"`{name}` must be in (0, 1); got {rate:g}. Hint: a test that is never wrong needs no study; "
                    "suppose the worst rate that would still be welcome."
                )
            object.__setattr__(self, name, rate)
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    def _known(self, what: str) -> float:
        if self.prevalence is None:
            raise InvalidInputError(
                f"{what} must have a `prevalence` to refer to; got None. "
                "Hint: th.planning.SupposedCalls(tpr, fpr, prevalence)."
            )
        return self.prevalence

    @property
    def alert_rate(self) -> float:
        """The proportion of cases that are predicted positive."""
        share = self._known("An alert rate")
        return share * self.tpr + (1.0 - share) * self.fpr

    @property
    def precision(self) -> float:
        """The positive predictive value."""
        return self._known("A predictive value") * self.tpr / self.alert_rate

    @property
    def npv(self) -> float:
        """The negative predictive value."""
        return (1.0 - self._known("A predictive value")) * (1.0 - self.fpr) / (1.0 - self.alert_rate)

    @property
    def lr_positive(self) -> float:
        """The likelihood ratio of a positive call."""
        return self.tpr / self.fpr

    @property
    def lr_negative(self) -> float:
        """The likelihood ratio of a negative call."""
        return (1.0 - self.tpr) / (1.0 - self.fpr)

    def net_benefit(self, threshold_probability: float) -> float:
        """Return the net benefit at a threshold probability.

        Examples
        --------
        >>> import thresher as th
        >>> th.planning.SupposedCalls(0.8, 0.1, prevalence=0.5).net_benefit(0.5).__round__(3)
        0.35
        """
        cut = check_fraction(threshold_probability, "threshold_probability")
        if cut >= 1.0:
            raise InvalidInputError(
                "`threshold_probability` must be in [0, 1); got 1. Hint: nobody acts only on certainty."
            )
        share = self._known("Net benefit")
        return share * self.tpr - (1.0 - share) * cut / (1.0 - cut) * self.fpr


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CountsQuestion(Question):
    """A question of two counts, whose power is found by going through all that a study can show."""

    method: str = "enumerated"

    @abstractmethod
    def _counts(self, cases: Cases) -> TwoCounts:
        """Return the distribution of the two counts."""

    @abstractmethod
    def _rejects(self, cases: Cases, level: float, *, upwards: bool) -> Rejects:
        """Return the one-sided test at a level."""

    def _search(self, reached: Callable[[int], bool], power: float) -> int:
        del power
        return steady_size(reached)

    def _reached(self, cases: Cases) -> float:
        up, down = tails(self.level, self.alternative)
        above = self._rejects(cases, up, upwards=True) if up else None
        below = self._rejects(cases, down, upwards=False) if down else None
        return rejection_share(self._counts(cases), above, below)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PairQuestion(CountsQuestion):
    """Two tests on the same cases of a class: McNemar's test, by mid-p, of the proportion that each predicts positive.

    Given how many cases the tests predict differently, those of the first alone are binomial.
    """

    least = 1

    discordant: float
    method: str = "mid-p McNemar"
    metric: str = "difference of rates"

    @classmethod
    def of_rates(
        cls, rates: tuple[float, float], discordant: object, significance_level: float, alternative: str
    ) -> PairQuestion:
        """Check the proportion of cases that the two predict differently; by default as of independent tests."""
        a, b = rates
        least, most = abs(a - b), a * (1.0 - b) + b * (1.0 - a)
        share = most if discordant is None else check_number(discordant, "discordant")
        top = min(a + b, 2.0 - a - b)
        if not (least <= share <= top * (1.0 + 1e-12)) or share <= 0.0:
            raise InvalidInputError(
                f"`discordant` must be from {least:g} to {top:g} with the rates {a:g} and {b:g}; "
                f"got {show(discordant)}. "
                "Hint: it is the proportion of cases that the two tests predict differently; left out, it is that of "
                f"independent tests, {most:g}."
            )
        return cls(difference=a - b, discordant=share, **check_test(significance_level, alternative))

    def _standard_error(self, cases: Cases) -> float:
        """Return that of the difference."""
        return math.sqrt(max(self.discordant - self.difference**2, 0.0) / cases.n)

    def _counts(self, cases: Cases) -> TwoCounts:
        first_alone = min(max((self.discordant + self.difference) / (2.0 * self.discordant), 0.0), 1.0)
        return TwoCounts(cases.n, self.discordant, first_alone, rest=-1)

    def _rejects(self, cases: Cases, level: float, *, upwards: bool) -> Rejects:
        return lambda first, second: _mid_p(first - second if upwards else second, first) <= level


def _mid_p(fewer: FloatArray, n: FloatArray) -> FloatArray:
    """Return the chance of so few or fewer heads among n fair tosses, that of exactly so many halved."""
    log_chance = -np.log1p(n) - scipy.special.betaln(n - fewer + 1.0, fewer + 1.0) - n * math.log(2.0)
    return np.asarray(_at_least(n - fewer, n, 0.5) - np.exp(log_chance) / 2.0)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CutoffQuestion(CountsQuestion):
    """One metric of a test at its cut-off, tested against a value by what the library makes of the counts."""

    how = "`n_pos` and `n_neg` must be given with a likelihood ratio, and `n` alone with other metrics."

    calls: SupposedCalls
    null: float

    @property
    def value(self) -> float:
        """The supposed metric."""
        return float(getattr(self.calls, self.metric))

    def _cases(self, size: int, ratio: float = 1.0) -> Cases:
        """Return the expected numbers of both classes among so many cases, rounded."""
        del ratio
        n_pos = round(size * self.calls._known("A planned study"))
        return Cases(size, n_pos, size - n_pos)


class ShareQuestion(CutoffQuestion):
    """A predictive value, by the exact binomial test among the predicted positives or negatives."""

    __slots__ = ()

    @property
    def _called(self) -> float:
        return 1.0 - self.calls.alert_rate if self.metric in _OF_NEGATIVES else self.calls.alert_rate

    def _standard_error(self, cases: Cases) -> float:
        """Return that of a proportion of the expected number of predictions."""
        return math.sqrt(self.value * (1.0 - self.value) / (cases.n * self._called))

    def _counts(self, cases: Cases) -> TwoCounts:
        return TwoCounts(cases.n, self._called, self.value, rest=-1)

    def _rejects(self, cases: Cases, level: float, *, upwards: bool) -> Rejects:
        if upwards:
            return lambda called, right: _at_least(right, called, self.null) <= level
        return lambda called, right: _at_least(called - right, called, 1.0 - self.null) <= level


class RatioQuestion(CutoffQuestion):
    """A likelihood ratio, by whether its default interval excludes the null value."""

    __slots__ = ()
    by_class = True

    def _cases(self, size: int, ratio: float = 1.0) -> Cases:
        """Return so many positives with their negatives."""
        neg = math.ceil(size * ratio - 1e-9)
        return Cases(size + neg, size, neg)

    @property
    def _rates(self) -> tuple[float, float]:
        a, b = self.calls.tpr, self.calls.fpr
        return (1.0 - a, 1.0 - b) if self.metric in _OF_NEGATIVES else (a, b)

    def _standard_error(self, cases: Cases) -> float:
        """Return that of the logarithm, times the ratio."""
        a, b = self._rates
        return a / b * math.sqrt((1.0 - a) / (a * cases.pos) + (1.0 - b) / (b * cases.neg))

    def _counts(self, cases: Cases) -> TwoCounts:
        a, b = self._rates  # the first count is that of the negatives, on which the second does not depend
        return TwoCounts(int(cases.neg), b, a, rest=int(cases.pos))

    def _rejects(self, cases: Cases, level: float, *, upwards: bool) -> Rejects:
        n_pos, n_neg, side = int(cases.pos), int(cases.neg), 0 if upwards else 1

        def rejects(of_neg: FloatArray, of_pos: FloatArray) -> NDArray[np.bool_]:
            return ratio_excluded(of_pos, n_pos, of_neg, n_neg, self.null, 1.0 - 2.0 * level)[side]

        return rejects


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BenefitQuestion(CutoffQuestion):
    """Net benefit at a threshold probability, by whether its default interval excludes the null value."""

    cut: float

    @property
    def value(self) -> float:
        """The supposed net benefit."""
        return self.calls.net_benefit(self.cut)

    @property
    def _shares(self) -> tuple[float, float, float]:
        """True and false positives as proportions of all cases, and what one of the latter costs."""
        share = self.calls._known("Net benefit")
        return share * self.calls.tpr, (1.0 - share) * self.calls.fpr, self.cut / (1.0 - self.cut)

    def _standard_error(self, cases: Cases) -> float:
        """Return that of net benefit with classes left to chance."""
        (tp, fp, weight), n = self._shares, cases.n
        return math.sqrt(net_benefit_variance(n * tp, n * fp, n, 0, weight, None).item())

    def _counts(self, cases: Cases) -> TwoCounts:
        found, alarmed, _ = self._shares
        return TwoCounts(cases.n, alarmed, found / (1.0 - alarmed))

    def _rejects(self, cases: Cases, level: float, *, upwards: bool) -> Rejects:
        weight = self._shares[2]

        def rejects(fp: FloatArray, tp: FloatArray) -> NDArray[np.bool_]:
            low, high = net_benefit_bounds(tp, fp, cases.n, 0, weight, None, 1.0 - 2.0 * level)
            return np.asarray(low > self.null if upwards else high < self.null)

        return rejects


_QUESTIONS: dict[str, type[CutoffQuestion]] = {
    "precision": ShareQuestion,
    "npv": ShareQuestion,
    "lr_positive": RatioQuestion,
    "lr_negative": RatioQuestion,
}
_OF_NEGATIVES = ("npv", "lr_negative")  # metrics of the predicted negatives
_ALIASES = {"ppv": "precision"}
_OF_ONE_CLASS = ("recall", "tpr", "sensitivity", "specificity", "tnr", "fpr")


def at_cutoff(
    calls: object, metric: str | Measure, null: object, significance_level: float, alternative: str
) -> CutoffQuestion:
    """Return the question of a metric of a test at its cut-off."""
    tested = check_test(significance_level, alternative)
    if not isinstance(calls, SupposedCalls):
        raise InvalidTypeError(
            f"`calls` must be SupposedCalls; got {show(calls)}. Hint: th.planning.SupposedCalls(tpr=0.9, fpr=0.1)."
        )
    if isinstance(metric, NetBenefit):
        if metric.prevalence is not None:
            raise InvalidInputError(
                f"`metric` must not have a prevalence of its own; got {metric.prevalence:g}. "
                "Hint: give it to SupposedCalls."
            )
        calls._known("Net benefit")
        cut = metric.threshold_probability
        at = 0.0 if null is None else check_number(null, "null")
        if not at < 1.0:
            raise InvalidInputError(f"`null` must be below 1 for net benefit; got {at:g}.")
        lead = calls.net_benefit(cut) - at
        return BenefitQuestion(calls=calls, metric=metric.name, null=at, difference=lead, cut=cut, **tested)
    if metric in _OF_ONE_CLASS:
        raise InvalidInputError(
            f"`metric={metric!r}` is a proportion within one class. Hint: give `rate=` with `null=` instead of `calls`."
        )
    try:
        name = check_choice(_ALIASES.get(str(metric), metric), "metric", _QUESTIONS)
    except InvalidInputError as error:
        raise InvalidInputError(f"{error} For net benefit: metric=th.measures.NetBenefit(0.2).") from None
    cls = _QUESTIONS[name]
    if null is None:
        raise InvalidInputError("`null` must be given with `calls`: its value under the null hypothesis.")
    at = check_number(null, "null")
    if cls is RatioQuestion:
        if not at > 0.0:
            raise InvalidInputError(f"`null` must be above 0 for a likelihood ratio; got {at:g}. Hint: 1 says nothing.")
        return cls(calls=calls, metric=name, null=at, difference=getattr(calls, name) - at, **tested)
    if not 0.0 < at < 1.0:
        raise InvalidInputError(f"`null` must be a number in (0, 1) for a predictive value; got {at:g}.")
    calls._known(f"The {name} of a planned study")
    lead = getattr(calls, name) - at
    return cls(calls=calls, metric=name, null=at, difference=lead, method="exact binomial", **tested)


def _at_least(counts: FloatArray, sizes: FloatArray, share: float) -> FloatArray:
    """Return the chance of at least so many."""
    inside = np.clip(counts, 1.0, np.maximum(sizes, 1.0))
    chance = scipy.special.betainc(inside, np.maximum(sizes, 1.0) - inside + 1.0, share)
    return np.where(counts <= 0.0, 1.0, chance)
