"""Four standard deviations side by side: ranges that rounding allows, and what is impossible."""

from __future__ import annotations

import math

import pytest

import thresher as th
from papers.cortes_mohri import comparison
from papers.cortes_mohri.comparison import Row
from papers.cortes_mohri.printed import hanley_mcneil, largest_sd

ROW = Row("made", 100, 0.40, 0.80, 0.20, 0.02, 0.03, 0.04, 0.0632)


def test_the_range_that_rounding_allows():
    """40 of 100 negatives, the share printed with two digits: no other number; the area between 0.795 and 0.805."""
    low, high = comparison._range(largest_sd, ROW)
    assert low == pytest.approx(math.sqrt(0.805 * 0.195 / 40) - 5e-5)
    assert high == pytest.approx(math.sqrt(0.795 * 0.205 / 40) + 5e-5)
    assert comparison._in(ROW.largest, (low, high))
    assert not comparison._in(high + 1e-9, (low, high))


def test_classes_exchanged():
    assert comparison._exchanged(0.8, 3, 9) == hanley_mcneil(0.8, 9, 3) != hanley_mcneil(0.8, 3, 9)


def test_half_the_length_of_an_interval():
    low, high = th.cortes_mohri(12, 15, 5, eps="gaussian", law="binomial").unclipped
    assert comparison.sigma_indep(12, 15, 5) == math.sqrt(0.05) * (high - low) / 2
    least, greatest = comparison._indep_range(ROW)
    assert least < comparison.sigma_indep(60, 40, 20) < greatest


@pytest.mark.parametrize("sigma_a, possible", [(0.03, True), (0.07, False)])
def test_no_standard_deviation_exceeds_the_largest(sigma_a, possible):
    inside, bound = comparison._largest(ROW._replace(sigma_a=sigma_a), largest_sd(0.8, 60, 40))
    assert inside.agrees
    assert bound.agrees is possible
    assert bound.status == ("reproduced" if possible else "erratum")
    assert bound.as_expected


def test_the_columns_of_figure_1():
    found = comparison._figure_1(12, 8, 2)
    assert {len(column) for column in found} == {3}
    for i, k in enumerate((2, 4, 6)):
        moments = th.auc_moments(12, 8, k)
        assert found.auc[i] == float(moments.mean)
        assert found.sd[i] == float(moments.sd)
        assert found.dep_exchanged[i] == hanley_mcneil(found.auc[i], 8, 12)
        assert found.largest[i] == largest_sd(found.auc[i], 12, 8)
