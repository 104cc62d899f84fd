import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
