"""One question of a study: how strong its test is on so many cases, and how many cases it needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy

from thresher._core.checks import check_choice, check_confidence_level, check_count, check_number, show, warn
from thresher._core.digits import count_text
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._inference.delong import ALTERNATIVES
from thresher.exceptions import InvalidInputError

_MOST = 1 << 40


@value
class SimulatedCheck(Presented):
    """The result of simulated studies of the planned size.

    Attributes
    ----------
    n_replicates : int
        Number of simulated studies.
    sd : float
        Standard deviation of their estimates.
    bias : float
        Mean of their estimates minus the population's value.
    within : float
        Proportion of the estimates that lie within the asked half width of the population's value.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    >>> check = th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=50, rng=0).check
    >>> check.n_replicates, check.within > 0.8
    (50, True)
    """

    n_replicates: int
    sd: float
    bias: float
    within: float


@value(repr=False)
class SampleSize(Presented):
    """The number of cases that a study needs.

    Attributes
    ----------
    n : int
        Number of cases, both classes together.
    n_pos, n_neg : float
        Expected numbers of positives and negatives among them.
    metric : str
        What is estimated.
    value : float
        The population's value of it.
    standard_error : float
        Asymptotic standard error of the estimate at `n`.
    half_width, confidence_level : float
        What was asked for; the half width is None where a power was.
    check : SimulatedCheck or None
        What simulated studies of that size gave.
    power : float or None
        The power at that size, where one was asked for.
    assurance : float or None
        In which proportion of simulated studies the default interval was short enough, where that decided.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.sample_size(population, metric="roc_auc", half_width=0.05, assurance=0, n_replicates=0)
    >>> found.n, round(found.n_pos, 1), found.metric
    (648, 64.8, 'roc_auc')
    """

    n: int
    n_pos: float
    n_neg: float
    metric: str
    value: float
    standard_error: float
    half_width: float | None
    confidence_level: float
    check: SimulatedCheck | None
    power: float | None = None
    assurance: float | None = None

    def __repr__(self) -> str:
        classes = f" (about {count_text(self.n_pos)} positive)" if self.n_neg else ""
        if self.half_width is None:
            what = f"power {self.power:.4g} for a value of {self.value:.4g}"
        else:
            what = f"{self.confidence_level * 100:g}% interval of {self.value:.4g} +/- {self.half_width:g}"
        sure = "" if self.assurance is None else f" in {self.assurance * 100:g}% of studies"
        return f"{self.n:,} cases{classes}: {self.metric}, {what}{sure}, standard error {self.standard_error:.3g}"


@value(repr=False)
class Power(Presented):
    """The probability that a study detects a difference.

    Attributes
    ----------
    power : float
        Probability of rejecting equality.
    difference : float
        The population difference, a minus b (or minus the null value).
    standard_error : float
        Asymptotic standard error of the estimated difference.
    n : int
        Cases in each study (unpaired), or in the common one (paired).
    significance_level : float
        Level of the test.
    method : str
        How the variance was found.
    simulated : float or None
        Proportion of simulated studies in which the real test rejects.
    correlation : float or None
        Correlation of the two estimates that was taken, given or found in the pilot.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.5)
    >>> found = th.power(population, n=40)
    >>> found.method, 0.5 < found.power < 1
    ('asymptotic', True)
    """

    power: float
    difference: float
    standard_error: float
    n: int
    significance_level: float
    method: str
    simulated: float | None
    correlation: float | None = None

    def __repr__(self) -> str:
        simulated = "" if self.simulated is None else f", {self.simulated:.4g} in simulated studies"
        return (
            f"power {self.power:.4g} with {self.n:,} cases{simulated}: difference {self.difference:.4g}, "
            f"standard error {self.standard_error:.3g}, level {self.significance_level:g}, {self.method}"
        )


class StudyCases(NamedTuple):
    """The cases of a study: all of them, and those of each class, counted or expected."""

    n: int
    pos: float
    neg: float


def _alike(size: int, ratio: float) -> StudyCases:
    """Return so many cases of one class."""
    del ratio
    return StudyCases(size, float(size), 0.0)


def by_ratio(size: int, ratio: float) -> StudyCases:
    """Return so many positives with their negatives."""
    neg = math.ceil(size * ratio - 1e-9)
    return StudyCases(size + neg, size, neg)


def by_share(share: float) -> Callable[[int, float], StudyCases]:
    """Return what gives the expected numbers of both classes at a prevalence."""
    return lambda size, _: StudyCases(size, size * share, size * (1 - share))


def least_size(reached: Callable[[int], bool], power: float = 0.0) -> int:
    """Return the least n from 2 on at which a condition that stays true once it is true holds."""
    del power
    high = 2
    while not reached(high):
        high *= 2
        if high > _MOST:
            raise ArithmeticError("no size is enough")
    low = max(high // 2, 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Question:
    """A question that a study answers by a test, with the methods `power` and `size`.

    Attributes
    ----------
    difference : float
        What is supposed, less its value under the null hypothesis.
    level, alternative : float, str
        Of the test.
    metric, method : str
        What is tested, and how.
    null : float
        Its value under the null hypothesis.
    correlation : float or None
        Of the estimates of two models.
    margin : float or None
        By how much the first may be worse.

    Examples
    --------
    >>> import thresher as th
    >>> question = th.planning.rate(0.95, null=0.9)
    >>> question
    rate: a difference of 0.05, two-sided test at level 0.05 (exact binomial)
    >>> question.size(0.8).n, round(question.power(300).power, 2)
    (255, 0.88)
    """

    difference: float
    level: float
    alternative: str
    metric: str
    method: str
    null: float = 0.0
    correlation: float | None = None
    margin: float | None = None

    _power: Callable[[StudyCases], float]
    """The power on the cases of a study."""
    _error: Callable[[StudyCases], float]
    """The asymptotic standard error of the estimate."""
    _cases: Callable[[int, float], StudyCases] = _alike
    """The cases of a study of a size with so many negatives for each positive."""
    _supposed: float | None = None
    """What is supposed, if that is not the difference."""
    _takes: str = "`n` must be given alone: the number of cases."
    _least: int = 2
    """The fewest cases, where `n` is given."""
    _few: int = 0
    """The fewest cases of a class for which the test is not rough."""
    _search: Callable[[Callable[[int], bool], float], int] = least_size
    """The least size at which a power is reached."""
    _refuse: Callable[[float], None] | None = None
    """What refuses a power that no number of cases has, if that is not the sign of the difference."""
    _simulated: Callable[[int], float | None] = lambda n: None
    """How often simulated studies of n cases reject."""

    def __repr__(self) -> str:
        correlated = "" if self.correlation is None else f", correlation {self.correlation:.3g}"
        return (
            f"{self.metric}: a difference of {self.difference:.4g}, {self.alternative} test at level {self.level:g} "
            f"({self.method}{correlated})"
        )

    def power(self, n: int | None = None, *, n_pos: int | None = None, n_neg: int | None = None) -> Power:
        """Return the power of the test on `n` cases, or on `n_pos` positives and `n_neg` negatives.

        Examples
        --------
        >>> import thresher as th
        >>> th.planning.area(0.85, null=0.75).power(n_pos=83, n_neg=83)
        power 0.8041 with 166 cases: difference 0.1, standard error 0.0302, level 0.05, hanley-mcneil
        """
        by_class = self._cases is by_ratio
        if by_class == (n is not None) or by_class == (n_pos is None) or by_class == (n_neg is None):
            raise InvalidInputError(self._takes)
        if n is not None:
            cases = self._cases(check_count(n, "n", minimum=self._least), 1.0)
        else:
            pos, neg = check_count(n_pos, "n_pos", minimum=1), check_count(n_neg, "n_neg", minimum=1)
            cases = StudyCases(pos + neg, pos, neg)
        self._warn_few(cases)
        error, reached, simulated = self._error(cases), self._power(cases), self._simulated(cases.n)
        return Power(reached, self.difference, error, cases.n, self.level, self.method, simulated, self.correlation)

    def size(self, power: float, *, ratio: float = 1.0) -> SampleSize:
        """Return how many cases the test needs for a power, by class with `ratio` negatives for each positive.

        Examples
        --------
        >>> import thresher as th
        >>> th.planning.area(0.85, null=0.75).size(0.8, ratio=3)
        264 cases (about 66 positive): roc_auc, power 0.8005 for a value of 0.1, standard error 0.0312
        """
        wanted = check_confidence_level(power, "power")
        per_positive = check_number_of(ratio, "ratio", "a number above 0", lambda x: x > 0.0)
        sign = {"greater": 1.0, "less": -1.0, "two-sided": math.copysign(1.0, self.difference)}[self.alternative]
        if self._refuse is not None:
            self._refuse(wanted)
        elif sign * self.difference <= 0.0:
            raise self._impossible(wanted)
        try:
            size = self._search(lambda size: self._power(self._cases(size, per_positive)) >= wanted, wanted)
        except ArithmeticError:
            raise self._impossible(wanted) from None
        cases = self._cases(size, per_positive)
        self._warn_few(cases)
        supposed = self.difference if self._supposed is None else self._supposed
        return SampleSize(
            cases.n, float(cases.pos), float(cases.neg), self.metric, supposed, self._error(cases), None,
            1 - self.level, None, self._power(cases),
        )  # fmt: skip

    def _impossible(self, power: float) -> InvalidInputError:
        return InvalidInputError(
            f"no number of cases has the power {power:g} for a difference of {self.difference:g} with "
            f"alternative={self.alternative!r}. Hint: check what is supposed, the null value, the alternative and the "
            "margin."
        )

    def _warn_few(self, cases: StudyCases) -> None:
        """Warn if the normal distribution is too rough for so few cases of a class."""
        fewest = int(min(cases.pos, cases.neg))
        if fewest < self._few:
            warn(
                f"A power with {fewest} cases of a class is rough: it takes the normal distribution. "
                "Hint: give populations and `n_replicates`, which makes the real test in simulated studies."
            )


def rejection(difference: float, null: float, actual: float, level: float, alternative: str) -> float:
    """Return the probability of a significant result when the estimate is normal.

    `null` is the standard error that the test takes, `actual` the one that the estimate has. Of a two-sided test both
    tails count, so that without a difference the power is the level.
    """
    z = float(scipy.special.ndtri(1 - max(tails(level, alternative))))
    signs = {"two-sided": (1.0, -1.0), "greater": (1.0,), "less": (-1.0,)}[alternative]
    beyond = [sign * difference - z * null for sign in signs]
    if actual == 0:
        # An estimate that does not vary is significant or is not; nothing against nothing is left to the level.
        return level if difference == null == 0 else float(max(beyond) > 0)
    return float(sum(scipy.special.ndtr(excess / actual) for excess in beyond))


def tails(level: float, alternative: str) -> tuple[float, float]:
    """Return the level at which a test rejects upwards and downwards; 0 on a side that it does not look at."""
    if alternative == "two-sided":
        return level / 2.0, level / 2.0
    return (level, 0.0) if alternative == "greater" else (0.0, level)


def two_models(pilot: Any) -> tuple[Any, Mapping[Any, Any]]:
    """Return the labels and the scores of a pilot of two models."""
    if not (isinstance(pilot, tuple) and len(pilot) == 2 and isinstance(pilot[1], Mapping) and len(pilot[1]) == 2):
        raise InvalidInputError(
            "`pilot` must be Scores, or labels with the scores of two models; got "
            f"{show(pilot)}. Hint: for example `pilot=(y, {{'new': new, 'old': old}})`."
        )
    return pilot[0], pilot[1]


def check_test(level: float, alternative: str, margin: object = None) -> dict[str, Any]:
    """Return level, alternative and margin; a margin makes the test one-sided."""
    out: dict[str, Any] = {
        "level": check_confidence_level(level, "significance_level"),
        "alternative": check_choice(alternative, "alternative", ALTERNATIVES),
    }
    if margin is not None:
        hint = " Hint: it is the largest loss that is still acceptable."
        out["margin"] = check_number_of(margin, "margin", "in (0, 1)", lambda x: 0.0 < x < 1.0, hint)
        if alternative == "two-sided":
            out["alternative"] = "greater"
    return out


def check_share(value: object, name: str) -> float:
    """Check a number strictly between 0 and 1."""
    return check_number_of(value, name, "a number in (0, 1)", lambda x: 0.0 < x < 1.0)


def check_correlation(value: object) -> float:
    """Check a correlation."""
    number = check_number(value, "correlation", "a number in [-1, 1]")
    return check_number_of(number, "correlation", "in [-1, 1]", lambda x: -1.0 <= x <= 1.0)


def check_number_of(value: object, name: str, rule: str, holds: Callable[[float], bool], hint: str = "") -> float:
    """Check a number by a rule."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not holds(float(value)):
        raise InvalidInputError(f"`{name}` must be {rule}; got {show(value)}.{hint}")
    return float(value)
