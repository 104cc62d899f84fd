"""An area with what it was computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from thresher._core.random_streams import Progress, Rng
from thresher._core.values import value
from thresher._inference import ConfidenceInterval
from thresher._table import Counts
from thresher._table.extreme_tables import extreme_tables, overlapping
from thresher.measures._area_intervals import Options, area_interval, area_standard_error

__all__ = ["AreaEstimate", "bounded", "centred"]


@value(repr=False)
class AreaEstimate:
    """The area under a curve.

    Parameters
    ----------
    value : float
        The number; `float(estimate)` gives it too, and ``f"{estimate:.3f}"`` writes it.
    metric : {"roc_auc", "partial_roc_auc", "pr_auc"}
        Which area it is.
    estimator : str
        How it was computed.
    error_bound : float
        0 for exact data. After `Scores.compress` and from a `Sketch`, how far the area of the full data can be from
        `value`, for certain.

    Two estimates are equal if they are the same area, asked for in the same way, of equal counts.

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
    error_bound: float
    counts: Counts = field(repr=False)
    prevalence: float | None = None
    fpr: tuple[float, float] | None = None
    tpr: tuple[float, float] | None = None
    recall: tuple[float, float] | None = None
    standardized: bool = False
    least: float = 0.0
    most: float = 1.0
    offset: float = 0.0
    scale: float = 1.0
    _remarks: Callable[[], list[str]] = field(default=list, repr=False, compare=False)

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else repr(self)

    @property
    def along(self) -> str:
        """The rate whose range was asked for."""
        return "tpr" if self.tpr is not None else "fpr" if self.fpr is not None else "recall"

    @property
    def span(self) -> tuple[float, float]:
        """The range of that rate; the whole one if none was asked for."""
        return self.tpr or self.fpr or self.recall or (0.0, 1.0)

    @property
    def raw(self) -> float:
        """The area itself, before it was standardised or normalised."""
        return (self.value - self.offset) / self.scale if self.standardized else self.value

    def from_raw(self, area: float) -> float:
        """Return another area on the scale of `value`.

        Examples
        --------
        >>> import thresher as th
        >>> area = th.Scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1]).pr_auc(normalize=True)
        >>> round(area.raw, 4), round(area.value, 4), round(area.from_raw(area.raw), 4)
        (0.9041, 0.843, 0.843)
        """
        return self.offset + self.scale * area

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        *,
        method: str | None = None,
        threshold: float | None = None,
        n_resamples: int = 2000,
        rng: Rng = None,
        bootstrap: str = "bca",
        stratified: bool = True,
        design: str = "random",
        progress: Progress | None = None,
    ) -> ConfidenceInterval:
        """Return a confidence interval.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : str, optional
            For the ROC area: ``"delong-logit"`` (the default), ``"delong"``, ``"bamber"``, ``"hanley-mcneil"``,
            ``"max-variance"``, ``"newcombe"``, ``"cortes-mohri"``, ``"bootstrap"``. For a part of it:
            ``"delong-logit"`` (the default), ``"delong"``, ``"bootstrap"``. For the PR area: ``"logit"`` (the default,
            with a standard error that needs no densities), ``"asymptotic"``, ``"binomial"``, ``"logit-boyd"``,
            ``"bootstrap"``.
        threshold : float, optional
            For ``"cortes-mohri"``, which uses the number of errors at this threshold and nothing else; read its
            warning in `cortes_mohri` first.
        n_resamples, rng : int, optional
            For ``"bootstrap"``: how many resamples (at least 10), and a seed that makes them repeatable.
        bootstrap : {"bca", "percentile", "studentized"}
            Which bootstrap interval.
        stratified : bool, default=True
            Whether resamples keep the class totals.
        design : {"random", "fixed"}
            For the PR area: whether the number of positives was left to chance or fixed beforehand.
        progress : callable, optional
            Called with (resamples done, resamples in all).

        Returns
        -------
        ConfidenceInterval
            Unpacks as ``(low, high)``; always inside the range of the area. After `Scores.compress` it is widened by
            the error bound.

        Examples
        --------
        >>> import thresher as th
        >>> area = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).roc_auc()
        >>> low, high = area.confidence_interval(0.9)
        >>> round(low, 3), round(high, 3)
        (0.369, 0.991)
        """
        options = Options(threshold, n_resamples, rng, bootstrap, stratified, design, progress)
        return area_interval(self, confidence_level, method, options)

    def standard_error(
        self,
        method: str | None = None,
        *,
        n_resamples: int = 2000,
        rng: Rng = None,
        design: str = "random",
        threshold: float | None = None,
    ) -> float:
        """Return the standard error of the area.

        Parameters
        ----------
        method : str, optional
            As in `confidence_interval`.
        n_resamples, rng : int, optional
            For ``"bootstrap"``.
        design : {"random", "fixed"}
            For the PR area: whether the number of positives was left to chance or fixed beforehand.
        threshold : float, optional
            For ``"cortes-mohri"``: where the errors are counted.

        Examples
        --------
        >>> import thresher as th
        >>> area = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).roc_auc()
        >>> round(area.standard_error(), 4)
        0.1571
        """
        options = Options(n_resamples=n_resamples, rng=rng, design=design, threshold=threshold)
        return area_standard_error(self, method, options)

    def remarks(self) -> list[str]:
        """Return what a reader should know: how far ties make estimators differ, and by how much.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0], [3, 2, 2, 1, 1, 0])
        >>> for line in scores.roc_auc().remarks():
        ...     print(line)
        22.22% of the pairs are tied; breaking ties could give 0.666667 to 0.888889
        """
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


def centred(counts: Counts, area: Callable[[Counts], float]) -> float:
    """Return the area of a table, for one that grows with the curve.

    Where ranges overlap, the place of a row among those inside its range is unknown: the middle between the worst and
    the best data is then the value whose guaranteed error is smallest.
    """
    if not overlapping(counts):
        return area(counts)
    worst, best = extreme_tables(counts)
    return (area(worst) + area(best)) / 2


def bounded(counts: Counts, value: float, low: Callable[[Counts], float], high: Callable[[Counts], float]) -> float:
    """Return how far the full data's area can be from `value`: 0 for tables that have every score.

    `low` is evaluated on the worst data that the table can stand for, `high` on the best.
    """
    if counts.complete:
        return 0.0
    worst, best = extreme_tables(counts)
    return max(value - low(worst), high(best) - value, 0.0)
