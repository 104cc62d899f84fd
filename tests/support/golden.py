"""The reference curves of `tests/reference/curves`, as the peer named `exact` answered them."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import thresher as th

FOLDER = Path(__file__).parent.parent / "reference" / "curves"


@cache
def golden() -> dict[str, Any]:
    return json.loads((FOLDER / "golden.json").read_text())


@cache
def columns(dataset: str) -> dict[str, np.ndarray]:
    with (FOLDER / golden()[dataset]["file"]).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@cache
def scores(dataset: str, column: str) -> th.Scores:
    data = columns(dataset)
    if "soft_label" in data:
        return th.Scores.from_soft_labels(data["soft_label"], data[column])
    return th.Scores(data["label"], data[column], sample_weight=data.get("weight"))


def exact(dataset: str) -> dict[str, Any]:
    peers = golden()[dataset]["peers"]
    name = next((peer for peer in peers if peer.startswith("exact")), None)
    return peers[name] if name else {}


def figures(suffix: str) -> list[tuple[str, str, Any]]:
    """Every (dataset, score column, value) for which the exact peer gives this figure."""
    found = []
    for dataset, entry in golden().items():
        if dataset.startswith(("_", "edge_only_")):  # one class only: thresher raises, and a test of its own says so
            continue
        for column in entry["columns"]:
            for key in (suffix, f"{column}.{suffix}"):
                value = exact(dataset).get(key)
                if value is not None:
                    found.append((dataset, column, value))
    assert found, suffix
    return found
