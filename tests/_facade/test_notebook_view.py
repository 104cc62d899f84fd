"""Scores in a notebook: both curves and both areas with their intervals."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

import thresher as th

DATA = th.datasets.load_digits_eight()


def test_both_areas_with_intervals_and_both_curves():
    scores = th.Scores(DATA.y_true, DATA.tree)
    html = scores._repr_html_()
    for area in (scores.roc_auc(), scores.pr_auc()):
        low, high = area.confidence_interval()
        assert f"{area.value:.3f} ({low:.3f} to {high:.3f})" in html
    root = ET.fromstring(f"<div>{html}</div>")  # noqa: S314  # made here
    assert len(list(root.iter("figure"))) == 2
    assert len([node for node in root.iter("path") if node.get("stroke-width") == "2"]) == 2
    assert "script" not in html


def test_many_scores_are_drawn_by_few_points_and_still_have_intervals():
    rng = np.random.default_rng(0)
    y = rng.random(30_000) < 0.2
    html = th.Scores(y, rng.normal(size=y.size) + y)._repr_html_()
    assert len(html) < 20_000
    assert html.count(" to ") >= 4  # in the caption and in the words for readers of screens


def test_one_class_alone_shows_its_facts():
    assert "<figure" not in th.Scores([1, 1], [0.1, 0.2])._repr_html_()
