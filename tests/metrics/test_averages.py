"""Averages over labels, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.metrics._checks import averaged, indicators

Y = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]])
S = np.array([[0.9, 0.2, 0.1], [0.3, 0.8, 0.4], [0.6, 0.5, 0.7], [0.1, 0.3, 0.2]])
W = np.array([1.0, 2.0, 0.5, 1.5])


def figure(label, score, sample_weight=None):
    """A mean over rows that no column shares with another."""
    weight = np.ones(len(label)) if sample_weight is None else sample_weight
    return float(np.sum(weight * np.where(label, 1 - score, score**2)) / np.sum(weight))


@pytest.mark.parametrize("weight", [None, W])
def test_each_average(weight):
    own = [figure(Y[:, j], S[:, j], weight) for j in range(3)]
    w = np.ones(4) if weight is None else weight
    support = [np.sum(w * Y[:, j]) for j in range(3)]
    assert averaged(figure, Y, S, None, weight) == pytest.approx(own)
    assert averaged(figure, Y, S, "macro", weight) == pytest.approx(np.mean(own))
    # A label that no row has counts for nothing.
    assert averaged(figure, Y, S, "weighted", weight) == pytest.approx(np.dot(own, support) / sum(support))
    flat = figure(Y.ravel(), S.ravel(), np.repeat(w, 3))
    assert averaged(figure, Y, S, "micro", weight) == pytest.approx(flat)
    rows = np.average([figure(Y[i], S[i]) for i in range(4)], weights=w)
    assert averaged(figure, Y, S, "samples", weight) == pytest.approx(rows)


def test_no_label_at_all():
    assert averaged(figure, np.zeros((4, 3), dtype=int), S, "weighted") == 0


def test_two_classes_are_not_averaged():
    assert averaged(figure, Y[:, 0], S[:, 0], "macro") == pytest.approx(figure(Y[:, 0], S[:, 0]))


def test_indicators():
    assert indicators(np.array([2, 0, 2]), np.array([0, 1, 2])).tolist() == [
        [False, False, True],
        [True, False, False],
        [False, False, True],
    ]
