from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, brier_score_loss, f1_score, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.svm import LinearSVC

import thresher as th
from thresher.sklearn import SCORERS, metric_scorer

RANKED = ("roc_auc", "pr_auc", "achievable_pr_auc", "average_precision", "kolmogorov_smirnov", "neg_eer", "h_measure")


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(400, weights=[0.8], flip_y=0.2, random_state=0)
    return LogisticRegression().fit(X, y), X, y


def test_scorers_are_the_measures_of_scores(fitted):
    model, X, y = fitted
    ranked, probable = (th.Scores(y, score) for score in (model.decision_function(X), model.predict_proba(X)[:, 1]))
    for name, scorer in SCORERS.items():
        measure = th.measures.as_measure(name.removeprefix("neg_"))
        value = measure.of(ranked if name in RANKED else probable)
        assert scorer(model, X, y) == (-value if name.startswith("neg_") else value), name
        assert name.startswith("neg_") == (measure.better == "lower")
    score = model.decision_function(X)
    assert SCORERS["roc_auc"](model, X, y) == pytest.approx(roc_auc_score(y, score))
    assert SCORERS["average_precision"](model, X, y) == pytest.approx(average_precision_score(y, score))
    assert SCORERS["neg_brier"](model, X, y) == pytest.approx(-brier_score_loss(y, model.predict_proba(X)[:, 1]))
    assert SCORERS["neg_log_loss"](model, X, y) == pytest.approx(-log_loss(y, model.predict_proba(X)[:, 1]))
    partial = metric_scorer("partial_roc_auc", fpr=(0.0, 0.2), standardize=True)(model, X, y)
    assert partial == pytest.approx(roc_auc_score(y, score, max_fpr=0.2), rel=1e-12)
    at = metric_scorer("precision_at_recall", recall=0.9)(model, X, y)
    assert at == ranked.pr().at(recall=0.9).precision
    assert metric_scorer("precision_at_recall", recall=0.9, prevalence=0.01)(model, X, y) < at


def test_thresholds_are_on_the_scale_of_probabilities(fitted):
    model, X, y = fitted
    at_half = metric_scorer("f1", threshold=0.5)(model, X, y)
    assert at_half == pytest.approx(f1_score(y, model.predict_proba(X)[:, 1] >= 0.5))
    with pytest.warns(th.ThresherWarning, match="applied to scores outside"):
        other = metric_scorer("f1", threshold=0.0, response_method="decision_function")(model, X, y)
    assert other == pytest.approx(at_half)
    with pytest.warns(th.ThresherWarning, match="applied to scores outside"):
        metric_scorer("f1", threshold=0.5)(LinearSVC().fit(X, y), X, y)


def test_bounds_of_losses_are_their_upper_limits(fitted):
    model, X, y = fitted
    bound = metric_scorer("brier", confidence_level=0.95)(model, X, y)
    low, high = th.Scores(y, model.predict_proba(X)[:, 1]).measure("brier").confidence_interval(0.9)
    assert bound == -high < -low


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "roc_auc"},
        {"metric": "partial_roc_auc", "fpr": (0.0, 0.3)},
        {"metric": "pr_auc"},
        {"metric": "average_precision"},
        {"metric": "precision_at_recall", "recall": 0.8},
    ],
    ids=lambda options: options["metric"],
)
def test_lower_bounds_are_below_and_rise_to_the_value(fitted, options):
    model, X, y = fitted
    value = metric_scorer(**options)(model, X, y)
    bounds = [metric_scorer(**options, confidence_level=level)(model, X, y) for level in (0.6, 0.95, 0.99)]
    assert value > bounds[0] > bounds[1] > bounds[2]


def test_more_rows_bring_the_bound_closer(fitted):
    model, X, y = fitted
    scorer = metric_scorer("roc_auc", confidence_level=0.95)
    assert scorer(model, np.tile(X, (10, 1)), np.tile(y, 10)) > scorer(model, X, y)


def test_labels_may_be_text(fitted):
    model, X, y = fitted
    names = np.where(y == 1, "sick", "healthy")
    other = LogisticRegression().fit(X, names)
    sick = metric_scorer("achievable_pr_auc", pos_label="sick")
    assert sick(other, X, names) == SCORERS["achievable_pr_auc"](model, X, y)
    first = metric_scorer("average_precision", pos_label="healthy")(other, X, names)
    want = th.Scores(y == 0, -model.decision_function(X)).pr_auc(estimator="average_precision").value
    assert first == pytest.approx(want)


def test_searches_select_by_them(fitted):
    _, X, y = fitted
    grid = {"C": [1e-4, 1.0]}
    ranked = {name: SCORERS[name] for name in RANKED}  # a support vector machine has no probabilities
    search = GridSearchCV(LinearSVC(), grid, scoring=ranked, refit="achievable_pr_auc", cv=3).fit(X, y)
    results = search.cv_results_
    assert (results["mean_test_achievable_pr_auc"] >= results["mean_test_pr_auc"]).all()
    assert search.best_index_ == int(np.argmax(results["mean_test_achievable_pr_auc"]))


def test_all_scorers_go_into_one_cross_validation(fitted):
    _, X, y = fitted
    found = cross_validate(LogisticRegression(), X, y, scoring=SCORERS, cv=3)
    assert all(np.isfinite(found[f"test_{name}"]).all() for name in SCORERS)


def test_several_classes_are_averaged_over_classes():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500).fit(X[:, :2], y)
    got = SCORERS["roc_auc"](model, X[:, :2], y)
    score = model.decision_function(X[:, :2])
    assert got == pytest.approx(np.mean([roc_auc_score(y == k, score[:, k]) for k in range(3)]))


def test_weights_come_by_metadata_routing(fitted):
    model, X, y = fitted
    weight = np.random.default_rng(0).random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metric_scorer("roc_auc").set_score_request(sample_weight=True)
        got = cross_validate(
            LogisticRegression().set_fit_request(sample_weight=False),
            X,
            y,
            scoring=scorer,
            params={"sample_weight": weight},
            cv=3,
        )
    assert len(got["test_score"]) == 3
    direct = metric_scorer("roc_auc")(model, X, y, sample_weight=weight)
    assert direct == pytest.approx(roc_auc_score(y, model.decision_function(X), sample_weight=weight))


def test_scorers_can_be_pickled(fitted):
    model, X, y = fitted
    for scorer in (*SCORERS.values(), metric_scorer("roc_auc", confidence_level=0.95)):
        assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)


MESSAGES = {
    "metric": (
        {"metric": "rocauc"},
        "`metric` must be the name of a measure; got 'rocauc'. Hint: did you mean 'roc_auc'?",
    ),
    "fpr": (
        {"metric": "roc_auc", "fpr": (0, 0.1)},
        "`fpr` must not be given with metric 'roc_auc'. Hint: 'roc_auc' takes no options.",
    ),
    "level": (
        {"metric": "roc_auc", "confidence_level": 0.4},
        "`confidence_level` must be in (0.5, 1) for a one-sided bound; got 0.4. Hint: 0.95.",
    ),
    "prevalence": (
        {"metric": "roc_auc", "prevalence": 0.1},
        "`prevalence` must not be given with metric 'roc_auc'. Hint: 'roc_auc' takes no options.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case):
    options, message = MESSAGES[case]
    with pytest.raises(th.InvalidInputError) as caught:
        metric_scorer(**options)
    assert str(caught.value) == message


def test_a_fold_of_one_class_says_so(fitted):
    model, X, y = fitted
    with pytest.raises(th.UndefinedMetricError) as caught:
        SCORERS["roc_auc"](model, X[y == 1], y[y == 1])
    assert str(caught.value) == (
        "`roc_auc` needs two classes; got 1: [1]. Hint: use a stratified splitter, so that every fold holds both."
    )


def test_the_positive_class_is_never_guessed():
    """With labels "fraud" and "ok" the last of the alphabet is the wrong class, and its PR area looks splendid."""
    X, y = make_classification(2000, weights=[0.97], flip_y=0.01, random_state=0)
    names = np.where(y == 1, "fraud", "ok")
    model = LogisticRegression().fit(X, names)
    for scorer in (*SCORERS.values(), metric_scorer("precision_at_recall", recall=0.5)):
        with pytest.raises(th.InvalidInputError, match=r"pos_label='fraud'` or `pos_label='ok'"):
            scorer(model, X, names)
    fraud = metric_scorer("pr_auc", pos_label="fraud")(model, X, names)
    assert fraud == metric_scorer("pr_auc")(LogisticRegression().fit(X, y), X, y)
    assert fraud < 0.95 < metric_scorer("pr_auc", pos_label="ok")(model, X, names)
    assert metric_scorer("precision_at_recall", recall=0.5, pos_label="fraud")(model, X, names) > 0
    assert metric_scorer("partial_roc_auc", fpr=(0, 0.1), pos_label="fraud")(model, X, names) > 0.05
    assert metric_scorer("pr_auc", confidence_level=0.95, pos_label="fraud")(model, X, names) < fraud
    for labels in (y, y.astype(bool), 2 * y - 1):
        assert metric_scorer("pr_auc")(LogisticRegression().fit(X, labels), X, labels) == fraud
