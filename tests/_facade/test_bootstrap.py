"""`th.bootstrap` on rows: whole clusters, weights, and a distribution that can be written down."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import thresher as th

Y = np.array([1, 1, 0, 0, 0], dtype=bool)
X = np.array([3.0, 1.0, 2.0, 0.0, 1.0])


def area(pos, neg):
    return np.mean([(p > n) + 0.5 * (p == n) for p in pos for n in neg])


def test_replicates_have_the_distribution_of_all_resamples():
    """Within the classes there are 2^2 times 3^3 resamples, all equally likely."""
    every = [
        area(pos, neg)
        for pos in itertools.product(X[Y], repeat=2)
        for neg in itertools.product(X[~Y], repeat=3)
    ]  # fmt: skip
    found = th.bootstrap(Y, X, n_resamples=8000, rng=0)
    assert found.replicates.size == 8000
    assert found.replicates.mean() == pytest.approx(np.mean(every), abs=4 * np.std(every) / 8000**0.5)
    for value in np.unique(every):
        share = np.mean(np.isclose(every, value))
        assert np.mean(np.isclose(found.replicates, value)) == pytest.approx(share, abs=4 * (share / 8000) ** 0.5)


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # so few clusters are warned of
def test_clusters_are_drawn_whole():
    y, x, g = [1, 1, 0, 0, 0, 1], [5, 4, 3, 2, 1, 0], ["a", "a", "b", "b", "c", "d"]
    found = th.bootstrap(y, x, cluster=g, n_resamples=4000, rng=1)
    pos, neg = [[5, 4], [0]], [[3, 2], [1]]
    every = {
        round(float(area(itertools.chain(*p), list(itertools.chain(*n)))), 9)
        for p in itertools.product(pos, repeat=2)
        for n in itertools.product(neg, repeat=2)
    }
    assert {round(float(value), 9) for value in found.replicates} == every


def test_frequencies_are_rows():
    times = np.array([2, 1, 3, 1, 1])
    one = th.bootstrap(Y, X, frequency=times, n_resamples=3000, rng=2)
    two = th.bootstrap(np.repeat(Y, times), np.repeat(X, times), n_resamples=3000, rng=2)
    assert np.array_equal(one.replicates, two.replicates)


def test_options_reach_the_measure_and_the_resampling():
    found = th.bootstrap(Y, X, metric="partial_roc_auc", fpr=(0, 0.5), n_resamples=50, rng=0)
    assert ((found.replicates >= 0) & (found.replicates <= 0.5)).all()
    assert np.array_equal(
        th.bootstrap(Y, X, n_resamples=50, rng=3, workers=2, batch_size=7).replicates,
        th.bootstrap(Y, X, n_resamples=50, rng=3).replicates,
    )
    with pytest.raises(th.InvalidInputError, match="`metric`"):
        th.bootstrap(Y, X, metric="area")
    with pytest.raises(th.InvalidInputError, match="n_resamples"):
        th.bootstrap(Y, X, n_resamples=9)


def test_the_positive_label():
    text = np.where(Y, "ill", "well")
    found = th.bootstrap(text, X, pos_label="ill", n_resamples=50, rng=0)
    assert np.array_equal(found.replicates, th.bootstrap(Y, X, n_resamples=50, rng=0).replicates)


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # so few clusters are warned of
@pytest.mark.parametrize("columns", [{"cluster"}, {"sample_weight"}, {"cluster", "sample_weight"}])
def test_frequency_is_repetition_with_clusters_and_weights(columns):
    every = {"cluster": np.array([1, 1, 2, 3, 3]), "sample_weight": np.array([1.0, 2.5, 0.5, 1.0, 3.0])}
    given, times = {name: every[name] for name in columns}, np.array([2, 1, 0, 3, 2])
    one = th.bootstrap(Y, X, frequency=times, n_resamples=40, rng=4, **given)
    repeated = {name: np.repeat(column, times) for name, column in given.items()}
    two = th.bootstrap(np.repeat(Y, times), np.repeat(X, times), n_resamples=40, rng=4, **repeated)
    assert np.array_equal(one.replicates, two.replicates)
