"""A report in a notebook: a table for where scripts do not run, the rest behind a shadow root."""

from __future__ import annotations

import re

import thresher as th
from thresher._report.write_report import notebook_html

SCORES = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


def test_the_plain_table_has_both_areas():
    html = notebook_html({"a<b": SCORES})
    plain = html.partition("<template>")[0].partition("<tbody>")[2]
    rows = re.findall(r"<tr><th>(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>", plain)
    areas = (f"{SCORES.roc_auc().value:.4f}", f"{SCORES.pr_auc().value:.4f}")
    assert rows == [("a&lt;b", *areas)]


def test_style_and_figures_stay_inside():
    html = notebook_html(SCORES, title="A & B")
    before, inside, after = re.split("</?template>", html)
    assert "<style>" in inside
    assert "<svg" in inside
    assert "A &amp; B" in inside
    assert "<style>" not in before + after
    assert html.count("<script>") == 1
    assert "http-equiv" not in html


def test_fewer_points_are_drawn_than_in_a_file():
    many = th.Scores([i % 3 == 0 for i in range(300)], range(300))
    assert len(notebook_html(many, max_points=50)) < len(notebook_html(many))


def test_the_last_line_of_a_cell_shows_the_page():
    html = notebook_html(SCORES)
    assert html._repr_html_() == str(html) == html
    assert type(html._repr_html_()) is str
    assert len(repr(html)) < 80
