from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, average_precision_score, precision_recall_curve

import thresher as th
from papers.tool_rules import TOOLS
from support.strategies import labelled

PAPER = "chen"
RULES = {tool.name: tool.rule for tool in TOOLS}


def test_every_entry(entry_of_chen, explained):
    result = explained(PAPER, entry_of_chen)
    assert result.status == "reproduced"


@given(data=labelled(values=st.integers(0, 8).map(float)))
def test_rules_are_those_of_scikit_learn(data):
    labels, scores = data
    precision, recall, _ = precision_recall_curve(labels, scores)
    assert float(RULES["scikit-learn, auc of the curve"](labels, scores)) == pytest.approx(auc(recall, precision))
    stepped = float(RULES["scikit-learn, average_precision_score"](labels, scores))
    assert stepped == pytest.approx(average_precision_score(labels, scores))


@given(data=labelled(values=st.integers(0, 8).map(float)))
def test_named_rules_are_the_estimators(data):
    labels, scores = data
    table = th.Scores(labels, scores)
    for tool in TOOLS:
        if tool.estimator:
            assert float(tool.rule(labels, scores)) == pytest.approx(table.pr_auc(estimator=tool.estimator).value)


def test_the_rules_on_the_example_of_the_authors():
    labels, scores = (1, 0, 1, 0, 0), (0.9, 0.8, 0.7, 0.6, 0.5)
    # By hand: points (1/2, 1), (1/2, 1/2), (1, 2/3), (1, 1/2), (1, 2/5).
    assert RULES["Weka"](labels, scores) == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert RULES["yardstick"](labels, scores) == pytest.approx(0.5 + 0.5 * (1 / 2 + 2 / 3) / 2)
    assert RULES["PerfMeas"](labels, scores) == pytest.approx(0.5 * (1 / 2 + 2 / 3) / 2)
    # Of the two points at recall 1/2 the better one is kept.
    assert RULES["ROCR"](labels, scores) == pytest.approx(0.5 + 0.5 * (1 + 2 / 3) / 2)
    # Recall 1/2 to 1 with one false positive throughout.
    assert RULES["PRROC, auc.davis.goadrich"](labels, scores) == pytest.approx(0.5 + 0.5 * (1 / 2 + 2 / 3) / 2)


@given(data=labelled(values=st.integers(0, 8).map(float)))
def test_the_fine_grid_comes_near_the_integral(data):
    labels, scores = data
    integral = th.Scores(labels, scores).pr_auc(estimator="interpolated").value
    # An eighth of the squared step times the variation of the slope, which is at most the positives at each score.
    off = 0.001**2 / 8 * 2 * sum(labels) * len(set(scores))
    assert float(RULES["precrec"](labels, scores)) == pytest.approx(integral, abs=off)
