"""How often two-sided tests at 5% reject when the scorers are equally good.

`python tests/support/null_rates.py [simulations]` prints the table of docs/validation/tests.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import thresher as th
from thresher._compare import compare, compare_unpaired

LEVEL = 0.05


@dataclass(frozen=True)
class Setting:
    """Two scorers with the same curve: normal scores whose noise has correlation `rho`, or independent samples."""

    name: str
    design: str
    method: str
    n_pos: int
    n_neg: int
    metric: str = "roc_auc"
    options: dict[str, Any] = field(default_factory=dict)
    rho: float = 0.5
    shift: float = 1.0
    digits: int | None = None
    resamples: int = 399


def _sample(setting: Setting, rng: np.random.Generator, rho: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = setting.n_pos + setting.n_neg
    y = np.arange(size) < setting.n_pos
    common = rng.normal(size=size)
    a, b = (np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=size) + setting.shift * y for _ in range(2))
    # The second scorer works on another scale; only its order may matter.
    b = np.exp(b / 2)
    if setting.digits is not None:
        a = np.round(a, setting.digits)
        b = np.round(2 * np.log(b), setting.digits)
    return y, a, b


def pvalue(setting: Setting, seed: int) -> float:
    rng = np.random.default_rng(seed)
    how = {"metric": setting.metric, "method": setting.method, "n_resamples": setting.resamples, "rng": rng}
    if setting.design == "paired":
        y, a, b = _sample(setting, rng, setting.rho)
        return compare(y, {"a": a, "b": b}, **how, **setting.options).pvalue
    y, a, _ = _sample(setting, rng, 0.0)
    y2, _, b = _sample(setting, rng, 0.0)
    return compare_unpaired(th.Scores(y, a), th.Scores(y2, b), **how, **setting.options).pvalue


def rejection_rate(setting: Setting, simulations: int, *, first: int = 0) -> float:
    return float(np.mean([pvalue(setting, first + i) <= LEVEL for i in range(simulations)]))


_AT_RECALL = {"recall": 0.7}
_LOW_FPR = {"fpr": (0.0, 0.3)}
_FEW: dict[str, Any] = {"resamples": 199}

SETTINGS = [
    Setting("area, few cases", "paired", "delong", 50, 50),
    Setting("area, one in five", "paired", "delong", 60, 240),
    Setting("area, ties", "paired", "delong", 100, 100, digits=0),
    Setting("area", "unpaired", "delong", 60, 90),
    Setting("partial area, FPR to 0.3", "paired", "delong", 80, 160, "partial_roc_auc", _LOW_FPR),
    Setting("partial area, FPR to 0.3", "unpaired", "delong", 80, 160, "partial_roc_auc", _LOW_FPR),
    Setting("area", "paired", "bootstrap", 80, 120),
    Setting("area, ties", "paired", "bootstrap", 80, 120, digits=0),
    Setting("area", "unpaired", "bootstrap", 80, 120),
    Setting("partial area, FPR to 0.3", "paired", "bootstrap", 80, 160, "partial_roc_auc", _LOW_FPR),
    Setting("area under PR", "paired", "bootstrap", 80, 160, "pr_auc"),
    Setting("average precision", "paired", "bootstrap", 80, 160, "average_precision"),
    Setting("area", "paired", "permutation", 40, 60, **_FEW),
    Setting("area, ties", "paired", "permutation", 40, 60, digits=0, **_FEW),
    Setting("partial area, FPR to 0.3", "paired", "permutation", 40, 80, "partial_roc_auc", _LOW_FPR, **_FEW),
    Setting("area under PR", "paired", "permutation", 40, 80, "pr_auc", **_FEW),
    Setting("precision at recall 0.7", "paired", "permutation", 40, 80, "precision_at_recall", _AT_RECALL, **_FEW),
    Setting("area", "unpaired", "permutation", 40, 60, **_FEW),
    Setting("area under PR", "unpaired", "permutation", 40, 60, "pr_auc", **_FEW),
    Setting("curve", "paired", "venkatraman", 40, 60, **_FEW),
    Setting("curve, ties", "paired", "venkatraman", 60, 60, digits=1, **_FEW),
    Setting("curve", "unpaired", "venkatraman", 40, 60, **_FEW),
]

# Known to reject too seldom: the quantile behind a precision at a recall is rough in small samples, and with a handful
# of distinct scores exchanged ranks make finer curves than the data.
CAUTIOUS = [
    Setting("precision at recall 0.7", "paired", "bootstrap", 100, 200, "precision_at_recall", _AT_RECALL),
    Setting("precision at recall 0.7", "paired", "bootstrap", 400, 800, "precision_at_recall", _AT_RECALL),
    Setting("curve, six distinct scores", "paired", "venkatraman", 60, 60, digits=0, **_FEW),
]


def table(simulations: int) -> Iterator[str]:
    yield "| what is compared | design | test | positives | negatives | rejected |"
    yield "|---|---|---|---:|---:|---:|"
    for s in SETTINGS + CAUTIOUS:
        rate = rejection_rate(s, simulations)
        yield f"| {s.name} | {s.design} | {s.method} | {s.n_pos} | {s.n_neg} | {100 * rate:.1f}% |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 2000):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
