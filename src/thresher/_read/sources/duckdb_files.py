"""Files as relations of DuckDB, read as we understand them and not as it would guess."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thresher._core.checks import require
from thresher._read.sources.dialect import find_dialect
from thresher._read.sources.file_form import opened
from thresher._read.sources.unreadable import is_interruption, unreadable

__all__ = ["READERS", "connection", "duckdb_error", "quoted", "read_relation"]

_LONGEST_LINE = 2**24
_PIECE = 2**20


def duckdb_error() -> type[Exception]:
    """Return what DuckDB raises."""
    error: type[Exception] = require("duckdb", extra="cli", purpose="Reading a file").Error
    return error


def quoted(name: str) -> str:
    """Return a column's name as SQL writes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def connection() -> Iterator[Any]:
    """Give a database in memory that fetches nothing from elsewhere."""
    duckdb = require("duckdb", extra="cli", purpose="Reading a file")
    opened = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    try:
        yield opened
    except Exception as error:
        if is_interruption(error):
            raise KeyboardInterrupt from None
        raise
    finally:
        opened.close()


def read_relation(database: Any, path: Path, form: str, shown: str) -> tuple[Any, list[str]]:
    """Return the rows of a file and the names of its columns, which DuckDB may call otherwise.

    `path` is a name that no character makes a pattern (`linked`); cells of text stay text.
    """
    try:
        return READERS[form](database, path, shown)
    except duckdb_error() as error:
        raise unreadable(shown, error, path=str(path)) from None


def _json(database: Any, path: Path, shown: str) -> tuple[Any, list[str]]:
    _refuse_cut(path, shown)
    relation = database.read_json(str(path), sample_size=-1, hive_partitioning=False)
    return relation, list(relation.columns)


def _refuse_cut(path: Path, shown: str) -> None:
    """Raise for a list that does not end, of which DuckDB reads what is there."""
    first = last = b""
    try:
        with opened(path) as file:
            while first in (b"", b"[") and (piece := file.read(_PIECE)):
                text = piece.strip()
                first, last = first or text[:1], text[-1:] or last
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(shown, error, hint="check the file; it may be cut short.") from None
    if first == b"[" and last != b"]":
        raise unreadable(shown, "a list begins and does not end", hint="check the file; it may be cut short.")


def _text(database: Any, path: Path, shown: str) -> tuple[Any, list[str]]:
    dialect = find_dialect(path, shown)
    relation = database.read_csv(
        str(path),
        delimiter=dialect.delimiter,
        header=dialect.header,
        columns={f"c{i}": "VARCHAR" for i in range(len(dialect.names))},
        auto_detect=False,
        quotechar='"',
        escapechar='"',
        skiprows=dialect.blank,
        hive_partitioning=False,
        max_line_size=_LONGEST_LINE,
        **({} if dialect.line_end is None else {"lineterminator": dialect.line_end}),
    )
    return relation, list(dialect.names)


def _parquet(database: Any, path: Path, _: str) -> tuple[Any, list[str]]:
    relation = database.read_parquet(str(path), hive_partitioning=False)
    names = _top_names(database.execute("SELECT name, num_children FROM parquet_schema(?)", [str(path)]).fetchall())
    # DuckDB renames columns that differ in case only; the file's own names are those that people type.
    return relation, names if len(names) == len(relation.columns) else list(relation.columns)


def _top_names(schema: list[tuple[str, int | None]]) -> list[str]:
    """Return the names of columns in a schema written depth first, root first, each with its number of children."""
    names: list[str] = []
    inside = 0
    for name, children in schema[1:]:
        if inside == 0:
            names.append(name)
        else:
            inside -= 1
        inside += children or 0
    return names


READERS = {"parquet": _parquet, "json": _json, "json lines": _json, "text": _text}
"""What reads each form that DuckDB reads itself; the others come to it as tables of Arrow."""
