"""Figures of a cross-validation with intervals, and comparisons over the same folds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import thresher as th
from thresher.sklearn import CrossValScores, cross_val_scores

X, Y = load_breast_cancer(return_X_y=True)
CV = StratifiedKFold(4, shuffle=True, random_state=0)
BAYES = cross_val_scores(GaussianNB(), X[:, :4], Y, cv=CV, pos_label=1)
TREE = cross_val_scores(DecisionTreeClassifier(max_depth=3, random_state=0), X[:, :4], Y, cv=CV, pos_label=1)


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc", "average_precision"])
def test_the_mean_of_independent_folds(metric):
    found = BAYES.measure(metric)
    areas = [fold.measure(metric) for fold in BAYES.folds]
    assert found.value == pytest.approx(np.mean([area.value for area in areas]), rel=1e-14)
    method = "delong" if metric == "roc_auc" else "asymptotic"
    errors = [area.standard_error(method) for area in areas]
    assert found.standard_error == pytest.approx(math.sqrt(sum(e * e for e in errors)) / 4, rel=1e-6)
    low, high = found.confidence_interval(0.9)
    assert 0 < low < found < high < 1
    assert math.log(high / (1 - high)) - math.log(found.value / (1 - found.value)) == pytest.approx(
        1.6448536 * found.standard_error / (found.value * (1 - found.value)), rel=1e-6
    )


def test_means_over_rows_are_not_squeezed_into_a_share():
    found = BAYES.measure("brier")
    low, high = found.confidence_interval(method="normal")
    assert high - found.value == pytest.approx(1.959964 * found.standard_error, rel=1e-6)
    assert low < found.value


def test_models_on_the_same_rows():
    found = BAYES.compare(TREE)
    parts = []
    for bayes, tree in zip(BAYES._rows, TREE._rows, strict=True):
        parts.append(th.compare(bayes.positive, {"a": bayes.scores, "b": tree.scores}, method="delong").pair)
    assert found.value == pytest.approx(BAYES.roc_auc() - TREE.roc_auc(), rel=1e-12)
    assert found.fold_differences == pytest.approx([pair.difference for pair in parts])
    error = math.sqrt(sum(pair.standard_error**2 for pair in parts)) / 4
    assert found.standard_error == pytest.approx(error)
    assert found.pvalue == pytest.approx(math.erfc(abs(found.value) / error / math.sqrt(2)), rel=1e-9)
    assert TREE.compare(BAYES).value == -found.value


def test_a_model_against_itself():
    found = BAYES.compare(BAYES)
    assert (found.value, found.pvalue) == (0.0, 1.0)


def test_other_figures_are_resampled():
    found = BAYES.compare(TREE, "pr_auc", n_resamples=50, rng=1)
    assert found.value == pytest.approx(BAYES.measure("pr_auc").value - TREE.measure("pr_auc").value, rel=1e-12)
    assert found.standard_error > 0


def test_folds_must_be_the_same():
    other = cross_val_scores(GaussianNB(), X[:, :4], Y, cv=5, pos_label=1)
    with pytest.raises(th.InvalidInputError, match="the same folds"):
        BAYES.compare(other)
    with pytest.raises(th.InvalidInputError, match="needs the rows of both"):
        BAYES.compare(CrossValScores(TREE.folds))
    with pytest.raises(th.InvalidTypeError, match="`other`"):
        BAYES.compare("tree")


def test_they_travel():
    for found in (BAYES.measure("pr_auc"), BAYES.compare(TREE)):
        assert th.results.from_json(found.to_json()) == found
        assert len(found.to_frame("pandas")) == 1
        assert "for these models" in repr(found)


def _two_learners(folds=5, seed=0):
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    from thresher.sklearn import cross_val_scores

    rng = np.random.default_rng(seed)
    y = np.arange(90) % 3 == 0
    X = rng.normal(size=(90, 4)) + 0.6 * y[:, None]
    cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
    return [cross_val_scores(model, X, y.astype(int), cv=cv) for model in (LogisticRegression(), GaussianNB())]


def test_learners_by_nadeau_and_bengio():
    from scipy import stats

    a, b = _two_learners()
    found = a.compare(b, target="learner")
    d = a.fold_values() - b.fold_values()
    error = np.sqrt(d.var(ddof=1) * (1 / 5 + 18 / 72))
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(d.mean()) / error, 4), rel=1e-9)
    assert found.df == 4
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 4, d.mean(), error), rel=1e-9)
    assert "for the learners" in repr(found)
    assert "for these models" in repr(a.compare(b))


def test_repeated_folds_are_said_to_reject_too_often():
    from dataclasses import replace

    a, b = _two_learners()
    twice = [replace(one, folds=one.folds * 2, _rows=one._rows * 2) for one in (a, b)]
    with pytest.warns(th.ThresherWarning, match="rejects 8 to 9% of equal learners"):
        twice[0].compare(twice[1], target="learner")


def test_folds_are_independent_estimates():
    a, _ = _two_learners()
    folds = a.estimates("roc_auc")
    assert folds.names == tuple(f"fold {i}" for i in range(5))
    np.testing.assert_array_equal(folds.values, a.fold_values())
    mean = folds.mean()
    assert mean.value == pytest.approx(a.measure("roc_auc").value)
    assert mean.standard_error == pytest.approx(a.measure("roc_auc").standard_error, rel=1e-12)
    assert not (folds.covariance() - np.diag(np.diag(folds.covariance()))).any()
