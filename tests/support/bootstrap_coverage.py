"""How often bootstrap intervals at 95% hold the true area, for normal scores.

`python tests/support/bootstrap_coverage.py [simulations]` prints the second table of docs/validation/tests.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from scipy.stats import norm

import thresher as th

METHODS = ("percentile", "bca", "studentized")


@dataclass(frozen=True)
class Setting:
    metric: str
    shift: float
    n_pos: int
    n_neg: int

    @property
    def truth(self) -> float:
        if self.metric == "roc_auc":
            return float(ndtr(self.shift / np.sqrt(2)))
        odds = self.n_neg / self.n_pos

        def precision(recall: float) -> float:
            return float(recall / (recall + odds * norm.sf(norm.isf(recall) + self.shift)))

        return float(quad(precision, 0, 1)[0])


SETTINGS = [
    Setting("roc_auc", float(np.sqrt(2) * ndtri(0.7)), 50, 50),
    Setting("roc_auc", float(np.sqrt(2) * ndtri(0.9)), 50, 50),
    Setting("roc_auc", float(np.sqrt(2) * ndtri(0.9)), 30, 300),
    Setting("pr_auc", 1.2, 50, 150),
    Setting("pr_auc", 2.0, 50, 450),
]


def coverage(
    setting: Setting,
    simulations: int,
    *,
    first: int = 0,
    resamples: int = 499,
    methods: tuple[str, ...] = METHODS,
) -> dict[str, float]:
    truth = setting.truth
    y = np.arange(setting.n_pos + setting.n_neg) < setting.n_pos
    held = dict.fromkeys(methods, 0)
    for i in range(simulations):
        rng = np.random.default_rng(first + i)
        score = rng.normal(size=y.size) + setting.shift * y
        found = th.bootstrap(y, score, metric=setting.metric, n_resamples=resamples, rng=rng)
        for method in methods:
            held[method] += truth in found.confidence_interval(method=method)
    return {method: count / simulations for method, count in held.items()}


def table(simulations: int) -> Iterator[str]:
    yield "| area | true value | positives | negatives | percentile | BCa | studentised |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for s in SETTINGS:
        # Standard errors of PR areas are computed one by one, which takes its time.
        size = simulations if s.metric == "roc_auc" else 3 * simulations // 10
        rates = " | ".join(f"{100 * rate:.1f}%" for rate in coverage(s, size).values())
        yield f"| {s.metric} | {s.truth:.3f} | {s.n_pos} | {s.n_neg} | {rates} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 1000):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
