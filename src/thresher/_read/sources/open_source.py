"""Any supported source as batches. Each library is imported only for its own objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from thresher._core.optional import require
from thresher._read.sources.batch_columns import TUPLE
from thresher._read.sources.duckdb_files import quoted
from thresher._read.sources.formats import files_source, is_path
from thresher._read.sources.remote_files import are_addresses, is_local, reading, remote_dataset
from thresher._read.sources.source import Source, no_column
from thresher.exceptions import InvalidTypeError

__all__ = ["open_source"]

_BATCH_ROWS = 1 << 17
_SPARING = {"batch_size": _BATCH_ROWS, "batch_readahead": 4, "fragment_readahead": 1}
_AHEAD = {"batch_size": _BATCH_ROWS, "batch_readahead": 16, "fragment_readahead": 4}  # where every request waits
_PURPOSE = "Scanning columns"


def open_source(source: Any, names: dict[str, str]) -> Source:
    """Return the batches of a source; `names` maps the arguments `y_true`, `y_score`, ... to columns."""
    if are_addresses(source):
        with reading(source):
            found = _dataset(remote_dataset(source), names)
        return replace(found, batches=lambda: _told(source, found))
    if is_path(source):
        return files_source([source], names, names["y_score"])
    if isinstance(source, list | tuple) and source and all(is_path(item) for item in source):
        return files_source(source, names, names["y_score"])
    opener = _opener(source)
    if opener is not None:
        return opener(source, names)
    if hasattr(source, "__arrow_c_stream__"):
        arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
        return _reader(arrow.RecordBatchReader.from_stream(source), names)
    if isinstance(source, Iterable) and not isinstance(source, dict | bytes):
        return _batches(source, names)
    raise InvalidTypeError(
        f"`source` must be files, a dataset, a table, a lazy frame, a relation or batches; got a {_named(source)}. "
        "Hint: arrays in memory are counted by `th.Scores(y_true, y_score)`."
    )


def _told(addresses: Any, source: Source) -> Iterator[Any]:
    with reading(addresses):
        yield from source.batches()


def _opener(source: Any) -> Callable[[Any, dict[str, str]], Source] | None:
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


def _dataset(source: Any, names: dict[str, str]) -> Source:
    wanted = _check(names, source.schema.names)
    score = names["y_score"]
    # A dataset casts to the schema of its first file, which may lose digits: every file is asked for its own type.
    types = [source.schema.field(score).type]
    fragments = list(source.get_fragments())
    for fragment in fragments:
        schema = fragment.physical_schema
        types += [schema.field(score).type] if score in schema.names else []
    return Source(lambda: iter(_by_file(source, fragments, wanted)), source.count_rows(), types, overlap=True)


def _by_file(source: Any, fragments: list[Any], wanted: list[str]) -> Iterator[Any]:
    if len({str(fragment.physical_schema) for fragment in fragments}) <= 1:
        yield from source.to_batches(columns=wanted, **_pace(source))
        return
    for fragment in fragments:
        own = set(fragment.physical_schema.names) >= set(wanted)
        schema = {"schema": fragment.physical_schema} if own else {"schema": source.schema}
        yield from fragment.to_batches(columns=wanted, **_pace(source), **schema)


def _pace(source: Any) -> dict[str, Any]:
    """Return how far to read ahead: far elsewhere; here so little that no column is read into memory as a whole."""
    if not is_local(source):
        return dict(_AHEAD)
    dataset = require("pyarrow.dataset", extra="engines", purpose=_PURPOSE)
    if not isinstance(getattr(source, "format", None), dataset.ParquetFileFormat):
        return dict(_SPARING)
    return {**_SPARING, "fragment_scan_options": dataset.ParquetFragmentScanOptions(pre_buffer=False)}


def _table(source: Any, names: dict[str, str]) -> Source:
    wanted = _check(names, source.schema.names)
    columns = source.select(wanted)
    many = hasattr(columns, "to_batches")
    return Source(
        lambda: iter(columns.to_batches() if many else [columns]),
        source.num_rows,
        [source.schema.field(names["y_score"]).type],
    )


def _reader(source: Any, names: dict[str, str]) -> Source:
    wanted = _check(names, source.schema.names)
    return Source(
        lambda: (batch.select(wanted) for batch in source), None, [source.schema.field(names["y_score"]).type]
    )


def _scanner(source: Any, names: dict[str, str]) -> Source:
    return _reader(source.to_reader(), names)


def _parquet_file(source: Any, names: dict[str, str]) -> Source:
    schema = source.schema_arrow
    wanted = _check(names, schema.names)

    def batches() -> Iterator[Any]:
        # Names with dots are read as paths into nested columns: such files are cut down after reading.
        chosen = None if any("." in name for name in schema.names) else wanted
        for batch in source.iter_batches(_BATCH_ROWS, columns=chosen):
            yield batch.select(wanted)

    return Source(batches, source.metadata.num_rows, [schema.field(names["y_score"]).type])


def _open_file(source: Any, names: dict[str, str]) -> Source:
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
    return _parquet_file(parquet.ParquetFile(source), names)


def _partitions(source: Any, names: dict[str, str]) -> Source:
    """Return the partitions of a Dask frame, one after another, with the columns that are needed."""
    wanted = _check(names, list(source.columns))
    chosen = source[wanted]

    def batches() -> Iterator[Any]:
        arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
        for partition in chosen.partitions:
            yield from arrow.Table.from_pandas(partition.compute(), preserve_index=False).to_batches()

    return Source(batches)


def _lazy_frame(source: Any, names: dict[str, str]) -> Source:
    selectors = require("polars.selectors", extra="engines", purpose="Scanning a polars LazyFrame")
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


def _relation(source: Any, names: dict[str, str]) -> Source:
    wanted = _check(names, list(source.columns))
    chosen = source.select(", ".join(map(quoted, wanted)))  # until 1.2, an expression of a column parses its name

    def batches() -> Iterator[Any]:
        fetch = chosen.to_arrow_reader if hasattr(chosen, "to_arrow_reader") else chosen.fetch_arrow_reader
        yield from fetch(_BATCH_ROWS)

    return Source(batches)


def _batches(source: Iterable[Any], names: dict[str, str]) -> Source:
    """Return an iterable of record batches, tables or tuples of arrays as it is, each checked when it comes."""
    items = iter(source)
    first = next(items, None)
    if first is None:
        return Source(lambda: iter(()))

    def batches() -> Iterator[Any]:
        for item in chain([first], items):
            if isinstance(item, tuple):
                most = sum(name in names for name in TUPLE)
                if len(item) != most or "by" in names:
                    raise InvalidTypeError(
                        f"A batch must be a tuple of {most} arrays, labels first; got {len(item)} of them"
                        + (" where `by` needs named columns." if "by" in names else ".")
                        + " Hint: pyarrow record batches have names."
                    )
                yield item
            elif hasattr(item, "schema") and hasattr(item, "num_rows"):
                yield from _table(item, names).batches()
            elif hasattr(item, "__arrow_c_stream__"):
                arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
                yield from _reader(arrow.RecordBatchReader.from_stream(item), names).batches()
            else:
                raise InvalidTypeError(
                    f"A batch must be a tuple of arrays or a table with named columns; got a {_named(item)}. "
                    "Hint: for example `(labels, scores)`."
                )

    return Source(batches)


_OPENERS: dict[tuple[str, str], Callable[[Any, dict[str, str]], Source]] = {
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
