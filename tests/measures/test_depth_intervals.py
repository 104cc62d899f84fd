"""Default intervals of what the first rows hold: proportions of so many rows."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


def test_the_precision_of_the_first_rows_is_a_proportion():
    scores = th.Scores([1, 0, 1, 1, 0, 0, 1, 0], range(8, 0, -1))
    found = scores.measure("precision_at_depth", depth=4).confidence_interval()
    low, high = th.proportion_interval(3, 4)
    assert found.low <= low
    assert high <= found.high < 1.0
    assert found.method == "bayes"


def test_the_number_of_positives_is_left_to_chance():
    """All of 21 positives above all negatives: of the first 20 rows all are positive, of another 20 perhaps not."""
    scores = th.Scores(np.r_[np.ones(21), np.zeros(229)], range(250, 0, -1))
    with pytest.warns(th.ThresherWarning, match="no misranked case that 'precision_at_depth' looks at"):
        found = scores.measure("precision_at_depth", depth=20).confidence_interval()
    assert found.low < float(th.proportion_interval(20, 20).low) - 0.05
    weighted = th.Scores([1, 0, 1, 1, 0, 0, 1, 0], range(8, 0, -1), cluster=[1, 1, 2, 2, 3, 3, 4, 4])
    assert weighted.measure("enrichment_factor", fraction=0.5)._method(None, None) == "bootstrap"


@pytest.mark.parametrize("positives", [0, 2, 5])
def test_the_enrichment_factor_has_an_interval_with_length(positives):
    """Also if the first rows hold no positive, or nothing else."""
    y = np.r_[np.ones(positives), np.zeros(5 - positives), np.tile([1, 0, 0], 15)]
    found = th.Scores(y, range(50, 0, -1)).measure("enrichment_factor", fraction=0.1)
    low, high = found.confidence_interval()
    assert 0.0 <= low <= found.value <= high <= 10.0
    assert high - low > 1.0


def test_the_enrichment_factor_is_covered():
    """The bootstrap holds it in 78 of 100 such samples."""
    rng = np.random.default_rng(0)
    measure, held = th.measures.EnrichmentFactor(0.05), 0
    x = rng.beta(0.3, 1.2, 400_000)
    truth = measure.of(th.Scores(rng.random(x.size) < x, x))
    for _ in range(200):
        x = rng.beta(0.3, 1.2, 200)
        held += truth in measure.estimate(th.Scores(rng.random(200) < x, x)).confidence_interval()
    assert held >= 184
