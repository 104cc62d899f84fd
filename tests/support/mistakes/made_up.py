"""What a mistake is, and the data on which they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import thresher as th


class Mistake(NamedTuple):
    """A call that is refused: parts of what it says, and a call that follows the remedy."""

    name: str
    call: Callable[[], Any]
    rule: str
    value: str
    remedy: str
    corrected: Callable[[], Any]
    error: type[Exception] = th.InvalidInputError


_RNG = np.random.default_rng(0)
Y = np.repeat([1, 0], [40, 60])
VALUES = _RNG.normal(Y * 1.5, 1.0)
OTHER = _RNG.normal(Y * 1.0, 1.0)
PROBABILITIES = 1 / (1 + np.exp(-VALUES))
GROUPS = np.arange(100) // 2
NAMES = np.where(Y == 1, "fraud", "ok")
X = np.c_[VALUES, OTHER]
FRAME = pd.DataFrame({"label": Y, "score": VALUES, "other": OTHER})
SCORES = th.Scores(Y, VALUES)
OTHER_SCORES = th.Scores(Y, OTHER)
PROBABLE = th.Scores(Y, PROBABILITIES)
ROC_CURVE = SCORES.roc()
PR_CURVE = SCORES.pr()
MODEL = LogisticRegression().fit(X, Y)
POPULATION = th.population.CASES["A"].with_prevalence(0.2)
