from __future__ import annotations

import pytest

import thresher.papers
from thresher.cli import main
from thresher.papers import Entry, EntryResult, Found, Paper, PaperResult
from thresher.papers._entry import number


def item():
    """An item."""


@pytest.fixture
def recomputed(monkeypatch):
    """Put a paper of one item in the place of the three, and remember what was asked for."""
    asked = []

    def use(*checks):
        entry = Entry("Table 1", item)
        paper = Paper("davis-goadrich", "Title", "Authors (2006)", "Journal.", "https://example.org", (entry,))

        def recompute(papers=None, *, progress=None):
            asked.append(papers)
            progress(1, 1)
            return (PaperResult(paper, (EntryResult(entry, Found(checks)),)),)

        monkeypatch.setattr(thresher.papers, "recompute", recompute)
        return asked

    return use


def test_pages_and_table(recomputed, tmp_path, capsys):
    asked = recomputed(number("a", 0.5, 0.5, digits=1), number("b", 0.5, 0.7, digits=1, why="because"))
    assert main(["papers", "--output", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "1 of 2 come out" in said
    assert "1 erratum" in said
    assert f"wrote {tmp_path / 'out' / 'davis-goadrich.html'}" in said
    assert (tmp_path / "out" / "davis-goadrich.md").exists()
    assert asked == [None]


def test_one_paper(recomputed, tmp_path):
    asked = recomputed(number("a", 0.5, 0.5, digits=1))
    assert main(["papers", "--output", str(tmp_path), "--paper", "davis-goadrich"]) == 0
    assert asked == ["davis-goadrich"]


def test_an_unexplained_difference_fails(recomputed, tmp_path, capsys):
    recomputed(number("a", 0.5, 0.7, digits=1))
    assert main(["papers", "--output", str(tmp_path)]) == 3
    assert "1 failed: see the differences without a reason in the pages" in capsys.readouterr().out


def test_unknown_paper(capsys):
    assert main(["papers", "--paper", "fawcett"]) == 2
    assert "fawcett" in capsys.readouterr().err
