"""Files that are read in batches, told apart by their first bytes: Parquet, Arrow, CSV, JSON lines and NPZ."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thresher._core.checks import show
from thresher._core.optional import require
from thresher._read.sources.dialect import find_dialect, opened
from thresher._read.sources.found_files import TEXT, FoundFile, find_files
from thresher._read.sources.npz_arrays import read_npz
from thresher._read.sources.source import Source, no_column
from thresher.exceptions import InvalidInputError

__all__ = ["files_source", "is_path", "spreadsheet"]

_BATCH_ROWS = 1 << 17
_MOST_EXACT = 2**53


def is_path(value: object) -> bool:
    """Return whether this names a file or a pattern of files."""
    return isinstance(value, str | os.PathLike)


def files_source(paths: Sequence[Any], names: dict[str, str], score: str) -> Source:
    """Return the rows of all files, in the order of their names; `names` maps arguments to columns."""
    found = find_files(paths)
    kinds = _partition_kinds(found)
    files = [open_file(file, names, score, kinds) for file in found]
    known = [file.rows for file in files]
    total = None if any(rows is None for rows in known) else sum(rows for rows in known if rows is not None)
    types = [kind for file in files for kind in file.score_types]
    reading = [""]

    def batches() -> Iterator[Any]:
        for file in files:
            reading[0] = str(file.path) if len(files) > 1 else ""
            yield from map(file.completed, file.batches())

    # What is one batch anyway is not worth a thread that reads ahead.
    return Source(batches, total, types, overlap=total is None or total > _BATCH_ROWS, where=lambda: reading[0])


def _partition_kinds(files: Sequence[FoundFile]) -> dict[str, type]:
    """Return for each column that folders are named after whether all of its values are whole numbers, or text."""
    kinds: dict[str, type] = {}
    for file in files:
        for name, value in file.partition.items():
            whole = value is None or (value.isascii() and value.lstrip("-").isdigit() and len(value) < 19)
            kinds[name] = int if whole and kinds.get(name, int) is int else str
    return kinds


class _File:
    """One file: its rows if they are known beforehand, the types of its scores, and its batches."""

    def __init__(self, path: Path, names: dict[str, str], score: str, partition: dict[str, Any]) -> None:
        self.path = path
        self.names = names
        self.columns = list(dict.fromkeys(names.values()))
        self.partition = partition
        self.score = score
        self.rows: int | None = None
        self.score_types: list[Any] = []
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        # What a damaged file makes of Arrow: sizes that no memory holds, names that are not there.
        self.errors = (OSError, ValueError, KeyError, MemoryError, OverflowError, arrow.ArrowException)

    def check(self, schema: Any) -> None:
        # A column that the file has is the file's; folders name only what is left out of it.
        self.partition = {
            name: value
            for name, value in self.partition.items()
            if name in self.columns and not schema.get_all_field_indices(name)
        }
        for argument, name in self.names.items():
            found = schema.get_all_field_indices(name)
            if len(found) != 1 and name not in self.partition:
                raise no_column(argument, name, schema.names, repeated=len(found) > 1, file=str(self.path))
        self.columns = [name for name in self.columns if name not in self.partition]
        if self.score not in self.partition:
            self.score_types = [schema.field(self.score).type]

    def completed(self, batch: Any) -> Any:
        """Return a batch with the columns that its folders name."""
        if not self.partition:
            return batch
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        for name, value in self.partition.items():
            column = arrow.nulls(batch.num_rows, arrow.string()) if value is None else None
            if column is None:
                index = arrow.array(np.zeros(batch.num_rows, dtype=np.int32))
                column = arrow.DictionaryArray.from_arrays(index, arrow.array([value]))
            batch = batch.append_column(name, column)
        return batch

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
    def __init__(self, path: Path, names: dict[str, str], score: str, partition: dict[str, Any]) -> None:
        super().__init__(path, names, score, partition)
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
    def __init__(self, path: Path, names: dict[str, str], score: str, partition: dict[str, Any]) -> None:
        super().__init__(path, names, score, partition)
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

    def __init__(self, path: Path, names: dict[str, str], score: str, partition: dict[str, Any]) -> None:
        super().__init__(path, names, score, partition)
        self._csv = require("pyarrow.csv", extra="engines", purpose="Reading files")
        self._arrow = require("pyarrow", extra="engines", purpose="Reading files")
        self._dialect = find_dialect(path, str(path))
        try:
            with self._reader({}) as reader:
                schema = reader.schema
        except self.errors as error:
            raise self.unreadable(error) from error
        self.check(schema)
        if score in self.partition:
            self._whole, self._types = False, {}
            return
        self._whole = self._arrow.types.is_integer(schema.field(score).type)
        numeric = self._whole or self._arrow.types.is_floating(schema.field(score).type)
        empty = self._arrow.types.is_null(schema.field(score).type)
        self._types = {score: self._arrow.float64()} if numeric or empty else {}
        self.score_types = [self._arrow.float64()] if self._types else self.score_types

    def _reader(self, types: dict[str, Any]) -> Any:
        dialect = self._dialect
        options = self._csv.ConvertOptions(column_types=types, include_columns=self.columns if types else [])
        # Names are given, and the line that has them passed over: it may run over several lines within quotes.
        read = self._csv.ReadOptions(column_names=list(dialect.names), skip_rows_after_names=int(dialect.header))
        parse = self._csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=dialect.quoted_lines)
        stream = self._arrow.input_stream(str(self.path), compression="detect")
        return self._csv.open_csv(stream, read_options=read, parse_options=parse, convert_options=options)

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


class _Json(_File):
    """One object a line; what is missing in a line is missing in its row."""

    def __init__(self, path: Path, names: dict[str, str], score: str, partition: dict[str, Any]) -> None:
        super().__init__(path, names, score, partition)
        self._arrow = require("pyarrow", extra="engines", purpose="Reading files")
        self._json = require("pyarrow.json", extra="engines", purpose="Reading files")
        try:
            with self._reader() as reader:
                schema = reader.schema
        except self.errors as error:
            raise self.unreadable(error) from error
        self.check(schema)

    def _reader(self) -> Any:
        return self._json.open_json(self._arrow.input_stream(str(self.path), compression="detect"))

    def batches(self) -> Iterator[Any]:
        try:
            with self._reader() as reader:
                for batch in reader:
                    yield batch.select(self.columns)
        except self.errors as error:
            raise self.unreadable(error) from error


class _Npz(_File):
    def __init__(self, path: Path, names: dict[str, str], score: str, partition: dict[str, Any]) -> None:
        super().__init__(path, names, score, partition)
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        data = read_npz(path, str(path))
        wanted = {name: data[name] for name in self.columns if name in data}
        if len({array.shape for array in wanted.values()}) > 1 or any(array.ndim != 1 for array in wanted.values()):
            found = ", ".join(f"{show(name)} {array.shape}" for name, array in wanted.items())
            raise InvalidInputError(
                f"{show(str(path), 200)} must hold one-dimensional arrays of one length; got {found}."
            )
        others = {name: arrow.nulls(len(next(iter(wanted.values()), ()))) for name in data if name not in wanted}
        self._table = arrow.table({name: arrow.array(array) for name, array in wanted.items()} | others)
        self.check(self._table.schema)
        self.rows = self._table.num_rows

    def batches(self) -> Iterator[Any]:
        yield from self._table.select(self.columns).to_batches(max_chunksize=_BATCH_ROWS)


_KINDS: dict[str, type[_File]] = {
    **dict.fromkeys((".parquet", ".pq"), _Parquet),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), _Arrow),
    **dict.fromkeys((".jsonl", ".ndjson"), _Json),
    **dict.fromkeys(TEXT, _Csv),
    ".npz": _Npz,
}
_STARTS: tuple[tuple[bytes, type[_File]], ...] = (
    (b"PAR1", _Parquet),
    (b"ARROW1", _Arrow),
    (b"\xff\xff\xff\xff", _Arrow),
    (b"PK\x03\x04", _Npz),
)


def open_file(file: FoundFile, names: dict[str, str], score: str, kinds: dict[str, type]) -> _File:
    """Return the file by its first bytes, or by its name where they say nothing."""
    path = file.path
    try:
        with opened(path) as stream:
            start = stream.read(8)
    except OSError as error:
        raise InvalidInputError(f"Cannot read {show(str(path), 200)}: {error.strerror or error}.") from error
    if start == b"thresher":
        raise InvalidInputError(
            f"`source` must hold rows; {show(str(path), 200)} is a file of counts. Hint: read it with `th.Scores.load`."
        )
    endings = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if endings[-1:] in ([".xlsx"], [".xls"], [".ods"]):
        raise spreadsheet(str(path))
    made = next((kind for magic, kind in _STARTS if start.startswith(magic)), None)
    made = made or _KINDS.get("".join(endings[-1:]))
    if made is None:
        raise InvalidInputError(
            f"`source` must be Parquet, Arrow, CSV, JSON lines or NPZ files; got {show(str(path), 200)}. "
            "Hint: text is known by its name, which ends in .csv, .tsv, .txt or .jsonl."
        )
    typed = {
        name: value if value is None else kinds[name](value) for name, value in file.partition.items() if name in kinds
    }
    return made(path, names, score, typed)


def spreadsheet(shown: str) -> InvalidInputError:
    """Return the error for a file of a spreadsheet program."""
    return InvalidInputError(
        f"{show(shown, 200)} must be a plain table; it is a workbook of a spreadsheet program. Hint: save the sheet as "
        "CSV (UTF-8), or write it with `pandas.read_excel(path).to_parquet(...)`."
    )
