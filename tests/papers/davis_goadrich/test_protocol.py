"""What the paper says between its theorems, on lists that can be read."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from papers.davis_goadrich import protocol


@pytest.mark.parametrize(
    "labels, scores, thresholds",
    [
        ([0, 1, 0, 0, 1, 1], [1, 2, 3, 4, 5, 6], {2, 3, 5}),
        ([0, 0, 1, 1], [4, 3, 2, 1], {3}),
        ([0, 0, 1, 1], [1, 2, 2, 3], set()),
        ([0, 1, 0, 1], [1, 2, 2, 3], {2, 3}),
    ],
)
def test_the_traversal_as_printed(labels, scores, thresholds):
    assert protocol._as_printed(np.array(labels), np.array(scores)) == thresholds


def test_the_area_under_a_hull():
    # Points (0, 1/2), (1/2, 1/2), (1/2, 1), (1, 1): the hull passes the second by.
    scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    assert protocol._hull_area(scores) == 0.875
    assert scores.roc_auc().value == 0.75


def test_the_coin_comes_out():
    assert [check.what for check in protocol.coin().checks if not check.as_expected] == []


def test_random_entries_come_out_on_few_lists(monkeypatch):
    monkeypatch.setattr(protocol, "_N_LISTS", 30)
    checks = protocol.candidate_thresholds().checks
    assert [check.ours for check in checks[:2]] == [
        "`th.tune` finds the same in 30 of 30 random lists",
        "in 30 of 30 random lists",
    ]
    assert all(check.as_expected for check in checks)
    (areas,) = protocol.wilcoxon().checks
    assert (areas.agrees, areas.ours) == (True, "equal as fractions in 30 of 30 random samples, and to `roc_auc`")
