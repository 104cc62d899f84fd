from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import thresher as th
from thresher.sklearn import cross_val_scores

DISPLAYS = [th.plotting.RocCurveDisplay, th.plotting.PrCurveDisplay]


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(300, random_state=1, flip_y=0.2)
    return X, np.where(y == 1, "yes", "no")


@pytest.fixture(autouse=True)
def closed_figures():
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.mark.parametrize("display", DISPLAYS)
def test_from_estimator_draws_what_from_predictions_draws(display, data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    got = display.from_estimator(model, X, y, pos_label="yes", legend=False)
    want = display.from_predictions(
        y, model.predict_proba(X)[:, 1], pos_label="yes", name="LogisticRegression", legend=False
    )
    assert got.line_.get_label() == want.line_.get_label()
    np.testing.assert_array_equal(got.line_.get_xydata(), want.line_.get_xydata())


@pytest.mark.parametrize("display", DISPLAYS)
def test_positive_class_can_be_chosen(display, data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    got = display.from_estimator(model, X, y, pos_label="no", legend=False)
    want = display.from_predictions(y, model.predict_proba(X)[:, 0], pos_label="no", legend=False)
    np.testing.assert_array_equal(got.line_.get_xydata(), want.line_.get_xydata())


@pytest.mark.parametrize("display", DISPLAYS)
def test_folds_are_drawn_thin_beside_the_pooled_curve(display, data):
    X, y = data
    folds = cross_val_scores(LogisticRegression(), X, y, cv=4, pos_label="yes")
    got = display.from_cv_results(folds, name="folds")
    assert len(got.fold_lines_) == 4
    assert all(line.get_linewidth() < got.line_.get_linewidth() for line in got.fold_lines_)
    want = display.from_scores(folds.pooled, name="folds")
    np.testing.assert_array_equal(got.line_.get_xydata(), want.line_.get_xydata())
    drawn = display.from_scores(folds.folds[2])
    np.testing.assert_array_equal(got.fold_lines_[2].get_xydata(), drawn.line_.get_xydata())
    assert next(text.get_text() for text in got.legend_.get_texts()) == got.line_.get_label()
    assert not any("fold " in text.get_text() for text in got.legend_.get_texts())


@pytest.mark.parametrize("display", DISPLAYS)
def test_results_of_cross_validate_give_the_same(display, data):
    X, y = data
    results = cross_validate(LogisticRegression(), X, y, cv=4, return_estimator=True, return_indices=True)
    got = display.from_cv_results(results, X, y, pos_label="yes")
    want = display.from_cv_results(cross_val_scores(LogisticRegression(), X, y, cv=4, pos_label="yes"))
    np.testing.assert_array_equal(got.line_.get_xydata(), want.line_.get_xydata())


def test_folds_follow_the_prevalence(data):
    X, y = data
    folds = cross_val_scores(LogisticRegression(), X, y, cv=3, pos_label="yes")
    got = th.plotting.PrCurveDisplay.from_cv_results(folds, prevalence=0.01)
    assert got.fold_lines_[0].get_ydata()[-1] == pytest.approx(0.01)


def test_messages(data):
    X, y = data
    with pytest.raises(th.InvalidInputError) as caught:
        th.plotting.RocCurveDisplay.from_cv_results({"test_score": [1]}, X, y)
    assert str(caught.value) == (
        "`cv_results` must hold 'estimator' and 'indices'; got ['test_score']. "
        "Hint: call `cross_validate` with return_estimator=True and return_indices=True."
    )
    with pytest.raises(th.InvalidInputError) as caught:
        th.plotting.RocCurveDisplay.from_cv_results({"estimator": [], "indices": {}})
    assert str(caught.value) == "`X` and `y` must be given with the results of `cross_validate`; got None."
    with pytest.raises(th.InvalidTypeError) as caught:
        th.plotting.RocCurveDisplay.from_cv_results([1])
    assert str(caught.value) == (
        "`cv_results` must be CrossValScores or what `cross_validate` returns; got [1] of type list."
    )
