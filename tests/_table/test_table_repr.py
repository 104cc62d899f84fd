from __future__ import annotations

import re

import numpy as np

import thresher as th


def test_text_and_html_are_short():
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.01
    s = (rng.normal(size=5000) + y).round(1)
    for scores in (th.Scores(y, s), th.Scores(y, s).compress(30), th.Scores(y, s, sample_weight=rng.random(5000))):
        assert len(repr(scores).splitlines()) <= 8
        assert len(scores._repr_html_().splitlines()) <= 8


def test_text():
    assert repr(th.Scores([1, 0, 0, 1], [0.9, 0.4, 0.4, 0.1])).splitlines() == [
        "Scores",
        "  rows             4",
        "  positives        2 (0.5 of all)",
        "  negatives        2",
        "  distinct scores  3, from 0.9 down to 0.1",
        "  ties             no score shared by both classes",
    ]
    assert repr(th.Scores([1, 1], [2, 1])).splitlines()[3] == "  negatives        0"
    assert repr(th.Scores([0, 0], [2, 1])).splitlines()[-1] == "  ties             no score shared by both classes"


def test_area_reprs():
    scores = th.Scores([1, 0, 1, 0], [2, 2, 1, 0])
    first, second = repr(scores.roc_auc()).splitlines()
    assert re.fullmatch(r"roc_auc = 0\.62, 95% interval 0\.0\d to (0\.9\d|1\.00)", first)
    assert second == "  25.00% of the pairs are tied; breaking ties could give 0.5 to 0.75"
    assert repr(scores.pr_auc(estimator="average_precision")).startswith("average_precision = 0.58, 95% interval ")
    assert repr(scores.partial_roc_auc(fpr=(0, 0.5), standardize=True)).startswith(
        "partial_roc_auc (fpr 0 to 0.5, standardized) = 0.50, 95% interval "
    )
    assert repr(scores.pr_auc(prevalence=0.01, recall=(0, 0.5))).startswith(
        "pr_auc (interpolated, prevalence 0.01, recall 0 to 0.5) = "
    )
    reversed_scores = th.Scores([1, 0], [0, 1])
    assert "check `pos_label` and the sign of the score" in repr(reversed_scores.roc_auc())


def test_hard_predictions_get_a_note():
    y, calls = [0, 1] * 10, [0, 1, 1, 1] * 5
    scores = th.Scores(y, calls)
    assert "only two distinct scores, as predictions have" in repr(scores)
    for area in (scores.roc_auc(), scores.pr_auc()):
        assert any("only two distinct scores" in line for line in area.remarks())
    assert "two distinct" not in repr(th.Scores(y, range(20)))
    assert "two distinct" not in repr(th.Scores([0, 1], [0, 1]))  # too few rows to tell
