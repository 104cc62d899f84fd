"""Several metrics of several models on the same rows, or on rows of which each model saw a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._compare.estimate_tables import made, measured, short, smooth, warn_few_cases
from thresher._compare.estimates import Estimates
from thresher._compare.influences import own_influence, row_influences
from thresher._compare.paired_replicates import Effort, bootstrap_values
from thresher._compare.paired_rows import PairedRows, as_models, read_rows, score_column
from thresher._core.arrays import as_frequency, as_labels, as_vector, as_weights, unequal
from thresher._core.checks import check_choice
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import Resampling
from thresher._inference.sampling import Cases, Moments, check_weights, strata_of
from thresher._table import Counts, all_equal, as_clusters, outcome_from
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure
from thresher.typing import ArrayLike, BoolArray, FloatArray

__all__ = ["ModelRows", "estimates", "paired_estimates", "row_estimates"]

_DESIGNS = ("random", "fixed")


class ModelRows(NamedTuple):
    """One model on the rows that it saw."""

    name: str
    table: Counts
    scores: NDArray[Any]
    rows: NDArray[np.intp] | None


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
      logistic:roc_auc            0.9751 (0.9592 to 0.9848)
      tree:roc_auc                0.8794 (0.842 to 0.9089)
      logistic:average_precision  0.8705 (0.8268 to 0.9045)
      tree:average_precision      0.6068 (0.5235 to 0.6844)
    >>> found.difference("logistic:roc_auc", "tree:roc_auc").pvalue < 1e-6
    True
    """
    how = Resampling._taken_from(options, resampling)
    kind = check_choice(design, "design", _DESIGNS)
    outcome = outcome_from(options, y_true, sample_weight=sample_weight, cluster=cluster, frequency=frequency)
    measures = measured(metrics, options)
    if outcome is not None:
        if seen is not None:
            raise InvalidInputError("`seen` must not be given beside `time`. Hint: pass rows that every model scored.")
        return _of_outcome(read_rows(y_true, as_models(y_scores, least=1), outcome=outcome), measures, kind, how)
    models = as_models(y_scores, least=1)
    positive = as_labels(y_true, pos_label)
    size = positive.size
    weight = None if sample_weight is None else as_weights(sample_weight, size, beside="y_true").astype(np.float64)
    members = None if cluster is None else as_clusters(cluster, size)
    kept = np.arange(size)
    if frequency is not None:
        kept = np.repeat(kept, as_frequency(frequency, size, beside="y_true").astype(np.intp))
    if weight is not None:
        kept = kept[weight[kept] > 0.0]
        weight = None if all_equal(weight[kept]) else weight[kept]
    members = None if members is None else members[kept]
    columns = []
    for name, given in models.items():
        rows, scores = _column(name, given, y_true, size, seen)
        inside = np.ones(kept.size, dtype=np.bool_) if rows is None else rows[kept]
        own = np.flatnonzero(inside)
        table = Counts(
            positive[kept[own]],
            scores[kept[own]],
            sample_weight=None if weight is None else weight[own],
            cluster=None if members is None else members[own],
        )
        columns.append(ModelRows(name, table, scores[kept[own]], None if rows is None else own))
    return row_estimates(positive[kept], columns, measures, weight, members, kind, how)


def _of_outcome(rows: PairedRows, measures: Sequence[Measure], design: str, how: Resampling) -> Estimates:
    """Return the estimates of models of an outcome in time."""
    columns = [
        ModelRows(name, rows.counts(model), scores, None)
        for model, (name, scores) in enumerate(zip(rows.names, rows.scores, strict=True))
    ]
    if rows.outcomes is None:  # nothing is censored before the horizon
        weight = None if rows.weight is None else rows.weight.astype(np.float64)
        return row_estimates(rows.positive, columns, measures, weight, rows.cluster, design, how)
    tables = [one.table for one in columns]
    if all(smooth(measure, table) for measure in measures for table in tables):
        moments = rows.sampling.moments([one for measure in measures for one in row_influences(rows, measure, tables)])
    else:
        moments = _resampled(rows, tables, measures, how)
    return _made(columns, measures, moments)


def _column(
    name: str, given: ArrayLike, y_true: ArrayLike, size: int, seen: Mapping[str, ArrayLike] | None
) -> tuple[BoolArray | None, NDArray[Any]]:
    """Return which rows a model saw, None for all, and its scores."""
    if seen is None or name not in seen:
        return None, score_column(name, given, y_true, size)
    mask = as_vector(seen[name], f"seen[{name!r}]")
    if mask.size != size:
        raise unequal(f"seen[{name!r}]", mask.size, "y_true", size)
    if mask.dtype.kind not in "biuf" or not np.isin(mask, (0, 1)).all():
        raise InvalidInputError(f"`seen[{name!r}]` must hold True and False; got dtype {mask.dtype}.")
    rows = mask.astype(np.bool_)
    column = np.array(given)
    if column.shape != (size,):
        raise unequal(f"y_scores[{name!r}]", len(column), "y_true", size)
    if not rows.any():
        raise InvalidInputError(f"`seen[{name!r}]` must hold a row; got none.")
    column[~rows] = column[rows][0]
    return rows, score_column(name, column, y_true, size)


def row_estimates(
    positive: BoolArray,
    columns: Sequence[ModelRows],
    measures: Sequence[Measure],
    weight: FloatArray | None,
    members: NDArray[Any] | None,
    design: str,
    how: Resampling,
) -> Estimates:
    """Return the estimates of models on rows, metric by metric."""
    moments = _row_moments(positive, columns, measures, weight, members, design, how)
    return _made(columns, measures, moments)


def _made(columns: Sequence[ModelRows], measures: Sequence[Measure], moments: Moments) -> Estimates:
    """Return the estimates of models on rows, with their names."""
    tables = [one.table for one in columns]
    check_weights(tables[0])
    warn_few_cases(tables)
    pairs = [(measure, one) for measure in measures for one in columns]
    values = np.array([measure.estimate(one.table).value for measure, one in pairs])
    _refuse_undefined(pairs, values)
    names = tuple(f"{one.name}:{short(measure, measures)}" for measure, one in pairs)
    if len(measures) == 1:
        names = tuple(one.name for one in columns)
    return made(names, values, [measure for measure, _ in pairs], [one.table for _, one in pairs], moments)


def paired_estimates(rows: PairedRows, tables: Sequence[Counts], measure: Measure, values: FloatArray) -> Estimates:
    """Return one metric of models on the same rows; the covariance is found when it is needed."""
    columns = tuple(
        ModelRows(name, table, scores, None)
        for name, table, scores in zip(rows.names, tables, rows.scores, strict=True)
    )
    if rows.outcomes is not None and all(smooth(measure, table) for table in tables):
        return made(
            rows.names, values, [measure] * len(tables), tables, None, partial(_moments_in_time, rows, tables, measure)
        )
    weight = None if rows.weight is None else rows.weight.astype(np.float64)
    source = partial(
        _row_moments, rows.positive, columns, (measure,), weight, rows.cluster, "random", Resampling(rng=0)
    )
    return made(rows.names, values, [measure] * len(tables), tables, None, source)


def _moments_in_time(rows: PairedRows, tables: Sequence[Counts], measure: Measure) -> Moments:
    """Return the covariance of an outcome in time, whose weights are estimated."""
    return rows.sampling.moments(row_influences(rows, measure, tables))


def _row_moments(
    positive: BoolArray,
    columns: Sequence[ModelRows],
    measures: Sequence[Measure],
    weight: FloatArray | None,
    members: NDArray[Any] | None,
    design: str,
    how: Resampling,
) -> Moments:
    """Return the covariance of every metric of every model: from influence values if all have them."""
    pairs = [(measure, one) for measure in measures for one in columns]
    if not all(smooth(measure, one.table) for measure, one in pairs):
        _refuse_parts(columns, measures)
        names, scores = tuple(one.name for one in columns), tuple(one.scores for one in columns)
        rows = PairedRows(positive, names, scores, weight, members)
        return _resampled(rows, [one.table for one in columns], measures, how)
    code = None if members is None else np.unique(members, return_inverse=True)[1].reshape(-1)
    if code is not None and int(code.max()) + 1 == positive.size:
        code = None  # each row is a cluster of its own
    return _moments(positive, pairs, weight, code, design)


def _moments(
    positive: BoolArray,
    pairs: Sequence[tuple[Measure, ModelRows]],
    weight: FloatArray | None,
    code: NDArray[np.intp] | None,
    design: str,
) -> Moments:
    """Return the covariance from the values of cases."""
    cases = Cases(positive.size if code is None else int(code.max()) + 1, code)
    columns = []
    for measure, one in pairs:
        rows = slice(None) if one.rows is None else one.rows
        own = positive[rows]
        influence, odds = own_influence(
            measure,
            one.table,
            one.scores,
            own,
            plain=weight is None and code is None and one.table._weight_squares is None,
        )
        columns.append(
            cases.values(
                influence,
                own,
                None if weight is None else weight[rows],
                odds=odds,
                rows=one.rows,
                classes=own.astype(np.intp) if design == "fixed" else None,
            )
        )
    matrix = np.stack(columns, axis=1)
    if code is not None:
        strata = strata_of(matrix, None, (float(cases.size),))
    else:
        each = np.ones(positive.size) if weight is None else weight
        worth = [float(each[side].sum() ** 2 / (each[side] ** 2).sum()) for side in (positive, ~positive)]
        strata = strata_of(matrix, (~positive).astype(np.intp), worth)
    return Moments(np.asarray(sum(one.covariance for one in strata)), strata)


def _refuse_parts(columns: Sequence[ModelRows], measures: Sequence[Measure]) -> None:
    """Refuse models that saw a part of the rows, for metrics without influence values."""
    if any(one.rows is not None for one in columns):
        rough = next(one for one in measures if not smooth(one, columns[0].table))
        raise InvalidInputError(
            f"{rough.title!r} has no influence values, so models must be scored on all rows; `seen` leaves some out. "
            "Hint: leave that metric out, or keep only rows that every model scored."
        )


def _resampled(rows: PairedRows, tables: Sequence[Counts], measures: Sequence[Measure], how: Resampling) -> Moments:
    """Return the covariance of resamples, which draw the same cases for every metric."""
    effort = Effort(how.n_resamples, stream_key(how.rng), how.batch_size, how.workers, how.progress)
    drawn = [bootstrap_values(rows, tables, measure, effort, stratified=how.stratified) for measure in measures]
    found = np.concatenate(drawn, axis=1)
    if not np.isfinite(found).all():
        raise UndefinedMetricError(
            "Some resamples have no finite value of a metric, so there is no covariance. "
            "Hint: leave that metric out, or collect more cases."
        )
    return Moments(np.atleast_2d(np.cov(found, rowvar=False)), ())


def _refuse_undefined(pairs: Sequence[tuple[Measure, ModelRows]], values: FloatArray) -> None:
    for (measure, one), found in zip(pairs, values.tolist(), strict=True):
        if not np.isfinite(found):
            raise UndefinedMetricError(
                f"{measure.title!r} must have a finite value for each model; {one.name!r} has {found:g}. "
                "Hint: leave that metric out, or choose another threshold."
            )
