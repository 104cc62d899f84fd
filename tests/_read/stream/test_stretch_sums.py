"""Sums over a stretch of distinct scores, against exact arithmetic; points that pass marks, by their definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from thresher._core import native
from thresher._core.counting import count_rows
from thresher._read.stream.collect import HULL, MARK, UNIT, Marks, between, marked, tally_keys, tally_table


def rows(n=400, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return (rng.normal(size=n) + y).round(1), y


def exact(pos, neg, before, n_neg):
    """Return every sum of a tally from its definition; areas as fractions."""
    tp, fp = before
    twice_u = pos_squares = neg_squares = tied = shared = shared_pos = 0
    average = Fraction(0)
    for p, q in zip(pos, neg, strict=True):
        twice_u += q * (2 * tp + p)
        pos_squares += p * (2 * n_neg - 2 * fp - q) ** 2
        neg_squares += q * (2 * tp + p) ** 2
        tied += p * q
        shared += p > 0 and q > 0
        shared_pos += p if q else 0
        tp, fp = tp + p, fp + q
        average += p * Fraction(tp, tp + fp) if p else 0
    return (twice_u, pos_squares, neg_squares, tied, shared, shared_pos), average


SUMS = ("twice_u", "pos_squares", "neg_squares", "tied", "shared_scores", "shared_pos")


@pytest.mark.parametrize("before", [(0, 0), (7, 1000)])
def test_a_piece_of_a_table(before):
    s, y = rows()
    table = count_rows(s, y)
    marks = Marks.make(before[0] + int(y.sum()), before[1] + int((~y).sum()) + 5, 1000)
    found = tally_table(table, before, marks, 10**6)
    sums, average = exact(table[1].tolist(), table[2].tolist(), before, marks.n_neg)
    assert tuple(getattr(found, name) for name in SUMS) == sums
    assert found.average_precision / UNIT == pytest.approx(float(average), rel=1e-14)
    assert (found.scores, found.positives, found.negatives) == (len(table[0]), y.sum(), (~y).sum())
    assert (found.first.tolist(), found.thresholds.tolist()) == ([s.max()], table[0].tolist())
    assert found.below.tolist() == [*table[0][1:].tolist(), s.min()]
    assert found.tp.tolist() == (before[0] + np.cumsum(table[1])).tolist()


def test_weights_give_the_same_sums_in_floats():
    s, y = rows()
    thresholds, pos, neg = count_rows(s, y)
    marks = Marks.make(int(y.sum()), int((~y).sum()), 1000)
    whole = tally_table((thresholds, pos, neg), (0, 0), marks, 10**6)
    halves = tally_table(
        (thresholds, pos / 2, neg / 2, pos / 4, neg / 4),
        (0.0, 0.0),
        Marks.make(y.sum() / 2, (~y).sum() / 2, 1000),
        10**6,
    )
    for name, scale in zip(SUMS, (4, 8, 8, 4, 1, 2), strict=True):
        assert scale * getattr(halves, name) == pytest.approx(getattr(whole, name), rel=1e-14), name
    assert 2 * halves.average_precision == pytest.approx(whole.average_precision / UNIT, rel=1e-14)
    assert halves.counts is not None
    assert [column.sum() for column in halves.squares] == [y.sum() / 4, (~y).sum() / 4]


@pytest.mark.skipif(not native.available(), reason="the kernels are not compiled")
def test_keys_by_the_kernel_are_the_same_bits():
    s, y = (column[:200] for column in rows())
    s = np.abs(s) + 0.5
    table = count_rows(s, y)
    marks = Marks.make(int(y.sum()) + 3, int((~y).sum()) + 9, 50)
    # A key is the score's bits with the label in the last place, as the streams keep it.
    stream = native.stream(np.dtype(np.float64), 4096, 64)
    stream.learn(s, 1)
    stream.add(s, y.view(np.uint8), 0)
    ordinals, pos, neg, owner = stream.frequent()
    found = []
    for bucket in range(stream.buckets):
        keys = np.concatenate([np.empty(0, np.uint64), *stream.chunks(bucket)])
        frequent = tuple(column[owner == bucket] for column in (ordinals, pos, neg))
        if keys.size or frequent[0].size:
            room = np.empty(keys.size + 128, dtype=np.uint64)
            room[: keys.size] = keys
            negative = bucket >= stream.buckets // 2
            found.append(tally_keys(np.dtype(np.float64), (room, keys.size, negative), frequent, (3, 4), marks, 10**6))
    (ours,) = found
    expected = tally_table(table, (3, 4), marks, 10**6)
    for name in (*SUMS, "scores", "positives", "negatives", "average_precision", "interpolated"):
        assert getattr(ours, name) == getattr(expected, name), name
    for name in ("first", "thresholds", "below", "tp", "fp"):
        assert getattr(ours, name).tolist() == getattr(expected, name).tolist(), name


def test_marked_points_are_hull_and_marks():
    s, y = rows(3000, seed=2)
    s = np.arange(3000.0)[::-1]
    _, pos, neg = count_rows(s, y)
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    marks = Marks.make(int(tp[-1]), int(fp[-1]), 40)
    kept, why = marked(tp, fp, (0, 0), marks, 0)
    assert kept.size < 120
    previous_tp, previous_fp = np.append(0, tp[:-1]), np.append(0, fp[:-1])
    for i in range(tp.size):
        steps = (tp[i] // marks.pos_step, fp[i] // marks.neg_step)
        passed = steps != (previous_tp[i] // marks.pos_step, previous_fp[i] // marks.neg_step)
        if passed:
            assert why[kept.tolist().index(i)] & MARK
    corners = kept[(why & HULL) > 0].tolist()
    # Every point lies on or below the chord of the corners around it.
    x, heights = np.append(0, fp[corners]), np.append(0, tp[corners])
    assert (np.interp(fp, x, np.maximum.accumulate(heights)) >= tp - 1e-9).all()
    everything, reasons = marked(tp, fp, (0, 0), marks, tp.size)
    assert everything.tolist() == list(range(tp.size))
    assert set(reasons.tolist()) == {MARK}


@pytest.mark.parametrize("most", [2, 10, 1000, 10**6])
@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (5, 10**9), (10**12, 3), (0, 4), (12.5, 1e-3)])
def test_marks_are_about_as_many_as_asked_for(n_pos, n_neg, most):
    marks = Marks.make(n_pos, n_neg, most)
    assert marks.pos_step > 0
    assert marks.neg_step > 0
    octaves = max(int(n_pos + n_neg), 1).bit_length() << marks.log_bits
    assert n_pos / marks.pos_step + n_neg / marks.neg_step + octaves <= max(2 * most, 2 + octaves)


def test_sums_between_kept_rows():
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    assert between(values, np.array([0, 2, 4])).tolist() == [1.0, 6.0, 24.0]
    assert between(values, np.array([4])).tolist() == [31.0]
