"""Every rate of a confusion matrix, in fractions and by scikit-learn on the rows themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._curves import Mix, OperatingPoint

cells = st.tuples(*[st.integers(0, 30)] * 4)


@given(cells=cells, skew=st.sampled_from([Fraction(1), Fraction(1, 7), Fraction(12)]))
def test_rates_in_fractions(cells, skew):
    tp, fp, fn, tn = cells
    point = OperatingPoint(0.5, tp, fp, fn, tn, float(skew))
    heavy_fp, heavy_tn = skew * fp, skew * tn
    every = tp + fn + heavy_fp + heavy_tn
    want = {
        "tpr": (tp, tp + fn),
        "recall": (tp, tp + fn),
        "sensitivity": (tp, tp + fn),
        "fnr": (fn, tp + fn),
        "fpr": (fp, fp + tn),
        "tnr": (tn, fp + tn),
        "specificity": (tn, fp + tn),
        "precision": (tp, tp + heavy_fp),
        "npv": (heavy_tn, heavy_tn + fn),
        "alert_rate": (tp + heavy_fp, every),
        "accuracy": (tp + heavy_tn, every),
        "prevalence": (tp + fn, every),
        "f1": (2 * tp, 2 * tp + fn + heavy_fp),
        "youden": (tp * (fp + tn) - fp * (tp + fn), (tp + fn) * (fp + tn)),
    }
    for name, (part, whole) in want.items():
        found = point.npv().value if name == "npv" else getattr(point, name)
        if whole == 0:
            assert math.isnan(found), name
        else:
            assert found == pytest.approx(float(Fraction(part) / whole), abs=1e-12), name
    if 0 not in (tp + fn, fp + tn):
        assert point.balanced_accuracy == pytest.approx((tp / (tp + fn) + tn / (fp + tn)) / 2)


@given(cells=cells, beta=st.sampled_from([0.5, 1.0, 2.0, 3.5]))
def test_f_beta_and_mcc_against_scikit_learn(cells, beta):
    metrics = pytest.importorskip("sklearn.metrics", reason="compared with scikit-learn")
    tp, fp, fn, tn = cells
    y = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    called = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    point = OperatingPoint(0.5, tp, fp, fn, tn)
    if tp + fp + fn:
        assert point.f_beta(beta) == pytest.approx(metrics.fbeta_score(y, called, beta=beta, zero_division=0))
    if min(tp + fp, fn + tn, tp + fn, fp + tn) > 0:
        assert point.mcc == pytest.approx(metrics.matthews_corrcoef(y, called), abs=1e-12)
    else:
        assert math.isnan(point.mcc)


@pytest.mark.parametrize("beta", [0, -1.0, math.inf, math.nan])
def test_a_beta_is_positive(beta):
    with pytest.raises(th.InvalidInputError, match="`beta` must be positive and finite"):
        OperatingPoint(0.5, 1, 1, 1, 1).f_beta(beta)


def test_a_mix_names_the_stricter_threshold_first():
    assert Mix(3.0, 1.0, 0.25).thresholds == (3.0, 1.0)
