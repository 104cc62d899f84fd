import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from thresher._compare import multiplicity
from thresher._compare.multiplicity import holm, wald_omnibus


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_the_largest_step_before(pvalues):
    """By definition: the maximum of (m - rank + 1) p over all p values not above it, at most 1."""
    found = holm(pvalues)
    order = sorted(pvalues)
    size = len(pvalues)
    for p, adjusted in zip(pvalues, found, strict=True):
        steps = [min(1.0, (size - rank) * q) for rank, q in enumerate(order) if q <= p]
        # Among equal p values the first in the order has the largest factor.
        assert adjusted == pytest.approx(max(steps))
        assert p <= adjusted <= 1


def test_omnibus_without_variance():
    values, none = np.array([0.7, 0.7, 0.7]), np.zeros((3, 3))
    same = wald_omnibus(values, none, "delong")
    assert (same.statistic, same.df, same.pvalue) == (0.0, 0, 1.0)
    apart = wald_omnibus(np.array([1.0, 0.5, 0.0]), none, "delong")
    assert (apart.statistic, apart.pvalue) == (np.inf, 0.0)


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-8, 1e-13])
@pytest.mark.parametrize("seed", range(4))
def test_copies_add_no_degrees_of_freedom(seed, scale):
    """Scorers that rank alike are one scorer: the test of those that differ is the textbook quadratic form."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3, 3)) * np.sqrt(scale)
    covariance = root @ root.T
    values = rng.normal(size=3) * np.sqrt(scale)
    contrasts = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    apart = contrasts @ values
    want = apart @ np.linalg.solve(contrasts @ covariance @ contrasts.T, apart)
    for copies in ([0, 1, 2], [0, 0, 1, 2], [2, 0, 1, 2, 1], [0, 1, 2, 2, 2]):
        spread = np.diag(covariance)
        difference = spread[:, None] + spread[None, :] - 2 * covariance
        found = wald_omnibus(values[copies], difference[np.ix_(copies, copies)], "delong")
        assert found.df == 2
        assert found.statistic == pytest.approx(want, rel=1e-6)
        assert found.pvalue == pytest.approx(stats.chi2(2).sf(want), rel=1e-5)


def test_a_monotone_copy_changes_no_omnibus_test():
    rng = np.random.default_rng(5)
    y = np.arange(200) % 2
    a, b = rng.normal(size=200) + y, rng.normal(size=200) + 0.7 * y
    two = th.compare(y, {"a": a, "b": b}, method="delong")
    with_copy = th.compare(y, {"a": a, "b": b, "exp a": np.exp(a)}, method="delong").omnibus
    assert (with_copy.df, with_copy.statistic) == (1, pytest.approx(two.pairs[0].statistic ** 2, rel=1e-9))


def test_axes_do_not_depend_on_the_eigenvectors_that_a_library_chooses(monkeypatch):
    """Eigenvectors with other signs, and turned within equal eigenvalues, give the same axes."""
    correlation = np.full((6, 6), 0.7)
    np.fill_diagonal(correlation, 1.0)
    correlation[0, 1:] = correlation[1:, 0] = 0.2
    found = multiplicity._principal_axes(correlation)
    assert found @ found.T == pytest.approx(correlation, abs=1e-12)
    sizes, vectors = np.linalg.eigh(correlation)
    same = np.flatnonzero(np.isclose(sizes, 0.3))
    assert same.size == 4
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
    others = -vectors
    others[:, same] = others[:, same] @ turn
    monkeypatch.setattr(np.linalg, "eigh", lambda _: (sizes, others))
    assert multiplicity._principal_axes(correlation) == pytest.approx(found, abs=1e-9)
