"""No label on another, on a mark, on the legend or outside of the axes."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest

import thresher as th
from support.golden import scores as golden_scores
from thresher.plotting._place import add_labels, settle

CASES = {
    "digits": lambda: dict(
        zip(
            ("logistic", "tree"),
            (
                th.Scores(th.datasets.load_digits_eight().y_true, score)
                for score in th.datasets.load_digits_eight().models.values()
            ),
            strict=True,
        )
    ),
    "ties": lambda: golden_scores("ties_round1_n1000", "score"),
    "rare": lambda: golden_scores("binormal_n20000_p01", "score"),
    "perfect": lambda: golden_scores("tiny_perfect", "score"),
    "reversed": lambda: golden_scores("tiny_reversed", "score"),
    "one group": lambda: golden_scores("tiny_all_tied", "score"),
}


@pytest.mark.some(3)
@pytest.mark.parametrize("case", CASES)
def test_labels_of_linked_curves_are_free(case: str) -> None:
    display = th.plotting.LinkedDisplay.from_scores(CASES[case](), iso_f=True, achievable=True)
    display.figure_.draw_without_rendering()
    for ax in (display.ax_roc_, display.ax_pr_):
        labels = [label for label in display.labels_ if label.axes is ax]
        boxes = [label.get_window_extent() for label in labels]
        legend, frame = ax.get_legend().get_window_extent(), ax.patch.get_window_extent()
        assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
        assert not any(box.overlaps(legend) for box in boxes)
        for box in boxes:
            assert frame.x0 <= box.x0
            assert box.x1 <= frame.x1
            assert frame.y0 <= box.y0
            assert box.y1 <= frame.y1
        marks = [line for line in ax.lines if str(line.get_label()).startswith("_mark")]
        middles = [ax.transData.transform(line.get_xydata()[0]) for line in marks]
        assert not any(box.contains(*middle) for box in boxes for middle in middles)
        assert len(labels) == len(marks)


def test_a_label_without_a_free_place_is_left_out() -> None:
    _, ax = plt.subplots(figsize=(1, 1))
    settle(ax)
    assert add_labels(ax, [(0.5, 0.5, "a label much longer than these axes are wide", "black")]) == []
    assert len(ax.texts) == 0


def test_a_label_keeps_off_the_curve() -> None:
    _, ax = plt.subplots()
    ax.plot([0, 1], [0.5, 0.5])
    ax.set(xlim=(0, 1), ylim=(0, 1))
    settle(ax)
    (label,) = add_labels(ax, [(0.5, 0.5, "≥ 0.25", "black")])
    box = label.get_window_extent()
    height = ax.transData.transform((0.5, 0.5))[1]
    assert box.y0 > height or box.y1 < height
