"""Several scorers on the same rows: checked once, sorted once for each use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

import thresher as th
from thresher._compare.paired_rows import _check_sums, doubled_midranks, read_rows
from thresher._core import native

RNG = np.random.default_rng(3)
Y = RNG.random(200) < 0.4
MODELS = {name: RNG.normal(size=200) + Y for name in "abc"}


@pytest.mark.skipif(not native.available(), reason="counts calls of the compiled kernels, which were not built")
def test_three_scorers_are_counted_once_each_and_placed_once_each(monkeypatch):
    calls = []
    for name in ("plain_table", "count_running", "placements"):
        kernel = getattr(native, name)

        def counted(*args, _kernel=kernel, _name=name, **options):
            calls.append(_name)
            return _kernel(*args, **options)

        monkeypatch.setattr(native, name, counted)
    th.compare(Y, MODELS)
    assert sorted(calls) == ["placements"] * 3 + ["plain_table"] * 3


def test_missing_classes_are_found_without_a_count():
    with pytest.raises(
        th.UndefinedMetricError, match="A comparison needs both classes; got 3 positives and 0 negatives"
    ):
        read_rows([1, 1, 1], {"a": [1, 2, 3], "b": [3, 2, 1]})
    with pytest.raises(th.InvalidInputError, match="must leave some rows"):
        read_rows([1, 0], {"a": [1, 2], "b": [2, 1]}, sample_weight=[0, 0])


@pytest.mark.parametrize(("heavy", "side"), [(0, "positive"), (1, "negative")])
def test_weights_of_a_class_that_do_not_add_up_are_refused(heavy, side):
    weight = np.ones(4, dtype=np.int64)
    weight[[heavy, heavy + 2]] = 2**62  # their sum would wrap to -2**63
    with pytest.raises(th.InvalidInputError, match=f"must add up to less than 2.*; got {2**63} {side}s"):
        _check_sums(np.array([True, False, True, False]), weight)
    weight[[heavy, heavy + 2]] = 2**60
    _check_sums(np.array([True, False, True, False]), weight)


def test_midranks_by_definition():
    scores = np.array([2.0, 1.0, 2.0, 5.0])
    ranks = [np.sum(scores < s) + (np.sum(scores == s) + 1) / 2 for s in scores]
    assert doubled_midranks(scores).tolist() == [2 * rank for rank in ranks]


LABELS = [1, 0, 1, 0]


@given(st.lists(st.sampled_from([-2.0, -0.0, 0.0, 1.5, 3.0, np.inf, -np.inf]), min_size=1, max_size=15))
def test_midranks_against_scipy(values):
    assert (doubled_midranks(np.array(values)) / 2).tolist() == rankdata(values).tolist()


def test_tables_of_weighted_rows_are_those_of_scores():
    rng = np.random.default_rng(1)
    y, s, w = np.arange(30) % 3 == 0, rng.integers(0, 8, (2, 30)), rng.integers(0, 4, 30)
    w[:2] = 1
    rows = read_rows(y, {"a": s[0], "b": s[1]}, sample_weight=w)
    assert rows.positive.size == (w > 0).sum() == rows.scores[1].size
    grouped = read_rows(y, {"a": s[0], "b": s[1]}, sample_weight=w, cluster=np.arange(30) // 2)
    assert grouped.cluster.size == rows.positive.size
    for model in (0, 1):
        assert rows.counts(model) == th.Scores(y, s[model], sample_weight=w)
    assert rows.models([1, 0]).names == ("b", "a")
    assert rows.models([1, 0]).counts(0) == rows.counts(1)


def test_both_zeros_are_one_score():
    rows = read_rows(LABELS, {"a": [0.0, -0.0, 1.0, -1.0], "b": [1, 2, 3, 4]})
    assert not np.signbit(rows.scores[0][1])


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([1, 2], {}, "`y_scores` must map names to scores, or be a frame with a column for each; got list"),
        ({"a": [1, 2, 3, 4]}, {}, "must hold at least two models; got 1"),
        ({1: [1, 2, 3, 4], 2: [1, 2, 3, 4]}, {}, "must have names that are text; got 1"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 3]}, {}, "3"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}, {"cluster": [1, 2, 3]}, "`cluster` must have the same length"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}, {"sample_weight": [0, 0, 0, 0]}, "must leave some rows"),
        ({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}, {"sample_weight": [1, 0, 1, 0]}, "no negative row"),
    ],
)
def test_what_is_refused(scores, options, message):
    with pytest.raises((th.ThresherError), match=message):
        read_rows(LABELS, scores, **options)


def test_weights_of_one_are_none():
    y, a = [1, 0, 1, 0, 1], [5, 4, 3, 2, 1]
    assert read_rows(y, {"a": a, "b": a[::-1]}, sample_weight=np.ones(5)).weight is None
    assert read_rows(y, {"a": a, "b": a[::-1]}, sample_weight=[1, 1, 1, 1, 2]).weight is not None


def test_tables_have_no_rows():
    y, a = [1, 0, 1, 0, 1], [5, 4, 3, 2, 1]
    with pytest.raises(th.exceptions.InvalidTypeError, match=r"`y_scores\['b'\]` must be the scores of rows"):
        th.compare(y, {"a": a, "b": th.Scores(y, a)})
