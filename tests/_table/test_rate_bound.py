from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._table import rate_error_bound


def most_undecided(table, counts, total):
    """By definition: try every threshold at which anything can change."""
    cuts = [*table.thresholds.tolist(), *table._highest_scores.tolist()]
    rows = list(zip(table.thresholds.tolist(), table._highest_scores.tolist(), counts.tolist(), strict=True))
    return max(sum(n for low, high, n in rows if low < cut <= high) for cut in cuts) / total


@given(seed=st.integers(0, 10_000), points=st.integers(30, 80), parts=st.integers(1, 3))
def test_all_thresholds_at_once(seed, points, parts):
    rng = np.random.default_rng(seed)
    y = rng.random(300) < 0.4
    y[:6] = [True, False] * 3
    s = (rng.normal(size=300) + y).round(2)
    table = sum(
        (th.Scores(y[i::parts], s[i::parts]).compress(points) for i in range(1, parts)),
        start=th.Scores(y[::parts], s[::parts]).compress(points),
    )
    bound = table.roc().rate_error_bound
    assert bound.tpr == pytest.approx(most_undecided(table, table.pos, table.n_pos), abs=1e-15)
    assert bound.fpr == pytest.approx(most_undecided(table, table.neg, table.n_neg), abs=1e-15)
    full = th.Scores(y, s)
    for cut in full.thresholds[::7]:
        rough, true = table.roc().at(threshold=cut), full.roc().at(threshold=cut)
        single = rate_error_bound(table, cut)
        assert -1e-15 <= true.tpr - rough.tpr <= single.tpr + 1e-15 <= bound.tpr + 2e-15
        assert -1e-15 <= true.fpr - rough.fpr <= single.fpr + 1e-15 <= bound.fpr + 2e-15


def test_exact_tables_have_none():
    scores = th.Scores([0, 1, 1], [0.1, 0.4, 0.35])
    assert scores.roc().rate_error_bound == th.results.RateErrorBound(0.0, 0.0)
    assert rate_error_bound(scores, 0.4) == th.results.RateErrorBound(0.0, 0.0)


def test_curves_carry_it():
    rng = np.random.default_rng(2)
    y = rng.random(2000) < 0.3
    full = th.Scores(y, rng.normal(size=2000) + y)
    table = full.compress(100)
    bound = table.roc().rate_error_bound
    assert bound.tpr > 0
    roc, pr = table.roc(), table.pr(prevalence=0.1)
    for curve in (roc, pr, roc.hull(), roc.to_pr(), pr.to_roc(), table.achievable_pr()):
        assert curve.rate_error_bound == bound
    for curve in (full.roc(), full.pr(), th.RocCurve.from_points([0.25], [1.0], n_pos=20, n_neg=2000)):
        assert curve.rate_error_bound == th.results.RateErrorBound(0.0, 0.0)


def test_kept_thresholds_of_a_compressed_table_are_exact():
    rng = np.random.default_rng(1)
    y = rng.random(2000) < 0.3
    table = th.Scores(y, rng.normal(size=2000) + y).compress(100)
    for cut in table.thresholds:
        assert rate_error_bound(table, cut) == th.results.RateErrorBound(0.0, 0.0)
    assert table.roc().rate_error_bound.fpr > 0


def test_ranges_of_one_score_each_have_no_error():
    """A table that says where its ranges end may turn out to have none: nothing is cut."""
    small = th.Scores([1, 1, 0, 0], [4, 3, 2, 1]).compress(2)
    assert small.roc().rate_error_bound == th.results.RateErrorBound(1.0, 1.0)
    exact = small._from_table((small.thresholds, small.pos, small.neg), small.thresholds)
    assert not exact._complete
    assert exact.roc().rate_error_bound == th.results.RateErrorBound(0.0, 0.0)


def test_a_missing_class_has_no_error():
    table = th.Scores(np.zeros(200), np.arange(200)).compress(2)
    assert rate_error_bound(table).tpr == 0.0


def test_messages():
    scores = th.Scores([0, 1], [0.1, 0.4])
    for wrong, shown in ((float("nan"), "nan"), ("high", "'high'")):
        with pytest.raises(th.InvalidInputError) as caught:
            rate_error_bound(scores, wrong)
        assert str(caught.value) == f"`threshold` must be a number; got {shown}."
