"""Planning for a metric of a test at its cut-off: predictive values, likelihood ratios, net benefit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_choice, check_fraction, check_number, check_prevalence, show
from thresher._core.values import value
from thresher._decide.counted_power import Rejects, TwoCounts, at_least, counted
from thresher._decide.question import Question, StudyCases, by_ratio, check_test
from thresher._inference.rates import net_benefit_bounds, net_benefit_variance, ratio_excluded
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, NetBenefit
from thresher.typing import FloatArray

_SPELT = {"ppv": "precision"}
_SHARES, _RATIOS = ("precision", "npv"), ("lr_positive", "lr_negative")
_OF_NEGATIVES = ("npv", "lr_negative")  # metrics of the predicted negatives
_OF_ONE_CLASS = ("recall", "tpr", "sensitivity", "specificity", "tnr", "fpr")


@value
class SupposedCalls:
    """The assumed performance of a test at its cut-off, for planning a study of it.

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
                    "assume the worst rate that would still be acceptable."
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
        """The likelihood ratio of a positive result."""
        return self.tpr / self.fpr

    @property
    def lr_negative(self) -> float:
        """The likelihood ratio of a negative result."""
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
                "`threshold_probability` must be in [0, 1); got 1. Hint: net benefit is not defined at 1."
            )
        share = self._known("Net benefit")
        return share * self.tpr - (1.0 - share) * cut / (1.0 - cut) * self.fpr


def cutoff(
    calls: SupposedCalls,
    metric: str | Measure,
    *,
    null: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
) -> Question:
    """Return the question whether a metric of a test at its cut-off differs from a value.

    Parameters
    ----------
    calls : SupposedCalls
        The supposed test at its cut-off.
    metric : str or Measure
        "precision" or "npv", by the exact binomial test among the predicted positives or negatives; "lr_positive",
        "lr_negative" or `th.measures.NetBenefit(p)`, by whether the default interval excludes the null value.
    null : float, optional
        The value under the null hypothesis; by default 0, that of treating none, for net benefit.
    significance_level, alternative
        As in `area`.

    Returns
    -------
    Question
        Its `power` takes `n` cases, but likelihood ratios `n_pos` and `n_neg`; `size(power, ratio=1)` answers in both.

    Examples
    --------
    >>> import thresher as th
    >>> test = th.planning.SupposedCalls(tpr=0.9, fpr=0.05, prevalence=0.1)
    >>> th.planning.cutoff(test, "precision", null=0.5).size(0.8).n
    553
    """
    tested = check_test(significance_level, alternative)
    if not isinstance(calls, SupposedCalls):
        raise InvalidTypeError(
            f"`calls` must be SupposedCalls; got {show(calls)}. Hint: th.planning.SupposedCalls(tpr=0.9, fpr=0.1)."
        )
    if isinstance(metric, NetBenefit):
        return _net_benefit(calls, metric, null, tested)
    if metric in _OF_ONE_CLASS:
        raise InvalidInputError(
            f"`metric={metric!r}` is a proportion within one class. Hint: give `rate=` with `null=` instead of `calls`."
        )
    try:
        known = _SPELT.get(metric, metric) if isinstance(metric, str) else metric
        name = check_choice(known, "metric", (*_SHARES, *_RATIOS))
    except InvalidInputError as error:
        raise InvalidInputError(f"{error} For net benefit: metric=th.measures.NetBenefit(0.2).") from None
    if null is None:
        raise InvalidInputError("`null` must be given with `calls`: its value under the null hypothesis.")
    at = check_number(null, "null")
    return (_ratio if name in _RATIOS else _share)(calls, name, at, tested)


def _asked(calls: SupposedCalls, metric: str, supposed: float, null: float, tested: dict[str, Any]) -> dict[str, Any]:
    """Return what all these questions say; they expect a rounded number of positives among so many cases."""

    def cases(size: int, _: float) -> StudyCases:
        n_pos = round(size * calls._known("A planned study"))
        return StudyCases(size, n_pos, size - n_pos)

    return {
        "difference": supposed - null,
        "metric": metric,
        "method": "enumerated",
        "null": null,
        "_supposed": float(supposed),
        "_cases": cases,
        "_takes": "`n_pos` and `n_neg` must be given with a likelihood ratio, and `n` alone with other metrics.",
        **tested,
    }


def _share(calls: SupposedCalls, metric: str, null: float, tested: dict[str, Any]) -> Question:
    """Return that of a predictive value, by the exact binomial test among the predicted positives or negatives."""
    if not 0.0 < null < 1.0:
        raise InvalidInputError(f"`null` must be a number in (0, 1) for a predictive value; got {null:g}.")
    calls._known(f"The {metric} of a planned study")
    supposed = float(getattr(calls, metric))
    called = 1.0 - calls.alert_rate if metric in _OF_NEGATIVES else calls.alert_rate

    def test(_: StudyCases, level: float, upwards: bool) -> Rejects:
        if upwards:
            return lambda called, right: at_least(right, called, null) <= level
        return lambda called, right: at_least(called - right, called, 1.0 - null) <= level

    return counted(
        lambda cases: TwoCounts(cases.n, called, supposed, rest=-1),
        test,
        _error=lambda cases: math.sqrt(supposed * (1.0 - supposed) / (cases.n * called)),
        **{**_asked(calls, metric, supposed, null, tested), "method": "exact binomial"},
    )


def _ratio(calls: SupposedCalls, metric: str, null: float, tested: dict[str, Any]) -> Question:
    """Return that of a likelihood ratio, by whether its default interval excludes the null value."""
    if not null > 0.0:
        raise InvalidInputError(
            f"`null` must be above 0 for a likelihood ratio; got {null:g}. Hint: a useless test has 1."
        )
    a, b = calls.tpr, calls.fpr
    if metric in _OF_NEGATIVES:
        a, b = 1.0 - a, 1.0 - b

    def test(cases: StudyCases, level: float, upwards: bool) -> Rejects:
        n_pos, n_neg, side = int(cases.pos), int(cases.neg), 0 if upwards else 1
        return lambda of_neg, of_pos: ratio_excluded(of_pos, n_pos, of_neg, n_neg, null, 1.0 - 2.0 * level)[side]

    return counted(  # the first count is that of the negatives, on which the second does not depend
        lambda cases: TwoCounts(int(cases.neg), b, a, rest=int(cases.pos)),
        test,
        _error=lambda cases: a / b * math.sqrt((1.0 - a) / (a * cases.pos) + (1.0 - b) / (b * cases.neg)),
        **{**_asked(calls, metric, getattr(calls, metric), null, tested), "_cases": by_ratio},
    )


def _net_benefit(calls: SupposedCalls, metric: NetBenefit, null: float | None, tested: dict[str, Any]) -> Question:
    """Return that of net benefit, by whether its default interval excludes the null value."""
    if metric.prevalence is not None:
        raise InvalidInputError(
            f"`metric` must not have a prevalence of its own; got {metric.prevalence:g}. "
            "Hint: give it to SupposedCalls."
        )
    share, cut = calls._known("Net benefit"), metric.threshold_probability
    at = 0.0 if null is None else check_number(null, "null")
    if not at < 1.0:
        raise InvalidInputError(f"`null` must be below 1 for net benefit; got {at:g}.")
    # True and false positives as proportions of all cases, and what one of the latter costs.
    found, alarmed, weight = share * calls.tpr, (1.0 - share) * calls.fpr, cut / (1.0 - cut)

    def error(cases: StudyCases) -> float:
        n = cases.n
        return math.sqrt(net_benefit_variance(n * found, n * alarmed, n, 0, weight, None).item())

    def test(cases: StudyCases, level: float, upwards: bool) -> Rejects:
        def rejects(fp: FloatArray, tp: FloatArray) -> NDArray[np.bool_]:
            low, high = net_benefit_bounds(tp, fp, cases.n, 0, weight, None, 1.0 - 2.0 * level)
            return np.asarray(low > at if upwards else high < at)

        return rejects

    return counted(
        lambda cases: TwoCounts(cases.n, alarmed, found / (1.0 - alarmed)),
        test,
        _error=error,
        **_asked(calls, metric.name, calls.net_benefit(cut), at, tested),
    )
