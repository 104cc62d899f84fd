"""The same call to scikit-learn and to thresher gives the same answer, the same warnings or the same error."""

from __future__ import annotations

import inspect
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.exceptions import UndefinedMetricWarning

import thresher.metrics

NAMES = [name for name in thresher.metrics.__all__ if not name.endswith("Display")]
CURVES = ["roc_curve", "precision_recall_curve", "det_curve", "confusion_matrix_at_thresholds"]
BINARY = [*CURVES, "roc_auc_score", "average_precision_score"]
DROPPING = ["roc_curve", "precision_recall_curve", "det_curve"]


def outcome(library, name, *args, **kwargs):
    """What a call does: its result or its error, and the warnings on the way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = getattr(library, name)(*args, **kwargs)
        except Exception as error:
            result = error
    return result, {(w.category, str(w.message)) for w in caught}


def words(error):
    """The words of a message in order; those of a set, which Python prints in any order, sorted."""
    return re.sub(r"\{([^}]*)\}", lambda found: str(sorted(found[1].split(", "))), str(error))


def assert_same(name, *args, **kwargs):
    want, want_warnings = outcome(sklearn.metrics, name, *args, **kwargs)
    got, got_warnings = outcome(thresher.metrics, name, *args, **kwargs)
    if isinstance(want, Exception):
        assert type(got) is type(want), (got, want)
        assert words(got) == words(want)
        return
    assert not isinstance(got, Exception), got
    assert got_warnings == want_warnings
    if isinstance(want, tuple):
        for ours, theirs in zip(got, want, strict=True):
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)
        return
    assert type(got) is type(want) or {type(got), type(want)} == {float, np.float64}
    # Areas are sums; the last digits of scikit-learn's depend on its order of summation.
    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_equal(name):
    ours, theirs = (inspect.signature(getattr(place, name)) for place in (thresher.metrics, sklearn.metrics))
    assert [(p.name, p.kind, p.default) for p in ours.parameters.values()] == [
        (p.name, p.kind, p.default) for p in theirs.parameters.values()
    ]


@st.composite
def columns(draw):
    size = draw(st.integers(1, 30))
    labels = draw(st.sampled_from([(0, 1), (-1, 1), (False, True), (0.0, 1.0), (1, 2), (1, 0, 2)]))
    y_true = np.array(draw(st.lists(st.sampled_from(labels), min_size=size, max_size=size)))
    kind = draw(st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_]))
    y_score = np.array(draw(st.lists(st.integers(0, 8), min_size=size, max_size=size))).astype(kind)
    weight = draw(
        st.none()
        | st.lists(st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.5]), min_size=size, max_size=size).map(np.array)
        | st.lists(st.integers(0, 3), min_size=size, max_size=size).map(np.array)
    )
    return y_true, y_score, weight


@pytest.mark.parametrize("name", BINARY)
@given(data=columns(), form=st.sampled_from(["array", "list"]), drop=st.booleans(), label=st.sampled_from([None, 1, 2]))
def test_two_classes(name, data, form, drop, label):
    y_true, y_score, weight = data
    if weight is not None and not weight.any():
        return  # scikit-learn fails inside an index then
    if form == "list":
        y_true, y_score = y_true.tolist(), y_score.tolist()
    options = {"sample_weight": weight}
    if name in DROPPING:
        options["drop_intermediate"] = drop
    if name != "roc_auc_score" and label is not None:
        options["pos_label"] = label
    assert_same(name, y_true, y_score, **options)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows(name, weighted):
    rng = np.random.default_rng(3)
    for scores in (rng.normal(size=20_000), rng.normal(size=20_000).round(2), rng.random(20_000).astype(np.float32)):
        y = (rng.random(20_000) < 0.2).astype(int)
        weight = np.where(y, 0.37, 1.9) if weighted else None
        assert_same(name, y, scores, sample_weight=weight)


def test_negative_weights():
    rng = np.random.default_rng(4)
    y, s, w = rng.integers(0, 2, 50), rng.normal(size=50).round(1), rng.normal(size=50)
    for name in CURVES:
        assert_same(name, y, s, sample_weight=w)


@given(data=columns(), max_fpr=st.floats(0.01, 1.0))
def test_partial_areas(data, max_fpr):
    y_true, y_score, weight = data
    if len(set(y_true.tolist())) > 2 or (weight is not None and len(set(y_true[weight > 0].tolist())) < 2):
        return
    assert_same("roc_auc_score", y_true, y_score.astype(float), max_fpr=max_fpr, sample_weight=weight)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples", None])
@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score"])
@pytest.mark.parametrize("weighted", [False, True])
def test_labels_and_averages(name, average, weighted):
    rng = np.random.default_rng(5)
    y_true = (rng.random((60, 4)) < 0.4).astype(int)
    y_score = rng.random((60, 4)).round(1)
    assert_same(name, y_true, y_score, average=average, sample_weight=rng.random(60) if weighted else None)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples", None])
@pytest.mark.parametrize("multi_class", ["raise", "ovr", "ovo"])
def test_several_classes(average, multi_class):
    rng = np.random.default_rng(6)
    y_true, y_score = rng.integers(0, 3, 90), rng.random((90, 3)).round(1) + 0.1
    y_score /= y_score.sum(axis=1, keepdims=True)
    assert_same("roc_auc_score", y_true, y_score, average=average, multi_class=multi_class)
    assert_same("average_precision_score", y_true, y_score, average=average)
    assert_same("roc_auc_score", y_true, y_score, average=average, multi_class=multi_class, labels=[0, 1, 2])


MATRIX = ["label_ranking_average_precision_score", "coverage_error", "label_ranking_loss"]


@st.composite
def matrices(draw, *, relevance=False):
    rows, width = draw(st.integers(1, 8)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y_true = rng.integers(0, 4 if relevance else 2, (rows, width))
    y_score = rng.integers(0, draw(st.sampled_from([2, 4, 1000])), (rows, width)) / 4
    return y_true, y_score, draw(st.sampled_from([None, rng.random(rows)]))


@pytest.mark.parametrize("name", MATRIX)
@given(data=matrices())
def test_matrices_of_labels(name, data):
    y_true, y_score, weight = data
    assert_same(name, y_true, y_score, sample_weight=weight)
    if name != "coverage_error":
        assert_same(name, csr_array(y_true), y_score, sample_weight=weight)


@pytest.mark.parametrize("name", ["dcg_score", "ndcg_score"])
@given(data=matrices(relevance=True), k=st.sampled_from([None, 1, 2, 50]), ignore=st.booleans())
def test_gains(name, data, k, ignore):
    y_true, y_score, weight = data
    assert_same(name, y_true, y_score, k=k, sample_weight=weight, ignore_ties=ignore)


@pytest.mark.some(3)
@pytest.mark.parametrize("name", [*MATRIX, "dcg_score", "ndcg_score"])
def test_wide_and_long_matrices(name):
    # Past the width at which rows are sorted one by one, and past the height of a block.
    rng = np.random.default_rng(8)
    for shape in ((2, 5000), (3000, 200)):
        y_true, y_score = rng.integers(0, 2, shape), rng.random(shape).round(3)
        assert_same(name, y_true, y_score)


@given(
    data=matrices(),
    k=st.integers(1, 6),
    normalize=st.booleans(),
    given_labels=st.booleans(),
)
def test_top_k(data, k, normalize, given_labels):
    _, y_score, weight = data
    y_true = np.random.default_rng(k).integers(0, y_score.shape[1], y_score.shape[0])
    labels = np.arange(y_score.shape[1]) if given_labels else None
    assert_same("top_k_accuracy_score", y_true, y_score, k=k, normalize=normalize, sample_weight=weight, labels=labels)


@pytest.mark.parametrize("k", [1, 2])
def test_top_k_of_two_classes(k):
    for y_score in (np.array([0.2, 0.7, 0.5, 0.1]), np.array([-1.0, 2.0, 0.3, -0.2])):
        assert_same("top_k_accuracy_score", np.array([0, 1, 0, 1]), y_score, k=k)
        assert_same("top_k_accuracy_score", ["a", "b", "a", "b"], y_score, k=k)


@given(
    points=st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=8),
    order=st.sampled_from(["rising", "falling", "any"]),
)
def test_trapezoids(points, order):
    if order != "any":
        points = sorted(points, reverse=order == "falling")
    x, y = zip(*points, strict=True)
    assert_same("auc", np.array(x), np.array(y))
    assert_same("auc", list(x), list(y))


Y, S = np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.35, 0.8])
M, T = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.5]])

BAD = [
    *((name, (Y, [0.1, np.nan, 0.3, 0.4]), {}) for name in BINARY),
    *((name, (Y, [0.1, np.inf, 0.3, 0.4]), {}) for name in BINARY),
    *((name, (Y, S[:3]), {}) for name in BINARY),
    *((name, (Y, np.column_stack((S, S))), {}) for name in BINARY),
    *((name, ([0, 1, 2, 2], S), {}) for name in BINARY),
    *((name, ([0.5, 1, 2, 2], S), {}) for name in BINARY),
    *((name, (["a", "b", "a", "b"], S), {}) for name in BINARY),
    *((name, ([1, 2, 1, 2], S), {}) for name in BINARY),
    *((name, ([], []), {}) for name in BINARY),
    *((name, (Y, S), {"sample_weight": [1, 2]}) for name in BINARY),
    *((name, (Y, S), {"sample_weight": [1, 2, np.nan, 1]}) for name in BINARY),
    *((name, (Y, "ab"), {}) for name in BINARY),
    *((name, (Y, None), {}) for name in NAMES if name != "auc"),
    *((name, (np.ones(4, dtype=int), S), {}) for name in BINARY),
    *((name, (np.zeros(4, dtype=int), S), {}) for name in BINARY),
    *((name, (Y, S), {"drop_intermediate": "yes"}) for name in DROPPING),
    *((name, (Y, S), {"pos_label": [1]}) for name in CURVES),
    *((name, (Y, S), {"pos_label": 3}) for name in [*CURVES, "average_precision_score"]),
    ("roc_auc_score", (Y, S), {"max_fpr": 0}),
    ("roc_auc_score", (Y, S), {"max_fpr": 1.5}),
    ("roc_auc_score", (Y, S), {"average": "mean"}),
    ("roc_auc_score", (Y, S), {"multi_class": "all"}),
    ("roc_auc_score", ([0, 1, 2], [[0.2, 0.3, 0.5]] * 3), {"max_fpr": 0.5, "multi_class": "ovr"}),
    ("roc_auc_score", ([0, 1, 2], [[0.2, 0.3, 0.4]] * 3), {"multi_class": "ovr"}),
    ("roc_auc_score", ([0, 1, 1], [[0.2, 0.3, 0.5]] * 3), {"multi_class": "ovr"}),
    ("roc_auc_score", ([0, 1, 2], [0.2, 0.3, 0.5]), {"multi_class": "ovr"}),
    ("roc_auc_score", ([0, 1, 2], [[0.2, 0.3, 0.5]] * 3), {"multi_class": "ovo", "sample_weight": [1, 2, 3]}),
    *(
        ("roc_auc_score", ([0, 1, 2], [[0.2, 0.3, 0.5]] * 3), {"multi_class": "ovr", "labels": labels})
        for labels in ([0, 0, 1], [2, 1, 0], [0, 1], [1, 2, 3])
    ),
    ("average_precision_score", (M, T), {"pos_label": 0}),
    ("average_precision_score", ([0, 1, 2], np.eye(3)), {"pos_label": 2}),
    ("average_precision_score", (np.array([0, 1, 2]), np.eye(3)[:, :2]), {}),
    *((name, (M, T[:, :2]), {}) for name in MATRIX),
    *((name, (M, T[:1]), {}) for name in MATRIX),
    *((name, (M, T), {"sample_weight": [1]}) for name in MATRIX),
    *((name, ([0, 1, 0], [0.1, 0.2, 0.3]), {}) for name in [*MATRIX, "dcg_score", "ndcg_score"]),
    *((name, (M * 3 + T.astype(int) + np.arange(3), T), {}) for name in MATRIX),
    ("ndcg_score", (-M, T), {}),
    ("ndcg_score", ([[1], [2]], [[1], [2]]), {}),
    ("dcg_score", (M, T), {"k": 0}),
    ("dcg_score", (M, T), {"log_base": 0}),
    ("ndcg_score", (M, T), {"ignore_ties": 2}),
    ("top_k_accuracy_score", ([0, 1, 2], T[[0, 1, 1]]), {"k": 0}),
    ("top_k_accuracy_score", ([0.5, 1, 2], T[[0, 1, 1]]), {}),
    ("top_k_accuracy_score", ([0, 1, 1], T[[0, 1, 1]]), {}),
    ("top_k_accuracy_score", ([0, 1, 2], [0.1, 0.2, 0.3]), {}),
    ("top_k_accuracy_score", ([0, 1, 2], T[[0, 1, 1]][:, :2]), {}),
    *(
        ("top_k_accuracy_score", ([0, 1, 2], T[[0, 1, 1]]), {"labels": labels})
        for labels in ([0, 0, 1], [2, 1, 0], [0, 1], [1, 2, 3])
    ),
    ("auc", ([1, 2], [1]), {}),
    ("auc", ([1], [1]), {}),
    ("auc", ([1, 3, 2], [1, 2, 3]), {}),
    ("auc", (3, [1]), {}),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_errors_and_warnings_are_equal(case):
    name, args, kwargs = BAD[case]
    assert_same(name, *args, **kwargs)


@pytest.mark.parametrize("name", BINARY)
def test_frames_and_columns(name):
    assert_same(name, pd.Series(Y), pd.Series(S))
    assert_same(name, pl.Series(Y), pl.Series(S))
    assert_same(name, Y[:, np.newaxis], S)


def test_positional_arguments_are_deprecated_as_in_scikit_learn():
    assert_same("confusion_matrix_at_thresholds", Y, S, 1)
    assert_same("det_curve", Y, S, 1)


def test_warnings_point_at_the_caller():
    with pytest.warns(UndefinedMetricWarning) as caught:
        thresher.metrics.roc_auc_score(np.ones(3), np.arange(3.0))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve", "det_curve", "average_precision_score"])
def test_text_is_no_score(name):
    with pytest.raises(TypeError):
        getattr(sklearn.metrics, name)([0, 1], ["1", "2"])
    with pytest.raises(TypeError, match="`y_score` must be real numbers; got text, first '1'"):
        getattr(thresher.metrics, name)([0, 1], ["1", "2"])


def test_inputs_are_left_as_they_were():
    y, s, w = Y.copy(), S.copy(), np.array([1.0, 0.0, 2.0, 1.0])
    for name in BINARY:
        getattr(thresher.metrics, name)(y, s, sample_weight=w)
    assert y.tolist() == Y.tolist()
    assert s.tolist() == S.tolist()
    assert w.tolist() == [1.0, 0.0, 2.0, 1.0]


MATRICES = ["coverage_error", "label_ranking_average_precision_score", "label_ranking_loss", "dcg_score", "ndcg_score"]
ROWS = 12
DRAWN = np.random.default_rng(5)
TWO, SCORE = np.arange(ROWS) % 2, DRAWN.random(ROWS).round(1)
LABELS = np.vstack([np.ones(3, int), np.zeros(3, int), DRAWN.integers(0, 2, (ROWS - 2, 3))])
EACH = DRAWN.dirichlet((1.0, 1.0, 1.0), ROWS)
WEIGHT = DRAWN.random(ROWS) + 0.1
SHAPES = {
    "of n rows": WEIGHT,
    "of shape (n, 1)": WEIGHT[:, None],
    "of shape (1, n)": WEIGHT[None],
    "of shape (n, 2)": np.column_stack([WEIGHT, WEIGHT]),
    "too few": WEIGHT[:-1],
    "objects": WEIGHT.astype(object),
    "a list": WEIGHT.tolist(),
    "zeros": np.zeros(ROWS),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", [*BINARY, *MATRICES, "top_k_accuracy_score"])
def test_weights_of_every_shape(name, shape):
    if not hasattr(sklearn.metrics, name):
        pytest.skip("this scikit-learn does not have it")
    weight = SHAPES[shape]
    if name in BINARY:
        assert_same(name, TWO, SCORE, sample_weight=weight)
    elif name in MATRICES:
        assert_same(name, LABELS.astype(float) if "dcg" in name else LABELS, EACH, sample_weight=weight)
    else:
        for normalize in (True, False):
            assert_same(name, DRAWN.permutation(np.arange(ROWS) % 3), EACH, sample_weight=weight, normalize=normalize)


@pytest.mark.parametrize("max_fpr", [None, 0.5])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None])
@pytest.mark.parametrize("nothing", [0, 1])
@pytest.mark.parametrize("several", [False, True])
def test_areas_where_a_class_has_no_weight(several, nothing, average, max_fpr):
    y_true, y_score = (LABELS, EACH) if several else (TWO, SCORE)
    weight = np.where((LABELS[:, 0] if several else TWO) == nothing, 0.0, 1.0)
    assert_same("roc_auc_score", y_true, y_score, sample_weight=weight, average=average, max_fpr=max_fpr)
    if max_fpr is None:
        assert_same("average_precision_score", y_true, y_score, sample_weight=weight, average=average)
