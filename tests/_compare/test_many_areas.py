"""Many areas in one call: each has the bits of a call of its own."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import scipy.stats

import thresher as th
from thresher._compare.many_areas import null_errors, null_errors_numpy
from thresher._core import native
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning


def data(n=400, columns=6):
    rng = np.random.default_rng(n)
    y = rng.random(n) < 0.3
    matrix = rng.normal(size=(n, columns)) + np.outer(y, np.linspace(-1, 2, columns))
    matrix[:, 1] = np.round(matrix[:, 1])
    matrix[:, 2] = np.where(rng.random(n) < 0.7, 0.0, matrix[:, 2])
    matrix[:, 3] = 1.0
    return y, matrix


def check(many, problems):
    assert len(many) == len(problems)
    for i, (y, s) in enumerate(problems):
        one = th.Scores(y, s)
        assert (many.n_pos[i], many.n_neg[i]) == (one.n_pos, one.n_neg)
        if not one.n_pos or not one.n_neg:
            assert np.isnan(many.auc[i])
            assert np.isnan(many.standard_error[i])
            continue
        assert many.auc[i] == one.roc_auc().value
        if min(one.n_pos, one.n_neg) > 1:
            assert many.standard_error[i] == one.roc_auc().standard_error(method="delong")
        else:
            assert np.isnan(many.standard_error[i])


@pytest.fixture(params=["kernels", "NumPy"])
def engine(request, monkeypatch):
    if request.param == "NumPy":
        monkeypatch.setattr(native, "available", lambda: False)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("n", [5, 60, 3000])
def test_columns(n):
    y, matrix = data(n)
    y[:2] = [True, False]
    for form in (matrix, np.asfortranarray(matrix), matrix.astype(np.float32), matrix[:, ::2], matrix.tolist()):
        columns = np.asarray(form)
        check(th.roc_auc_many(y, form), [(y, columns[:, c]) for c in range(columns.shape[1])])
    check(th.roc_auc_many(y, matrix[:, 0]), [(y, matrix[:, 0])])


@pytest.mark.usefixtures("engine")
def test_columns_of_labels():
    _, matrix = data()
    labels = (matrix[:, [0, 1, 2, 4, 5]] > 0.5).astype(np.int64)
    for form in (labels, np.asfortranarray(labels), 2 * labels - 1, labels.astype(np.bool_)):
        check(th.roc_auc_many(form, matrix[:, 1:2]), [(labels[:, c], matrix[:, 1]) for c in range(5)])
    texts = np.where(labels, "yes", "no")
    assert np.array_equal(th.roc_auc_many(texts, matrix[:, 0], pos_label="yes").n_pos, labels.sum(axis=0))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kind", ["csc_matrix", "csr_matrix", "csr_array", "coo_array"])
def test_sparse_columns(kind):
    y, matrix = data()
    matrix[np.random.default_rng(0).random(matrix.shape) < 0.6] = 0.0
    sparse = getattr(scipy.sparse, kind)(matrix)
    check(th.roc_auc_many(y, sparse), [(y, matrix[:, c]) for c in range(matrix.shape[1])])


def test_entries_of_a_sparse_matrix_may_be_repeated_or_zero():
    y = np.array([0, 1, 1, 0, 1])
    rows, values = [1, 1, 2, 3, 0], [1.0, 2.0, 0.0, -1.0, 3.0]
    sparse = scipy.sparse.coo_matrix((values, (rows, [0] * 5)), shape=(5, 1)).tocsc()
    check(th.roc_auc_many(y, sparse), [(y, np.array([3.0, 3.0, 0.0, -1.0, 0.0]))])


def test_a_broken_sparse_matrix_is_refused():
    sparse = scipy.sparse.csc_matrix(np.eye(3))
    sparse.indices[1] = 7
    with pytest.raises(InvalidInputError, match="outside of its rows"):
        th.roc_auc_many([0, 1, 1], sparse)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kind", ["int64", "sorted", "text", "uint8", "objects", "float32", "dates", "far"])
def test_groups(kind):
    rng = np.random.default_rng(8)
    y, matrix = data(2000)
    groups = rng.integers(0, 90, 2000)
    groups[groups > 80] = 81 + np.arange((groups > 80).sum()) % 40  # some groups of one class
    keys = {
        "sorted": np.sort(groups),
        "text": groups.astype(str),
        "uint8": groups.astype(np.uint8),
        "float32": (groups - 40.5).astype(np.float32),
        "dates": np.datetime64("1969-12-01") + groups,
        "far": (groups - 40) * 10**15,
    }.get(kind, groups)
    given = list(map(str, groups)) if kind == "objects" else keys
    keys = np.asarray(given)
    with pytest.warns(ThresherWarning, match="groups hold one class only"):
        many = th.roc_auc_many(y, matrix[:, 1], by=given)
    names = np.unique(keys)
    assert many.names.tolist() == names.tolist()
    assert many.names.dtype == names.dtype
    check(many, [(y[keys == name], matrix[keys == name, 1]) for name in names])


def test_the_rank_test_is_that_of_scipy():
    y, matrix = data(60)
    many = th.roc_auc_many(y, matrix)
    for alternative in ("two-sided", "greater", "less"):
        found = many.pvalues(alternative=alternative)
        for c in (0, 1, 2, 4, 5):
            wanted = scipy.stats.mannwhitneyu(
                matrix[y, c], matrix[~y, c], use_continuity=False, method="asymptotic", alternative=alternative
            ).pvalue
            assert found[c] == pytest.approx(wanted, rel=1e-12)
    assert many.pvalues()[3] == 1.0  # all scores tie


@pytest.mark.parametrize("rows", [2, 3, 10, 1000, 3_362_281, 29_956_832, 10**9 + 7])
def test_tied_rows_have_no_spread_however_many(rows):
    """All rows tied: t^3 - t in whole numbers, beyond what a double holds; with one row apart there is a spread."""
    n_pos = np.array([rows // 2, rows // 2])
    n_neg = rows - n_pos
    ties = [rows**3 - rows, (rows - 1) ** 3 - (rows - 1)]
    sums = np.zeros((2, 11), dtype=np.uint64)
    sums[:, 1], sums[:, 2] = n_pos, n_neg
    sums[:, 9] = [tie >> 64 for tie in ties]
    sums[:, 10] = [tie & (2**64 - 1) for tie in ties]
    found = null_errors(sums)
    assert found.tobytes() == null_errors_numpy(sums).tobytes()
    assert found[0] == 0.0
    # The variance of a rank sum with ties, over the square of the pairs.
    m, n = rows // 2, rows - rows // 2
    want = (Fraction(rows + 1) - Fraction(ties[1], rows * (rows - 1))) / (12 * m * n)
    assert found[1] == pytest.approx(math.sqrt(want), rel=1e-4)


def test_errors_of_the_rank_test_with_kernels_and_without():
    rng = np.random.default_rng(7)
    sums = rng.integers(0, 4, (20_000, 11)).astype(np.uint64)
    sums[10_000:, 1:3] = rng.integers(1, 10**7, (10_000, 2))
    rows = sums[:, 1] + sums[:, 2]
    sums[:, 9], sums[:, 10] = 0, (rng.random(20_000) ** 9 * rows.astype(float) ** 2.5).astype(np.uint64)
    for count in (0, 1, 5000, 20_000):
        assert null_errors(sums[:count]).tobytes() == null_errors_numpy(sums[:count]).tobytes()


def test_delongs_test_and_adjustments():
    y, matrix = data()
    many = th.roc_auc_many(y, matrix)
    z = (many.auc - 0.5) / np.where(many.standard_error > 0, many.standard_error, 1.0)
    plain = many.pvalues(method="delong")
    assert plain == pytest.approx(2 * scipy.stats.norm.sf(np.abs(z)), rel=1e-12)
    assert many.pvalues(adjustment="bh") == pytest.approx(scipy.stats.false_discovery_control(many.pvalues()))
    ranks = np.argsort(np.argsort(plain, kind="stable"), kind="stable")
    by_hand = [max(min(1.0, (6 - ranks[j]) * plain[j]) for j in range(6) if ranks[j] <= ranks[i]) for i in range(6)]
    assert many.pvalues(method="delong", adjustment="holm") == pytest.approx(by_hand)


def test_nan_is_refused_by_name():
    y, matrix = data()
    matrix[[3, 5], 2] = np.nan
    matrix[0, 4] = np.nan
    names = list("abcdef")
    pd = pytest.importorskip("pandas", reason="frames name their columns")
    for call in (
        lambda: th.roc_auc_many(y, pd.DataFrame(matrix, columns=names)),
        lambda: th.roc_auc_many(y, scipy.sparse.csc_matrix(matrix)),
        lambda: th.roc_auc_many(y, matrix[:, 2], by=np.arange(400) // 100),
        lambda: th.roc_auc_many(np.stack((y, y), axis=1), matrix[:, 2]),
    ):
        with pytest.raises(InvalidInputError, match="`y_score` must not contain NaN; got NaN in"):
            call()
    with pytest.raises(InvalidInputError) as caught:
        th.roc_auc_many(y, pd.DataFrame(matrix, columns=names))
    assert str(caught.value) == (
        "`y_score` must not contain NaN; got NaN in 2 rows of column 'c' and 1 more. "
        "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
    )


def test_one_class_is_worth_a_note():
    y = np.array([[0, 1, 1], [0, 1, 0], [0, 1, 1]])
    with pytest.warns(ThresherWarning) as caught:
        many = th.roc_auc_many(y, [0.1, 0.2, 0.3])
    assert str(caught[0].message) == "2 of 3 columns hold one class only, the first 0; their area is NaN."
    assert np.isnan(many.auc).tolist() == [True, True, False]
    assert np.isnan(many.pvalues()).tolist() == [True, True, False]
    assert many.pvalues(adjustment="holm")[2] == many.pvalues()[2]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([0, 1], [[1.0], [2.0], [3.0]]), {}, InvalidInputError, "same length|must have"),
        (([[0, 1], [1, 0]], [[1.0, 2.0, 3.0], [2.0, 1.0, 0.0]]), {}, InvalidInputError, "must be a single column"),
        (([0, 1], np.zeros((2, 2, 2))), {}, InvalidInputError, r"got shape \(2, 2, 2\)"),
        (([0, 1], np.zeros((2, 0))), {}, InvalidInputError, r"got shape \(2, 0\)"),
        (([0, 1], [["a"], ["b"]]), {}, InvalidTypeError, "must be real numbers"),
        (([0, 1], [1.0, 2.0]), {"by": [1.0, np.nan]}, InvalidInputError, "`by` must not contain NaN"),
        (([0, 1], [1.0, 2.0]), {"by": [1, 1], "names": ["a"]}, InvalidInputError, "`names` must not be given"),
        (([0, 1], [[1.0], [2.0]]), {"names": ["a", "b"]}, InvalidInputError, "`names`"),
        (([0, 2], [[1.0], [2.0]]), {}, InvalidInputError, "pos_label"),
    ],
)
def test_what_is_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        th.roc_auc_many(*arguments, **options)


def test_results_travel():
    y, matrix = data()
    many = th.roc_auc_many(y, matrix, names=list("abcdef"))
    assert many.to_dict()["name"] == list("abcdef")
    assert many.to_dict()["n_pos"] == 6 * [int(y.sum())]
    assert many.to_dict()["n_neg"] == 6 * [int((~y).sum())]
    assert repr(many).splitlines()[0] == "6 areas under ROC curves"
    assert len(repr(many).splitlines()) == 7
    with pytest.raises(ValueError, match="read-only"):
        many.auc[0] = 1.0
    pytest.importorskip("pandas", reason="a frame is asked for")
    frame = many.to_frame("pandas")
    assert frame["pvalue_adjusted"].tolist() == many.pvalues(adjustment="holm").tolist()


def test_what_the_rows_look_like_in_memory_changes_nothing():
    y, matrix = data()
    expected = th.roc_auc_many(y, matrix)
    swapped = th.roc_auc_many(y, matrix.astype(matrix.dtype.newbyteorder()))
    assert np.array_equal(swapped.auc, expected.auc)
    assert np.array_equal(swapped.standard_error, expected.standard_error)
    # Entries given twice count as their sum; those of the caller stay as they are.
    row, column = np.nonzero(matrix)
    half = scipy.sparse.csc_matrix(matrix)
    parts = [np.concatenate((part, part)) for part in (matrix[row, column] / 2, row, column)]
    order = np.lexsort((parts[1], parts[2]))
    twice = scipy.sparse.csc_matrix(matrix.shape)
    twice.data, twice.indices = parts[0][order], parts[1][order].astype(np.int32)
    twice.indptr = 2 * half.indptr
    assert np.array_equal(th.roc_auc_many(y, twice).auc, expected.auc)
    assert twice.data.size == parts[0].size


def test_shapes_and_types_that_are_refused():
    y, matrix = data()
    with pytest.raises(InvalidInputError, match="`y_score`"):
        th.roc_auc_many(y[:-1], matrix[:, 0], by=np.zeros(y.size - 1))
    with pytest.raises(InvalidInputError, match="`y_score`"):
        th.roc_auc_many(y[:-1], scipy.sparse.csc_array(matrix))
    with pytest.raises(InvalidInputError, match=r"must be a matrix with rows and columns; got shape \(0, 3\)"):
        th.roc_auc_many([], scipy.sparse.csc_array((0, 3)))
    with pytest.raises(InvalidTypeError, match="real numbers of up to 64 bits; got dtype complex128"):
        th.roc_auc_many(y, scipy.sparse.csc_array(matrix.astype(complex)))


def test_groups_of_one_class_are_counted_in_words():
    with pytest.warns(ThresherWarning, match="1 of 3 groups hold one class only, the first 1"):
        found = th.roc_auc_many([1, 0, 1, 1, 0, 1], [3, 1, 2, 2, 5, 4], by=[0, 0, 1, 1, 2, 2])
    assert repr(found).splitlines()[0] == "3 areas under ROC curves, 1 of them NaN because a class is missing"
    assert repr(found).splitlines()[1:] == ["  0: 1 (error nan)", "  2: 0 (error nan)"]


def test_matrices_of_one_shape_are_paired_by_column():
    rng = np.random.default_rng(0)
    labels = rng.random((60, 3)) < 0.4
    scores = np.round(rng.normal(size=(60, 3)) + labels, 1)
    for order in "CF":
        found = th.roc_auc_many(np.asarray(labels, order=order), np.asarray(scores, order=order))
        areas = [th.Scores(labels[:, j], scores[:, j]).roc_auc() for j in range(3)]
        assert found.auc.tolist() == [one.value for one in areas]
        assert found.standard_error == pytest.approx([one.standard_error(method="delong") for one in areas], rel=1e-12)
    assert found.auc.tolist() == th.multilabel(labels, scores).per_class().values.tolist()
    with pytest.raises(th.InvalidInputError, match="must have one shape"):
        th.roc_auc_many(labels, scores[:, :2])
    frames = pd.DataFrame(labels.astype(int), columns=list("abc")), pd.DataFrame(scores, columns=list("abc"))
    turned = th.roc_auc_many(frames[0], frames[1][["c", "a", "b"]])
    assert (turned.names.tolist(), turned.auc.tolist()) == (["a", "b", "c"], found.auc.tolist())
    with pytest.raises(th.InvalidInputError, match="columns of the same names"):
        th.roc_auc_many(frames[0], frames[1].rename(columns={"a": "z"}))
