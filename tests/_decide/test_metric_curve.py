"""Metrics at every threshold, and tables of them at some."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._cells import find

METRICS = ("recall", "precision", "fpr", "f1", "mcc", "youden", "alert_rate", "lr_positive", "f_beta", "cost", "npv")


def digits():
    data = th.datasets.load_digits_eight()
    return th.Scores(data.y_true, data.tree)


def jaccard(tp, fp, fn, tn):
    return tp / (tp + fp + fn)


@given(data=labelled(values=st.integers(0, 12).map(float)))
@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_each_value_is_the_measure_at_that_threshold(prevalence, data):
    scores = th.Scores(*data)
    curve = scores.metric_curve(*METRICS, jaccard, prevalence=prevalence)
    assert curve.thresholds.tolist() == [math.inf, *scores.thresholds]
    assert curve.names == (*(name if name != "f_beta" else "f1" for name in METRICS), "jaccard")
    for metric, row in zip((*METRICS, jaccard), curve.values, strict=True):
        for threshold, value in zip(scores.thresholds, row[1:], strict=True):
            measure = th.measures.Confusion(metric, float(threshold), prevalence)
            assert value == pytest.approx(measure.of(scores), rel=1e-12, abs=1e-14, nan_ok=True)


def test_nothing_is_predicted_positive_at_the_first_threshold():
    curve = th.Scores([0, 1, 1, 0], [math.inf, 0.9, 0.8, 0.1]).metric_curve("recall", "alert_rate", "precision")
    assert math.isnan(curve.thresholds[0]) or curve.thresholds[0] == math.inf
    assert (curve["recall"][0], curve["alert_rate"][0]) == (0.0, 0.0)
    assert math.isnan(curve["precision"][0])
    assert curve["alert_rate"][1] == 0.25


def test_the_axes():
    scores = th.Scores([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    np.testing.assert_array_equal(scores.metric_curve("f1").x, [math.inf, 5, 4, 3, 2, 1])
    np.testing.assert_allclose(scores.metric_curve("f1", x="depth").x, np.arange(6) / 5)
    np.testing.assert_allclose(scores.metric_curve("f1", x="recall").x, [0, 0.5, 0.5, 1, 1, 1])
    own = scores.metric_curve("precision", x="recall")
    kept = own.x > 0
    np.testing.assert_allclose(own["precision"][kept], scores.pr().precision[kept])


@pytest.mark.parametrize("metric", ["recall", "fpr", "mcc", "f1", "lr_positive", "youden"])
def test_the_band_is_the_interval_at_each_threshold(metric):
    scores = digits()
    curve = scores.metric_curve(metric)
    band = curve.band(confidence_level=0.9)
    assert band.confidence_level == 0.9
    assert np.all(np.diff(band.x) > 0)
    for at in range(0, band.x.size, 6):
        found = scores.measure(metric, threshold=float(band.x[at]))
        low, high = found.confidence_interval(0.9)
        assert band.value[at] == pytest.approx(found.value, rel=1e-12)
        assert (band.low[at], band.high[at]) == pytest.approx((low, high), rel=1e-6, abs=1e-9)


def test_a_band_has_at_most_so_many_points():
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.3
    scores = th.Scores(y, rng.normal(size=3000) + y)
    band = scores.metric_curve("mcc", "recall", x="depth").band("recall")
    assert band.x.size == 400
    assert np.all((band.low <= band.value) & (band.value <= band.high))


def test_a_curve_travels():
    curve = digits().metric_curve("mcc", "f1", x="recall", prevalence=0.1)
    again = json.loads(curve.to_json())
    assert (again["x"], again["metrics"], again["prevalence"]) == ("recall", ["mcc", "f1"], 0.1)
    frame = curve.to_frame()
    assert list(frame.columns) == ["threshold", "recall", "mcc", "f1"]
    np.testing.assert_array_equal(np.asarray(frame["mcc"]), curve["mcc"])
    assert repr(curve) == f"MetricCurve of mcc, f1 by recall: {curve.x.size} thresholds"


def test_a_table_has_estimates_of_each_metric_at_each_threshold():
    scores = digits()
    table = scores.metric_table(["precision", "mcc", jaccard], at=[0.3, 0.7])
    assert table.thresholds == (0.3, 0.7)
    for cut, alerts, row in zip(table.thresholds, table.alerts, table.estimates, strict=True):
        for metric, found in zip(("precision", "mcc", jaccard), row, strict=True):
            assert found.value == scores.measure(metric, threshold=cut).value
        assert alerts == sum(np.asarray(scores.pos + scores.neg)[scores.thresholds >= cut])
    at_rare = scores.metric_table(["precision", "recall"], at=[0.3], prevalence=0.01).estimates[0]
    assert at_rare[0].value == scores.measure("precision", threshold=0.3, prevalence=0.01).value
    assert at_rare[1].value == scores.measure("recall", threshold=0.3).value


def test_a_table_of_depths_never_has_more_alerts_than_asked_for():
    scores = th.Scores([1, 0, 1, 0, 0, 1, 0, 0, 0, 0], [9, 8, 7, 7, 7, 4, 3, 2, 1, 0])
    table = scores.metric_table(["recall"], top=[0.1, 0.2, 0.4, 0.5, 1.0])
    assert table.alerts == (1, 2, 2, 5, 10)
    assert table.thresholds == (9.0, 8.0, 8.0, 7.0, 0.0)
    assert scores.metric_table(["recall"], alerts=[1, 4, 5]).alerts == (1, 2, 5)
    # A third of three tenths, as written.
    assert th.Scores([1, 0] * 5, range(10)).metric_table(["recall"], top=[0.1 * 3]).alerts == (3,)


def test_a_table_travels():
    table = digits().metric_table(["precision", "recall"], top=[0.05, 0.1])
    columns = list(table.to_frame().columns)
    assert columns[:5] == ["threshold", "alerts", "precision", "precision_low", "precision_high"]
    low, high = table.estimates[0][0].confidence_interval()
    assert f"precision {table.estimates[0][0].value:.3f} ({low:.3f} to {high:.3f})" in repr(table)
    assert json.loads(table.to_json())["metrics"] == ["precision", "recall"]


SCORES = th.Scores([1, 0, 1, 0, 0], [4, 4, 3, 2, 1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SCORES.metric_curve(), "needs at least one metric; got none. Hint: for example 'mcc'"),
        (lambda: SCORES.metric_curve("roc_auc"), "must be one of the confusion matrix; got 'roc_auc'. Hint: for "),
        (lambda: SCORES.metric_curve("mc"), "must be one of the confusion matrix; got 'mc'. Hint: did you mean 'mcc'?"),
        (lambda: SCORES.metric_curve("mcc", x="roc_auc"), "must be one of the confusion matrix; got 'roc_auc'"),
        (lambda: SCORES.metric_curve("mcc", prevalence=2), "`prevalence` must be"),
        (lambda: SCORES.metric_curve("mcc")["f1"], "The curve has 'mcc'; got 'f1'. Hint: ask for it in"),
        (lambda: SCORES.metric_curve("mcc", "f1").band(), "`name` must be one of 'mcc', 'f1'; got none"),
        (lambda: SCORES.metric_curve("mcc").band("f1"), "The curve has 'mcc'; got 'f1'"),
        (lambda: SCORES.metric_table("mcc", at=[1]), "`metrics` must list metrics; got 'mcc'. Hint: ['precision', "),
        (lambda: SCORES.metric_table(["roc_auc"], at=[1]), "must be one of the confusion matrix; got 'roc_auc'"),
        (
            lambda: SCORES.metric_table(["mcc"]),
            "one of `at`, `top` and `alerts` must be given, and not be empty; got n",
        ),
        (lambda: SCORES.metric_table(["mcc"], at=[]), "must be given, and not be empty; got `at`"),
        (lambda: SCORES.metric_table(["mcc"], at=[1], top=[1]), "must be given, and not be empty; got `at`, `top`"),
        (lambda: SCORES.metric_table(["mcc"], at=1), "`at` must be a list of numbers; got 1. Hint: at=[1]"),
        (lambda: SCORES.metric_table(["mcc"], at=["a"]), "`at` must be a number; got 'a' of type str"),
        (
            lambda: SCORES.metric_table(["mcc"], top=[2]),
            "`top` must be within the rows, above 0; got 2. Hint: there ar",
        ),
        (lambda: SCORES.metric_table(["mcc"], alerts=[0]), "`alerts` must be within the rows, above 0; got 0"),
        (lambda: SCORES.metric_table(["mcc"], top=[math.nan]), "`top` must be within the rows, above 0; got nan"),
        (lambda: SCORES.metric_table(["mcc"], alerts=[1]), "leave room for the highest-ranked tied rows, 2 of them; g"),
        (lambda: th.Scores([1, 1], [1, 2]).metric_curve("mcc"), "needs both classes"),
        (lambda: th.Scores([1, 1], [1, 2]).metric_table(["mcc"], at=[1]), "needs both classes"),
        (
            lambda: th.Scores([1, 0, 1], [3, 2, 1], sample_weight=[1, 2, 3]).metric_curve("mcc").band(),
            "must have independent rows of equal weight. Hint: `scores.measure(metric, threshold=t)",
        ),
        (
            lambda: th.Scores([1, 0, 1, 0], [4, 3, 2, 1], cluster=[1, 1, 2, 2]).metric_curve("mcc").band(),
            "must have independent rows of equal weight",
        ),
    ],
)
def test_messages(call, message):
    with pytest.raises(th.ThresherError) as caught:
        call()
    assert message in str(caught.value)


SIMULTANEOUS = ("mcc", "f1", "precision", "npv", "fdr", "youden", "accuracy", "alert_rate", "lr_positive", "fnr", "dor")


@pytest.mark.parametrize("prevalence", [None, 0.05])
@pytest.mark.parametrize("metric", SIMULTANEOUS)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_a_simultaneous_band_holds_the_pointwise_one(metric, prevalence):
    curve = digits().metric_curve(metric, prevalence=prevalence)
    point, all_of_them = curve.band(), curve.band(simultaneous=True)
    assert (all_of_them.low <= point.low + 1e-9).mean() > 0.95
    assert (all_of_them.high >= point.high - 1e-9).mean() > 0.95
    assert (all_of_them.low <= all_of_them.value).all()
    assert (all_of_them.value <= all_of_them.high).all()
    assert (all_of_them.simultaneous, all_of_them.method) == (True, "equal-local-level")


@pytest.mark.parametrize(("metric", "prevalence"), [("mcc", None), ("precision", None), ("youden", None), ("f1", 0.1)])
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_the_whole_curve_of_the_population_is_in_the_simultaneous_band(metric, prevalence):
    rng, inside = np.random.default_rng(8), 0
    for _ in range(60):
        y = (rng.random(120) < 0.3).astype(int)
        band = (
            th.Scores(y, rng.normal(size=120) + 1.2 * y)
            .metric_curve(metric, prevalence=prevalence)
            .band(simultaneous=True)
        )
        tpr, fpr = scipy.special.ndtr(1.2 - band.x), scipy.special.ndtr(-band.x)
        truth = find(metric).value(tpr, fpr, 1.0 - tpr, 1.0 - fpr, prevalence=prevalence or 0.3, exact=False)
        inside += bool(band.contains(truth).all())
    assert inside >= 54  # 95% of 60, less two standard errors


def test_a_metric_that_is_not_monotone_has_no_simultaneous_band():
    scores = digits()
    with pytest.raises(th.InvalidInputError, match="Hint: 'mcc' and 'youden' are") as refused:
        scores.metric_curve("mutual_information").band(simultaneous=True)
    for instead in re.findall(r"'(\w+)'", str(refused.value).partition("Hint")[2]):
        assert scores.metric_curve(instead).band(simultaneous=True).simultaneous


def test_one_class_against_the_others_in_one_call():
    sklearn = pytest.importorskip("sklearn.datasets")
    linear = pytest.importorskip("sklearn.linear_model")
    X, y = sklearn.load_iris(return_X_y=True)
    proba = linear.LogisticRegression(max_iter=500).fit(X[::2], y[::2]).predict_proba(X[1::2])
    problem = th.multiclass(y[1::2], proba)
    classes = {label: problem.scores(label) for label in problem.labels}
    f1 = th.measures.as_measure("f1", threshold=0.5)
    table = th.summary({str(name): one for name, one in classes.items()}, metrics=[f1, "roc_auc"])
    for name, one in classes.items():
        assert table.best(f1) in map(str, classes)
        called = proba[:, name] >= 0.5
        assert one.measure("recall", threshold=0.5).value == pytest.approx(called[y[1::2] == name].mean())


def test_an_option_that_no_metric_has_is_refused_with_the_remedy():
    with pytest.raises(th.InvalidInputError, match=r"`by` is not an option .* Hint: `x='depth'`"):
        digits().metric_curve("mcc", by="recall")
