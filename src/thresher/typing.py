"""Type aliases of the public signatures."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["ArrayLike", "BoolArray", "CountArray", "FloatArray", "IntArray", "ScoreArray"]

ArrayLike: TypeAlias = Any
"""A list, a NumPy array, an array of another Array API library, or a Series that narwhals reads."""

BoolArray: TypeAlias = NDArray[np.bool_]
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

CountArray: TypeAlias = NDArray[Any]
"""int64 counts, or float64 sums of weights."""

ScoreArray: TypeAlias = NDArray[Any]
"""Scores in the dtype they came in, so that no order is lost."""
