"""Nested cross-validation, against the plain double loop, and what it is for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import thresher as th
from thresher.sklearn import nested_cross_val

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:120, :3], Y[:120]


def test_against_the_double_loop():
    """Every fold and every pair of folds, fitted one by one."""
    k, repeats = 4, 2
    outer, inner, variances = [], [], []
    for seed in np.random.default_rng(5).integers(0, 2**31, repeats).tolist():
        folds = [test for _, test in StratifiedKFold(k, shuffle=True, random_state=seed).split(Y, Y)]

        def area(test, *others):
            train = np.setdiff1d(np.arange(Y.size), np.concatenate([test, *others]))
            return Y[test], GaussianNB().fit(X[train], Y[train]).predict_proba(X[test])[:, 1]

        for i in range(k):
            outer.append(roc_auc_score(*area(folds[i])))
            variances.append(th.Scores(*area(folds[i])).roc_auc().standard_error("delong") ** 2)
            inner.append(np.mean([roc_auc_score(*area(folds[j], folds[i])) for j in range(k) if j != i]))
    outer, inner, variances = map(np.array, (outer, inner, variances))
    found = nested_cross_val(GaussianNB(), X, Y, n_splits=k, n_repeats=repeats, rng=5, pos_label=1)
    assert found.naive_value == pytest.approx(outer.mean(), rel=1e-12)
    assert found.naive_standard_error == pytest.approx(math.sqrt(variances.mean() / k), rel=1e-9)
    squared = max((((inner - outer) ** 2).mean() - variances.mean()) * (k - 1) / k, 0.0)
    inflation = min(max(math.sqrt(squared) / found.naive_standard_error, 1.0), 2.0)
    assert found.inflation == pytest.approx(inflation, rel=1e-6)
    assert found.standard_error == pytest.approx(inflation * found.naive_standard_error, rel=1e-9)
    gap = inner.mean() - outer.mean()
    assert found.value == pytest.approx(inner.mean() - (1 + 0.5**1.5) * gap, rel=1e-12)


def test_the_same_seed_gives_the_same_answer_and_it_travels():
    a, b = (nested_cross_val(GaussianNB(), X, Y, n_splits=3, n_repeats=2, rng=1, pos_label=1) for _ in range(2))
    assert a == b
    assert th.results.from_json(a.to_json()) == a
    assert a.confidence_interval().width > 0
    assert "for the method" in repr(a)


def test_other_figures_are_refused():
    with pytest.raises(th.InvalidInputError, match=r"metric in \[0, 1\]"):
        nested_cross_val(GaussianNB(), X, Y, metric="log_loss", pos_label=1)
    with pytest.raises(th.InvalidInputError, match="`n_splits`"):
        nested_cross_val(GaussianNB(), X, Y, n_splits=2, pos_label=1)
