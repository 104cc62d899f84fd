"""The plain data of a report, against the library and against counts by hand."""

from __future__ import annotations

import math

import pytest

import thresher as th
from thresher._report.compute import _label, _points, _title, build_data
from thresher._report.uncertainty import Uncertainty

# Ten positives at 10, 9, ..., 1 and one negative beside the fifth and the tenth.
SCORES = th.Scores([1] * 10 + [0] * 2, [*range(10, 0, -1), 6, 1])


def build(**given):
    options = {"title": None, "prevalence": None, "max_points": 100, "uncertainty": Uncertainty()}
    return build_data(**{**options, **given})


def test_points_reach_their_recalls_at_the_highest_threshold():
    found = {point["target"]: point for point in _points(SCORES, None, None)}
    assert [found[recall]["threshold"] for recall in (0.5, 0.8, 0.9, 0.95, 0.99)] == [6, 3, 2, 1, 1]
    assert [found[0.8][cell] for cell in ("tp", "fp", "fn", "tn")] == [8, 1, 2, 1]
    assert found[0.8]["precision"] == pytest.approx(8 / 9)
    assert found[0.99]["fpr"] == 1.0


def test_counts_at_another_prevalence_are_those_of_so_many_cases():
    (half, *_) = _points(SCORES, 0.01, 0.01)
    # Of 1,000 cases 10 are positive; half of each class is called.
    assert [half[cell] for cell in ("tp", "fp", "fn", "tn")] == pytest.approx([5, 495, 5, 495])
    assert half["precision"] == pytest.approx(0.01)


def test_a_short_threshold_makes_the_same_calls():
    scores = th.Scores([1, 0, 1], [0.123456789, 0.1234, 0.1])
    assert 0.1234 < _label(scores, 0.123456789) <= 0.123456789
    assert len(repr(_label(scores, 0.123456789))) < len("0.123456789")
    assert _label(scores, 0.1) <= 0.1


def test_titles():
    assert _title(["a"]) == "a"
    assert _title(["a", "b", "c"]) == "a, b and c"
    assert _title(list("abcd")) == "4 models compared"


def test_the_whole_is_that_of_its_parts():
    data = build(tables={"a": SCORES, "b": th.Scores([1] * 10 + [0] * 2, [*range(10), 4, 1])}, title="T")
    assert (data.title, data.prevalence, data.confidence_level) == ("T", None, 0.95)
    assert [model.name for model in data.models] == ["a", "b"]
    assert data.models[0].areas["roc_auc"].value == SCORES.roc_auc().value
    assert data.ranked == [0, 1]
    assert [(pair.a, pair.b) for pair in data.pairs] == [(0, 1)]
    levels = [finding.level for finding in data.findings]
    assert levels == sorted(levels, key=["warning", "caution", "note"].index)
    assert {reference.key for reference in data.references} >= {"Bamber 1975", "Davis and Goadrich 2006"}
    assert all(math.isfinite(model.areas["interpolated"].value) for model in data.models)


def test_a_class_without_rows_is_named():
    with pytest.raises(
        th.UndefinedMetricError, match=r"model 'empty' has 2 positives and 0 negatives.*no negative row"
    ):
        build(tables={"empty": th.Scores([1, 1], [1, 2])})
