"""Curves by trying every threshold: counts, rates and precisions of rows with ties and weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.metrics import confusion_matrix_at_thresholds, det_curve, precision_recall_curve, roc_curve

row = st.tuples(st.booleans(), st.integers(0, 5), st.sampled_from([0.5, 1.0, 3.0]))


@st.composite
def rows(draw):
    cases = [
        (True, draw(st.integers(0, 5)), 1.0),
        (False, draw(st.integers(0, 5)), 1.0),
        *draw(st.lists(row, max_size=15)),
    ]
    y, x, w = (np.array(column) for column in zip(*cases, strict=True))
    return y, x.astype(float), w if draw(st.booleans()) else None


def counts(y, x, w, cut):
    weight = np.ones(y.size) if w is None else w
    called = x >= cut
    return weight[called & y].sum(), weight[called & ~y].sum()


@given(rows())
def test_confusion_matrices(data):
    y, x, w = data
    tns, fps, fns, tps, cuts = confusion_matrix_at_thresholds(y, x, sample_weight=w)
    n_pos, n_neg = counts(y, x, w, -np.inf)
    assert cuts.tolist() == sorted(set(x), reverse=True)
    for cell in zip(tns, fps, fns, tps, cuts, strict=True):
        tp, fp = counts(y, x, w, cell[4])
        assert cell[:4] == pytest.approx((n_neg - fp, fp, n_pos - tp, tp))


@given(rows())
def test_roc(data):
    y, x, w = data
    fpr, tpr, cuts = roc_curve(y, x, sample_weight=w, drop_intermediate=False)
    n_pos, n_neg = counts(y, x, w, -np.inf)
    assert (cuts[0], fpr[0], tpr[0]) == (np.inf, 0.0, 0.0)
    for a, b, cut in zip(fpr[1:], tpr[1:], cuts[1:], strict=True):
        tp, fp = counts(y, x, w, cut)
        assert (a, b) == pytest.approx((fp / n_neg, tp / n_pos))
    # What is dropped lies on the line between its neighbours.
    fewer_x, fewer_y, fewer = roc_curve(y, x, sample_weight=w)
    assert set(fewer.tolist()) <= set(cuts.tolist())
    kept = np.isin(cuts, fewer)
    for i in np.flatnonzero(~kept):
        before, after = np.flatnonzero(kept[:i])[-1], i + np.flatnonzero(kept[i:])[0]
        across = (tpr[i] - tpr[before]) * (fpr[after] - fpr[before]) - (fpr[i] - fpr[before]) * (
            tpr[after] - tpr[before]
        )
        assert across == pytest.approx(0.0, abs=1e-12)
    assert (fewer_x[-1], fewer_y[-1]) == (1.0, 1.0)


@given(rows())
def test_precision_and_recall(data):
    y, x, w = data
    precision, recall, cuts = precision_recall_curve(y, x, sample_weight=w)
    n_pos, _ = counts(y, x, w, -np.inf)
    assert (precision[-1], recall[-1]) == (1.0, 0.0)
    assert cuts.tolist() == sorted(set(x))
    for p, r, cut in zip(precision[:-1], recall[:-1], cuts, strict=True):
        tp, fp = counts(y, x, w, cut)
        assert (p, r) == pytest.approx((tp / (tp + fp), tp / n_pos))


@given(rows())
def test_det(data):
    y, x, w = data
    fpr, fnr, cuts = det_curve(y, x, sample_weight=w)
    n_pos, n_neg = counts(y, x, w, -np.inf)
    for a, b, cut in zip(fpr, fnr, cuts, strict=True):
        tp, fp = counts(y, x, w, cut)
        assert (a, b) == pytest.approx((fp / n_neg, 1 - tp / n_pos), abs=1e-12)
