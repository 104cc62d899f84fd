"""Tables of counts of many groups in one Parquet file, which any engine can filter and add up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, overload

from thresher._core.checks import show
from thresher._core.files import as_path, written_whole
from thresher._core.optional import require
from thresher._facade.scores import Scores
from thresher._table import arrow_of, parts_of
from thresher.exceptions import InvalidInputError, InvalidTypeError

__all__ = ["load_counts", "save_counts"]

_PURPOSE = "Tables of counts in Parquet"
_ALL: Any = object()


def save_counts(tables: Scores | Mapping[Any, Scores], path: str | os.PathLike[str]) -> None:
    """Write the counts of one or many groups to one Parquet file.

    Parameters
    ----------
    tables : Scores, or mapping of group to Scores
        As `scan` with `by` gives them.
    path : str or path
        The file to write. Its columns are `group` (with a mapping), `score`, `highest` (the highest score that the row
        stands for), `pos` and `neg`, and with sampling weights `pos_squares` and `neg_squares`.

    See Also
    --------
    load_counts : Read such a file, or what an engine made of it.
    Scores.save : A file of one table, which also keeps clusters.

    Notes
    -----
    Rows with the same score add up: ``SELECT score, max(highest) AS highest, sum(pos) AS pos, sum(neg) AS neg FROM
    'day-*.parquet' GROUP BY score`` is the table of all days, in any engine.

    Examples
    --------
    >>> import tempfile
    >>> import thresher as th
    >>> sites = {"north": th.Scores([0, 1, 1], [1, 2, 3]), "south": th.Scores([0, 1], [1, 5])}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     th.save_counts(sites, f"{folder}/sites.parquet")
    ...     th.load_counts(f"{folder}/sites.parquet") == sites
    True
    """
    one = isinstance(tables, Scores)
    given: Mapping[Any, Scores] = {None: tables} if isinstance(tables, Scores) else tables
    if not isinstance(given, Mapping) or not all(isinstance(table, Scores) for table in given.values()):
        raise InvalidTypeError(
            f"`tables` must be Scores, or a mapping of groups to Scores; got a {type(tables).__name__}. "
            "Hint: `th.scan(..., by=...)` gives one."
        )
    if not given:
        raise InvalidInputError("`tables` must hold at least one group; got none.")
    parquet = require("pyarrow.parquet", extra="engines", purpose=_PURPOSE)
    table = arrow_of(given, grouped=not one)
    with written_whole(path) as temporary:
        parquet.write_table(
            table,
            temporary,
            compression="zstd",
            use_byte_stream_split=_split(table),
            use_dictionary=[name for name in table.column_names if name in ("group", "pos", "neg")],
        )


def _split(table: Any) -> list[str]:
    """Return the columns whose bytes compress when they are put in planes, which Parquet has for floats."""
    return [
        name
        for name in ("score", "highest", "pos_squares", "neg_squares")
        if name in table.column_names and str(table.schema.field(name).type) in ("float", "double")
    ]


@overload
def load_counts(path: str | os.PathLike[str]) -> dict[Any, Scores]: ...


@overload
def load_counts(path: str | os.PathLike[str], *, group: object) -> Scores: ...


def load_counts(path: str | os.PathLike[str], *, group: object = _ALL) -> Scores | dict[Any, Scores]:
    """Read the counts of many groups from a Parquet file.

    Parameters
    ----------
    path : str or path
        A file that `save_counts` wrote, or any with the columns `score`, `pos` and `neg`, and perhaps `group`,
        `highest`, `pos_squares` and `neg_squares`, such as an engine writes when it adds counts up. Rows with the same
        score are added.
    group : object, optional
        The group wanted; only its rows are read.

    Returns
    -------
    dict of Scores by group, or Scores
        A file without groups has one, None. Areas are those of all scores where the file's rows are those that were
        written; sums that an engine made of tables with `highest` above `score` have an `error_bound`.

    See Also
    --------
    save_counts : Write such a file.

    Examples
    --------
    >>> import tempfile
    >>> import thresher as th
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     th.save_counts({"north": th.Scores([0, 1, 1], [1, 2, 3])}, f"{folder}/sites.parquet")
    ...     th.load_counts(f"{folder}/sites.parquet", group="north").n_pos
    2
    """
    file = as_path(path)
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    parquet = require("pyarrow.parquet", extra="engines", purpose=_PURPOSE)
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    only = None
    if group is not _ALL:
        field = dataset.field("group")
        only = field.is_null() if group is None else field == group
    try:
        with parquet.ParquetFile(file) as opened:
            columns = opened.schema_arrow.names
        grouped = "group" in columns
        table = parquet.read_table(file, filters=only if grouped else None, partitioning=None)
        table.validate(full=True)
    except (OSError, ValueError, KeyError, MemoryError, arrow.ArrowException) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InvalidInputError(
            f"Cannot read {show(str(file), 200)}: {first}. Hint: it must be Parquet, as `th.save_counts` writes it; "
            "`.scores` files are read by `th.Scores.load`."
        ) from error
    found = {value: Scores._from_part(part) for value, part in parts_of(table) if part.score.size}
    if group is _ALL:
        return found
    wanted = group if grouped else None
    if wanted not in found:
        raise InvalidInputError(f"`group` must be one of the file's groups; got {show(group)}, which has no rows.")
    return found[wanted]
