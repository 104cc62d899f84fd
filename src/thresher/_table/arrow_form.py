"""Tables of counts as Arrow tables: one or many, with columns that SQL can filter and add up.

A row has `score`, `highest` (the highest score it stands for), `pos`, `neg`, with sampling weights `pos_squares` and
`neg_squares`, and in a table of several a `group`, or other columns whose values together name the table. What is known
beyond the rows stands in the schema's metadata, with the rows and totals it belongs to: it is passed over where the
rows were changed since.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import require, show
from thresher._table.exact_figures import Figures
from thresher._table.squares import Squares
from thresher._table.table import CountTable
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ScoreArray

_KEY = b"thresher"
_PURPOSE = "Tables of counts in Arrow"
COUNT_COLUMNS = ("score", "highest", "pos", "neg", "pos_squares", "neg_squares")
_NEEDED = ("score", "pos", "neg")


class Part(NamedTuple):
    """The rows of one table, in any order, with what is known beyond them."""

    score: ScoreArray
    highest: ScoreArray
    pos: NDArray[Any]
    neg: NDArray[Any]
    squares: tuple[NDArray[Any], ...]
    ordered: bool
    """Whether the rows are counts from the highest score down, each score once, as they are kept."""
    facts: dict[str, Any]

    def figures(self, n_pos: Any, n_neg: Any, rows: int) -> Figures | None:
        """Return the exact sums over all scores if they belong to these rows."""
        if "figures" not in self.facts:
            return None
        try:
            found = Figures.from_json(self.facts["figures"])
        except ValueError:
            return None
        return found if found.fit(rows, n_pos, n_neg) else None

    def known(self, squares: Squares) -> Squares:
        """Return squares with what is known of the rows behind them, if that can be read."""
        try:
            return squares.with_facts(self.facts)
        except (ValueError, TypeError):
            return squares


def arrow_of(tables: Mapping[Any, CountTable], *, grouped: bool, by: Sequence[str] = ()) -> Any:
    """Return tables as one Arrow table, with their keys in the column `group`, or `by`, if that is wanted.

    Keys that are tuples need a name in `by` for each of their parts, by default "group_1", "group_2", ....
    """
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    found = list(tables.values())
    for table in found:
        _refuse(table)
    kind = np.result_type(*{table.thresholds.dtype for table in found})
    if kind == np.longdouble != np.float64:
        raise InvalidTypeError("Scores must be of a type that Arrow has; got extended precision. Hint: use `save`.")
    columns = _group_columns(arrow, tables, by) if grouped else {}
    weighted = any(table._weight_squares is not None for table in found)
    parts = zip(*(_columns(table, kind, weighted=weighted) for table in found), strict=True)
    columns |= dict(zip(COUNT_COLUMNS, map(np.concatenate, parts), strict=False))  # the last two with weights only
    facts = [_facts(key, table) for key, table in tables.items()]
    said = {"version": 1, "tables": [fact for fact in facts if fact is not None]}
    return arrow.table(columns).replace_schema_metadata({_KEY: json.dumps(said).encode()})


def _keys(arrow: Any, keys: list[Any]) -> Any:
    try:
        return arrow.array(keys)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError, arrow.ArrowNotImplementedError):
        raise InvalidTypeError(
            f"Groups must be of one type that Arrow has; got {show(keys[:3])}. Hint: name them by text."
        ) from None


def _group_columns(arrow: Any, tables: Mapping[Any, CountTable], by: Sequence[str]) -> dict[str, Any]:
    """Return the key of its table for every row, in a column for each part of it."""
    keys = list(tables)
    parts = {len(key) if isinstance(key, tuple) else 0 for key in keys if key is not None}
    if len(parts) > 1 or (parts and parts != {0} and None in keys):
        raise InvalidTypeError(
            f"Groups must all be named by one value, or all by as many; got {show(keys[:3])}. Hint: save them apart."
        )
    size = max(parts.pop() if parts else 0, 0)
    names = list(by) or (["group"] if not size else [f"group_{k + 1}" for k in range(size)])
    if len(names) != max(size, 1):
        raise InvalidInputError(f"`by` must name the {max(size, 1)} parts of a group; got {show(names)}.")
    taken = [name for name in names if name in COUNT_COLUMNS]
    if taken or len(set(names)) < len(names):
        raise InvalidInputError(f"`by` must have names of its own, each once; got {show(names)}.")
    codes = np.repeat(np.arange(len(tables), dtype=np.int32), [len(table) for table in tables.values()])
    columns = [keys] if not size else [list(column) for column in zip(*keys, strict=True)]
    out = {}
    for name, column in zip(names, columns, strict=True):
        values = _keys(arrow, column)
        out[name] = arrow.DictionaryArray.from_arrays(codes, values).cast(values.type)
    return out


def _columns(table: CountTable, kind: np.dtype[Any], *, weighted: bool) -> list[NDArray[Any]]:
    """Return the columns of one table, in the order of `COUNT_COLUMNS`."""
    scores = [column.astype(kind, copy=False) for column in (table.thresholds, table._highest_scores)]
    return [*scores, table.pos, table.neg, *(_squares(table) if weighted else ())]


def _refuse(table: CountTable) -> None:
    if table._outcome is not None and not table._outcome.plain:
        raise InvalidInputError(
            "A table of an outcome in time must keep its censored rows, which an Arrow table has no place for. "
            "Hint: use `save`, which keeps them."
        )
    if table._clusters is not None or (table._weight_squares is not None and table._weight_squares.both is not None):
        raise InvalidInputError(
            "A table must have counts and weights alone to become an Arrow table; this one knows which rows belong "
            "together or stand in both classes. Hint: use `save`, which keeps that."
        )


def _squares(table: CountTable) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sums of squares; rows without weights have weight 1."""
    if table._weight_squares is not None:
        return table._weight_squares.pos, table._weight_squares.neg
    return table.pos.astype(np.float64), table.neg.astype(np.float64)


def _facts(key: Any, table: CountTable) -> dict[str, Any] | None:
    """Return what is known of a table beyond its rows, with what tells whether the rows are still the same."""
    if table._figures is None and table._weight_squares is None:
        return None
    out: dict[str, Any] = {"group": _text(key), "rows": len(table), "totals": _totals(table.pos, table.neg)}
    if table._figures is not None:
        out["figures"] = table._figures.as_json()
    if table._weight_squares is not None:
        out |= {**table._weight_squares.facts(), "whole": table.pos.dtype.kind != "f"}
    return out


def _text(key: Any) -> str:
    return json.dumps(key, default=str)


def _totals(pos: NDArray[Any], neg: NDArray[Any]) -> list[str]:
    return [float(column.sum()).hex() for column in (pos, neg)]


def parts_of(table: Any) -> Iterator[tuple[Any, Part]]:
    """Yield the group and the rows of each table in an Arrow table, in the order in which groups come."""
    names = table.column_names
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        listed = ", ".join(repr(name) for name in names[:20])
        raise InvalidInputError(
            f"A table of counts must have the columns 'score', 'pos' and 'neg'; {missing[0]!r} is missing. "
            f"Hint: the columns are {listed}."
        )
    squares = [name for name in COUNT_COLUMNS[4:] if name in names]
    if len(squares) == 1:
        raise InvalidInputError(
            f"A table of counts must have both 'pos_squares' and 'neg_squares' or neither; it has {squares[0]!r} alone."
        )
    score = _column(table, "score")
    columns = [score, _column(table, "highest") if "highest" in names else score]
    columns += [_column(table, name) for name in ("pos", "neg", *squares)]
    values, order, ends = _groups(table)
    if order is not None:
        columns = [column[order] for column in columns]
    facts = _known(table)
    start = 0
    for value, end in zip(values, ends, strict=True):
        own = [column[start:end] for column in columns]
        start = end
        yield value, _part(own, facts.get(_text(value), {}))


def _part(own: list[NDArray[Any]], facts: dict[str, Any]) -> Part:
    score, highest, pos, neg, *squares = own
    same = facts.get("rows") == score.size and facts.get("totals") == _totals(pos, neg)
    weighed = same and "rows_behind" in facts
    if squares and not weighed and all(map(np.array_equal, squares, (pos, neg))):
        squares = []  # rows that were counted, beside others that have weights
    if not squares or (weighed and facts.get("whole")):
        pos, neg = _as_counts(pos, neg)
    ordered = not squares and bool((highest == score).all()) and _are_counts(score, pos, neg)
    return Part(score, highest, pos, neg, tuple(squares), ordered, facts if same else {})


def _are_counts(score: ScoreArray, pos: NDArray[Any], neg: NDArray[Any]) -> bool:
    """Return whether rows are counts of the classes from the highest score down, each score once and none idle."""
    return bool(
        pos.dtype == np.int64 == neg.dtype
        and score.size > 0
        and (score[1:] < score[:-1]).all()
        and min(pos.min(initial=0), neg.min(initial=0)) >= 0
        and ((pos > 0) | (neg > 0)).all()
    )


def _as_counts(pos: NDArray[Any], neg: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return sums that an engine made of counts as counts again, where they are whole."""
    if pos.dtype.kind != "f" or not _are_whole(pos, neg):
        return pos, neg
    return pos.astype(np.int64), neg.astype(np.int64)


def _are_whole(*columns: NDArray[Any]) -> bool:
    """Return whether sums are whole numbers that integers hold."""
    return all(bool((column == np.rint(column)).all() and (np.abs(column) < 2.0**53).all()) for column in columns)


def _column(table: Any, name: str) -> NDArray[Any]:
    """Return a column as NumPy: sums that an engine made may come as decimals."""
    column = table[name]
    if column.null_count:
        raise InvalidInputError(f"The column {name!r} of a table of counts must not be missing; got NULL in some rows.")
    kind = str(column.type)
    if kind.startswith("decimal"):
        column = column.cast("int64" if column.type.scale == 0 else "double")
    array = np.asarray(column.combine_chunks().to_numpy(zero_copy_only=False))
    if array.dtype.kind not in "fiu":
        raise InvalidTypeError(f"The column {name!r} of a table of counts must be numbers; got {show(kind)}.")
    whole = array.dtype.kind != "f" and name in ("pos", "neg")
    return array.astype(np.int64) if whole else array


def _groups(table: Any) -> tuple[list[Any], NDArray[np.intp] | None, list[int]]:
    """Return the groups, the order that brings their rows together, and where each ends.

    Every column that is not of the counts names groups, so that rows of different ones are never added in silence.
    """
    names = [name for name in table.column_names if name not in COUNT_COLUMNS]
    if not names:
        return [None], None, [table.num_rows]
    encoded = [table[name].combine_chunks().dictionary_encode() for name in names]
    values = [[*one.dictionary.to_pylist(), None] for one in encoded]
    codes = np.stack(
        [one.indices.fill_null(len(one.dictionary)).to_numpy(zero_copy_only=False).astype(np.int64) for one in encoded]
    )
    order = np.lexsort(codes[::-1])
    ordered = codes[:, order]
    new = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)) if table.num_rows else np.zeros(0, np.bool_)
    starts = np.flatnonzero(new)
    found = [tuple(own[code] for own, code in zip(values, key, strict=True)) for key in ordered[:, starts].T.tolist()]
    ends = np.append(starts[1:], table.num_rows).tolist() if starts.size else []
    return [key[0] for key in found] if len(names) == 1 else list(found), order, ends


def _known(table: Any) -> dict[str, dict[str, Any]]:
    try:
        said = json.loads((table.schema.metadata or {}).get(_KEY, b"{}"))
        if said.get("version") != 1:
            return {}  # what another version says of the rows is passed over; the rows are counts in every version
        return {fact["group"]: fact for fact in said.get("tables", ()) if isinstance(fact, dict)}
    except (ValueError, KeyError, AttributeError, TypeError):
        return {}
