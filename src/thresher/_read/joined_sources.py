"""Sources of one model each, joined by a key into one with the scores of all models in every row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from thresher._core.checks import require, show
from thresher._core.files import own_folder
from thresher._read.sources.duckdb_files import connection, quoted
from thresher._read.sources.open_source import open_source
from thresher._read.sources.source import arguments
from thresher.exceptions import InvalidInputError

__all__ = ["joined_sources"]

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
