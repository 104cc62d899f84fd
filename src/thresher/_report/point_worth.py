"""How many rows of equal weight the numbers at a threshold are worth, for the intervals that the page computes."""

from __future__ import annotations

import numpy as np

from thresher._cells import Matrix, cluster_scale, find
from thresher._report.plain_data import Worth
from thresher._report.uncertainty import unknown_weights
from thresher._table import Counts, cell_sample

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
