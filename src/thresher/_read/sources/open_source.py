"""Any supported source as batches. Each library is imported only for its own objects."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from thresher._core.checks import require, show
from thresher._core.files import own_folder
from thresher._core.stores import stored_bytes, without_secrets
from thresher._read.sources.batch_columns import TUPLE
from thresher._read.sources.batch_files import files_source, is_path
from thresher._read.sources.remote_files import are_addresses, is_local, packed_files, reading, remote_dataset
from thresher._read.sources.source import Source, arguments, no_column
from thresher._read.sources.table_columns import quoted
from thresher.exceptions import InvalidInputError, InvalidTypeError

Opener: TypeAlias = Callable[[Any, dict[str, str], Any], Source]

_BATCH_ROWS = 1 << 17
_PIECE = 1 << 23  # asked of a store at once
_SPARING = {"batch_size": _BATCH_ROWS, "batch_readahead": 4, "fragment_readahead": 1}
_AHEAD = {"batch_size": _BATCH_ROWS, "batch_readahead": 16, "fragment_readahead": 4}  # where every request waits
_PURPOSE = "Scanning columns"


@dataclass(frozen=True)
class Reopened:
    """Rows that are asked for anew each time they are read; `open` gives a reader of record batches."""

    open: Callable[[], Any]


def open_source(source: Any, names: dict[str, str], chosen: Any = None) -> Source:
    """Return the batches of a source; `names` maps the arguments `y_true`, `y_score`, ... to columns.

    `chosen` is a condition for the rows, as the library that reads them writes it.
    """
    if isinstance(chosen, str) and not _is_relation(source):
        raise _filter_type(chosen)
    if isinstance(source, Reopened):
        return _reader(source.open(), names, chosen)
    if are_addresses(source):
        with reading(source):
            packed = packed_files(source)
        if packed:
            return _fetched(packed, names, chosen)
        with reading(source):
            found = _dataset(remote_dataset(source), names, chosen)
        return replace(found, batches=lambda: _told(source, found))
    if is_path(source):
        return files_source([source], names, chosen)
    if isinstance(source, list | tuple) and source and all(is_path(item) for item in source):
        return files_source(source, names, chosen)
    opener = _opener(source)
    if opener is not None:
        return opener(source, names, chosen)
    if hasattr(source, "__arrow_c_stream__"):
        arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
        return _reader(arrow.RecordBatchReader.from_stream(source), names, chosen)
    if isinstance(source, Iterable) and not isinstance(source, dict | bytes):
        return _batches(source, names, chosen)
    raise InvalidTypeError(
        f"`source` must be files, a dataset, a table, a lazy frame, a relation or batches; got a {_named(source)}. "
        "Hint: arrays in memory are counted by `th.Scores(y_true, y_score)`."
    )


def _fetched(addresses: list[str], names: dict[str, str], chosen: Any) -> Source:
    """Return the rows of packed files elsewhere, each of which is fetched as a whole: no part can be skipped."""
    kept = ExitStack()
    files: list[Path] = []
    try:
        folder = kept.enter_context(own_folder())
        for k, address in enumerate(addresses):
            files.append(folder / f"{k}-{address.partition('?')[0].rpartition('/')[2]}")
            with stored_bytes(address) as stream, files[-1].open("wb") as out:
                shutil.copyfileobj(stream, out, _PIECE)
        found = files_source(files, names, chosen)
    except InvalidInputError as error:
        kept.close()
        text = str(error)
        for file, address in zip(files, addresses, strict=False):
            text = text.replace(str(file), without_secrets(address, [address]))
        raise InvalidInputError(text) from None
    except BaseException:
        kept.close()
        raise

    def batches() -> Iterator[Any]:
        with kept:
            yield from found.batches()

    return replace(found, batches=batches)


def _told(addresses: Any, source: Source) -> Iterator[Any]:
    with reading(addresses):
        yield from source.batches()


def _is_relation(source: Any) -> bool:
    return type(source).__name__ == "DuckDBPyRelation"


def _filter_type(chosen: object) -> InvalidTypeError:
    return InvalidTypeError(
        f"`filter` must be written as the library that reads the source writes conditions; got {show(chosen)}. Hint: "
        "`pyarrow.compute.field('day') > 3` for files and Arrow, `polars.col('day') > 3` for a LazyFrame, "
        "'day > 3' for tables of an engine."
    )


def _opener(source: Any) -> Opener | None:
    """Return what opens an object of a library that is known, or an open file."""
    module = type(source).__module__.partition(".")[0]
    if module in ("dask", "dask_expr") and hasattr(source, "partitions"):
        return _partitions
    if hasattr(source, "read") and not hasattr(source, "__arrow_c_stream__") and module != "pyarrow":
        return _open_file
    known = _OPENERS.get((module, type(source).__name__))
    return _open_file if known is None and module == "pyarrow" and hasattr(source, "seekable") else known


def _named(value: object) -> str:
    return type(value).__name__


def _check(names: dict[str, str], columns: list[str]) -> list[str]:
    """Return the columns to read, each once, if all are there."""
    for argument, name in names.items():
        found = columns.count(name)
        if found != 1:
            raise no_column(argument, name, columns, repeated=found > 1)
    return list(dict.fromkeys(names.values()))


def _dataset(source: Any, names: dict[str, str], chosen: Any) -> Source:
    wanted = _check(names, source.schema.names)
    try:
        fragments = list(source.get_fragments())
    except ValueError:  # it was filtered, which hides its fragments
        chosen = None if chosen is None else {"filter": chosen}
        return _reader(source.scanner(columns=wanted, **(chosen or {}), **_pace(source)).to_reader(), names)
    # A dataset casts to the schema of its first file, which may lose digits: every file is asked for its own type.
    schemas = [source.schema, *(fragment.physical_schema for fragment in fragments)]
    types = _types(names, schemas)
    rows = source.count_rows() if chosen is None else None
    return Source(lambda: iter(_by_file(source, fragments, wanted, chosen)), rows, types, overlap=True)


def _types(names: dict[str, str], schemas: list[Any]) -> dict[str, list[Any]]:
    """Return the types of each column of scores in schemas that have it."""
    return {
        argument: [schema.field(names[argument]).type for schema in schemas if names[argument] in schema.names]
        for argument in arguments(names, "y_score")
    }


def _by_file(source: Any, fragments: list[Any], wanted: list[str], chosen: Any) -> Iterator[Any]:
    if len({str(fragment.physical_schema) for fragment in fragments}) <= 1:
        yield from source.to_batches(columns=wanted, filter=chosen, **_pace(source))
        return
    for fragment in fragments:
        own = set(fragment.physical_schema.names) >= set(wanted)
        schema = {"schema": fragment.physical_schema} if own else {"schema": source.schema}
        yield from fragment.to_batches(columns=wanted, filter=chosen, **_pace(source), **schema)


def _pace(source: Any) -> dict[str, Any]:
    """Return how far to read ahead: far elsewhere; here so little that no column is read into memory as a whole."""
    if not is_local(source):
        return dict(_AHEAD)
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    if not isinstance(getattr(source, "format", None), dataset.ParquetFileFormat):
        return dict(_SPARING)
    return {**_SPARING, "fragment_scan_options": dataset.ParquetFragmentScanOptions(pre_buffer=False)}


def _table(source: Any, names: dict[str, str], chosen: Any) -> Source:
    wanted = _check(names, source.schema.names)
    columns = source.select(wanted) if chosen is None else source.filter(chosen).select(wanted)
    many = hasattr(columns, "to_batches")
    return Source(
        lambda: iter(columns.to_batches() if many else [columns]), columns.num_rows, _types(names, [source.schema])
    )


def _reader(source: Any, names: dict[str, str], chosen: Any = None) -> Source:
    wanted = _check(names, source.schema.names)

    def batches() -> Iterator[Any]:
        for batch in source:
            yield (batch if chosen is None else batch.filter(chosen)).select(wanted)

    return Source(batches, None, _types(names, [source.schema]))


def _scanner(source: Any, names: dict[str, str], chosen: Any) -> Source:
    return _reader(source.to_reader(), names, chosen)


def _parquet_file(source: Any, names: dict[str, str], chosen: Any) -> Source:
    schema = source.schema_arrow
    wanted = _check(names, schema.names)

    def batches() -> Iterator[Any]:
        # Names with dots are read as paths into nested columns: such files are cut down after reading.
        some = chosen is None and not any("." in name for name in schema.names)
        for batch in source.iter_batches(_BATCH_ROWS, columns=wanted if some else None):
            yield (batch if chosen is None else batch.filter(chosen)).select(wanted)

    return Source(batches, source.metadata.num_rows if chosen is None else None, _types(names, [schema]))


def _open_file(source: Any, names: dict[str, str], chosen: Any) -> Source:
    """Return the rows of an open Parquet file; other forms have no end that can be looked at."""
    start: object = b""
    if hasattr(source, "seekable") and source.seekable():
        at = source.tell()
        start = source.read(4)
        source.seek(at)
    if start != b"PAR1":
        raise InvalidTypeError(
            f"`source` must be a path, or an open binary file of Parquet that can be read in any order; got a "
            f"{_named(source)}. Hint: pass the path; or read it first, for example `pyarrow.csv.open_csv(file)`."
        )
    parquet = require("pyarrow.parquet", extra="engines", purpose=_PURPOSE)
    return _parquet_file(parquet.ParquetFile(source), names, chosen)


def _partitions(source: Any, names: dict[str, str], filter_: Any) -> Source:
    """Return the partitions of a Dask frame, one after another, with the columns that are needed."""
    wanted = _check(names, list(source.columns))
    if filter_ is not None:
        raise InvalidInputError("`filter` must not be given for a Dask frame. Hint: `frame[frame.day > 3]` before.")
    chosen = source[wanted]

    def batches() -> Iterator[Any]:
        arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
        for partition in chosen.partitions:
            yield from arrow.Table.from_pandas(partition.compute(), preserve_index=False).to_batches()

    return Source(batches)


def _lazy_frame(source: Any, names: dict[str, str], filter_: Any) -> Source:
    selectors = require("polars.selectors", extra="engines", purpose="Scanning a polars LazyFrame")
    source = source if filter_ is None else source.filter(filter_)
    columns = source.collect_schema().names()
    # By place: `pl.col` reads patterns into names, and so does `by_name` until 1.25.
    chosen = source.select(selectors.by_index(*map(columns.index, _check(names, columns))))

    def batches() -> Iterator[Any]:
        if hasattr(chosen, "collect_batches"):
            frames = chosen.collect_batches(chunk_size=_BATCH_ROWS, maintain_order=False)
        else:
            frames = chosen.collect(engine="streaming").iter_slices(_BATCH_ROWS)
        for frame in frames:
            yield from frame.to_arrow().to_batches()

    return Source(batches)


def _relation(source: Any, names: dict[str, str], filter_: Any) -> Source:
    wanted = _check(names, list(source.columns))
    if filter_ is not None:
        if not isinstance(filter_, str):
            raise _filter_type(filter_)
        source = source.filter(filter_)
    chosen = source.select(", ".join(map(quoted, wanted)))  # until 1.2, an expression of a column parses its name

    def batches() -> Iterator[Any]:
        fetch = chosen.to_arrow_reader if hasattr(chosen, "to_arrow_reader") else chosen.fetch_arrow_reader
        yield from fetch(_BATCH_ROWS)

    return Source(batches)


def _batches(source: Iterable[Any], names: dict[str, str], chosen: Any) -> Source:
    """Return an iterable of record batches, tables or tuples of arrays as it is, each checked when it comes."""
    items = iter(source)
    first = next(items, None)
    if first is None:
        return Source(lambda: iter(()))

    def batches() -> Iterator[Any]:
        for item in chain([first], items):
            if isinstance(item, tuple):
                most = sum(name in names for name in TUPLE)
                named = chosen is not None or any(name not in TUPLE for name in names)
                if len(item) != most or named:
                    raise InvalidTypeError(
                        f"A batch must be a tuple of {most} arrays, labels first; got {len(item)} of them"
                        + (" where `by`, `filter` and several scores need named columns." if named else ".")
                        + " Hint: pyarrow record batches have names."
                    )
                yield item
            elif hasattr(item, "schema") and hasattr(item, "num_rows"):
                yield from _table(item, names, chosen).batches()
            elif hasattr(item, "__arrow_c_stream__"):
                arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
                yield from _reader(arrow.RecordBatchReader.from_stream(item), names, chosen).batches()
            else:
                raise InvalidTypeError(
                    f"A batch must be a tuple of arrays or a table with named columns; got a {_named(item)}. "
                    "Hint: for example `(labels, scores)`."
                )

    return Source(batches)


_OPENERS: dict[tuple[str, str], Opener] = {
    ("pyarrow", "FileSystemDataset"): _dataset,
    ("pyarrow", "UnionDataset"): _dataset,
    ("pyarrow", "InMemoryDataset"): _dataset,
    ("pyarrow", "Table"): _table,
    ("pyarrow", "RecordBatch"): _table,
    ("pyarrow", "RecordBatchReader"): _reader,
    ("pyarrow", "Scanner"): _scanner,
    ("pyarrow", "ParquetFile"): _parquet_file,
    ("polars", "LazyFrame"): _lazy_frame,
    ("duckdb", "DuckDBPyRelation"): _relation,
    ("_duckdb", "DuckDBPyRelation"): _relation,
}
