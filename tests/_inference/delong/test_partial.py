"""Variance of partial areas: derivatives of the weighted area, DeLong as a special case, resampling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.golden import figures, scores
from support.measures import differences
from thresher._inference.delong.delong import delong, paired_differences, partial_delong, partial_spread
from thresher.exceptions import UndefinedMetricError
from thresher.measures import PartialRocAuc, RocAuc

SPANS = [("fpr", (0.0, 0.1)), ("fpr", (0.1, 0.2)), ("fpr", (0.2, 0.5)), ("tpr", (0.8, 1.0)), ("tpr", (0.5, 1.0))]


@pytest.mark.parametrize(("axis", "span"), SPANS)
def test_reference_values(axis, span):
    for dataset, column, value in figures(f"pauc_{axis}_{span[0]:g}_{span[1]:g}"):
        table = scores(dataset, column)
        if min(table.n_pos, table.n_neg) < 2:
            continue
        found = partial_delong(table.pos, table.neg, span=span, axis=axis)
        assert found.value == pytest.approx(value, rel=1e-12, abs=1e-15), dataset
        assert found.largest == span[1] - span[0]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8).filter(
        lambda rows: sum(r[0] for r in rows) > 1 and sum(r[1] for r in rows) > 1
    ),
    st.sampled_from(["fpr", "tpr"]),
)
def test_the_whole_range_is_delong(rows, axis):
    pos, neg = np.array(rows).T
    whole, part = delong(pos, neg), partial_delong(pos, neg, span=(0.0, 1.0), axis=axis)
    assert part.value == pytest.approx(whole.auc, rel=1e-14)
    assert part.variance == pytest.approx(whole.variance, rel=1e-12, abs=1e-17)


@pytest.mark.some(8)
@pytest.mark.parametrize(("axis", "span"), [*SPANS, ("fpr", (0.033, 0.377)), ("tpr", (0.111, 0.633))])
@pytest.mark.parametrize("ties", [False, True])
def test_against_derivatives(axis, span, ties):
    # The variance is that of the derivatives of the area in the weight of each case. Limits off the grid of rates, so
    # that the derivatives exist.
    rng = np.random.default_rng(5)
    m, n = 23, 31
    values = np.concatenate([rng.normal(0.8, 1, m), rng.normal(0, 1, n)])
    if ties:
        values = np.round(values)
    label = np.repeat([True, False], [m, n])
    span = (span[0] + 1e-4 if span[0] else 0.0, span[1] - 1e-4 if span[1] < 1 else 1.0)

    def area(weight):
        distinct = -np.unique(-values)
        pos, neg = (
            np.array([weight[(values == v) & (label == side)].sum() for v in distinct]) for side in (True, False)
        )
        return partial_delong(pos, neg, span=span, axis=axis).value

    step = 1e-6
    slope = np.empty(m + n)
    for i in range(m + n):
        up, down = np.ones(m + n), np.ones(m + n)
        up[i] += step
        down[i] -= step
        slope[i] = (area(up) - area(down)) / (2 * step)
    influence_pos, influence_neg = slope[:m] * m, slope[m:] * n
    expected = np.var(influence_pos, ddof=1) / m + np.var(influence_neg, ddof=1) / n
    distinct = -np.unique(-values)
    pos, neg = (np.array([np.sum((values == v) & (label == side)) for v in distinct]) for side in (True, False))
    assert partial_delong(pos, neg, span=span, axis=axis).variance == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(("axis", "span"), [("fpr", (0.0, 0.2)), ("tpr", (0.7, 1.0))])
def test_against_repeated_sampling(axis, span):
    rng = np.random.default_rng(11)
    m, n, runs = 120, 150, 800
    values, variances = [], []
    for _ in range(runs):
        up, down = rng.normal(1.2, 1, m), rng.normal(0, 1, n)
        order = np.argsort(-np.concatenate([up, down]))
        pos = np.repeat([1, 0], [m, n])[order]
        found = partial_delong(pos, 1 - pos, span=span, axis=axis)
        values.append(found.value)
        variances.append(found.variance)
    # The sampling error of a variance from 800 values is about 5%.
    assert np.mean(variances) == pytest.approx(np.var(values), rel=0.15)


def test_one_case_of_a_class():
    with pytest.raises(UndefinedMetricError, match="more than one negative; got 1"):
        partial_delong(np.array([2, 1]), np.array([0, 1]), span=(0.0, 0.5))


def test_nothing_inside_the_span_is_a_point_not_a_crash():
    flipped = th.Scores(np.arange(100) >= 50, -np.arange(100.0))
    area = flipped.partial_roc_auc(fpr=(0, 0.1))
    with pytest.warns(th.ThresherWarning, match="single point"):
        assert tuple(area.confidence_interval(method="delong-logit")) == (0.0, 0.0)
    # What the warning offers.
    assert area.confidence_interval().low == 0.0 < area.confidence_interval().high


# Several models on the same cases


def paired(m=23, n=31, digits=None, seed=3):
    rng = np.random.default_rng(seed)
    y = np.arange(m + n) < m
    common = rng.normal(size=m + n)
    columns = [0.7 * common + 0.7 * rng.normal(size=m + n) + shift * y for shift in (0.9, 0.6, 1.5)]
    return y, columns if digits is None else [column.round(digits) for column in columns]


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize("digits", [None, 0])
def test_differences_over_the_whole_range_are_delongs(axis, digits):
    y, columns = paired(digits=digits)
    part, df = differences(PartialRocAuc(**{axis: (0.0, 1.0)}), y, columns)
    assert part == pytest.approx(paired_differences(y, columns), rel=1e-10, abs=1e-17)
    assert df == np.inf


@pytest.mark.parametrize(("axis", "span"), SPANS)
def test_a_difference_to_a_useless_model_has_the_variance_of_the_other(axis, span):
    """All of its scores are the same, so that no case adds more than another."""
    y, columns = paired(digits=1)
    for column in columns:
        table = th.Scores(y, column)
        alone = partial_delong(table.pos, table.neg, span=span, axis=axis)
        found, _ = differences(PartialRocAuc(**{axis: span}), y, [column, np.zeros(y.size)])
        assert found[0, 1] == pytest.approx(alone.variance, rel=1e-12)


@pytest.mark.parametrize(("axis", "span"), [("fpr", (0.0, 0.2001)), ("fpr", (0.033, 0.377)), ("tpr", (0.4999, 1.0))])
@pytest.mark.parametrize("digits", [None, 0])
def test_variance_of_a_difference_against_derivatives(axis, span, digits):
    """A case that gets a little more weight gets it in both curves: the derivatives of the difference say how much."""
    y, columns = paired(digits=digits)

    def difference(weight):
        values = []
        for column in columns[:2]:
            distinct = -np.unique(-column)
            table = (np.array([weight[(column == v) & (y == side)].sum() for v in distinct]) for side in (True, False))
            values.append(partial_delong(*table, span=span, axis=axis).value)
        return values[0] - values[1]

    step = 1e-6
    slope = np.empty(y.size)
    for i in range(y.size):
        up, down = np.ones(y.size), np.ones(y.size)
        up[i] += step
        down[i] -= step
        slope[i] = (difference(up) - difference(down)) / (2 * step)
    expected = sum(np.var(slope[side] * side.sum(), ddof=1) / side.sum() for side in (y, ~y))
    found, _ = differences(PartialRocAuc(**{axis: span}), y, columns)
    assert found[0, 1] == pytest.approx(expected, rel=1e-6)


def test_models_that_rank_alike_do_not_differ():
    y, columns = paired(digits=1)
    found, _ = differences(PartialRocAuc(fpr=(0.05, 0.3)), y, [columns[0], np.exp(columns[0])])
    assert found[0, 1] == 0.0


def test_weights():
    y, columns = paired(digits=1)
    weight = 1.0 + np.arange(y.size) % 3
    for column in columns:
        spread = partial_spread(th.Scores(y, column, sample_weight=weight), span=(0.0, 0.3))
        found, _ = differences(PartialRocAuc(fpr=(0.0, 0.3)), y, [column, np.zeros(y.size)], sample_weight=weight)
        assert found[0, 1] == pytest.approx(spread.variance, rel=1e-12)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_clusters_over_the_whole_range_are_those_of_the_area(axis):
    rng = np.random.default_rng(9)
    cluster = np.repeat(np.arange(30), 4)
    y = (rng.random(120) < 0.4) & (cluster % 5 > 0)
    columns = [(rng.normal(size=30)[cluster] + rng.normal(size=120) + shift * y).round(1) for shift in (0.4, 1.0)]
    whole, part = (
        differences(measure, y, columns, cluster=cluster) for measure in (RocAuc(), PartialRocAuc(**{axis: (0.0, 1.0)}))
    )
    assert part[0] == pytest.approx(whole[0], rel=1e-10, abs=1e-17)
    assert part[1] == whole[1] == 29.0


def test_clusters_of_one_row_are_rows():
    y, columns = paired(digits=1)
    alone, clustered = (
        differences(PartialRocAuc(fpr=(0.05, 0.4)), y, columns, cluster=g) for g in (None, np.arange(y.size))
    )
    assert np.array_equal(clustered[0], alone[0])
