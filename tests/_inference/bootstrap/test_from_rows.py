import math

import numpy as np
import pytest

from thresher import bootstrap
from thresher.exceptions import InvalidInputError, InvalidTypeError


def sample(n=120, seed=0, digits=1):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 3
    return y, (rng.normal(size=n) + 1.2 * y).round(digits)


def test_copies_in_a_cluster_change_nothing():
    """Every row three times, with its copies as a cluster, is the same bootstrap as that of the rows."""
    y, score = sample(50)
    rows = bootstrap(y, score, cluster=np.arange(50), n_resamples=40, rng=3)
    copies = bootstrap(np.tile(y, 3), np.tile(score, 3), cluster=np.tile(np.arange(50), 3), n_resamples=40, rng=3)
    assert np.array_equal(rows.replicates, copies.replicates)
    alone = bootstrap(np.tile(y, 3), np.tile(score, 3), n_resamples=400, rng=3)
    together = bootstrap(np.tile(y, 3), np.tile(score, 3), cluster=np.tile(np.arange(50), 3), n_resamples=400, rng=3)
    assert together.standard_error == pytest.approx(math.sqrt(3) * alone.standard_error, rel=0.2)


def test_whole_weights_are_rows_drawn_together():
    y, score = sample(50)
    weight = np.arange(50) % 4
    rows = np.lexsort((weight, y, score))  # the order in which rows are drawn
    y, score, weight = y[rows], score[rows], weight[rows]
    weighted = bootstrap(y, score, sample_weight=weight, metric="average_precision", n_resamples=40, rng=3)
    repeated = bootstrap(
        np.repeat(y, weight),
        np.repeat(score, weight),
        cluster=np.repeat(np.arange(50), weight),
        metric="average_precision",
        n_resamples=40,
        rng=3,
    )
    np.testing.assert_allclose(weighted.replicates, repeated.replicates, rtol=1e-13)  # sums of the kernel and of NumPy


def test_weights_and_clusters_together():
    y, score = sample(50)
    weight = np.where(np.arange(50) % 5 == 0, 0.0, 1.5)
    groups = np.arange(50) // 2
    found = bootstrap(y, score, cluster=groups, stratified=False, sample_weight=weight, n_resamples=20, rng=1)
    kept = weight > 0
    expected = bootstrap(y[kept], score[kept], cluster=groups[kept], stratified=False, n_resamples=20, rng=1)
    assert found.replicates == pytest.approx(expected.replicates, rel=1e-12)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (
            lambda y, s: bootstrap(y, s, cluster=np.arange(y.size) // 2, stratified=True),
            InvalidInputError,
            (
                "`cluster` must not mix positives and negatives when `stratified=True`; got 1 of 5 clusters with both, "
                "first 1. Hint: leave `stratified` out to draw whole clusters whatever their classes."
            ),
        ),
        (
            lambda y, s: bootstrap(y, s, cluster=[1, 2]),
            InvalidInputError,
            "`y_true` and `cluster` must have the same length; got 9 and 2. Hint: they are columns of the same rows.",
        ),
        (
            lambda y, s: bootstrap(y, s, cluster=["one"] * 9),
            InvalidInputError,
            (
                "`cluster` must hold at least two clusters; got only 'one'. "
                "Hint: leave `cluster` out to resample single rows."
            ),
        ),
        (
            lambda y, s: bootstrap(y, s, n_resamples=9),
            InvalidInputError,
            "`n_resamples` must be at least 10; got 9. Hint: 2000 are usual, and 200 do for a first look.",
        ),
        (
            lambda y, s: bootstrap(y, s, cluster=s, n_resamples=1),
            InvalidInputError,
            "`n_resamples` must be at least 10; got 1. Hint: 2000 are usual, and 200 do for a first look.",
        ),
        (
            lambda y, s: bootstrap(y, s, n_resamples=1e3),
            InvalidTypeError,
            "`n_resamples` must be an integer; got 1000.0 of type float.",
        ),
        (
            lambda y, s: bootstrap(y, s, n_resamples=20).confidence_interval(95),
            InvalidInputError,
            "`confidence_level` must be in (0, 1); got 95. Hint: pass 0.95, not a percentage.",
        ),
        (
            lambda y, s: bootstrap(y, s, n_resamples=20).confidence_interval(method="BC"),
            InvalidInputError,
            "`method` must be one of 'percentile', 'bca', 'studentized'; got 'BC'. Hint: did you mean 'bca'?",
        ),
        (
            lambda y, s: bootstrap(y, s, metric="ks", n_resamples=20).confidence_interval(method="studentized"),
            InvalidInputError,
            (
                "`method='studentized'` must have a metric with finite bounds and an analytic standard error; got "
                "'kolmogorov_smirnov'. Hint: method='bca' works for every metric."
            ),
        ),
        (
            lambda y, s: bootstrap(y, s, cluster=s, n_resamples=20).confidence_interval(method="studentized"),
            InvalidInputError,
            (
                "`method='studentized'` must resample single cases without weights; got clusters or weights. "
                "Hint: method='bca' works for them too."
            ),
        ),
    ],
)
def test_messages(call, error, message):
    y, score = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0], dtype=bool), np.array([9, 2, 5, 4, 6, 3, 1, 0, 8])
    with pytest.raises(error) as caught:
        call(y, score)
    assert str(caught.value) == message
