"""Figures without a script: the pixels are those of the rates."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache

import numpy as np
import pytest

import thresher as th
from thresher._report import svg
from thresher._report.compute import build_data
from thresher._report.plain_data import Histogram, Span
from thresher._report.uncertainty import Uncertainty

LEFT, TOP, WIDE, HIGH = 46, 12, 400, 374  # the drawing inside its margins


@cache
def models(*names):
    tables = {name: th.Scores([1, 0, 1, 0], [4, 3, 2, 1]) for name in names}
    options = {"title": None, "prevalence": None, "max_points": 100, "uncertainty": Uncertainty()}
    return build_data(tables, **options).models


def points(figure, kind="curve"):
    """The points of the first such path, as rates again."""
    (path,) = [one.get("d") for one in ET.fromstring(figure).iter("path") if one.get("class", "").startswith(kind)][:1]  # noqa: S314  # our own text
    numbers = np.array(re.findall(r"[-\d.]+", path), dtype=float).reshape(-1, 2)
    return (numbers[:, 0] - LEFT) / WIDE, 1 - (numbers[:, 1] - TOP) / HIGH


def test_a_roc_curve_by_hand():
    x, y = points(svg.roc_figure(models("a")))
    np.testing.assert_allclose(x, [0, 0, 0.5, 0.5, 1], atol=2e-4)
    np.testing.assert_allclose(y, [0, 0.5, 0.5, 1, 1], atol=2e-4)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_a_pr_curve_runs_through_its_points_and_bends_between_them(prevalence):
    recall, precision = points(svg.pr_figure(models("a"), prevalence))
    want = th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).pr(prevalence=prevalence)
    assert precision[0] == pytest.approx(1, abs=2e-4)
    inside = (recall > 0.51) & (recall < 0.99)
    assert inside.sum() > 8
    np.testing.assert_allclose(precision[inside], want.interpolate(recall[inside]), atol=1e-3)


def test_points_that_no_screen_tells_apart_are_left_out():
    x = np.array([0.0, 0.01, 0.02, 10.0, 10.01])
    assert svg.path_data(x, np.zeros(5)) == "M0,0L10,0L10,0"
    assert svg.path_data(np.array([0.0, 1.0]), np.array([0.0, 2.5])) == "M0,0L1,2.5"


def test_only_wide_steps_are_bent():
    tp, fp = svg.bent(np.array([0.0, 1.0, 2.0, 100.0]), np.array([0.0, 0.0, 0.0, 50.0]), 1000.0)
    assert tp[:3].tolist() == [0, 1, 2]
    assert len(tp) == 2 + 12 + 1
    np.testing.assert_allclose((tp[2:] - 2) / 98 * 50, fp[2:])


def test_lines_can_be_told_apart_forty_eight_times():
    assert len({svg.line_class(i) for i in range(48)}) == 48
    assert svg.line_class(48) == svg.line_class(0)


def test_names_are_escaped_and_a_few_stand_in_the_legend():
    figure = svg.roc_figure(models("<b>", "c"))
    assert "<b>" not in figure
    assert figure.count('class="legend') == 2
    assert svg.roc_figure(models("a") * 4).count('class="legend') == 0
    assert svg.isolated("a&b") == "\u2068a&amp;b\u2069"


def test_bars_of_a_histogram_have_the_roots_of_their_shares():
    figure = svg.histogram_figure("a", Histogram([0.0, 1.0, 2.0], [1, 3], [0, 5]))
    paths = [node for node in ET.fromstring(figure).iter("path") if "bar" in node.get("class", "")]  # noqa: S314  # our own text
    assert [path.get("class") for path in paths] == ["bar pos", "bar neg"]
    bars = [re.findall(r"M[\d.]+,(\d+)v(-?[\d.]+)", path.get("d")) for path in paths]
    heights = [float(tall) for side in bars for _, tall in side]
    assert {start for side in bars for start, _ in side} == {"68"}
    assert heights == pytest.approx([-56 * 0.5, -56 * 0.75**0.5, 56], abs=0.06)


def test_a_strip_is_coloured_by_its_leader():
    figure = svg.strip_figure("Who leads", [Span(0, 0.25, 1), Span(0.25, 1, None)], 'a "b"')
    bars = [bar.attrib for bar in ET.fromstring(figure).iter("rect")]  # noqa: S314  # our own text
    assert [(bar["class"], bar["x"], bar["width"]) for bar in bars] == [
        ("f1", "0.00", "75.00"),
        ("even", "75.00", "225.00"),
    ]
    assert "&quot;b&quot;" in figure
