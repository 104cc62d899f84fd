"""Files in: labels, the scores of one model or several, and optionally weights and groups."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._core.optional import require
from thresher.exceptions import InvalidInputError

__all__ = ["Columns", "read_columns"]

_LABEL_NAMES = ("label", "labels", "y_true", "y", "target", "class", "outcome", "truth")
_PARQUET = (".parquet", ".pq")
_JSON = (".jsonl", ".ndjson", ".json")
_ARROW = (".arrow", ".feather", ".ipc")
_TEXT = (".csv", ".tsv", ".txt", ".dat", "")
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_REALS = ("FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, eq=False)
class Columns:
    """What a file holds: element i of every column belongs to row i."""

    name: str
    y_true: NDArray[Any]
    scores: dict[str, NDArray[Any]]
    weight: NDArray[Any] | None
    group: NDArray[Any] | None
    label_name: str


def read_columns(
    file: str,
    *,
    y_true: str | None = None,
    y_score: Sequence[str] = (),
    weight: str | None = None,
    group: str | None = None,
) -> Columns:
    """Read the columns wanted; columns are guessed only when there is no doubt.

    Parameters
    ----------
    file
        CSV or TSV (any delimiter, with or without header, gzip too), Parquet, JSON lines, Arrow or Feather, NPZ, or
        "-" for standard input (CSV).
    """
    if Path(file).suffix.lower() == ".npz":
        source: _Source = _Npz(file)
    else:
        source = _Table(file)
    with source:
        label, scores = _chosen(source, y_true, list(y_score), [name for name in (weight, group) if name is not None])
        wanted = list(dict.fromkeys([label, *scores, *(name for name in (weight, group) if name is not None)]))
        data = source.fetch(wanted)
    for name in scores:
        _check_numbers(data[name], name, source.shown)
    return Columns(
        source.shown,
        data[label],
        {name: data[name] for name in scores},
        None if weight is None else data[weight],
        None if group is None else data[group],
        label,
    )


# Sources: a table by DuckDB, or arrays by NumPy


class _Source:
    """Something with named columns."""

    shown: str
    types: dict[str, str]

    def __enter__(self) -> _Source:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def fetch(self, names: list[str]) -> dict[str, NDArray[Any]]:
        raise AssertionError

    def is_binary(self, name: str) -> bool:
        """Return whether a column holds nothing but {0, 1}, {-1, 1} or booleans."""
        raise AssertionError


class _Npz(_Source):
    def __init__(self, file: str) -> None:
        self.shown = file
        try:
            with np.load(file, allow_pickle=False) as archive:
                self._data = {name: archive[name] for name in archive.files}
        except FileNotFoundError:
            raise _absent(file) from None
        except (OSError, ValueError) as error:
            raise InvalidInputError(f"{show(file, 200)} must be an NPZ file of plain arrays; {error}.") from None
        if not self._data:
            raise InvalidInputError(f"{show(file, 200)} must hold arrays; it is empty.")
        self.types = {
            name: {"b": "BOOLEAN", "i": "BIGINT", "u": "UBIGINT", "f": "DOUBLE"}.get(array.dtype.kind, "VARCHAR")
            for name, array in self._data.items()
        }

    def fetch(self, names: list[str]) -> dict[str, NDArray[Any]]:
        return {name: self._data[name] for name in names}

    def is_binary(self, name: str) -> bool:
        values = set(np.unique(self._data[name][:100_000]).tolist())
        return values <= {0, 1} or values <= {-1, 1}


class _Table(_Source):
    """A file seen by DuckDB through a link of our own, so that no character of its name means anything."""

    def __init__(self, file: str) -> None:
        self.shown = "standard input" if file == "-" else file
        self._file = file
        self._duckdb = require("duckdb", extra="cli", purpose="Reading a file")

    def __enter__(self) -> _Table:
        self._context = _linked(self._file)
        path, suffix = self._context.__enter__()
        try:
            self._connection = self._duckdb.connect(config={"enable_external_access": True})
            self._relation = self._open(path, suffix)
            self.types = dict(zip(self._relation.columns, map(str, self._relation.types), strict=True))
        except self._duckdb.Error as error:
            self._context.__exit__(None, None, None)
            first = str(error).splitlines()[0].replace(path, self.shown)
            raise InvalidInputError(
                f"{show(self.shown, 200)} cannot be read as {suffix.lstrip('.') or 'CSV'}: {first}. "
                "Hint: CSV, TSV, Parquet, JSON lines, Arrow, Feather and NPZ are read, by the file's ending."
            ) from None
        except BaseException:
            self._context.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._context.__exit__(None, None, None)

    def _open(self, path: str, suffix: str) -> Any:
        if suffix in _PARQUET:
            return self._connection.read_parquet(path)
        if suffix in _JSON:
            return self._connection.read_json(path)
        if suffix in _ARROW:
            arrow = require("pyarrow.feather", extra="cli", purpose="Reading an Arrow file")
            try:
                table = arrow.read_table(path)
            except (OSError, ValueError) as error:
                raise InvalidInputError(f"{show(self.shown, 200)} cannot be read as Arrow: {error}.") from None
            return self._connection.from_arrow(table)
        if suffix not in _TEXT:
            raise InvalidInputError(
                f"{show(self.shown, 200)} must be CSV, TSV, Parquet, JSON lines, Arrow, Feather or NPZ; got the ending "
                f"{suffix!r}."
            )
        return self._connection.read_csv(path)

    def fetch(self, names: list[str]) -> dict[str, NDArray[Any]]:
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        try:
            columns: dict[str, NDArray[Any]] = self._relation.project(quoted).fetchnumpy()
        except self._duckdb.Error as error:
            raise InvalidInputError(
                f"{show(self.shown, 200)} cannot be read: {str(error).splitlines()[0]}. "
                "Hint: name the columns, or mend that row."
            ) from None
        if columns and next(iter(columns.values())).size == 0:
            raise InvalidInputError(f"{show(self.shown, 200)} must have at least one row; it has none.")
        return {name: _plain(array) for name, array in zip(names, columns.values(), strict=True)}

    def is_binary(self, name: str) -> bool:
        quoted = '"' + name.replace('"', '""') + '"'
        rows = self._relation.project(quoted).distinct().limit(3).fetchall()
        values = {row[0] for row in rows}
        return len(values) < 3 and (values <= {0, 1} or values <= {-1, 1})


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """Return a column without an empty mask; a mask that hides something stays, to be refused by name."""
    if isinstance(array, np.ma.MaskedArray) and not np.ma.getmaskarray(array).any():
        return np.asarray(array.data)
    return array


@contextmanager
def _linked(file: str) -> Iterator[tuple[str, str]]:
    """Give the file a harmless name for as long as it is read."""
    folder = Path(tempfile.mkdtemp(prefix="thresher-"))
    try:
        if file == "-":
            target = folder / "input.csv"
            with target.open("wb") as out:
                shutil.copyfileobj(sys.stdin.buffer, out)
            suffix = ".csv"
        else:
            source = Path(file)
            if not source.exists():
                raise _absent(file)
            if source.is_dir():
                raise InvalidInputError(f"{show(file, 200)} must be a file; it is a folder.")
            suffixes = [suffix.lower() for suffix in source.suffixes]
            packed = suffixes[-1:] == [".gz"]
            suffix = (suffixes[:-1] if packed else suffixes)[-1:][0] if suffixes[: -1 if packed else None] else ""
            target = folder / f"input{suffix or '.csv'}{'.gz' if packed else ''}"
            target.symlink_to(source.resolve())
        if target.stat().st_size == 0:
            raise InvalidInputError(f"{show(file, 200)} must have at least one row; it is empty.")
        yield str(target), suffix
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _absent(file: str) -> InvalidInputError:
    return InvalidInputError(f"{show(file, 200)} must be a file that exists. Hint: check the path.")


# Which columns


def _chosen(source: _Source, label: str | None, scores: list[str], taken: list[str]) -> tuple[str, list[str]]:
    names = list(source.types)
    listed = ", ".join(show(name, 40) for name in names[:20]) + (", ..." if len(names) > 20 else "")
    for name in [label, *scores, *taken]:
        if name is not None and name not in source.types:
            raise InvalidInputError(f"{show(source.shown, 200)} has no column {show(name)}. Hint: it has {listed}.")
    if label is None:
        label = _guessed_label(source, [name for name in names if name not in (*scores, *taken)], listed)
    if not scores:
        scores = _guessed_scores(source, [name for name in names if name not in (label, *taken)], listed)
    return label, scores


def _guessed_label(source: _Source, names: list[str], listed: str) -> str:
    by_name = [name for name in names if name.lower() in _LABEL_NAMES]
    if len(by_name) == 1:
        return by_name[0]
    whole = [name for name in names if source.types[name] in ("BOOLEAN", *_NUMBERS)]
    by_value = [name for name in by_name or whole if source.is_binary(name)]
    if len(by_value) == 1:
        return by_value[0]
    raise InvalidInputError(
        f"{show(source.shown, 200)} must have one column that is clearly the label. Hint: name it with --y-true; the "
        f"columns are {listed}."
    )


def _guessed_scores(source: _Source, names: list[str], listed: str) -> list[str]:
    real = [name for name in names if source.types[name].startswith(_REALS)]
    whole = [name for name in names if source.types[name] in _NUMBERS]
    if real and not whole:
        return real
    if len(whole) == 1 and not real:
        return whole
    raise InvalidInputError(
        f"{show(source.shown, 200)} must have columns that are clearly scores. Hint: name them with --y-score, once "
        f"for each model; the columns are {listed}."
    )


def _check_numbers(column: NDArray[Any], name: str, shown: str) -> None:
    """Refuse a column of text, naming its first row that is no number."""
    if column.dtype.kind in "fiub":
        return
    for row, item in enumerate(column.tolist()):
        try:
            float(item)
        except (TypeError, ValueError):
            raise InvalidInputError(
                f"{show(shown, 200)}, column {show(name)}: scores must be numbers; row {row} holds {show(item)}. "
                "Hint: rows are counted from 0, without the header."
            ) from None
    raise InvalidInputError(
        f"{show(shown, 200)}, column {show(name)}: scores must be numbers; the column holds text such as "
        f"{show(column[:1].tolist()[0])}."
    )
