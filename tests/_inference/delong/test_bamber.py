"""Bamber's variance, against all choices of cases in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._inference.delong.interval_methods import bamber, bamber_of
from thresher._table.exact_figures import Figures
from thresher.exceptions import UndefinedMetricError

TABLE = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5).filter(
    lambda rows: 1 < sum(r[0] for r in rows) < 7 and 1 < sum(r[1] for r in rows) < 7
)


def psi(i: int, j: int) -> Fraction:
    return Fraction(1, 2) if i == j else Fraction(int(i < j))


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@given(TABLE)
def test_against_all_choices(rows):
    pos, neg = np.array(rows).T
    up = [i for i, count in enumerate(pos.tolist()) for _ in range(count)]
    down = [j for j, count in enumerate(neg.tolist()) for _ in range(count)]
    m, n = len(up), len(down)
    area = mean([psi(i, j) for i, j in product(up, down)])
    square = mean([psi(i, j) ** 2 for i, j in product(up, down)])
    p_xxy = mean([psi(a, j) * psi(b, j) for a, b in permutations(up, 2) for j in down])
    p_xyy = mean([psi(i, a) * psi(i, b) for i in up for a, b in permutations(down, 2)])
    variance = (square - area**2 + (m - 1) * (p_xxy - area**2) + (n - 1) * (p_xyy - area**2)) / (m * n)
    # An unbiased estimate of A^2 takes pairs without a common case; area^2 less that is an unbiased variance.
    apart = mean([psi(a, c) * psi(b, d) for a, b in permutations(up, 2) for c, d in permutations(down, 2)])
    found = bamber(pos, neg)
    near = {"rel": 1e-12, "abs": 1e-15}
    assert found.auc == pytest.approx(float(area), **near)
    assert found.p_xxy == pytest.approx(float(p_xxy), **near)
    assert found.p_xyy == pytest.approx(float(p_xyy), **near)
    assert found.p_tie == pytest.approx(float(mean([Fraction(int(i == j)) for i, j in product(up, down)])), **near)
    # The estimate can be negative for tiny samples; it is then 0.
    assert found.variance == pytest.approx(max(float(variance), 0.0), **near)
    assert found.unbiased_variance == pytest.approx(max(float(area**2 - apart), 0.0), **near)


def test_without_ties_it_is_the_printed_formula():
    pos, neg = np.array([1, 0, 1, 1, 0, 0]), np.array([0, 1, 0, 0, 1, 1])
    found = bamber(pos, neg)
    m = n = 3
    printed = (
        found.auc * (1 - found.auc) + (m - 1) * (found.p_xxy - found.auc**2) + (n - 1) * (found.p_xyy - found.auc**2)
    ) / (m * n)
    assert found.p_tie == 0
    assert found.variance == pytest.approx(printed, rel=1e-13)


def test_weights_are_numbers_of_cases():
    pos, neg = np.array([4, 1, 2]), np.array([1, 3, 5])
    assert bamber(pos.astype(float), neg.astype(float)) == pytest.approx(bamber(pos, neg), rel=1e-13)


def test_one_case_of_a_class():
    with pytest.raises(UndefinedMetricError, match="more than one positive; got 1"):
        bamber(np.array([1, 0]), np.array([2, 3]))


def test_a_table_with_some_of_its_scores_has_the_variance_of_all():
    """Its sums over all scores are enough; here they are added up pair by pair."""
    pos, neg = np.array([3, 0, 2, 4, 1, 0]), np.array([0, 2, 3, 1, 2, 5])
    up, down = np.repeat(np.arange(6), pos), np.repeat(np.arange(6), neg)
    twice = 2 * (up[:, None] < down) + (up[:, None] == down)
    figures = Figures(
        n_scores=6,
        twice_u=int(twice.sum()),
        pos_placement_squares=int((twice.sum(axis=1) ** 2).sum()),
        neg_placement_squares=int((twice.sum(axis=0) ** 2).sum()),
        tied_pairs=int(pos @ neg),
        shared_scores=3,
        shared_pos=7,
        average_precision=0.0,  # not asked for
        interpolated=0.0,
    )
    kept, highest = [1, 3, 5], np.array([6.0, 4.0, 2.0])
    thresholds = np.array([5.0, 3.0, 1.0])
    table = th.Scores._from_kept(thresholds, pos.cumsum()[kept], neg.cumsum()[kept], figures, highest)
    full = bamber(pos, neg)
    assert tuple(bamber_of(table)) == pytest.approx(tuple(full), rel=1e-12)
    assert bamber_of(th.Scores.from_counts(np.arange(6, 0, -1), pos, neg)) == full
