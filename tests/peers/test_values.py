"""Values of other libraries on random data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, rankdata, somersd

import thresher as th
import thresher.metrics

SEEDS = range(8)


def random_rows(seed, size=300):
    rng = np.random.default_rng(seed)
    y = rng.random(size) < 0.3
    score = rng.normal(size=size) + y
    return y, score.round(1) if seed % 2 else score


@pytest.mark.parametrize("seed", SEEDS)
def test_area_is_the_mann_whitney_statistic(seed):
    y, score = random_rows(seed)
    u = mannwhitneyu(score[y], score[~y]).statistic
    area = u / (y.sum() * (~y).sum())
    assert th.Scores(y, score).roc_auc().value == area
    assert thresher.metrics.roc_auc_score(y, score) == area


@pytest.mark.parametrize("seed", SEEDS)
def test_area_is_the_mean_rank_and_somers_d(seed):
    y, score = random_rows(seed)
    area = th.Scores(y, score).roc_auc().value
    ranks = rankdata(score)[y]
    assert area == pytest.approx((ranks.mean() - (y.sum() + 1) / 2) / (~y).sum(), rel=1e-13)
    assert 2 * area - 1 == pytest.approx(somersd(y.astype(int), score).statistic, abs=1e-13)


@pytest.mark.optional
@pytest.mark.parametrize("seed", SEEDS)
def test_torchmetrics_agrees(seed):
    torch = pytest.importorskip("torch", reason="torchmetrics needs torch, which is not installed")
    functional = pytest.importorskip("torchmetrics.functional.classification", reason="torchmetrics is not installed")
    y, score = random_rows(seed)
    score = 1 / (1 + np.exp(-score))
    labels, scores = torch.tensor(y).long(), torch.tensor(score)
    assert thresher.metrics.roc_auc_score(y, score) == pytest.approx(
        float(functional.binary_auroc(scores, labels)), abs=1e-6
    )
    assert thresher.metrics.average_precision_score(y, score) == pytest.approx(
        float(functional.binary_average_precision(scores, labels)), abs=1e-6
    )
