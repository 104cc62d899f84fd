"""The maps between recall and false positive rate, by trying every threshold of distributions with few values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from thresher.population import Discrete, Mixture
from thresher.population._maps import cross, jumps, one_sided
from thresher.population._wrap import as_distribution

masses = st.lists(st.integers(0, 4), min_size=5, max_size=5).filter(lambda m: sum(m) > 0)


def beyond(table, t):
    """P(S > t) in fractions."""
    return Fraction(sum(m for value, m in enumerate(table) if value > t), sum(table))


def slow(held, other, x):
    """Return P(other > t) at the smallest t with P(held > t) <= x."""
    t = next(t for t in [-1, *range(5)] if beyond(held, t) <= x)
    return beyond(other, t)


def distribution(table):
    return Discrete(np.arange(5.0), np.array(table) / sum(table))


@given(held=masses, other=masses, part=st.integers(1, 96))
def test_discrete_laws(held, other, part):
    x = Fraction(part, 97)  # no level of these distributions but 0 and 1
    found = cross(distribution(held), distribution(other), np.array([float(x)]))
    assert found[0] == pytest.approx(float(slow(held, other, x)), abs=1e-12)


@given(held=masses, other=masses)
def test_jumps_of_discrete_laws(held, other):
    levels = sorted({beyond(held, t) for t in range(5)} - {Fraction(0), Fraction(1)})
    eps = Fraction(1, 10**6)
    want = []
    for x in levels:
        left, value, right = (slow(held, other, x + shift) for shift in (-eps, 0, eps))
        if right > left:
            want.append([float(x), float(left), float(value), float(right)])
    found = jumps(distribution(held), distribution(other))
    np.testing.assert_allclose(np.stack(found, axis=1).reshape(-1, 4), np.array(want).reshape(-1, 4), atol=1e-12)


def test_continuous_laws():
    x = np.array([1e-9, 0.2, 0.7])
    found = cross(as_distribution(stats.norm(1), "pos"), as_distribution(stats.norm(), "neg"), x)
    np.testing.assert_allclose(found, stats.norm.sf(stats.norm.isf(x, 1)), rtol=1e-12)
    assert jumps(as_distribution(stats.norm(1), "pos"), as_distribution(stats.norm(), "neg")).x.size == 0


def test_an_atom_that_the_held_law_passes():
    held = as_distribution(stats.norm(), "held")
    other = Mixture([Discrete([0.5]), stats.norm()], [0.25, 0.75])
    level = stats.norm.sf(0.5)
    sides = one_sided(held, other, np.array([level]))
    rest = 0.75 * stats.norm.sf(0.5)
    assert (sides.left[0], sides.value[0], sides.right[0]) == pytest.approx((rest, rest, rest + 0.25))
    assert jumps(held, other).x == pytest.approx([level])


def test_a_gap_of_the_held_law():
    held = Mixture([stats.uniform(0, 1), stats.uniform(3, 1)], [0.4, 0.6])
    other = as_distribution(stats.uniform(0, 4), "other")
    found = jumps(held, other)
    assert found.x == pytest.approx([0.6])
    # From below the threshold is 3, at 0.6 and from above it is 1.
    assert (found.left[0], found.value[0], found.right[0]) == pytest.approx((0.25, 0.75, 0.75))
