"""Tables of counts of many groups in one Parquet file, which any engine can filter and add up."""

from __future__ import annotations

import glob
import io
import os
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, overload

from thresher._core.checks import require, show
from thresher._core.files import as_path, is_folder, is_there, opened_bytes, written_whole
from thresher._core.stores import is_address
from thresher._facade.scores import Scores
from thresher._read import find_files, remote_files
from thresher._table import COUNT_COLUMNS, arrow_of, parts_of
from thresher.exceptions import InvalidInputError, InvalidTypeError

_PURPOSE = "Tables of counts in Parquet"
_ALL: Any = object()
_TRIED = 1 << 17
_FLOATS = ("BYTE_STREAM_SPLIT", "PLAIN")
_ENCODINGS = {
    **dict.fromkeys(("float", "double"), _FLOATS),
    **dict.fromkeys(("int32", "int64"), ("DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT")),
}


def save_counts(
    tables: Scores | Mapping[Any, Scores],
    path: str | os.PathLike[str] | BinaryIO,
    *,
    by: str | Sequence[str] | None = None,
) -> None:
    """Write the counts of one or many groups to one Parquet file.

    Parameters
    ----------
    tables : Scores, or mapping of group to Scores
        As `scan` with `by` gives them.
    path : str, path or binary file
        The file to write: a path, an address such as ``"s3://bucket/day.parquet"``, or a file open for writing. Its
        columns are `group` (with a mapping), `score`, `highest` (the highest score that the row stands for, if it is
        another one), `pos` and `neg`, and with sampling weights `pos_squares` and `neg_squares`.
    by : str or list of str, optional
        The names of the columns of groups: as many as a group has parts; by default `group`, or `group_1`, `group_2`.

    See Also
    --------
    load_counts : Read such a file, or what an engine made of it.
    Scores.save : A file of one table, which also keeps clusters.

    Notes
    -----
    Rows with the same score add up: ``SELECT score, sum(pos) AS pos, sum(neg) AS neg FROM 'day-*.parquet' GROUP BY
    score`` is the table of all days, in any engine; with ``max(highest) AS highest`` where a file has that column.

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
    names = [by] if isinstance(by, str) else list(by or ())
    table = arrow_of(given, grouped=not one, by=names)
    if table["highest"].equals(table["score"]):
        table = table.drop_columns(["highest"])
    kept = _encodings(parquet, table)
    with written_whole(path) as temporary:
        parquet.write_table(
            table,
            temporary,
            compression="zstd",
            use_dictionary=[name for name, kind in kept.items() if kind is None],
            column_encoding={name: kind for name, kind in kept.items() if kind is not None} or None,
        )


def _encodings(parquet: Any, table: Any) -> dict[str, str | None]:
    """Return for each column how the first of its rows take least room: an encoding, or None for a dictionary."""
    out: dict[str, str | None] = {}
    start = table.slice(0, _TRIED)
    for name in table.column_names:
        kind = str(table.schema.field(name).type)
        sizes = {}
        for encoding in (None, *_ENCODINGS.get(kind, ())):
            file = io.BytesIO()
            ways: dict[str, Any] = {"use_dictionary": True}
            if encoding is not None:
                ways = {"use_dictionary": False, "column_encoding": {name: encoding}}
            parquet.write_table(start.select([name]), file, compression="zstd", **ways)
            sizes[encoding] = file.tell()
        out[name] = min(sizes, key=sizes.__getitem__)
    return out


@overload
def load_counts(path: Any) -> dict[Any, Scores]: ...


@overload
def load_counts(path: Any, *, group: object) -> Scores: ...


def load_counts(path: Any, *, group: object = _ALL) -> Scores | dict[Any, Scores]:
    """Read the counts of many groups from Parquet files.

    Parameters
    ----------
    path : str, path, binary file, or list of them
        Files that `save_counts` wrote, or any with the columns `score`, `pos` and `neg`, and perhaps `highest`,
        `pos_squares` and `neg_squares`, such as an engine writes when it adds counts up. Paths, addresses such as
        ``"s3://bucket/counts"``, folders and patterns of either, and files open for reading. Rows with the same score
        are added, and so are files.
    group : object, optional
        The only group to read.

    Returns
    -------
    dict of Scores by group, or Scores
        Any further column names groups, several columns by tuples; a file without has the one group None. Areas are
        those of all scores where the file's rows are those that were written; sums that an engine made of tables with
        `highest` above `score` have an `error_bound`.

    See Also
    --------
    save_counts : Write such a file.

    Examples
    --------
    >>> import tempfile
    >>> import thresher as th
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     th.save_counts({"north": th.Scores([0, 1, 1], [1, 2, 3])}, f"{folder}/monday.parquet")
    ...     th.save_counts({"north": th.Scores([0, 1], [2, 2])}, f"{folder}/tuesday.parquet")
    ...     week = th.load_counts(folder)
    ...     monday = th.load_counts(f"{folder}/monday.parquet", group="north")
    >>> week["north"].n_pos, week["north"] - monday == th.Scores([0, 1], [2, 2])
    (3, True)
    """
    found: dict[Any, Scores] = {}
    for file in _files(path):
        for key, table in _of_file(file, group).items():
            found[key] = found[key] + table if key in found else table
    if group is _ALL:
        return found
    chosen = group if group in found or None not in found else None
    if chosen not in found:
        raise InvalidInputError(f"`group` must be one of the file's groups; got {show(group)}, which has no rows.")
    return found[chosen]


def _files(path: Any) -> list[Any]:
    """Return the files that paths, addresses, folders and patterns stand for; open files as they are."""
    if hasattr(path, "read"):
        return [path]
    if isinstance(path, list | tuple):
        if path and any(hasattr(one, "read") for one in path):
            return list(path)
        if path and all(is_address(one) for one in path):
            return remote_files(list(path))
        return [file.path for file in find_files(list(path))]
    if is_address(path):
        return remote_files([path])
    file = as_path(path)
    several = is_folder(file) or (not is_there(file) and glob.has_magic(str(file)))
    return [one.path for one in find_files([file])] if several else [file]


def _of_file(file: Any, group: object) -> dict[Any, Scores]:
    """Return the tables of one file; of one group those that may be it."""
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    parquet = require("pyarrow.parquet", extra="engines", purpose=_PURPOSE)
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    with opened_bytes(file) as (stream, shown):
        try:
            names = parquet.read_schema(stream).names
            keys = [name for name in names if name not in COUNT_COLUMNS]
            only = None if group is _ALL or not keys else _condition(dataset, keys, group)
            stream.seek(0)
            table = parquet.read_table(stream, filters=only, partitioning=None)
            table.validate(full=True)
        except InvalidInputError:
            raise
        except (OSError, ValueError, KeyError, MemoryError, arrow.ArrowException) as error:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise InvalidInputError(
                f"Cannot read {shown}: {first}. Hint: it must be Parquet, as `th.save_counts` writes it; "
                "`.scores` files are read by `th.Scores.load`."
            ) from error
    return {value: Scores._from_part(part) for value, part in parts_of(table) if part.score.size}


def _condition(dataset: Any, keys: Sequence[str], group: object) -> Any:
    """Return the condition for the rows of a group."""
    parts = group if len(keys) > 1 else (group,)
    if not isinstance(parts, tuple) or len(parts) != len(keys):
        raise InvalidInputError(
            f"`group` must be a tuple of the values of {', '.join(map(repr, keys))}; got {show(group)}."
        )
    conditions = [
        dataset.field(name).is_null() if value is None else dataset.field(name) == value
        for name, value in zip(keys, parts, strict=True)
    ]
    whole = conditions[0]
    for one in conditions[1:]:
        whole = whole & one
    return whole
