"""The H-measure by integrating the least cost over the beta law, threshold by threshold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.measures import HMeasure

Y = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
X = [9, 8, 8, 7, 6, 5, 5, 4, 3, 2, 1, 0]


def by_integral(law, share: float) -> float:
    """Return 1 - the least expected cost over that of the better constant call; a false positive costs c."""
    y, x = np.array(Y, dtype=bool), np.array(X)
    cuts = [*sorted(set(X), reverse=True), -1]
    rates = [(1 - (x[y] > cut).mean(), (x[~y] > cut).mean()) for cut in [np.inf, *cuts]]

    def least(c):
        return min(share * (1 - c) * miss + (1 - share) * c * alarm for miss, alarm in rates)

    def constant(c):
        return min(share * (1 - c), (1 - share) * c)

    # Two points of Gauss in each of many short pieces; the least cost bends in a few of them only.
    grid = np.linspace(0, 1, 2001)
    middle, half = (grid[1:] + grid[:-1]) / 2, (grid[1:] - grid[:-1]) / 2
    at = np.concatenate((middle - half / 3**0.5, middle + half / 3**0.5))
    dense = law.pdf(at)
    parts = [float(dense @ [cost(c) for c in at]) for cost in (least, constant)]
    return 1 - parts[0] / parts[1]


@pytest.mark.parametrize(
    ("options", "law", "share"),
    [
        ({}, stats.beta(4 / 3, 5 / 3), 1 / 3),
        ({"weight": (2, 5)}, stats.beta(2, 5), 1 / 3),
        ({"severity": 0.5}, stats.beta(2, 3), 1 / 3),
        ({"prevalence": 0.1}, stats.beta(1.1, 1.9), 0.1),
        ({"weight": (2, 2), "prevalence": 0.8}, stats.beta(2, 2), 0.8),
    ],
)
def test_by_integration(options, law, share):
    assert HMeasure(**options).of(th.Scores(Y, X)) == pytest.approx(by_integral(law, share), abs=2e-6)


def test_the_ends():
    assert HMeasure().of(th.Scores([1, 1, 0], [3, 2, 1])) == 1.0
    assert HMeasure().of(th.Scores([0, 0, 1], [3, 2, 1])) == 0.0
    assert HMeasure().of(th.Scores([0, 1, 1], [2, 2, 2])) == pytest.approx(0.0, abs=1e-15)


def test_options_are_told_and_checked():
    assert HMeasure().described() == "h_measure"
    assert HMeasure(weight=[2, 5]).weight == (2.0, 5.0)
    assert "weight (2, 5)" in HMeasure(weight=(2, 5)).described()
    assert HMeasure().needs_balance
    assert not HMeasure(prevalence=0.5).needs_balance
    for bad in ((0, 1), (1, 2, 3), (2, -1), "hand"):
        with pytest.raises(th.InvalidInputError, match="`weight` must be 'hand2014' or a pair"):
            HMeasure(weight=bad)
    for bad in (0, -1.0, "1"):
        with pytest.raises(th.InvalidInputError, match="`severity` must be positive"):
            HMeasure(severity=bad)
