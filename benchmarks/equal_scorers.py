"""Scorers of equal quality, of one law or of two whose curves cross: what `null_rejection` draws from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.special as sp
import torch
from scipy.optimize import brentq

from benchmarks.bulk_intervals import Measure
from benchmarks.bulk_tests import ranked, values
from benchmarks.unkind_laws import LAWS, Distribution, binormal, shifted_normal

MEASURES: tuple[Measure, ...] = (
    ("roc", 0.0),
    ("pr", 0.0),
    ("fpr", 0.2),
    ("tpr", 0.8),
    ("recall at", 0.1),
    ("precision at", 0.5),
)
NAMES = {
    "roc": "ROC area",
    "pr": "PR area",
    "fpr": "partial ROC area, FPR 0 to 0.2",
    "tpr": "partial ROC area, TPR 0.8 to 1",
    "recall at": "recall at FPR 0.1",
    "precision at": "precision at recall 0.5",
}
SIZES = ((10, 10), (10, 100), (15, 150), (20, 200), (25, 200), (30, 30), (40, 200), (60, 300), (100, 30))
SOME_SIZES = ((10, 100), (15, 150), (40, 200), (100, 30))
BY_NAME = {law.name: law for law in LAWS}
_CROSSING = (
    "sd ratio",
    "t3",
    "beta(3",
    "five ratings 1.2",
    "exponential x3",
    "easy",
    "5.0% hopeless",
    "25.0% hopeless",
    "loud",
)
CROSSING = (
    binormal(0.75, 2.0),
    binormal(0.75, 0.5),
    binormal(0.75, 3.0),
    binormal(0.9, 2.0),
    *(law for law in LAWS if any(part in law.name for part in _CROSSING)),
)
WORST_CROSSING = (
    "normal 0.75, sd ratio 2",
    "normal 0.75, sd ratio 0.5",
    "normal 0.9, sd ratio 3",
    "normal 0.9, sd ratio 0.333",
    "normal 0.98, sd ratio 0.333",
    "t3 shifted 4",
    "80% easy, others 1",
    "5.0% hopeless, others 4",
    "1.0% loud negatives, others 2.5",
)
_POINTS = 60_000


@dataclass(frozen=True)
class Cell:
    """Two scorers on the same rows: both of `law`, or the second normal with this spread and the same figure."""

    law: Distribution
    n_pos: int
    n_neg: int
    measures: tuple[Measure, ...]
    rho: float = 0.5
    spread: float | None = None
    times: int = 1
    """How many times as many replicates as others."""

    @property
    def what(self) -> str:
        """How the page names it."""
        other = "" if self.spread is None else f" against a normal of spread {self.spread:g}"
        rho = "" if self.rho == 0.5 else f", noise shared {self.rho:g}"
        return f"{self.law.name}{other}{rho}, {self.n_pos} + {self.n_neg}"

    def laws(self) -> tuple[Distribution, Distribution]:
        """Return the laws of both scorers."""
        if self.spread is None:
            return self.law, self.law
        return self.law, partner(self.law, self.measures[0], self.n_pos / (self.n_pos + self.n_neg), self.spread)


def cells() -> Iterator[Cell]:
    """Yield what is simulated: ROC areas, which need no resamples, at all sizes, other figures at some."""
    roc, pr = MEASURES[:1], MEASURES[1:2]
    for n_pos, n_neg in SIZES:
        some = (n_pos, n_neg) in SOME_SIZES
        for law in LAWS:
            yield Cell(law, n_pos, n_neg, MEASURES if some and (n_pos, n_neg) != (10, 100) else roc)
        for law in CROSSING:
            yield Cell(law, n_pos, n_neg, roc, spread=1.0)
            if some and law.name in WORST_CROSSING:
                for measure in MEASURES[1:] if n_pos == 15 else MEASURES[1:4]:
                    yield Cell(law, n_pos, n_neg, (measure,), spread=1.0)
        yield Cell(shifted_normal(1.0), n_pos, n_neg, pr, spread=2.0, times=5)
        for shift, spread in ((2.0, 0.33), (1.0, 3.0)):
            yield Cell(shifted_normal(shift), n_pos, n_neg, roc, spread=spread, times=5)
    for n_pos, n_neg in SOME_SIZES:
        for name in ("normal 0.85", "five ratings 1.2", "25.0% hopeless, others 3"):
            for rho in (0.0, 0.95):
                yield Cell(BY_NAME[name], n_pos, n_neg, MEASURES[:2], rho=rho)


def truth(law: Distribution, measure: Measure, prevalence: float) -> float:
    """Return the population's figure: that of the law at very many evenly spaced probabilities."""
    pos, neg = (torch.as_tensor(law.truth_sample(side, _POINTS)[None], dtype=torch.float64) for side in (True, False))
    weight = (1.0 - prevalence) / prevalence * pos.shape[1] / neg.shape[1]
    ones = torch.ones((1, pos.shape[1], 1), dtype=torch.float64)
    weights = ones, torch.full((1, neg.shape[1], 1), weight, dtype=torch.float64)
    return float(values(ranked(pos, neg), weights, (measure,))[0][0, 0])


def partner(law: Distribution, measure: Measure, prevalence: float, spread: float, less: float = 0.0) -> Distribution:
    """Return normal positives of this spread whose figure is that of `law`, less so much."""
    wanted = truth(law, measure, prevalence) - less
    return shifted_normal(
        brentq(lambda shift: truth(shifted_normal(shift, spread), measure, prevalence) - wanted, -6.0, 20.0, xtol=1e-4),
        spread,
    )


def draw(
    laws: Sequence[Distribution], n_pos: int, n_neg: int, rho: float, replicates: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return scores of positives and negatives, shape (replicates, cases, scorers), whose noise is shared in part."""
    out = []
    for side, size in ((True, n_pos), (False, n_neg)):
        common = rng.normal(size=(replicates, size))
        drawn = [
            law.at(side, sp.ndtr(np.sqrt(rho) * common + np.sqrt(1.0 - rho) * rng.normal(size=common.shape)))
            for law in laws
        ]
        out.append(np.stack(drawn, axis=2))
    return out[0], out[1]
