"""Cuts of weighted and clustered rows: shares above each and what they are worth, by loops over rows and clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._inference.bands.cuts import Cuts, weighted_cuts


def rows(seed: int = 0, n: int = 40):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, rng.integers(0, 8, n).astype(float), rng.choice([0.5, 1.0, 3.0], n), rng.integers(0, 12, n)


def test_shares_above_every_cut():
    y, x, w, _ = rows()
    scores = th.Scores(y, x, sample_weight=w)
    found = weighted_cuts(scores, along_positives=False, confidence_level=0.95)
    cuts = [np.inf, *scores.thresholds]
    sides = (found.along / found.n_along, found.worth[0], ~y), (found.across / found.n_across, found.worth[1], y)
    for share, worth, mine in sides:
        want = [w[mine & (x >= cut)].sum() / w[mine].sum() for cut in cuts]
        np.testing.assert_allclose(share, want)
        # All of a class is worth its effective rows, or fewer where a typical weight is larger.
        assert 0 < worth[-1] <= w[mine].sum() ** 2 / (w[mine] ** 2).sum() * (1 + 1e-12)
    turned = weighted_cuts(scores, along_positives=True, confidence_level=0.95)
    np.testing.assert_array_equal(turned.along, found.across)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_clusters_by_their_residuals(level):
    y, x, w, g = rows(1)
    scores = th.Scores(y, x, sample_weight=w, cluster=g)
    found = weighted_cuts(scores, along_positives=True, confidence_level=level)
    for worth, mine in zip(found.worth, (y, ~y), strict=True):
        members = [mine & (g == one) for one in np.unique(g[mine])]
        total = w[mine].sum()
        k, n = len(members), int(mine.sum())
        ratio = (stats.t.ppf((1 - level) / 2, n - 1) / stats.t.ppf((1 - level) / 2, k - 1)) ** 2
        ratio *= (k - 1) / k * n / (n - 1)
        for i, cut in enumerate(scores.thresholds, 1):
            share = w[mine & (x >= cut)].sum() / total
            gaps = [(w[one] * ((x[one] >= cut) - share)).sum() for one in members]
            if 0 < share < 1:
                want = ratio * share * (1 - share) * total**2 / np.square(gaps).sum()
            else:
                want = total**2 / np.square([w[one].sum() for one in members]).sum()
            assert worth[i] == pytest.approx(want)


CUTS = Cuts(
    np.array([0.0, 0.25, 0.25, 0.5, 1.0]),
    np.array([0.0, 0.1, 0.4, 0.4, 1.0]),
    1.0,
    1.0,
    worth=(np.array([4.0, 4.0, 6.0, 8.0, 10.0]), np.zeros(5)),
)


@pytest.mark.parametrize(
    ("x", "lower", "upper"), [(0.0, 0.0, 0.0), (0.125, 0.05, 0.05), (0.25, 0.1, 0.4), (0.75, 0.7, 0.7), (1.0, 1.0, 1.0)]
)
def test_where_a_curve_jumps(x, lower, upper):
    at = np.array([x])
    assert CUTS.value(at) == pytest.approx([lower])
    assert CUTS.value(at, at_jumps="upper") == pytest.approx([upper])


def test_a_share_is_met_by_its_rounded_twin():
    along, across = np.array([0.0, 0.1 + 0.2, 1.0]), np.array([0.0, 0.8, 1.0])
    assert Cuts(along, across, 1.0, 1.0).value(np.array([0.3])) == pytest.approx([0.8], abs=1e-15)


def test_cuts_of_a_share():
    share = np.array([0.0, 0.1, 0.25, 0.3, 0.5, 1.0])
    # The first cut that reaches the share, less the score that reaches it; and with that score.
    assert CUTS.fewest(share).tolist() == [0.0, 0.0, 0.0, 0.4, 0.4, 0.4]
    assert CUTS.most(share, 0.0).tolist() == [0.1, 0.1, 0.1, 0.4, 0.4, 1.0]


def test_sizes_are_whole_and_at_least_one():
    assert CUTS.size(np.array([0.0, 0.5, 0.75])).tolist() == [4, 8, 9]
    small = Cuts(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 1.0, 1.0, worth=(np.array([0.2, 0.2]),) * 2)
    assert small.size(np.array([0.5])).tolist() == [1]
