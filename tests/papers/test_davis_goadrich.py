from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from papers import recompute_entry
from papers.davis_goadrich.areas import other_curve_one
from papers.davis_goadrich.exact import (
    on_hull,
    pr_dominates,
    precision,
    random_curve,
    roc_dominates,
    scores_of,
    worsened,
)
from thresher.cli import main

PAPER = "davis-goadrich"
STATUSES = {
    "Figure 1": "our experiment",
    "Figure 4": "erratum",
    "Section 3, candidate thresholds": "not determined by the text",
    "Figure 6": "not determined by the text",
    "Figure 7": "not determined by the text",
}


def test_every_entry(entry_of_davis_goadrich, explained):
    result = explained(PAPER, entry_of_davis_goadrich)
    assert result.status == STATUSES.get(entry_of_davis_goadrich, "reproduced")


def test_table_1(values):
    found = values(PAPER, "Table 1")
    for tp, fp in ((5, 5), (6, 10), (7, 15), (8, 20), (9, 25), (10, 30)):
        assert found[f"TP {tp}: FP"] == pytest.approx(fp, abs=1e-12)
        assert found[f"TP {tp}: recall"] == tp / 20
        assert found[f"TP {tp}: precision"] == pytest.approx(tp / (tp + fp), rel=1e-14)


def test_figure_6_by_the_papers_rule(values):
    # Nine true positives, the printed end point, a point at every whole true positive: in fractions.
    found = values(PAPER, "Figure 6")
    P, end, start = 433, Fraction(53692), 9
    points = [Fraction(t) / (t + end * (t - start) / (P - start)) for t in range(start, P + 1)]
    area = Fraction(start, P) + sum((a + b) / 2 for a, b in pairwise(points)) / P
    assert found["AUC-PR, interpolated: 9 true positives, end point (1, 0.008)"] == pytest.approx(
        float(area), rel=1e-13
    )
    assert round(float(area), 3) == 0.031
    assert found["precision at recall 1, all 433 + 56,164 called"] == 433 / 56597


def test_figure_6_through_the_program(tmp_path, capsys):
    points = tmp_path / "points.txt"
    points.write_text("0.0207852 1.0\n1.0 0.008\n")
    assert main(["auccalculator", str(points), "PR", "433", "56164"]) == 0
    said = re.search(r"Precision - Recall is ([0-9.]+)", capsys.readouterr().out)
    assert float(said[1]) == pytest.approx(0.030656, abs=1e-6)


def test_figure_7_has_curves_with_both_areas(values):
    found = values(PAPER, "Figure 7")
    assert round(found["AUC-ROC, curve I"], 3) == 0.813
    assert found["AUC-ROC, curve II"] == 0.875
    assert round(found["AUC-PR, curve I"], 3) == 0.514
    # The same in fractions: hull points (9, 1), (11, 7), (13, 102) and the paper's unit steps.
    path = [(0, 0), (9, 1), (11, 7), (13, 102), (20, 2000)]
    area = Fraction(0)
    for (tp_0, fp_0), (tp_1, fp_1) in pairwise(path):
        slope = Fraction(fp_1 - fp_0, tp_1 - tp_0)
        steps = [Fraction(t) / (t + fp_0 + slope * (t - tp_0)) if t else Fraction(9, 10) for t in range(tp_0, tp_1 + 1)]
        area += sum((a + b) / 2 for a, b in pairwise(steps)) / 20
    assert found["AUC-PR, curve I"] == pytest.approx(float(area), rel=1e-13)
    other = other_curve_one()
    assert round(other.roc_auc().value, 3) == 0.813
    assert round(other.pr_auc().value, 3) == 0.514


@pytest.mark.slow
def test_figure_1_is_shown_over_seeds(found):
    result = found(PAPER, "Figure 1")
    (table,) = result.found.tables
    assert len(table.rows) >= 10
    # The claim is not one that every seed bears out.
    gaps = [float(row[4]) - float(row[3]) for row in table.rows]
    assert min(gaps) < 0 < max(gaps)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("item", "least"), [("Theorem 3.1", 20_000), ("Theorem 3.2", 3000), ("Corollary 3.1", 1500), ("Figure 2", 1000)]
)
def test_theorems_are_tried_often(item, least):
    result = recompute_entry(PAPER, item)
    assert result.status == "reproduced"
    said = result.found.checks[0].ours
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
