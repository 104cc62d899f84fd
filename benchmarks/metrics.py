"""`thresher.metrics` beside `sklearn.metrics`: the same calls in one run, interleaved, and the ratio of their times.

    python benchmarks/metrics.py [--rows 1000 1000000] [--rounds 5] [--only roc]

A ratio above 1 means that thresher is faster. Each time is the least of several rounds.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import sklearn.metrics

import thresher.metrics


def cases(n: int) -> dict[str, tuple[str, tuple, dict]]:
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(np.int64)
    score = rng.normal(size=n) + y
    rounded = score.round(2)
    weight = rng.random(n)
    wide = 5
    table = (rng.random((n, wide)) < 0.4).astype(np.int64)
    scores = rng.random((n, wide))
    relevance = rng.integers(0, 4, (n, wide))
    classes = rng.integers(0, wide, n)
    shares = scores / scores.sum(axis=1, keepdims=True)
    fpr, tpr = np.sort(rng.random(n)), np.sort(rng.random(n))
    return {
        "roc_curve": ("roc_curve", (y, score), {}),
        "roc_curve, float32": ("roc_curve", (y, score.astype(np.float32)), {}),
        "roc_curve, 2 decimals": ("roc_curve", (y, rounded), {}),
        "roc_curve, weights": ("roc_curve", (y, score), {"sample_weight": weight}),
        "precision_recall_curve": ("precision_recall_curve", (y, score), {}),
        "det_curve": ("det_curve", (y, score), {}),
        "confusion_matrix_at_thresholds": ("confusion_matrix_at_thresholds", (y, score), {}),
        "roc_auc_score": ("roc_auc_score", (y, score), {}),
        "roc_auc_score, max_fpr": ("roc_auc_score", (y, score), {"max_fpr": 0.1}),
        "roc_auc_score, weights": ("roc_auc_score", (y, score), {"sample_weight": weight}),
        "roc_auc_score, 5 labels": ("roc_auc_score", (table, scores), {}),
        "roc_auc_score, ovr": ("roc_auc_score", (classes, shares), {"multi_class": "ovr"}),
        "roc_auc_score, ovo": ("roc_auc_score", (classes, shares), {"multi_class": "ovo"}),
        "average_precision_score": ("average_precision_score", (y, score), {}),
        "average_precision_score, 5 labels": ("average_precision_score", (table, scores), {}),
        "auc": ("auc", (fpr, tpr), {}),
        "label_ranking_average_precision": ("label_ranking_average_precision_score", (table, scores), {}),
        "coverage_error": ("coverage_error", (table, scores), {}),
        "label_ranking_loss": ("label_ranking_loss", (table, scores), {}),
        "dcg_score": ("dcg_score", (relevance, scores), {}),
        "ndcg_score": ("ndcg_score", (relevance, scores), {}),
        "ndcg_score, ignore_ties": ("ndcg_score", (relevance, scores), {"ignore_ties": True}),
        "top_k_accuracy_score": ("top_k_accuracy_score", (classes, scores), {}),
    }


def timed(function: Callable[..., object], args: tuple, kwargs: dict, repeats: int) -> float:
    """Seconds of one call, from several in a row, so that the clock and the scheduler matter less."""
    start = time.perf_counter()
    for _ in range(repeats):
        function(*args, **kwargs)
    return (time.perf_counter() - start) / repeats


def compare(n: int, rounds: int, only: str) -> None:
    print(f"\n{n:,} rows" + " " * 28 + "scikit-learn      thresher     ratio")
    for label, (name, args, kwargs) in cases(n).items():
        if only not in label:
            continue
        functions = [getattr(place, name) for place in (sklearn.metrics, thresher.metrics)]
        best = [np.inf, np.inf]
        repeats = max(1, int(2e4 // n))
        done = 0
        spent = 0.0
        while done < rounds and not (done and spent > 8.0):
            for i, function in enumerate(functions):
                took = timed(function, args, kwargs, repeats)
                best[i] = min(best[i], took)
                spent += took * repeats
            done += 1
        print(f"{label:<38} {best[0] * 1e3:10.3f} ms {best[1] * 1e3:10.3f} ms {best[0] / best[1]:8.1f}x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for n in arguments.rows:
        compare(n, arguments.rounds, arguments.only)


if __name__ == "__main__":
    main()
