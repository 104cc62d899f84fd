"""Expressions that mean the same in every engine, made of the operations that it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from thresher._core.checks import require

__all__ = ["Has", "is_endless", "is_nan", "parts_of", "put_together", "whole", "with_plain_zero", "zero_or_one"]

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
