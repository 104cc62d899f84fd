"""Calls that a peer has too: both timed in turns in one process, by processor time.

Peers that are not installed are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import thresher as th


class Pair(NamedTuple):
    """Two calls that answer the same question."""

    work: str
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]


def pairs(d: Any) -> Iterator[Pair]:
    """Name the pairs for rows of one size; `d` is `benchmarks.calls.Data`."""
    if find_spec("scors"):
        import scors

        positive = d.y == 1
        yield Pair(
            "ROC AUC", lambda: th.Scores(d.y, d.s).roc_auc().value, "scors", lambda: scors.roc_auc(positive, d.s)
        )
        yield Pair(
            "average precision",
            lambda: th.Scores(d.y, d.s).pr_auc(estimator="average_precision").value,
            "scors",
            lambda: scors.average_precision(positive, d.s),
        )
        yield Pair(
            "weighted ROC AUC",
            lambda: th.Scores(d.y, d.s, sample_weight=d.weight).roc_auc().value,
            "scors",
            lambda: scors.roc_auc(positive, d.s, weights=d.weight),
        )
        yield Pair(
            "partial ROC AUC",
            lambda: th.Scores(d.y, d.s).partial_roc_auc(fpr=(0.0, 0.2)).value,
            "scors",
            lambda: scors.roc_auc(positive, d.s, max_fpr=0.2),
        )
    if find_spec("sklearn"):
        from sklearn.linear_model import LogisticRegression
        from sklearn.metrics import brier_score_loss, roc_curve

        yield Pair("ROC curve", lambda: th.Scores(d.y, d.s).roc().fpr, "scikit-learn", lambda: roc_curve(d.y, d.s))
        yield Pair(
            "Brier score",
            lambda: th.Scores(d.y, d.s).measure("brier").value,
            "scikit-learn",
            lambda: brier_score_loss(d.y, d.s),
        )
        yield Pair(
            "logistic calibrator",
            lambda: th.Calibrator.fit(th.Scores(d.y, d.s), method="logistic"),
            "scikit-learn",
            lambda: LogisticRegression(C=1e6).fit(d.s[:, None], d.y),
        )
    if find_spec("model_diagnostics"):
        from model_diagnostics.scoring import SquaredError, decompose

        yield Pair(
            "decomposition of the Brier score",
            lambda: th.Scores(d.y, d.s).calibration().decomposition(),
            "model-diagnostics",
            lambda: decompose(d.y, d.s, scoring_function=SquaredError()),
        )


def race(pair: Pair, rounds: int = 5, least: float = 0.002) -> tuple[float, float]:
    """Return the least processor seconds of a call of ours and of theirs; short calls are repeated."""
    best = [float("inf"), float("inf")]
    calls = pair.ours, pair.theirs
    times = []
    for call in calls:
        call()
        start = time.process_time()
        call()
        times.append(max(1, int(least / max(time.process_time() - start, 1e-7))))
    for _ in range(rounds):
        for side, call in enumerate(calls):
            start = time.process_time()
            for _ in range(times[side]):
                call()
            best[side] = min(best[side], (time.process_time() - start) / times[side])
    return best[0], best[1]
