"""What comes in, and what is refused with which words."""

from __future__ import annotations

import array_api_strict
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled


@given(data=labelled(both=False))
def test_counting_by_definition(data):
    scores = th.Scores(*data)
    want = oracle.table(*data)
    got = zip(scores.thresholds.tolist(), scores.tp.tolist(), scores.fp.tolist(), strict=True)
    assert list(got) == want
    assert (scores.tp.dtype, scores.pos.dtype) == (np.int64, np.int64)
    assert not any(str(t) == "-0.0" for t in scores.thresholds.tolist())


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 1, 0],
        [False, True, True, False],
        [-1, 1, 1, -1],
        [0.0, 1.0, 1.0, 0.0],
        np.array([0, 1, 1, 0], dtype=np.uint8),
        np.array([0, 1, 1, 0], dtype=object),
        pd.Series([0, 1, 1, 0], dtype="Int64"),
        pd.Series([False, True, True, False], dtype="boolean"),
        pl.Series([0, 1, 1, 0]),
        pa.array([0, 1, 1, 0]),
        array_api_strict.asarray([0, 1, 1, 0]),
        np.ma.array([0, 1, 1, 0], mask=[0, 0, 0, 0]),
    ],
    ids=lambda labels: f"{type(labels).__module__}.{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_forms_of_labels(labels):
    assert th.Scores(labels, [1, 2, 3, 4]).pos.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["no", "yes", "yes", "no"], "yes"),
        ([1, 2, 2, 1], 2),
        ([3, 2, 2, 1], 2),
        (pd.Series(["a", "b", "b", "c"], dtype="category"), "b"),
        (pl.Series(["a", "b", "b", "c"], dtype=pl.Categorical), "b"),
        (pd.Series(["a", "b", "b", "c"]), "b"),
        (np.array([1, 0, 0, 1]), 0),
        ([True, False, False, True], False),
    ],
    ids=str,
)
def test_positive_label(labels, pos_label):
    assert th.Scores(labels, [1, 2, 3, 4], pos_label=pos_label).pos.tolist() == [0, 1, 1, 0]


def test_one_label_alone_is_understood():
    assert th.Scores([1, 1], [1, 2]).n_neg == 0
    assert th.Scores([-1, -1], [1, 2]).n_pos == 0
    assert th.Scores([0, 0], [1, 2]).n_pos == 0


def test_a_positive_label_that_nobody_has():
    with pytest.warns(th.ThresherWarning) as caught:
        th.Scores(["no", "yes"], [1, 2], pos_label="Yes")
    assert str(caught[0].message) == (
        "No row of `y_true` has the label `pos_label='Yes'`, so every row is negative; the first label is 'no'."
    )
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "values",
    [
        [2**53, 2**53 + 1, 2**53 + 2],
        np.array([2**63 - 3, 2**63 - 2, 2**63 - 1]),
        np.array([2**64 - 3, 2**64 - 2, 2**64 - 1], dtype=np.uint64),
        [-(2**62) - 1, -(2**62), 2**63],
        np.array([0.1, 0.2, 0.3], dtype=np.float16),
        np.array([1, np.nextafter(np.float32(1), np.float32(2)), 2], dtype=np.float32),
        np.array([1, np.nextafter(np.longdouble(1), np.longdouble(2)), 2], dtype=np.longdouble),
        np.array([-(2**63), 0, 2**63 - 1]),
        np.array([1, 2, 3], dtype=">f8"),
        range(3),
    ],
    ids=lambda values: str(getattr(values, "dtype", type(values).__name__)),
)
def test_no_order_is_lost(values):
    scores = th.Scores([0, 1, 1], values)
    assert scores.pos.tolist() == [1, 1, 0]
    assert scores.neg.tolist() == [0, 0, 1]
    curve = scores.roc()
    assert curve.at(threshold=curve.thresholds[2]).tp == 2
    assert (scores + scores).pos.tolist() == [2, 2, 0]
    assert len(set(curve.thresholds.tolist())) == 4


def test_bool_scores():
    assert th.Scores([0, 1, 1], [False, True, False]).thresholds.tolist() == [1, 0]


def test_ties_are_exact_equality():
    scores = th.Scores([1, 0, 1, 0], [0.1 + 0.2, 0.3, -0.0, 0.0])
    assert len(scores) == 3
    assert (scores.pos.tolist(), scores.neg.tolist()) == ([1, 0, 1], [0, 1, 1])
    assert th.Scores([1, 0], [1.0, 1.0 + 1e-17]).roc_auc().value == 0.5
    assert th.Scores([1, 0, 0], [np.inf, 1e308, -np.inf]).roc_auc().value == 1.0


@pytest.mark.optional
def test_torch_tensors():
    torch = pytest.importorskip("torch", reason="torch is heavy and optional; its path is otherwise that of DLPack")
    scores = torch.tensor([0.1, 0.4, 0.35, 0.8], requires_grad=True)
    assert th.Scores(torch.tensor([0, 0, 1, 1]), scores).roc_auc().value == 0.75
    assert th.Scores(torch.tensor([0, 0, 1, 1]), scores.bfloat16()).roc_auc().value == 0.75


FRAME = {"outcome": ["bad", "good", "bad", "good"], "risk": [0.9, 0.2, 0.4, 0.4], "times": [1, 2, 3, 4]}


class Stream:
    """Anything with an Arrow stream and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, lambda d: Stream(pa.table(d))])
def test_frames(make):
    scores = th.Scores.from_frame(make(FRAME), y_true="outcome", y_score="risk", pos_label="bad", frequency="times")
    want = th.Scores.from_counts([0.9, 0.4, 0.2], pos=[1, 3, 0], neg=[0, 4, 2])
    assert scores == want


def test_frame_messages():
    frame = pl.DataFrame(FRAME)
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores.from_frame(frame, y_true="label", y_score="risk")
    assert str(caught.value) == (
        "`y_true` must name a column; got 'label'. Hint: the columns are 'outcome', 'risk', 'times'."
    )
    with pytest.raises(th.InvalidTypeError) as caught:
        th.Scores.from_frame(frame.lazy(), y_true="outcome", y_score="risk")
    assert "Hint: call `.collect()` on it first." in str(caught.value)
    with pytest.raises(th.InvalidTypeError) as caught:
        th.Scores.from_frame(FRAME, y_true="outcome", y_score="risk")
    assert str(caught.value) == (
        "`frame` must be a dataframe; got dict. "
        "Hint: pandas, polars, pyarrow and anything with `__arrow_c_stream__` are read."
    )


NAN = float("nan")
MISSING = (
    "`y_score` must not contain missing values; got 1 of 3 rows, first at row 1. Hint: remove those rows or fill "
    "them; they are never dropped silently."
)
MESSAGES = {
    "empty": (lambda: th.Scores([], []), "`y_score` must not be empty; got 0 rows. Hint: give at least one row."),
    "unequal lengths": (
        lambda: th.Scores([0, 1], [0.1, 0.2, 0.3]),
        "`y_true` and `y_score` must have the same length; got 2 and 3. Hint: they are columns of the same rows.",
    ),
    "two-dimensional": (
        lambda: th.Scores([0, 1], [[0.1, 0.9], [0.2, 0.8]]),
        "`y_score` must be one-dimensional; got shape (2, 2). Hint: of two columns, as from `predict_proba`, "
        "pass that of the positive class, `np.asarray(y_score)[:, 1]`.",
    ),
    "scalar": (
        lambda: th.Scores(1, 0.5),
        "`y_score` must be one-dimensional; got shape (). Hint: pass a list, a Series or a one-dimensional array.",
    ),
    "ragged": (
        lambda: th.Scores([0, 1], [[0.1], [0.2, 0.8]]),
        "`y_score` must be one-dimensional; got rows of unequal length. Hint: pass one value a row.",
    ),
    "NaN scores": (
        lambda: th.Scores([0, 1, 1, 0, 1, 0, 0], [0.1, NAN, 0.3, NAN, NAN, NAN, NAN]),
        "`y_score` must not contain NaN; got NaN in 5 of 7 rows, first at rows 1, 3, 4, 5, 6. Hint: remove those rows "
        "or give them a score; +inf and -inf are legal scores.",
    ),
    "NaN labels": (
        lambda: th.Scores([0, NAN, 1], [1, 2, 3]),
        "`y_true` must not contain NaN; got NaN in 1 of 3 rows, first at row 1. Hint: remove those rows.",
    ),
    "three labels": (
        lambda: th.Scores([0, 1, 2], [1, 2, 3]),
        "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1; got 3 different labels: 0, 1, 2. "
        "Hint: say which label is positive, for example `pos_label=2`.",
    ),
    "minus one and zero": (
        lambda: th.Scores([-1, 0, 1], [1, 2, 3]),
        "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1; got 3 different labels: -1, 0, 1. "
        "Hint: say which label is positive, for example `pos_label=1`.",
    ),
    "text labels": (
        lambda: th.Scores(["no", "yes"], [1, 2]),
        "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1; got 2 different labels: 'no', 'yes'. "
        "Hint: say which label is positive, `pos_label='no'` or `pos_label='yes'`.",
    ),
    "negative weight": (
        lambda: th.Scores([0, 1], [1, 2], sample_weight=[1, -2]),
        "`sample_weight` must not be negative; got -2 in 1 of 2 rows, first at row 1. Hint: give those rows 0 to "
        "leave them out.",
    ),
    "NaN weight": (
        lambda: th.Scores([0, 1], [1, 2], sample_weight=[1, NAN]),
        "`sample_weight` must be finite; got nan in 1 of 2 rows, first at row 1. Hint: give those rows weight 0 to "
        "leave them out.",
    ),
    "zero weights in a class": (
        lambda: th.Scores([0, 1, 1], [1, 2, 3], sample_weight=[1.0, 0.0, 0.0]),
        "`sample_weight` must leave some weight in each class; got only zeros for the 2 positive rows. Hint: give "
        "them a weight above 0, or leave those rows out.",
    ),
    "weights of another length": (
        lambda: th.Scores([0, 1, 1], [1, 2, 3], sample_weight=[1.0, 0.5]),
        "`y_score` and `sample_weight` must have the same length; got 3 and 2. Hint: they are columns of the same "
        "rows.",
    ),
    "missing in pandas": (lambda: th.Scores([0, 1, 1], pd.Series([1, None, 2], dtype="Float64")), MISSING),
    "missing in polars": (lambda: th.Scores([0, 1, 1], pl.Series([1.0, None, 2.0])), MISSING),
    "missing in pyarrow": (lambda: th.Scores([0, 1, 1], pa.array([1.0, None, 2.0])), MISSING),
    "missing in an object array": (lambda: th.Scores([0, 1, 1], np.array([1.0, None, 2.0], dtype=object)), MISSING),
    "missing in a list": (lambda: th.Scores([0, 1, 1], [1.0, None, 2.0]), MISSING),
    "masked": (lambda: th.Scores([0, 1, 1], np.ma.array([1, 2, 3], mask=[0, 1, 0])), MISSING),
    "counts of nothing": (
        lambda: th.Scores.from_counts([1, 2], [0, 0], [0, 0]),
        "`pos` and `neg` must count at least one row; got zeros only.",
    ),
    "negative count": (
        lambda: th.Scores.from_counts([1, 2], [0, -1], [0, 0]),
        "`pos` must not be negative; got -1 in 1 of 2 rows, first at row 1. Hint: give those rows 0 to leave them out.",
    ),
    "soft label outside": (
        lambda: th.Scores.from_soft_labels([0.5, 1.5], [1, 2]),
        "`p_positive` must be in [0, 1]; got 1.5. Hint: it is a fraction, not a percentage.",
    ),
    "too many counts": (
        lambda: th.Scores.from_counts([1, 2], [2**62, 1], [1, 1]),
        "Counts must add up to less than 2**62; got 4611686018427387905 positives. "
        "Hint: divide them by a common factor.",
    ),
    "no common type": (
        lambda: th.Scores([0, 1], [2**64, 1]),
        "`y_score` must be real numbers; got dtype object, first 18446744073709551616. "
        "Hint: convert the column to numbers first.",
    ),
}
TYPE_MESSAGES = {
    "text scores": (
        lambda: th.Scores([0, 1], ["0.1", "0.2"]),
        "`y_score` must be real numbers; got strings, first '0.1'. Hint: convert the column to numbers first.",
    ),
    "complex scores": (
        lambda: th.Scores([0, 1], [1j, 2j]),
        "`y_score` must be real numbers; got dtype complex128, first 1j. Hint: convert the column to numbers first.",
    ),
    "pos_label of another type": (
        lambda: th.Scores(["0", "1"], [1, 2], pos_label=1),
        "`pos_label` must be of the labels' type; got 1 where `y_true` holds text such as '0'. "
        "Hint: for example `pos_label='0'`.",
    ),
}
MESSAGES["no common type"] = TYPE_MESSAGES.pop("none", MESSAGES["no common type"])


@pytest.mark.parametrize("case", [*MESSAGES, *TYPE_MESSAGES])
def test_messages(case):
    call, message = (MESSAGES | TYPE_MESSAGES)[case]
    kind = th.InvalidTypeError if case in TYPE_MESSAGES or case == "no common type" else th.InvalidInputError
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


def test_one_class_message():
    with pytest.raises(th.UndefinedMetricError) as caught:
        th.Scores([1, 1], [1, 2]).roc_auc()
    assert str(caught.value) == (
        "The area under the ROC curve needs both classes; got 2 positives and 0 negatives. "
        "Hint: there is no negative row; check the labels and `pos_label`."
    )
    assert isinstance(caught.value, ValueError)


@given(data=labelled(), parts=st.integers(1, 4))
def test_weights_add_up_without_loss(data, parts):
    """A row of weight w split into parts gives the same sums, and the total is that of exact arithmetic."""
    labels, values = data
    rng = np.random.default_rng(len(labels))
    weights = rng.random(len(labels)) * 10.0 ** rng.integers(-8, 8, len(labels))
    scores = th.Scores(labels, values, sample_weight=weights)
    exact = sum((oracle.Fraction(w) for w, label in zip(weights, labels, strict=True) if label), oracle.Fraction(0))
    assert scores.n_pos == pytest.approx(float(exact), rel=3e-16)
    halves = th.Scores(labels * 2**parts, values * 2**parts, sample_weight=np.tile(weights / 2**parts, 2**parts))
    # Twice the precision of the running sum: a small group after a large one keeps about 1e-30 of the large one.
    np.testing.assert_allclose(halves.tp, scores.tp, rtol=5e-16, atol=1e-30 * weights.sum())


def test_two_samples():
    scores = th.Scores.from_pos_neg([3, 1], np.array([2.5, 1.0]), pos_frequency=[2, 1])
    assert scores == th.Scores.from_counts([3, 2.5, 1], pos=[2, 0, 1], neg=[0, 1, 1])
    with pytest.raises(th.InvalidInputError, match="`pos_scores` and `pos_weight` must have the same length"):
        th.Scores.from_pos_neg([3, 1], [2.5], pos_weight=[1])
    with pytest.raises(th.InvalidInputError, match="`neg_scores` must not be empty"):
        th.Scores.from_pos_neg([3, 1], [])


def test_soft_labels_are_two_weighted_rows():
    p, s, w = [0.9, 0.25, 0.5], [3, 2, 1], [1.0, 4.0, 2.0]
    soft = th.Scores.from_soft_labels(p, s, sample_weight=w)
    hard = th.Scores(
        [1, 0] * 3,
        np.repeat(s, 2),
        sample_weight=[x for share, weight in zip(p, w, strict=True) for x in (share * weight, (1 - share) * weight)],
    )
    for name in ("thresholds", "pos", "neg", "_pos_squares", "_neg_squares"):
        assert np.array_equal(getattr(soft, name), getattr(hard, name))
    # A row in both classes is one observation: the products of its two weights are kept beside the squares.
    assert soft._weight_squares.both == pytest.approx([0.09, 3.0, 1.0], rel=1e-15)
    assert hard._weight_squares.both is None


def test_sum_of_parts():
    parts = [th.Scores([0, 1], [i, i + 0.5]) for i in range(3)]
    assert sum(parts) == parts[0] + parts[1] + parts[2]
    assert sum([parts[0]]) is parts[0]
    for start in (1, 0.0, False, "0"):
        with pytest.raises(TypeError, match=r"unsupported operand|can't sum strings"):
            sum(parts, start)


def test_addition_across_types():
    whole, real = th.Scores([0, 1], [2**53 + 1, 1]), th.Scores([1, 0], [0.5, 2.0])
    total = whole + real
    assert int(total.thresholds[0]) == 2**53 + 1
    assert (total.n_pos, total.n_neg) == (2, 2)
    with pytest.raises(TypeError):
        total + 1


def test_frozen_and_picklable():
    import copy
    import pickle

    scores = th.Scores([0, 1], [1, 2])
    with pytest.raises(AttributeError, match="Scores is frozen; cannot set 'pos'"):
        scores.pos = None
    with pytest.raises(AttributeError, match="Scores is frozen; cannot delete '_pos'"):
        del scores._pos
    for array in (scores.thresholds, scores.pos, scores.neg, scores.tp, scores.fp):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9
    assert pickle.loads(pickle.dumps(scores)) == scores == copy.deepcopy(scores)
    assert scores != "scores"


def test_input_arrays_are_neither_kept_nor_changed():
    labels, values = np.array([0, 1]), np.array([1.0, 2.0])
    scores = th.Scores(labels, values)
    values[:] = 7
    assert scores.thresholds.tolist() == [2.0, 1.0]
    values.flags.writeable = labels.flags.writeable = False
    assert th.Scores(labels, values).roc_auc().value == 0.5
