"""The spread of a difference of models that are read batch by batch: from sums over rows, or from batches of cases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from thresher._compare.row_sums import ClusterSums, Lookup, RowSums
from thresher._inference.sampling import Influence, Moments, Spread, Stratum, cluster_spread, row_spread
from thresher._read import GroupCodes, Passes, batch_numbers, group_keys
from thresher._table import Counts, ManyTables
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure
from thresher.measures._measure import lacks
from thresher.typing import BoolArray, FloatArray, IntArray, ScoreArray

MOST_BATCHES = 200
FEWEST_BATCHES = 10
CASES = 25
"""So many cases, or clusters, of the rarer class are in a batch."""


class BatchValues(NamedTuple):
    """The value of each model in each batch, and the weight of each class there."""

    values: FloatArray
    """Of shape (models, batches)."""
    pos: FloatArray
    neg: FloatArray


class _Figures:
    """What is asked of a batch: the value of a measure, and the weight of each class."""

    width = 3

    def __init__(self, measure: Measure) -> None:
        self._measure = measure

    def one(self, counts: Counts) -> list[float]:
        """Return the row of a batch; NaN for a value that is not defined."""
        value = np.nan if lacks(self._measure, counts) is not None else self._measure.of(counts._even)
        return [float(value), float(counts.n_pos), float(counts.n_neg)]

    def many(self, tables: ManyTables) -> FloatArray:
        """Return the rows of many batches."""
        return np.array([self.one(one) for one in tables.each(Counts)])


def batches_for(fewest: float) -> int:
    """Return into how many batches to divide a source whose rarer class has so many cases, or clusters."""
    found = min(int(fewest) // CASES, MOST_BATCHES)
    if found < FEWEST_BATCHES:
        raise InvalidInputError(
            f"`method='batches'` must have at least {FEWEST_BATCHES * CASES} cases, or clusters, of each class; got "
            f"{fewest:,.0f}. Hint: read the rows and use `th.compare`."
        )
    return found


def batch_numbers_of(
    passes: Passes, groups: Sequence[Any], measure: Measure, wanted: int | None
) -> dict[Any, BatchValues]:
    """Return the values of the batches of some groups, by two more passes: to count clusters, then to divide them."""
    if not groups:
        return {}
    if passes.workers is not None:
        return {key: _of_workers(passes.workers, key, measure, wanted) for key in groups}
    sizes = _fewest(passes, set(groups))
    batches = {key: batches_for(sizes[key]) if wanted is None else wanted for key in groups}
    codes = GroupCodes()
    seen: list[Any] = [None]
    first = count_of = 0

    def number_of(rows: Any) -> IntArray:
        nonlocal first, seen, count_of
        start, first = first, first + rows.size
        group = np.zeros(rows.size, dtype=np.int64) if rows.groups is None else codes.codes([rows.groups])
        if len(codes) > len(seen):
            seen = group_keys(codes.array())
        of = np.array([batches.get(key, 1) for key in seen])
        count_of = len(seen)
        return group.astype(np.int64) * MOST_STEP + batch_numbers(rows, start, of[group])

    found = passes.measured(number_of, _Figures(measure))
    out = {}
    for place in range(count_of):
        key = seen[place]
        if key not in batches:
            continue
        mine = [(numbers // MOST_STEP == place, rows) for numbers, rows in found]
        if not mine[0][0].any():
            continue
        rows = [rows[own] for own, rows in mine]
        out[key] = BatchValues(np.stack([one[:, 0] for one in rows]), rows[0][:, 1], rows[0][:, 2])
    return out


MOST_STEP = 1 << 20


def _of_workers(workers: Any, group: Any, measure: Measure, wanted: int | None) -> BatchValues:
    """Return the values of the batches of a group that lives in an engine."""
    batches = batches_for(workers.fewest(group)) if wanted is None else wanted
    found = workers.measured(batches, group, _Figures(measure))
    rows = [values[np.argsort(numbers)] for numbers, values in found]
    return BatchValues(np.stack([one[:, 0] for one in rows]), rows[0][:, 1], rows[0][:, 2])


class GroupRows(NamedTuple):
    """Some rows of a group: labels, the scores of each model, weights, numbers and clusters."""

    positive: BoolArray
    models: list[ScoreArray]
    weight: FloatArray | None
    times: IntArray | None
    clusters: Any


def rows_by_group(passes: Passes) -> Iterator[tuple[Any, GroupRows]]:
    """Read a source once more, its rows group by group."""
    codes = GroupCodes()
    keys: list[Any] = [None]
    for rows in passes.rows():
        number = np.zeros(rows.size, dtype=np.int32) if rows.groups is None else codes.codes([rows.groups])
        if len(codes) > len(keys):
            keys = group_keys(codes.array())
        for one in [0] if rows.groups is None else np.unique(number).tolist():
            own = slice(None) if rows.groups is None else np.flatnonzero(number == one)
            weight = None if rows.weight is None else rows.weight[own].astype(np.float64)
            times, clusters = (None if part is None else part[own] for part in (rows.times, rows.clusters))
            models = [column[own] for column in (rows.scores, *rows.others)]
            yield keys[one], GroupRows(rows.positive[own], models, weight, times, clusters)


def _fewest(passes: Passes, groups: set[Any]) -> dict[Any, float]:
    """Return how many independent rows or clusters the rarer class of each group has."""
    plain: dict[Any, FloatArray] = {}
    clusters: dict[Any, ClusterSums] = {}
    for key, rows in rows_by_group(passes):
        times = np.ones(rows.positive.size) if rows.times is None else rows.times.astype(np.float64)
        sides = np.stack([times * rows.positive, times * ~rows.positive])
        if rows.clusters is None:
            plain[key] = plain.get(key, np.zeros(2)) + sides.sum(axis=1)
        else:
            clusters.setdefault(key, ClusterSums(2)).add(rows.clusters, sides)
    for key, sums in clusters.items():
        plain[key] = (sums.sums() > 0.0).sum(axis=0).astype(np.float64)
    return {key: float(sides.min()) for key, sides in plain.items() if key in groups}


def batch_spread(drawn: BatchValues, i: int, j: int, measure: Measure) -> Spread:
    """Return the variance of the difference of two models from those of the batches.

    Notes
    -----
    Batch g has the difference D_g and the share m_g of the cases. The difference of all is close to the sum of
    m_g D_g, whose variance is estimated by G / (G - 1) times the sum of (m_g (D_g - mean))^2. Of independent normal
    deviations with variances v_g this has (sum v_g)^2 / sum v_g^2 - 1 degrees of freedom, at least: v_g is taken to
    grow with m_g^2, as it does where a batch has one large cluster.
    """
    differences = drawn.values[i] - drawn.values[j]
    if not np.isfinite(differences).all():
        lost = int(np.count_nonzero(~np.isfinite(differences)))
        raise UndefinedMetricError(
            f"{measure.title!r} must be defined in every batch; it is not in {lost} of {differences.size}. "
            "Hint: fewer `batches`."
        )
    size = {"pos": drawn.pos, "neg": drawn.neg, "either": drawn.pos + drawn.neg}.get(measure.classes)
    if size is None:
        size = drawn.pos * drawn.neg / (drawn.pos + drawn.neg)
    share = size / size.sum()
    away = share * (differences - float(share @ differences))
    spread = share**2
    df = float(spread.sum() ** 2 / (spread @ spread)) - 1.0
    return Spread(share.size / (share.size - 1.0) * float(away @ away), df)


def lookup_of(table: Counts, influence: Influence) -> Lookup:
    """Return the influence values of a table by rising score."""
    values = np.stack([influence.neg[::-1], influence.pos[::-1]], axis=1)
    return Lookup(np.ascontiguousarray(table.thresholds[::-1]), values)


def spread_of(sums: RowSums, pair: int, odds: float) -> Spread:
    """Return the variance of the difference of a pair of models; `odds` is how it moves with the class balance."""
    totals = float(sums.totals[0]), float(sums.totals[1])
    if sums.clusters is None:
        pos, neg = ((float(s), float(x), float(q)) for s, x, q in sums.sums[:, pair])
        return row_spread((pos, neg), totals, odds)
    found = cluster_spread(sums.products(pair), sums.clusters, totals, odds, "random")
    return found if sums.clusters[2] < int(sums.rows.sum()) else Spread(found.variance)  # each row its own cluster


def class_moments(sums: RowSums, models: int) -> Moments:
    """Return for each class covariances that give every difference of two models its variance."""
    strata = []
    for k in (0, 1):
        total = float(sums.totals[k])
        variance = np.zeros((models, models))
        for p, (i, j) in enumerate(sums.pairs):
            s, x, _ = sums.sums[k, p]
            variance[i, j] = variance[j, i] = (s - x * x / total) / (total * max(total - 1.0, 1e-300))
        covariance = (variance[0] + variance[0][:, None] - variance) / 2.0
        strata.append(Stratum(total, np.arange(models), covariance))
    return Moments(strata[0].covariance + strata[1].covariance, tuple(strata))


def fewest(sums: RowSums) -> float:
    """Return how many independent rows, or clusters, the rarer class has."""
    return float(sums.rows.min()) if sums.clusters is None else float(min(sums.clusters[:2]))


def placement_slack(table: Counts, sums: RowSums) -> float:
    """Return by how much the standard error of the ROC area can change where scores share a kept point.

    The placement of such a row is known to half of the opponents that share the point; the standard error is a norm of
    the placements, so it changes by no more than the norm of what they are off.
    """
    if table._complete:
        return 0.0
    several = table._highest_scores > table.thresholds
    most = [float(counts[several].max(initial=0)) / 2.0 for counts in (table.neg, table.pos)]
    shares = np.array([most[0] / float(table.n_neg), most[1] / float(table.n_pos)])
    if sums.clusters is None:
        return float(np.linalg.norm(shares * np.sqrt(sums.sums[:, 0, 2]) / sums.totals))
    mass = shares / sums.totals
    return math.sqrt(float(mass @ sums.products(0)[2:, 2:] @ mass))
