from __future__ import annotations

import pickle
from inspect import signature

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import thresher as th
from thresher.sklearn import AchievableClassifier

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.fixture(scope="module")
def data():
    return make_classification(1200, n_features=6, weights=[0.7], flip_y=0.15, random_state=3)


@pytest.mark.some(1)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        # The checks have labels of every kind, and no word about which is positive: for the highest Youden index none
        # is needed.
        AchievableClassifier(RidgeClassifier(), cv=2),
        AchievableClassifier(
            LogisticRegression(), min_recall=0.83, mix=True, cv=0.4, n_resamples=5, pos_label="classes_[1]"
        ),
        AchievableClassifier(
            LogisticRegression(),
            maximize="mcc",
            constraints={"min_npv": 0.1},
            cv=0.4,
            n_resamples=5,
            pos_label="classes_[1]",
        ),
    ],
    ids=["the default", "a mixture", "a metric"],
)
def test_check_estimator_passes(estimator):
    if "on_fail" not in signature(check_estimator).parameters:  # until 1.5, where the first failure is raised
        check_estimator(estimator)
        return
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    assert len(results) > 40
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] not in ("passed", "skipped")] == []


def test_the_point_is_that_of_the_scores_left_out(data):
    X, y = data
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    model = AchievableClassifier(TREE, max_fpr=0.13, mix=True, cv=folds, n_resamples=0).fit(X, y)
    left_out = cross_val_predict(TREE, X, y, cv=folds, method="predict_proba")[:, 1]
    scores = th.Scores(y, left_out)
    assert model.tuning_scores_ == scores
    assert model.operating_point_ == scores.choose_threshold(max_fpr=0.13, mix=True)
    assert model.optimism_ == 0.0
    np.testing.assert_array_equal(model.estimator_.predict_proba(X), clone(TREE).fit(X, y).predict_proba(X))


def test_the_coin_reaches_the_target_exactly_in_expectation(data):
    X, y = data
    fitted = clone(TREE).fit(X[:600], y[:600])
    model = AchievableClassifier(fitted, min_recall=0.9, mix=True, cv="prefit", n_resamples=0).fit(X[600:], y[600:])
    assert model.operating_point_.mix is not None
    calls = [model.set_params(random_state=seed).predict(X[600:])[y[600:] == 1].mean() for seed in range(200)]
    error = np.std(calls) / np.sqrt(len(calls))
    assert abs(np.mean(calls) - 0.9) < 4 * error + 1e-9
    alone = AchievableClassifier(fitted, min_recall=0.9, cv="prefit", n_resamples=0).fit(X[600:], y[600:])
    assert alone.operating_point_.mix is None
    assert alone.predict(X[600:])[y[600:] == 1].mean() == alone.operating_point_.recall >= 0.9


@pytest.mark.parametrize("limit", ["min_recall", "max_fpr", "max_alert_rate", "min_precision"])
def test_every_limit_is_kept_on_the_tuning_scores(data, limit):
    X, y = data
    value = 0.6
    point = (
        AchievableClassifier(LogisticRegression(), **{limit: value}, mix=True, n_resamples=20)
        .fit(X, y)
        .operating_point_
    )
    rate = {"min_recall": point.recall, "max_fpr": point.fpr, "max_alert_rate": point.alert_rate}
    achieved = rate.get(limit, point.precision)
    assert achieved >= value - 1e-12 if limit.startswith("min") else achieved <= value + 1e-12


def test_optimism_is_made_up_for():
    # A hull picks lucky thresholds: without the correction recall on new rows falls short, with it much less.
    shortfall = {}
    new_X, new_y = make_classification(20_000, n_features=4, flip_y=0.3, random_state=0)
    for n_resamples in (0, 60):
        recalls = []
        for seed in range(12):
            rows = np.random.default_rng(seed).choice(10_000, 150, replace=False)
            fitted = LogisticRegression().fit(new_X[10_000:11_000], new_y[10_000:11_000])
            model = AchievableClassifier(fitted, min_recall=0.9, mix=True, cv="prefit", n_resamples=n_resamples)
            model.fit(new_X[rows], new_y[rows])
            recalls.append(model.predict(new_X[11_000:])[new_y[11_000:] == 1].mean())
        shortfall[n_resamples] = 0.9 - np.mean(recalls)
    assert shortfall[0] > 0.01
    assert abs(shortfall[60]) < 0.75 * shortfall[0]


def test_hash_coin_depends_on_the_row_alone(data):
    X, y = data
    fitted = clone(TREE).fit(X[:600], y[:600])
    model = AchievableClassifier(fitted, min_recall=0.87, mix=True, cv="prefit").fit(X, y)
    scores = fitted.predict_proba(X)[:, 1]
    assert ((scores < model.thresholds_[0]) & (scores >= model.thresholds_[1])).any()
    calls = model.predict(X)
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(model.predict(X[order]), calls[order])
    np.testing.assert_array_equal(np.concatenate([model.predict(X[:7]), model.predict(X[7:])]), calls)
    np.testing.assert_array_equal(model.predict(X.astype(object).astype(float)), calls)
    assert (calls == (model.decision_function(X) > 0)).all()


def test_random_coin_follows_its_seed(data):
    X, y = data
    fitted = clone(TREE).fit(X[:600], y[:600])
    model = AchievableClassifier(
        fitted, min_recall=0.87, mix=True, mixture_by="random", random_state=1, cv="prefit"
    ).fit(X, y)
    first = model.predict(X)
    np.testing.assert_array_equal(model.predict(X), first)
    assert (model.set_params(random_state=2).predict(X) != first).any()


def test_either_class_can_be_positive(data):
    X, y = data
    names = np.where(y == 1, "sick", "well")
    for label, truth in (("sick", y == 1), ("well", y == 0)):
        model = AchievableClassifier(TREE, max_fpr=0.1, pos_label=label, n_resamples=0).fit(X, names)
        assert model.pos_label_ == label
        calls = model.predict(X)
        assert set(calls) <= {"sick", "well"}
        score = model.estimator_.predict_proba(X)[:, list(model.classes_).index(label)]
        high, low = model.thresholds_
        assert (calls[score >= high] == label).all()
        assert (calls[score < low] != label).all()
        assert model.tuning_scores_.n_pos == truth.sum()


def test_weights_reach_the_estimator_and_the_counts(data):
    X, y = data
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    model = AchievableClassifier(LogisticRegression(), max_fpr=0.1, n_resamples=0).fit(X, y, sample_weight=weight)
    assert model.tuning_scores_.n_pos == pytest.approx(weight[y == 1].sum())
    want = LogisticRegression().fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.estimator_.coef_, want.coef_)


class Recorder(ClassifierMixin, BaseEstimator):
    """Keeps what its `fit` was given."""

    def fit(self, X, y, sample_weight=None, note=None):
        self.classes_ = np.unique(y)
        self.weight_, self.note_ = sample_weight, note
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def test_metadata_are_routed(data):
    X, y = data
    groups = np.arange(len(y)) % 5
    weight = np.full(len(y), 2.0)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = Recorder().set_fit_request(sample_weight=True, note=False)
        model = AchievableClassifier(inner, cv=GroupKFold(5)).fit(X, y, sample_weight=weight, groups=groups)
        assert model.estimator_.weight_.size == len(y)
        assert model.tuning_scores_._weighted
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
            AchievableClassifier(Recorder()).fit(X, y, sample_weight=weight)
        with pytest.raises(TypeError, match="unexpected argument"):
            AchievableClassifier(inner).fit(X, y, nonsense=1)


def test_in_pipelines_searches_and_copies(data):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), AchievableClassifier(LogisticRegression(), min_recall=0.8, cv=3))
    assert pipeline.fit(X, y).predict(X).shape == y.shape
    search = GridSearchCV(
        AchievableClassifier(LogisticRegression(), cv=3, n_resamples=10),
        {"min_recall": [0.7, 0.9], "estimator__C": [0.1, 1.0]},
        scoring="recall",
        cv=3,
    ).fit(X, y)
    assert search.best_params_["min_recall"] == 0.9
    copy = clone(search.best_estimator_)
    assert copy.get_params()["estimator__C"] == search.best_params_["estimator__C"]
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))
    assert cross_val_score(copy, X, y, cv=3, scoring="roc_auc").min() > 0.5


def test_any_metric_is_optimised_under_any_constraint(data):
    X, y = data
    for asked, kept in (
        ({"maximize": "f_beta", "constraints": {"beta": 2.0}}, {}),
        ({"maximize": "mcc", "max_fpr": 0.2}, {}),
        ({"minimize": "cost", "constraints": {"cost_fn": 5.0, "min_npv": 0.5}}, {}),
        ({"constraints": {"min_npv": 0.85}}, {"mix": True}),  # which no mixture meets: a single threshold
    ):
        model = AchievableClassifier(TREE, n_resamples=0, **asked, **kept).fit(X, y)
        given = {name: value for name, value in asked.items() if name != "constraints"} | asked.get("constraints", {})
        assert model.operating_point_ == model.tuning_scores_.choose_threshold(**given)
        assert model.operating_point_.mix is None


def test_a_prevalence_goes_with_the_constraint(data):
    X, y = data
    model = AchievableClassifier(TREE, max_alert_rate=0.13, prevalence=0.1, mix=True, n_resamples=0).fit(X, y)
    want = model.tuning_scores_.choose_threshold(max_alert_rate=0.13, prevalence=0.1, mix=True)
    assert model.operating_point_ == want
    assert AchievableClassifier(TREE, max_alert_rate=0.13, prevalence=0.1, mix=True).fit(X, y).optimism_ > 0.0


def test_what_is_given_by_name_is_a_parameter(data):
    X, y = data
    model = AchievableClassifier(TREE, min_recall=0.8, refit=False, cv=0.4)
    listed = (
        "estimator confidence mixture_by response_method pos_label cv n_resamples random_state mix refit n_jobs "
        "maximize minimize min_recall min_precision max_fpr min_specificity max_alert_rate max_alerts prevalence "
        "constraints"
    )
    assert model.get_params(deep=False).keys() == set(listed.split())
    given = {name: value for name, value in model.get_params(deep=False).items() if value is not None}
    asked = {"estimator": TREE, "cv": 0.4, "min_recall": 0.8, "refit": False}
    assert given == asked | {"mixture_by": "hash", "response_method": "auto", "n_resamples": 100, "mix": False}
    assert repr(AchievableClassifier(RidgeClassifier(), min_recall=0.8)) == (
        "AchievableClassifier(estimator=RidgeClassifier(), min_recall=0.8)"
    )
    copy = clone(model).set_params(min_recall=None, max_fpr=0.2, constraints={"min_npv": 0.5})
    again = pickle.loads(pickle.dumps(copy))
    assert again.set_params(estimator=copy.estimator).get_params(deep=False) == copy.get_params(deep=False)
    assert model.min_recall == 0.8
    assert copy.min_recall is None
    search = GridSearchCV(
        AchievableClassifier(LogisticRegression(), cv=3, n_resamples=0),
        {"maximize": ["youden", "precision"]},
        scoring="recall",
        cv=3,
    ).fit(X, y)
    assert search.best_params_ == {"maximize": "youden"}
    with pytest.raises(TypeError, match="unexpected keyword argument 'minimum_recall'"):
        AchievableClassifier(TREE, minimum_recall=0.9)
    with pytest.raises(ValueError, match="Invalid parameter 'minimum_recall'"):
        model.set_params(minimum_recall=0.9)


class Itself(ClassifierMixin, BaseEstimator):
    """The score is the first column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


def test_confidence_keeps_the_limits_in_so_many_tuning_samples():
    # Recall of a threshold on normal scores is known, so that every tuning sample either kept the limit or did not.
    rng = np.random.default_rng(8)
    kept = {None: 0, 0.9: 0}
    times, n = 100, 80
    for _ in range(times):
        y = np.repeat([0, 1], n)
        X = rng.normal(y, 1.0)[:, None]
        for confidence in kept:
            model = AchievableClassifier(
                Itself().fit(X, y), min_recall=0.8, confidence=confidence, cv="prefit", n_resamples=0
            ).fit(X, y)
            point = model.operating_point_
            if confidence is not None:
                assert point == th.Scores(y, X[:, 0]).choose_threshold(min_recall=0.8, confidence=confidence)
            odds = (
                [(1.0, point.threshold)]
                if point.mix is None
                else list(zip((1 - model.coin_probability_, model.coin_probability_), model.thresholds_, strict=True))
            )
            kept[confidence] += sum(share * norm.sf(cut, 1.0) for share, cut in odds) >= 0.8
    # At least 0.9, and not much more, since the law of the order statistic is exact up to its steps.
    assert 0.9 - 4 * np.sqrt(0.09 / times) < kept[0.9] / times < 0.97
    assert kept[None] / times < 0.6


def test_confidence_is_for_the_model_that_was_tuned(data):
    X, y = data
    fitted = LogisticRegression().fit(X[:600], y[:600])
    sure = AchievableClassifier(fitted, max_fpr=0.2, confidence=0.95, cv="prefit").fit(X[600:], y[600:])
    assert sure.optimism_ == 0.0
    assert sure.operating_point_.mix is None
    assert sure.operating_point_.fpr < 0.2
    AchievableClassifier(LogisticRegression(), max_fpr=0.2, confidence=0.95, cv=0.4, refit=False).fit(X, y)
    with pytest.warns(th.ThresherWarning, match="scored by other models than the final one"):
        AchievableClassifier(LogisticRegression(), max_fpr=0.2, confidence=0.95).fit(X, y)
    with pytest.raises(ValueError, match="'confidence' parameter of AchievableClassifier must be a float in the range"):
        AchievableClassifier(LogisticRegression(), max_fpr=0.2, confidence=95).fit(X, y)


@pytest.mark.parametrize("library", [pd, pl])
def test_frames(data, library):
    X, y = data
    frame = library.DataFrame({f"f{j}": X[:, j] for j in range(X.shape[1])})
    model = AchievableClassifier(TREE, min_recall=0.87).fit(frame, library.Series(y))
    assert list(model.feature_names_in_) == [f"f{j}" for j in range(6)]
    plain = AchievableClassifier(TREE, min_recall=0.87).fit(X, y)
    np.testing.assert_array_equal(model.predict(frame), plain.predict(X))


def test_text_columns_have_a_coin_too(data):
    X, y = data
    frame = pd.DataFrame({"colour": np.where(X[:, 0] > 0, "red", "blue"), "size": (X[:, 1] > 0).astype(str)})
    inner = make_pipeline(make_column_transformer((OneHotEncoder(), ["colour", "size"])), LogisticRegression())
    model = AchievableClassifier(inner, min_recall=0.7, mix=True).fit(frame, y)
    calls = model.predict(frame)
    np.testing.assert_array_equal(model.predict(frame[::-1])[::-1], calls)


def test_sparse_rows_get_the_coin_of_dense_ones(data):
    X, y = data
    X = np.where(np.abs(X) < 0.7, 0.0, X.round(1))
    dense = AchievableClassifier(TREE, min_recall=0.87, mix=True).fit(X, y)
    sparse = AchievableClassifier(TREE, min_recall=0.87, mix=True).fit(csr_array(X), y)
    np.testing.assert_array_equal(sparse.predict(csr_array(X)), dense.predict(X))


def test_refit_false_keeps_the_model_of_the_split(data):
    X, y = data
    model = AchievableClassifier(LogisticRegression(), cv=0.5, refit=False, random_state=0).fit(X, y)
    assert not np.allclose(model.estimator_.coef_, LogisticRegression().fit(X, y).coef_)
    assert model.tuning_scores_.n_pos + model.tuning_scores_.n_neg == 600
    with pytest.raises(ValueError, match="refit=False must have a single split; got several"):
        AchievableClassifier(LogisticRegression(), refit=False).fit(X, y)


def test_what_cannot_be_is_said(data):
    X, y = data
    with pytest.raises(NotFittedError):
        AchievableClassifier(LogisticRegression(), cv="prefit").fit(X, y)
    with pytest.raises(NotFittedError):
        AchievableClassifier(LogisticRegression()).predict(X)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        AchievableClassifier(LogisticRegression()).fit(X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match="'min_recall' parameter of AchievableClassifier must be a float in the range"):
        AchievableClassifier(LogisticRegression(), min_recall=90).fit(X, y)
    with pytest.raises(th.InvalidInputError, match="`maximize` must be a metric of the confusion matrix"):
        AchievableClassifier(LogisticRegression(), maximize="best").fit(X, y)
    with pytest.raises(th.InvalidTypeError, match="there is no 'nvp'"):
        AchievableClassifier(LogisticRegression(), constraints={"min_nvp": 0.5}).fit(X, y)


def test_the_positive_class_is_never_guessed(data):
    X, y = data
    names = np.where(y == 1, "fraud", "ok")
    with pytest.raises(th.InvalidInputError, match=r"Hint: pass `pos_label='fraud'` or `pos_label='ok'`"):
        AchievableClassifier(TREE, min_recall=0.8).fit(X, names)
    with pytest.raises(th.InvalidInputError, match=r"Hint: pass `pos_label='fraud'`"):
        AchievableClassifier(TREE, maximize="f1").fit(X, names)
    with pytest.raises(th.InvalidInputError, match=r"`pos_label` must be one of the classes; got 'Fraud'"):
        AchievableClassifier(TREE, pos_label="Fraud").fit(X, names)
    assert AchievableClassifier(TREE, pos_label="fraud").fit(X, names).pos_label_ == "fraud"
    assert AchievableClassifier(TREE, pos_label="classes_[1]").fit(X, names).pos_label_ == "ok"
    assert AchievableClassifier(TREE).fit(X, 2 * y - 1).pos_label_ == 1


def test_the_youden_index_needs_no_positive_class(data):
    """Its thresholds are the same whichever class is positive."""
    X, y = data
    model = LogisticRegression()
    found = [
        AchievableClassifier(model, pos_label=label, n_resamples=0).fit(X, np.where(y == 1, "fraud", "ok"))
        for label in (None, "ok", "fraud")
    ]
    assert found[0].pos_label_ == "ok"
    assert (found[0].predict(X) == found[1].predict(X)).all()
    assert (found[0].predict(X) == found[2].predict(X)).mean() > 0.99  # at the threshold itself they may differ


def test_one_threshold_unless_a_mixture_is_asked_for(data):
    X, y = data
    one, two = (AchievableClassifier(TREE, min_recall=0.83, mix=mix, n_resamples=0).fit(X, y) for mix in (False, True))
    assert one.thresholds_[0] == one.thresholds_[1]
    assert two.thresholds_[0] > two.thresholds_[1]
    assert one.operating_point_.recall >= two.operating_point_.recall
    # What the mixture gains.
    assert two.operating_point_.fpr < one.operating_point_.fpr


def test_specificity_is_one_minus_fpr(data):
    X, y = data
    one, other = (
        AchievableClassifier(TREE, n_resamples=0, **limit).fit(X, y)
        for limit in ({"max_fpr": 0.1}, {"min_specificity": 0.9})
    )
    assert one.operating_point_ == other.operating_point_
