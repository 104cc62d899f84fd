from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from thresher.papers._davis_goadrich._exact import (
    on_hull,
    pr_dominates,
    precision,
    random_curve,
    roc_dominates,
    scores_of,
    worsened,
)

PAPER = "davis-goadrich"
ERRATA = {"Figure 4", "Figure 6", "Figure 7"}


def test_every_entry(entry_of_davis_goadrich, found):
    result = found(PAPER, entry_of_davis_goadrich)
    unexplained = [check for check in result.found.checks if not check.as_expected]
    assert not unexplained
    assert result.status == ("erratum" if entry_of_davis_goadrich in ERRATA else "reproduced")


def test_table_1(values):
    found = values(PAPER, "Table 1")
    for tp, fp in ((5, 5), (6, 10), (7, 15), (8, 20), (9, 25), (10, 30)):
        assert found[f"TP {tp}: FP"] == pytest.approx(fp, abs=1e-12)
        assert found[f"TP {tp}: recall"] == tp / 20
        assert found[f"TP {tp}: precision"] == pytest.approx(tp / (tp + fp), rel=1e-14)


def test_figure_6_by_quadrature(values):
    found = values(PAPER, "Figure 6")
    with mpmath.workdps(30):
        P, N = mpmath.mpf(433), mpmath.mpf(56164)
        start = P / 50
        slope = N / (P - start)
        tail = mpmath.quad(lambda t: t / (t + slope * (t - start)), [start, start + 0.1, start + 5, 100, P]) / P
        assert found["AUC-PR, interpolated"] == pytest.approx(float(mpmath.mpf(1) / 50 + tail), rel=1e-12)
    assert found["AUC-PR, interpolated"] == pytest.approx(0.02866, abs=5e-6)
    assert found["AUC-PR, linear"] == pytest.approx(0.02 + 0.98 * (1 + 433 / 56597) / 2, rel=1e-12)
    assert found["precision at recall 1"] == 433 / 56597


def test_figure_7(values):
    found = values(PAPER, "Figure 7")
    assert found["AUC-ROC, curve I"] == 0.8125
    assert found["AUC-ROC, curve II"] == 0.875
    assert found["AUC-PR, curve I"] == pytest.approx(0.51984, abs=5e-6)
    assert found["AUC-PR, curve II"] == pytest.approx(1 / 26, rel=1e-14)


@pytest.mark.parametrize(
    ("item", "least"), [("Theorem 3.1", 20_000), ("Theorem 3.2", 3000), ("Corollary 3.1", 1500), ("Figure 2", 1000)]
)
def test_theorems_are_tried_often(item, least, found):
    said = found(PAPER, item).found.checks[0].ours
    tried = int(said.split(" of ")[1].split()[0].replace(",", ""))
    assert tried >= least


def test_dominance_oracles_see_a_difference():
    # A curve that is better nearly everywhere, and worse in one corner.
    a, b = [(0, 0), (5, 1), (9, 9), (10, 20)], [(0, 0), (4, 2), (10, 15), (10, 20)]
    assert not roc_dominates(a, b)
    assert not pr_dominates(a, b)
    assert not roc_dominates(b, a)
    assert roc_dominates(a, a)
    assert pr_dominates(a, a)


def test_worsened_curves_are_dominated():
    rng = np.random.default_rng(0)
    for _ in range(50):
        curve = random_curve(rng, 6, 9)
        assert roc_dominates(curve, worsened(rng, curve))


def test_precision_between_points():
    curve = [(0, 0), (5, 5), (10, 30), (20, 2000)]
    assert precision(curve, 7) == (Fraction(7, 22), Fraction(7, 22))
    assert precision([(0, 0), (2, 0), (2, 4), (3, 4)], 2) == (Fraction(1, 3), 1)


def test_hull_by_definition():
    # Beneath a vertical edge, beneath a chord, and on an edge.
    assert on_hull([(0, 0), (1, 0), (2, 0), (3, 3), (5, 4), (6, 8)]) == [(0, 0), (2, 0), (5, 4), (6, 8)]
    assert on_hull([(0, 0), (2, 0), (4, 4), (5, 6)]) == [(0, 0), (2, 0), (5, 6)]
    assert scores_of([(0, 0), (1, 2), (3, 4)]).fp.tolist() == [2, 4]
