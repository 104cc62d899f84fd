"""Tables and small figures of a notebook: well-formed, escaped, short, and with the curve where it belongs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np

import thresher as th
from thresher._core.notebook_html import Picture, figure_html, table_html

DATA = th.datasets.load_digits_eight()


def parsed(html: str) -> ET.Element:
    return ET.fromstring(html)  # noqa: S314  # made here


def drawn(html: str) -> np.ndarray:
    """Return the corners of the curve in data coordinates, from the pixels of the frame."""
    root = parsed(html)
    frame = next(root.iter("rect"))
    x, y, wide, tall = (float(frame.get(name)) for name in ("x", "y", "width", "height"))
    path = next(node.get("d") for node in root.iter("path") if node.get("stroke-width") == "2")
    corners = np.array([[float(part) for part in pair.split(",")] for pair in re.split("[ML]", path) if pair])
    return np.column_stack(((corners[:, 0] - x) / wide, 1 - (corners[:, 1] - y) / tall))


def test_a_roc_curve_is_drawn_where_its_rates_are():
    curve = th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).roc()
    np.testing.assert_allclose(drawn(curve._repr_html_()), np.column_stack((curve.fpr, curve.tpr)), atol=1e-3)


def test_a_pr_curve_is_bent_between_thresholds():
    curve = th.Scores(DATA.y_true, DATA.tree).pr()
    found = drawn(curve._repr_html_())
    inner = found[(found[:, 0] > 0.83) & (found[:, 0] < 0.99)]  # no threshold has its point there
    assert not ((curve.recall > 0.83) & (curve.recall < 0.99)).any()
    np.testing.assert_allclose(inner[:, 1], curve.interpolate(inner[:, 0]), atol=5e-3)
    assert len(inner) > 5


def test_a_calibration_curve_is_drawn_where_its_shares_are():
    found = th.Scores(DATA.y_true, DATA.tree).calibration()
    corners = drawn(found._repr_html_())
    np.testing.assert_allclose(corners, np.column_stack((found.scores, found.calibrated))[::-1], atol=1e-3)


def test_many_points_become_few_and_keep_the_ends():
    x = np.linspace(0, 1, 5_000)
    found = drawn(figure_html(Picture(x, x**2, ("x", "y")), name="n", caption="c"))
    assert len(found) <= 400
    np.testing.assert_allclose(found[[0, -1]], [[0, 0], [1, 1]], atol=1e-3)


def test_bands_and_words():
    html = figure_html(
        Picture(np.array([0.0, 1.0]), np.array([0.2, 0.4]), ("x", "y"), band=(np.zeros(2), np.ones(2))),
        name="<b>", caption="a & b",
    )  # fmt: skip
    root = parsed(html)
    assert next(root.iter("svg")).get("aria-label") == "<b>"
    assert next(root.iter("figcaption")).text == "a & b"
    assert any(node.get("fill-opacity") for node in root.iter("path"))


def test_long_tables_say_what_they_leave_out():
    rows = [[str(i), "<i>"] for i in (*range(10), *range(990, 1_000))]
    root = parsed(table_html(["number", "word"], [True, False], rows, 980))
    cells = [node.text for node in root.iter("td")]
    assert cells[0] == "0"
    assert cells[-2] == "999"
    assert "… 980 more rows" in cells
    assert "<i>" in cells


def test_ticks_are_whole_within_their_figure():
    picture = Picture(np.array([0.0, 1.0]), np.array([0.0, 0.0968]), ("x", "y"), height=(-0.0145, 0.0968))
    root = parsed(figure_html(picture, name="n", caption="c"))
    for text in root.iter("text"):
        if text.get("text-anchor") == "end" and text.get("x"):
            # Ten pixels of letters take at most six each.
            assert float(text.get("x")) - 6 * len(text.text) >= 0


def test_an_operating_point_is_a_matrix_with_rates_at_its_margins():
    point = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]).roc().at(threshold=5)
    root = parsed(point._repr_html_())
    assert [node.text for node in root.iter("b")] == ["3", "1", "1", "3"]
    said = " ".join("".join(node.itertext()) for node in root.iter("td"))
    for words in ("recall 0.75", "FPR 0.25", "precision 0.75", "NPV 0.75"):
        assert words in said
    assert next(root.iter("caption")).text == "threshold 5, prevalence 0.50"
