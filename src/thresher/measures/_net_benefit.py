"""Net benefit at a threshold probability."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thresher._core.checks import check_prevalence, show
from thresher._core.values import value
from thresher._curves import check_probabilities
from thresher._inference.rates import effective_calls, net_benefit, net_benefit_bounds, net_benefit_variance
from thresher._table import Counts, cell_sample
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Span
from thresher.measures._registry import measure
from thresher.measures._row_mean import RowMean
from thresher.typing import BoolArray, FloatArray

__all__ = ["NetBenefit"]


@measure()
@value
class NetBenefit(RowMean):
    """True positives per case, less false positives weighed by the odds of the threshold probability.

    Parameters
    ----------
    threshold_probability : float
        The probability in (0, 1) from which one would act; scores are probabilities and called from it on.
    prevalence : float, optional
        The share of positives to which it refers.

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
    citation = "A. J. Vickers and E. B. Elkin (2006), doi:10.1177/0272989X06295361"
    intervals = ("score", "normal")

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
    def bounds(self) -> Span:
        """At most every positive found; false positives may cost without end."""
        return (-float("inf"), 1.0)

    @property
    def needs_balance(self) -> bool:
        """Whether it refers to the prevalence of the sample."""
        return self.prevalence is None

    @property
    def _weight(self) -> float:
        return self.threshold_probability / (1.0 - self.threshold_probability)

    def _cells(self, table: Counts) -> tuple[Any, Any, float, float, float, float | None]:
        called = check_probabilities(table, self.label) >= self.threshold_probability
        found, wrong = table.pos[called].sum(), table.neg[called].sum()
        return found, wrong, float(table.n_pos), float(table.n_neg), self._weight, self.prevalence

    def of(self, table: Counts) -> float:
        """Return the net benefit of a table."""
        return float(net_benefit(*self._cells(table)))

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return 1 for a positive that is called, minus the weight for a negative."""
        called = np.where(x >= self.threshold_probability, 1.0, 0.0)
        return called, -self._weight * called

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
        """Return the root of the variance of the calls."""
        del method, options
        return float(np.sqrt(net_benefit_variance(*self._worth(estimate.counts, 0.95))))

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return Wilson limits of both shares joined, or the normal interval."""
        del options
        low, high = net_benefit_bounds(*self._worth(estimate.counts, level), level, method)
        return float(low[0]), float(high[0])

    def difference_variances(
        self, positive: BoolArray, scores: Any, weight: Any, groups: Any = None
    ) -> tuple[FloatArray, float]:
        """Return the variance of the difference between each two scorers on the same rows."""
        if self.prevalence is None:
            return RowMean.difference_variances(self, positive, scores, weight, groups)
        if weight is not None:
            raise InvalidInputError("Net benefit at another prevalence must be compared without `sample_weight`.")
        called = np.stack([np.asarray(s) >= self.threshold_probability for s in scores]).astype(np.float64)
        sides = (
            (called[:, positive], self.prevalence),
            (called[:, ~positive], self._weight * (1.0 - self.prevalence)),
        )
        out = np.zeros((called.shape[0], called.shape[0]))
        for i in range(called.shape[0]):
            for j in range(i):
                out[i, j] = out[j, i] = sum(a * a * (rows[i] - rows[j]).var() / rows.shape[1] for rows, a in sides)
        return out, math.inf
