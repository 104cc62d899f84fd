"""The command `python -m papers`: pages, a line an item, and an exit code."""

from __future__ import annotations

import pytest

from papers import Entry, EntryResult, Found, Paper, PaperResult, __main__
from papers.entry import number


def item():
    """An item."""


@pytest.fixture
def recomputed(monkeypatch):
    """Put a paper of one item in the place of all, and remember what was asked for."""
    asked = []

    def use(*checks):
        entry = Entry("Table 1", item)
        paper = Paper("davis-goadrich", "Title", "Authors (2006)", "Journal.", "https://example.org", (entry,))

        def recompute(papers=None, *, progress=None):
            asked.append(papers)
            progress(1, 1)
            return (PaperResult(paper, (EntryResult(entry, Found(checks)),)),)

        monkeypatch.setattr(__main__, "recompute", recompute)
        return asked

    return use


def test_pages_and_lines(recomputed, tmp_path, capsys):
    asked = recomputed(number("a", 0.5, 0.5, digits=1), number("b", 0.5, 0.7, digits=1, why="because"))
    assert __main__.main(["--output", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "Authors (2006)\n  Table 1  erratum: 1 of 2 come out\n1 erratum\n" in said
    assert f"wrote {tmp_path / 'out' / 'davis-goadrich.html'}" in said
    assert (tmp_path / "out" / "davis-goadrich.md").exists()
    assert asked == [None]


def test_one_paper(recomputed, tmp_path):
    asked = recomputed(number("a", 0.5, 0.5, digits=1))
    assert __main__.main(["--output", str(tmp_path), "--paper", "davis-goadrich"]) == 0
    assert asked == ["davis-goadrich"]


def test_an_unexplained_difference_fails(recomputed, tmp_path, capsys):
    recomputed(number("a", 0.5, 0.7, digits=1))
    assert __main__.main(["--output", str(tmp_path)]) == 3
    assert "1 failed: see the differences without a reason in the pages" in capsys.readouterr().out


def test_unknown_paper(capsys):
    with pytest.raises(SystemExit) as caught:
        __main__.main(["--paper", "fawcett"])
    assert caught.value.code == 2
    assert "fawcett" in capsys.readouterr().err


def test_people_who_watch_see_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    show = __main__._progress("drawn")
    show(1, 2)
    show(2, 2)
    assert capsys.readouterr().err == "\r1 of 2 drawn\r2 of 2 drawn\n"
