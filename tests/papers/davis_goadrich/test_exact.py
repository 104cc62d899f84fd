"""Exact curves against the tests' own oracle, which was written apart from them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.davis_goadrich.exact import (
    cleaned,
    fp_range,
    on_hull,
    pr_dominates,
    precision,
    random_curve,
    roc_dominates,
    scores_of,
    worsened,
)
from support import oracle
from support.strategies import curve_points


def turned(points):
    """(FP, TP) of the oracle and (TP, FP) here."""
    return [(y, x) for x, y in points]


@given(curve_points(), curve_points())
def test_dominance(a, b):
    verdict = oracle.dominance_roc(a, b)
    assert roc_dominates(turned(a), turned(b)) == (verdict in ("equal", "a"))
    assert roc_dominates(turned(b), turned(a)) == (verdict in ("equal", "b"))
    assert pr_dominates(turned(a), turned(b)) == (oracle.dominance_pr(a, b) in ("equal", "a"))


@given(curve_points())
def test_the_hull(points):
    # A point on a vertical piece at the start is no vertex for either.
    assert on_hull(turned(points)) == turned(oracle.hull(points))


@given(points=curve_points(), part=st.integers(1, 16))
def test_false_positives_and_precision(points, part):
    tp = Fraction(part * points[-1][1], 16)
    flat = [(y, x) for x, y in points]
    fewest, most = (oracle.roc_height(flat, tp, top=top) for top in (False, True))
    assert fp_range(turned(points), tp) == (fewest, most)
    assert precision(turned(points), tp) == (tp / (tp + most), tp / (tp + fewest))


@pytest.mark.parametrize("seed", range(5))
def test_random_curves(seed):
    rng = np.random.default_rng(seed)
    curve = random_curve(rng, 4, 6)
    assert (curve[0], curve[-1]) == ((0, 0), (4, 6))
    assert cleaned(curve) == curve
    assert roc_dominates(curve, worsened(rng, curve))
    scores = scores_of(curve)
    assert list(zip(scores.tp.tolist(), scores.fp.tolist(), strict=True)) == curve[1:]
