"""Operating points that are marked."""

from __future__ import annotations

import math

import numpy as np
import pytest

import thresher as th
from thresher.plotting._inputs import chosen_thresholds, marks_of


@pytest.fixture
def pr(digits: dict[str, th.Scores]) -> th.PrCurve:
    return digits["logistic"].pr()


def test_thresholds_are_marked_where_the_curve_has_them(pr: th.PrCurve) -> None:
    high, low = marks_of(pr, [0.5, 0.1])
    assert high.point == pr.at(threshold=0.5)
    assert high.text == "≥ 0.5"
    assert low.precision == pytest.approx(pr.at(threshold=0.1).precision, rel=1e-14)


def test_one_mark_needs_no_list(pr: th.PrCurve) -> None:
    assert marks_of(pr, 0.5) == marks_of(pr, [0.5])
    assert marks_of(pr, np.float32(0.5)) == marks_of(pr, np.array([0.5]))
    point = pr.at(recall=0.5)
    assert marks_of(pr, point) == marks_of(pr, (point,))
    assert marks_of(pr, None) == []


def test_a_point_between_thresholds_names_both() -> None:
    curve = th.Scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]).pr()
    (mark,) = marks_of(curve, curve.at(recall=0.75))
    assert mark.text == "0.8 | 0.4"
    assert mark.precision == pytest.approx(0.75)


def test_points_are_drawn_at_the_prevalence_of_the_curve(digits: dict[str, th.Scores]) -> None:
    scores = digits["logistic"]
    (mark,) = marks_of(scores.pr(prevalence=0.01), scores.roc().at(threshold=0.2))
    assert mark.precision == pytest.approx(scores.pr(prevalence=0.01).at(threshold=0.2).precision, rel=1e-12)


def test_a_threshold_above_all_scores_is_marked_at_the_start(pr: th.PrCurve) -> None:
    (mark,) = marks_of(pr, 2.0)
    assert (mark.point.tp, mark.point.fp) == (0, 0)
    assert mark.precision == mark.point.precision == pr.precision[0]


def test_infinite_and_negative_thresholds_are_written_with_typographic_signs() -> None:
    curve = th.Scores([0, 1, 0], [-2.5, math.inf, 0.0]).pr()
    assert [mark.text for mark in marks_of(curve, [math.inf, -2.5])] == ["≥ ∞", "≥ −2.5"]


@pytest.mark.parametrize(
    "marks, shown",
    [
        ("0.5", "'0.5' of type str"),
        ([None], "None of type NoneType"),
        (True, "True of type bool"),
        ([0.1, "b"], "'b' of type str"),
        (object, "<class 'object'> of type type"),
    ],
)
def test_other_marks_are_refused(pr: th.PrCurve, marks: object, shown: str) -> None:
    with pytest.raises(th.InvalidTypeError) as error:
        marks_of(pr, marks)
    assert str(error.value) == (
        f"`marks` must be thresholds or operating points; got {shown}. "
        "Hint: pass numbers such as [0.5, 0.9], or what `curve.at(...)` returns."
    )


@pytest.mark.parametrize("model", ["logistic", "tree"])
@pytest.mark.parametrize("most", [1, 2, 5, 9])
def test_chosen_thresholds_lie_apart_in_both_spaces(digits: dict[str, th.Scores], model: str, most: int) -> None:
    curve = digits[model].roc()
    chosen = chosen_thresholds(curve, most)
    assert 1 <= len(chosen) <= most
    assert chosen == sorted(chosen, reverse=True)
    points = [curve.at(threshold=threshold) for threshold in chosen]
    for i, a in enumerate(points):
        for b in points[:i]:
            assert math.hypot(a.fpr - b.fpr, a.tpr - b.tpr) > 0.01
            assert math.hypot(a.recall - b.recall, a.precision - b.precision) > 0.01


def test_chosen_thresholds_have_few_digits(digits: dict[str, th.Scores]) -> None:
    chosen = chosen_thresholds(digits["logistic"].roc(), 5)
    assert len(chosen) == 5
    assert all(float(f"{threshold:.2g}") == threshold for threshold in chosen)


def test_one_group_has_one_threshold_to_choose() -> None:
    assert chosen_thresholds(th.Scores([0, 1], [7, 7]).roc(), 5) == [7.0]


def test_rounding_never_leaves_the_chosen_point() -> None:
    scores = th.Scores([0, 1, 0, 1, 1, 0], [1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4, 1e9 + 5, 1e9 + 6])
    chosen = chosen_thresholds(scores.roc(), 4)
    assert {float(threshold) for threshold in chosen} <= {float(value) for value in scores.thresholds}


def test_nothing_is_chosen_without_thresholds_or_wish(pr: th.PrCurve) -> None:
    published = th.RocCurve.from_points([0.1, 0.3], [0.6, 0.9], n_pos=10, n_neg=10)
    assert chosen_thresholds(published, 5) == []
    assert chosen_thresholds(pr, 0) == []
