"""Separation of laws whose supports touch, overlap or do not, and the extreme curves by their points."""

from __future__ import annotations

import pytest
from scipy import stats

import thresher as th
from thresher.population import Mixture, PointMass
from thresher.population._reference import find_separation
from thresher.population._wrap import as_law


@pytest.mark.parametrize(
    ("pos", "neg", "kind"),
    [
        (stats.uniform(2, 1), stats.uniform(0, 1), "perfect"),
        (stats.uniform(0, 1), stats.uniform(2, 1), "reverse"),
        (stats.uniform(1, 1), stats.uniform(0, 1), "perfect"),  # they touch where neither has an atom
        (stats.uniform(1, 1), PointMass(1), "perfect"),
        (PointMass(1), PointMass(1), None),
        (PointMass(1), stats.uniform(0, 1), "perfect"),
        (Mixture([PointMass(1), stats.uniform(1, 1)], [0.5, 0.5]), PointMass(1), None),
        (stats.uniform(0.5, 1), stats.uniform(0, 1), None),
        (stats.norm(9), stats.norm(-9), None),
    ],
)
def test_kinds(pos, neg, kind):
    assert find_separation(as_law(pos, "pos"), as_law(neg, "neg"), 0.3).kind == kind


def test_the_extreme_curves():
    found = th.Population(stats.norm(1), stats.norm(), prevalence=0.3).separation()
    assert (found.perfect_roc.tpr.tolist(), found.perfect_roc.fpr.tolist()) == ([0, 1, 1], [0, 0, 1])
    assert (found.reverse_roc.tpr.tolist(), found.reverse_roc.fpr.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert found.perfect_pr.at(recall=1.0).precision == 1.0
    # Reverse: after all negatives, precision r pi / (r pi + 1 - pi).
    assert found.reverse_pr.at(recall=0.5).precision == pytest.approx(0.15 / 0.85)
    assert found.reverse_pr.at(recall=1.0).precision == pytest.approx(0.3)
