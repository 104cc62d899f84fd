"""Columns out of a dataframe of any library."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError, InvalidTypeError, MissingDependencyError


def columns_of(frame: Any, **names: str | None) -> dict[str, Any]:
    """Return the named columns as native Series; a name of None gives None."""
    table = _eager(frame)
    out: dict[str, Any] = {}
    for argument, name in names.items():
        if name is None:
            out[argument] = None
            continue
        if name not in table.columns:
            listed = ", ".join(repr(column) for column in table.columns[:20])
            raise InvalidInputError(
                f"`{argument}` must name a column; got {show(name)}. Hint: the columns are {listed}."
            )
        out[argument] = table[name].to_native()
    return out


def frame_columns(value: Any) -> dict[str, Any] | None:
    """Return every column of a dataframe in memory by its name, or None if it is not one."""
    table = nw.from_native(value, eager_only=True, pass_through=True)
    if not isinstance(table, nw.DataFrame):
        return None
    columns = zip(table.columns, table.iter_columns(), strict=True)  # names of pandas may be numbers
    return {str(name): column.to_native() for name, column in columns}


def _eager(frame: Any) -> nw.DataFrame[Any]:
    native = nw.from_native(frame, pass_through=True)
    if isinstance(native, nw.DataFrame):
        return native
    if isinstance(native, nw.LazyFrame):
        raise InvalidTypeError(
            f"`frame` must hold its rows in memory; got a lazy {type(frame).__module__}.{type(frame).__name__}. "
            "Hint: call `.collect()` on it first."
        )
    if hasattr(frame, "__arrow_c_stream__"):
        return _from_arrow_stream(frame)
    raise InvalidTypeError(
        f"`frame` must be a dataframe; got {type(frame).__name__}. "
        "Hint: pandas, polars, pyarrow and anything with `__arrow_c_stream__` are read."
    )


def _from_arrow_stream(frame: Any) -> nw.DataFrame[Any]:
    for backend in ("pyarrow", "polars", "pandas"):
        try:
            return nw.DataFrame.from_arrow(frame, backend=backend)
        except ModuleNotFoundError:
            continue
    raise MissingDependencyError(
        f"Reading a {type(frame).__name__} needs one of the libraries pyarrow, polars or pandas, "
        "and none is installed. Hint: pip install pyarrow."
    )
