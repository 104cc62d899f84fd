"""Stretches put together: all points, or some with the exact figures of all, wherever the stretches end."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from support.tables import assert_same
from thresher._core.counting import count_rows
from thresher._read.stream.collect import HULL, MARK, Collector, Marks, _kept, _spread, tally_table


def collected(s, y, most, ends):
    """Count rows in stretches that end at those places of the table."""
    table = count_rows(s, y)
    collector = Collector(Marks.make(int(y.sum()), int((~y).sum()), most), most)
    for part in np.split(np.arange(len(table[0])), ends):
        if part.size:
            piece = tuple(column[part] for column in table)
            collector.add(tally_table(piece, collector.before, collector.marks, collector.most_points))
    return collector.result(th.Scores)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    y = rng.random(2000) < 0.3
    return (rng.normal(size=2000) + y).round(2), y


@pytest.mark.parametrize("ends", [[], [1], [100], [7, 8, 200, 300]])
@pytest.mark.parametrize("most", [10, 60, 100_000])
def test_any_stretches_give_the_same_table(data, most, ends):
    s, y = data
    found = collected(s, y, most, ends)
    assert_same(found, th.Scores(y, s), hull=most > 10)  # of ten points the hull gets five
    assert found == collected(s, y, most, [50])
    assert len(found) <= most


def test_room_for_the_next_stretch(data):
    s, y = data
    table = count_rows(s, y)
    collector = Collector(Marks.make(int(y.sum()), int((~y).sum()), 100), 100)
    assert collector.most_points == 100
    collector.add(tally_table(tuple(column[:30] for column in table), (0, 0), collector.marks, 100))
    assert (collector.n_scores, collector.most_points) == (30, 70)
    assert collector.before == (table[1][:30].sum(), table[2][:30].sum())
    collector.add(tally_table(tuple(column[30:] for column in table), collector.before, collector.marks, 70))
    assert collector.most_points == 0  # not all will fit, whatever comes


def test_an_empty_stretch_changes_nothing(data):
    s, y = data
    table = count_rows(s, y)
    collector = Collector(Marks.make(int(y.sum()), int((~y).sum()), 10**6), 10**6)
    empty = tuple(column[:0] for column in table)
    collector.add(tally_table(table, (0, 0), collector.marks, 10**6))
    before = collector.before
    collector.add(tally_table(empty, before, collector.marks, 10**6))
    assert (collector.before, collector.result(th.Scores)) == (before, th.Scores(y, s))


def test_rows_are_spread_evenly_with_the_last():
    rows = np.arange(0, 1000, 10)
    assert _spread(rows, 100).tolist() == rows.tolist()
    assert _spread(rows, 0).tolist() == []
    assert _spread(rows, 1).tolist() == [990]
    few = _spread(rows, 4)
    assert few.tolist() == [0, 330, 660, 990]


def test_vertices_come_before_marks():
    tp, fp = np.array([1, 2, 2, 3]), np.array([0, 0, 1, 2])
    why = np.array([MARK, HULL, MARK, HULL | MARK], dtype=np.uint8)
    assert _kept(tp, fp, why, 10).tolist() == [0, 1, 2, 3]
    assert _kept(tp, fp, why, 4).tolist() == [0, 1, 2, 3]
    assert _kept(tp, fp, why, 3).tolist()[-1] == 3
    assert len(_kept(tp, fp, why, 2)) == 2
