"""What may be given to `multiclass` and `multilabel`, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score, top_k_accuracy_score

import thresher as th
from thresher.exceptions import ThresherWarning


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 200)
    score = rng.random((200, 4)).round(2) + 0.01
    score[np.arange(200), y] += 0.3
    return y, score / score.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learns_averages(classes, weighted):
    y, score = classes
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 200) if weighted else None
    found = th.multiclass(y, score, sample_weight=weight)

    def want(average, multi_class="ovr"):
        return roc_auc_score(y, score, multi_class=multi_class, average=average, sample_weight=weight)

    assert found.per_class().values == pytest.approx(want(None), rel=1e-12)
    assert found.macro().value == pytest.approx(want("macro"), rel=1e-12)
    assert found.weighted().value == pytest.approx(want("weighted"), rel=1e-12)
    assert found.micro().value == pytest.approx(want("micro"), rel=1e-12)
    if not weighted:
        assert found.hand_till().value == pytest.approx(want("macro", "ovo"), rel=1e-12)
        assert found.one_vs_one(weighted=True).value == pytest.approx(want("weighted", "ovo"), rel=1e-12)
    one_hot = np.eye(4)[y]
    for average in ("macro", "weighted", "micro"):
        want_ap = average_precision_score(one_hot, score, average=average, sample_weight=weight)
        assert getattr(found, average)("average_precision").value == pytest.approx(want_ap, rel=1e-12)
    untied = score + 1e-6 * np.random.default_rng(2).random(score.shape)
    want_top = top_k_accuracy_score(y, untied, k=2, sample_weight=weight)
    assert th.multiclass(y, untied, sample_weight=weight).top_k(2).value == pytest.approx(want_top, rel=1e-12)
    assert found.log_loss().value == pytest.approx(log_loss(y, score, sample_weight=weight), rel=1e-12)
    want_brier = brier_score_loss(y, score, sample_weight=weight, scale_by_half=False)
    assert found.brier().value == pytest.approx(want_brier, rel=1e-12)


def test_scikit_learns_averages_of_labels():
    rng = np.random.default_rng(1)
    y, score = rng.integers(0, 2, (80, 3)), rng.random((80, 3)).round(1)
    found = th.multilabel(y, score)
    for average in ("macro", "weighted", "micro"):
        assert getattr(found, average)().value == pytest.approx(roc_auc_score(y, score, average=average), rel=1e-13)


@pytest.mark.parametrize("library", [pd, pl])
def test_columns_of_frames_are_matched_by_name(library):
    y = np.tile(["a", "b", "c"], 4)
    table = np.random.default_rng(0).normal(size=(12, 3))
    frame = library.DataFrame({name: table[:, j] for name, j in (("c", 2), ("a", 0), ("b", 1))})
    expected = th.multiclass(y, table)
    for found in (th.multiclass(y, frame), th.multiclass(y, frame, labels=["b", "a", "c"])):
        assert [found.scores(one) == expected.scores(one) for one in "abc"] == [True] * 3
    numbers = library.DataFrame({"1": table[:, 1], "0": table[:, 0]})
    assert th.multiclass([0, 1] * 6, numbers).scores(1) == th.Scores([0, 1] * 6, table[:, 1])
    if library is pd:  # whose names of columns may be numbers
        numbers = pd.DataFrame(table[:, :2])[[1, 0]]
        assert th.multiclass([0, 1] * 6, numbers).scores(1) == th.Scores([0, 1] * 6, table[:, 1])
    truth = (table > 0).astype(int)
    named = library.DataFrame({name: truth[:, j] for j, name in enumerate("abc")})
    assert th.multilabel(named, frame).labels == ("a", "b", "c")
    assert th.multilabel(named, frame).scores("c") == th.multilabel(truth, table).scores(2)
    with pytest.raises(th.InvalidInputError, match="columns are matched by name"):
        th.multilabel(named, library.DataFrame(dict.fromkeys("abd", table[:, 0])))


def test_cases_of_weight_zero_and_single_clusters():
    rng = np.random.default_rng(3)
    y, score = np.tile([0, 1, 2], 20), rng.normal(size=(60, 3)) + np.eye(3)[np.tile([0, 1, 2], 20)]
    weight = np.where(np.arange(60) < 45, 3.0, 0.0)
    a, b = th.multiclass(y, score, sample_weight=weight), th.multiclass(y[:45], score[:45])
    assert a == b
    assert th.multiclass(y, score, cluster=np.arange(60)) == th.multiclass(y, score)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda y, s: th.multiclass(y, s[:, :3]), "`proba` must have a column for each class; got 3 columns for 4"),
        (lambda y, s: th.multiclass(y, s[:, 0]), "`proba` must have a row for each of the 200 cases"),
        (lambda y, s: th.multiclass(y, s, labels=[0, 1, 2, 9]), "`labels` must name every class of `y_true`; 3 is"),
        (lambda y, s: th.multilabel(y, s), "`y_true` must be a table with a column for each label; got shape"),
        (lambda y, s: th.multilabel(s, s), "`y_true` must hold 0 and 1 only"),
        (lambda y, s: th.multiclass(y, s * np.nan), "`proba` must not contain NaN; got NaN in row 0, column 0"),
        (lambda y, s: th.multiclass(y, s).scores(7), "There must be a class 7"),
        (lambda y, s: th.multiclass(y, 2 * s).brier(), "must be in [0, 1] and add to 1 in each row"),
        (lambda y, s: th.multiclass(y, s).compare(th.multiclass(y[::-1], s)), "`other` must hold the same cases"),
        (lambda y, s: th.multiclass(y, s).per_class("h_measure"), "has no influence values"),
        (
            lambda y, s: th.multiclass(y[:9] % 2, s[:9, :3], labels=[0, 1, 2]).hand_till(),
            "needs cases of every class; 2 has none",
        ),
    ],
)
def test_messages(classes, call, message):
    with pytest.raises(th.ThresherError) as caught:
        call(*classes)
    assert message in str(caught.value)


def test_rare_and_separated_classes_are_named():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], [4, 40, 40])
    score = rng.normal(size=(84, 3)) + np.eye(3)[y]
    with pytest.warns(ThresherWarning, match=r"Class 0 has 4 cases, which has 33% of the weight in the average and"):
        th.multiclass(y, score).macro()
    y = np.repeat([0, 1, 2], [12, 40, 40])
    score = rng.normal(size=(92, 3)) + np.eye(3)[y]
    with pytest.warns(ThresherWarning, match="1 of 3 classes have under 30 cases, 0 12; average precision of few"):
        th.multiclass(y, score).macro("average_precision")
    score[:, 1] += 100 * (y == 1)
    with pytest.warns(ThresherWarning, match="Class 1 is separated from the rest"):
        low, high = th.multiclass(y, score).macro().confidence_interval()
    assert low < high


def test_a_class_with_one_case_has_a_value_and_no_variance():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], [1, 40, 40])
    score = rng.normal(size=(81, 3)) + np.eye(3)[y]
    with pytest.warns(ThresherWarning, match="Class 0 has 1 case;"):
        found = th.multiclass(y, score).per_class()
    assert found["0"].value == th.Scores(y == 0, score[:, 0]).roc_auc().value
    with pytest.raises(th.UndefinedMetricError, match="no standard error"):
        found["0"].confidence_interval()
    assert found["1"].confidence_interval().width > 0
    with pytest.raises(th.UndefinedMetricError, match="two cases of every class"):
        th.multiclass(y, score).macro()
