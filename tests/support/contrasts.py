"""Reference values of estimates on shared rows: several metrics, classes, labels and readers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_FILE = Path(__file__).parents[1] / "reference" / "contrasts.json"


@cache
def _document() -> dict[str, Any]:
    return json.loads(_FILE.read_text())


def data(part: str, name: str) -> Any:
    """Return one data set with what is expected of it."""
    return _document()[part][name]


def names(part: str) -> list[str]:
    """Return the data sets of a part."""
    return list(_document()[part])


def max_t() -> list[dict[str, float]]:
    """Return quantiles of the largest of correlated normal variables."""
    return _document()["max_t"]


def close(found: Any, expected: Any) -> None:
    """Compare to 1e-12 of the largest."""
    want = np.asarray(expected, dtype=float)
    np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12 * float(np.abs(want).max()))
