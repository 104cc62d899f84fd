"""`thresher calibration`: its figures are the library's, and its gates decide the exit code."""

from __future__ import annotations

import json

import pytest

import thresher as th


@pytest.fixture
def scores() -> th.Scores:
    data = th.datasets.load_digits_eight()
    return th.Scores(data.y_true, data.logistic)


def test_figures(thresher, digits, scores):
    ran = thresher("calibration", digits, "--score", "log", "--y-score", "logistic", "--format", "json")
    assert ran.code == 0, ran.err
    (row,) = json.loads(ran.out)
    parts = scores.calibration().decomposition("log")
    for part in ("mean", "miscalibration", "discrimination", "uncertainty", "skill"):
        assert row[part] == getattr(parts, part)
    assert (row["low"], row["high"]) == tuple(parts.confidence_interval())
    assert row["p"] == scores.calibration().test(rng=0).pvalue
    assert row["observed_over_expected"] == scores.calibration().in_the_large().ratio


def test_another_prevalence_has_no_test(thresher, digits, scores):
    ran = thresher("calibration", digits, "--y-score", "logistic", "--prevalence", "0.02", "--format", "json")
    (row,) = json.loads(ran.out)
    assert row["mean"] == scores.calibration(prevalence=0.02).decomposition().mean
    assert row["p"] is None


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--max-mcb", "0.5"], 0, ""),
        (["--max-mcb", "0.001"], 3, "gate failed: logistic: miscalibration 0.01218 is above 0.001"),
        (["--min-pvalue", "0.05"], 3, "gate failed: logistic: p-value 0.001 is below 0.05"),
    ],
)
def test_gates(thresher, digits, words, code, said):
    ran = thresher("calibration", digits, "--y-score", "logistic", *words)
    assert ran.code == code
    assert said in ran.err


def test_scores_that_are_no_probabilities(thresher, tmp_path):
    path = tmp_path / "raw.csv"
    path.write_text("label,score\n1,3.5\n0,-1\n1,2\n0,0\n")
    ran = thresher("calibration", str(path))
    assert ran.code == 1
    assert "reads scores as probabilities in [0, 1]; got 3.5" in ran.err
