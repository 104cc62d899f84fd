"""Cross-validation with several classes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import thresher as th
from thresher.sklearn import cross_val_scores_by_class

X, Y = load_wine(return_X_y=True)
CV = StratifiedKFold(3, shuffle=True, random_state=0)


def test_each_class_against_the_rest():
    names = np.array(["barbera", "barolo", "grignolino"])[Y]
    found = cross_val_scores_by_class(GaussianNB(), X[:, :3], names, cv=CV)
    assert list(found) == ["barbera", "barolo", "grignolino"]
    for fold, (train, test) in enumerate(CV.split(X, names)):
        model = GaussianNB().fit(X[train, :3], names[train])
        for column, label in enumerate(model.classes_):
            want = th.Scores(names[test] == label, model.predict_proba(X[test, :3])[:, column])
            assert found[label].folds[fold] == want
            assert found[label].pos_label == label
    assert found["barolo"].compare(found["barolo"]).value == 0


def test_two_classes_belong_elsewhere():
    with pytest.raises(th.InvalidInputError, match="`cross_val_scores`"):
        cross_val_scores_by_class(GaussianNB(), X, Y > 0)


def test_a_training_part_without_a_class_is_refused():
    with pytest.raises(th.InvalidInputError, match="stratified"):
        cross_val_scores_by_class(GaussianNB(), X, Y, cv=KFold(3))
