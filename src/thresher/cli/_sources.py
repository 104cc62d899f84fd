"""Files with named columns: tables through DuckDB, arrays through NumPy."""

from __future__ import annotations

import re
import shutil
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show, show_text
from thresher._core.files import own_folder
from thresher._core.optional import require
from thresher._read.sources import find_dialect, opened, read_npz, spreadsheet
from thresher.exceptions import InvalidInputError

__all__ = ["Arrays", "Source", "Table", "open_source"]

_PARQUET = (".parquet", ".pq")
_JSON = (".jsonl", ".ndjson", ".json")
_ARROW = (".arrow", ".feather", ".ipc")
_TEXT = (".csv", ".tsv", ".txt", ".dat", ".data", ".tab", ".psv")
_MAGIC = ((b"PAR1", ".parquet"), (b"ARROW1", ".arrow"), (b"PK", ".npz"), (b"{", ".jsonl"), (b"[", ".json"))
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_REAL = ("FLOAT", "DOUBLE", "DECIMAL")
_WIDE = ("DECIMAL", "HUGEINT", "UHUGEINT")  # fetched as doubles
_MOST_EXACT = 2**53
_LONGEST_LINE = 2**24
_MOST_GUESSED = 500  # columns whose values are looked at to find labels and scores
_MOST_MODELS = 50
_LEAST_ROWS = 10  # below, equal numbers of rows say nothing
_FORMS = "CSV, TSV, Parquet, JSON lines, Arrow, Feather and NPZ are read, by the file's ending"


class Source:
    """Something with named columns, each of a kind: "bool", "whole", "real", "text", or "mixed" of numbers and text."""

    shown: str
    names: list[str]

    def kinds(self, names: Sequence[str]) -> dict[str, str]:
        """Return the kind of each column, by all of its rows."""
        raise NotImplementedError

    def is_binary(self, name: str) -> bool:
        """Return whether a column holds nothing but {0, 1}, {-1, 1} or booleans."""
        raise NotImplementedError

    def repeated(self, name: str) -> list[str] | None:
        """Return the values of a column if there are a few, each with the same number of rows; None otherwise."""
        raise NotImplementedError

    def fetch(self, names: Sequence[str], *, numbers: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Return columns; those in `numbers` must be numbers in every row."""
        raise NotImplementedError

    def percent(self) -> float:
        """Return how far the query now running has come, or a negative number."""
        return -1.0

    def _no_rows(self) -> InvalidInputError:
        return InvalidInputError(
            f"{show(self.shown, 200)} must have at least one row; it has none. "
            "Hint: it holds the names of columns only; look at what wrote it."
        )

    def _text_in(self, name: str, row: int, value: object) -> InvalidInputError:
        missing = isinstance(value, str) and value.strip().lower() in ("na", "n/a", "null", "none", "-", "?", ".", "")
        comma = isinstance(value, str) and value.count(",") == 1 and value.replace(",", "").isdigit()
        hint = "replace it by a number, or name other columns with --y-score"
        if missing:
            hint = "missing values are never dropped silently; remove those rows or fill them"
        elif comma:
            hint = "write decimals with a point"
        return InvalidInputError(
            f"{show(self.shown, 200)}, column {show(name)}: must hold numbers only; row {row} holds {show(value)}. "
            f"Hint: {hint}. Rows are counted from 0, without the header."
        )


class Arrays(Source):
    """The arrays of an NPZ file."""

    def __init__(self, path: Path, shown: str) -> None:
        self.shown = shown
        self._data = read_npz(path, shown)
        self.names = list(self._data)

    def kinds(self, names: Sequence[str]) -> dict[str, str]:
        known = {"b": "bool", "i": "whole", "u": "whole", "f": "real"}
        return {name: known.get(self._data[name].dtype.kind, "text") for name in names}

    def is_binary(self, name: str) -> bool:
        if self._data[name].dtype.kind not in "biuf":
            return False
        values = set(np.unique(self._data[name]).tolist())
        return values <= {0, 1} or values <= {-1, 1}

    def repeated(self, name: str) -> list[str] | None:
        values, counts = np.unique(self._data[name].astype(str), return_counts=True)
        return _evenly(list(zip(values.tolist(), counts.tolist(), strict=True)))

    def fetch(self, names: Sequence[str], *, numbers: Sequence[str]) -> dict[str, NDArray[Any]]:
        sizes = {self._data[name].shape for name in names}
        if len(sizes) > 1 or len(next(iter(sizes))) != 1:
            found = ", ".join(f"{show(name)} {self._data[name].shape}" for name in names)
            raise InvalidInputError(
                f"{show(self.shown, 200)} must hold one-dimensional arrays of one length; got {found}."
            )
        for name in numbers:
            array = self._data[name]
            if array.dtype.kind not in "biuf":
                raise self._text_in(name, 0, array[:1].tolist()[0] if array.size else "")
        return {name: self._data[name] for name in names}


class Table(Source):
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
        self._idents = dict(zip(names, map(_quoted, relation.columns), strict=True))
        self._types = dict(zip(names, map(str, relation.types), strict=True))
        self._kinds: dict[str, str] = {}
        self._large: dict[str, int] = {}  # whole numbers that a double may not hold, by column of text

    def kinds(self, names: Sequence[str]) -> dict[str, str]:
        missing = [name for name in names if name not in self._kinds]
        if len(missing) > _MOST_GUESSED:
            raise InvalidInputError(
                f"{show(self.shown, 200)} has {len(self.names):,} columns, too many to look for labels and scores "
                "among them. Hint: name them with --y-true and --y-score."
            )
        if missing and self._text:
            self._kinds |= self._kinds_of_text(missing)
        elif missing:
            self._kinds |= {name: _kind(self._types[name]) for name in missing}
        return {name: self._kinds[name] for name in names}

    def _kinds_of_text(self, names: Sequence[str]) -> dict[str, str]:
        counts = []
        for name in names:
            cell = f"trim({self._idents[name]})"
            counts += [
                f"count({cell})",
                f"count(try_cast({cell} AS BIGINT)) FILTER (regexp_full_match({cell}, '[+-]?[0-9]+'))",
                f"count(try_cast({cell} AS DOUBLE))",
                f"count(*) FILTER (lower({cell}) IN ('true', 'false'))",
                f"count(*) FILTER ({_is_large(cell)})",
            ]
        row = self._rows(f"SELECT {', '.join(counts)}, count(*) FROM source", names)[0]  # noqa: S608  # quoted
        if row[-1] == 0:
            raise self._no_rows()
        kinds = {}
        for i, name in enumerate(names):
            filled, whole, real, bools, large = row[5 * i : 5 * i + 5]
            self._large[name] = large
            kinds[name] = next(
                (kind for kind, n in (("whole", whole), ("real", real), ("bool", bools)) if n == filled > 0),
                "mixed" if real > filled / 2 else "text",
            )
        return kinds

    def is_binary(self, name: str) -> bool:
        kind = self.kinds([name])[name]
        if kind in ("text", "mixed"):
            return False
        cell = f"try_cast(trim({self._idents[name]}) AS DOUBLE)" if self._text else self._idents[name]
        if kind == "bool":
            return True
        rows = self._rows(f"SELECT DISTINCT {cell} FROM source LIMIT 4", [name])  # noqa: S608  # quoted
        values = {row[0] for row in rows} - {None}
        return values <= {0, 1} or values <= {-1, 1}

    def repeated(self, name: str) -> list[str] | None:
        ident = self._idents[name]
        sql = f"SELECT CAST({ident} AS VARCHAR), count(*) FROM source GROUP BY 1 ORDER BY 1 LIMIT {_MOST_MODELS + 1}"  # noqa: S608  # quoted
        return _evenly(self._rows(sql, [name]))

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
            raise self._no_rows()
        return out

    def _cell(self, name: str, kind: str) -> str:
        ident = self._idents[name]
        if not self._text:
            narrow = self._types[name].startswith(_WIDE)
            return f"CAST({ident} AS DOUBLE)" if narrow else ident
        as_type = {"whole": "BIGINT", "real": "DOUBLE", "bool": "BOOLEAN"}.get(kind)
        return ident if as_type is None else f"CAST(trim({ident}) AS {as_type})"

    def _refuse_text(self, name: str) -> None:
        unread = "cell IS NOT NULL" + (" AND try_cast(trim(cell) AS DOUBLE) IS NULL" if self._text else "")
        numbered = f"SELECT row_number() OVER () - 1 AS row, {self._idents[name]} AS cell FROM source"  # noqa: S608  # quoted
        rows = self._rows(f"SELECT row, cell FROM ({numbered}) WHERE {unread} ORDER BY row LIMIT 1", [name])  # noqa: S608
        if rows:
            raise self._text_in(name, *rows[0])
        raise InvalidInputError(
            f"{show(self.shown, 200)}, column {show(name)}: must hold numbers; every row is empty. "
            "Hint: name another column."
        )

    def _refuse_rounding(self, name: str, kind: str) -> None:
        """Refuse numbers that reading them as doubles would make equal."""
        ident = self._idents[name]
        if self._text:
            # Whole numbers alone are read as such; beside decimals, or beyond 64 bits, they would be doubles.
            wrong = _is_large(f"trim({ident})") if kind == "real" and self._large.get(name) else ""
        elif self._types[name].startswith(_WIDE):
            wrong = f"CAST(CAST({ident} AS DOUBLE) AS {self._types[name]}) IS DISTINCT FROM {ident}"
            wrong += f" OR abs(CAST({ident} AS DOUBLE)) >= 1.7e38"
        else:
            wrong = f"abs({ident}) >= {_MOST_EXACT} AND {ident} = trunc({ident})" if self._rounded else ""
            wrong = wrong if self._types[name] == "DOUBLE" else ""
        if not wrong:
            return
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

    def _only(self, names: Sequence[str]) -> Any:
        """Return the relation with the columns that a query needs: thousands of others cost it minutes."""
        return self._relation.project(", ".join(dict.fromkeys(self._idents[name] for name in names)))

    def _rows(self, sql: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._guarded(lambda: self._only(names).query("source", sql).fetchall())
        return found

    def _guarded(self, query: Any) -> Any:
        try:
            return query()
        except require("duckdb", extra="cli", purpose="Reading a file").Error as error:
            raise _unreadable(self.shown, error) from None

    def percent(self) -> float:
        return float(self._connection.query_progress())


def _evenly(counted: Sequence[tuple[Any, ...]]) -> list[str] | None:
    """Return values that each have the same number of rows, at least ten, as models below one another have."""
    if not 2 <= len(counted) <= _MOST_MODELS or any(value is None for value, _ in counted):
        return None
    rows = {count for _, count in counted}
    return [str(value) for value, _ in counted] if len(rows) == 1 and min(rows) >= _LEAST_ROWS else None


def _is_large(cell: str) -> str:
    """Return a condition for text that is a whole number beyond what every double holds."""
    whole = f"regexp_full_match({cell}, '[+-]?[0-9]+')"
    return f"{whole} AND coalesce(abs(try_cast({cell} AS HUGEINT)), {_MOST_EXACT}) >= {_MOST_EXACT}"


def _kind(duckdb_type: str) -> str:
    if duckdb_type == "BOOLEAN":
        return "bool"
    if duckdb_type in _WHOLE:
        return "whole"
    return "real" if duckdb_type.startswith(_REAL) else "text"


def _quoted(ident: str) -> str:
    return '"' + ident.replace('"', '""') + '"'


def _unmasked(array: NDArray[Any]) -> NDArray[Any]:
    """Return a column without an empty mask; a mask that hides something stays, to be refused by name."""
    if isinstance(array, np.ma.MaskedArray) and not np.ma.getmaskarray(array).any():
        return np.asarray(array.data)
    return array


def _unreadable(shown: str, error: Exception, path: str = "\0") -> InvalidInputError:
    """Say in our words what DuckDB found, without its advice about options that nobody can set here."""
    text = str(error)
    line = re.search(r"CSV Error on Line: (\d+)", text)
    widths = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    hint = "mend that line"
    if line and widths:
        said = f"line {line[1]} has {widths[2]} fields where the first has {widths[1]}"
    elif line and "utf-8" in text:
        said, hint = f"line {line[1]} is not UTF-8", "save the file in UTF-8"
    elif line and "quote" in text:
        said = f"line {line[1]} has a quote that does not end"
    elif line:
        said = f"line {line[1]} is not understood"
    elif "state machine" in text:
        said = "it is not regular CSV: lines end in different ways, or a quote does not end"
        hint = "save it as CSV once more"
    else:
        said = text.splitlines()[0].replace(path, shown).rstrip(". ")
        said = show_text(said.removeprefix("Invalid Input Error: ").removeprefix("IO Error: "))
        hint = hint if re.search(r"\bline \d", said) else _FORMS
    return InvalidInputError(f"{show(shown, 200)} cannot be read: {said}. Hint: {hint}.")


# Opening


@contextmanager
def open_source(file: str) -> Iterator[Source]:
    """Open a file of any known form under a harmless name of our own, so that no character of its name matters."""
    shown = "standard input" if file == "-" else file
    with own_folder() as folder:
        path, suffix = _placed(file, folder)
        if path.stat().st_size == 0:
            raise InvalidInputError(f"{show(shown, 200)} must have at least one row; it is empty.")
        if suffix == ".npz":
            yield Arrays(path, shown)
        else:
            with _connection() as connection:
                yield _table(connection, path, suffix, shown)


def _placed(file: str, folder: Path) -> tuple[Path, str]:
    """Return the path to read and the ending that says how."""
    if file == "-":
        if sys.stdin is None:
            raise InvalidInputError(
                "Standard input must be open to be read; it is closed. Hint: name a file, or pipe the rows in."
            )
        return _spooled(sys.stdin.buffer, folder)
    source = Path(file)
    try:
        mode = source.stat().st_mode
    except FileNotFoundError:
        raise InvalidInputError(f"{show(file, 200)} must be a file that exists. Hint: check the path.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInputError(f"{show(file, 200)} must be a file that can be read: {reason}.") from None
    if stat.S_ISDIR(mode):
        raise InvalidInputError(f"{show(file, 200)} must be a file; it is a folder. Hint: name a file in it.")
    try:
        with source.open("rb") as stream:
            if not stat.S_ISREG(mode):
                return _spooled(stream, folder)
    except OSError as error:
        raise InvalidInputError(f"{show(file, 200)} must be a file that can be read: {error.strerror}.") from None
    suffixes = [suffix.lower() for suffix in source.suffixes]
    if suffixes[-1:] in ([".xlsx"], [".xls"], [".ods"]):
        raise spreadsheet(file)
    packed = suffixes[-1:] == [".gz"]
    ending = "".join((suffixes[:-1] if packed else suffixes)[-1:])
    if ending not in (*_PARQUET, *_JSON, *_ARROW, *_TEXT, ".npz"):
        ending = _by_content(source)
    target = folder / f"input{ending}{'.gz' if packed else ''}"
    target.symlink_to(source.resolve())
    return target, ending


def _spooled(stream: Any, folder: Path) -> tuple[Path, str]:
    raw = folder / "input"
    try:
        with raw.open("wb") as out:
            shutil.copyfileobj(stream, out)
    except OSError as error:  # the temporary folder is full, or the stream broke off
        raise OSError(error.errno, error.strerror, str(raw)) from None
    with raw.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    ending = _by_content(raw) if raw.stat().st_size else ".csv"
    target = folder / f"input{ending}{'.gz' if packed else ''}"
    raw.rename(target)
    return target, ending


def _by_content(path: Path) -> str:
    try:
        with opened(path) as file:
            start = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    except (OSError, EOFError, zlib.error):
        return ".csv"
    return next((ending for magic, ending in _MAGIC if start.startswith(magic)), ".csv")


@contextmanager
def _connection() -> Iterator[Any]:
    duckdb = require("duckdb", extra="cli", purpose="Reading a file")
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    try:
        yield connection
    finally:
        connection.close()


def _table(connection: Any, path: Path, suffix: str, shown: str) -> Table:
    where = str(path)
    try:
        if suffix in _PARQUET:
            relation = connection.read_parquet(where, hive_partitioning=False)
            names = _parquet_names(connection, where, relation)
            _check_names(names, shown)
            return Table(connection, relation, names, shown, text=False)
        if suffix in _JSON:
            relation = connection.read_json(where, sample_size=-1, hive_partitioning=False)
            return Table(connection, relation, relation.columns, shown, text=False, rounded=True)
        if suffix in _ARROW:
            relation, names = _arrow(connection, path, shown)
            return Table(connection, relation, names, shown, text=False)
        dialect = find_dialect(path, shown)
        relation = connection.read_csv(
            where,
            delimiter=dialect.delimiter,
            header=dialect.header,
            columns={f"c{i}": "VARCHAR" for i in range(len(dialect.names))},
            auto_detect=False,
            quotechar='"',
            escapechar='"',
            skiprows=0,
            hive_partitioning=False,
            max_line_size=_LONGEST_LINE,
            **({} if dialect.line_end is None else {"lineterminator": dialect.line_end}),
        )
    except require("duckdb", extra="cli", purpose="Reading a file").Error as error:
        raise _unreadable(shown, error, where) from None
    _check_names(dialect.names, shown)
    return Table(connection, relation, dialect.names, shown, text=True)


def _parquet_names(connection: Any, path: str, relation: Any) -> list[str]:
    """Return the names as the file has them; DuckDB renames those that differ in case only."""
    rows = connection.execute("SELECT name, num_children FROM parquet_schema(?)", [path]).fetchall()
    names: list[str] = []
    inside = 0
    for name, children in rows[1:]:
        if inside == 0:
            names.append(name)
        else:
            inside -= 1
        inside += children or 0
    return names if len(names) == len(relation.columns) else list(relation.columns)


def _arrow(connection: Any, path: Path, shown: str) -> tuple[Any, list[str]]:
    pyarrow = require("pyarrow", extra="all", purpose="Reading an Arrow file")
    from pyarrow import feather, ipc

    try:
        with path.open("rb") as file:
            framed = file.read(6) == b"ARROW1"
        # Read, not mapped: a mapped file that somebody cuts short ends the process. What is read is checked in full,
        # because DuckDB follows the offsets and indices that it finds.
        table = feather.read_table(str(path), memory_map=False) if framed else _stream(pyarrow, ipc, path)
        table.validate(full=True)
    except (OSError, ValueError, KeyError, MemoryError, OverflowError, pyarrow.ArrowException) as error:
        first = show_text(str(error).replace(str(path), shown))
        raise InvalidInputError(f"{show(shown, 200)} cannot be read as Arrow: {first}. Hint: {_FORMS}.") from None
    names = list(table.column_names)
    _check_names(names, shown)
    return connection.from_arrow(table.rename_columns([f"c{i}" for i in range(len(names))])), names


def _stream(pyarrow: Any, ipc: Any, path: Path) -> Any:
    with pyarrow.OSFile(str(path)) as file:
        return ipc.open_stream(file).read_all()


def _check_names(names: Sequence[str], shown: str) -> None:
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise InvalidInputError(
            f"{show(shown, 200)} must name its columns differently; {show(twice)} occurs twice. Hint: rename one."
        )
