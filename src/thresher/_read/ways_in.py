"""One way in for every source: names of columns, and the rows counted here or in the engine that has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from thresher._core.checks import show
from thresher._read.sources.open_source import Reopened
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError

__all__ = ["column_names", "lives_elsewhere", "model_columns", "scanned", "sent"]

_BATCH_ROWS = 1 << 17

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
    cls: type[Counts],
    source: Any,
    names: dict[str, str],
    *,
    figures: Any = None,
    chosen: Any = None,
    pos_label: object = None,
    max_points: int = 1_000_000,
    memory: object = 2**28,
    progress: Callable[[int, int | None], object] | None = None,
) -> list[Any]:
    """Return for each column of scores the table of a source or those of its groups, or what `figures` says of them."""
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
    from thresher._read.scan import scan_rows  # loaded only when something is scanned

    return scan_rows(
        cls,
        source,
        names=names,
        pos_label=pos_label,
        max_points=max_points,
        memory=memory,
        progress=progress,
        figures=figures,
        chosen=chosen,
    )


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
