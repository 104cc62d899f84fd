"""Points of a population curve: each is a point of the two distributions, atoms included, from none to all."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thresher.population import Discrete, Mixture
from thresher.population._maps import trace
from thresher.population._wrap import as_distribution


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        (stats.norm(1), stats.norm()),
        (stats.beta(3, 1), stats.uniform()),
        (stats.poisson(4), stats.poisson(2)),
        (Mixture([stats.norm(1), Discrete([0.0])], [0.5, 0.5]), stats.norm()),
        (stats.cauchy(1), Discrete([0.5])),
    ],
)
def test_points_are_those_of_the_laws(pos, neg):
    first, second = as_distribution(pos, "pos"), as_distribution(neg, "neg")
    thresholds, tpr, fpr = trace(first, second, 64)
    assert (thresholds[0], tpr[0], fpr[0]) == (np.inf, 0.0, 0.0)
    assert (tpr[-1], fpr[-1]) == (1.0, 1.0)
    assert (np.diff(thresholds) < 0).all()
    assert (np.diff(tpr) >= 0).all()
    assert (np.diff(fpr) >= 0).all()
    assert ((np.diff(tpr) > 0) | (np.diff(fpr) > 0)).all()
    for distribution, rate in ((first, tpr), (second, fpr)):
        inner = np.isfinite(thresholds)
        atoms, masses = distribution.atoms()
        at = np.array([masses[atoms == t].sum() for t in thresholds[inner]])
        np.testing.assert_allclose(rate[inner], distribution.sf(thresholds[inner]) + at, rtol=1e-9, atol=1e-12)
        assert set(atoms[(masses > 1e-9) & (atoms > -np.inf)].tolist()) <= set(thresholds.tolist())


def test_tails_are_followed_far_out():
    _, tpr, fpr = trace(as_distribution(stats.norm(1), "pos"), as_distribution(stats.norm(), "neg"), 200)
    assert 0 < fpr[fpr > 0].min() < 1e-8
    assert 0 < 1 - tpr[tpr < 1].max() < 1e-8
    assert tpr.size > 150


def test_few_points_are_enough():
    thresholds, _, _ = trace(as_distribution(stats.norm(1), "pos"), as_distribution(stats.norm(), "neg"), 2)
    assert 4 <= thresholds.size < 12
