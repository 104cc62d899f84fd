"""The ordinal binormal fit against a general optimiser, its information by sums, and groups that may be merged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, special

import thresher as th
from thresher.population._ordinal import _between, fit_ordinal, truth_runs


def log_likelihood(theta, pos, neg):
    """Return minus the ordinal likelihood, with ordered cuts through increments."""
    a, b = theta[0], math.exp(theta[1])
    cuts = np.cumsum(np.concatenate([[theta[2]], np.exp(theta[3:])]))
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    p, q = np.diff(special.ndtr(edges)), np.diff(special.ndtr(b * edges - a))
    return -float(neg @ np.log(np.maximum(p, 1e-300)) + pos @ np.log(np.maximum(q, 1e-300)))


RATINGS = {
    "radiology": ([3, 2, 2, 11, 33], [33, 6, 6, 11, 2]),
    "weak": ([10, 20, 30, 25], [20, 30, 25, 5]),
    "wide": ([12, 3, 4, 9, 30], [5, 14, 20, 11, 3]),
}


@pytest.mark.parametrize("name", sorted(RATINGS))
def test_ordinal_fit_against_a_general_optimizer(name):
    pos, neg = (np.array(column, dtype=float) for column in RATINGS[name])
    fit = fit_ordinal(pos, neg)
    start = np.concatenate([[fit.a + 0.3, math.log(fit.b) - 0.2, fit.cuts[0] - 0.1], np.log(np.diff(fit.cuts)) + 0.1])
    best = optimize.minimize(log_likelihood, start, args=(pos, neg), method="BFGS", options={"gtol": 1e-9})
    assert -best.fun == pytest.approx(fit.log_likelihood, abs=1e-7)
    assert (best.x[0], math.exp(best.x[1])) == pytest.approx((fit.a, fit.b), abs=2e-4)
    # Expected information by direct sums over all cells of the table.
    theta = np.concatenate([[fit.a, fit.b], fit.cuts])

    def cells(t):
        edges = np.concatenate([[-np.inf], t[2:], [np.inf]])
        return np.diff(special.ndtr(edges)), np.diff(special.ndtr(t[1] * edges - t[0]))

    h = 1e-5
    steps = h * np.eye(theta.size)
    g = np.array([(np.array(cells(theta + e)) - np.array(cells(theta - e))) / (2 * h) for e in steps])
    p, q = cells(theta)
    information = neg.sum() * (g[:, 0] / p) @ g[:, 0].T + pos.sum() * (g[:, 1] / q) @ g[:, 1].T
    np.testing.assert_allclose(np.linalg.inv(information)[:2, :2], fit.covariance, rtol=1e-4)


def test_merging_runs_changes_nothing():
    rng = np.random.default_rng(7)
    pos, neg = rng.integers(0, 4, 14).astype(float), rng.integers(0, 4, 14).astype(float)
    pos[3:6], neg[3:6] = [2, 1, 3], 0  # a run of positives only
    merged = truth_runs(pos, neg)
    assert merged[0].size < pos.size
    # Splitting the run adds the multinomial split of its positives to the likelihood and moves neither a nor b.
    whole = fit_ordinal(pos, neg)
    again = fit_ordinal(*merged)
    assert (whole.a, whole.b, whole.log_likelihood) == (again.a, again.b, again.log_likelihood)
    bounds = log_likelihood(
        np.concatenate([[whole.a, math.log(whole.b), whole.cuts[0]], np.log(np.diff(whole.cuts))]), *merged
    )
    assert -bounds == pytest.approx(whole.log_likelihood, abs=1e-9)


def test_runs_of_one_class():
    pos, neg = truth_runs(np.array([1.0, 2, 0, 0, 3, 1, 4]), np.array([0.0, 0, 5, 1, 2, 2, 0]))
    assert (pos.tolist(), neg.tolist()) == ([3.0, 0.0, 3.0, 1.0, 4.0], [0.0, 6.0, 2.0, 2.0, 0.0])


def test_exchanging_the_classes_turns_the_model():
    """Positives Phi(b c - a), so negatives at u = b c - a are Phi((u + a) / b): slope 1 / b and intercept -a / b."""
    pos, neg = (np.array(column, dtype=float) for column in RATINGS["wide"])
    fit, turned = fit_ordinal(pos, neg), fit_ordinal(neg, pos)
    assert (turned.a, turned.b) == pytest.approx((-fit.a / fit.b, 1 / fit.b), abs=1e-5)
    assert turned.log_likelihood == pytest.approx(fit.log_likelihood)


def test_probabilities_far_out_keep_their_digits():
    edges = np.array([-np.inf, -38.0, -37.5, 0.0, 37.5, 38.0, np.inf])
    found = _between(edges)
    assert found == pytest.approx(found[::-1], rel=1e-13)
    assert found[1] == pytest.approx(special.ndtr(-37.5) - special.ndtr(-38.0), rel=1e-12)
    assert found.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(("pos", "neg"), [([0, 0, 5], [3, 4, 0]), ([5, 5], [3, 4]), ([2, 0, 0], [0, 3, 1])])
def test_groups_that_do_not_determine_the_model(pos, neg):
    with pytest.raises(th.UndefinedMetricError, match="needs classes that overlap in at least 3 groups of scores"):
        fit_ordinal(np.array(pos, dtype=float), np.array(neg, dtype=float))
