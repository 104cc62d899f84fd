"""The path that `th.report` returns."""

from __future__ import annotations

import html
from pathlib import Path

import thresher as th

SCORES = th.Scores([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7])


def test_it_is_a_path_and_shows_the_page(tmp_path):
    written = th.report(SCORES, tmp_path / 'a "quoted" name.html')
    assert isinstance(written, Path)
    assert written == tmp_path / 'a "quoted" name.html'
    assert type(written.path) is type(tmp_path)
    frame = written._repr_html_()
    assert html.unescape(frame.split('srcdoc="', 1)[1].split('" title', 1)[0]) == written.read_text(encoding="utf-8")


def test_a_file_that_is_gone_shows_nothing(tmp_path):
    written = th.report(SCORES, tmp_path / "r.html")
    written.unlink()
    assert written._repr_html_() is None


def test_what_is_made_from_it_is_a_path(tmp_path):
    written = th.report(SCORES, tmp_path / "r.html")
    assert written.parent == tmp_path
    assert written.with_suffix(".txt").name == "r.txt"
