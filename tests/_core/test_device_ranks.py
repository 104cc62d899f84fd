"""Classes in order on a device: every sum has the bits of the processor's."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import thresher as th
from support.devices import CHOICES, FIGURES, LIBRARIES, converter, rows
from thresher._core import device
from thresher._core.device_ranks import has_doubles, rank_on_device
from thresher.exceptions import InvalidInputError

pytestmark = pytest.mark.optional  # torch


def check(convert, scores, positive):
    ranks = rank_on_device(convert(scores), convert(positive))
    table = th.Scores(positive, scores)
    assert (ranks.n_pos, ranks.n_neg) == (table.n_pos, table.n_neg)
    found = ranks.table()
    assert np.array_equal(np.asarray(found.thresholds), table.thresholds)
    assert np.array_equal(np.asarray(found.tp), table.tp)
    assert np.array_equal(np.asarray(found.fp), table.fp)
    assert ranks.twice_u() == table._twice_u
    if table.n_pos and table.n_neg:
        assert ranks.average_precision() / ranks.n_pos == table.pr_auc(estimator="average_precision").value
        assert ranks.interpolated() / ranks.n_pos == table.pr_auc().value
    wanted = np.concatenate((table.thresholds[:5].astype(np.float64), [np.inf, -np.inf, 0.25, -3.5, 1e30, -1e30]))
    for mine, theirs in zip(ranks.counts_at(wanted), table._counts_at(wanted), strict=True):
        assert mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("library", LIBRARIES)
@given(data=st.data())
def test_equals_the_processor(library, data):
    dtype = np.dtype(data.draw(st.sampled_from(["float64", "float32", "int64", "int32", "uint8"])))
    elements = hnp.from_dtype(dtype, allow_nan=False) if dtype.kind == "f" else hnp.from_dtype(dtype)
    few = data.draw(hnp.arrays(dtype, data.draw(st.integers(1, 12)), elements=elements))
    scores = few[data.draw(hnp.arrays(np.intp, data.draw(st.integers(1, 40)), elements=st.integers(0, few.size - 1)))]
    check(converter(library), scores, data.draw(hnp.arrays(np.bool_, scores.size)))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["both signs", "probabilities"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_larger_samples_and_chunks(library, kind, share, monkeypatch):
    rng = np.random.default_rng(3)
    positive = rng.random(20_000) < share
    scores = (rng.normal(size=20_000) + positive).astype(np.float32)
    if kind == "probabilities":
        scores = 1 / (1 + np.exp(-scores))
    check(converter(library), scores, positive)
    monkeypatch.setattr(device, "_CHUNK", 999)
    check(converter(library), np.round(scores, 3), positive)


def test_nan_is_refused():
    convert = converter("torch")
    for values in ([0.1, np.nan, 0.3], [-0.1, np.nan, 0.3]):
        with pytest.raises(InvalidInputError, match="NaN in 1 of 3 rows"):
            rank_on_device(convert(np.array(values)), convert(np.array([True, False, True])))


def test_doubles():
    assert has_doubles(converter("torch")(np.zeros(1, dtype=np.float32)))


@pytest.fixture
def scores(monkeypatch):
    """A Scores of rows on a device, which here is main memory, and its twin."""
    monkeypatch.setattr(device, "_HOST", ())
    convert = converter("torch")
    rng = np.random.default_rng(5)
    positive = rng.random(3000) < 0.2
    values = np.round(rng.normal(size=3000) + positive, 2)
    return th.Scores(convert(positive), convert(values)), th.Scores(positive, values)


def test_areas_leave_the_table_on_the_device(scores):
    mine, twin = scores
    assert mine._on_device
    assert (mine.n_pos, mine.n_neg, mine.prevalence) == (twin.n_pos, twin.n_neg, twin.prevalence)
    assert mine.roc_auc().value == twin.roc_auc().value
    for estimator in ("interpolated", "average_precision"):
        assert mine.pr_auc(estimator=estimator).value == twin.pr_auc(estimator=estimator).value
    at = np.linspace(-3, 4, 50)
    assert [column.tolist() for column in mine._counts_at(at)] == [column.tolist() for column in twin._counts_at(at)]
    assert mine._on_device


def test_the_table_comes_when_it_is_needed(scores):
    mine, twin = scores
    assert mine.pr_auc(estimator="trapezoid").value == twin.pr_auc(estimator="trapezoid").value
    assert not mine._on_device
    assert mine == twin
    assert mine.thresholds.dtype == twin.thresholds.dtype


def test_to_host(scores):
    mine, twin = scores
    here = th.Scores.load(bytes(mine))
    assert type(here) is th.Scores
    assert here._device is None
    assert here == twin
    assert here.roc_auc().value == twin.roc_auc().value


def test_everything_else_works(scores):
    mine, twin = scores
    assert repr(mine) == repr(twin)
    assert mine + mine == twin + twin
    assert pickle.loads(pickle.dumps(mine)) == twin
    assert mine.roc() == twin.roc()
    assert mine.roc_auc().standard_error() == twin.roc_auc().standard_error()


@pytest.mark.parametrize("kind", ["both signs", "probabilities", "ties", "integers"])
@pytest.mark.parametrize("name", sorted(FIGURES))
def test_figures_leave_the_table_on_the_device(name, kind, monkeypatch):
    torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")
    monkeypatch.setattr(device, "_HOST", ())
    y, s = rows(kind)
    wanted = FIGURES[name](th.Scores(y, s))
    there = th.Scores(torch.from_numpy(y), torch.from_numpy(s))
    if len(there) > 512:  # shorter tables are brought over by the default interval
        monkeypatch.setattr(type(there), "_fetched", property(lambda self: pytest.fail("the table was brought over")))
    assert FIGURES[name](there) == wanted


@pytest.mark.parametrize("name", sorted(CHOICES))
def test_choices_bring_the_table_over(name, monkeypatch):
    torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")
    monkeypatch.setattr(device, "_HOST", ())
    y, s = rows("both signs")
    there = th.Scores(torch.from_numpy(y), torch.from_numpy(s))
    assert CHOICES[name](there) == CHOICES[name](th.Scores(y, s))
    assert not there._on_device


@pytest.mark.parametrize("kind", ["both signs", "probabilities", "ties", "integers"])
@pytest.mark.parametrize("shares", [(0.1, 0.2), (0.1, 0.6), (0.5, 0.7)])
def test_sums_of_tables_stay(kind, shares, monkeypatch):
    torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")
    monkeypatch.setattr(device, "_HOST", ())
    parts = [rows(kind, share, 300 + 700 * k) for k, share in enumerate(shares)]
    mine = sum(th.Scores(torch.from_numpy(y), torch.from_numpy(2 * s + k)) for k, (y, s) in enumerate(parts))
    assert mine._on_device
    wanted = sum(th.Scores(y, 2 * s + k) for k, (y, s) in enumerate(parts))
    assert mine._twice_u == wanted._twice_u
    assert mine == wanted


def test_tables_of_different_kinds_are_added_in_main_memory(monkeypatch):
    torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")
    monkeypatch.setattr(device, "_HOST", ())
    y, s = rows("single")
    both = th.Scores(torch.from_numpy(y), torch.from_numpy(s)) + th.Scores(torch.from_numpy(y), torch.arange(y.size))
    assert not both._on_device
    assert both == th.Scores(y, s) + th.Scores(y, np.arange(y.size))
