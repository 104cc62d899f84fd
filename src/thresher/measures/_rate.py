"""Rates of the confusion matrix at a threshold that is given."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import check_choice, check_prevalence, show
from thresher._core.values import value
from thresher._curves import OperatingPoint, pr_curve
from thresher._inference import PROPORTION_METHODS, RATES, rate_interval
from thresher._table import Counts, rate_error_bound
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Direction, Measure, Span
from thresher.measures._registry import measure

__all__ = ["Rate"]


@measure(
    ("recall", ("tpr", "sensitivity"), {"rate": "recall"}),
    ("fpr", (), {"rate": "fpr"}),
    ("specificity", ("tnr",), {"rate": "specificity"}),
    ("precision", ("ppv",), {"rate": "precision"}),
    ("npv", (), {"rate": "npv"}),
    ("accuracy", (), {"rate": "accuracy"}),
    ("alert_rate", (), {"rate": "alert_rate"}),
)
@value
class Rate(Measure):
    """A rate at a given threshold: a case is called positive when its score is at least the threshold.

    Parameters
    ----------
    rate : str
        "recall", "fpr", "specificity", "precision", "npv", "accuracy", "alert_rate".
    threshold : float
        The threshold.
    prevalence : float, optional
        The share of positives to which precision, NPV, accuracy and the alert rate refer.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    >>> scores.measure("precision", threshold=2).value.__round__(4)
    0.6667
    >>> th.measures.Rate("recall", threshold=3).of(scores)
    0.5
    """

    rate: str
    threshold: float
    prevalence: float | None = None

    name = "rate"
    label = "A rate at a threshold"
    example = "for example `threshold=0.5`"
    intervals = PROPORTION_METHODS
    tests = ()
    grows = False

    def __post_init__(self) -> None:
        check_choice(self.rate, "rate", RATES)
        number = isinstance(self.threshold, int | float | np.number) and not isinstance(self.threshold, bool)
        if not number or self.threshold != self.threshold:
            raise InvalidInputError(
                f"`threshold` must be a number; got {show(self.threshold)}. Hint: for example `threshold=0.5`."
            )
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def title(self) -> str:
        """The name of the rate."""
        return self.rate

    @property
    def better(self) -> Direction:
        """Which values are better: lower ones for the false positive rate."""
        return "lower" if self.rate == "fpr" else "higher"

    def described(self) -> str:
        """Return name and options as a result shows them."""
        end = "" if self.prevalence is None else f", prevalence {self.prevalence:g}"
        return f"{self.rate} (threshold {self.threshold:g}{end})"

    @property
    def needs_balance(self) -> bool:
        """Whether the rate mixes the classes in the proportion of the sample."""
        return self.prevalence is None and self.rate not in ("recall", "fpr", "specificity")

    def _point(self, table: Counts) -> OperatingPoint:
        return pr_curve(table, prevalence=self.prevalence).at(threshold=self.threshold)

    def of(self, table: Counts) -> float:
        """Return the rate of a table; NaN where nothing is called that it is a share of."""
        point = self._point(table)
        return float(point.npv() if self.rate == "npv" else getattr(point, self.rate))

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far a rate within one class can be off; for the others no bound is known."""
        del found
        bound = rate_error_bound(table, self.threshold)
        return {"recall": bound.tpr, "fpr": bound.fpr, "specificity": bound.fpr}.get(self.rate, math.nan)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the interval of the share by a binomial method."""
        del options
        low, high = rate_interval(self.rate, self._point(estimate.counts), confidence_level=level, method=method)
        return low, high
