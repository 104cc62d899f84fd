"""Scores of the positive class out of an estimator, whichever class that is."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from thresher.sklearn._scorers import METHODS, positive_scores, response_methods

X = np.array([[0.0], [1.0], [2.0], [3.0], [1.5], [0.5]])
Y = np.array(["no", "no", "yes", "yes", "no", "yes"])


@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_probabilities_first(pos_label):
    model = LogisticRegression().fit(X, Y)
    scores, label = positive_scores(model, X, pos_label=pos_label)
    column = list(model.classes_).index(pos_label)
    assert label == pos_label
    np.testing.assert_allclose(scores, model.predict_proba(X)[:, column])
    scores, _ = positive_scores(model, X, method="decision_function", pos_label=pos_label)
    np.testing.assert_allclose(scores, model.decision_function(X) * (1 if pos_label == "yes" else -1))


def test_decisions_where_there_are_no_probabilities():
    model = LinearSVC().fit(X, Y)
    scores, label = positive_scores(model, X, pos_label="yes")
    assert label == "yes"
    np.testing.assert_allclose(scores, model.decision_function(X))
    with pytest.raises(AttributeError):
        positive_scores(model, X, method="predict_proba", pos_label="yes")


def test_methods():
    assert METHODS == ("auto", "predict_proba", "decision_function")
    assert response_methods("auto") == ["predict_proba", "decision_function"]
    assert response_methods("decision_function") == ["decision_function"]
