"""What an operating point shall achieve: one rule to be best by, and limits to keep."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from thresher._core.checks import check_choice, check_count, check_fractions, check_number, check_prevalence, show
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher.exceptions import InvalidInputError

__all__ = ["RULES", "Target", "as_written", "exact_portion"]

RULES = ("youden", "closest_corner", "f_beta", "cost", "recall", "precision")

# What other libraries call the rules.
_OTHER_NAMES = {"f1": "f_beta", "fscore": "f_beta", "f_score": "f_beta", "j": "youden", "topleft": "closest_corner"}
_OTHER_NAMES["closest.topleft"] = "closest_corner"

# Two roundings of a number near 1. Simple fractions lie farther apart than that by orders of magnitude.
_ROUNDING = Fraction(1, 2**52)
_LARGEST_DENOMINATOR = 10**6

_RATES = ("min_recall", "min_precision", "max_fpr", "max_alert_rate")
# Options that one rule has.
_OF_RULES = {"beta": "f_beta", "fp_cost": "cost", "fn_cost": "cost"}


def as_written(value: float) -> Fraction:
    """Return the fraction that a number names: 0.1 and 1 - 0.9 are one tenth, 1 / 3 is a third, as floats none is."""
    written = Fraction(repr(float(value)))
    simple = written.limit_denominator(_LARGEST_DENOMINATOR)
    return simple if simple != 0 and abs(simple - written) <= _ROUNDING else written


def exact_portion(share: float, total: float) -> Fraction:
    """Return the share of a total that a number names: the whole count where rounding alone keeps it from one."""
    product = as_written(share) * Fraction(total)
    nearest = round(product)
    # The slack of `thresher._core.fractions.portion`, by which curves are read.
    snapped = nearest > 0 and abs(product - nearest) <= 8 * math.ulp(max(nearest, 1.0))
    return Fraction(nearest) if snapped else product


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
        Limits in [0, 1]. The alert rate is the share of all rows that are called positive.
    max_alerts : int, optional
        The most rows of these data that may be called positive.
    beta : float, default=1.0
        For "f_beta": how many times as much recall counts as precision.
    fp_cost, fn_cost : float, default=1.0
        For "cost": the costs of a false positive and of a false negative.
    prevalence : float, optional
        The share of positives where the threshold will be used; that of the data by default. Precision, alert rate,
        F-measure and cost refer to it.
    min_specificity : float, optional
        Another way to write ``max_fpr=1 - min_specificity``, as which it is kept.

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
    min_specificity: float | None = None

    def __post_init__(self) -> None:
        _check_rule(self.rule)
        for name in (*_RATES, "min_specificity"):
            value = getattr(self, name)
            if value is not None and check_fractions(value, name).ndim:
                raise InvalidInputError(
                    f"`{name}` must be one number; got {show(value)}. Hint: choose once for each of several."
                )
        if self.min_specificity is not None:
            object.__setattr__(self, "max_fpr", _from_specificity(self.min_specificity, self.max_fpr))
            object.__setattr__(self, "min_specificity", None)
        if self.max_alerts is not None:
            check_count(self.max_alerts, "max_alerts")
        if self.prevalence is not None:
            check_prevalence(self.prevalence)
        if not _positive(self.beta, "beta"):
            raise InvalidInputError(f"`beta` must be positive and finite; got {show(self.beta)}. Hint: 1 gives F1.")
        _check_costs(self.fp_cost, self.fn_cost)
        _unwrap(self)
        for name, rule in _OF_RULES.items():
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


def _check_rule(rule: str | None) -> None:
    """Refuse a rule that there is not; one that has another name elsewhere is told its name here."""
    if rule is None:
        return
    check_choice(_OTHER_NAMES.get(str(rule).lower(), rule), "rule", RULES)
    if rule not in RULES:
        raise InvalidInputError(
            f"`rule` must be one of {', '.join(map(repr, RULES))}; got {show(rule)}. "
            f"Hint: it is called {_OTHER_NAMES[rule.lower()]!r} here."
        )


def _from_specificity(min_specificity: float, max_fpr: float | None) -> float:
    """Return the false positive rate that a specificity leaves."""
    if max_fpr is not None:
        raise InvalidInputError(
            "`max_fpr` and `min_specificity` must not both be given; got "
            f"{show(max_fpr)} and {show(min_specificity)}. Hint: they are the same limit; keep one."
        )
    return float(1 - as_written(min_specificity))


def _check_costs(fp_cost: float, fn_cost: float) -> None:
    costs = (_positive(fp_cost, "fp_cost", zero=True), _positive(fn_cost, "fn_cost", zero=True))
    if not (all(costs) and (fp_cost > 0 or fn_cost > 0)):
        raise InvalidInputError(
            "`fp_cost` and `fn_cost` must be finite, not negative and not both 0; "
            f"got {show(fp_cost)} and {show(fn_cost)}. Hint: only their ratio matters."
        )


def _unwrap(target: Target) -> None:
    """Make NumPy's numbers Python's, whose arithmetic does not wrap."""
    for name in ("beta", "fp_cost", "fn_cost"):
        given = getattr(target, name)
        object.__setattr__(target, name, given.item() if isinstance(given, np.generic) else given)


def _positive(value: object, name: str, *, zero: bool = False) -> bool:
    number = check_number(value, name)
    return math.isfinite(number) and (number > 0 or (zero and number == 0))
