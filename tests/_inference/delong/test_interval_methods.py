"""Every interval by name, and what each does at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._inference.delong.delong import delong
from thresher._inference.delong.interval_methods import (
    COUNT_METHODS,
    bamber,
    interval_from_counts,
    partial_interval_from_counts,
    se_from_counts,
)
from thresher._inference.delong.published import roc_auc_interval
from thresher._inference.interval import normal_quantile
from thresher._table import Counts
from thresher.exceptions import ThresherWarning, UndefinedMetricError
from thresher.measures._roc_auc import partial_roc_auc_value

POS, NEG = np.array([5, 3, 2, 0, 1]), np.array([1, 2, 3, 4, 4])
AUC = delong(POS, NEG).auc
WITH_LENGTH = ("newcombe", "score", "exact")
NEEDS_TWO = ("delong", "delong-logit", "bamber")


def table(pos, neg):
    return Counts._from_table((-np.arange(pos.size), pos, neg))


def test_names():
    summaries = ("hanley-mcneil", "max-variance", "newcombe")
    assert list(COUNT_METHODS) == ["delong", "delong-logit", "bamber", *summaries, "score", "exact"]


@pytest.mark.parametrize("method", [name for name in COUNT_METHODS if name not in (*WITH_LENGTH, "delong-logit")])
def test_normal_intervals_are_centred(method):
    se = se_from_counts(table(POS, NEG), auc=AUC, method=method)
    found = interval_from_counts(table(POS, NEG), auc=AUC, method=method, confidence_level=0.8)
    reach = normal_quantile(0.8) * se
    assert tuple(found) == pytest.approx((AUC - reach, AUC + reach), rel=1e-13)
    assert found.method == method


def test_each_method_takes_its_own_kernel():
    assert se_from_counts(table(POS, NEG), auc=AUC) == delong(POS, NEG).variance ** 0.5
    assert se_from_counts(table(POS, NEG), auc=AUC, method="delong-logit") == delong(POS, NEG).variance ** 0.5
    assert se_from_counts(table(POS, NEG), auc=AUC, method="bamber") == bamber(POS, NEG).variance ** 0.5
    for method in ("hanley-mcneil", "max-variance", "newcombe"):
        assert interval_from_counts(table(POS, NEG), auc=AUC, method=method) == roc_auc_interval(
            AUC, 11, 14, method=method
        )
    # Another sample, another order of lengths; here the guaranteed one is the longest, then the assumption-free bound.
    lengths = {name: interval_from_counts(table(POS, NEG), auc=AUC, method=name).width for name in COUNT_METHODS}
    assert sorted(lengths, key=lengths.__getitem__)[-2:] == ["max-variance", "exact"]


def test_newcombe_has_the_standard_error_at_the_area_itself():
    # His interval takes it at the ends instead: with totals alike, that is Hanley and McNeil's.
    pos, neg = POS[:], NEG.copy()
    neg[neg.argmax()] -= NEG.sum() - POS.sum()
    for auc in (0.5, 0.8):
        found = [se_from_counts(table(pos, neg), auc=auc, method=name) for name in ("newcombe", "hanley-mcneil")]
        assert found[0] == pytest.approx(found[1], rel=1e-14)
    low, high = interval_from_counts(table(POS, NEG), auc=AUC, method="newcombe", confidence_level=1e-6)
    z = normal_quantile(1e-6)
    assert se_from_counts(table(POS, NEG), auc=AUC, method="newcombe") == pytest.approx((high - low) / 2 / z, rel=1e-4)


@pytest.mark.parametrize("method", COUNT_METHODS)
@pytest.mark.parametrize(("pos", "neg", "auc"), [([4, 0], [0, 5], 1.0), ([0, 4], [5, 0], 0.0)])
def test_no_overlap(method, pos, neg, auc):
    pos, neg = np.array(pos), np.array(neg)
    if method in WITH_LENGTH:
        assert interval_from_counts(table(pos, neg), auc=auc, method=method).width > 0.1
        return
    with pytest.warns(ThresherWarning, match="is a single point"):
        found = interval_from_counts(table(pos, neg), auc=auc, method=method)
    assert tuple(found) == (auc, auc)


@pytest.mark.parametrize("method", COUNT_METHODS)
def test_one_positive(method):
    pos, neg = np.array([0, 1, 0]), np.array([1, 1, 3])
    if method in NEEDS_TWO:
        with pytest.raises(UndefinedMetricError):
            interval_from_counts(table(pos, neg), auc=0.7, method=method)
        return
    low, high = interval_from_counts(table(pos, neg), auc=0.7, method=method)
    assert 0.0 <= low < 0.7 < high <= 1.0


@pytest.mark.parametrize("method", COUNT_METHODS)
@given(times=st.integers(1, 50))
def test_more_rows_shorten(method, times):
    one = interval_from_counts(table(POS.astype(float), NEG.astype(float)), auc=AUC, method=method)
    more = interval_from_counts(table(POS * float(times), NEG * float(times)), auc=AUC, method=method)
    assert 0.0 <= one.low <= more.low + 1e-12
    assert more.high <= one.high + 1e-12 <= 1.0 + 1e-12


@pytest.mark.parametrize("method", ["delong", "delong-logit"])
@pytest.mark.parametrize(("axis", "span"), [("fpr", (0.0, 0.3)), ("tpr", (0.6, 1.0))])
def test_partial(method, axis, span):
    counts = table(POS, NEG)
    value = partial_roc_auc_value(counts, axis, span, standardize=False)
    found = partial_interval_from_counts(counts, value=value, span=span, axis=axis, method=method, confidence_level=0.9)
    assert 0.0 <= found.low < found.high <= span[1] - span[0]
