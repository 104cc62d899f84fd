"""`thresher decision-curve`: the library's figures, and the gate."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher as th


def test_figures(thresher, digits):
    data = th.datasets.load_digits_eight()
    words = ["--y-score", "logistic", "--low", "0.1", "--high", "0.5", "--points", "5", "--format", "json"]
    ran = thresher("decision-curve", digits, *words)
    assert ran.code == 0, ran.err
    rows = json.loads(ran.out)
    curve = th.Scores(data.y_true, data.logistic).decision_curve(np.linspace(0.1, 0.5, 5))
    band = curve.band()
    assert [row["net_benefit"] for row in rows] == curve.net_benefit.tolist()
    assert [row["low"] for row in rows] == band.low.tolist()
    assert [row["avoided_per_100"] for row in rows] == curve.interventions_avoided.tolist()


@pytest.mark.parametrize(("high", "code"), [("0.5", 0), ("0.99", 3)])
def test_gate(thresher, digits, high, code):
    words = ["--y-score", "logistic", "--low", "0.1", "--high", high, "--require-use"]
    ran = thresher("decision-curve", digits, *words)
    assert ran.code == code
    assert ("gate failed: logistic does not beat" in ran.err) == (code == 3)


def test_any_scores_on_the_hull(thresher, tmp_path):
    path = tmp_path / "raw.csv"
    path.write_text("label,score\n1,3.5\n0,-1\n1,2\n0,0\n")
    assert thresher("decision-curve", str(path)).code == 1
    ran = thresher("decision-curve", str(path), "--calibrate", "hull")
    assert ran.code == 0, ran.err
    assert "optimistic" in ran.err
    assert thresher("decision-curve", str(path), "--low", "0.5", "--high", "0.1").code == 2


def test_a_promise_of_a_threshold(thresher, digits):
    words = ["threshold", digits, "--y-score", "logistic", "--min-recall", "0.9", "--confidence", "0.95"]
    ran = thresher(*words, "--format", "json")
    assert ran.code == 0, ran.err
    data = th.datasets.load_digits_eight()
    point = th.Scores(data.y_true, data.logistic).choose_threshold(min_recall=0.9, confidence=0.95)
    assert json.loads(ran.out)[0]["threshold"] == point.threshold
    assert "Guarantee(min_recall=0.9 in the population, confidence 0.95" in ran.err
