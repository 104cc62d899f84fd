"""One question of a study: how strong its test is on so many cases, and how many cases it needs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from thresher._core.arrays import as_labels, as_scores
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_number, show, warn
from thresher._decide.closed_form_power import (
    VarianceBySizes,
    area_power,
    auc_variance,
    least_size,
    rate_power,
    rate_size,
    two_auc_variance,
)
from thresher._decide.study_results import Power, SampleSize
from thresher._inference.delong import ALTERNATIVES, delong_covariance, delong_of
from thresher._inference.sampling import clusters_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import roc_auc_value

__all__ = [
    "AreaQuestion",
    "Cases",
    "Question",
    "RateQuestion",
    "check_correlation",
    "check_positive",
    "check_share",
    "check_test",
    "two_models",
]


class Cases(NamedTuple):
    """The cases of a study: all of them, and those of each class, counted or expected."""

    n: int
    pos: float
    neg: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Question(ABC):
    """What a study is to show by a test: `power` and `size` answer it.

    Attributes
    ----------
    difference : float
        What is supposed, less its value under the null hypothesis.
    level, alternative : float, str
        Of the test.
    metric, method : str
        What is tested, and how.
    correlation : float or None
        Of the estimates of two models.

    Examples
    --------
    >>> import thresher as th
    >>> question = th.planning.rate(0.95, null=0.9)
    >>> question
    rate: a difference of 0.05, two-sided test at level 0.05 (exact binomial)
    >>> question.size(0.8).n, round(question.power(300).power, 2)
    (255, 0.88)
    """

    level: float
    alternative: str

    by_class: ClassVar[bool] = False
    """Whether the numbers of positives and negatives are given, and not `n` alone."""
    least: ClassVar[int] = 2
    """The fewest cases, where `n` is given."""
    few: ClassVar[int] = 0
    """The fewest cases of a class for which the test is not rough."""
    how: ClassVar[str] = "`n` must be given alone: the number of cases."

    # What a question says

    difference: float
    """What is supposed, less its value under the null hypothesis."""
    method: str
    metric: str
    correlation: float | None = None

    def __repr__(self) -> str:
        correlated = "" if self.correlation is None else f", correlation {self.correlation:.3g}"
        return (
            f"{self.metric}: a difference of {self.difference:.4g}, {self.alternative} test at level {self.level:g} "
            f"({self.method}{correlated})"
        )

    @property
    def value(self) -> float:
        """What is supposed."""
        return self.difference

    def _cases(self, size: int, ratio: float = 1.0) -> Cases:
        """Return the cases of a study of n, or, by class, of so many positives."""
        del ratio
        return Cases(size, float(size), 0.0)

    @abstractmethod
    def _reached(self, cases: Cases) -> float:
        """Return the power on the cases of a study."""

    @abstractmethod
    def _standard_error(self, cases: Cases) -> float:
        """Return the asymptotic standard error of the estimate."""

    def _check_possible(self, power: float) -> None:
        """Refuse what no number of cases shows."""
        sign = {"greater": 1.0, "less": -1.0, "two-sided": math.copysign(1.0, self.difference)}[self.alternative]
        if sign * self.difference <= 0.0:
            raise self._impossible(power)

    def _impossible(self, power: float) -> InvalidInputError:
        """Return the error of a power that no number of cases has."""
        return InvalidInputError(
            f"no number of cases has the power {power:g} for a difference of {self.difference:g} with "
            f"alternative={self.alternative!r}. Hint: check what is supposed, the null value, the alternative and the "
            "margin."
        )

    def _warn_few(self, cases: Cases) -> None:
        """Warn if the normal distribution is too rough for so few cases of a class."""
        fewest = int(min(cases.pos, cases.neg))
        if fewest < self.few:
            warn(
                f"A power with {fewest} cases of a class is rough: it takes the normal distribution. "
                "Hint: give populations and `n_replicates`, which makes the real test in simulated studies."
            )

    def _search(self, reached: Callable[[int], bool], power: float) -> int:
        """Return the least size at which a power is reached."""
        del power
        return least_size(reached)

    # Its answers

    def power(self, n: int | None = None, *, n_pos: int | None = None, n_neg: int | None = None) -> Power:
        """Return the power of the test on `n` cases, or on `n_pos` positives and `n_neg` negatives.

        Examples
        --------
        >>> import thresher as th
        >>> th.planning.area(0.85, null=0.75).power(n_pos=83, n_neg=83)
        power 0.8041 with 166 cases: difference 0.1, standard error 0.0302, level 0.05, hanley-mcneil
        """
        if self.by_class == (n is not None) or self.by_class == (n_pos is None) or self.by_class == (n_neg is None):
            raise InvalidInputError(self.how)
        if n is not None:
            cases = self._cases(check_count(n, "n", minimum=self.least))
        else:
            pos, neg = check_count(n_pos, "n_pos", minimum=1), check_count(n_neg, "n_neg", minimum=1)
            cases = Cases(pos + neg, pos, neg)
        self._warn_few(cases)
        error, reached = self._standard_error(cases), self._reached(cases)
        return Power(reached, self.difference, error, cases.n, self.level, self.method, None, self.correlation)

    def size(self, power: float, *, ratio: float = 1.0) -> SampleSize:
        """Return how many cases the test needs for a power, by class with `ratio` negatives for each positive.

        Examples
        --------
        >>> import thresher as th
        >>> th.planning.area(0.85, null=0.75).size(0.8, ratio=3)
        264 cases (about 66 positive): roc_auc, power 0.8005 for a value of 0.1, standard error 0.0312
        """
        wanted, per_positive = check_confidence_level(power, "power"), check_positive(ratio, "ratio")
        self._check_possible(wanted)
        try:
            size = self._search(lambda size: self._reached(self._cases(size, per_positive)) >= wanted, wanted)
        except ArithmeticError:
            raise self._impossible(wanted) from None
        cases = self._cases(size, per_positive)
        self._warn_few(cases)
        return SampleSize(
            cases.n,
            float(cases.pos),
            float(cases.neg),
            self.metric,
            self.value,
            self._standard_error(cases),
            None,
            1 - self.level,
            None,
            self._reached(cases),
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AreaQuestion(Question):
    """One ROC area against a value, or two on the same cases, by the normal distribution."""

    by_class = True
    few = 10
    how = "`n_pos` and `n_neg` must be given with `auc` or `pilot`. Hint: `n` is for populations."

    variances: tuple[VarianceBySizes, VarianceBySizes]
    """Of the estimated difference under the null hypothesis, and as supposed."""
    null: float = 0.0
    margin: float | None = None
    metric: str = "roc_auc"
    method: str = "hanley-mcneil"

    def _cases(self, size: int, ratio: float = 1.0) -> Cases:
        """Return so many positives with their negatives."""
        neg = math.ceil(size * ratio - 1e-9)
        return Cases(size + neg, size, neg)

    def _reached(self, cases: Cases) -> float:
        """Return the power."""
        sizes = int(cases.pos), int(cases.neg)
        return area_power(self.difference, self.variances, sizes, self.level, self.alternative, self.margin)

    def _standard_error(self, cases: Cases) -> float:
        """Return that of the difference, as supposed."""
        return math.sqrt(max(self.variances[1](int(cases.pos), int(cases.neg)), 0.0))

    def _check_possible(self, power: float) -> None:
        """Leave it to the search: a margin moves what is possible."""

    @classmethod
    def of_areas(
        cls, auc: object, null: object, correlation: object, margin: object, level: float, alternative: str
    ) -> AreaQuestion:
        """Return the question of one supposed area, or of two."""
        tested = check_test(level, alternative, margin)
        if isinstance(auc, tuple | list):
            a, b = _two(auc)
            rho = check_correlation(correlation)
            variance = two_auc_variance(a, b, rho)
            return cls(difference=a - b, variances=(variance, variance), correlation=rho, **tested)
        area, at = check_share(auc, "auc"), _null_area(null)
        variances = auc_variance(at), auc_variance(area)
        return cls(difference=area - at, variances=variances, null=at, **tested)

    @classmethod
    def of_pilot(
        cls, pilot: object, auc: object, null: object, margin: object, level: float, alternative: str
    ) -> AreaQuestion:
        """Return the same with the variances that a pilot shows, and its areas unless others are supposed."""
        tested = {**check_test(level, alternative, margin), "method": "pilot"}
        if not isinstance(pilot, Counts):
            labels, models = two_models(pilot)
            return _of_two_models(cls, auc, labels, models, tested)
        if clusters_of(pilot) is not None:
            raise InvalidInputError(
                "`pilot` must have independent rows; got clusters. "
                "Hint: keep one row of each cluster, and plan in numbers of clusters."
            )
        found, at = delong_of(pilot), _null_area(null)
        area = found.auc if auc is None else check_share(auc, "auc")
        variance = _by_class(found.spread_pos, found.spread_neg)
        return cls(difference=area - at, variances=(variance, variance), null=at, **tested)


def two_models(pilot: Any) -> tuple[Any, Mapping[Any, Any]]:
    """Return the labels and the scores of a pilot of two models."""
    if not (isinstance(pilot, tuple) and len(pilot) == 2 and isinstance(pilot[1], Mapping) and len(pilot[1]) == 2):
        raise InvalidInputError(
            "`pilot` must be Scores, or labels with the scores of two models; got "
            f"{show(pilot)}. Hint: for example `pilot=(y, {{'new': new, 'old': old}})`."
        )
    return pilot[0], pilot[1]


def _by_class(pos: float, neg: float) -> VarianceBySizes:
    return lambda n_pos, n_neg: pos / n_pos + neg / n_neg


def _of_two_models(
    cls: type[AreaQuestion], auc: object, labels: Any, models: Mapping[Any, Any], tested: dict[str, Any]
) -> AreaQuestion:
    positive = as_labels(labels)
    scores = [as_scores(column, f"pilot[{name!r}]").astype(np.float64) for name, column in models.items()]
    covariance, _ = delong_covariance(positive, scores)
    tables = [Counts(positive, column) for column in scores]
    difference = roc_auc_value(tables[0]) - roc_auc_value(tables[1])
    if auc is not None:
        a, b = _two(auc)
        difference = a - b
    spread = math.sqrt(covariance[0, 0] * covariance[1, 1])
    rho = float(covariance[0, 1] / spread) if spread > 0 else 0.0
    variance = _by_class(*(_difference_spread(positive, scores, tables, of_positives=side) for side in (True, False)))
    return cls(difference=difference, variances=(variance, variance), correlation=rho, **tested)


def _difference_spread(positive: Any, scores: list[Any], tables: list[Counts], *, of_positives: bool) -> float:
    """Return the sample variance, over the cases of a class, of the difference of their two placements."""
    own = positive if of_positives else ~positive
    placements = []
    for column, table in zip(scores, tables, strict=True):
        place = np.searchsorted(-table.thresholds.astype(np.float64), -column[own])
        beaten = (table.n_neg - table.fp + table.neg / 2) / table.n_neg
        under = (table.tp - table.pos / 2) / table.n_pos
        placements.append((beaten if of_positives else under)[place])
    return float(np.var(placements[0] - placements[1], ddof=1))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RateQuestion(Question):
    """A rate among the cases of its class, by the exact binomial test."""

    least = 1

    rate: float
    null: float
    method: str = "exact binomial"
    metric: str = "rate"

    @property
    def value(self) -> float:
        """The supposed rate."""
        return self.rate

    def _reached(self, cases: Cases) -> float:
        """Return the power."""
        return rate_power(self.null, self.rate, cases.n, self.level, self.alternative)

    def _standard_error(self, cases: Cases) -> float:
        """Return that of the rate."""
        return math.sqrt(self.rate * (1 - self.rate) / cases.n)

    def _check_possible(self, power: float) -> None:
        """Refuse a rate on the wrong side of the null hypothesis."""
        del power
        wrong = {"greater": self.rate <= self.null, "less": self.rate >= self.null, "two-sided": self.rate == self.null}
        if wrong[self.alternative]:
            where = {"greater": "above", "less": "below", "two-sided": "apart from"}[self.alternative]
            raise InvalidInputError(
                f"`rate` must be {where} `null` to have power; got {self.rate:g} and {self.null:g} with "
                f"alternative={self.alternative!r}."
            )

    def _search(self, reached: Callable[[int], bool], power: float) -> int:
        del reached
        return rate_size(self.null, self.rate, power, self.level, self.alternative)


# Checks


def check_test(level: float, alternative: str, margin: object = None) -> dict[str, Any]:
    """Return level, alternative and margin; a margin makes the test one-sided."""
    out: dict[str, Any] = {
        "level": check_confidence_level(level, "significance_level"),
        "alternative": check_choice(alternative, "alternative", ALTERNATIVES),
    }
    if margin is not None:
        hint = " Hint: it is the largest loss that is still acceptable."
        out["margin"] = _number(margin, "margin", "in (0, 1)", lambda x: 0.0 < x < 1.0, hint)
        if alternative == "two-sided":
            out["alternative"] = "greater"
    return out


def check_share(value: object, name: str) -> float:
    """Check a number strictly between 0 and 1."""
    return _number(value, name, "a number in (0, 1)", lambda x: 0.0 < x < 1.0)


def check_positive(value: object, name: str) -> float:
    """Check a number above 0."""
    return _number(value, name, "a number above 0", lambda x: x > 0.0)


def check_correlation(value: object) -> float:
    """Check a correlation."""
    number = check_number(value, "correlation", "a number in [-1, 1]")
    return _number(number, "correlation", "in [-1, 1]", lambda x: -1.0 <= x <= 1.0)


def _number(value: object, name: str, rule: str, holds: Callable[[float], bool], hint: str = "") -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not holds(float(value)):
        raise InvalidInputError(f"`{name}` must be {rule}; got {show(value)}.{hint}")
    return float(value)


def _null_area(null: object) -> float:
    return 0.5 if null is None else check_share(null, "null")


def _two(value: object) -> tuple[float, float]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise InvalidInputError(f"`auc` must be two areas for two markers; got {show(value)}. Hint: `auc=(0.85, 0.8)`.")
    return check_share(value[0], "auc"), check_share(value[1], "auc")
