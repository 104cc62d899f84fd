"""Useless, perfect and reverse separation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

import thresher as th
from papers.hughes_oliver import reference_curves
from thresher.population import Discrete, Mixture, Population


@pytest.mark.parametrize("entry", ["p5", "p6", "p7", "figure_1", "figure_2"])
def test_entries_are_as_expected(entry):
    checks = getattr(reference_curves, entry)().checks
    assert checks
    assert [check.what for check in checks if not check.as_expected] == []


def test_the_lowest_area_by_quadrature():
    area, _ = integrate.quad(lambda x: 0.2 * x / (0.2 * x + 0.8), 0, 1)
    assert area == pytest.approx(1 + 4 * math.log(0.8), abs=1e-12)
    assert th.min_pr_auc(0.2) == pytest.approx(area, abs=1e-12)


def test_figures_pass_the_corners():
    pytest.importorskip("matplotlib")
    figure = reference_curves._draw_figure_2()
    roc, pr = figure.axes
    assert roc.lines[-1].get_xydata().tolist() == [[0, 0], [1, 0], [1, 1]]
    x, y = pr.lines[-1].get_data()
    np.testing.assert_allclose(y, 0.2 * x / (0.2 * x + 0.8))


@pytest.mark.parametrize(
    ("pos", "neg", "kind"),
    [
        (stats.uniform(2, 1), stats.uniform(0, 1), "perfect"),
        (stats.uniform(0, 1), stats.uniform(2, 1), "reverse"),
        (stats.uniform(1, 1), stats.uniform(0, 1), "perfect"),  # they touch where neither has an atom
        (stats.uniform(1, 1), Discrete([1]), "perfect"),
        (Discrete([1]), Discrete([1]), None),
        (Discrete([1]), stats.uniform(0, 1), "perfect"),
        (Mixture([Discrete([1]), stats.uniform(1, 1)], [0.5, 0.5]), Discrete([1]), None),
        (stats.uniform(0.5, 1), stats.uniform(0, 1), None),
        (stats.norm(9), stats.norm(-9), None),
    ],
)
def test_kinds(pos, neg, kind):
    assert reference_curves.separation(Population(pos, neg)) == kind
