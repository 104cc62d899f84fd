"""`thresher report`: what it refuses before it reads, and what it says when it has written."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from thresher.cli import _report


@pytest.mark.parametrize(
    "words, said",
    [
        (["small.csv", "-o", "page.pdf"], "--output must end in .html; got 'page.pdf'."),
        ([], "A report needs a file to read."),
        (["small.csv", "--blank"], "--blank takes no file; got 'small.csv'. Hint: drop it on the page."),
        (["small.csv", "--metric", "roc_acu"], "--metric"),
    ],
)
def test_refused_before_anything_is_written(thresher, small_file, folder, words, said):
    ran = thresher("report", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert [path.name for path in folder.iterdir()] == [small_file]


def test_a_page_that_takes_a_file(thresher, folder):
    ran = thresher("report", "--blank", "-o", "blank.htm")
    assert str(ran) == "exit code 0\n--- stdout\nwrote blank.htm"
    assert "<!doctype html>" in (folder / "blank.htm").read_text()[:200]


def test_two_models_side_by_side(thresher, small_file, folder):
    words = ("report", small_file, "--y-true", "label", "--y-score", "a", "--y-score", "b", "-o", "page.html")
    ran = thresher(*words, "--title", "A < B")
    assert (ran.code, ran.out) == (0, "wrote page.html\n")
    page = (folder / "page.html").read_text()
    assert "A &lt; B" in page
    assert "adjusted for all pairs by Holm" in page


def test_findings_are_told_a_line_each(capsys):
    findings = [
        SimpleNamespace(code="T1", name="one", model="a\nb", text="First."),
        SimpleNamespace(code="T2", name="two", model=None, text="Second."),
    ]
    _report._say(findings)
    assert capsys.readouterr().err == "T1 one: a\\nb: First.\nT2 two: Second.\n"
