"""A source of any size to a count table, or to one for each group."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, TypeAlias, TypeVar

import numpy as np

from thresher._core.checks import check_count, show
from thresher._core.config import give_back
from thresher._read.sources.batch_columns import Reader, Rows, common_type
from thresher._read.sources.open_source import Reopened, open_source
from thresher._read.sources.source import Source, ahead, arguments
from thresher._read.stream.counter import RowCounter
from thresher._read.stream.groups import GroupMeasures, Groups
from thresher._read.stream.spill import Spill
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError

C = TypeVar("C", bound=Counts)

Progress: TypeAlias = Callable[[int, int | None], object]
"""Called with the rows done and the rows in all, None where that is not known."""

_BATCH_ROWS = 1 << 17
_LEAST_MEMORY = 1 << 20
_MANY_ROWS = 1 << 22
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


_NEEDED = ("y_true", "y_score")
_MANY = ("y_score", "by")


def model_columns(y_score: object) -> dict[str, str]:
    """Return the columns of scores by the names of their models."""
    if isinstance(y_score, Mapping):
        models = dict(y_score)
    elif isinstance(y_score, Sequence) and not isinstance(y_score, str | bytes):
        models = {name: name for name in y_score}
        if len(models) < len(y_score):
            twice = next(name for name in y_score if list(y_score).count(name) > 1)
            raise InvalidInputError(f"`y_score` must name each column once; got {show(twice)} twice.")
    else:
        raise InvalidTypeError(
            f"`y_score` must be the name of a column, a list of names, or a dict of them; got {show(y_score)}."
        )
    if not models:
        raise InvalidInputError("`y_score` must name at least one column; got none.")
    for name in models:
        if not isinstance(name, str):
            raise InvalidTypeError(f"`y_score` must have models named by text; got {show(name)}.")
    return models


def column_names(**given: Any) -> dict[str, str]:
    """Return the columns that are named, by what they hold; the second `y_score` stands at "y_score 2"."""
    names: dict[str, Any] = {}
    for argument, value in given.items():
        if argument in _MANY and isinstance(value, list | tuple):
            if not value:
                raise InvalidInputError(f"`{argument}` must name at least one column; got none.")
            names |= {f"{argument} {k + 1}" if k else argument: name for k, name in enumerate(value)}
        elif value is not None or argument in _NEEDED:
            names[argument] = value
    for argument, name in names.items():
        if not isinstance(name, str):
            raise InvalidTypeError(f"`{argument.partition(' ')[0]}` must be the name of a column; got {show(name)}.")
    for argument, name in names.items():
        if argument.startswith("y_score") and name == names["y_true"]:
            raise InvalidInputError(
                f"`y_true` and `y_score` must be different columns; got {show(name)} for both. "
                "Hint: the first holds labels, the second scores."
            )
    return names


def scanned(
    cls: type[C],
    source: Any,
    names: dict[str, str],
    *,
    pos_label: object = None,
    max_points: int = 1_000_000,
    memory: object = 2**28,
    progress: Progress | None = None,
    figures: GroupMeasures[C] | None = None,
    chosen: Any = None,
) -> list[Any]:
    """Count a source; `names` maps `y_true`, `y_score` and perhaps `sample_weight` and `by` to columns.

    The list has an element for each column of scores: a table, or with groups a table for each of them, or with
    `figures` an Arrow array of the groups and a row for each.
    """
    if lives_elsewhere(source):
        from thresher._read.sql import SendRowsError, local_rows, rows_kept, scan_tables  # loaded only when needed

        source = rows_kept(source, chosen)
        here = local_rows(source, names)
        if here is None:
            options: dict[str, Any] = {"max_points": max_points, "progress": progress, "figures": figures}
            try:
                return scan_tables(cls, source, names, pos_label=pos_label, **options)
            except SendRowsError:
                here = sent(source, names)
        source, chosen = here, None
    most = check_count(max_points, "max_points", minimum=2)
    budget = memory_bytes(memory)
    opened = open_source(source, names, chosen)
    reader = Reader(names, pos_label, score_types_of(opened))
    with Spill() as spill:
        models = len(arguments(names, "y_score"))
        each = max(budget // models, _LEAST_MEMORY)
        counters: list[Groups | RowCounter] = [
            Groups(each, spill) if "by" in names else RowCounter(each, spill, beside=models) for _ in range(models)
        ]
        # The number of rows goes with them: another thread may read ahead.
        checked: Iterator[tuple[Rows | None, int]] = (
            (reader.read(batch, opened.where()), reader.rows) for batch in opened.batches()
        )
        with closing(ahead(checked) if opened.overlap else _plain(checked)) as incoming:
            for rows, done in incoming:
                if rows is not None:
                    for model, counter in enumerate(counters):
                        counter.add(rows.of(model))
                if progress is not None:
                    progress(done, opened.rows)
        reader.finish()
        found: list[Any] = []
        while counters:  # the memory of one is given back before the table of the next is put together
            counter = counters.pop(0)
            if isinstance(counter, Groups):
                found.append(counter.results(cls, most) if figures is None else counter.measured(cls, most, figures))
            else:
                found.append(counter.result(cls, most))
            del counter
    if reader.rows > _MANY_ROWS:
        give_back()
    return found


def _plain(batches: Iterator[Any]) -> Generator[Any, None, None]:
    yield from batches


def score_types_of(source: Source) -> dict[str, np.dtype[Any]]:
    """Return for each column of scores the type that holds those of all files; else the first batch decides."""
    found = {argument: _score_type(kinds) for argument, kinds in source.score_types.items()}
    return {argument: kind for argument, kind in found.items() if kind is not None}


def _score_type(kinds: list[Any]) -> np.dtype[Any] | None:
    types = []
    for kind in dict.fromkeys(kinds):
        try:
            found = np.dtype(kind.to_pandas_dtype())
        except (NotImplementedError, TypeError):
            return None
        types.append(np.dtype(np.uint8) if found.kind == "b" else found)
    if not types or any(kind.kind not in "fiu" for kind in types):
        return None
    common = common_type(types)
    if common is None:
        listed = ", ".join(str(kind) for kind in kinds)
        raise InvalidTypeError(
            f"`y_score` must have types with a common one that keeps every value; the files have {listed}. "
            "Hint: convert the column to one type."
        )
    return common


def memory_bytes(value: object) -> int:
    """Return a number of bytes given as a number or as text such as "512MB"."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*", value)
        unit = match and _UNITS.get(match[2].upper())
        if not match or unit is None:
            raise InvalidInputError(
                f"`memory` must be bytes, or text with a unit; got {show(value)}. Hint: for example 512MB or 2GiB."
            )
        size = int(float(match[1]) * unit)
    else:
        size = check_count(value, "memory")
    if size < _LEAST_MEMORY:
        raise InvalidInputError(
            f"`memory` must be at least {_LEAST_MEMORY:,} bytes; got {size:,}. Hint: for example 256MiB."
        )
    return size


def sent(table: Any, names: dict[str, str]) -> Reopened:
    """Return the rows of an Ibis table, or a Spark DataFrame, as batches that its engine sends."""
    wanted = list(dict.fromkeys(names.values()))
    if not hasattr(table, "get_backend") or table.get_backend().name == "pyspark":
        from thresher._read.sql import spark_rows  # loaded only when needed

        return Reopened(lambda: spark_rows(table, wanted))
    return Reopened(lambda: table.select(*wanted).to_pyarrow_batches(chunk_size=_BATCH_ROWS))


def lives_elsewhere(source: Any) -> bool:
    """Return whether a source is an Ibis table or a Spark DataFrame, without importing either."""
    return any(
        kind.__module__.partition(".")[0] in ("ibis", "pyspark") and kind.__name__ in ("Table", "DataFrame")
        for kind in type(source).__mro__
    )
