import math

import numpy as np
import pytest

from thresher.inference._bootstrap import bootstrap_counts
from thresher.inference._bootstrap_rows import bootstrap
from thresher.inference._resample import class_draw
from thresher.inference._statistic import make_statistic


@pytest.mark.parametrize("counts", [[1] * 40, [3, 1, 2] * 10, [500, 0, 300, 200], [10**9, 3 * 10**9]])
def test_draws_of_a_class_are_multinomial(counts):
    source = class_draw(np.array(counts))
    size, total = 60, sum(counts)
    shares = np.array([count for count in counts if count]) / total
    rng = np.random.default_rng(11)
    draws = np.array([source.draw(rng, size) for _ in range(3000)])
    assert (draws.sum(axis=1) == size).all()
    assert draws.mean(axis=0) == pytest.approx(size * shares, abs=5 * math.sqrt(size * shares.max() / 3000))
    covariance = size * (np.diag(shares) - np.outer(shares, shares))
    spread = size * shares.max()
    assert np.abs(np.cov(draws.T) - covariance).max() < 6 * spread / math.sqrt(3000) * 1.5


def test_drawing_by_case_or_by_column_is_one_law():
    """Few distinct scores switch to binomial draws; the distribution must not notice."""
    pos, neg = np.array([40, 60, 100, 30]), np.array([10, 50, 80, 90])
    by_column = bootstrap_counts(pos, neg, make_statistic("pr_auc"), n_resamples=6000, rng=1)
    y = np.repeat([1, 0], [230, 230])
    score = np.concatenate((np.repeat([4, 3, 2, 1], pos), np.repeat([4, 3, 2, 1], neg)))
    by_row = bootstrap(y, score, metric="pr_auc", groups=np.arange(460), n_resamples=6000, rng=2)
    levels = np.linspace(0.05, 0.95, 10)
    apart = np.quantile(by_column.replicates, levels) - np.quantile(by_row.replicates, levels)
    assert np.abs(apart).max() < 0.12 * by_column.standard_error
