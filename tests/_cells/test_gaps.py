import numpy as np
import pytest
from scipy.stats import norm, studentized_range

from support.confusion import GOLDEN, metric, number
from thresher._cells.gaps import adjusted_tail, largest_gap, smallest_ratio
from thresher._cells.limits import limits
from thresher._cells.matrix import Matrix
from thresher._cells.proportions import proportion_bounds

GROUPS = {entry["name"]: entry for entry in GOLDEN["groups"]}


def rates(counts):
    yes, whole = np.array(counts, dtype=float).T
    values = np.divide(yes, whole, out=np.full(yes.size, np.nan), where=whole > 0)
    return values, lambda tail: proportion_bounds(yes, whole, 1 - 2 * tail, "bayes")


@pytest.mark.parametrize("name", GROUPS)
def test_gaps_are_those_of_the_reference(name):
    entry = GROUPS[name]
    values, ends = rates(entry["counts"])
    assert (
        pytest.approx(np.array([[number(e) for e in pair] for pair in entry["limits_each"]])) == np.array(ends(0.025)).T
    )
    assert adjusted_tail(values.size, 0.025) == pytest.approx(number(entry["lower_tail"]), rel=1e-10)
    gap = largest_gap([(values, ends)])
    expected = [number(entry[key]) for key in ("gap", "gap_low", "gap_high")]
    assert gap[:3] == pytest.approx(expected, rel=1e-10, abs=1e-15)
    assert smallest_ratio(values, ends).value == pytest.approx(number(entry["ratio"]))


@pytest.mark.parametrize("segments", [2, 3, 7, 40])
def test_the_adjusted_tail_is_that_of_the_studentised_range(segments):
    for tail in (0.025, 0.0125, 0.1):
        q = studentized_range.isf(tail, segments, np.inf)
        assert adjusted_tail(segments, tail) == pytest.approx(norm.sf(q / np.sqrt(2)), rel=1e-6)
    assert adjusted_tail(2, 0.05) == pytest.approx(0.025, rel=1e-9)


def test_two_clearly_different_segments():
    values, ends = rates([(90, 100), (40, 100)])
    gap = largest_gap([(values, ends)])
    assert 0.3 < gap.low < gap.value == 0.5 < gap.high
    assert (gap.largest, gap.smallest) == (0, 1)
    ratio = smallest_ratio(values, ends)
    assert ratio.value == pytest.approx(4 / 9)
    assert ratio.low < ratio.value < ratio.high < 0.65


def test_equalised_odds_are_the_larger_of_two_gaps():
    recall, fpr = rates([(90, 100), (60, 100), (75, 100)]), rates([(10, 100), (5, 200), (9, 90)])
    both, alone = largest_gap([recall, fpr]), largest_gap([recall])
    assert both.value == alone.value
    assert both.high == max(alone.high, largest_gap([fpr]).high)
    assert 0 < both.low < alone.low  # two metrics are looked at


def test_segments_without_a_value_have_no_part():
    with_empty, without = rates([(8, 10), (0, 0), (3, 10)]), rates([(8, 10), (3, 10)])
    assert largest_gap([with_empty])[:3] == largest_gap([without])[:3]
    assert largest_gap([with_empty]).smallest == 2
    assert np.isnan(largest_gap([rates([(1, 2), (0, 0)])]).value)
    assert np.isnan(smallest_ratio(*rates([(1, 2), (0, 0)])).value)


def test_a_segment_at_zero_has_a_ratio_of_zero():
    values, ends = rates([(0, 40), (30, 40)])
    ratio = smallest_ratio(values, ends)
    assert (ratio.value, ratio.low) == (0.0, 0.0)
    assert 0.05 < ratio.high < 0.3


def test_gaps_of_any_metric():
    cells = Matrix(*np.array([[80, 60, 40], [20, 30, 5], [20, 40, 10], [180, 170, 95]]))
    one = metric("mcc")
    gap = largest_gap([(one.value(*cells), lambda tail: limits(one, cells, tail=tail))])
    assert gap.value == float(np.ptp(one.value(*cells)))
    assert gap.low <= gap.value < gap.high


@pytest.mark.parametrize(("sizes", "rate"), [((100,) * 5, 0.5), ((200,) * 3, 0.8), ((1000, 300, 100, 40, 15), 0.98)])
def test_equal_segments_are_covered(sizes, rate):
    rng = np.random.default_rng(7)
    drawn = rng.binomial(sizes, rate, (400, len(sizes)))
    gaps = [largest_gap([rates(np.column_stack([row, sizes]))]) for row in drawn]
    assert np.mean([gap.low == 0.0 for gap in gaps]) >= 0.95
    assert all(gap.high > 0.0 for gap in gaps)
