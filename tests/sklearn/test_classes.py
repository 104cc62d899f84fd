from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import thresher as th
from thresher.sklearn import hand_till_auc, label_scores, one_vs_rest


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 200)
    score = rng.random((200, 4)).round(2) + 0.01
    score[np.arange(200), y] += 0.3
    return y, score / score.sum(axis=1, keepdims=True)


def test_hand_till_is_one_against_one(classes):
    y, score = classes
    assert hand_till_auc(y, score) == pytest.approx(roc_auc_score(y, score, multi_class="ovo"), rel=1e-14)
    names = np.array(["d", "c", "b", "a"])[y]
    assert hand_till_auc(names, score, labels=["d", "c", "b", "a"]) == hand_till_auc(y, score)


def test_one_against_rest(classes):
    y, score = classes
    got = [scores.roc_auc().value for scores in one_vs_rest(y, score).values()]
    assert got == pytest.approx(roc_auc_score(y, score, multi_class="ovr", average=None), rel=1e-14)
    assert list(one_vs_rest(y, score)) == [0, 1, 2, 3]


def test_labels_and_their_micro_average():
    rng = np.random.default_rng(1)
    y, score = rng.integers(0, 2, (80, 3)), rng.random((80, 3)).round(1)
    columns = label_scores(y, score)
    got = [s.pr_auc(estimator="average_precision").value for s in columns]
    assert got == pytest.approx(average_precision_score(y, score, average=None), rel=1e-13)
    micro = columns[0] + columns[1] + columns[2]
    assert micro.roc_auc().value == pytest.approx(roc_auc_score(y, score, average="micro"), rel=1e-14)


def test_messages(classes):
    y, score = classes
    cases = [
        (lambda: one_vs_rest(y, score[:, :3]), "`y_score` must have a column for each class; got 3 columns for 4"),
        (lambda: one_vs_rest(y, score[:, 0]), "`y_score` must have a row for each of the 200 labels"),
        (lambda: one_vs_rest(y, score, labels=[0, 1, 2, 9]), "`labels` must name every class of `y_true`; "),
        (lambda: label_scores(y, score), "`y_true` must be a table with a column for each label; got shape"),
        (lambda: hand_till_auc([0, 1], score[:2, :3], labels=[0, 1, 2]), "needs rows of every class; np.int64(2) has"),
    ]
    for call, message in cases:
        with pytest.raises(th.ThresherError) as caught:
            call()
        assert message in str(caught.value)


@pytest.mark.parametrize("library", [pd, pl])
def test_columns_of_a_frame_are_classes_by_name(library):
    """Columns need not stand in the order of the alphabet."""
    y = np.array(["a", "b", "c", "a", "b", "c"])
    table = np.random.default_rng(0).normal(size=(6, 3))
    frame = library.DataFrame({name: table[:, j] for name, j in (("c", 2), ("a", 0), ("b", 1))})
    found, expected = one_vs_rest(y, frame), one_vs_rest(y, table)
    assert found == expected
    assert hand_till_auc(y, frame) == hand_till_auc(y, table)
    numbers = library.DataFrame({"1": table[:, 1], "0": table[:, 0]})
    assert one_vs_rest([0, 1, 0, 1, 0, 1], numbers)[1] == th.Scores([0, 1] * 3, table[:, 1])
    with pytest.raises(th.InvalidInputError, match=r"must have a column named as each class.*`labels`"):
        one_vs_rest(y, library.DataFrame({"x": table[:, 0], "y": table[:, 1], "z": table[:, 2]}))
