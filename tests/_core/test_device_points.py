"""Points of the curve of rows on a device: those of the table in main memory, with the scores next to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.devices import LIBRARIES, ranks_of, rows
from thresher._core import device_path
from thresher._core.device_path import ends_on_device, hull_on_device, rows_around
from thresher._core.device_ranks import rank_on_device

pytestmark = pytest.mark.optional  # torch


def check(ranks, table):
    assert ends_on_device(ranks).tolist() == [table.thresholds[0], table.thresholds[-1]]
    hull = table.roc().hull()
    scores, tp, fp = hull_on_device(ranks)
    assert scores.tolist() == hull.thresholds[1:].tolist()
    assert tp.tolist() == hull.tp[1:].tolist()
    assert fp.tolist() == hull.fp[1:].tolist()


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["both signs", "probabilities", "ties", "integers"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_ends_and_hull(library, kind, share, monkeypatch):
    y, s = rows(kind, share, 1500)
    check(ranks_of(library, y, s), th.Scores(y, s))
    monkeypatch.setattr(device_path, "_FEW_POINTS", 10)
    check(ranks_of(library, y, s), th.Scores(y, s))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=2, max_size=30), st.floats(0, 1))
def test_small_samples(pairs, share):
    y, s = (np.array(column) for column in zip(*pairs, strict=True))
    if y.all() or not y.any():
        return
    table, ranks = th.Scores(y, s), rank_on_device(s.astype(np.float64), y)
    check(ranks, table)
    targets = [("threshold", 11 * share - 1), ("fpr", share * table.n_neg), ("tpr", share * table.n_pos)]
    for name, target in targets:
        scores, tp, fp = rows_around(ranks, name, target)
        for mine, theirs in zip((tp, fp), table._counts_at(scores), strict=True):
            assert mine.tolist() == theirs.tolist()
        small = th.Scores.from_counts(scores, np.diff(tp, prepend=0), np.diff(fp, prepend=0))
        asked = {name: target if name == "threshold" else share}
        assert small.roc().at(**asked) == table.roc().at(**asked)
