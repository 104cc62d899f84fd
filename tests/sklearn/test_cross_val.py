from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_predict, cross_val_score

import thresher as th
from support.thorough import dear
from thresher.sklearn import CrossValScores, cross_val_scores


@pytest.fixture(scope="module")
def result():
    X, y = make_classification(500, weights=[0.7], flip_y=0.3, random_state=2)
    return cross_val_scores(LogisticRegression(), X, y, cv=5), X, y


def test_folds_and_pool_are_those_of_scikit_learn(result):
    folds, X, y = result
    want = cross_val_score(LogisticRegression(), X, y, cv=5, scoring="roc_auc")
    assert folds.fold_values() == pytest.approx(want)
    assert folds.roc_auc().value == pytest.approx(want.mean())
    left_out = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")[:, 1]
    assert folds.pooled == th.Scores(y, left_out)


def slow_influence_error(folds):
    """LeDell, Petersen and van der Laan's formula, row by row."""
    rows = [
        [(float(t), 1) for t, k in zip(f.thresholds, f.pos, strict=True) for _ in range(k)]
        + [(float(t), 0) for t, k in zip(f.thresholds, f.neg, strict=True) for _ in range(k)]
        for f in folds
    ]
    n = sum(len(fold) for fold in rows)
    share = sum(label for fold in rows for _, label in fold) / n
    means = []
    for fold in rows:
        auc = roc_auc_score([label for _, label in fold], [score for score, _ in fold])
        squares = []
        for score, label in fold:
            others = [s for s, other in fold if other != label]
            beaten = np.mean([(score > s) + 0.5 * (score == s) for s in others])
            placed = beaten if label else 1 - beaten
            squares.append(((placed - auc) / (share if label else 1 - share)) ** 2)
        means.append(np.mean(squares))
    return np.sqrt(np.mean(means) / n)


def test_influence_curve_error_agrees_with_its_formula(result):
    folds, _, _ = result
    assert folds.roc_auc().standard_error == pytest.approx(slow_influence_error(folds.folds), rel=0.02)


class Halves(ClassifierMixin, BaseEstimator):
    """Scores a row by its first column plus an error that depends on the training rows: quick, and exactly known."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.tilt_ = float(np.mean(X[:, 1]) * 3)
        return self

    def decision_function(self, X):
        return X[:, 0] + self.tilt_ * X[:, 1]


@pytest.mark.parametrize(("samples", "least"), dear([(60, 47), (200, 167)], 1))  # three standard deviations off 90%
def test_influence_curve_interval_covers(samples, least):
    # The target is the mean true AUC of the folds' models: of Gaussian scores it is known.
    covered = 0
    for seed in range(samples):
        rng = np.random.default_rng(seed)
        y = (np.arange(160) % 3 == 0).astype(int)
        X = rng.normal(size=(160, 2))
        X[:, 0] += y
        folds = cross_val_scores(Halves(), X, y, cv=4)
        tilts = [Halves().fit(X[train], y[train]).tilt_ for train, _ in StratifiedKFold(4).split(X, y)]
        truth = np.mean([ndtr(1 / np.sqrt(2 * (1 + tilt**2))) for tilt in tilts])
        covered += truth in folds.roc_auc().confidence_interval(0.9)
    assert covered >= least


def test_averaged_curves_are_means_of_fold_curves(result):
    folds, _, _ = result
    fpr, tpr = folds.averaged_roc([0.1, 0.5])
    assert tpr == pytest.approx(np.mean([f.roc().interpolate([0.1, 0.5]) for f in folds.folds], axis=0))
    recall, precision = folds.averaged_pr()
    assert recall.size == precision.size == 201
    assert precision[100] == pytest.approx(np.mean([f.pr().at(recall=0.5).precision for f in folds.folds]))
    assert fpr.tolist() == [0.1, 0.5]


@pytest.mark.parametrize("curve", ["roc", "pr"])
def test_bands_contain_the_curve_and_narrow_with_rows(result, curve):
    folds, _, _ = result
    grid = np.linspace(0.1, 0.9, 9)
    band = folds.averaged_band(grid, curve=curve, n_resamples=60, rng=0)
    assert band.contains(band.value).all()
    assert band.curve == curve
    many = CrossValScores(tuple(f + f + f + f for f in folds.folds))
    narrow = many.averaged_band(grid, curve=curve, n_resamples=60, rng=0)
    assert np.mean(narrow.high - narrow.low) == pytest.approx(np.mean(band.high - band.low) / 2, rel=0.35)
    again = folds.averaged_band(grid, curve=curve, n_resamples=60, rng=0)
    assert again.low.tolist() == band.low.tolist()


def test_pooling_punishes_models_on_different_levels():
    # Each fold ranks perfectly, but the second model sits higher.
    folds = CrossValScores((th.Scores([0, 1], [0.1, 0.2]), th.Scores([0, 1], [0.8, 0.9])))
    assert folds.roc_auc().value == 1.0
    assert np.isnan(folds.roc_auc().standard_error)
    assert folds.pooled.roc_auc().value == 0.75


def test_options_reach_where_they_belong():
    X, y = make_classification(200, random_state=0, flip_y=0.3)
    names = np.where(y == 1, "b", "a")
    weight = np.random.default_rng(0).random(200)
    groups = np.arange(200) % 4
    got = cross_val_scores(
        LogisticRegression(),
        X,
        names,
        cv=GroupKFold(4),
        groups=groups,
        pos_label="a",
        sample_weight=weight,
        params={"sample_weight": weight},
        response_method="decision_function",
    )
    assert got.pos_label == "a"
    assert got.pooled.n_pos == pytest.approx(weight[y == 0].sum())
    train, test = next(GroupKFold(4).split(X, y, groups))
    model = LogisticRegression().fit(X[train], names[train], sample_weight=weight[train])
    want = th.Scores(names[test] == "a", -model.decision_function(X[test]), sample_weight=weight[test])
    assert got.folds[0].roc_auc().value == pytest.approx(want.roc_auc().value)


def test_a_fold_without_a_class_is_named():
    X, y = make_classification(40, random_state=0)
    order = np.argsort(y, kind="stable")
    folds = cross_val_scores(LogisticRegression(), X[order], y[order], cv=KFold(4))
    assert folds.pooled.n_pos == y.sum()
    with pytest.raises(th.UndefinedMetricError) as caught:
        folds.roc_auc()
    assert str(caught.value) == (
        "Every fold must hold both classes; fold 0 has 0 positives and 10 negatives. "
        "Hint: use a stratified splitter, or `pooled`."
    )


def test_the_positive_class_is_asked_for_before_anything_is_fitted():
    X, y = make_classification(200, random_state=0)
    with pytest.raises(
        th.InvalidInputError, match=r"got the classes \['fraud', 'ok'\]. Hint: pass `pos_label='fraud'`"
    ):
        cross_val_scores(None, X, np.where(y == 1, "fraud", "ok"))
