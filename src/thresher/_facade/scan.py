"""Counting what need not fit in memory: files, streams and tables that live elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from thresher._core.checks import require, show
from thresher._facade.scores import Scores
from thresher._read import column_names, model_columns, scanned
from thresher._read.scan import Progress
from thresher._table import ManyTables
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherError, ThresherWarning
from thresher.measures import Measure, as_measure
from thresher.typing import FloatArray


class _Others(TypedDict, total=False):
    """The arguments of `scan` that do not decide what it returns."""

    y_true: str
    pos_label: object
    sample_weight: str | None
    frequency: str | None
    cluster: str | None
    filter: Any
    max_points: int
    memory: int | str
    progress: Progress | None


_Names = Sequence[str] | Mapping[str, str]


@overload
def scan(source: Any, *, y_score: str = ..., by: None = ..., **others: Unpack[_Others]) -> Scores: ...
@overload
def scan(
    source: Any, *, y_score: str = ..., by: str | Sequence[str], **others: Unpack[_Others]
) -> dict[Any, Scores]: ...
@overload
def scan(
    source: Any, *, y_score: _Names, by: str | Sequence[str] | None = ..., **others: Unpack[_Others]
) -> dict[str, Any]: ...
@overload
def scan(
    source: Any,
    *,
    y_score: str | _Names = ...,
    by: str | Sequence[str],
    measures: str | Measure | Sequence[str | Measure],
    **others: Unpack[_Others],
) -> Any: ...
def scan(
    source: Any,
    *,
    y_true: str = "y_true",
    y_score: str | Sequence[str] | Mapping[str, str] = "y_score",
    pos_label: object = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    by: str | Sequence[str] | None = None,
    filter: Any = None,  # as the libraries that read call it
    measures: str | Measure | Sequence[str | Measure] | None = None,
    max_points: int = 1_000_000,
    memory: int | str = "256MiB",
    progress: Progress | None = None,
) -> Any:
    """Count labels and scores that need not fit in memory, exactly.

    Parameters
    ----------
    source : path, list of paths, dataset, table, frame, relation or batches
        Parquet, CSV (any delimiter, gzip too), Arrow (Feather), ORC, JSON or NPZ files, folders of them, or patterns
        such as ``"scores/*.parquet"``, each known by its first bytes, else by its name; names that begin with a dot or
        an underscore are passed over in folders, and folders such as ``day=2026-01-01`` are columns. The address of a
        file, folder or pattern elsewhere, as in ``"s3://bucket/scores"``, or a list of them in one store, with
        credentials from the environment. An open binary file of Parquet. A pyarrow dataset, scanner, Parquet file,
        record batch reader or table; a polars LazyFrame; a Dask frame; a DuckDB relation; an Ibis table or a Spark
        DataFrame, which is counted where it lives (rows of a DuckDB in this process are counted here); anything with
        ``__arrow_c_stream__``; or an iterable of batches: record batches, or tuples of arrays ``(labels, scores)``,
        then weights, frequencies and clusters where they are named.
    y_true : str
        Name of a column; not used for tuples of arrays. Rows with NaN or NULL are refused, never dropped.
    y_score : str, list of str or dict of str
        The column of scores; several, or a dict of columns by the name of their model, are counted while the source is
        read once. Scores are larger for more positive cases; +inf and -inf are legal.
    pos_label : object, optional
        The label of the positive class; needed unless labels are {0, 1}, {False, True} or {-1, 1}.
    sample_weight : str, optional
        Name of a column of sampling weights, of which only ratios count. Sums of floats are compensated, and areas
        agree with those of `Scores` to about 12 digits. For tuples of arrays any name.
    frequency : str, optional
        Name of a column that says how many identical independent rows each row stands for; counted exactly.
    cluster : str, optional
        Name of a column that says which rows belong together, such as the patient; the list of clusters is kept in
        memory. Not to be confused with `by`.
    by : str or list of str, optional
        Name of a column; each of its values gets Scores of its own, and rows without a value those of the key None.
        With several columns each of their combinations does; its key is a tuple.
    filter : object, optional
        Count only the rows for which this holds: a pyarrow expression for files, datasets and Arrow, which skips what
        the statistics of Parquet rule out; a polars expression for a LazyFrame; SQL text for relations and tables
        of engines.
    measures : str, Measure or sequence of them, optional
        With `by`: measure every group instead of returning its Scores, which are not kept, however many there are.
    max_points : int, default=1_000_000
        How many distinct scores to keep. Up to so many the result has all of them, as if it were counted in memory.
        Beyond, it keeps points that are spread evenly over both classes and the vertices of the convex hull, with exact
        counts at each; ROC AUC, average precision, the interpolated PR AUC and DeLong's interval are still those of
        all scores, and other areas have an `error_bound`.
    memory : int or str, default="256MiB"
        Bytes to use, about, as a number or with a unit; the library that reads the source needs some more. Rows beyond
        it wait in a private temporary folder (in `TMPDIR`), which is removed in any case.
    progress : callable, optional
        Called with (rows done, rows in all) after each batch; the second is None where it is not known.

    Returns
    -------
    Scores, dict of Scores by group, or pyarrow.Table
        With several columns of scores a dict of these by model. With `measures` a table with one row for each group:
        `group` (or the columns of `by`), `n_pos`, `n_neg`, and for each measure a column of its name and one of
        standard errors, which ends in ``_se``; NULL where a group does not define them. Errors without a formula are
        those of the bootstrap with a fixed seed. Otherwise the same for any order, partition and number of batches,
        threads and bytes of memory.

    Raises
    ------
    InvalidInputError
        For files that are missing or cannot be read, columns that do not exist, labels without `pos_label`, rows with
        missing values, and data without rows.
    SpillError
        When the temporary folder is full.

    See Also
    --------
    Scores.from_frame : Count a frame in memory.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import numpy as np, pyarrow as pa, pyarrow.parquet as pq
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(10_000) < 0.2).astype(np.int8)
    >>> table = pa.table({"label": y, "risk": rng.normal(size=y.size) + y, "site": rng.choice(["a", "b"], y.size)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "scores.parquet"
    ...     pq.write_table(table, path)
    ...     scores = th.scan(path, y_true="label", y_score="risk")
    ...     by_site = th.scan(path, y_true="label", y_score="risk", by="site")
    >>> scores == th.Scores(y, table["risk"])
    True
    >>> list(by_site), by_site["a"] + by_site["b"] == scores
    (['a', 'b'], True)

    Measures of every group:

    >>> batches = table.to_batches(max_chunksize=1000)
    >>> found = th.scan(batches, y_true="label", y_score="risk", by="site", measures=("roc_auc", "pr_auc"))
    >>> found.column_names
    ['group', 'n_pos', 'n_neg', 'roc_auc', 'roc_auc_se', 'pr_auc', 'pr_auc_se']
    >>> found["roc_auc"][0].as_py() == by_site["a"].roc_auc().value
    True

    Batches of arrays, keeping 100 points:

    >>> batches = ((y[i : i + 1000], table["risk"][i : i + 1000]) for i in range(0, y.size, 1000))
    >>> small = th.scan(batches, max_points=100)
    >>> len(small) <= 100, small.roc_auc().value == scores.roc_auc().value
    (True, True)
    """
    named = None if measures is None else _measures_by_name(measures, by)
    models = {"": y_score} if isinstance(y_score, str) else model_columns(y_score)
    names = column_names(
        y_true=y_true,
        y_score=list(models.values()),
        sample_weight=sample_weight,
        frequency=frequency,
        cluster=cluster,
        by=by,
    )
    figures = None if named is None else GroupFigures(named)
    tables = scanned(
        Scores,
        source,
        names,
        figures=figures,
        chosen=filter,
        pos_label=pos_label,
        max_points=max_points,
        memory=memory,
        progress=progress,
    )
    found = dict(zip(models, tables, strict=True))
    if figures is not None:
        found = {model: figures.table(*one, whole=sample_weight is None) for model, one in found.items()}
    return next(iter(found.values())) if isinstance(y_score, str) else found


def _measures_by_name(
    measures: str | Measure | Sequence[str | Measure], by: str | Sequence[str] | None
) -> dict[str, Measure]:
    """Return the measures of every group by name."""
    named = named_measures(measures)
    if by is None:
        raise InvalidInputError(
            "`measures` must come with `by`; got none. Hint: without `by` measure the Scores: "
            '`th.scan(...).measure("roc_auc")`.'
        )
    return named


def named_measures(measures: object) -> dict[str, Measure]:
    """Return the measures that are asked for by the names of their columns."""
    if isinstance(measures, str | Measure):
        measures = (measures,)
    if not isinstance(measures, Sequence) or not measures:
        raise InvalidTypeError(
            f"`measures` must be names of measures, or measures; got {show(measures)}. "
            'Hint: for example measures=("roc_auc", "pr_auc").'
        )
    out: dict[str, Measure] = {}
    for given in measures:
        measure = as_measure(given)
        name = given if isinstance(given, str) else measure.name
        if name in out:
            raise InvalidInputError(
                f"`measures` must have different names, which become columns; got {show(name)} twice. "
                "Hint: scan once for each, or use `by` alone and measure its Scores."
            )
        out[name] = measure
    return out


class GroupFigures:
    """What is asked of every group: a row of numbers, which are positives, negatives, then value and error by measure.

    NaN is what a group does not define: a class is missing, or too small for an error.
    """

    def __init__(self, measures: Mapping[str, Measure]) -> None:
        self._measures = measures
        self.width = 2 + 2 * len(measures)

    def one(self, scores: Scores) -> list[float]:
        """Return the row of a group."""
        found = [_measured(measure, scores) for measure in self._measures.values()]
        return [float(scores.n_pos), float(scores.n_neg), *(number for both in found for number in both)]

    def many(self, tables: ManyTables) -> FloatArray:
        """Return the rows of many groups: by the measures' own code for many where they have it."""
        out = np.empty((tables.ends.size, self.width))
        out[:, 0], out[:, 1] = tables.totals
        slow = {}
        for k, measure in enumerate(self._measures.values()):
            kernel = measure.kernel
            if kernel is None or kernel.many is None:
                slow[2 + 2 * k] = measure
            else:
                out[:, 2 + 2 * k], out[:, 3 + 2 * k] = kernel.many(tables)
        if slow:
            for row, scores in zip(out, tables.each(Scores), strict=True):
                for place, measure in slow.items():
                    row[place : place + 2] = _measured(measure, scores)
        return out

    def table(self, groups: Any, rows: FloatArray, *, whole: bool) -> Any:
        """Return rows as an Arrow table; `whole` says that positives and negatives are row counts."""
        arrow = require("pyarrow", extra="engines", purpose="A table of measures")
        counts = rows[:, :2].astype(np.int64) if whole else rows
        columns: dict[str, Any] = {"group": groups}
        if arrow.types.is_struct(groups.type):
            columns = dict(zip((field.name for field in groups.type), groups.flatten(), strict=True))
        for k, name in enumerate(("n_pos", "n_neg")):
            columns[name] = arrow.array(np.ascontiguousarray(counts[:, k]))
        for k, name in enumerate(self._measures):
            for place, column in ((2 + 2 * k, name), (3 + 2 * k, f"{name}_se")):
                columns[column] = arrow.array(np.ascontiguousarray(rows[:, place]), from_pandas=True)  # NaN is NULL
        return arrow.table(columns)


def _measured(measure: Measure, scores: Scores) -> tuple[float, float]:
    value = error = float("nan")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)  # what a group lacks is NULL in its row
            estimate = measure.estimate(scores)
            value = float(estimate)
            error = float(estimate.standard_error(rng=0))
    except ThresherError:  # a class is missing, or too small for an error
        pass
    return value, error
