"""The reference values of `tests/reference/confusion.json`: metrics of the confusion matrix in exact arithmetic."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from thresher._cells.catalogue import find, names
from thresher._cells.cell_metric import CellMetric

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "reference" / "confusion.json").read_text())
TABLES = {table["name"]: table for table in GOLDEN["tables"]}
ROWS = {rows["name"]: rows for rows in GOLDEN["rows"]}
OPTIONS = {
    "net_benefit": {"threshold_probability": 0.2},
    "cost": {"cost_fp": 1, "cost_fn": 5},
    "iba": {"alpha": 0.1},
    "kappa_r": {"r": 0.25},
    "utility": {"utility_tp": 1, "utility_fn": -2},
}


def metric(key: str) -> CellMetric:
    return find(key, **OPTIONS.get(key, {}))


def all_metrics() -> list[CellMetric]:
    return [metric(name) for name in names()]


def number(text: str | None) -> float:
    """Return a reference value as the double nearest to it."""
    if text is None:
        return math.nan
    return math.inf if text == "inf" else float(Fraction(text))


def is_rational(text: str) -> bool:
    return text == "inf" or "." not in text


def same(found: float, text: str | None, tolerance: float = 1e-12) -> bool:
    """Whether a value is the reference: to the last bit for fractions, else to a relative error."""
    expected = number(text)
    if text is None or not is_rational(text):
        return math.isnan(found) if text is None else abs(found - expected) <= tolerance * abs(expected) + 1e-60
    return found == expected


def tables_of(n_pos: int, n_neg: int) -> tuple[np.ndarray, ...]:
    """Return tp, fp, fn and tn of all tables with these class sizes, tp along the first axis."""
    tp, fp = np.meshgrid(np.arange(n_pos + 1), np.arange(n_neg + 1), indexing="ij")
    return tp, fp, n_pos - tp, n_neg - fp


def cells_of_rows(rows: dict[str, Any]) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the cell of each row, and the weights of each cluster in the four cells."""
    y, score = np.array(rows["y"]), np.array([number(str(s)) for s in rows["score"]])
    called = score >= number(str(rows["threshold"]))
    cell = np.where(y == 1, np.where(called, 0, 2), np.where(called, 1, 3))
    if rows["cluster"] is None:
        return cell, None
    _, place = np.unique(rows["cluster"], return_inverse=True)
    clusters = np.zeros((place.max() + 1, 4))
    np.add.at(clusters, (place, cell), [number(str(w)) for w in rows["weight"]])
    return cell, clusters
