"""The area under the ROC curve as a measure: variances from influence values, remarks about ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher.measures import RocAuc


@given(data=labelled(values=st.integers(0, 9).map(float)))
def test_delongs_variance_is_that_of_the_influence_values(data):
    scores = th.Scores(*data)
    if min(scores.n_pos, scores.n_neg) < 2:
        return
    found = RocAuc().influence(scores)
    want = sum(
        float(side @ pull**2) / (total * (total - 1))
        for side, pull, total in ((scores.pos, found.pos, scores.n_pos), (scores.neg, found.neg, scores.n_neg))
    )
    assert RocAuc().of(scores) == float(oracle.roc_auc(*data))
    assert RocAuc().spread(scores).variance == pytest.approx(want, abs=1e-12)


@given(data=labelled(values=st.integers(0, 4).map(float)))
def test_the_remark_names_the_range_of_broken_ties(data):
    labels, values = data
    pos = [v for y, v in zip(labels, values, strict=True) if y]
    neg = [v for y, v in zip(labels, values, strict=True) if not y]
    pairs = len(pos) * len(neg)
    low, high = (sum(won(p, n) for p in pos for n in neg) / pairs for won in (lambda p, n: p > n, lambda p, n: p >= n))
    scores = th.Scores(labels, values)
    lines = scores.roc_auc().remarks()
    assert any(f"breaking ties could give {low:.3g} to {high:.3g}" in line for line in lines) == (low < high)
    assert any("below one half" in line for line in lines) == (scores.roc_auc().value < 0.5)


def test_a_population_by_the_normal_law():
    population = th.Population(stats.norm(1.3), stats.norm(scale=2), prevalence=0.2)
    assert population.measure(RocAuc()) == pytest.approx(stats.norm.cdf(1.3 / np.sqrt(5)), rel=1e-9)
