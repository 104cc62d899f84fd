"""The share over the odds of an uncertain prevalence, against simulation of its definition."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._inference.bands.binomial_beta import mixtures, odds_interval
from thresher._inference.bands.cuts import cuts_along_positives
from thresher._table import Counts

DRAWS = 200_000


@pytest.mark.some(2)
@pytest.mark.parametrize("n, share, shift", [(40, 0.3, 1.0), (500, 0.1, 1.4), (500, 0.5, -2.0), (20_000, 0.02, 1.4)])
def test_quantiles_are_those_of_the_draws(n: int, share: float, shift: float) -> None:
    rng = np.random.default_rng(11)
    y = rng.random(n) < share
    counts = Counts(y, rng.normal(size=n) + shift * y)
    cuts = cuts_along_positives(counts)
    x = np.array([0.05, 0.3, 0.5, 0.9, 1.0])
    shares = mixtures(cuts, x, ("fewest",)), mixtures(cuts, x, ("most",))
    ends = odds_interval(shares, counts.n_pos, counts.n_neg, 0.025)
    for i, at in enumerate(x):
        j = rng.binomial(cuts.n_along, at, DRAWS)
        few, many = cuts.fewest(j), cuts.most(j)
        # Three quarters of a case more where they do most harm.
        more = rng.beta(counts.n_pos + 0.75, counts.n_neg, DRAWS)
        less = rng.beta(counts.n_pos, counts.n_neg + 0.75, DRAWS)
        low = np.where(few == 0, 0.0, rng.beta(few + 0.5, cuts.n_across - few + 0.5)) * (1 - more) / more
        alpha = rng.beta(many + 0.5, cuts.n_across - many + 0.5)
        high = np.where(many == cuts.n_across, 1.0, alpha) * (1 - less) / less
        # Five standard errors of a tail probability of 2.5% in so many draws.
        slack = 5 * np.sqrt(0.025 * 0.975 / DRAWS) + 5e-4
        assert np.mean(low < ends[0][i]) <= 0.025 + slack
        assert np.mean(low <= ends[0][i]) >= 0.025 - slack
        assert np.mean(high > ends[1][i]) <= 0.025 + slack
        assert np.mean(high >= ends[1][i]) >= 0.025 - slack
