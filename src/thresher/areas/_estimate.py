"""An area with what it was computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from thresher.scores import Counts
from thresher.scores._extremes import extreme_tables

__all__ = ["AreaEstimate", "bounded"]


@dataclass(frozen=True, eq=False, repr=False)
class AreaEstimate:
    """The area under a curve.

    Parameters
    ----------
    value : float
        The number; `float(estimate)` gives it too.
    metric : {"roc_auc", "partial_roc_auc", "pr_auc"}
        Which area it is.
    estimator : str
        How it was computed.
    error_bound : float or None
        0 for exact data. After `Scores.compress`, how far the area of the full data can be from `value`, for certain;
        None where no bound is known.

    Examples
    --------
    >>> import thresher as th
    >>> area = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
    >>> area.value, float(area), area.metric
    (0.75, 0.75, 'roc_auc')
    """

    value: float
    metric: str
    estimator: str
    error_bound: float | None
    counts: Counts = field(repr=False)
    prevalence: float | None = None
    fpr: tuple[float, float] | None = None
    tpr: tuple[float, float] | None = None
    recall: tuple[float, float] | None = None
    standardized: bool = False
    _remarks: Callable[[], list[str]] = field(default=list, repr=False)

    def __float__(self) -> float:
        return self.value

    def remarks(self) -> list[str]:
        """Return what a reader should know: how far ties make estimators differ, and by how much."""
        return self._remarks()

    def __repr__(self) -> str:
        parts = [] if self.estimator == self.metric else [self.estimator]
        for name, span in (("fpr", self.fpr), ("tpr", self.tpr), ("recall", self.recall)):
            if span is not None:
                parts.append(f"{name} {span[0]:g} to {span[1]:g}")
        if self.standardized:
            parts.append("standardized")
        if self.prevalence is not None:
            parts.append(f"prevalence {self.prevalence:g}")
        how = f" ({', '.join(parts)})" if parts else ""
        bound = f" ± {self.error_bound:.2g} at most" if self.error_bound else ""
        return "\n".join([f"{self.metric}{how} = {self.value:.6g}{bound}", *(f"  {line}" for line in self.remarks())])


def bounded(counts: Counts, value: float, low: Callable[[Counts], float], high: Callable[[Counts], float]) -> float:
    """Return how far the full data's area can be from `value`: 0 for exact tables.

    `low` is evaluated on the worst data that the table can stand for, `high` on the best.
    """
    if counts.exact:
        return 0.0
    worst, best = extreme_tables(counts)
    return max(value - low(worst), high(best) - value, 0.0)
