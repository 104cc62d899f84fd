"""Net benefit at a threshold probability."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._cells import find
from thresher._core.checks import check_prevalence, show
from thresher._core.values import value
from thresher._curves import check_probabilities
from thresher._inference.bootstrap import table_for
from thresher._inference.rates import effective_calls, net_benefit, net_benefit_bounds
from thresher._inference.sampling import Influence, mean_influence, sampling_of
from thresher._table import Batch, Counts, cell_sample
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Classes, Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["NetBenefit"]


@measure()
@value
class NetBenefit(Measure):
    """True positives per case, less false positives weighed by the odds of the threshold probability.

    Parameters
    ----------
    threshold_probability : float
        The probability in (0, 1) from which one would act; scores are probabilities and called from it on.
    prevalence : float, optional
        The proportion of positives to which it refers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.Scores(data.y_true, data.logistic).measure("net_benefit", threshold_probability=0.1)
    >>> round(found.value, 4), [round(end, 4) for end in found.confidence_interval()]
    (0.0769, [0.0639, 0.0915])
    """

    threshold_probability: float
    prevalence: float | None = None

    name = "net_benefit"
    label = "Net benefit"
    example = "for example `threshold_probability=0.1`"
    intervals = ("score", "normal", "bootstrap")
    needs = "threshold"
    test = "normal"
    bounds = (-float("inf"), 1.0)

    def __post_init__(self) -> None:
        p = self.threshold_probability
        if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not 0.0 < p < 1.0:
            raise InvalidInputError(
                f"`threshold_probability` must be one number in (0, 1); got {show(p)}. Hint: {self.example}."
            )
        object.__setattr__(self, "threshold_probability", float(p))
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def cut(self) -> float:
        """The threshold probability."""
        return self.threshold_probability

    @property
    def classes(self) -> Classes:  # type: ignore[override]  # at another prevalence both are needed
        """Which classes a table must have."""
        return "either" if self.prevalence is None else "both"

    @property
    def _weight(self) -> float:
        return self.threshold_probability / (1.0 - self.threshold_probability)

    def _cells(self, table: Counts) -> tuple[Any, Any, float, float, float, float | None]:
        called = check_probabilities(table, self.label) >= self.threshold_probability
        found, wrong = table.pos[called].sum(), table.neg[called].sum()
        return found, wrong, float(table.n_pos), float(table.n_neg), self._weight, self.prevalence

    def of(self, table: Counts) -> float:
        """Return the net benefit of a table."""
        found, wrong, n_pos, n_neg, _, prevalence = self._cells(table)
        metric = find("net_benefit", threshold_probability=self.threshold_probability)
        return float(metric.value(found, wrong, n_pos - found, n_neg - wrong, prevalence=prevalence))

    def values(self, batch: Batch) -> FloatArray:
        """Return the net benefit of each table."""
        cells = *batch.called(self.threshold_probability), *batch.totals
        return np.asarray(net_benefit(*cells, self._weight, self.prevalence), dtype=np.float64)

    def influence(self, table: Counts) -> Influence:
        """Return the influence of a mean over rows: 1 for a true positive, minus the weight for a false one."""
        called = np.where(check_probabilities(table, self.label) >= self.threshold_probability, 1.0, 0.0)
        share = table.prevalence if self.prevalence is None else self.prevalence
        found = mean_influence(called, -self._weight * called, table)
        if self.prevalence is None:
            return found
        sides = zip(
            (found.pos, found.neg), (share, 1.0 - share), (table.prevalence, 1.0 - table.prevalence), strict=True
        )
        pos, neg = (own * wanted / seen for own, wanted, seen in sides)
        return Influence(pos, neg)

    def _worth(self, table: Counts, level: float) -> tuple[Any, Any, float, float, float, float | None]:
        """Return the cells, or what weighted or clustered rows are worth."""
        cells = self._cells(table)
        sample = cell_sample(table, self.threshold_probability)
        if sample is None:
            return cells
        tp, fp, n_pos, n_neg = (float(number) for number in cells[:4])
        matrix = {"tp": tp, "fp": fp, "fn": n_pos - tp, "tn": n_neg - fp}
        return *effective_calls(matrix, sample, self._weight, self.prevalence, level), self._weight, self.prevalence

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return that of a mean over rows: its variance has no factor n / (n - 1)."""
        del method
        table = table_for(estimate.counts, self)
        found = sampling_of(table).spread(self.influence(table), design=options.design, corrected=False)
        return float(np.sqrt(found.variance))

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return Wilson limits of both shares joined, or the normal interval."""
        del options
        low, high = net_benefit_bounds(*self._worth(estimate.counts, level), level, method)
        return float(low[0]), float(high[0])
