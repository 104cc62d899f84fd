"""Many contrasts at once: intervals that hold together, adjusted p values, and ranks with their uncertainty."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thresher._compare.combined_estimate import correlations, t_pvalue
from thresher._compare.multiplicity import adjusted, max_t_exceeds, max_t_quantile
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Drawn
from thresher._core.values import value
from thresher._inference import ConfidenceInterval
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

__all__ = ["EstimateRanks", "SimultaneousIntervals", "ranks_of", "simultaneous_intervals"]

_MOST = 2000


@value(repr=False)
class SimultaneousIntervals(Drawn, Presented):
    """Contrasts of estimates with intervals that all hold at once at the confidence level.

    Attributes
    ----------
    names : tuple of str
        The contrasts, such as ``"new - old"``.
    values, standard_errors : ndarray of shape (m,)
        Of each contrast.
    low, high : ndarray of shape (m,)
        The limits.
    pvalues : ndarray of shape (m,)
        Two-sided p values of each contrast alone.
    pvalues_adjusted : ndarray of shape (m,)
        The probability that the largest of all statistics is as large, if no contrast differs from 0.
    pvalues_holm : ndarray of shape (m,)
        The p values adjusted by Holm's method, which needs no correlations.
    critical_value : float
        By how many standard errors the intervals reach: the quantile of the largest of correlated normal variables.
    confidence_level : float
        Of all intervals together.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.estimates(data.y_true, data.models).simultaneous()
    >>> found.names, found.pvalues_adjusted < 0.01
    (('logistic - tree',), array([ True]))
    """

    _display = "ForestDisplay"

    names: tuple[str, ...]
    values: FloatArray
    standard_errors: FloatArray
    low: FloatArray
    high: FloatArray
    pvalues: FloatArray
    pvalues_adjusted: FloatArray
    pvalues_holm: FloatArray
    critical_value: float
    confidence_level: float

    def _forest(self) -> tuple[str, list[tuple[str, float, float, float]], float | None]:
        columns = (column.tolist() for column in (self.values, self.low, self.high))
        return "Difference", list(zip(self.names, *columns, strict=True)), 0.0

    def __len__(self) -> int:
        return len(self.names)

    @property
    def largest_gap(self) -> ConfidenceInterval:
        """Limits of the largest absolute value of all contrasts: of pairs, the largest value minus the smallest."""
        away = np.maximum(np.maximum(self.low, -self.high), 0.0)
        reach = np.maximum(np.abs(self.low), np.abs(self.high))
        return ConfidenceInterval(float(away.max()), float(reach.max()), self.confidence_level, "max-t")

    def _columns(self) -> dict[str, Any]:
        return {
            "name": list(self.names),
            "value": self.values,
            "standard_error": self.standard_errors,
            "low": self.low,
            "high": self.high,
            "pvalue": self.pvalues,
            "pvalue_adjusted": self.pvalues_adjusted,
            "pvalue_holm": self.pvalues_holm,
        }

    def __repr__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"{len(self)} contrasts, {self.confidence_level:.0%} intervals that hold together"]
        for i, name in enumerate(self.names[:20]):
            lines.append(
                f"  {name:<{width}}  {self.values[i]:+.4g} [{self.low[i]:+.4g}, {self.high[i]:+.4g}], "
                f"adjusted p = {self.pvalues_adjusted[i]:.2g}"
            )
        return "\n".join(lines + ([f"  ... and {len(self) - 20} more"] if len(self) > 20 else []))


@value(repr=False)
class EstimateRanks(Presented):
    """Which rank each estimate may have, all statements true at once at the confidence level.

    Attributes
    ----------
    names : tuple of str
        The estimates, the best first.
    values : ndarray of shape (k,)
        Their values.
    best_rank, worst_rank : ndarray of int, shape (k,)
        The least and the greatest rank that the simultaneous intervals of all pairs leave open; 1 is the best.
    confidence_level : float
        Of all statements together.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.estimates(data.y_true, data.models).ranking()
    Ranks with 95% confidence
      1  logistic  0.9751  rank 1
      2  tree      0.8794  rank 2
    """

    names: tuple[str, ...]
    values: FloatArray
    best_rank: Any
    worst_rank: Any
    confidence_level: float

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """The estimates that no other one is shown to exceed."""
        return tuple(name for name, rank in zip(self.names, self.best_rank.tolist(), strict=True) if rank == 1)

    def _facts(self) -> Row:
        return {"confidence_level": self.confidence_level, "may_be_best": list(self.may_be_best)}

    def _columns(self) -> dict[str, Any]:
        return {
            "name": list(self.names),
            "value": self.values,
            "best_rank": self.best_rank,
            "worst_rank": self.worst_rank,
        }

    def __repr__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"Ranks with {self.confidence_level:.0%} confidence"]
        for i, (name, first, last) in enumerate(
            zip(self.names, self.best_rank.tolist(), self.worst_rank.tolist(), strict=True)
        ):
            rank = f"rank {first}" if first == last else f"ranks {first} to {last}"
            lines.append(f"  {i + 1}  {name:<{width}}  {self.values[i]:.4g}  {rank}")
        return "\n".join(lines)


def simultaneous_intervals(
    names: tuple[str, ...],
    values: FloatArray,
    covariance: FloatArray,
    df: FloatArray,
    confidence_level: float,
) -> SimultaneousIntervals:
    """Return the intervals of contrasts with this covariance; single p values have Student's t with these df."""
    if len(names) > _MOST:
        raise InvalidInputError(
            f"Simultaneous intervals are for at most {_MOST:,} contrasts; got {len(names):,}. "
            "Hint: compare each with one reference, contrasts='reference'."
        )
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    real = errors > 0.0
    quantile, together = math.nan, np.where(values == 0.0, 1.0, 0.0)
    if real.any():
        correlation = correlations(covariance)[np.ix_(real, real)]
        quantile = max_t_quantile(correlation, confidence_level)
        together[real] = max_t_exceeds(correlation, values[real] / errors[real])
    single = np.array(
        [t_pvalue(float(v), float(e), float(f)) for v, e, f in zip(values, errors, df, strict=True)], dtype=np.float64
    )
    reach = np.where(real, errors * quantile, 0.0)
    # The single test has Student's t, which few cases make the more careful of the two.
    together = np.maximum(together, single)
    low, high = values - reach, values + reach
    return SimultaneousIntervals(
        names, values, errors, low, high, single, together, adjusted(single, "holm"), quantile, confidence_level
    )


def ranks_of(names: tuple[str, ...], values: FloatArray, pairs: SimultaneousIntervals, sign: float) -> EstimateRanks:
    """Return the ranks that the intervals of all pairs, in the order of `combinations`, leave open."""
    k = len(names)
    first, second = np.triu_indices(k, 1)
    low, high = (pairs.low, pairs.high) if sign > 0 else (-pairs.high, -pairs.low)
    worse = np.bincount(second[low > 0.0], minlength=k) + np.bincount(first[high < 0.0], minlength=k)
    better = np.bincount(first[low > 0.0], minlength=k) + np.bincount(second[high < 0.0], minlength=k)
    order = np.argsort(-sign * values, kind="stable")
    return EstimateRanks(
        tuple(names[i] for i in order.tolist()),
        values[order],
        (1 + worse)[order].astype(np.int64),
        (k - better)[order].astype(np.int64),
        pairs.confidence_level,
    )
