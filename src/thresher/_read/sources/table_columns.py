"""The columns of a table in a file, looked at and fetched by queries of DuckDB."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import MOST_EXACT
from thresher._core.checks import require, show, show_text
from thresher._core.files import own_folder
from thresher._core.stores import is_address
from thresher._read.sources.batch_files import BatchFile, batch_file
from thresher._read.sources.dialect import NUMBER, NUMBER_LIKE, SPACES, WORD, find_dialect
from thresher._read.sources.file_form import find_form, linked, opened, regular_file, spooled
from thresher._read.sources.named_columns import ArrayColumns, NamedColumns, no_rows, read_npz, text_in
from thresher._read.sources.remote_files import remote_dataset
from thresher._read.sources.unreadable import is_interruption, unreadable
from thresher.exceptions import InvalidInputError

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


_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_REAL = ("FLOAT", "DOUBLE", "DECIMAL")
_WIDE = ("DECIMAL", "HUGEINT", "UHUGEINT")  # fetched as doubles


class TableColumns(NamedColumns):
    """A relation of DuckDB. Column i is called `idents[i]` there, which need not be its name in the file."""

    def __init__(
        self, connection: Any, relation: Any, names: Sequence[str], shown: str, *, text: bool, rounded: bool = False
    ) -> None:
        self.shown = shown
        self.names = list(names)
        self._connection = connection
        self._relation = relation
        self._text = text
        self._rounded = rounded  # whether doubles may come from whole numbers that they could not hold
        self._idents = dict(zip(names, map(quoted, relation.columns), strict=True))
        self._types = dict(zip(names, map(str, relation.types), strict=True))
        self._kinds: dict[str, str] = {}
        self._large: dict[str, int] = {}  # whole numbers that a double may not hold, by column of text

    def kinds(self, names: Sequence[str]) -> dict[str, str]:
        missing = [name for name in names if name not in self._kinds]
        if missing and self._text:
            self._kinds |= self._kinds_of_text(missing)
        elif missing:
            self._kinds |= {name: _kind(self._types[name]) for name in missing}
        return {name: self._kinds[name] for name in names}

    def _kinds_of_text(self, names: Sequence[str]) -> dict[str, str]:
        counts = []
        for name in names:
            cell = _trimmed(self._idents[name])
            counts += [
                f"count({cell})",
                f"count(try_cast({cell} AS BIGINT)) FILTER (regexp_full_match({cell}, '[+-]?[0-9]+'))",
                f"count(*) FILTER ({_is_number(cell)})",
                f"count(*) FILTER (lower({cell}) IN ('true', 'false'))",
                f"count(*) FILTER ({_is_large(cell)})",
                f"count(*) FILTER (regexp_full_match({cell}, '{_quoted_text(NUMBER_LIKE)}'))",
            ]
        row = self._rows(f"SELECT {', '.join(counts)}, count(*) FROM source", names)[0]  # noqa: S608  # quoted
        if row[-1] == 0:
            raise no_rows(self.shown)
        kinds = {}
        for i, name in enumerate(names):
            filled, whole, real, bools, large, alike = row[6 * i : 6 * i + 6]
            self._large[name] = large
            kinds[name] = next(
                (kind for kind, n in (("whole", whole), ("real", real), ("bool", bools)) if n == filled > 0),
                "mixed" if max(real, alike) > filled / 2 else "text",
            )
        return kinds

    def is_binary(self, name: str) -> bool:
        kind = self.kinds([name])[name]
        if kind in ("text", "mixed"):
            return False
        cell = f"try_cast({_trimmed(self._idents[name])} AS DOUBLE)" if self._text else self._idents[name]
        if kind == "bool":
            return True
        rows = self._rows(f"SELECT DISTINCT {cell} FROM source LIMIT 4", [name])  # noqa: S608  # quoted
        values = {row[0] for row in rows} - {None}
        return values <= {0, 1} or values <= {-1, 1}

    def counted(self, name: str, most: int) -> list[tuple[str | None, int]]:
        ident = self._idents[name]
        sql = f"SELECT CAST({ident} AS VARCHAR), count(*) FROM source GROUP BY 1 ORDER BY 1 LIMIT {most + 1}"  # noqa: S608  # quoted
        return [(value, count) for value, count in self._rows(sql, [name])]

    def fetch(self, names: Sequence[str], *, numbers: Sequence[str]) -> dict[str, NDArray[Any]]:
        kinds = self.kinds(names)
        for name in numbers:
            if kinds[name] in ("text", "mixed", "bool") and self._types[name] != "BOOLEAN":
                self._refuse_text(name)
            self._refuse_rounding(name, kinds[name])
        cells = [self._cell(name, kinds[name]) for name in names]
        listed = ", ".join(f"{cell} AS c{i}" for i, cell in enumerate(cells))
        sql = f"SELECT {listed} FROM source"  # noqa: S608  # quoted
        columns = self._guarded(lambda: self._only(names).query("source", sql).fetchnumpy())
        out = {name: _unmasked(columns[f"c{i}"]) for i, name in enumerate(names)}
        if out and next(iter(out.values())).size == 0:
            raise no_rows(self.shown)
        return out

    def _cell(self, name: str, kind: str) -> str:
        ident = self._idents[name]
        if not self._text:
            narrow = self._types[name].startswith(_WIDE)
            return f"CAST({ident} AS DOUBLE)" if narrow else ident
        as_type = {"whole": "BIGINT", "real": "DOUBLE", "bool": "BOOLEAN"}.get(kind)
        return ident if as_type is None else f"CAST({_trimmed(ident)} AS {as_type})"

    def _refuse_text(self, name: str) -> None:
        unread = "cell IS NOT NULL" + (f" AND NOT ({_is_number(_trimmed('cell'))})" if self._text else "")
        numbered = f"SELECT row_number() OVER () - 1 AS row, {self._idents[name]} AS cell FROM source"  # noqa: S608  # quoted
        rows = self._rows(f"SELECT row, cell FROM ({numbered}) WHERE {unread} ORDER BY row LIMIT 1", [name])  # noqa: S608
        if rows:
            raise text_in(self.shown, name, *rows[0])
        raise InvalidInputError(
            f"{show(self.shown, 200)}, column {show(name)}: must hold numbers; every row is empty. "
            "Hint: name another column."
        )

    def _refuse_rounding(self, name: str, kind: str) -> None:
        """Refuse numbers that reading them as doubles would make equal."""
        wrong = self._is_rounded(name, kind)
        if not wrong:
            return
        ident = self._idents[name]
        numbered = f"SELECT row_number() OVER () - 1 AS row, {ident} AS cell, ({wrong}) AS wrong FROM source"  # noqa: S608  # quoted
        rows = self._rows(f"SELECT row, cell FROM ({numbered}) WHERE wrong ORDER BY row LIMIT 1", [name])  # noqa: S608
        if rows:
            row, cell = rows[0]
            raise InvalidInputError(
                f"{show(self.shown, 200)}, column {show(name)}: must hold numbers that are exact as 64-bit integers or "
                f"as doubles, or others become equal to them; row {row} holds {show_text(str(cell), 60)}. Hint: write "
                "whole numbers below 2**63 without decimals beside them, or ranks. Rows are counted from 0, without "
                "the header."
            )

    def _is_rounded(self, name: str, kind: str) -> str:
        """Return the condition for cells that a double does not hold, or nothing where there are none."""
        ident, type_ = self._idents[name], self._types[name]
        if self._text:
            # Whole numbers alone are read as such; beside decimals, or beyond 64 bits, they would be doubles.
            return _is_large(_trimmed(ident)) if kind == "real" and self._large.get(name) else ""
        if type_.startswith(_WIDE):
            lost = f"CAST(CAST({ident} AS DOUBLE) AS {type_}) IS DISTINCT FROM {ident}"
            return f"{lost} OR abs(CAST({ident} AS DOUBLE)) >= 1.7e38"
        if self._rounded and type_ == "DOUBLE":
            return f"abs({ident}) >= {MOST_EXACT} AND {ident} = trunc({ident})"
        return ""

    def _only(self, names: Sequence[str]) -> Any:
        """Return the relation with the columns that a query needs: thousands of others cost it minutes."""
        return self._relation.project(", ".join(dict.fromkeys(self._idents[name] for name in names)))

    def _rows(self, sql: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._guarded(lambda: self._only(names).query("source", sql).fetchall())
        return found

    def _guarded(self, query: Any) -> Any:
        try:
            return query()
        except duckdb_error() as error:
            raise unreadable(self.shown, error) from None

    def percent(self) -> float:
        return float(self._connection.query_progress())


def _trimmed(ident: str) -> str:
    return f"trim({ident}, '{SPACES}')"


def _quoted_text(text: str) -> str:
    return text.replace("'", "''")


def _is_number(cell: str) -> str:
    """Return the condition for text that is a number, and a finite one unless it is a word."""
    finite = f"regexp_full_match({cell}, '{NUMBER}') AND isfinite(try_cast({cell} AS DOUBLE))"
    return f"({finite}) OR regexp_full_match(lower({cell}), '{WORD}')"


def _is_large(cell: str) -> str:
    """Return a condition for text that is a whole number beyond what every double holds."""
    whole = f"regexp_full_match({cell}, '[+-]?[0-9]+')"
    return f"{whole} AND coalesce(abs(try_cast({cell} AS HUGEINT)), {MOST_EXACT}) >= {MOST_EXACT}"


def _kind(duckdb_type: str) -> str:
    if duckdb_type == "BOOLEAN":
        return "bool"
    if duckdb_type in _WHOLE:
        return "whole"
    return "real" if duckdb_type.startswith(_REAL) else "text"


def _unmasked(array: NDArray[Any]) -> NDArray[Any]:
    """Return a column without an empty mask; a mask that hides something stays, to be refused by name."""
    if isinstance(array, np.ma.MaskedArray) and not np.ma.getmaskarray(array).any():
        return np.asarray(array.data)
    return array


@contextmanager
def open_columns(file: str | BinaryIO, shown: str) -> Iterator[NamedColumns]:
    """Open the columns of a file, by its name or address or as a stream of bytes; messages call it `shown`."""
    if is_address(file):
        with connection() as database:
            yield _remote_columns(database, str(file), shown)
        return
    with own_folder() as folder:
        path = regular_file(file, folder) if isinstance(file, str) else spooled(file, folder)
        if path.stat().st_size == 0:
            raise InvalidInputError(f"{show(shown, 200)} must have at least one row; it is empty.")
        form = find_form(path, shown)
        if form == "npz":
            yield ArrayColumns(read_npz(path, shown), shown)
            return
        with connection() as database:
            if form in READERS:
                relation, names = read_relation(database, linked(path, folder), form, shown)
                _refuse_twice(names, shown)
            else:
                known = batch_file(path, shown)
                _refuse_twice(known.names, shown)
                relation, names = _arrow_relation(database, known)
            text, rounded = form == "text", form.startswith("json")
            yield TableColumns(database, relation, names, shown, text=text, rounded=rounded)


def _remote_columns(database: Any, address: str, shown: str) -> TableColumns:
    """Return the columns of files elsewhere, which are read when they are asked for, and only those."""
    found = remote_dataset(address)
    folders = frozenset(found.partitioning.schema.names) if found.partitioning is not None else frozenset()
    for name in folders:
        found = found.replace_schema(found.schema.remove(found.schema.get_field_index(name)))
    _refuse_twice(found.schema.names, shown)
    columns = TableColumns(database, database.from_arrow(found), found.schema.names, shown, text=False)
    columns.folders = folders
    return columns


def _arrow_relation(database: Any, file: BatchFile) -> tuple[Any, list[str]]:
    table = file.table().rename_columns([f"c{i}" for i in range(len(file.names))])
    halves = [field.name for field in table.schema if str(field.type) == "halffloat"]
    for name in halves:  # which DuckDB does not know; a float holds each of them
        table = table.set_column(table.column_names.index(name), name, table[name].cast("float32"))
    try:
        return database.from_arrow(table), file.names
    except duckdb_error() as error:
        raise unreadable(file.shown, error, hint="save the columns it needs as numbers or text.") from None


def _refuse_twice(names: Sequence[str], shown: str) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise InvalidInputError(
            f"{show(shown, 200)} must name its columns differently; {show(twice)} occurs twice. Hint: rename one."
        )
