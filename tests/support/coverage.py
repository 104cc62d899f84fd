"""How often intervals and bands cover the true curve of a case: for the quick tests, the slow ones and the study."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import binom

from support.cases import CASES
from thresher._inference.bands.curve_band import pr_band, roc_band
from thresher._inference.pr import pr_auc_interval
from thresher._table import Counts
from thresher.measures._pr_estimators import pr_auc_value

Array = NDArray[np.float64]

RECALLS = np.arange(1, 10) / 10.0
GRID = np.linspace(0.05, 0.95, 37)


@dataclass(frozen=True)
class Setting:
    case: str
    n: int
    skew: int
    design: str = "random"

    def __str__(self) -> str:
        return f"{self.case}-{self.n}-{self.skew}-{self.design}"


def settings(skews: tuple[int, ...], designs: tuple[str, ...] = ("random",)) -> list[Setting]:
    return [Setting(case, n, skew, how) for how in designs for case in CASES for n in (500, 1000) for skew in skews]


def tolerated(replicates: int, level: float, *, cells: int = 1) -> float:
    """The share of hits that a method of this true coverage falls short of once in 10 000 studies of so many cells."""
    return float(binom.ppf(1e-4 / cells, replicates, level)) / replicates


def pointwise(setting: Setting, replicates: int, seed: int, method: str | None = None) -> tuple[Array, Array]:
    """Coverage of the PR curve at each of RECALLS, and mean widths."""
    case = CASES[setting.case]
    rng = np.random.default_rng(seed)
    hits, width = np.zeros(RECALLS.size), np.zeros(RECALLS.size)
    for _ in range(replicates):
        counts = case.draw(rng, setting.n, setting.skew, fixed=setting.design == "fixed")
        band = pr_band(counts, RECALLS, method=method, design=setting.design, rng=rng, n_resamples=1000)
        hits += band.contains(_precision(setting, RECALLS, counts))
        width += band.high - band.low
    return hits / replicates, width / replicates


def simultaneous(
    setting: Setting, replicates: int, seed: int, method: str = "envelope", curve: str = "pr", n_resamples: int = 1000
) -> tuple[float, float]:
    """Coverage of the whole curve on GRID, and the mean width."""
    case = CASES[setting.case]
    rng = np.random.default_rng(seed)
    hits, width = 0, 0.0
    for _ in range(replicates):
        counts = case.draw(rng, setting.n, setting.skew, fixed=setting.design == "fixed")
        make = pr_band if curve == "pr" else roc_band
        band = make(
            counts, GRID, simultaneous=True, method=method, design=setting.design, rng=rng, n_resamples=n_resamples
        )
        truth = _precision(setting, GRID, counts) if curve == "pr" else case.recall_at_fpr(GRID)
        hits += bool(band.contains(truth).all())
        width += float((band.high - band.low).mean())
    return hits / replicates, width / replicates


def area(setting: Setting, replicates: int, seed: int, method: str = "logit") -> float:
    """Coverage of the area under the PR curve."""
    case = CASES[setting.case]
    truth = quad(lambda x: float(case.pr(np.array([x]), setting.skew)[0]), 0.0, 1.0, limit=200, points=[0.5])[0]
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(replicates):
        counts = case.draw(rng, setting.n, setting.skew)
        hits += truth in pr_auc_interval(counts, pr_auc_value(counts, "interpolated"), method=method)
    return hits / replicates


def _precision(setting: Setting, recall: Array, counts: Counts) -> Array:
    """The true precision; with fixed totals at the prevalence of the sample, which rounding moves a little."""
    skew = setting.skew if setting.design == "random" else counts.n_neg / counts.n_pos
    return CASES[setting.case].pr(recall, skew)
