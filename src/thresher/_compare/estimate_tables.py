"""Estimates from count tables: several metrics of one table, or one metric of several independent tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from thresher._compare.estimates import Estimates, MomentSource
from thresher._core.checks import show, warn
from thresher._inference.sampling import (
    Censored,
    Clustered,
    Influence,
    Moments,
    Stratum,
    check_weights,
    clusters_of,
    sampling_of,
)
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.typing import FloatArray

__all__ = [
    "independent_estimates",
    "made",
    "measured",
    "separate_moments",
    "share_clusters",
    "short",
    "smooth",
    "table_estimates",
    "warn_few_cases",
]

FEW = 10


def measured(metrics: Sequence[str | Measure], options: dict[str, Any]) -> list[Measure]:
    """Return the measures of a list, each with those of the options that it takes."""
    if isinstance(metrics, str | Measure):
        raise InvalidInputError(f"`metrics` must be a list; got {show(metrics)}. Hint: metrics=[{show(metrics)}].")
    found = [as_measure(one, **options) for one in metrics]
    if not found:
        raise InvalidInputError("`metrics` must name at least one metric. Hint: metrics=['roc_auc'].")
    if len({one.described() for one in found}) < len(found):
        raise InvalidInputError("`metrics` must be different metrics; one is there twice.")
    return found


def table_estimates(table: Counts, metrics: Sequence[str | Measure], options: dict[str, Any]) -> Estimates:
    """Return several metrics of one model with their covariance, from its count table."""
    measures = measured(metrics, options)
    check_weights(table)
    values = np.array([one.estimate(table).value for one in measures])
    moments = sampling_of(table).moments([influence_of(one, table) for one in measures])
    names = tuple(short(one, measures) for one in measures)
    warn_few_cases([table])
    return made(names, values, measures, [table] * len(measures), moments)


def independent_estimates(
    names: Sequence[str], tables: Sequence[Counts], measure: Measure, values: FloatArray
) -> Estimates:
    """Return one metric of samples that share no rows, and perhaps clusters; the covariance is found when needed."""
    source = partial(separate_moments, tuple(tables), measure)
    return made(tuple(names), values, [measure] * len(tables), tables, None, source)


def separate_moments(tables: tuple[Counts, ...], measure: Measure) -> Moments:
    """Return the covariance of a metric of several tables, which only clusters in several of them can make."""
    influences = [influence_of(measure, table) for table in tables]
    if share_clusters(tables):
        return _of_shared_clusters(tables, influences)
    designs = [sampling_of(table) for table in tables]
    covariance = np.zeros((len(tables), len(tables)))
    strata: list[Stratum] = []
    for i, (design, influence) in enumerate(zip(designs, influences, strict=True)):
        own = design.moments([influence])
        covariance[i, i] = own.covariance[0, 0]
        strata += [Stratum(size, np.array([i]), part) for size, _, part in own.strata]
    return Moments(covariance, tuple(strata))


def share_clusters(tables: Sequence[Counts]) -> bool:
    """Return whether some cluster has rows in several tables, which then are not independent."""
    labels = [table._clusters.labels for table in tables if table._clusters is not None]
    if len(labels) < len(tables):
        return False
    return np.unique(np.concatenate(labels)).size < sum(one.size for one in labels)


def _of_shared_clusters(tables: Sequence[Counts], influences: Sequence[Influence]) -> Moments:
    """Return the covariance of tables that hold rows of the same clusters."""
    designs = [sampling_of(table, shared=True) for table in tables]
    known = [one for one in designs if isinstance(one, Clustered | Censored)]  # all of them
    columns = [one.by_cluster(influence) for one, influence in zip(known, influences, strict=True)]
    every = np.unique(np.concatenate([labels for labels, _ in columns]))
    matrix = np.zeros((every.size, len(tables)))
    for i, (labels, values) in enumerate(columns):
        matrix[np.searchsorted(every, labels), i] = values
    covariance = matrix.T @ matrix
    return Moments(covariance, (Stratum(float(every.size), np.arange(len(tables)), covariance),))


def influence_of(measure: Measure, table: Counts) -> Influence:
    """Return influence values; a measure without them is refused."""
    check_weights(table)
    found = measure.influence(table)
    if found is None:
        raise InvalidInputError(
            f"{measure.title!r} has no influence values, so a table has no covariance of it. "
            "Hint: `th.estimates(y_true, {'model': y_score}, metrics=[...])` resamples rows."
        )
    return found


def made(
    names: tuple[str, ...],
    values: FloatArray,
    measures: Sequence[Measure],
    tables: Sequence[Counts],
    moments: Moments | None,
    source: MomentSource | None = None,
) -> Estimates:
    """Return estimates with what the tables are worth in cases of each class."""
    sizes = np.array([_worth(table) for table in tables], dtype=np.float64).reshape(-1, 2)
    return Estimates(names, values, tuple(measures), sizes[:, 0], sizes[:, 1], moments, source)


def _worth(table: Counts) -> tuple[float, float]:
    """Return how many independent cases each class is worth: with clusters, how many of them hold it."""
    if clusters_of(table) is not None:
        return sampling_of(table).effective
    return float(table.effective_pos), float(table.effective_neg)


def smooth(measure: Measure, table: Counts) -> bool:
    """Return whether a measure has influence values; those of ROC areas need not be computed to know it."""
    return measure == RocAuc() or measure.influence(table) is not None


def short(measure: Measure, measures: Sequence[Measure]) -> str:
    """Return the name of a measure, with its options if another one has the same."""
    alike = sum(one.title == measure.title for one in measures) > 1
    return measure.described() if alike else measure.title


def warn_few_cases(tables: Sequence[Counts]) -> None:
    """Warn where a class is too small to estimate its spread."""
    fewest = min(min(_worth(table)) for table in tables)
    if fewest < FEW:
        warn(
            f"The rarer class has {fewest:.3g} cases. Their variance is estimated roughly, so that intervals and tests "
            f"are rough too. Hint: collect at least {FEW}."
        )
