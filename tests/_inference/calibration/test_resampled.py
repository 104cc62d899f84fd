"""What a calibrated model shows by chance: the labels' law, and envelopes that hold the curves they should."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from thresher._curves import hull_blocks
from thresher._inference.calibration.calibration_tests import (
    _draws,
    consistency_limits,
    losses_of,
    null_miscalibration,
    plain_miscalibration,
)
from thresher._inference.calibration.proper_scores import ProperScore

X = np.array([0.8, 0.5, 0.1])
ROWS = np.array([2, 1, 3])


def miscalibration(pos):
    """Return the mean Brier score less that of isotonic scores, row by row."""
    y = np.concatenate([np.repeat([1, 0], [p, n - p]) for p, n in zip(pos, ROWS, strict=True)])
    x = np.repeat(X, ROWS)
    q = IsotonicRegression().fit(x, y).predict(x)
    return np.mean((y - x) ** 2) - np.mean((y - q) ** 2)


def law():
    """Give every table of positives with its probability."""
    for pos in itertools.product(*(range(n + 1) for n in ROWS)):
        chance = 1.0
        for p, n, x in zip(pos, ROWS, X, strict=True):
            ways = len(list(itertools.combinations(range(n), p)))
            chance *= ways * x**p * (1 - x) ** (n - p)
        yield pos, chance


def test_one_table():
    for pos, _ in law():
        p = np.array(pos)
        blocks = hull_blocks(np.cumsum(p), np.cumsum(ROWS - p))
        found = plain_miscalibration(ProperScore("brier"), losses_of(ProperScore("brier"), X), p, ROWS - p, blocks)
        assert found == pytest.approx(miscalibration(pos), abs=1e-14)


def test_an_infinite_loss_of_none_is_none():
    pos, neg = np.array([2, 0]), np.array([0, 2])
    blocks = hull_blocks(np.cumsum(pos), np.cumsum(neg))
    assert (
        plain_miscalibration(ProperScore("log"), losses_of(ProperScore("log"), np.array([1.0, 0.0])), pos, neg, blocks)
        == 0.0
    )


def test_labels_are_drawn_from_the_scores():
    size = 4000
    want = sum(chance * miscalibration(pos) for pos, chance in law())
    square = sum(chance * miscalibration(pos) ** 2 for pos, chance in law())
    found = null_miscalibration(ProperScore("brier"), X, ROWS, size, 0)
    assert found.size == size
    assert found.mean() == pytest.approx(want, abs=4 * np.sqrt((square - want**2) / size))
    # Replicate i is the same however many there are.
    np.testing.assert_array_equal(null_miscalibration(ProperScore("brier"), X, ROWS, 10, 0), found[:10])


def curves(size):
    out = []
    for pos, neg, _ in _draws(X, ROWS, size, 3):
        share = np.repeat(X, ROWS)
        y = np.concatenate([np.repeat([1, 0], [p, n]) for p, n in zip(pos, neg, strict=True)])
        out.append(IsotonicRegression().fit(share, y).predict(X))
    return np.array(out)


def test_pointwise_limits_are_quantiles():
    drawn = np.sort(curves(200), axis=0)
    low, high = consistency_limits(X, ROWS, 0.8, 200, 3, simultaneous=False)
    # The 20th and the 180th of 200, one way round or the other by a rounding of the level.
    for j in range(3):
        assert drawn[18, j] - 1e-12 <= low[j] <= drawn[20, j] + 1e-12
        assert drawn[178, j] - 1e-12 <= high[j] <= drawn[180, j] + 1e-12


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_the_envelope_holds_whole_curves_and_no_narrower_one_would(level):
    size = 100
    drawn = curves(size)
    low, high = consistency_limits(X, ROWS, level, size, 3, simultaneous=True)

    def held(a, b):
        return np.mean(((drawn >= a - 1e-12) & (drawn <= b + 1e-12)).all(axis=1))

    ordered = np.sort(drawn, axis=0)
    ranks = [k for k in range(1, size // 2 + 1) if held(ordered[k - 1], ordered[size - k]) >= level]
    k = max(ranks, default=1)
    np.testing.assert_allclose(held(low, high), held(ordered[k - 1], ordered[size - k]))
    np.testing.assert_allclose(low, ordered[k - 1], atol=1e-12)
    np.testing.assert_allclose(high, ordered[size - k], atol=1e-12)
