"""Data for engines, and what a scanned table must share with the same rows in memory."""

import numpy as np


def datasets(n=3000):
    """Return rows (labels, scores as float64) of every awkward kind, by name."""
    rng = np.random.default_rng(5)
    y = (rng.random(n) < 0.3).astype(np.int64)
    normal = rng.normal(size=n) + y
    infinite = normal.copy()
    infinite[rng.random(n) < 0.05] = np.inf
    infinite[rng.random(n) < 0.05] = -np.inf
    zeros = np.round(normal, 1)
    zeros[rng.random(n) < 0.2] = -0.0
    zeros[rng.random(n) < 0.2] = 0.0
    return {
        "continuous": (y, normal),
        "tied": (y, np.round(normal, 1)),
        "whole": (y, rng.integers(-40, 900, n).astype(np.float64)),
        "negative": (y, -np.exp(normal)),
        "infinite": (y, infinite),
        "subnormal": (y, 5e-324 * rng.integers(-300, 4000, n)),
        "zeros": (y, zeros),
        "wide": (y, np.sign(normal) * 10.0 ** (200 * np.tanh(normal))),
        "crowded": (y, 0.5 + 1e-13 * rng.integers(0, 2000, n)),
        "largest": (y, np.finfo(np.float64).max * (1 - 2.0**-53 * rng.integers(0, 1000, n))),
    }


def assert_same(scanned, scores, *, hull=True):
    """Check a scanned table against the Scores of the same rows, to the last bit."""
    assert (scanned.n_pos, scanned.n_neg, scanned._n_scores) == (scores.n_pos, scores.n_neg, len(scores))
    assert scanned._exact
    if scanned._complete:
        assert scanned == scores
        assert scanned.thresholds.dtype == scores.thresholds.dtype
        return
    row = len(scores) - 1 - np.searchsorted(scores.thresholds[::-1], scanned.thresholds)
    assert scanned.thresholds.dtype == scores.thresholds.dtype
    for name in ("thresholds", "tp", "fp"):
        assert getattr(scanned, name).tolist() == getattr(scores, name)[row].tolist()
    assert scanned._highest_scores.tolist() == [scores.thresholds[i] for i in (0, *(row[:-1] + 1))]
    figures = scanned._figures
    tp, fp = (column.tolist() for column in (scores.tp, scores.fp))
    rows = list(zip(scores.pos.tolist(), scores.neg.tolist(), [0, *tp[:-1]], [0, *fp[:-1]], tp, fp, strict=True))
    assert figures.twice_u == scores._twice_u
    assert figures.tied_pairs == sum(pos * neg for pos, neg, *_ in rows)
    assert figures.shared_scores == sum(pos > 0 and neg > 0 for pos, neg, *_ in rows)
    assert figures.shared_pos == sum(pos for pos, neg, *_ in rows if neg > 0)
    n_neg = int(scores.n_neg)
    assert figures.pos_placement_squares == sum(pos * (2 * n_neg - fp0 - fp1) ** 2 for pos, _, _, fp0, _, fp1 in rows)
    assert figures.neg_placement_squares == sum(neg * (tp0 + tp1) ** 2 for _, neg, tp0, _, tp1, _ in rows)
    if scores.n_pos and scores.n_neg:
        assert scanned.roc_auc().value == scores.roc_auc().value
        for estimator in ("average_precision", "interpolated"):
            assert scanned.pr_auc(estimator=estimator).value == scores.pr_auc(estimator=estimator).value
        if hull:
            assert scanned.roc().hull().thresholds.tolist() == scores.roc().hull().thresholds.tolist()
