"""The rules of ten tools: against the library's own estimators, scikit-learn, and a case worked by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, average_precision_score, precision_recall_curve

import thresher as th
from papers.tool_rules import TOOLS, points, rows_in_order
from support.strategies import labelled

RULES = {tool.name: tool.rule for tool in TOOLS}
few = labelled(max_size=12, values=st.integers(0, 5).map(float))

# Points (TP, FP): (1, 0), (1, 1), (3, 2), of 3 positives and 2 negatives.
LABELS, SCORES = [1, 0, 1, 1, 0], [4.0, 3.0, 2.0, 2.0, 2.0]


def test_points_and_rows():
    assert points(LABELS, SCORES) == [(1, 0), (1, 1), (3, 2)]
    assert rows_in_order(LABELS, SCORES) == [(1, 0), (1, 1), (2, 1), (3, 1), (3, 2)]


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("Weka", Fraction(1, 3) + Fraction(2, 3) * Fraction(3, 5)),
        # (0, 1), (1/3, 1), (1/3, 1/2), (1, 3/5)
        ("yardstick", Fraction(1, 3) + Fraction(2, 3) * (Fraction(1, 2) + Fraction(3, 5)) / 2),
        # (1/3, 1), (1/3, 1/2), (2/3, 2/3), (1, 3/4), (1, 3/5)
        ("PerfMeas", Fraction(1, 6) * (Fraction(1, 2) + Fraction(4, 3) + Fraction(3, 4))),
        # At two true positives 3/2 false ones are expected.
        (
            "PRROC, auc.davis.goadrich",
            Fraction(1, 3) + Fraction(1, 6) * (Fraction(1, 2) + Fraction(8, 7) + Fraction(3, 5)),
        ),
        # The best point at recall 1/3 has no false positive; the gap of two is not filled.
        ("ROCR", Fraction(1, 3) + Fraction(1, 3) * (1 + Fraction(3, 5))),
    ],
)
def test_by_hand(name, want):
    assert RULES[name](LABELS, SCORES) == want


@given(few)
def test_as_the_library_and_scikit_learn(data):
    labels, scores = data
    for tool in TOOLS:
        if tool.estimator:
            found = th.Scores(labels, scores).pr_auc(estimator=tool.estimator).value
            assert float(tool.rule(labels, scores)) == pytest.approx(found, abs=1e-12)
    assert float(RULES["Weka"](labels, scores)) == pytest.approx(average_precision_score(labels, scores))
    precision, recall, _ = precision_recall_curve(labels, scores)
    assert float(RULES["scikit-learn, auc of the curve"](labels, scores)) == pytest.approx(auc(recall, precision))


@given(few)
def test_a_fine_grid_is_close_to_the_integral(data):
    found = float(RULES["precrec"](*data))
    assert found == pytest.approx(th.Scores(*data).pr_auc().value, abs=2e-3)
