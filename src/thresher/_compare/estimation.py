"""Estimates with their covariance: of tables, or of models on the same rows, or on rows that each saw a part of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from thresher._compare.estimates import Estimates, MomentSource
from thresher._compare.pair_tests import effort_of
from thresher._compare.paired_rows import FEW, PairedRows, own_influence, read_rows, row_influences
from thresher._compare.replicates import bootstrap_values
from thresher._core.checks import check_choice, show, warn
from thresher._inference.bootstrap import Resampling
from thresher._inference.sampling import (
    Cases,
    Censored,
    Clustered,
    Influence,
    Moments,
    Stratum,
    check_weights,
    clusters_of,
    sampling_of,
    strata_of,
)
from thresher._table import Counts, outcome_from
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.typing import ArrayLike, FloatArray


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
    return measure.needed_influence(table, "`th.estimates(y_true, {'model': y_score}, metrics=[...])` resamples rows.")


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
            f"are rough too. Hint: collect at least {FEW}.",
            weight=0,
        )


_DESIGNS = ("random", "fixed")


def estimates(
    y_true: ArrayLike | None,
    y_scores: Mapping[str, ArrayLike],
    *,
    metrics: Sequence[str | Measure] = ("roc_auc",),
    seen: Mapping[str, ArrayLike] | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    design: str = "random",
    resampling: Resampling | None = None,
    **options: Any,
) -> Estimates:
    """Return several metrics of several models on the same rows, with their covariance.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as for `Scores`.
    y_scores : mapping of str to array-like of shape (n,), or dataframe
        The scores of each model by its name; row r of all of them is the same case.
    metrics : sequence of str or Measure, default=("roc_auc",)
        Names of `thresher.measures.names()`, or objects of `thresher.measures`.
    seen : mapping of str to array-like of bool, optional
        Which rows a model scored, for models that did not score all; its scores of other rows are not looked at. Which
        rows those are must not depend on the scores.
    pos_label : object, optional
        The label of the positive class.
    sample_weight, frequency, cluster : array-like of shape (n,), optional
        As for `Scores`.
    design : {"random", "fixed"}
        Whether the number of positives was left to chance or set by the study.
    resampling : Resampling, optional
        How resamples are drawn, for metrics without influence values.
    **options
        Options of the metrics, and of resampling (`n_resamples`, `rng`). For an outcome in time, with None for
        `y_true`: `time`, `event` and `at` (the horizon), and what `Scores.at_time` takes beside.

    Returns
    -------
    Estimates
        Called by model, or ``"model:metric"`` if there are several metrics.

    Warns
    -----
    ThresherWarning
        When a class has fewer than ten cases, or clusters are few.

    See Also
    --------
    compare : Tests between models by one metric, with more methods.
    Scores.measure : A list of metrics of one model.

    Notes
    -----
    Metrics that are not smooth in the counts have no influence values. If one of them is asked for, all covariances are
    those of bootstrap resamples, and tests use the normal distribution.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.estimates(data.y_true, data.models, metrics=["roc_auc", "average_precision"])
    >>> found
    4 estimates, 95% intervals
      logistic:roc_auc            0.975 (0.959 to 0.985)
      tree:roc_auc                0.879 (0.842 to 0.909)
      logistic:average_precision  0.871 (0.827 to 0.904)
      tree:average_precision      0.607 (0.523 to 0.684)
    >>> found.difference("logistic:roc_auc", "tree:roc_auc").pvalue < 1e-6
    True
    """
    how = Resampling._taken_from(options, resampling)
    kind = check_choice(design, "design", _DESIGNS)
    outcome = outcome_from(options, y_true, sample_weight=sample_weight, cluster=cluster, frequency=frequency)
    measures = measured(metrics, options)
    if outcome is not None and kind != "random":
        raise InvalidInputError(
            "`design` must be 'random' with `time`: how many cases there are at a horizon is left to chance; got "
            f"{kind!r}. Hint: leave `design` out."
        )
    if outcome is not None and seen is not None:
        raise InvalidInputError("`seen` must not be given beside `time`. Hint: pass rows that every model scored.")
    rows = read_rows(
        y_true,
        y_scores,
        pos_label=pos_label,
        sample_weight=sample_weight,
        frequency=frequency,
        cluster=cluster,
        outcome=outcome,
        seen=seen,
        several=False,
    )
    tables = [rows.counts(model) for model in range(len(rows.names))]
    check_weights(tables[0])
    warn_few_cases(tables)
    values = np.array([measure.estimate(table).value for measure, table in product(measures, tables)])
    for (measure, name), found in zip(product(measures, rows.names), values.tolist(), strict=True):
        if not np.isfinite(found):
            raise UndefinedMetricError(
                f"{measure.title!r} must have a finite value for each model; {name!r} has {found:g}. "
                "Hint: leave that metric out, or choose another threshold."
            )
    moments = _moments(rows, tables, measures, kind, how)
    names = rows.names
    if len(measures) > 1:
        names = tuple(f"{name}:{short(measure, measures)}" for measure, name in product(measures, rows.names))
    each = [measure for measure in measures for _ in tables]
    return made(names, values, each, tables * len(measures), moments)


def paired_estimates(rows: PairedRows, tables: Sequence[Counts], measure: Measure, values: FloatArray) -> Estimates:
    """Return one metric of models on the same rows; the covariance is found when it is needed."""
    source = partial(_moments, rows, tables, (measure,))
    return made(rows.names, values, [measure] * len(tables), tables, None, source)


def _moments(
    rows: PairedRows,
    tables: Sequence[Counts],
    measures: Sequence[Measure],
    design: str = "random",
    how: Resampling | None = None,
) -> Moments:
    """Return the covariance of every metric of every model: from influence values if all have them."""
    if not all(smooth(measure, table) for measure, table in product(measures, tables)):
        return _resampled(rows, tables, measures, how or Resampling(rng=0))
    if rows.outcomes is not None:  # whose weights are estimated
        return rows.sampling.moments([one for measure in measures for one in row_influences(rows, measure, tables)])
    code = None if rows.cluster is None else np.unique(rows.cluster, return_inverse=True)[1].reshape(-1)
    weight = None if rows.weight is None else rows.weight.astype(np.float64)
    cases = Cases(rows.positive.size if code is None else int(code.max()) + 1, code)
    columns = []
    for measure, model in product(measures, range(len(tables))):
        table, seen = tables[model], None if rows.seen is None else rows.seen[model]
        taken = slice(None) if seen is None else seen
        own = rows.positive[taken]
        plain = weight is None and code is None and table._weight_squares is None
        influence, odds = own_influence(measure, table, rows.scores[model][taken], own, plain=plain)
        columns.append(
            cases.values(
                influence,
                own,
                None if weight is None else weight[taken],
                odds=odds,
                rows=None if seen is None else np.flatnonzero(seen),
                classes=own.astype(np.intp) if design == "fixed" else None,
            )
        )
    matrix = np.stack(columns, axis=1)
    if code is not None:
        strata = strata_of(matrix, None, (float(cases.size),))
    else:
        each = np.ones(rows.positive.size) if weight is None else weight
        sides = (rows.positive, ~rows.positive)
        worth = [float(each[side].sum() ** 2 / max((each[side] ** 2).sum(), 1e-300)) for side in sides]
        strata = strata_of(matrix, (~rows.positive).astype(np.intp), worth)
    return Moments(np.asarray(sum(one.covariance for one in strata)), strata)


def _resampled(rows: PairedRows, tables: Sequence[Counts], measures: Sequence[Measure], how: Resampling) -> Moments:
    """Return the covariance of resamples, which draw the same cases for every metric."""
    if rows.seen is not None:
        rough = next(one for one in measures if not smooth(one, tables[0]))
        raise InvalidInputError(
            f"{rough.title!r} has no influence values, so models must be scored on all rows; `seen` leaves some out. "
            "Hint: leave that metric out, or keep only rows that every model scored."
        )
    drawn = [bootstrap_values(rows, tables, one, effort_of(how), stratified=how.stratified) for one in measures]
    found = np.concatenate(drawn, axis=1)
    if not np.isfinite(found).all():
        raise UndefinedMetricError(
            "Some resamples have no finite value of a metric, so there is no covariance. "
            "Hint: leave that metric out, or collect more cases."
        )
    return Moments(np.atleast_2d(np.cov(found, rowvar=False)), ())
