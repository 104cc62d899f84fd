"""The reference values of `tests/reference/calibration.json`, in exact arithmetic, and their tables as Scores."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import thresher as th

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "calibration.json").read_text())["datasets"]
NAMES = list(REFERENCE)


def number(reference) -> float:
    if isinstance(reference, dict):
        return float(Fraction(reference["exact"])) if "exact" in reference else float(reference["value"])
    return float(reference)


def scores_of(name: str) -> th.Scores:
    data = REFERENCE[name]
    pos, neg = ([Fraction(count) for count in data[side]] for side in ("pos", "neg"))
    kind = int if all(count.denominator == 1 for count in pos + neg) else float
    return th.Scores.from_counts(data["scores"], [kind(c) for c in pos], [kind(c) for c in neg])
