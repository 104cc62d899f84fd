"""Interpolation and area in PR space, against fractions and plain loops."""

from __future__ import annotations

from fractions import Fraction

import pytest

from papers.davis_goadrich import areas


def unit_steps(pos, neg):
    """The paper's rule in fractions: a point at every whole number of true positives, trapezoids between them."""
    n_pos, tp, fp = sum(pos), 0, Fraction(0)
    area, before = Fraction(0), None
    for p, n in zip(pos, neg, strict=True):
        for _ in range(p):
            tp, fp = tp + 1, fp + Fraction(n, p)
            here = tp / (tp + fp)
            if before is None:
                before = here if tp > 1 or n else Fraction(1)
            area += (before + here) / 2 / n_pos
            before = here
        if p == 0:
            fp += n
            before = tp / (tp + fp)
    return area


def test_the_paper_prints_what_its_rule_gives():
    for tp, fp, recall, precision in areas.TABLE_1:
        assert fp == 5 + 5 * (tp - 5)
        assert recall == tp / 20
        assert abs(Fraction(tp, tp + fp) - Fraction(str(precision))) <= Fraction(1, 2000)
    assert all(check.as_expected for check in areas.table_1().checks)


def test_one_point_and_everything():
    scores = areas._point_curve(9, 53_692)
    assert (scores.n_pos, scores.n_neg) == (433, 53_692)
    want = unit_steps([9, 424], [0, 53_692])
    assert scores.pr_auc(estimator="unit_steps").value == pytest.approx(float(want), abs=1e-12)
    assert round(float(want), 3) == 0.031
    assert areas._reading(9, 53_692)[:4] == ("9", "0.0208", "0.00800", "0.0307")


@pytest.mark.parametrize("curve", [areas.curve_one, areas.curve_two, areas.other_curve_one, areas.simple_curve_one])
def test_curves_of_figure_7_are_hulls_of_twenty_and_two_thousand(curve):
    scores = curve()
    assert (scores.n_pos, scores.n_neg) == (20, 2000)
    slopes = [Fraction(int(p), int(n)) if n else float("inf") for p, n in zip(scores.pos, scores.neg, strict=True)]
    assert slopes == sorted(set(slopes), reverse=True)


def test_areas_of_figure_7():
    one, two = areas.curve_one(), areas.curve_two()
    for scores, printed in ((one, 0.514), (two, 0.038)):
        want = unit_steps(scores.pos.tolist(), scores.neg.tolist())
        assert scores.pr_auc(estimator="unit_steps").value == pytest.approx(float(want), abs=1e-12)
        assert abs(float(want) - printed) <= 0.0005 + 1e-9
    assert round(areas.simple_curve_one().roc_auc().value, 4) == 0.8125
    assert two.roc_auc().value == 0.875
