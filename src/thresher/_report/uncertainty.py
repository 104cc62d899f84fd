"""Intervals of the areas, bands around the curves the worth of weighted rows, and the warnings that came along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from thresher._cells import Matrix, cluster_scale, find
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_resamples, held_warnings
from thresher._inference import CurveBand, pr_band, roc_band
from thresher._report.plain_data import Band, Worth
from thresher._table import Counts, cell_sample
from thresher.exceptions import UndefinedMetricError
from thresher.measures import Estimate, PrAuc, RocAuc
from thresher.typing import FloatArray

T = TypeVar("T")

# These need a threshold, which belongs to a question and not to a report.
_LEFT_OUT = ("cortes-mohri",)


@dataclass(frozen=True)
class Uncertainty:
    """How intervals and bands are asked for; `remarks` gathers the warnings that came with them."""

    confidence_level: float = 0.95
    roc_method: str | None = None
    pr_method: str | None = None
    simultaneous: bool = False
    n_resamples: int = 2000
    rng: int | None = None
    remarks: dict[str, list[str]] = field(default_factory=dict)

    def quiet(self) -> Uncertainty:
        """Return the same settings with no remarks kept."""
        return replace(self, remarks={})

    @property
    def resamples(self) -> bool:
        """Whether anything depends on random numbers."""
        return "bootstrap" in (self.roc_method, self.pr_method) or self.simultaneous

    def interval(self, name: str, estimate: Estimate) -> tuple[float, float, str] | None:
        """Return low, high and method of an area, or None where no method answers."""
        if unknown_weights(estimate.counts):
            return None
        measure = estimate.measure
        chosen = self.pr_method if isinstance(measure, PrAuc) else self.roc_method
        if chosen not in measure.intervals:
            chosen = None
        found = self._ask(name, estimate, chosen)
        return None if found is None or found[0] == found[1] else found

    def _ask(self, name: str, estimate: Estimate, method: str | None) -> tuple[float, float, str] | None:
        how: dict[str, Any] = {"method": method, "n_resamples": self.n_resamples, "rng": self.rng}
        try:
            found = self._listen(name, lambda: estimate.confidence_interval(self.confidence_level, **how))
        except UndefinedMetricError:
            return None
        return found.low, found.high, found.method

    def roc_band(self, name: str, counts: Counts) -> Band | None:
        """Return the band around the ROC curve, on a grid that is dense where false alarms are rare."""
        return self._band(name, roc_band, counts, np.append(0.0, _grid(counts.n_neg)))

    def pr_band(self, name: str, counts: Counts, prevalence: float | None = None) -> Band | None:
        """Return the band around the PR curve, at a known prevalence if one is given."""
        return self._band(name, partial(pr_band, prevalence=prevalence), counts, _grid(counts.n_pos))

    def _band(self, name: str, make: Callable[..., CurveBand], counts: Counts, grid: FloatArray) -> Band | None:
        if unknown_weights(counts):
            return None
        options = {"confidence_level": self.confidence_level, "simultaneous": self.simultaneous, "rng": self.rng}
        try:
            return plain_band(self._listen(name, lambda: make(counts, grid, **options)))
        except UndefinedMetricError as error:
            self._say(name, str(error))
            return None

    def _listen(self, name: str, work: Callable[[], T]) -> T:
        """Run, and keep the library's warnings for the report instead of printing them."""
        with held_warnings() as held:
            result = work()
        for note, _ in held:
            self._say(name, note)
        return result

    def _say(self, name: str, remark: str) -> None:
        said = self.remarks.setdefault(name, [])
        if remark not in said:
            said.append(remark)


def check_uncertainty(
    confidence_level: object,
    roc_method: object,
    pr_method: object,
    simultaneous: bool,
    n_resamples: object,
    rng: object,
) -> Uncertainty:
    """Return the settings if they can be used."""
    roc = [name for name in RocAuc.intervals if name not in _LEFT_OUT]
    return Uncertainty(
        confidence_level=check_confidence_level(confidence_level),
        roc_method=None if roc_method is None else check_choice(roc_method, "roc_method", roc),
        pr_method=None if pr_method is None else check_choice(pr_method, "pr_method", PrAuc.intervals),
        simultaneous=bool(simultaneous),
        n_resamples=check_resamples(n_resamples),
        rng=None if rng is None else check_count(rng, "rng"),
    )


def unknown_weights(counts: Counts) -> bool:
    """Return whether a table has sums of weights only, of which no spread is known."""
    return counts._weighted and counts._weight_squares is None and not counts._counted


def _grid(total: float) -> FloatArray:
    rare = np.geomspace(max(1.0 / total, 1e-6), 0.01, 13)[:-1] if total > 100 else np.empty(0)
    return np.append(rare, np.linspace(0.01, 1.0, 100))


def plain_band(band: CurveBand, kept: Any = slice(None)) -> Band:
    """Return a band, or the kept places of it, as plain data."""
    x, low, high = (column[kept].tolist() for column in (band.x, band.low, band.high))
    return Band(x, low, high, band.confidence_level, band.method, band.simultaneous)


_METRICS = {name: name for name in ("recall", "fpr", "precision", "npv", "f1")} | {"alertRate": "alert_rate"}
_MOST_PLACES = 200
_MOST_PLACES_OF_CLUSTERS = 60


def worth_of(counts: Counts, thresholds: list[float]) -> Worth | bool | None:
    """Return the worth of a unit of weight at some of the thresholds drawn, by metric.

    None if rows count alike and are independent; False if the squares of weights are not known.
    """
    if counts._independent and (not counts._weighted or counts._counted):
        return None
    if unknown_weights(counts):
        return False
    most = _MOST_PLACES if counts._clusters is None else _MOST_PLACES_OF_CLUSTERS
    places = np.unique(np.linspace(0, len(thresholds) - 1, min(most, len(thresholds))).astype(np.intp)).tolist()
    return Worth(
        places, {key: [_worth(counts, thresholds[at], name) for at in places] for key, name in _METRICS.items()}
    )


def known(counts: Counts) -> bool:
    """Return whether rows are independent, and weights tell what they are worth."""
    return counts._clusters is None and not unknown_weights(counts)


def _worth(counts: Counts, threshold: float, name: str) -> float:
    """Return the rows of equal weight that a unit of weight counts for in one proportion."""
    metric, sample = find(name), cell_sample(counts, threshold)
    assert sample is not None  # noqa: S101  # tables of plain rows were left out
    tp, fp = (float(column[0]) for column in counts._counts_at([threshold]))
    cells = Matrix(tp, fp, float(counts.n_pos) - tp, float(counts.n_neg) - fp)
    yes, no = (("tp",), ("fp", "fn")) if metric.share is None else metric.share
    part, rest = (sum(getattr(cells, one) for one in names) for names in (yes, no))
    if not part + rest > 0.0:
        return 1.0
    if sample.rows is not None and metric.free and sample.independent:
        rows = Matrix(*sample.rows)
        return float(sum(getattr(rows, one) for one in (*yes, *no)) / (part + rest))
    typical = Matrix(*sample.typical)
    means = [_mean(cells, typical, names) for names in (yes, no)]
    scale = 1.0
    if sample.clusters is not None and sample.cluster_rows is not None:
        scale = cluster_scale(metric, cells, sample.clusters, sample.cluster_rows, typical=typical)
    return float((part + rest) / (means[0] * rest + means[1] * part) * scale)


def _mean(cells: Matrix, typical: Matrix, names: tuple[str, ...]) -> float:
    """Return the typical weight of a row in some cells together; the largest one if they are empty."""
    total = sum(getattr(cells, one) for one in names)
    if not total > 0.0:
        return float(max(getattr(typical, one) for one in names))
    return float(sum(getattr(cells, one) * getattr(typical, one) for one in names) / total)
