"""The binomial-beta distribution against its definition, term by term."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import betainc
from scipy.stats import binom

from thresher._inference.bands.binomial_beta import alpha_interval, beta_cdf, mixtures
from thresher._inference.bands.class_cuts import Cuts, cuts_along_positives
from thresher._table import Counts


def table(n: int, share: float, seed: int, decimals: int | None = None) -> Counts:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    score = rng.normal(size=n) + 1.4 * y
    return Counts(y, score if decimals is None else score.round(decimals))


def oracle(cuts: Cuts, x: float, tail: float) -> tuple[float, float]:
    """Solve the definition: a sum over all j, with the two end events at the ends."""
    j = np.arange(cuts.n_along + 1)
    weight = np.tile(binom.pmf(j, cuts.n_along, x) / 2, 2)
    seen = np.concatenate((cuts.fewest(j), cuts.most(j)))
    n = cuts.n_across

    def below(a: float, keep: np.ndarray) -> float:
        return float((weight * betainc(seen + 0.5, n - seen + 0.5, a))[keep].sum())

    none, all_ = weight[seen == 0].sum(), weight[seen == n].sum()
    low = 0.0 if none >= tail else brentq(lambda a: below(a, seen > 0) + none - tail, 0, 1, xtol=1e-14)
    high = 1.0 if all_ >= tail else brentq(lambda a: below(a, seen < n) - (1 - tail), 0, 1, xtol=1e-14)
    return low, high


@pytest.mark.parametrize("n, share", [(30, 0.5), (500, 0.1), (1000, 0.5), (20_000, 0.3)])
@pytest.mark.parametrize("decimals", [None, 1, 0])
def test_quantiles_solve_the_definition(n: int, share: float, decimals: int | None) -> None:
    cuts = cuts_along_positives(table(n, share, 7, decimals))
    x = np.array([0.003, 0.1, 0.37, 0.5, 0.9, 0.999])
    low, high = alpha_interval(mixtures(cuts, x), 0.025)
    for i, at in enumerate(x):
        want = oracle(cuts, at, 0.025)
        # Neighbouring components are taken together, which moves an end by less than a thousandth of its value.
        assert low[i] == pytest.approx(want[0], rel=1e-3, abs=1e-12)
        assert high[i] == pytest.approx(want[1], rel=1e-3, abs=1e-12)


def test_large_shapes_agree_with_the_incomplete_beta_function() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.uniform(30, 5000, 4000), rng.uniform(30, 5000, 4000)
    x = rng.beta(a, b)
    assert np.abs(beta_cdf(a, b, x) - betainc(a, b, x)).max() < 4e-5


@pytest.mark.parametrize("x", [0.0, 1.0])
def test_beta_cdf_at_the_ends(x: float) -> None:
    a, b = np.array([0.5, 100.0]), np.array([3.0, 100.0])
    assert beta_cdf(a, b, np.full(2, x)).tolist() == [x, x]


def test_end_rules() -> None:
    # No negative above the upper half of the positives, all of them above the lowest positive.
    cuts = cuts_along_positives(Counts.from_pos_neg([9.0, 8, 7, 6, 0], [5.0, 4, 3, 2, 1]))
    low, high = alpha_interval(mixtures(cuts, np.array([0.1, 0.99])), 0.025)
    assert low[0] == 0.0
    assert high[0] < 1.0
    assert high[1] == 1.0


def test_one_row_in_each_class() -> None:
    cuts = cuts_along_positives(Counts.from_pos_neg([1.0], [0.0]))
    low, high = alpha_interval(mixtures(cuts, np.array([0.5])), 0.025)
    assert (low[0], high[0]) == (0.0, 1.0)
