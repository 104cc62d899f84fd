"""Histograms of estimates: distances to the normal distribution, and what is drawn of a cell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from papers.drawing import panels
from papers.hughes_oliver import sampling
from papers.hughes_oliver.sampling import Cell


def test_the_largest_distance_is_kolmogorovs():
    values = np.sort(np.random.default_rng(0).normal(0.5, 0.1, 200))
    want = stats.kstest(values, stats.norm(0.5, 0.12).cdf).statistic
    assert sampling._distance(values, 0.5, 0.12) == pytest.approx(want, rel=1e-12)


def test_equal_values_are_one_step():
    # All at the mean: the normal distribution has one half there, the sample nothing and then everything.
    assert sampling._distance(np.full(7, 0.5), 0.5, 0.1) == 0.5
    assert math.isnan(sampling._distance(np.full(7, 0.5), 0.5, 0.0))
    assert math.isnan(sampling._distance(np.full(7, 0.5), 0.5, math.nan))


def test_figures_by_number():
    assert [sampling._spec(number).number for number in range(7, 12)] == [7, 8, 9, 10, 11]
    assert sampling._spec(9).case == "F"


@pytest.mark.parametrize("sd, lines", [(0.1, 2), (0.001, 1)])
def test_a_law_that_is_nearly_a_point_has_no_density(sd, lines):
    pytest.importorskip("matplotlib")
    ax = panels(1, 1)[1][0, 0]
    sampling._histogram(ax, Cell(np.linspace(0.4, 0.6, 50), 0.5, sd, 0.0, 0.0))
    assert len(ax.lines) == lines
    assert ax.lines[-1].get_xydata().tolist() == [[0.5, 0.0]]


def test_a_small_figure(monkeypatch):
    from dataclasses import is_dataclass, replace

    spec = sampling._spec(7)
    small = {"sizes": (40,), "recalls": (0.5, 1.0), "n_replicates": 200}
    made = replace(spec, **small) if is_dataclass(spec) else spec._replace(**small)
    monkeypatch.setattr(sampling, "_spec", lambda number: made)
    sampling.cells.cache_clear()
    try:
        found = sampling.cells(7)
        assert list(found) == [(40, 0.5), (40, 1.0)]
        assert np.all(np.diff(found[40, 0.5].values) >= 0)
        assert math.isnan(found[40, 1.0].limit_sd)  # at recall 1 there is no limit
        (half, whole) = sampling._table(7).rows
        assert half[0] == "0.5"
        assert whole[2].split(" / ")[2:4] == ["–", "–"]
        assert sampling._range(7, 40, 0.4, 0.6) == [found[40, 0.5].distance]
    finally:
        sampling.cells.cache_clear()
