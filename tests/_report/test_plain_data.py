"""What the page is made from: figures that follow from others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from thresher._report.plain_data import Area, DrawnCurve, Finding, Model, ReportData, unit_of

DRAWN = DrawnCurve([float("inf"), 1.0], [float("inf"), 1.0], [0, 3], [0, 1], [0, 1], 1, 2, 0.0, 0.0)


def report(**given):
    parts = {key: [] for key in ("summary", "models", "pairs", "findings", "methods", "references")}
    return ReportData(**{"title": "", "settings": {}, "confidence_level": 0.95, **parts, **given})


@pytest.mark.parametrize(
    "prevalence, unit",
    [(0.5, 1000), (0.01, 1000), (0.00999, 10_000), (0.001, 10_000), (1e-6, 10**7), (0.999, 10_000), (0.3, 1000)],
)
def test_ten_cases_of_the_rarer_class_are_expected(prevalence, unit):
    assert unit_of(prevalence) == unit
    rare = min(Fraction(str(prevalence)), 1 - Fraction(str(prevalence)))
    assert unit * rare >= 10
    assert unit == 1000 or unit // 10 * rare < 10


def test_points_are_left_out_or_not():
    assert not DRAWN.thinned
    assert DrawnCurve([], [], [0], [0], [], 0, 2, 0.0, 0.0).thinned


def test_a_difference_needs_a_reference():
    assert Area("trapezoid", 0.75, reference=0.5).difference == 0.25
    assert Area("roc_auc", 0.75).difference is None


def test_a_models_share_of_positives():
    assert Model("a", 3, 1, False, "", DRAWN, None, {}, []).prevalence == 0.75


def test_what_ranks_and_what_comes_first():
    found = [Finding("T1", "x", "note", ""), Finding("T2", "y", "warning", "")]
    data = report(findings=found)
    assert data.verdict == [found[1]]
    assert data.metric == "roc_auc"
    assert report(comparison={"metric": "brier"}).metric == "brier"
    assert data.unit is None
    assert report(prevalence=0.001).unit == 10_000
