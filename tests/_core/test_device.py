"""Counting on devices: the same bits as on the processor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import thresher as th
from support.devices import LIBRARIES, converter
from thresher._core import device
from thresher._core.counting import count_rows_numpy
from thresher._core.device import count_on_device, twice_u_on_device
from thresher.exceptions import InvalidInputError

pytestmark = pytest.mark.optional  # torch
DTYPES = ["float64", "float32", "int64", "int32", "uint8"]


@pytest.fixture(params=LIBRARIES)
def convert(request):
    return converter(request.param)


def twice_u(pos, neg):
    above = total = 0
    for p, n in zip(pos.tolist(), neg.tolist(), strict=True):
        total += n * (2 * above + p)
        above += p
    return total


def check(convert, scores, positive):
    values, pos, neg = count_rows_numpy(scores, positive)
    table = count_on_device(convert(scores), convert(positive))
    assert type(table.thresholds) is type(convert(scores))
    assert np.array_equal(np.asarray(table.thresholds), values)
    assert np.asarray(table.tp).tolist() == np.cumsum(pos).tolist()
    assert np.asarray(table.fp).tolist() == np.cumsum(neg).tolist()
    assert (table.n_pos, table.n_neg) == (int(pos.sum()), int(neg.sum()))
    if scores.dtype.kind == "f":
        assert not np.signbit(np.asarray(table.thresholds)[np.asarray(table.thresholds) == 0]).any()
    assert twice_u_on_device(convert(scores), convert(positive)) == (twice_u(pos, neg), table.n_pos, table.n_neg)


@pytest.mark.parametrize("library", LIBRARIES)
@given(data=st.data())
def test_equals_numpy(library, data):
    dtype = np.dtype(data.draw(st.sampled_from(DTYPES)))
    elements = hnp.from_dtype(dtype, allow_nan=False) if dtype.kind == "f" else hnp.from_dtype(dtype)
    few = data.draw(hnp.arrays(dtype, data.draw(st.integers(1, 12)), elements=elements))
    scores = few[data.draw(hnp.arrays(np.intp, data.draw(st.integers(1, 40)), elements=st.integers(0, few.size - 1)))]
    check(converter(library), scores, data.draw(hnp.arrays(np.bool_, scores.size)))


def test_chunks_do_not_matter(convert, monkeypatch):
    rng = np.random.default_rng(0)
    scores, positive = np.round(rng.normal(size=500), 2), rng.random(500) < 0.7
    monkeypatch.setattr(device, "_CHUNK", 7)
    check(convert, scores, positive)
    check(convert, scores, ~positive)


def test_labels_may_be_numbers(convert):
    scores, labels = np.array([0.9, 0.5, 0.5, 0.1]), np.array([1, 0, 1, 0])
    assert twice_u_on_device(convert(scores), convert(labels)) == (7, 2, 2)


def test_nan_and_shapes_are_refused(convert):
    scores = convert(np.array([0.1, np.nan, 0.3]))
    with pytest.raises(InvalidInputError) as caught:
        count_on_device(scores, convert(np.array([True, False, True])))
    assert str(caught.value) == (
        "`y_score` must not contain NaN; got NaN in 1 of 3 rows. "
        "Hint: remove those rows or give them a score; +inf and -inf are legal scores."
    )
    with pytest.raises(InvalidInputError) as caught:
        count_on_device(scores, convert(np.array([True, False])))
    assert str(caught.value) == (
        "`y_true` and `y_score` must be one-dimensional and of the same length; got shapes (2,) and (3,)."
    )


@pytest.mark.parametrize(
    "values",
    [
        [-1e-45, 1e-45, 3.0, -3.0, 0.0, -0.0],  # scores in the gap that both signs leave: the classes are sorted apart
        [-1e-30, 0.0, -0.0, 1e-30, 2.0, -5.0],
        [float("-inf"), -1.0, 0.5, float("inf")],
        [float("-inf"), -2.0, 3.0, float("inf"), 0.0],
        [0.0, -0.0, 1e-45, float("inf")],
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_both_signs_and_extremes(convert, values, dtype):
    rng = np.random.default_rng(1)
    scores = rng.choice(np.array(values, dtype=dtype), 60)
    for share in (0.0, 0.3, 0.8, 1.0):
        check(convert, scores, rng.random(60) < share)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_whole_range_of_integers(convert, dtype):
    most = np.iinfo(dtype)
    scores = np.array([most.min, most.max, 0, most.max, most.min, -1], dtype=dtype)
    check(convert, scores, np.array([True, False, True, True, False, False]))
    check(convert, scores[1:4], np.array([True, False, True]))


class TestScores:
    """array-api-strict has devices of its own, from which nothing is read by accident."""

    @staticmethod
    def arrays(*columns, device="device1"):
        xp = pytest.importorskip("array_api_strict")
        return [xp.asarray(column, device=xp.Device(device)) for column in columns]

    def test_counts_where_the_rows_are(self):
        rng = np.random.default_rng(2)
        labels, values = rng.integers(0, 2, 300), np.round(rng.normal(size=300), 1)
        for written in (labels, labels == 1, 2 * labels - 1):
            assert th.Scores(*self.arrays(written, values)) == th.Scores(labels, values)
        assert th.Scores(*self.arrays(labels + 4, values), pos_label=5) == th.Scores(labels, values)

    def test_area_of_scikit_learns_name(self):
        metrics = pytest.importorskip("thresher.metrics")
        rng = np.random.default_rng(3)
        labels, values = rng.integers(0, 2, 300), np.round(rng.normal(size=300), 1)
        for share in (labels, 1 - labels, labels & (rng.random(300) < 0.2)):
            assert metrics.roc_auc_score(*self.arrays(share, values)) == th.Scores(share, values).roc_auc().value
        with pytest.warns(match="Only one class is present"):
            assert np.isnan(metrics.roc_auc_score(*self.arrays([1, 1], [0.1, 0.2])))

    @pytest.mark.parametrize("labels", [[0, 1, 2], [5.0, 4.0, 4.0]])
    def test_labels_follow_the_usual_rules(self, labels):
        values = [0.1, 0.2, 0.3]
        with pytest.raises(InvalidInputError) as here:
            th.Scores(labels, values)
        with pytest.raises(InvalidInputError) as there:
            th.Scores(*self.arrays(labels, values))
        assert str(there.value) == str(here.value)

    def test_refusals(self):
        labels, values = self.arrays([0, 1], [0.1, 0.2])
        with pytest.raises(InvalidInputError) as caught:
            th.Scores([0, 1], values)
        assert str(caught.value) == (
            "`y_true` and `y_score` must be on the same device; got main memory and array_api_strict on "
            "array_api_strict.Device('device1'). Hint: bring one to the other; thresher never moves rows silently."
        )
        with pytest.raises(InvalidInputError, match="`y_score` must be in main memory"):
            th.Scores(labels, values, sample_weight=[1, 2])
        with pytest.raises(InvalidInputError, match="`y_true` must not contain NaN"):
            th.Scores(*self.arrays([0.0, float("nan")], [0.1, 0.2]))


def test_half_precision_counts_as_its_values():
    torch = pytest.importorskip("torch")
    for dtype in (torch.float16, torch.bfloat16):
        scores = torch.tensor([0.5, -0.0, 0.0, 2.0, 0.5]).to(dtype)
        table = count_on_device(scores, torch.tensor([True, False, True, True, False]))
        assert table.thresholds.tolist() == [2.0, 0.5, 0.0]
        assert table.tp.tolist() == [1, 2, 3]
        assert table.fp.tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_integers_that_torch_does_not_sort(dtype):
    torch = pytest.importorskip("torch")
    scores, positive = np.array([7, 40_000, 7, 0], dtype=dtype), np.array([True, True, False, False])
    table = count_on_device(torch.from_numpy(scores), torch.from_numpy(positive))
    assert table.thresholds.tolist() == [40_000, 7, 0]
    assert table.tp.tolist() == [1, 2, 2]
    if dtype == "uint64":
        with pytest.raises(InvalidInputError, match=r"`y_score` must be at most 2\*\*63 - 1 to be sorted by PyTorch"):
            count_on_device(torch.from_numpy(scores + np.uint64(2**63)), torch.from_numpy(positive))
