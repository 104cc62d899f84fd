"""The score interval and the guaranteed one against 20-digit reference values, and where they are forced."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import thresher as th
from thresher._inference.delong.delong import delong_of
from thresher._inference.delong.published import exact_interval, score_inflation, score_interval

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "uncertainty.json").read_text())["auc_near_1"]


def number(text):
    return float(Fraction(text)) if "/" in text else float(text)


@pytest.mark.parametrize("case", REFERENCE, ids=range(len(REFERENCE)))
def test_reference_values(case):
    scores = th.Scores.from_pos_neg(case["pos"], case["neg"])
    found, level = delong_of(scores), number(case["confidence_level"])
    totals = len(case["pos"]), len(case["neg"])
    assert found.auc == number(case["auc"])
    assert score_inflation(found.auc, found.variance, *totals) == pytest.approx(number(case["inflation"]), rel=1e-12)
    for name, ends in (
        ("score", score_interval(found.auc, found.variance, *totals, level)),
        ("exact", exact_interval(found.auc, *totals, level)),
    ):
        assert ends == pytest.approx([number(end) for end in case[name]], abs=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (3, 40), (200, 7)])
def test_perfect_rankings_have_the_sharp_lower_limit(n_pos, n_neg, level):
    low, high = exact_interval(1.0, n_pos, n_neg, level)
    assert (low, high) == (pytest.approx(((1 - level) / 2) ** (1 / min(n_pos, n_neg)), rel=1e-12), 1.0)
    mirrored = exact_interval(0.0, n_pos, n_neg, level)
    assert mirrored == (0.0, pytest.approx(1 - low, rel=1e-12))


@pytest.mark.parametrize("auc", [0.0, 0.02, 0.3, 0.5, 0.9, 1.0])
def test_classes_exchanged_and_scores_reversed(auc):
    low, high = score_interval(auc, 0.0004, 30, 50, 0.95)
    assert score_interval(auc, 0.0004, 50, 30, 0.95) == (low, high)
    assert score_interval(1 - auc, 0.0004, 30, 50, 0.95) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_one_case_of_a_class_leaves_the_worst_case():
    assert score_inflation(0.8, None, 1, 20) == pytest.approx(score_inflation(0.8, 1.0, 1, 20), rel=1e-12)
    low, high = score_interval(0.8, None, 1, 20, 0.95)
    assert low < 0.2
    assert high > 0.97


def test_levels_are_nested():
    ends = [score_interval(0.93, 0.0006, 40, 25, level) for level in (0.5, 0.8, 0.95, 0.99)]
    assert all(b[0] < a[0] and a[1] < b[1] for a, b in pairwise(ends))


def test_large_samples_give_delong():
    low, high = score_interval(0.8, 0.0001, 1000, 1000, 0.95)
    assert (low, high) == pytest.approx((0.8 - 0.0196, 0.8 + 0.0196), abs=0.002)
