"""Files that are read in batches: Parquet, Arrow and CSV, told apart by their first bytes."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from thresher._core.checks import show
from thresher._core.optional import require
from thresher._read.sources.source import Source, no_column
from thresher.exceptions import InvalidInputError

__all__ = ["files_source", "is_path"]

_BATCH_ROWS = 1 << 17
_TEXT = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
_SUFFIXES = (".parquet", ".pq", ".arrow", ".feather", ".ipc", *_TEXT)
_MOST_EXACT = 2**53


def is_path(value: object) -> bool:
    """Return whether this names a file or a pattern of files."""
    return isinstance(value, str | os.PathLike)


def files_source(paths: Sequence[Any], names: dict[str, str], score: str) -> Source:
    """Return the rows of all files, in the order of their names; `names` maps arguments to columns."""
    files = [open_file(path, names, score) for path in _found(paths)]
    known = [file.rows for file in files]
    total = None if any(rows is None for rows in known) else sum(rows for rows in known if rows is not None)
    types = [kind for file in files for kind in file.score_types]

    def batches() -> Iterator[Any]:
        for file in files:
            yield from file.batches()

    # What is one batch anyway is not worth a thread that reads ahead.
    return Source(batches, total, types, overlap=total is None or total > _BATCH_ROWS)


def _found(paths: Sequence[Any]) -> list[Path]:
    """Return the files that paths, folders and patterns stand for."""
    out: list[Path] = []
    for given in paths:
        text = os.fspath(given)
        if not text:
            raise InvalidInputError("`source` must name a file; got ''. Hint: '.' stands for the working folder.")
        path = Path(text)
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and _known(file))
            if not inside:
                raise InvalidInputError(
                    f"`source` must hold files to read; the folder {show(text, 200)} has none that end in "
                    f"{', '.join(_SUFFIXES[:6])}. Hint: name the files, or give a pattern such as '*.parquet'."
                )
            out += inside
        elif path.exists():
            out.append(path)
        else:
            # `Path.glob` takes no absolute patterns.
            named = map(Path, glob.glob(text, recursive=True))  # noqa: PTH207
            matched = sorted(file for file in named if file.is_file())
            if not matched:
                rule = "match at least one file" if glob.has_magic(text) else "name a file that exists"
                raise InvalidInputError(
                    f"`source` must {rule}; got {show(text, 200)}. "
                    f"Hint: the working folder is {show(str(Path.cwd()), 200)}."
                )
            out += matched
    if not out:
        raise InvalidInputError("`source` must name at least one file; got an empty list.")
    return out


def _known(path: Path) -> bool:
    return path.name.lower().endswith(_SUFFIXES)


class _File:
    """One file: its rows if they are known beforehand, the types of its scores, and its batches."""

    def __init__(self, path: Path, names: dict[str, str], score: str) -> None:
        self.path = path
        self.names = names
        self.columns = list(dict.fromkeys(names.values()))
        self.score = score
        self.rows: int | None = None
        self.score_types: list[Any] = []
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        # What a damaged file makes of Arrow: sizes that no memory holds, names that are not there.
        self.errors = (OSError, ValueError, KeyError, MemoryError, OverflowError, arrow.ArrowException)

    def check(self, schema: Any) -> None:
        for argument, name in self.names.items():
            found = schema.get_all_field_indices(name)
            if len(found) != 1:
                raise no_column(argument, name, schema.names, repeated=len(found) > 1)
        self.score_types = [schema.field(self.score).type]

    def batches(self) -> Iterator[Any]:
        raise NotImplementedError

    def unreadable(self, error: BaseException) -> InvalidInputError:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return InvalidInputError(
            f"Cannot read {show(str(self.path), 200)}: {lines[0]}. Hint: is it complete, and of the kind its name says?"
        )


def _sound(batch: Any) -> Any:
    """Return the batch if no offset or index in it points outside; what reads it next trusts them."""
    batch.validate(full=True)
    return batch


class _Parquet(_File):
    def __init__(self, path: Path, names: dict[str, str], score: str) -> None:
        super().__init__(path, names, score)
        self._parquet = require("pyarrow.parquet", extra="engines", purpose="Reading files")
        try:
            with self._parquet.ParquetFile(path) as file:
                schema, self.rows = file.schema_arrow, file.metadata.num_rows
        except self.errors as error:
            raise self.unreadable(error) from error
        self.check(schema)

    def batches(self) -> Iterator[Any]:
        try:
            # Buffering ahead would hold all of the file's columns in memory.
            with self._parquet.ParquetFile(self.path, pre_buffer=False) as file:
                # Only the columns asked for are decoded; nested columns would share a prefix with a dot.
                for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=self.columns):
                    yield _sound(batch)
        except self.errors as error:
            raise self.unreadable(error) from error


class _Arrow(_File):
    def __init__(self, path: Path, names: dict[str, str], score: str) -> None:
        super().__init__(path, names, score)
        self._arrow = require("pyarrow", extra="engines", purpose="Reading files")
        try:
            with self._arrow.OSFile(str(path)) as file, self._open(file) as reader:
                schema = reader.schema
        except self.errors as error:
            raise self.unreadable(error) from error
        self.check(schema)

    def _open(self, file: Any) -> Any:
        ipc = require("pyarrow.ipc", extra="engines", purpose="Reading files")
        start = file.read(6)
        file.seek(0)
        return ipc.open_file(file) if start == b"ARROW1" else ipc.open_stream(file)

    def batches(self) -> Iterator[Any]:
        try:
            # Read, not mapped: a mapped file that somebody cuts short ends the process.
            with self._arrow.OSFile(str(self.path)) as file, self._open(file) as reader:
                if hasattr(reader, "num_record_batches"):
                    for k in range(reader.num_record_batches):
                        yield _sound(reader.get_batch(k).select(self.columns))
                else:
                    for batch in reader:
                        yield _sound(batch.select(self.columns))
        except self.errors as error:
            raise self.unreadable(error) from error


class _Csv(_File):
    """Scores are read as float64: they are exact for whole numbers below 2**53, and larger ones are refused."""

    def __init__(self, path: Path, names: dict[str, str], score: str) -> None:
        super().__init__(path, names, score)
        self._csv = require("pyarrow.csv", extra="engines", purpose="Reading files")
        self._arrow = require("pyarrow", extra="engines", purpose="Reading files")
        try:
            with self._reader({}) as reader:
                schema = reader.schema
        except self.errors as error:
            raise self.unreadable(error) from error
        self.check(schema)
        self._whole = self._arrow.types.is_integer(schema.field(score).type)
        numeric = self._whole or self._arrow.types.is_floating(schema.field(score).type)
        empty = self._arrow.types.is_null(schema.field(score).type)
        self._types = {score: self._arrow.float64()} if numeric or empty else {}
        self.score_types = [self._arrow.float64()] if self._types else self.score_types

    def _reader(self, types: dict[str, Any]) -> Any:
        delimiter = "\t" if ".tsv" in self.path.name.lower() else ","
        options = self._csv.ConvertOptions(column_types=types, include_columns=self.columns if types else [])
        stream = self._arrow.input_stream(str(self.path), compression="detect")
        return self._csv.open_csv(
            stream, parse_options=self._csv.ParseOptions(delimiter=delimiter), convert_options=options
        )

    def batches(self) -> Iterator[Any]:
        compute = require("pyarrow.compute", extra="engines", purpose="Reading files")
        try:
            with self._reader(self._types) as reader:
                for batch in reader:
                    if self._whole and batch.num_rows:
                        largest = compute.max(compute.abs(batch.column(self.score))).as_py()
                        if largest is not None and largest >= _MOST_EXACT:
                            raise InvalidInputError(
                                f"Whole scores in a CSV file must be below 2**53 in magnitude; got {largest:.17g} in "
                                f"{show(str(self.path), 200)}. Hint: write the file as Parquet with 64-bit integers."
                            )
                    yield batch.select(self.columns)
        except InvalidInputError:
            raise
        except self.errors as error:
            raise self.unreadable(error) from error


def open_file(path: Path, names: dict[str, str], score: str) -> _File:
    """Return the file by its first bytes, or by its name where they say nothing."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError as error:
        raise InvalidInputError(f"Cannot read {show(str(path), 200)}: {error.strerror}.") from error
    name = path.name.lower()
    if start.startswith(b"PAR1") or name.endswith((".parquet", ".pq")):
        return _Parquet(path, names, score)
    if start.startswith((b"ARROW1", b"\xff\xff\xff\xff")) or name.endswith((".arrow", ".feather", ".ipc")):
        return _Arrow(path, names, score)
    if name.endswith(_TEXT):
        return _Csv(path, names, score)
    raise InvalidInputError(
        f"`source` must be Parquet, Arrow or CSV files; got {show(str(path), 200)}. "
        "Hint: CSV is known by its name, which ends in .csv, .tsv or .txt."
    )
