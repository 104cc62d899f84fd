"""Counting what need not fit in memory: files, streams and tables that live elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from thresher._core.checks import show
from thresher._facade.measured_groups import GroupFigures, named_measures
from thresher._facade.scores import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure

__all__ = ["scan"]

Progress = Callable[[int, int | None], object]
_NEEDED = ("y_true", "y_score")


@overload
def scan(
    source: Any,
    *,
    y_true: str = ...,
    y_score: str = ...,
    pos_label: object = ...,
    sample_weight: str | None = ...,
    frequency: str | None = ...,
    cluster: str | None = ...,
    by: None = ...,
    max_points: int = ...,
    memory: int | str = ...,
    progress: Progress | None = ...,
) -> Scores: ...


@overload
def scan(
    source: Any,
    *,
    y_true: str = ...,
    y_score: str = ...,
    pos_label: object = ...,
    sample_weight: str | None = ...,
    frequency: str | None = ...,
    cluster: str | None = ...,
    by: str,
    max_points: int = ...,
    memory: int | str = ...,
    progress: Progress | None = ...,
) -> dict[Any, Scores]: ...


@overload
def scan(
    source: Any,
    *,
    y_true: str = ...,
    y_score: str = ...,
    pos_label: object = ...,
    sample_weight: str | None = ...,
    frequency: str | None = ...,
    cluster: str | None = ...,
    by: str,
    measures: str | Measure | Sequence[str | Measure],
    max_points: int = ...,
    memory: int | str = ...,
    progress: Progress | None = ...,
) -> Any: ...


def scan(
    source: Any,
    *,
    y_true: str = "y_true",
    y_score: str = "y_score",
    pos_label: object = None,
    sample_weight: str | None = None,
    frequency: str | None = None,
    cluster: str | None = None,
    by: str | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    max_points: int = 1_000_000,
    memory: int | str = "256MiB",
    progress: Progress | None = None,
) -> Any:
    """Count labels and scores that need not fit in memory, exactly.

    Parameters
    ----------
    source : path, list of paths, dataset, table, frame, relation or batches
        Parquet, CSV (any delimiter, gzip too), Arrow (Feather), JSON or NPZ files, folders of them, or patterns such as
        ``"scores/*.parquet"``, each known by its first bytes, else by its name; names that begin with a dot or an
        underscore are passed over in folders, and folders such as ``day=2026-01-01`` are columns. The address of a
        file, folder or pattern elsewhere, as in ``"s3://bucket/scores"``, or a list of them in one store, with
        credentials from the environment. An open binary file
        of Parquet. A pyarrow dataset, scanner, Parquet file, record batch reader or table; a polars LazyFrame; a Dask
        frame; a DuckDB relation; an Ibis table or a Spark DataFrame, which is counted where it lives (rows of a DuckDB
        in this process are counted here); anything with ``__arrow_c_stream__``; or an iterable of batches: record
        batches, or tuples of arrays ``(labels, scores)``, then weights, frequencies and clusters where they are named.
    y_true, y_score : str
        Names of columns; not used for tuples of arrays. Scores are larger for more positive cases; +inf and -inf are
        legal. Rows with NaN or NULL are refused, never dropped.
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
    by : str, optional
        Name of a column; each of its values gets Scores of its own, and rows without a value those of the key None.
    measures : str, Measure or sequence of them, optional
        With `by`: measure every group instead of returning its Scores, which are not kept, however many there are.
    max_points : int, default=1_000_000
        How many distinct scores to keep. Up to so many the result has all of them, as if it were counted in memory.
        Beyond, it keeps points that are spread evenly over both classes and the vertices of the convex hull, with exact
        counts at each; AUC-ROC, average precision, the interpolated AUC-PR and DeLong's interval are still those of
        all scores, and other areas have an `error_bound`.
    memory : int or str, default="256MiB"
        Bytes to use, about, as a number or with a unit; the library that reads the source needs some more. Rows beyond
        it wait in a private temporary folder (in `TMPDIR`), which is removed in any case.
    progress : callable, optional
        Called with (rows done, rows in all) after each batch; the second is None where it is not known.

    Returns
    -------
    Scores, dict of Scores by group, or pyarrow.Table
        With `measures` a table with one row for each group: `group`, `n_pos`, `n_neg`, and for each measure a column of
        its name and one of standard errors, which ends in ``_se``; NULL where a group does not define them. Errors
        without a formula are those of the bootstrap with a fixed seed. Otherwise
        the same for any order, partition and number of batches, threads and bytes of memory.

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
    wanted = None if measures is None else _wanted(measures, by)
    names = _column_names(
        y_true=y_true,
        y_score=y_score,
        sample_weight=sample_weight,
        frequency=frequency,
        cluster=cluster,
        by=by,
    )
    figures = None if wanted is None else GroupFigures(wanted)
    found = _scanned(
        source, names, figures, pos_label=pos_label, max_points=max_points, memory=memory, progress=progress
    )
    return found if figures is None else figures.table(*found, whole=sample_weight is None)


def _wanted(measures: str | Measure | Sequence[str | Measure], by: str | None) -> dict[str, Measure]:
    """Return the measures of every group by name."""
    wanted = named_measures(measures)
    if by is None:
        raise InvalidInputError(
            "`measures` must come with `by`; got none. Hint: without `by` measure the Scores: "
            '`th.scan(...).measure("roc_auc")`.'
        )
    return wanted


def _column_names(**given: Any) -> dict[str, str]:
    """Return the columns that are named, by what they hold."""
    names = {argument: name for argument, name in given.items() if name is not None or argument in _NEEDED}
    for argument, name in names.items():
        if not isinstance(name, str):
            raise InvalidTypeError(f"`{argument}` must be the name of a column; got {show(name)}.")
    if names["y_true"] == names["y_score"]:
        raise InvalidInputError(
            f"`y_true` and `y_score` must be different columns; got {show(names['y_true'])} for both. "
            "Hint: the first holds labels, the second scores."
        )
    return names


def _scanned(
    source: Any,
    names: dict[str, str],
    figures: GroupFigures | None,
    *,
    pos_label: object,
    max_points: int,
    memory: int | str,
    progress: Progress | None,
) -> Any:
    """Return the table of a source or those of its groups, or the groups and what `figures` says of each."""
    if _lives_elsewhere(source):
        from thresher._read import local_rows, scan_table  # loaded only when something is scanned

        here = local_rows(source, names)
        if here is None:
            return scan_table(
                Scores,
                source,
                **names,
                pos_label=pos_label,
                max_points=max_points,
                progress=progress,
                figures=figures,
            )
        source = here
    from thresher._read import scan_rows  # loaded only when something is scanned

    return scan_rows(
        Scores,
        source,
        names=names,
        pos_label=pos_label,
        max_points=max_points,
        memory=memory,
        progress=progress,
        figures=figures,
    )


def _lives_elsewhere(source: Any) -> bool:
    """Return whether a source is an Ibis table or a Spark DataFrame, without importing either."""
    return any(
        kind.__module__.partition(".")[0] in ("ibis", "pyspark") and kind.__name__ in ("Table", "DataFrame")
        for kind in type(source).__mro__
    )
