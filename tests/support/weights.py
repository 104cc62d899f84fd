"""The reference values of `tests/reference/weights.json`: rows with weights and clusters, and what follows."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import thresher as th

PATH = Path(__file__).parent.parent / "reference" / "weights.json"


@cache
def datasets() -> dict[str, Any]:
    return json.loads(PATH.read_text())["datasets"]


def expected(name: str) -> Any:
    return datasets()[name]["expected"]


class Rows(NamedTuple):
    label: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None

    def scores(self, **options: Any) -> th.Scores:
        return th.Scores(self.label, self.score, sample_weight=self.weight, **options)


def column(name: str, key: str) -> np.ndarray | None:
    found = datasets()[name]["rows"].get(key)
    return None if found is None else np.array([float(value) for value in found])


def rows(name: str, score: str = "score") -> Rows:
    label = column(name, "label")
    assert label is not None
    values = column(name, score)
    assert values is not None
    return Rows(label.astype(int), values, column(name, "weight"))
