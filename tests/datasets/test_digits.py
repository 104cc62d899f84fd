"""The bundled example against what scikit-learn distributes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

import thresher as th


def test_the_labels_are_the_eights_of_scikit_learn():
    data = th.datasets.load_digits_eight()
    target = load_digits().target
    assert data.y_true.size == target.size == 1797
    assert int(data.y_true.sum()) == int((target == 8).sum()) == 174
    np.testing.assert_array_equal(data.y_true, target == 8)


def test_scores_are_probabilities_and_the_trees_are_tied():
    data = th.datasets.load_digits_eight()
    for scores in data.models.values():
        assert ((scores >= 0) & (scores <= 1)).all()
    assert np.unique(data.tree).size < 100 < np.unique(data.logistic).size
    assert data.models["logistic"] is data.logistic
    assert data.models["tree"] is data.tree


def test_nothing_can_be_changed():
    data = th.datasets.load_digits_eight()
    with pytest.raises(ValueError, match="read-only"):
        data.logistic[0] = 1.0
