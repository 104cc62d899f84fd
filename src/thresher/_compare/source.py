"""Tests between models whose rows need not fit in memory: files, frames, batches, and tables of engines."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from thresher._compare import row_sums
from thresher._compare.cells import tested_cells
from thresher._compare.comparison import Comparison, answered
from thresher._compare.estimates import Estimates
from thresher._compare.pair_tests import ComparisonTerms, PairTest, ask, check_cases, without_number
from thresher._compare.paired import MANY, analytic, warn_few
from thresher._compare.row_sums import CellSums, Lookup, RowSums, look_up, partition_sums
from thresher._compare.source_spread import (
    BatchValues,
    batch_numbers_of,
    batch_spread,
    class_moments,
    fewest,
    lookup_of,
    placement_slack,
    rows_by_group,
    spread_of,
)
from thresher._core.checks import OneWarning, check_count, show, warn
from thresher._core.counting import row_order
from thresher._core.threads import thread_count
from thresher._inference.bootstrap import Resampling
from thresher._inference.delong import rows_of
from thresher._inference.sampling import Moments
from thresher._read import Passes, column_names, model_columns, open_passes
from thresher._table import Counts, check_two_classes, is_at_least
from thresher.exceptions import InvalidInputError
from thresher.measures import Confusion, Measure, RocAuc, as_measure

_ANALYTIC = ("delong", "delong-t", "normal", "score", "mcnemar")
_FEWEST_POINTS = 10_000  # kept of the scores: influence values between them are then as good as known


def compare_source(
    source: Any,
    *,
    y_true: str = "y_true",
    y_score: Sequence[str] | Mapping[str, str],
    metric: str | Measure = "roc_auc",
    id: str | None = None,  # as the column is mostly called
    cluster: str | None = None,
    by: str | Sequence[str] | None = None,
    method: str | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    confidence_level: float = 0.95,
    pos_label: object = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    filter: Any = None,  # as the libraries that read call it
    batches: int | None = None,
    max_points: int = 1_000_000,
    memory: int | str = "256MiB",
    progress: Callable[[int, int | None], object] | None = None,
    **options: Any,
) -> Any:
    """Compare models on the same rows of a source that need not fit in memory.

    The source is read twice: once to count it, once to find how the models differ row by row.

    Parameters
    ----------
    source : path, list of paths, dataset, table, frame, relation or mapping
        As for `scan`, if it can be read twice. Or a dict of such sources by model, each with the rows of that model;
        rows are then paired by `id`, never by their position.
    y_true : str
        Name of the column of labels.
    y_score : list of str or dict of str
        The columns of scores, or a dict of columns by the name of their model.
    metric : str or Measure, default="roc_auc"
        What is compared.
    id : str, optional
        Name of the column that says which case a row is. It pairs the rows of several sources, each of which must have
        it once; with `method="batches"` it makes the answer independent of the order of the rows.
    cluster : str, optional
        Name of the column that says which rows belong together, such as the patient.
    by : str or list of str, optional
        Compare the models within each value of a column, or each combination.
    method : str, optional
        ``"delong"`` (the default for ``"roc_auc"``) and ``"normal"`` (for every smooth metric), ``"score"`` and
        ``"mcnemar"`` (metrics of the confusion matrix): as in `compare`, with the same result.
        ``"batches"`` (the default for the others, and possible for all): whole clusters are divided at random into up
        to 200 batches; the interval is Student's, from the differences of the batches.
    alternative, margin, confidence_level
        As in `compare`.
    pos_label, sample_weight, frequency, filter, max_points, memory, progress
        As in `scan`.
    batches : int, optional
        How many batches to make, at least 10; by default as many as leave 25 cases, or clusters, of the rarer class in
        each, and at most 200.
    **options
        Options of the metric.

    Returns
    -------
    Comparison, or dict of Comparison by group

    See Also
    --------
    compare : The same for arrays, with resampling and exchanges.
    scan : Count a source.

    Notes
    -----
    Up to `max_points` distinct scores of each model, the tests are those of `compare` to rounding. Beyond, the areas
    are still those of all scores; the influence of a row is that of the nearest kept point, and the standard error of
    the ROC area has the bound on what that changes added, about 1 / `max_points`.

    ``"batches"`` assumes that clusters (or rows) are drawn independently of each other, and that a batch has so many
    that the difference in a batch is close to normal. It has one degree of freedom less than batches, and fewer where
    batches are of unequal size.

    Examples
    --------
    >>> import numpy as np, pyarrow as pa
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(20_000) < 0.1
    >>> case = rng.normal(size=y.size)
    >>> table = pa.table({"y": y, "new": case + 1.3 * y + rng.normal(size=y.size), "old": case + 1.2 * y})
    >>> th.compare_source(table, y_true="y", y_score=["new", "old"])
    Comparison of roc_auc by delong (two-sided)
      new  0.7358
      old  0.7952
      new - old: -0.0594 [-0.0680, -0.0509], p = 2.14e-42
    """
    measure = as_measure(metric, **options)
    models = model_columns(y_score)
    if len(models) < 2:
        raise InvalidInputError(
            f"`y_score` must name at least two columns to compare; got {show(list(models))}. "
            "Hint: an interval for one model comes from `scan(...).roc_auc().confidence_interval()`."
        )
    most = check_count(max_points, "max_points", minimum=2)
    names = column_names(
        y_true=y_true,
        y_score=list(models.values()),
        sample_weight=sample_weight,
        frequency=frequency,
        cluster=cluster,
        by=by,
    )
    column_names(y_true=y_true, y_score="", id=id)  # refuses what is no name
    question = _asked(measure, method, alternative, confidence_level, margin)
    if batches is not None:
        batches = check_count(batches, "batches", minimum=10)
    opened = open_passes(
        source, names, models=models, key=id, chosen=filter, pos_label=pos_label, memory=memory, progress=progress
    )
    with OneWarning(), opened as passes:
        work = _Work(tuple(models), question, method is not None, passes, batches, plain=not (sample_weight or cluster))
        found = work.run(most)
    return found if by is not None else next(iter(found.values()))


def _asked(
    measure: Measure, method: str | None, alternative: object, confidence_level: object, margin: object
) -> ComparisonTerms:
    """Return the question, whose method is "batches" where no formula answers it."""
    known = [one for one in measure.tests if one in _ANALYTIC]
    if method in ("bootstrap", "permutation", "venkatraman"):
        raise InvalidInputError(
            f"`method` must not resample rows that are read batch by batch; got {method!r}. Hint: method='batches', or "
            "`th.compare` with the rows in memory."
        )
    usual = measure.test if measure.test in known else "normal" if "normal" in known else "batches"
    wanted = usual if method is None else method
    how = Resampling()
    checked: dict[str, Any] = {"alternative": alternative, "confidence_level": confidence_level, "margin": margin}
    if wanted == "batches":
        return replace(ask(measure, how, method="bootstrap", **checked), method="batches")
    return ask(measure, how, method=method, usual=usual, **checked)


class _SourceGroup(NamedTuple):
    """What is known of a group after the first pass: the tables of the models and their values."""

    tables: list[Counts]
    estimates: dict[str, float]
    bounds: list[float]
    question: ComparisonTerms
    lookups: list[Lookup] | None
    odds: list[float]


class _Work:
    """The passes of one call."""

    def __init__(
        self,
        names: tuple[str, ...],
        question: ComparisonTerms,
        asked: bool,
        passes: Passes,
        batches: int | None,
        *,
        plain: bool,
    ) -> None:
        self._names, self._question, self._asked = names, question, asked
        self._passes, self._batches, self._plain = passes, batches, plain

    def run(self, most: int) -> dict[Any, Comparison]:
        """Return the comparison of each group."""
        counted = self._passes.tables(most)
        groups = {key: self._looked_at([one[key] for one in counted]) for key in counted[0]}
        del counted
        sums = {key: one for key, group in groups.items() if (one := self._sums_of(group)) is not None}
        if sums:
            (self._add_rows if self._passes.workers is None else self._add_by_workers)(groups, sums)
        left = [key for key in groups if key not in sums]
        drawn = batch_numbers_of(self._passes, left, self._question.measure, self._batches)

        def answer(key: Any, group: _SourceGroup) -> Comparison:
            one = sums.get(key)
            if isinstance(one, CellSums):
                return self._cells(group, one)
            return self._drawn(group, drawn[key]) if one is None else self._rows(group, one)

        return {key: answer(key, group) for key, group in groups.items()}

    def _sums_of(self, group: _SourceGroup) -> CellSums | RowSums | None:
        """Return what is added up over the rows of a group; None for batches."""
        if group.question.method in ("score", "mcnemar"):
            return CellSums(len(self._names))
        return None if group.lookups is None else RowSums(len(self._names))

    def _looked_at(self, tables: list[Counts]) -> _SourceGroup:
        """Return the values of the models in a group, and how each row acts on them where a formula says so."""
        question, measure = self._question, self._question.measure
        check_two_classes(tables[0], measure.label)
        if self._plain:
            question = question.on(float(min(tables[0].n_pos, tables[0].n_neg)), asked=self._asked)
        elif question.method == "mcnemar":
            question = replace(question, method="score")
        if question.method == "score" and self._passes.workers is not None and self._passes.workers.clustered:
            question = replace(question, method="normal")  # whose sums over clusters are few numbers
        check_cases(question, *rows_of(tables[0]), weighted=not self._plain)
        found = [measure.estimate(table) for table in tables]
        estimates = {name: one.value for name, one in zip(self._names, found, strict=True)}
        bounds = [0.0 if math.isnan(one.error_bound) else one.error_bound for one in found]
        lookups, odds = None, []
        if question.method in ("delong", "delong-t", "normal"):
            influences = [measure.influence(table) for table in tables]
            if any(one is None for one in influences):
                if self._asked:
                    raise InvalidInputError(f"{measure.title!r} has no influence values. Hint: method='batches'.")
                question = replace(question, method="batches")
            else:
                self._check_points(tables, measure)
                lookups = [lookup_of(table, one) for table, one in zip(tables, influences, strict=True) if one]
                odds = [one.odds for one in influences if one]
        return _SourceGroup(tables, estimates, bounds, question, lookups, odds)

    @staticmethod
    def _check_points(tables: list[Counts], measure: Measure) -> None:
        fewest = min((len(table) for table in tables if not table._complete), default=_FEWEST_POINTS)
        if fewest < _FEWEST_POINTS and measure != RocAuc():
            raise InvalidInputError(
                f"`max_points` must keep at least {_FEWEST_POINTS:,} scores for the standard error of "
                f"{measure.title!r}; got {fewest:,}. Hint: raise `max_points`, or method='batches'."
            )

    def _add_rows(self, groups: dict[Any, _SourceGroup], sums: Mapping[Any, CellSums | RowSums]) -> None:
        """Read the source once more."""
        measure = self._question.measure
        with ThreadPoolExecutor(thread_count()) as pool:  # a model's rows are looked up by a thread
            for key, rows in rows_by_group(self._passes):
                lookups = groups[key].lookups
                if lookups is not None:
                    look = partial(look_up, positive=rows.positive, order=row_order)
                    values = list(pool.map(look, lookups, rows.models))
                elif key in sums and isinstance(measure, Confusion):
                    values = [is_at_least(model, measure.threshold) for model in rows.models]
                else:
                    continue
                sums[key].add(values, rows.positive, rows.weight, rows.times, rows.clusters)

    def _add_by_workers(self, groups: dict[Any, _SourceGroup], sums: Mapping[Any, CellSums | RowSums]) -> None:
        """Have the engine's workers read the rows, a group at a time."""
        workers, cut = self._passes.workers, self._question.measure.cut
        assert workers is not None  # noqa: S101  # for the type checker: the caller looked
        for key, one in sums.items():
            work = partition_sums(groups[key].lookups, cut, len(self._names))
            one.set_state(workers.summed(work, (row_sums,), key))

    def _rows(self, group: _SourceGroup, sums: RowSums) -> Comparison:
        """Return the comparison from sums over rows of influence values."""
        question = group.question
        values = np.array(list(group.estimates.values()))
        few = fewest(sums)
        warn_few(few)
        moments = class_moments(sums, values.size)
        by_class = question.method == "delong-t"
        variances, df = np.zeros((values.size, values.size)), math.inf
        for k, (i, j) in enumerate(sums.pairs):
            variance, df = spread_of(sums, k, group.odds[i] - group.odds[j])
            slack = sum(placement_slack(group.tables[m], sums) for m in (i, j)) if question.method != "normal" else 0.0
            variances[i, j] = variances[j, i] = (math.sqrt(variance) + slack) ** 2
        # Chi-square is too short for many models with some hundred cases still.
        joint = moments.joint_df if by_class or (self._plain and values.size > 2 and few < MANY) else None
        freedom = moments.df_between if by_class else partial(_constant, df)
        found = analytic(
            self._names, group.tables, values, variances, question, freedom, one_more=self._plain, joint_df=joint
        )
        return self._answer(group, *found)

    def _cells(self, group: _SourceGroup, sums: CellSums) -> Comparison:
        """Return the comparison of a metric of the confusion matrix, whose values the cells have exactly."""
        measure = group.question.measure
        assert isinstance(measure, Confusion)  # noqa: S101  # for the type checker: others have no such test
        cut = measure.threshold
        estimates = {}
        for model, name in enumerate(self._names):
            pos, neg = sums.calls_of(model)
            table = Counts.from_counts([cut, np.nextafter(cut, -math.inf)], pos, neg)
            estimates[name] = measure.estimate(table).value
        group = group._replace(estimates=estimates, bounds=[0.0] * len(estimates))
        values = np.array(list(estimates.values()))
        squares = [None if self._plain else one for one in sums.squares]
        clusters = [sums.of_clusters(k) for k in range(len(sums.pairs))]
        unknown = np.isfinite(values).all()
        with np.errstate(invalid="ignore" if not unknown else "warn"):
            figures, omnibus = tested_cells(
                self._names, group.question, values, list(sums.sums), squares, clusters, None
            )
        return self._answer(group, figures, omnibus)

    def _drawn(self, group: _SourceGroup, drawn: BatchValues) -> Comparison:
        """Return the comparison from the differences of batches."""
        question = replace(group.question, method="batches")
        values = np.array(list(group.estimates.values()))
        variances, df = np.zeros((values.size, values.size)), math.inf
        for i, j in combinations(range(values.size), 2):
            variances[i, j], df = batch_spread(drawn, i, j, question.measure)
            variances[j, i] = variances[i, j]
        freedom = partial(_constant, df)
        found = analytic(
            self._names, group.tables, values, variances, question, freedom, one_more=False, joint_df=freedom
        )
        return self._answer(group._replace(question=question), *found)

    def _estimates(self, group: _SourceGroup) -> Estimates:
        """Return the values of the models; only differences of them are read row by row."""
        sizes = np.array([(float(one.n_pos), float(one.n_neg)) for one in group.tables]).T
        values = np.array(list(group.estimates.values()))
        measures = (group.question.measure,) * values.size
        return Estimates(self._names, values, measures, sizes[0], sizes[1], None, _no_covariance)

    def _answer(self, group: _SourceGroup, figures: list[PairTest], omnibus: Any) -> Comparison:
        """Return the comparison of a group; what kept scores leave open is added to the intervals."""
        question = group.question
        out = []
        for (i, j), own in zip(combinations(range(len(self._names)), 2), figures, strict=True):
            unknown = without_number(question.measure, group.estimates, (self._names[i], self._names[j]))
            open_ = group.bounds[i] + group.bounds[j]
            out.append(unknown or own._replace(low=own.low - open_, high=own.high + open_))
        if any(bound > 0.0 for bound in group.bounds):
            warn(
                f"{question.measure.title!r} is known to {max(group.bounds):.2g} from the scores that were kept, which "
                "the intervals allow for. Hint: raise `max_points`."
            )
        return answered(question, self._estimates(group), group.tables, out, omnibus)


def _constant(number: float, *_: Any) -> float:
    return number


def _no_covariance() -> Moments:
    raise InvalidInputError(
        "Estimates of a source have no covariance, which takes all rows at once. "
        "Hint: `.pairs` has the differences, and `th.scan` gives each model's own interval."
    )
