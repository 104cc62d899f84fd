"""Useless, perfect and reverse separation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate

import thresher as th
from papers.hughes_oliver import reference_curves


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
