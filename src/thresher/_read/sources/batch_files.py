"""Files that are read in batches by Arrow, one class for each form: Parquet, Arrow, text, JSON and NPZ."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from thresher._core.arrays import MOST_EXACT
from thresher._core.checks import require, show, show_text
from thresher._core.files import own_folder
from thresher._read.sources.dialect import find_dialect, is_number
from thresher._read.sources.file_form import find_form, is_packed, linked
from thresher._read.sources.found_files import FoundFile, find_files
from thresher._read.sources.named_columns import one_length, read_npz, text_in
from thresher._read.sources.source import Source, arguments, no_column
from thresher._read.sources.unreadable import unreadable
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import BoolArray

BATCH_ROWS = 1 << 17
_BLOCK_BYTES = 1 << 20
_PURPOSE = "Reading files"


class BatchFile:
    """One file: the columns it has, how many rows if that is known beforehand, and its rows in batches."""

    form: str
    """Its name in `FORMS`."""
    schema: Any
    rows: int | None = None

    def __init__(self, path: Path, shown: str) -> None:
        self.path = path
        self.shown = shown
        self._arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
        with self._told():
            self._look()
            self.names: list[str] = list(self.schema.names)  # which need not be text in a damaged file

    def _look(self) -> None:
        """Find out the columns, and the number of rows where that is written down."""
        raise NotImplementedError

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        raise NotImplementedError

    def score_type(self, score: str) -> Any:
        """Return the Arrow type in which scores of that column come."""
        return self.schema.field(score).type

    def batches(self, columns: Sequence[str], scores: Sequence[str], chosen: Any = None) -> Iterator[Any]:
        """Yield some of the columns; `scores` are those whose numbers must stay different.

        `chosen` is a condition of Arrow for the rows, on any columns.
        """
        with self._told():
            if chosen is None:
                yield from self._read(list(columns), scores)
            else:
                yield from self._filtered(list(columns), scores, chosen)

    def table(self) -> Any:
        """Return all rows of all columns."""
        with self._told():
            return self._arrow.Table.from_batches(list(self._read(self.names, ())), self.schema)

    def _filtered(self, columns: list[str], scores: Sequence[str], chosen: Any) -> Iterator[Any]:
        """Yield the rows that a condition keeps; forms without an index read every column for it."""
        for batch in self._read(self.names, scores):
            yield batch.filter(chosen).select(columns)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what is wrong with the file in our words."""
        # What a damaged file makes of Arrow: sizes that no memory holds, names that are not there.
        wrong = (OSError, ValueError, KeyError, MemoryError, OverflowError, self._arrow.ArrowException)
        try:
            yield
        except (InvalidInputError, InvalidTypeError):
            raise
        except wrong as error:
            raise unreadable(self.shown, self._found(error), path=str(self.path)) from error

    def _found(self, error: BaseException) -> object:
        """Return what Arrow found: the error, or a better one."""
        return error


def _sound(batch: Any) -> Any:
    """Return the batch if no offset or index in it points outside; what reads it next trusts them."""
    batch.validate(full=True)
    return batch


class _ParquetFile(BatchFile):
    form = "parquet"

    def _look(self) -> None:
        self._parquet = require("pyarrow.parquet", extra="engines", purpose=_PURPOSE)
        with self._parquet.ParquetFile(self.path) as file:
            self.schema, self.rows = file.schema_arrow, file.metadata.num_rows

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        # Buffering ahead would hold all of the file's columns in memory.
        with self._parquet.ParquetFile(self.path, pre_buffer=False) as file:
            # Only the columns asked for are decoded; nested columns would share a prefix with a dot.
            for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=columns):
                yield _sound(batch)

    def _filtered(self, columns: list[str], scores: Sequence[str], chosen: Any) -> Iterator[Any]:
        """Yield rows of the row groups whose statistics do not rule them out."""
        dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
        one = dataset.dataset(str(self.path), format="parquet")
        for batch in one.to_batches(columns=columns, filter=chosen, batch_size=BATCH_ROWS, fragment_readahead=1):
            yield _sound(batch)


class _ArrowFile(BatchFile):
    """A file or a stream of Arrow, which is Feather too."""

    form = "arrow"

    def _look(self) -> None:
        with self._opened() as reader:
            self.schema = reader.schema

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        ipc = require("pyarrow.ipc", extra="engines", purpose=_PURPOSE)
        # Read, not mapped: a mapped file that someone cuts short ends the process.
        with self._arrow.OSFile(str(self.path)) as file:
            framed = file.read(6) == b"ARROW1"
            file.seek(0)
            with ipc.open_file(file) if framed else ipc.open_stream(file) as reader:
                yield reader

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        with self._opened() as reader:
            many = hasattr(reader, "num_record_batches")
            for batch in map(reader.get_batch, range(reader.num_record_batches)) if many else reader:
                yield _sound(batch.select(columns))


class _OrcFile(BatchFile):
    """A file of ORC, read stripe by stripe."""

    form = "orc"

    def _look(self) -> None:
        self._orc = require("pyarrow.orc", extra="engines", purpose=_PURPOSE)
        file = self._orc.ORCFile(str(self.path))
        self.schema, self.rows = file.schema, file.nrows

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        file = self._orc.ORCFile(str(self.path))
        for stripe in range(file.nstripes):
            yield _sound(file.read_stripe(stripe, columns=columns).select(columns))


class _TextFile(BatchFile):
    """Scores are read as float64: they are exact for whole numbers below 2**53, and larger ones are refused."""

    form = "text"

    def _look(self) -> None:
        self._csv = require("pyarrow.csv", extra="engines", purpose=_PURPOSE)
        self._dialect = find_dialect(self.path, self.shown)
        with self._reader() as reader:
            self.schema = reader.schema

    def _reader(self, columns: Sequence[str] = (), types: dict[str, Any] | None = None, *, threads: bool = True) -> Any:
        dialect = self._dialect
        options = self._csv.ConvertOptions(column_types=types or {}, include_columns=list(columns))
        # Names are given, and the line that has them passed over: it may run over several lines within quotes.
        read = self._csv.ReadOptions(
            skip_rows=dialect.blank,
            column_names=list(dialect.names),
            skip_rows_after_names=int(dialect.header),
            use_threads=threads,
            # Blocks of 1 MB have few rows where there are many columns, and each batch of each column costs.
            block_size=_BLOCK_BYTES * min(max(len(dialect.names) // 8, 1), 16),
        )
        parse = self._csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=dialect.quoted_lines)
        packing = "gzip" if is_packed(self.path) else None
        stream = self._arrow.input_stream(str(self.path), compression=packing)
        return self._csv.open_csv(stream, read_options=read, parse_options=parse, convert_options=options)

    def score_type(self, score: str) -> Any:
        found, types = self.schema.field(score).type, self._arrow.types
        numeric = types.is_integer(found) or types.is_floating(found) or types.is_null(found)
        return self._arrow.float64() if numeric else found

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        types = {score: self.score_type(score) for score in scores if score in columns}
        self._asked = (columns, types)
        for score, kind in types.items():
            if kind in (self._arrow.string(), self._arrow.bool_()):
                self._refuse_text(score)
        unlooked = {score for score, kind in types.items() if kind == self._arrow.float64()}
        with self._reader(columns, types) as reader:
            for batch in reader:
                for score in [one for one in unlooked if _rounded(batch.column(one), endless=True).any()]:
                    self._refuse_large(score)
                    unlooked.discard(score)
                yield batch.select(columns)

    def _cells(self, score: str) -> Iterator[tuple[int, Any]]:
        """Yield the cells of a column as they are written, with the number of rows above them."""
        rows = 0
        with self._reader([score], {score: self._arrow.string()}) as reader:
            for batch in reader:
                yield rows, batch.column(0)
                rows += batch.num_rows

    def _refuse_text(self, score: str) -> None:
        """Raise for the first cell that is no number, which need not be in the rows that decided the type."""
        for above, cells in self._cells(score):
            wrong = next((i for i, cell in enumerate(cells.to_pylist()) if cell and not is_number(cell)), None)
            if wrong is not None:
                raise InvalidTypeError(str(text_in(self.shown, score, above + wrong, cells[wrong].as_py())))

    def _refuse_large(self, score: str) -> None:
        """Raise for whole numbers that a double may have rounded, as 1e300 is not, and for those beyond all doubles."""
        compute = require("pyarrow.compute", extra="engines", purpose=_PURPOSE)
        for above, cells in self._cells(score):
            long = compute.match_substring_regex(cells, r"^\s*[+-]?[0-9]{16,}\s*$|[eE]\s*[+]?[0-9]{3}|[0-9]{308}")
            for row in np.flatnonzero(long.to_numpy(zero_copy_only=False)).tolist():
                cell = cells[row].as_py().strip()
                if not is_number(cell):
                    raise text_in(self.shown, score, above + row, cell)
                if cell.lstrip("+-").isdigit() and abs(int(cell)) >= MOST_EXACT:
                    raise InvalidInputError(
                        f"Whole scores in a CSV file must be below 2**53 in magnitude; got {show_text(cell, 60)} in "
                        f"{show(self.shown, 200)}. Hint: write the file as Parquet with 64-bit integers."
                    )

    def _found(self, error: BaseException) -> object:
        """Return Arrow's error with the line that it is about, which it knows where one thread reads."""
        columns, types = getattr(self, "_asked", ((), {}))
        if "CSV" not in str(error):
            return error
        try:
            with self._reader(columns, types, threads=False) as reader:
                for _ in reader:
                    pass
        except self._arrow.ArrowException as located:
            return located
        return error


class _JsonLinesFile(BatchFile):
    """One object a line; what is missing in a line is missing in its row."""

    form = "json lines"

    def _look(self) -> None:
        self._json = require("pyarrow.json", extra="engines", purpose=_PURPOSE)
        with self._reader() as reader:
            self.schema = reader.schema

    def _reader(self) -> Any:
        packing = "gzip" if is_packed(self.path) else None
        return self._json.open_json(self._arrow.input_stream(str(self.path), compression=packing))

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        with self._reader() as reader:
            for batch in reader:
                chosen = batch.select(columns)
                _refuse_rounded(chosen, scores, self.shown)
                yield chosen


class _JsonFile(BatchFile):
    """One list of objects, which is read by DuckDB: Arrow knows lines alone."""

    form = "json"

    def _look(self) -> None:
        with self._relation() as relation:
            self.schema = relation.limit(0).to_arrow_table().schema

    @contextmanager
    def _relation(self) -> Iterator[Any]:
        from thresher._read.sources import table_columns as duckdb  # which reads files of other forms by this module

        with own_folder() as folder, duckdb.connection() as database:
            link = linked(self.path, folder)
            try:
                yield duckdb.read_relation(database, link, "json", self.shown)[0]
            except duckdb.duckdb_error() as error:
                raise unreadable(self.shown, error, path=str(link)) from None

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        with self._relation() as relation:
            fetch = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
            for batch in fetch(BATCH_ROWS):
                chosen = batch.select(columns)
                _refuse_rounded(chosen, scores, self.shown)
                yield chosen


def _refuse_rounded(batch: Any, scores: Sequence[str], shown: str) -> None:
    """Raise where whole scores of JSON became doubles that do not hold them: others are equal to them now."""
    for score in scores:
        if score not in batch.schema.names or str(batch.schema.field(score).type) != "double":
            continue
        lost = _rounded(batch.column(score))
        if not lost.any():
            continue
        first = batch.column(score)[int(np.flatnonzero(lost)[0])].as_py()
        raise InvalidInputError(
            f"{show(shown, 200)}, column {show(score)}: must hold numbers that are exact as 64-bit integers or as "
            f"doubles, or others become equal to them; one is {first:.17g}. Hint: write whole numbers below "
            "2**63 without decimals beside them, or ranks."
        )


def _rounded(scores: Any, *, endless: bool = False) -> BoolArray:
    """Return which doubles are so large that whole numbers between them have none of their own; infinite ones too."""
    values = np.asarray(scores.to_numpy(zero_copy_only=False))
    if not values.size or (values.max() < MOST_EXACT and values.min() > -MOST_EXACT):  # neither where one is NaN
        return np.zeros(values.size, dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(values) >= MOST_EXACT) & (endless | np.isfinite(values)))


class _NpzFile(BatchFile):
    form = "npz"

    def _look(self) -> None:
        self._data = read_npz(self.path, self.shown)
        self.schema = self._arrow.schema([(name, self._type(array)) for name, array in self._data.items()])
        sizes = {array.size for array in self._data.values()}
        self.rows = sizes.pop() if len(sizes) == 1 else None

    def _type(self, array: Any) -> Any:
        try:
            return self._arrow.from_numpy_dtype(array.dtype)
        except (NotImplementedError, self._arrow.ArrowException):  # complex numbers: refused where they are asked for
            return self._arrow.null()

    def _read(self, columns: list[str], scores: Sequence[str]) -> Iterator[Any]:
        chosen = one_length({name: self._data[name] for name in columns}, self.shown)
        table = self._arrow.table({name: self._arrow.array(array) for name, array in chosen.items()})
        yield from table.to_batches(max_chunksize=BATCH_ROWS)


_CLASSES = {kind.form: kind for kind in BatchFile.__subclasses__()}


def batch_file(path: Path, shown: str = "") -> BatchFile:
    """Return a file by its form; messages call it `shown`."""
    shown = shown or str(path)
    return _CLASSES[find_form(path, shown)](path, shown)


def is_path(value: object) -> bool:
    """Return whether this names a file or a pattern of files."""
    return isinstance(value, str | os.PathLike)


def files_source(paths: Sequence[Any], names: dict[str, str], chosen: Any = None) -> Source:
    """Return the rows of all files, in the order of their names; `names` maps arguments to columns.

    `chosen` is a condition of Arrow for the rows.
    """
    found = find_files(paths)
    kinds = _partition_kinds(found)
    files = [_File(file, names, chosen, kinds) for file in found]
    known = [file.rows if chosen is None else None for file in files]
    total = None if any(rows is None for rows in known) else sum(rows for rows in known if rows is not None)
    types = {
        argument: [file.score_types[argument] for file in files if argument in file.score_types]
        for argument in arguments(names, "y_score")
    }
    reading = [""]

    def batches() -> Iterator[Any]:
        for file in files:
            reading[0] = file.shown if len(files) > 1 else ""
            yield from file.batches()

    # What is one batch anyway is not worth a thread that reads ahead.
    return Source(batches, total, types, overlap=total is None or total > BATCH_ROWS, where=lambda: reading[0])


def _partition_kinds(files: Sequence[FoundFile]) -> dict[str, type]:
    """Return for each column that folders are named after whether all of its values are whole numbers, or text."""
    kinds: dict[str, type] = {}
    for file in files:
        for name, value in file.partition.items():
            whole = value is None or (value.isascii() and value.lstrip("-").isdigit() and len(value) < 19)
            kinds[name] = int if whole and kinds.get(name, int) is int else str
    return kinds


class _File:
    """What is read of one file: its own columns, and those that its folders name."""

    def __init__(self, found: FoundFile, names: dict[str, str], chosen: Any, kinds: dict[str, type]) -> None:
        self._file = batch_file(found.path)
        self._chosen = chosen
        self.shown, self.rows = self._file.shown, self._file.rows
        schema = self._file.schema
        wanted = list(dict.fromkeys(names.values()))
        # A column that the file has is the file's; folders name only what is left out of it.
        self._partition = {
            name: value if value is None else kinds[name](value)
            for name, value in found.partition.items()
            if name in wanted and not schema.get_all_field_indices(name)
        }
        for argument, name in names.items():
            times = len(schema.get_all_field_indices(name))
            if times != 1 and name not in self._partition:
                raise no_column(argument, name, self._file.names, repeated=times > 1, file=self.shown)
        self._columns = [name for name in wanted if name not in self._partition]
        scores = {argument: names[argument] for argument in arguments(names, "y_score")}
        self._scores = [name for name in dict.fromkeys(scores.values()) if name not in self._partition]
        self.score_types = {
            argument: self._file.score_type(name) for argument, name in scores.items() if name in self._scores
        }
        # A condition may name the folders too: they are columns before it is asked.
        self._folders = (
            {}
            if chosen is None
            else {
                name: value if value is None else kinds[name](value)
                for name, value in found.partition.items()
                if not schema.get_all_field_indices(name)
            }
        )

    def batches(self) -> Iterator[Any]:
        if not self._folders:
            batches = self._file.batches(self._columns, self._scores, self._chosen)
            yield from map(self._completed, batches)
            return
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        for batch in self._file.batches(self._file.names, self._scores):
            for name, value in self._folders.items():
                batch = batch.append_column(name, arrow.repeat(value, batch.num_rows))
            yield batch.filter(self._chosen).select([*self._columns, *self._partition])

    def _completed(self, batch: Any) -> Any:
        """Return a batch with the columns that its folders name."""
        if not self._partition:
            return batch
        arrow = require("pyarrow", extra="engines", purpose="Reading files")
        for name, value in self._partition.items():
            column = arrow.nulls(batch.num_rows, arrow.string()) if value is None else None
            if column is None:
                index = arrow.array(np.zeros(batch.num_rows, dtype=np.int32))
                column = arrow.DictionaryArray.from_arrays(index, arrow.array([value]))
            batch = batch.append_column(name, column)
        return batch
