"""Columns of an engine's table: what they must be, and how each becomes a score, a class and a weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from thresher._core.arrays import unknown_labels
from thresher._core.checks import require, show, warn
from thresher._core.sums import MOST_COUNTS, too_many
from thresher._read.sources.source import arguments, missing_values, no_column
from thresher._table import no_class_weight
from thresher.exceptions import InvalidInputError, InvalidTypeError

Has = Callable[[str], bool]
"""Says whether an engine has the Ibis operation of this name."""

_LARGEST = np.finfo(np.float64).max.item()
_PART = 21
_PARTS = 3


def _ibis() -> Any:
    return require("ibis", extra="engines", purpose="Counting in an engine")


def with_plain_zero(value: Any) -> Any:
    """Return floats with -0.0 written 0.0: some engines order the two, and `-0.0 == 0.0` is false there."""
    ibis = _ibis()
    return ibis.ifelse(value.abs() == 0, ibis.literal(0).cast(value.type()), value)


def is_nan(value: Any, has: Has) -> Any:
    """Return which floats are NaN; false for NULL.

    NaN is unordered in some engines, and above all numbers and equal to itself in others: in both it is not at most
    the largest double, and its inverse is not 0, as that of infinity is.
    """
    if has("IsNan"):
        return value.isnan()
    ibis = _ibis()
    one = ibis.literal(1).cast("float64")
    return ibis.cases((value.isnull(), 0), (value <= _LARGEST, 0), (one / value == 0, 0), else_=1) == 1


def is_endless(value: Any, has: Has) -> Any:
    """Return which floats are NaN or infinite."""
    return is_nan(value, has) | (value > _LARGEST) | (value < -_LARGEST)


def zero_or_one(value: Any) -> Any:
    """Return booleans as integers, NULL where they are missing: not every engine casts the one to the other."""
    return _ibis().cases((value, 1), (~value, 0))


def whole(value: Any) -> Any:
    """Return a sum of integers as one of 64 bits, where engines make it a wider number or a decimal."""
    return value.cast("!int64")  # Ibis takes a sum of int64 for int64, and leaves that cast out


def parts_of(value: Any, name: str) -> dict[str, Any]:
    """Return sums of integers from 0 to 2**63 that cannot overflow up to 2**42 rows: `name_0` of the lowest bits..."""
    low = 2**_PART - 1
    parts = {}
    for k in range(_PARTS - 1):
        parts[f"{name}_{k}"] = (value & low).sum()
        value = value >> _PART  # by less than 32 at a time: polars makes 2**32 and more a NULL
    return parts | {f"{name}_{_PARTS - 1}": value.sum()}


def put_together(found: dict[str, list[Any]], name: str) -> list[int]:
    """Return the sums of which `parts_of` made parts, and take these out."""
    parts = [found.pop(f"{name}_{k}") for k in range(_PARTS)]
    return [sum(int(part or 0) << (_PART * k) for k, part in enumerate(row)) for row in zip(*parts, strict=True)]


_COUNTING = ("sample_weight", "frequency")
"""The arguments that say what a row counts."""


@dataclass(frozen=True, slots=True)
class Columns:
    """A table with the columns `grp`, `score`, `label`, `is_pos` (1 or 0), `weight`, and what is known of them.

    `names` are the caller's names of the arguments given. `weighted` says whether counts are sums of float weights,
    `whole_weights` whether they are sums of integers. The column `lost` is 1 where a double cannot hold the score.
    `weight` is what a row counts: its weight times its frequency; `single` the weight of one row, `times` how many rows
    it is, `cluster` which rows belong together.
    """

    table: Any
    names: dict[str, str]
    pos_label: object
    given_labels: bool
    weighted: bool
    whole_weights: bool
    dtype: np.dtype[Any]
    label_type: Any

    @property
    def weight_name(self) -> str | None:
        """The argument that says what rows count; None where each counts 1."""
        return next((name for name in _COUNTING if name in self.names), None)

    @property
    def extended(self) -> bool:
        """Whether more than counts is wanted of each score."""
        return self.sampling or "cluster" in self.names

    @property
    def sampling(self) -> bool:
        """Whether rows have sampling weights."""
        return "sample_weight" in self.names


def columns_of_table(table: Any, names: dict[str, str], pos_label: object) -> Columns:
    """Return the columns under names of our own; names and types are checked, values are not read yet."""
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    _check_names(table, names)
    score, lost, dtype = _score(ibis, table[names["y_score"]])
    label = table[names["y_true"]]
    one = ibis.literal(1, type="int64")
    single = _weight(table[names["sample_weight"]]) if "sample_weight" in names else one
    times = _times(table[names["frequency"]]) if "frequency" in names else one
    weight = _product(names, single, times)
    chosen = table.select(
        grp=table[names["by"]] if "by" in names else ibis.literal(0, type="int64"),
        score=score,
        lost=lost,
        label=label,
        is_pos=_is_positive(ibis, label, pos_label, names["y_true"]),
        weight=weight,
        single=single,
        times=times,
        cluster=table[names["cluster"]] if "cluster" in names else one,
    )
    return Columns(
        table=chosen,
        names=names,
        pos_label=pos_label,
        given_labels=pos_label is not None or label.type().is_boolean(),
        weighted=bool(weight.type().is_floating()),
        whole_weights=not names.keys().isdisjoint(_COUNTING) and bool(weight.type().is_integer()),
        dtype=dtype,
        label_type=label.type(),
    )


def side_by_side(table: Any, names: dict[str, str], pos_label: object) -> Any:
    """Return the scores of several models in one row, as `s0`, `s1`, ..., with `pos` and what else is named."""
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    _check_names(table, {name: column for name, column in names.items() if not name.startswith("by")})
    columns = {f"s{k}": _score(ibis, table[names[one]])[0] for k, one in enumerate(arguments(names, "y_score"))}
    columns["pos"] = _is_positive(ibis, table[names["y_true"]], pos_label, names["y_true"]).cast("int8")
    if "sample_weight" in names:
        columns["weight"] = _weight(table[names["sample_weight"]]).cast("float64")
    if "frequency" in names:
        columns["times"] = _times(table[names["frequency"]])
    if "cluster" in names:
        columns["cluster"] = table[names["cluster"]]
    return table.select(**columns)


def _check_names(table: Any, names: dict[str, str]) -> None:
    for argument, name in names.items():
        if not isinstance(name, str) or name not in table.columns:
            raise no_column(argument, name, list(table.columns))


def _product(names: dict[str, str], single: Any, times: Any) -> Any:
    """Return what a row counts; where one of both is not given, no product, which would change the type."""
    if "sample_weight" in names and "frequency" in names:
        return single * times
    return times if "frequency" in names else single


def _score(ibis: Any, column: Any) -> tuple[Any, Any, np.dtype[Any]]:
    """Return the score with -0.0 written 0.0, which rows lose digits (0 or 1), and NumPy's type of it."""
    kind = column.type()
    none = ibis.literal(0, type="int64")
    if kind.is_boolean():
        return zero_or_one(column).cast("int16"), none, np.dtype(np.uint8)
    if kind.is_integer():
        return column, none, np.dtype(str(kind.copy(nullable=True)).lower())
    if kind.is_floating():
        wide = column if kind.is_float64() or kind.is_float32() else column.cast("float32")
        return with_plain_zero(wide), none, np.dtype(str(wide.type().copy(nullable=True)).lower())
    if kind.is_decimal():
        double = column.cast("float64")
        lost = ibis.ifelse(double.cast(kind) == column, 0, 1).cast("int64")
        return with_plain_zero(double), lost, np.dtype(np.float64)
    raise InvalidTypeError(
        f"`y_score` must be real numbers; got {kind} in column {column.get_name()!r}. "
        "Hint: convert the column to numbers first."
    )


def _is_positive(ibis: Any, label: Any, pos_label: object, name: str) -> Any:
    kind = label.type()
    if pos_label is None:
        if kind.is_boolean():
            return ibis.ifelse(label, 1, 0).cast("int64")
        if kind.is_numeric():
            return ibis.ifelse(label == 1, 1, 0).cast("int64")
        # Refused once the labels are known, so that the message can name them.
        return ibis.literal(0, type="int64")
    text = bool(kind.is_string())
    if isinstance(pos_label, str | bytes) != text and (text or kind.is_numeric() or kind.is_boolean()):
        raise InvalidTypeError(
            f"`pos_label` must be of the labels' type; got {show(pos_label)} where column {name!r} holds {kind}."
        )
    try:
        same = label == (bool(pos_label) if kind.is_boolean() else pos_label)
        return ibis.ifelse(same, 1, 0).cast("int64")
    except Exception:  # whatever the library cannot compare
        raise InvalidTypeError(
            f"`pos_label` must be of the labels' type; got {show(pos_label)} where column {name!r} holds {kind}."
        ) from None


def _weight(column: Any) -> Any:
    kind = column.type()
    if kind.is_boolean():
        return zero_or_one(column).cast("int64")
    if kind.is_integer():
        return column.cast("int64")
    if kind.is_floating() or kind.is_decimal():
        return with_plain_zero(column.cast("float64"))
    raise InvalidTypeError(f"`sample_weight` must be numbers; got {kind} in column {column.get_name()!r}.")


def _times(column: Any) -> Any:
    kind = column.type()
    if kind.is_integer():
        return column.cast("int64")
    raise InvalidTypeError(
        f"`frequency` must be integers; got {kind} in column {column.get_name()!r}. "
        "Hint: pass weights that are not row counts as `sample_weight`."
    )


def tallies(columns: Columns, table: Any, has: Has, *, approximate: bool | None) -> dict[str, Any]:
    """Return the aggregates that one scan makes of each cell: what is wrong with it, its counts and its range.

    `approximate` says how distinct scores are counted, None that they are not.
    `low` and `high` are those of the `kept` rows, anything where there are none; whole weights are summed in parts.
    No integer is NULL unless a value is missing: some engines turn integers beside a NULL into doubles.
    """
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    t = table
    score = t.score if columns.weight_name is None else ibis.ifelse(t.weight > 0, t.score, ibis.null())
    found = {
        "n_rows": t.count(),
        "scored": t.score.count(),
        "lost": t.lost.sum(),
        "labelled": t.label.count(),
        "n_pos_rows": t.is_pos.sum(),
        "kept": score.count(),
        "low": score.min().coalesce(t.score.min()),
        "high": score.max().coalesce(t.score.max()),
        "weighed": t.weight.count(),
        "grouped": t.grp.count(),
    }
    found |= _distinct(t.score, approximate)
    for name, counted in (("pos", t.is_pos), ("neg", 1 - t.is_pos)):
        weighed = counted * t.weight
        found |= parts_of(weighed, name) if columns.whole_weights else {name: weighed.sum()}
    if columns.dtype.kind == "f":
        found["nan_scores"] = _count(ibis, is_nan(t.score, has))
    if columns.label_type.is_floating():
        found["nan_labels"] = _count(ibis, is_nan(t.label, has))
    if columns.label_type.is_numeric() and not columns.given_labels:
        found["zeros"] = _count(ibis, t.label == 0)
        found["minus_ones"] = _count(ibis, t.label == -1)
    if "cluster" in columns.names:
        found["clustered"] = t.cluster.count()
    if columns.weight_name is not None:
        found["least_weight"] = t.weight.min()
        found["negative_weights"] = _count(ibis, t.weight < 0)
        found["pos_zeros"] = _count(ibis, (t.weight == 0) & (t.is_pos == 1))
        found["neg_zeros"] = _count(ibis, (t.weight == 0) & (t.is_pos == 0))
    if columns.weighted:
        found["endless_weights"] = _count(ibis, is_endless(t.weight, has))
    return found


def _distinct(score: Any, approximate: bool | None) -> dict[str, Any]:
    if approximate is None:
        return {}
    return {"distinct": score.approx_nunique() if approximate else score.nunique()}


def _count(ibis: Any, condition: Any) -> Any:
    return ibis.ifelse(condition, 1, 0).cast("int64").sum()


class NullGroupsError(Exception):
    """Some rows name no group. They are a group of their own, which joins would lose."""


def check_found(columns: Columns, found: dict[str, Any], labels_of: Any) -> None:
    """Refuse missing values, labels and weights that break a rule; `found` has the totals over all cells."""
    rows = found["n_rows"]
    if rows == 0:
        raise InvalidInputError("The table must not be empty; got 0 rows. Hint: give at least one row.")
    if "by" in columns.names and found["grouped"] < rows:
        raise NullGroupsError
    _check_present(columns, found)
    if found["lost"]:
        raise InvalidInputError(
            f"`y_score` must keep its digits as a double; got {found['lost']} of {rows} rows that do not. "
            "Hint: cast the column to double in the engine if scores may tie that way."
        )
    _check_labels(columns, found, labels_of)
    _check_weights(columns, found)


def _check_present(columns: Columns, found: dict[str, Any]) -> None:
    rows = found["n_rows"]
    counted = {"y_score": "scored", "y_true": "labelled", columns.weight_name: "weighed", "cluster": "clustered"}
    nans = {"y_score": found.get("nan_scores"), "y_true": found.get("nan_labels")}
    for name, key in counted.items():
        if name is not None and name in columns.names:
            null, nan = rows - found[key], nans.get(name) or 0
            if null or nan:
                raise missing_values(name, rows, nan=nan, null=null)


def _check_labels(columns: Columns, found: dict[str, Any], labels_of: Any) -> None:
    others = found["n_rows"] - found["n_pos_rows"]
    if columns.pos_label is not None and found["n_pos_rows"] == 0:
        warn(f"No row of `y_true` has the label `pos_label={show(columns.pos_label)}`, so every row is negative.")
    if columns.given_labels or others in (found.get("zeros"), found.get("minus_ones")):
        return
    raise unknown_labels(labels_of())


def _check_weights(columns: Columns, found: dict[str, Any]) -> None:
    name = columns.weight_name
    if name is None:
        return
    rows = found["n_rows"]
    if found.get("endless_weights"):
        raise InvalidInputError(
            f"`{name}` must be finite; got {found['endless_weights']} of {rows} rows that are not. "
            "Hint: give those rows weight 0 to leave them out."
        )
    if found["negative_weights"]:
        raise InvalidInputError(
            f"`{name}` must not be negative; got {found['least_weight']} in {found['negative_weights']} of "
            f"{rows} rows. Hint: give those rows 0 to leave them out."
        )
    in_class = {"pos": found["n_pos_rows"], "neg": rows - found["n_pos_rows"]}
    for side, called in (("pos", "positive"), ("neg", "negative")):
        if 0 < in_class[side] == found[f"{side}_zeros"]:
            raise no_class_weight(name, in_class[side], called)
        if columns.whole_weights and found[side] >= MOST_COUNTS:
            raise too_many(int(found[side]), called)
