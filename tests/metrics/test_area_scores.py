"""Areas by pairs and by sums, with several classes by pairs of classes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import oracle
from support.rows_of_all_kinds import outcome, unusual_rows, usual_rows
from support.strategies import labelled
from thresher._core import native
from thresher.metrics import auc, average_precision_score, roc_auc_score
from thresher.metrics._area_scores import trapezoids_numpy

few = labelled(values=st.integers(0, 5).map(float))


def pairs(y, x, w):
    """Return the share of pairs in which the positive stands above, by the product of their weights."""
    wins = (x[y][:, None] > x[~y]) + 0.5 * (x[y][:, None] == x[~y])
    each = w[y][:, None] * w[~y]
    return (wins * each).sum() / each.sum()


@given(few)
def test_two_classes(data):
    assert roc_auc_score(*data) == pytest.approx(float(oracle.roc_auc(*data)), rel=1e-14)
    want = float(oracle.average_precision(oracle.counts(*data)))
    assert average_precision_score(*data) == pytest.approx(want, rel=1e-14)


@given(data=few, seed=st.integers(0, 99))
def test_weights(data, seed):
    y, x = np.array(data[0], dtype=bool), np.array(data[1])
    w = np.random.default_rng(seed).choice([0.5, 1.0, 4.0], y.size)
    assert roc_auc_score(y, x, sample_weight=w) == pytest.approx(pairs(y, x, w))
    steps = []
    for cut in sorted(set(x)):
        called = x >= cut
        own = w[(x == cut) & y].sum() / w[y].sum()
        steps.append(own * w[called & y].sum() / w[called].sum())
    assert average_precision_score(y, x, sample_weight=w) == pytest.approx(sum(steps))


def several(seed=0):
    rng = np.random.default_rng(seed)
    y = np.append([0, 1, 2], rng.choice(3, 40, p=[0.6, 0.3, 0.1]))
    p = rng.random((43, 3)) + np.eye(3)[y]
    return y, p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_one_against_the_rest_and_one_against_one(average):
    y, p = several()
    ones = np.ones(y.size)
    share = np.array([(y == k).mean() for k in range(3)])
    rest = [pairs(y == k, p[:, k], ones) for k in range(3)]
    want = np.average(rest, weights=share if average == "weighted" else None)
    assert roc_auc_score(y, p, multi_class="ovr", average=average) == pytest.approx(want)
    both, weights = [], []
    for a, b in itertools.combinations(range(3), 2):
        mine = (y == a) | (y == b)
        one = pairs(y[mine] == a, p[mine, a], ones[mine])
        two = pairs(y[mine] == b, p[mine, b], ones[mine])
        both.append((one + two) / 2)
        weights.append(mine.mean())
    want = np.average(both, weights=weights if average == "weighted" else None)
    assert roc_auc_score(y, p, multi_class="ovo", average=average) == pytest.approx(want)


def test_part_of_the_area_on_mcclishs_scale():
    y, x = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    # To FPR 1/2: 1/3 * 1/2 + 1/6 * 1 = 1/3; chance has 1/8 and perfection 1/2.
    want = (1 + (1 / 3 - 1 / 8) / (1 / 2 - 1 / 8)) / 2
    assert roc_auc_score(y, x, max_fpr=0.5) == pytest.approx(want)
    assert roc_auc_score(y, x, max_fpr=1.0) == roc_auc_score(y, x)


def test_trapezoids():
    x, y = np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 0.0])
    assert auc(x, y) == pytest.approx(1.5 + 2.0)
    assert auc(x[::-1], y[::-1]) == pytest.approx(3.5)
    assert trapezoids_numpy(x, y)[0] == pytest.approx(2 * 3.5)  # twice the area
    with pytest.raises(ValueError, match="neither increasing nor decreasing"):
        auc([0, 2, 1], [0, 0, 0])
    with pytest.raises(ValueError, match="At least 2 points"):
        auc([0], [1])


@pytest.mark.parametrize("function", [roc_auc_score, average_precision_score])
def test_the_short_way_answers_as_the_long_one(function, monkeypatch):
    cases = [*usual_rows(), *unusual_rows().values()]
    options = [{}, {"average": None}]
    options += (
        [{"max_fpr": 1.0}, {"max_fpr": 0.3}] if function is roc_auc_score else [{"pos_label": 0}, {"pos_label": True}]
    )
    short = [outcome(lambda y=y, s=s, o=o: function(y, s, **o)) for y, s in cases for o in options]
    for name in ("plain_u", "plain_pr"):
        monkeypatch.setattr(native, name, lambda *_: None)
    long = [outcome(lambda y=y, s=s, o=o: function(y, s, **o)) for y, s in cases for o in options]
    assert short == long
    assert sum(bool(said) for _, said in long) >= 5  # of one class, where there is something to say
