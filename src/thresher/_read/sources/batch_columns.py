"""Columns of a batch as labels, scores and weights, checked; what is missing is counted, not dropped."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_frequency, as_vector, as_weights, unequal, unknown_labels
from thresher._core.checks import show, show_text, warn
from thresher._read.sources.dialect import is_number, number_remedy
from thresher._read.sources.source import arguments, missing_values
from thresher._read.stream.group_codes import joined_columns
from thresher._table import as_clusters
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import BoolArray, ScoreArray

_NESTED = (
    "struct",
    "list",
    "large_list",
    "fixed_size_list",
    "map",
    "union",
    "dense_union",
    "sparse_union",
    "extension",
)
_MACHINE: dict[str, np.dtype[Any]] = {
    "halffloat": np.dtype(np.float16),
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
    **{f"{sign}int{bits}": np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
"""Arrow types, as they call themselves, whose values lie in memory as NumPy's do."""


_DOUBLE_DIGITS = 15
"""Decimals with up to so many digits are different doubles if they are different."""

TUPLE = ("y_true", "y_score", "sample_weight", "frequency", "cluster")
"""The order of the arrays in a batch that is a tuple."""


class Rows(NamedTuple):
    """Rows of a batch."""

    scores: ScoreArray
    positive: BoolArray
    weight: NDArray[Any] | None
    groups: Any
    """The Arrow column that says to which group each row belongs, or None."""
    times: NDArray[np.int64] | None = None
    """How many rows each row stands for."""
    clusters: NDArray[Any] | None = None
    """Which rows belong together."""
    others: tuple[ScoreArray, ...] = ()
    """The scores of further models."""

    def of(self, model: int) -> Rows:
        """Return the rows with the scores of one model alone."""
        return self._replace(scores=self.scores if model == 0 else self.others[model - 1], others=())

    @property
    def size(self) -> int:
        """How many there are."""
        return int(self.scores.size)


@dataclass(slots=True)
class Reader:
    """Turns batches into rows and remembers what they had in common."""

    names: dict[str, str]
    pos_label: object = None
    score_types: dict[str, np.dtype[Any]] = field(default_factory=dict)
    rows: int = 0
    missing: dict[str, list[int]] = field(default_factory=dict)
    _weight_type: np.dtype[Any] | None = None
    _seen: set[int] = field(default_factory=set)
    _any_positive: bool = False
    _first_label: object = None
    _file: str = ""
    _file_rows: int = 0
    _first_missing: str = ""

    def read(self, batch: Any, file: str = "") -> Rows | None:
        """Return the rows of a batch; None if there are none or if values are missing here or were before.

        `file` is where it comes from if that is one of several, for messages.
        """
        try:
            return self._read(batch, file)
        except (InvalidInputError, InvalidTypeError) as error:
            if not file:
                raise
            raise type(error)(f"In {show(file, 200)}: {error}") from error

    def _read(self, batch: Any, file: str) -> Rows | None:
        columns = self._columns(batch)
        size = len(columns["y_true"])
        if size == 0:
            return None
        before = self._counted(size, file)
        groups = arguments(self.names, "by")
        arrays = {name: self._array(columns[name], name) for name in columns if name not in groups}
        if self.missing:
            if not self._first_missing:
                self._first_missing = _first_missing(columns, arrays, before, file)
            return None
        scores, *others = (self._scores(arrays[name], name, before) for name in arguments(self.names, "y_score"))
        weight = self._weights(arrays["sample_weight"], scores.size, before) if "sample_weight" in arrays else None
        for name, array in arrays.items():
            if array.size != size:
                raise unequal(name, array.size, "y_true", size)
        times = as_frequency(arrays["frequency"], scores.size, before=before) if "frequency" in arrays else None
        clusters = as_clusters(arrays["cluster"], scores.size) if "cluster" in arrays else None
        groups_of = [columns[name] for name in groups]
        by = joined_columns(groups_of, [self.names[name] for name in groups]) if len(groups) > 1 else None
        by = groups_of[0] if len(groups) == 1 else by
        return Rows(scores, self._positive(arrays["y_true"]), weight, by, times, clusters, tuple(others))

    def _counted(self, size: int, file: str) -> int:
        """Return how many rows of the file stand before a batch, and count those of the batch."""
        self.rows += size
        before = self._file_rows if file == self._file else 0
        self._file, self._file_rows = file, before + size
        return before

    def finish(self) -> None:
        """Refuse data with missing values or without rows; warn when no label was the positive one."""
        for name, (nan, null) in self.missing.items():
            raise missing_values(name, self.rows, nan=nan, null=null, first=self._first_missing)
        if self.rows == 0:
            raise InvalidInputError("`source` must have rows; got 0. Hint: check filters and patterns.")
        if self.pos_label is not None and not self._any_positive:
            warn(
                f"No row of `y_true` has the label `pos_label={show(self.pos_label)}`, so every row is negative; "
                f"the first label is {show(self._first_label)}."
            )

    def _columns(self, batch: Any) -> dict[str, Any]:
        if isinstance(batch, tuple):
            return dict(zip((name for name in TUPLE if name in self.names), batch, strict=False))
        return {argument: batch.column(name) for argument, name in self.names.items()}

    def _array(self, column: Any, name: str) -> NDArray[Any]:
        """Return a column as NumPy; missing values are counted and leave garbage, which is not used."""
        null = int(getattr(column, "null_count", 0))
        array = _plain(column, name.partition(" ")[0])
        nan = 0
        if array.dtype.kind == "f" and array.size and np.isnan(array.min()):
            nan = int(np.count_nonzero(np.isnan(array))) - (null if null and hasattr(column, "null_count") else 0)
        if nan or null:
            counted = self.missing.setdefault(name, [0, 0])
            counted[0] += max(nan, 0)
            counted[1] += null
        return array

    def _scores(self, array: NDArray[Any], name: str, before: int) -> ScoreArray:
        if array.dtype.kind in "USOT":
            cells = array.tolist()
            row = next((i for i, cell in enumerate(cells) if not is_number(cell)), 0)
            raise InvalidTypeError(
                f"`y_score` must be real numbers; got text, {show(cells[row])} in row {before + row:,}, counted from "
                f"0. Hint: {number_remedy(cells[row])}."
            )
        if array.dtype.kind not in "fiub":
            raise InvalidTypeError(
                f"`y_score` must be real numbers; got type {array.dtype}, first {show(array[:1].tolist()[0])}. "
                "Hint: convert the column to numbers first."
            )
        if array.dtype.kind == "b":
            array = array.view(np.uint8)
        known = self.score_types.setdefault(name, array.dtype.newbyteorder("="))
        if array.dtype != known and common_type([known, array.dtype]) != known:
            raise InvalidTypeError(
                f"`y_score` must have one type in all batches; got {known} first and {array.dtype} later. "
                "Hint: convert every batch to the wider type."
            )
        return np.require(array, dtype=known, requirements=("C", "A"))

    def _weights(self, array: NDArray[Any], size: int, before: int) -> NDArray[Any]:
        weight = as_weights(array, size, before=before)
        if self._weight_type is None:
            self._weight_type = weight.dtype
        elif weight.dtype != self._weight_type:
            raise InvalidTypeError(
                "`sample_weight` must have one type in all batches; got integers in some and floats in others. "
                "Hint: convert them to float64."
            )
        return weight

    def _positive(self, array: NDArray[Any]) -> BoolArray:
        if self._first_label is None:
            self._first_label = array[:1].tolist()[0]
        if self.pos_label is not None:
            positive = _equal(array, self.pos_label)
            self._any_positive = self._any_positive or bool(positive.any())
            return positive
        if array.dtype.kind == "b":
            self._seen.add(0)
            return array
        found = self._bytes(array) if array.dtype in (np.int8, np.uint8) else None
        if found is None and array.dtype.kind in "iuf":
            found = self._numbers(array)
        if found is None:
            raise unknown_labels(set(array.tolist()) | self._seen)
        return found

    def _bytes(self, array: NDArray[Any]) -> BoolArray | None:
        """Return labels of one byte as they stand, if they are 0 and 1 so far: then they are truth values."""
        if array.view(np.uint8).max() > 1:
            return None
        if not array.all():
            self._seen.add(0)
        return array.view(np.bool_) if len(self._seen) <= 1 else None

    def _numbers(self, array: NDArray[Any]) -> BoolArray | None:
        """Return which labels are 1, if the others are all 0 or all -1 so far."""
        positive = array == 1
        others = array.size - int(np.count_nonzero(positive))
        low = next((label for label in (0, -1) if int(np.count_nonzero(array == label)) == others), None)
        self._seen |= {array.dtype.type(low).item()} if others and low is not None else set()
        return np.asarray(positive) if low is not None and len(self._seen) <= 1 else None


def _first_missing(columns: dict[str, Any], arrays: dict[str, NDArray[Any]], before: int, file: str) -> str:
    """Return in words where the first missing value of a batch stands."""
    rows = []
    for name, array in arrays.items():
        lost = np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.size, dtype=np.bool_)
        if getattr(columns[name], "null_count", 0):
            lost = lost | columns[name].is_null().to_numpy(zero_copy_only=False)
        rows += np.flatnonzero(lost)[:1].tolist()
    return f"row {before + min(rows):,}, counted from 0" + (f", of {show(file, 200)}" if file else "")


def _plain(column: Any, name: str) -> NDArray[Any]:
    """Return a column of any kind as a one-dimensional NumPy array."""
    if not (hasattr(column, "type") and hasattr(column, "to_numpy")):
        return as_vector(column, name)
    kind = str(column.type)  # Arrow
    if kind.startswith("decimal"):
        return _doubles(column, name)
    if kind.startswith("dictionary"):
        column = column.cast(column.type.value_type)
        kind = str(column.type)
    if kind.startswith(_NESTED):
        raise InvalidTypeError(
            f"`{name}` must be machine numbers, text or truth values; got {show_text(kind, 60)}. "
            "Hint: name a plain column, or take the field you mean out of it."
        )
    if kind in _MACHINE and not column.null_count and hasattr(column, "buffers") and hasattr(column, "offset"):
        # As `to_numpy`, which also imports pandas.
        dtype = _MACHINE[kind]
        data: NDArray[Any] = np.frombuffer(column.buffers()[1], dtype, len(column), column.offset * dtype.itemsize)
        return data
    try:
        return np.asarray(column.to_numpy(zero_copy_only=False))
    except (ValueError, NotImplementedError) as error:  # text that is no UTF-8, dates beyond the calendar
        raise InvalidInputError(
            f"`{name}` must be machine numbers, text or truth values; a column of type {show_text(kind, 60)} cannot be "
            f"read: {show_text(str(error), 100)}. Hint: is the file complete?"
        ) from None


def _doubles(column: Any, name: str) -> NDArray[Any]:
    """Return decimals as doubles; scores must keep their digits, or others would tie with them."""
    double = column.cast("string").cast("float64")  # straight to a double Arrow makes 0.7000000000000001 of 0.70
    if name == "y_score" and column.type.precision > _DOUBLE_DIGITS:
        with localcontext(prec=100):
            cells = (cell for cell in column.to_pylist() if cell is not None)
            lost = sum(Decimal(float(cell)).quantize(cell) != cell for cell in cells)
        if lost:
            raise InvalidInputError(
                f"`y_score` must keep its digits as a double; got {lost} of {len(column)} rows that do not. "
                "Hint: cast the column to double if scores may tie that way."
            )
    return np.asarray(double.to_numpy(zero_copy_only=False), dtype=np.float64)


def _equal(array: NDArray[Any], pos_label: object) -> BoolArray:
    text = array.dtype.kind in "USOT"
    if isinstance(pos_label, str | bytes) != text:
        kind = "text" if text else "numbers"
        raise InvalidTypeError(
            f"`pos_label` must be of the labels' type; got {show(pos_label)} where `y_true` holds {kind} "
            f"such as {show(array[:1].tolist()[0])}."
        )
    return np.asarray(array == pos_label, dtype=np.bool_)


def common_type(types: list[np.dtype[Any]]) -> np.dtype[Any] | None:
    """Return a type that holds every value of all of them, or None."""
    common = np.result_type(*types)
    for kind in types:
        if kind.kind in "iu" and common.kind == "f":
            if 8 * kind.itemsize > np.finfo(common).nmant + 1:
                return None
        elif not np.can_cast(kind, common, "safe"):
            return None
    return common
