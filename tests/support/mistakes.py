"""Typical mistakes, from mistakes.yml: what is refused, what the message must say, and the call that follows it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import scipy.stats
import yaml
from sklearn.linear_model import LogisticRegression

import thresher as th
from thresher.sklearn import SCORERS, AchievableClassifier, cross_val_scores, metric_scorer


class Mistake(NamedTuple):
    """A call that is refused: parts of what it says, and a call that follows the remedy."""

    name: str
    call: Callable[[], Any]
    rule: str
    value: str
    remedy: str
    corrected: Callable[[], Any]
    error: type[Exception]


def _made_up() -> dict[str, Any]:
    """Return the names that the expressions use: modules, and made-up data."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [40, 60])
    values, other = rng.normal(y * 1.5, 1.0), rng.normal(y * 1.0, 1.0)
    probabilities = 1 / (1 + np.exp(-values))
    x = np.c_[values, other]
    scores = th.Scores(y, values)
    readings = th.datasets.load_reader_study().to_frame("pandas")
    study = th.readers(readings)
    north, south = readings.assign(site="north"), readings.assign(site="south", reader="reader 7")
    sites = pd.concat([north, south.assign(truth=1 - south.truth)])
    return {
        "math": math,
        "np": np,
        "pd": pd,
        "pl": pl,
        "scipy": scipy,
        "th": th,
        "FrozenInstanceError": FrozenInstanceError,
        "LogisticRegression": LogisticRegression,
        "SCORERS": SCORERS,
        "AchievableClassifier": AchievableClassifier,
        "cross_val_scores": cross_val_scores,
        "metric_scorer": metric_scorer,
        "Y": y,
        "VALUES": values,
        "OTHER": other,
        "PROBABILITIES": probabilities,
        "GROUPS": np.arange(100) // 2,
        "NAMES": np.where(y == 1, "fraud", "ok"),
        "X": x,
        "FRAME": pd.DataFrame({"label": y, "score": values, "other": other}),
        "SCORES": scores,
        "OTHER_SCORES": th.Scores(y, other),
        "PROBABLE": th.Scores(y, probabilities),
        "ROC_CURVE": scores.roc(),
        "PR_CURVE": scores.pr(),
        "MODEL": LogisticRegression().fit(x, y),
        "POPULATION": th.population.CASES["A"].with_prevalence(0.2),
        "READINGS": readings,
        "STUDY": study,
        "FOUND": study.measure(),
        "SINGLE": readings[readings.reader == "reader 1"],
        "SITES": sites.drop_duplicates(["reader", "case", "modality"]),
    }


def _read() -> list[Mistake]:
    names = _made_up()

    def expression(text: str) -> Any:
        return eval(text, names)  # noqa: S307 - the file beside this one

    def later(text: str) -> Callable[[], Any]:
        return expression(f"lambda: ({text})")

    entries = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
    for entry in entries:
        entry["call"], entry["corrected"] = later(entry["call"]), later(entry["corrected"])
        entry["error"] = expression(entry.get("error", "th.InvalidInputError"))
    return [Mistake(**entry) for entry in entries]


MISTAKES = _read()
