"""Bands of net benefit: the resampled one beside a resampling of rows, the rectangle's beside beta quantiles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thresher._inference.order_bounds import local_level
from thresher._inference.rates.net_benefit import max_t_band, rectangle_band

PROBABILITY = np.array([0.1, 0.3, 0.6])
WEIGHT = PROBABILITY / (1 - PROBABILITY)


def rows():
    rng = np.random.default_rng(0)
    y = np.arange(90) < 20
    return y, np.clip(rng.normal(0.3 + 0.25 * y, 0.15), 0, 1)


def calls(y, x):
    return (np.array([((x >= p) & side).sum() for p in PROBABILITY], dtype=float) for side in (y, ~y))


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_the_resampled_band_is_that_of_rows(prevalence):
    y, x = rows()
    tp, fp = calls(y, x)
    low, high = max_t_band(tp, fp, 20, 70, WEIGHT, prevalence, 0.9, 20_000, np.random.default_rng(1))

    def benefit(y, x):
        tp, fp = calls(y, x)
        if prevalence is None:
            return (tp - WEIGHT * fp) / 90
        return prevalence * tp / 20 - (1 - prevalence) * WEIGHT * fp / 70

    value = benefit(y, x)
    np.testing.assert_allclose((low + high) / 2, value, atol=1e-12)
    rng = np.random.default_rng(2)
    curves = []
    for _ in range(3000):
        if prevalence is None:
            pick = rng.integers(0, 90, 90)
        else:
            pick = np.concatenate((rng.integers(0, 20, 20), rng.integers(20, 90, 70)))
        curves.append(benefit(y[pick], x[pick]))
    curves = np.array(curves)
    spread = np.maximum(curves.std(axis=0, ddof=1), 1 / 90)  # a point that hardly varies is given one case
    most = (np.abs(curves - value) / spread).max(axis=1)
    np.testing.assert_allclose((high - low) / 2, np.quantile(most, 0.9) * spread, rtol=0.06)


def test_no_spread_is_that_of_one_case():
    # Everything is called at each threshold and at another prevalence nothing can vary.
    low, high = max_t_band(
        np.full(3, 4.0), np.full(3, 6.0), 4, 6, WEIGHT, 0.3, 0.9, 200, np.random.default_rng(0)
    )  # fmt: skip
    np.testing.assert_allclose(low, 0.3 - 0.7 * WEIGHT)
    np.testing.assert_allclose(high, low)


def test_rectangles_by_beta_quantiles():
    tp, fp, n_pos, n_neg, share = np.array([18.0, 11.0, 0.0]), np.array([30.0, 6.0, 0.0]), 20, 70, 0.1
    low, high = rectangle_band(tp, fp, n_pos, n_neg, WEIGHT, share, 0.9)
    for i in range(3):
        ends = []
        for k, n in ((int(tp[i]), n_pos), (int(fp[i]), n_neg)):
            tail = local_level(n, 0.9**0.5) / 2
            # The rate lies between the k-th and the (k + 1)-th of n uniform order statistics.
            ends.append(
                (
                    stats.beta.ppf(tail, k, n + 1 - k) if k else 0.0,
                    stats.beta.isf(tail, k + 1, n - k) if k < n else 1.0,
                )
            )
        (tpr_low, tpr_high), (fpr_low, fpr_high) = ends
        assert low[i] == pytest.approx(share * tpr_low - (1 - share) * WEIGHT[i] * fpr_high)
        assert high[i] == pytest.approx(share * tpr_high - (1 - share) * WEIGHT[i] * fpr_low)
