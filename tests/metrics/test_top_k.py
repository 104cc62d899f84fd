"""Top-k accuracy by looking, row by row, at how many scores stand above the label's."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.metrics import top_k_accuracy_score

RNG = np.random.default_rng(0)
SCORES = RNG.permuted(np.tile(np.arange(4.0), (30, 1)), axis=1)  # no ties
Y = np.append(np.arange(4), RNG.integers(0, 4, 26))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_several_classes(k):
    hits = [(row > row[label]).sum() < k for row, label in zip(SCORES, Y, strict=True)]
    assert top_k_accuracy_score(Y, SCORES, k=k) == pytest.approx(np.mean(hits))
    assert top_k_accuracy_score(Y, SCORES, k=k, normalize=False) == sum(hits)
    w = RNG.random(30)
    assert top_k_accuracy_score(Y, SCORES, k=k, sample_weight=w) == pytest.approx(np.average(hits, weights=w))
    assert top_k_accuracy_score(Y, SCORES, k=k, sample_weight=w, normalize=False) == pytest.approx(np.dot(hits, w))


def test_labels_may_be_named_and_missing_from_the_rows():
    names = np.array(["a", "b", "c", "d"])
    some = Y[Y != 2]
    found = top_k_accuracy_score(names[some], SCORES[Y != 2], k=2, labels=names)
    hits = [(row > row[label]).sum() < 2 for row, label in zip(SCORES[Y != 2], some, strict=True)]
    assert found == pytest.approx(np.mean(hits))


def test_two_classes_have_one_column():
    y, s = np.array([0, 1, 1, 0]), np.array([0.2, 0.7, 0.4, 0.6])
    assert top_k_accuracy_score(y, s, k=1) == pytest.approx(0.5)
    with pytest.warns(UserWarning, match="perfect score"):
        assert top_k_accuracy_score(y, s, k=2) == 1.0
