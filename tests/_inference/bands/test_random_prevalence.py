"""The share over the odds of an uncertain prevalence, against simulation of its definition."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._inference.bands.binomial_beta import mixtures
from thresher._inference.bands.class_cuts import cuts_along_positives
from thresher._inference.bands.random_prevalence import odds_interval
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
    ends = odds_interval(mixtures(cuts, x), counts.n_pos, counts.n_neg, 0.025)
    for i, at in enumerate(x):
        j = rng.binomial(cuts.n_along, at, DRAWS)
        seen = np.where(rng.random(DRAWS) < 0.5, cuts.fewest(j), cuts.most(j))
        alpha = rng.beta(seen + 0.5, cuts.n_across - seen + 0.5)
        pi = rng.beta(counts.n_pos + 0.5, counts.n_neg + 0.5, DRAWS)
        odds = (1 - pi) / pi
        low = np.where(seen == 0, 0.0, alpha) * odds
        high = np.where(seen == cuts.n_across, 1.0, alpha) * odds
        # Five standard errors of a tail probability of 2.5 % in so many draws.
        slack = 5 * np.sqrt(0.025 * 0.975 / DRAWS) + 5e-4
        assert np.mean(low < ends[0][i]) <= 0.025 + slack
        assert np.mean(low <= ends[0][i]) >= 0.025 - slack
        assert np.mean(high > ends[1][i]) <= 0.025 + slack
        assert np.mean(high >= ends[1][i]) >= 0.025 - slack
