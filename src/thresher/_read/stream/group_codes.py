"""The values of a column of groups as small numbers, one for each distinct value, in the order in which they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import require, show_text
from thresher.exceptions import InvalidTypeError

_PURPOSE = "Scanning groups"


class GroupCodes:
    """Numbers groups: 0 is the group of rows that name none, the others count from 1."""

    def __init__(self) -> None:
        self._arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
        self._known: Any = None  # the distinct values so far, an Arrow array

    def codes(self, columns: Sequence[Any]) -> NDArray[np.int32]:
        """Return the number of each row of all columns, one after another; many columns at once cost least."""
        if self._arrow.types.is_struct(columns[0].type):
            return self._several(columns)
        compute = require("pyarrow.compute", extra="engines", purpose=_PURPOSE)
        try:
            values, indices = self._distinct(columns)
            known = values.slice(0, 0) if self._known is None else self._known
            places = compute.index_in(values, value_set=known)
            if places.null_count:
                known = self._arrow.concat_arrays([known, values.filter(compute.is_null(places)).unique()])
                places = compute.index_in(values, value_set=known)
        except (self._arrow.ArrowNotImplementedError, self._arrow.ArrowTypeError, self._arrow.ArrowInvalid) as error:
            kinds = ", ".join(dict.fromkeys(str(column.type) for column in columns))
            raise InvalidTypeError(
                f"`by` must be one kind of text, numbers, dates or truth values in all files; got "
                f"{show_text(kinds, 100)}. Hint: cast the column to text."
            ) from error
        self._known = known
        number = np.append(np.asarray(places.to_numpy(zero_copy_only=False), dtype=np.int32) + 1, np.int32(0))
        if isinstance(indices, _Near):
            return indices.numbered(number[:-1])
        return np.asarray(number[indices])

    def __len__(self) -> int:
        return 1 + (0 if self._known is None else len(self._known))

    def array(self) -> Any:
        """Return the value of each number, as an Arrow array."""
        known = self._arrow.nulls(0, self._arrow.string()) if self._known is None else self._known
        return self._arrow.concat_arrays([self._arrow.nulls(1, known.type), known])

    def _several(self, columns: Sequence[Any]) -> NDArray[np.int32]:
        """Return the row counts whose group is named by several columns: of each combination that occurs."""
        kind = columns[0].type
        if self._known is None:
            self._parts = [GroupCodes() for _ in kind]
            self._joint: dict[tuple[int, ...], int] = {}
        each = [part.codes([column.field(k) for column in columns]) for k, part in enumerate(self._parts)]
        order = np.lexsort(each)
        new = np.zeros(order.size, dtype=np.bool_)
        new[:1] = True
        for codes in each:
            new[1:] |= codes[order][1:] != codes[order][:-1]
        found = zip(*(codes[order[new]].tolist() for codes in each), strict=True)
        numbers = np.array([self._joint.setdefault(key, len(self._joint) + 1) for key in found], dtype=np.int32)
        out = np.empty(order.size, dtype=np.int32)
        out[order] = numbers[np.cumsum(new) - 1]
        places = np.array(list(self._joint), dtype=np.int64).T
        names = [kind.field(k).name for k in range(kind.num_fields)]
        values = [part.array().take(self._arrow.array(own)) for part, own in zip(self._parts, places, strict=True)]
        self._known = self._arrow.StructArray.from_arrays(values, names)
        return out

    def _distinct(self, columns: Sequence[Any]) -> tuple[Any, NDArray[Any] | _Near]:
        """Return distinct values, and which of them each row has; -1 where it has none."""
        arrow = self._arrow
        if self._of_one_type(columns):
            near = self._near(columns)
            if near is not None:
                return arrow.array(near.values), near
            if not arrow.types.is_dictionary(columns[0].type) and not arrow.types.is_null(columns[0].type):
                columns = [arrow.concat_arrays(columns)]  # hashed once instead of batch by batch
        chunks = arrow.chunked_array(self._alike([_encoded(column) for column in columns])).unify_dictionaries().chunks
        indices = [chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False) for chunk in chunks]
        return chunks[0].dictionary, np.concatenate(indices)

    def _of_one_type(self, columns: Sequence[Any]) -> bool:
        """Return whether all columns have one type, which is that of the values known."""
        kinds = {column.type for column in columns}
        return len(kinds) == 1 and (self._known is None or kinds == {self._known.type})

    def _near(self, columns: Sequence[Any]) -> _Near | None:
        """Return columns of whole numbers that lie close together and are never missing, or None."""
        if not self._arrow.types.is_integer(columns[0].type) or any(column.null_count for column in columns):
            return None
        return _Near.of([column.to_numpy() for column in columns])

    def _alike(self, encoded: list[Any]) -> list[Any]:
        """Return dictionaries of one type that holds the values of all, with those known from before."""
        arrow = self._arrow
        kinds = [array.type.value_type for array in encoded] + ([] if self._known is None else [self._known.type])
        if len(set(kinds)) == 1:
            return encoded
        fields = [arrow.schema([("group", kind)]) for kind in dict.fromkeys(kinds)]
        common = arrow.unify_schemas(fields, promote_options="permissive").field("group").type
        if self._known is not None:
            self._known = self._known.cast(common)
        return [
            arrow.DictionaryArray.from_arrays(array.indices, array.dictionary.cast(common))
            .dictionary_decode()
            .dictionary_encode()
            for array in encoded
        ]


def joined_columns(columns: Sequence[Any], names: Sequence[str]) -> Any:
    """Return several Arrow columns as one, whose values are their combinations."""
    arrow = require("pyarrow", extra="engines", purpose=_PURPOSE)
    whole = [column.combine_chunks() if hasattr(column, "combine_chunks") else column for column in columns]
    return arrow.StructArray.from_arrays(whole, list(names))


def group_keys(names: Any) -> list[Any]:
    """Return the keys of groups in an Arrow array of them; those of several columns are tuples."""
    values: list[Any] = names.to_pylist()
    if str(names.type).startswith("struct"):
        return [None if value is None else tuple(value.values()) for value in values]
    return values


class _Near(NamedTuple):
    """Whole numbers that lie close together: looked up, not hashed."""

    columns: list[NDArray[Any]]
    low: int
    span: int
    values: NDArray[Any]
    """Those that occur, ascending."""

    @classmethod
    def of(cls, columns: list[NDArray[Any]]) -> _Near | None:
        """Return the columns, or None if their numbers lie too far apart."""
        columns = [column for column in columns if column.size]
        if not columns:
            return None
        low, high = min(int(column.min()) for column in columns), max(int(column.max()) for column in columns)
        if high - low > 4 * sum(column.size for column in columns) + 1024:
            return None
        present = np.zeros(high - low + 1, dtype=np.bool_)
        for column in columns:
            present[column - column.dtype.type(low)] = True
        return cls(columns, low, present.size, (np.flatnonzero(present) + low).astype(columns[0].dtype))

    def numbered(self, number: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the number of each row, where those of `values` are given."""
        table = np.zeros(self.span, dtype=np.int32)
        kind = self.values.dtype.type
        table[self.values - kind(self.low)] = number
        out = np.empty(sum(column.size for column in self.columns), dtype=np.int32)
        at = 0
        for column in self.columns:
            np.take(table, column - kind(self.low), out=out[at : at + column.size])
            at += column.size
        return out


def _encoded(column: Any) -> Any:
    """Return a column as a dictionary with 32-bit indices and no missing values in it."""
    if hasattr(column, "dictionary") and (column.dictionary.null_count or str(column.type.index_type) != "int32"):
        column = column.cast(column.type.value_type)
    if str(column.type) == "null":
        column = column.cast("string")
    return column.dictionary_encode()
