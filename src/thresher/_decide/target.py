"""What an operating point shall achieve: one rule to be best by, and limits to keep."""

from __future__ import annotations

import math
from fractions import Fraction

from thresher._core.checks import check_choice, check_count, check_fractions, check_number, check_prevalence, show
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher.exceptions import InvalidInputError

__all__ = ["RULES", "Target", "as_written"]

RULES = ("youden", "closest_corner", "f_beta", "cost", "recall", "precision")

_RATES = ("min_recall", "min_precision", "max_fpr", "max_alert_rate")


def as_written(value: float) -> Fraction:
    """Return the fraction that a decimal number names: 0.1 is one tenth, not the float next to it."""
    return Fraction(repr(float(value)))


@value
class Target(Presented):
    """A rule by which points are compared, and limits that they must keep.

    Parameters
    ----------
    rule : {"youden", "closest_corner", "f_beta", "cost", "recall", "precision"}, optional
        What shall be best: TPR - FPR, the distance to the ROC corner (0, 1), the F-measure, the expected cost, recall
        or precision. Without it: precision if `min_recall` is the only limit, recall if there are other limits, else
        Youden's.
    min_recall, min_precision, max_fpr, max_alert_rate : float, optional
        Limits in [0, 1]. The alert rate is the share of all cases that are called positive.
    max_alerts : int, optional
        The most cases of these data that may be called positive.
    beta : float, default=1.0
        For "f_beta": how many times as much recall counts as precision.
    fp_cost, fn_cost : float, default=1.0
        For "cost": the costs of a false positive and of a false negative.
    prevalence : float, optional
        The share of positives where the threshold will be used; that of the data by default. Precision, alert rate,
        F-measure and cost refer to it.

    Examples
    --------
    >>> import thresher as th
    >>> th.Target(min_recall=0.9).objective, th.Target(max_fpr=0.01).objective, th.Target().objective
    ('precision', 'recall', 'youden')
    """

    rule: str | None = None
    min_recall: float | None = None
    min_precision: float | None = None
    max_fpr: float | None = None
    max_alert_rate: float | None = None
    max_alerts: int | None = None
    beta: float = 1.0
    fp_cost: float = 1.0
    fn_cost: float = 1.0
    prevalence: float | None = None

    def __post_init__(self) -> None:
        if self.rule is not None:
            check_choice(self.rule, "rule", RULES)
        for name in _RATES:
            value = getattr(self, name)
            if value is not None and check_fractions(value, name).ndim:
                raise InvalidInputError(f"`{name}` must be one number; got {show(value)}.")
        if self.max_alerts is not None:
            check_count(self.max_alerts, "max_alerts")
        if self.prevalence is not None:
            check_prevalence(self.prevalence)
        if not _positive(self.beta, "beta"):
            raise InvalidInputError(f"`beta` must be positive and finite; got {show(self.beta)}. Hint: 1 gives F1.")
        costs = (_positive(self.fp_cost, "fp_cost", zero=True), _positive(self.fn_cost, "fn_cost", zero=True))
        if not (all(costs) and self.fp_cost + self.fn_cost > 0):
            raise InvalidInputError(
                "`fp_cost` and `fn_cost` must be finite, not negative and not both 0; "
                f"got {show(self.fp_cost)} and {show(self.fn_cost)}. Hint: only their ratio matters."
            )

        for name, rule in (("beta", "f_beta"), ("fp_cost", "cost"), ("fn_cost", "cost")):
            if getattr(self, name) != 1.0 and self.objective != rule:
                raise InvalidInputError(
                    f"`{name}` belongs to the rule {rule!r}; got {show(getattr(self, name))} with {self.objective!r}. "
                    f"Hint: say `rule={rule!r}`, or leave it out."
                )

    @property
    def objective(self) -> str:
        """The rule, or the one that the limits imply."""
        if self.rule is not None:
            return self.rule
        others = (self.min_precision, self.max_fpr, self.max_alert_rate, self.max_alerts)
        if any(limit is not None for limit in others):
            return "recall"
        return "youden" if self.min_recall is None else "precision"

    @property
    def limits(self) -> dict[str, float]:
        """The limits that were given, by name."""
        names = (*_RATES, "max_alerts")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def skew(self, n_pos: float, n_neg: float) -> Fraction:
        """Return how much one false positive of the data counts at the wanted prevalence.

        Examples
        --------
        >>> import thresher as th
        >>> th.Target(prevalence=0.1).skew(50, 50)
        Fraction(9, 1)
        """
        if self.prevalence is None:
            return Fraction(1)
        share = as_written(self.prevalence)
        return (1 - share) / share * Fraction(n_pos) / Fraction(n_neg)


def _positive(value: object, name: str, *, zero: bool = False) -> bool:
    number = check_number(value, name)
    return math.isfinite(number) and (number > 0 or (zero and number == 0))
