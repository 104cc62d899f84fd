"""Sources that are read more than once, with the scores of several models side by side in every row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import require, show
from thresher._core.files import own_folder
from thresher._read.scan import Progress, lives_elsewhere, memory_bytes, scanned, score_types_of, sent
from thresher._read.sources.batch_columns import Reader, Rows
from thresher._read.sources.open_source import open_source
from thresher._read.sources.source import ahead, arguments
from thresher._read.sources.table_columns import connection, quoted
from thresher._read.stream.groups import Groups
from thresher._read.stream.spill import Spill
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from thresher._read.sql import SparkPasses

_BLOCK_ROWS = 1 << 20


class Passes:
    """Rows that can be read again: each call of a method is one pass over the source."""

    def __init__(
        self, source: Any, names: dict[str, str], *, chosen: Any, pos_label: object, memory: int, progress: Any
    ) -> None:
        self._source, self._names, self._chosen = source, names, chosen
        self._pos_label, self._memory, self._progress = pos_label, memory, progress
        self.workers: SparkPasses | None = None
        """What has the engine's workers read the rows; None where they are read here."""
        if lives_elsewhere(source):
            from thresher._read.sql import SparkPasses  # loaded only for engines

            self.workers = SparkPasses(source, names, pos_label)

    def tables(self, max_points: int) -> list[dict[Any, Counts]]:
        """Return for each model its tables by group; without groups under the key None."""
        names = {name: column for name, column in self._names.items() if name not in ("cluster", "id")}
        found = scanned(
            Counts,
            self._source,
            names,
            chosen=self._chosen,
            pos_label=self._pos_label,
            max_points=max_points,
            memory=self._memory,
            progress=self._progress,
        )
        return [one if isinstance(one, dict) else {None: one} for one in found]

    def rows(self, *, keyed: bool = False) -> Iterator[Rows]:
        """Yield the rows, batch by batch; if they are to be `keyed`, their id stands for clusters that nobody named."""
        names = {name: column for name, column in self._names.items() if name != "id"}
        if keyed and "id" in self._names and "cluster" not in names:
            names["cluster"] = self._names["id"]
        opened = open_source(self._source, names, self._chosen)
        reader = Reader(names, self._pos_label, score_types_of(opened))
        checked = ((reader.read(batch, opened.where()), reader.rows) for batch in opened.batches())
        blocks = _Blocks()
        with closing(ahead(checked) if opened.overlap else checked) as incoming:
            for rows, done in incoming:
                if rows is not None:
                    yield from blocks.taken(rows)
                if self._progress is not None:
                    self._progress(done, opened.rows)
        reader.finish()
        yield from blocks.rest()

    def measured(self, number_of: Callable[[Rows], IntArray], figures: Any) -> list[tuple[IntArray, FloatArray]]:
        """Return for each model the numbers that rows were given, and what `figures` says of the rows of each."""
        models = len(arguments(self._names, "y_score"))
        arrow = require("pyarrow", extra="engines", purpose="Comparing models of a source")
        with Spill() as spill:
            groups = [Groups(max(self._memory // models, 1 << 20), spill) for _ in range(models)]
            for rows in self.rows(keyed=True):
                own = rows._replace(groups=arrow.array(number_of(rows)), clusters=None)
                for model, counter in enumerate(groups):
                    counter.add(own.of(model))
            found = []
            while groups:  # the memory of one is given back before the next is counted
                names, values = groups.pop(0).measured(Counts, 1_000_000, figures)
                found.append((np.asarray(names.to_numpy(zero_copy_only=False), dtype=np.int64), values))
        return found


class _Blocks:
    """Puts batches together until they are large: a search in a long table then costs less for each row."""

    def __init__(self) -> None:
        self._waiting: list[Rows] = []
        self._size = 0

    def taken(self, rows: Rows) -> Iterator[Rows]:
        """Take a batch; yield what has become large enough, and at once what has groups, which have no common form."""
        if rows.groups is not None:
            yield rows
            return
        self._waiting.append(rows)
        self._size += rows.size
        if self._size >= _BLOCK_ROWS:
            yield from self.rest()

    def rest(self) -> Iterator[Rows]:
        """Yield what waits."""
        waiting, self._waiting, self._size = self._waiting, [], 0
        if not waiting:
            return
        first = waiting[0]
        columns: dict[str, Any] = {
            name: None if getattr(first, name) is None else np.concatenate([getattr(rows, name) for rows in waiting])
            for name in ("scores", "positive", "weight", "times", "clusters")
        }
        others = tuple(np.concatenate(parts) for parts in zip(*(rows.others for rows in waiting), strict=True))
        yield first._replace(others=others, **columns)


@contextmanager
def open_passes(
    source: Any,
    names: dict[str, str],
    *,
    models: Mapping[str, str],
    key: str | None,
    chosen: Any,
    pos_label: object,
    memory: object,
    progress: Progress | None,
) -> Iterator[Passes]:
    """Give a source that can be read again; sources by model are joined by their `key` first."""
    budget = memory_bytes(memory)
    with _joined(source, names, models, key, chosen) as (one, columns, left):
        if key is not None:
            columns = columns | {"id": key}
        yield Passes(
            _again(one, columns, left),
            columns,
            chosen=None if lives_elsewhere(one) else left,
            pos_label=pos_label,
            memory=budget,
            progress=progress,
        )


@contextmanager
def _joined(
    source: Any, names: dict[str, str], models: Mapping[str, str], key: str | None, chosen: Any
) -> Iterator[tuple[Any, dict[str, str], Any]]:
    """Give one source with its columns, and the condition that is left to ask."""
    if not isinstance(source, Mapping):
        yield source, names, chosen
        return
    if key is None:
        raise InvalidInputError(
            "`id` must name the column that pairs the rows of several sources; got none. Hint: rows are never paired "
            "by their position."
        )
    if set(source) != set(models):
        raise InvalidInputError(
            f"`source` must have the models that `y_score` names, {show(list(models))}; got {show(list(source))}."
        )
    joined: AbstractContextManager[tuple[Any, dict[str, str]]] = joined_sources(source, names, models, key, chosen)
    with joined as (one, columns):
        yield one, columns, None


def _again(source: Any, names: dict[str, str], chosen: Any) -> Any:
    """Return a source as something that can be opened again; what can be read once only is refused."""
    if lives_elsewhere(source):
        from thresher._read.sql import local_rows, rows_kept  # loaded only for engines

        kept = rows_kept(source, chosen)
        here = local_rows(kept, names)
        if here is not None:
            return here
        if not hasattr(kept, "get_backend") or kept.get_backend().name == "pyspark":
            return kept
        return sent(kept, names)
    once = hasattr(source, "__next__") or type(source).__name__ in ("RecordBatchReader", "Scanner")
    if once or (hasattr(source, "read") and not hasattr(source, "__arrow_c_stream__")):
        raise InvalidTypeError(
            f"`source` must be something that can be read twice; got a {type(source).__name__}, which is read once. "
            "Hint: pass the path, the table, or a list of batches."
        )
    return source


def batch_numbers(rows: Rows, first: int, batches: IntArray) -> IntArray:
    """Return a batch from 0 on for each row, the same for all rows of a cluster; else by the number of the row.

    `batches` says for each row among how many; `first` is the number of the first row. The numbers are mixed, as files
    are often sorted.
    """
    if rows.clusters is None:
        keys = np.arange(first, first + rows.size, dtype=np.uint64)
    elif rows.clusters.dtype.kind == "U":
        keys = _text_keys(rows.clusters)
    else:
        keys = rows.clusters.astype(np.int64).view(np.uint64)
    return np.asarray(_mixed(keys) % batches.astype(np.uint64), dtype=np.int64)


def _text_keys(text: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a number for each text that does not depend on how wide the column is."""
    width = text.dtype.itemsize // 4
    letters = np.ascontiguousarray(text).view(np.uint32).reshape(text.size, width)
    keys = np.zeros(text.size, dtype=np.uint64)
    power = np.uint64(1)
    with np.errstate(over="ignore"):
        for column in letters.T:
            keys += _mixed(column.astype(np.uint64)) * power * (column != 0)
            power *= np.uint64(0x9E3779B97F4A7C15)
    return keys


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers with their bits mixed (splitmix64)."""
    with np.errstate(over="ignore"):
        z = keys + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


_PURPOSE = "Joining sources by a key"


@contextmanager
def joined_sources(
    source: Mapping[str, Any], names: dict[str, str], models: Mapping[str, str], key: str, chosen: Any
) -> Iterator[tuple[Any, dict[str, str]]]:
    """Give one source with all rows, and its columns; every key must occur once in each source, with one label.

    The join is DuckDB's, which uses the disk where memory does not suffice; the rows are written to a temporary file.
    """
    elsewhere = [model for model, one in source.items() if hasattr(one, "createOrReplaceTempView")]
    if elsewhere:
        raise InvalidInputError(
            f"`source` must be one Spark DataFrame, or files and tables; got several, first {show(elsewhere[0])}. "
            f"Hint: join them in Spark: new.join(old, on={key!r})."
        )
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    scores = dict(zip(models, arguments(names, "y_score"), strict=True))
    others = {name: column for name, column in names.items() if not name.startswith("y_score")}
    with own_folder() as folder, connection() as database:
        database.execute(f"SET temp_directory = '{str(folder).replace(chr(39), chr(39) * 2)}'")
        for k, (model, argument) in enumerate(scores.items()):
            wanted = {"id": key, "y_true": others["y_true"], "y_score": names[argument]}
            if k == 0:
                wanted |= {name: column for name, column in others.items() if name != "y_true"}
            columns = list(dict.fromkeys(wanted.values()))
            batches = open_source(source[model], wanted, chosen).batches()
            _kept(arrow, database, batches, columns, k)
        _check_keys(database, list(scores), key, others["y_true"])
        whole = folder / "joined.parquet"
        ours = {name: quoted(column) for name, column in others.items()}
        shown = [f"t0.{column} AS {quoted(name)}" for name, column in ours.items()]
        shown += [f"t{k}.{quoted(names[argument])} AS {quoted(argument)}" for k, argument in enumerate(scores.values())]
        shown.append(f"t0.{quoted(key)} AS id")
        same = "".join(f" JOIN t{k} ON t0.{quoted(key)} = t{k}.{quoted(key)}" for k in range(1, len(scores)))
        target = str(whole).replace("'", "''")
        database.execute(f"COPY (SELECT {', '.join(shown)} FROM t0{same}) TO '{target}' (FORMAT parquet)")  # noqa: S608  # quoted
        database.close()
        renamed = {name: name for name in others} | {argument: argument for argument in scores.values()}
        yield whole, renamed


def _kept(arrow: Any, database: Any, batches: Iterator[Any], columns: list[str], number: int) -> None:
    """Keep the columns of a source as a table of the database, which goes to the disk if it must."""
    first = next(batches, None)
    if first is None:
        raise InvalidInputError("`source` must have rows; got 0 in one of them. Hint: check filters and patterns.")

    def plain(batch: Any) -> Any:
        for i, field in enumerate(batch.schema):
            if str(field.type).startswith("dictionary"):
                batch = batch.set_column(i, field.name, batch.column(i).cast(field.type.value_type))
        return batch.select(columns)

    start = plain(first)
    rest = (plain(batch).cast(start.schema) for batch in batches)

    def all_batches() -> Iterator[Any]:
        yield start
        yield from rest

    rows = arrow.RecordBatchReader.from_batches(start.schema, all_batches())
    database.register(f"batches{number}", rows)
    # Temporary tables belong to the connection; others may be seen by those that other code has open.
    database.execute(f"CREATE TEMP TABLE t{number} AS SELECT * FROM batches{number}")  # noqa: S608  # numbers
    database.unregister(f"batches{number}")


def _check_keys(database: Any, models: list[str], key: str, label: str) -> None:
    """Refuse keys that are missing, that occur twice, that some source lacks, or that have different labels."""
    column = quoted(key)
    sizes = []
    for k, model in enumerate(models):
        query = f"SELECT count(*), count({column}), count(DISTINCT {column}) FROM t{k}"  # noqa: S608  # quoted
        rows, present, distinct = database.execute(query).fetchone()
        if present < rows:
            raise InvalidInputError(f"`id` must not be missing; got {rows - present} of {rows} rows of {show(model)}.")
        if distinct < rows:
            raise InvalidInputError(
                f"`id` must name each row once; in {show(model)} {rows:,} rows have {distinct:,} values of "
                f"{show(key)}. Hint: name the column of rows, and that of patients or the like as `cluster`."
            )
        sizes.append(rows)
    for k, model in enumerate(models[1:], start=1):
        differs = f"t0.{quoted(label)} IS DISTINCT FROM t{k}.{quoted(label)}"
        query = f"SELECT count(*), count(*) FILTER ({differs}) FROM t0 JOIN t{k} ON t0.{column} = t{k}.{column}"  # noqa: S608  # quoted
        both, other = database.execute(query).fetchone()
        if both < sizes[0] or both < sizes[k]:
            raise InvalidInputError(
                f"`source` must have the same rows for each model; {show(models[0])} has {sizes[0]:,}, {show(model)} "
                f"{sizes[k]:,}, and {both:,} are in both. Hint: keep the rows that both have, and say so."
            )
        if other:
            raise InvalidInputError(
                f"`y_true` must be the same for each model; {other:,} of {both:,} rows of {show(models[0])} and "
                f"{show(model)} differ. Hint: check that `id` is the same key in both."
            )
