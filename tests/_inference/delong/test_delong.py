"""DeLong's variance and intervals from counts: reference values, a slow oracle, edges."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support.golden import figures, golden, scores
from thresher._inference.delong.delong import delong, delong_of, logit_interval, variance_interval
from thresher._inference.interval import normal_quantile
from thresher.exceptions import ThresherWarning, UndefinedMetricError

TABLE = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8).filter(
    lambda rows: sum(r[0] for r in rows) > 1 and sum(r[1] for r in rows) > 1
)


def by_pairs(pos: list[int], neg: list[int]) -> tuple[Fraction, Fraction]:
    """(area, DeLong variance) from every pair of cases, in fractions."""
    up = [i for i, count in enumerate(pos) for _ in range(count)]
    down = [j for j, count in enumerate(neg) for _ in range(count)]

    def psi(i: int, j: int) -> Fraction:
        return Fraction(1, 2) if i == j else Fraction(int(i < j))

    v10 = [sum(psi(i, j) for j in down) / len(down) for i in up]
    v01 = [sum(psi(i, j) for i in up) / len(up) for j in down]
    area = sum(v10) / len(up)
    spread = [sum((v - area) ** 2 for v in values) / (len(values) - 1) for values in (v10, v01)]
    return area, spread[0] / len(up) + spread[1] / len(down)


@given(TABLE)
def test_against_pairs(rows):
    pos, neg = np.array(rows).T
    area, variance = by_pairs(pos.tolist(), neg.tolist())
    found = delong(pos, neg)
    assert found.auc == float(area)
    assert found.variance == pytest.approx(float(variance), rel=1e-14, abs=0)
    assert found.variance == pytest.approx(
        found.spread_pos / pos.sum() + found.spread_neg / neg.sum(), rel=1e-14, abs=0
    )


@given(TABLE)
def test_weights_are_numbers_of_cases(rows):
    pos, neg = np.array(rows).T
    whole, weights = delong(pos, neg), delong(pos.astype(float), neg.astype(float))
    assert weights.auc == pytest.approx(whole.auc, rel=1e-14)
    assert weights.variance == pytest.approx(whole.variance, rel=1e-12, abs=1e-30)
    # Splitting the cases of a score over rows of a longer table, with zero counts between, changes nothing.
    spaced = np.zeros((2, 2 * len(rows)), dtype=np.int64)
    spaced[:, ::2] = pos, neg
    assert delong(*spaced) == pytest.approx(whole, rel=1e-15, abs=0)


@given(TABLE)
def test_exchanging_the_classes(rows):
    pos, neg = np.array(rows).T
    found = delong(neg[::-1], pos[::-1])
    assert found.auc == delong(pos, neg).auc
    assert found.variance == pytest.approx(delong(pos, neg).variance, rel=1e-14, abs=0)


@pytest.mark.parametrize(("dataset", "column", "value"), figures("delong_var"))
def test_reference_variance(dataset, column, value):
    table = scores(dataset, column)
    found = delong(table.pos, table.neg)
    assert found.variance == pytest.approx(value, rel=1e-12, abs=0)
    assert found.auc == table.roc_auc().value


def interval(dataset, column, level, method):
    table = scores(dataset, column)
    found = delong(table.pos, table.neg)
    if found.variance == 0:
        with pytest.warns(ThresherWarning):
            return variance_interval(found.auc, found.variance, level, method)
    return variance_interval(found.auc, found.variance, level, method)


@pytest.mark.parametrize(("figure", "method"), [("delong_ci95", "delong"), ("delong_ci95_logit", "delong-logit")])
def test_reference_intervals(figure, method):
    for dataset, column, value in figures(figure):
        found = interval(dataset, column, 0.95, method)
        assert tuple(found) == pytest.approx(tuple(value), rel=1e-12, abs=1e-13), dataset
        assert found.method == method


def test_proc_intervals():
    checked = 0
    for dataset, entry in golden().items():
        peer = entry.get("peers", {}).get("pROC 1.19.0.1", {}) if not dataset.startswith("_") else {}
        for key, value in peer.items():
            name, _, figure = key.rpartition(".")
            if figure not in ("delong_ci90", "delong_ci95", "delong_ci99") or value is None or None in value:
                continue
            column = name or entry["columns"][0]
            found = interval(dataset, column, int(figure[-2:]) / 100, "delong")
            assert tuple(found) == pytest.approx((value[0], value[-1]), rel=1e-12, abs=1e-12), (dataset, key)
            checked += 1
    assert checked > 80


def test_large_counts_stay_accurate():
    # Products of these counts pass 2**63, so the exact path gives way to doubles.
    pos = np.array([3, 2, 1, 2]) * 10**9
    neg = np.array([1, 2, 4, 3]) * 10**9
    found = delong(pos, neg)
    area, _ = by_pairs([3, 2, 1, 2], [1, 2, 4, 3])
    small = delong(np.array([3, 2, 1, 2]), np.array([1, 2, 4, 3]))
    assert found.auc == float(area)
    m, n = 8 * 10**9, 10 * 10**9
    expected = small.spread_pos * 7 / 8 / (m - 1) + small.spread_neg * 9 / 10 / (n - 1)
    assert found.variance == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("pos", "neg", "auc"), [([3, 0], [0, 4], 1.0), ([0, 3], [4, 0], 0.0), ([3], [4], 0.5)], ids=["one", "zero", "tied"]
)
@pytest.mark.parametrize("method", ["delong", "delong-logit"])
def test_no_spread_is_said(pos, neg, auc, method):
    found = delong(np.array(pos), np.array(neg))
    assert (found.auc, found.variance) == (auc, 0.0)
    with pytest.warns(ThresherWarning) as caught:
        ends = variance_interval(found.auc, found.variance, 0.95, method)
    assert tuple(ends) == (auc, auc)
    assert str(caught[0].message) == (
        f'The standard error of "{method}" is 0 at {auc:g}: no placement differs from another, as when the classes do '
        "not overlap. The interval is a single point and says nothing about other samples. "
        'Hint: method="newcombe" gives an interval with length.'
    )
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("pos", "neg", "name", "value"),
    [
        ([1, 0], [2, 3], "positive", "1"),
        ([2, 1], [0, 1], "negative", "1"),
        ([0.5, 0.25], [2.0, 1.0], "positive", "0.75"),
    ],
)
def test_one_case_of_a_class(pos, neg, name, value):
    with pytest.raises(UndefinedMetricError) as caught:
        delong(np.array(pos), np.array(neg))
    assert str(caught.value) == (
        f"DeLong's variance needs more than one {name}; got {value}. Hint: "
        'method="hanley-mcneil" answers with one case of a class, and for an interval so does "newcombe".'
    )


@given(st.floats(0.01, 0.99), st.floats(1e-6, 0.2), st.floats(0.5, 0.999), st.floats(0.05, 1.0))
def test_intervals_stay_inside(share, variance, level, largest):
    value = share * largest
    for method in ("delong", "delong-logit"):
        low, high = variance_interval(value, variance, level, method, largest=largest)
        assert 0.0 <= low <= value * (1 + 1e-12)
        assert value <= high * (1 + 1e-12)
        assert high <= largest * (1 + 1e-15)


def test_logit_interval_is_symmetric_in_the_logit():
    low, high = logit_interval(0.8, 0.0025, normal_quantile(0.95))
    logit = [np.log(p / (1 - p)) for p in (low, 0.8, high)]
    assert logit[1] - logit[0] == pytest.approx(logit[2] - logit[1])
    assert logit[2] - logit[1] == pytest.approx(1.959963984540054 * 0.05 / 0.16)


def test_reference_file_has_the_edges():
    # The reference leaves DeLong undefined where thresher raises.
    names = {dataset for dataset, _, _ in figures("delong_var")}
    assert names.isdisjoint({"tiny_one_pos", "tiny_one_neg", "edge_pair"})


@pytest.mark.parametrize("largest", [0.1, 0.5, 1.0])
def test_the_logit_interval_of_a_part_is_that_of_its_share(largest):
    """An area in [0, L] divided by L is an area in [0, 1] with 1/L of its standard error."""
    share, error, z = 0.7, 0.08, stats.norm.ppf(0.95)
    centre, reach = np.log(share / (1 - share)), z * error / (share * (1 - share))
    want = [largest / (1 + np.exp(-(centre + side * reach))) for side in (-1, 1)]
    found = variance_interval(share * largest, (error * largest) ** 2, 0.9, "delong-logit", largest=largest)
    assert tuple(found) == pytest.approx(want, rel=1e-12)


def test_the_logit_interval_of_a_partial_area_is_about_as_long_as_the_plain_one():
    area = scores("paired_r50_n500", "model_a").partial_roc_auc(fpr=(0.0, 0.1))
    plain, logit = (area.confidence_interval(method=name) for name in ("delong", "delong-logit"))
    assert logit.high - logit.low == pytest.approx(plain.high - plain.low, rel=0.1)


def test_weighted_rows_one_by_one():
    rng = np.random.default_rng(6)
    y = rng.random(80) < 0.4
    score, weight = (rng.normal(size=80) + y).round(1), rng.uniform(0.5, 2.0, 80)
    found = delong_of(th.Scores(y, score, sample_weight=weight))
    placement = np.empty(80)
    for i, own in enumerate(score):
        rest = score[y != y[i]]
        beats = (own > rest) if y[i] else (own < rest)
        placement[i] = np.average(beats + 0.5 * (own == rest), weights=weight[y != y[i]])
    area = np.average(placement[y], weights=weight[y])
    parts, spreads = [], []
    for side in (y, ~y):
        w, away = weight[side], placement[side] - area
        # The weights' own n - 1: 1 / (1 - sum of squared shares).
        parts.append(np.sum((w * away) ** 2) / (w.sum() ** 2 - np.sum(w**2)))
        spreads.append(parts[-1] * w.sum() ** 2 / np.sum(w**2))
    assert found.auc == pytest.approx(area, rel=1e-13)
    assert found.variance == pytest.approx(sum(parts), rel=1e-12)
    assert (found.spread_pos, found.spread_neg) == pytest.approx(spreads, rel=1e-12)
