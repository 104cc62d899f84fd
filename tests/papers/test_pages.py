from __future__ import annotations

import pytest

from papers import Check, Entry, EntryResult, Found, Paper, PaperResult, Picture, recompute, recompute_entry
from papers.blocks import Cell, Paragraph, page_blocks
from papers.entry import STATUSES, claim, number, within
from papers.pages import write_pages
from thresher.exceptions import InvalidInputError


def example():
    """A title.

    One paragraph with <angle> brackets
    over two lines and `code`.

    >>> 1 + 1
    2

    Another one, see https://doi.org/10.1145/1143844.1143874.
    """


def draw():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1, 1))
    figure.subplots().plot([0, 1])
    return figure


@pytest.fixture
def result():
    checks = (
        number("area", 0.5, 0.5003, digits=2),
        claim("so | so", published="yes", ours="no", holds=False, why="why"),
    )
    found = Found(checks, pictures=(Picture("dot", "A <dot>", draw),))
    entry = Entry("Table 1 (a)", example)
    paper = Paper("x", "T", "A and B", "Journal.", "https://example.org", (entry,))
    return PaperResult(paper, (EntryResult(entry, found),))


def test_pages_are_written(result, tmp_path):
    seen = []
    pages = write_pages([result], tmp_path / "out", progress=lambda done, total: seen.append((done, total)))
    assert [page.name for page in pages] == ["x.md", "x.html"]
    assert seen == [(0, 1), (1, 1)]
    markdown, page = (path.read_text(encoding="utf-8") for path in pages)
    assert "## Table 1 (a): A title (erratum)" in markdown
    assert "| so \\| so | yes | no |  | erratum |" in markdown
    assert "**Erratum** (so | so). why" in markdown
    assert "1 + 1\n# 2" in markdown
    assert '<h2 id="table-1-a">' in page
    assert "&lt;angle&gt; brackets over two lines and <code>code</code>" in page
    assert '<a href="https://doi.org/10.1145/1143844.1143874">' in page
    assert 'alt="A &lt;dot&gt;"' in page
    for name in ("dot.svg", "dot.png"):
        assert (tmp_path / "out" / "figures" / name).stat().st_size > 500


def test_pages_are_the_same_each_time(result, tmp_path):
    for folder in ("a", "b"):
        write_pages([result], tmp_path / folder)
    for name in ("x.md", "x.html", "figures/dot.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_folder_that_cannot_be_made(result, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInputError, match=r"^`folder` must be a folder that can be written; got '.*file/out'"):
        write_pages([result], tmp_path / "file" / "out")


def test_blocks_take_the_docstring_apart(result):
    blocks = page_blocks(result)
    assert Cell("1 + 1\n# 2") in blocks
    assert Paragraph("Another one, see https://doi.org/10.1145/1143844.1143874.") in blocks


def test_status():
    good, bad = number("a", 0.5, 0.504, digits=2), number("a", 0.5, 0.51, digits=2)
    known = number("a", 0.5, 0.51, digits=2, why="because")
    entry = Entry("a", example)

    def status(*checks: Check) -> str:
        return EntryResult(entry, Found(checks)).status

    assert status(good) == "reproduced"
    assert status(good, known) == "erratum"
    assert status(good, bad) == "failed"
    # An erratum that is none, and an entry without checks, are failures too.
    assert status(number("a", 0.5, 0.5, digits=2, why="because")) == "failed"
    assert status() == "failed"
    for name in set(STATUSES) - {"reproduced", "erratum", "failed"}:
        other = number("a", 0.5, 0.5, digits=2, why="because", status=name)
        assert status(other) == name
        # Next to what is reproduced, an experiment of ours does not name the item.
        assert status(good, other) == ("reproduced" if name == "our experiment" else name)
        assert status(other, known) == "erratum"
        # A status needs its reason, and what the reason says must be found.
        assert status(number("a", 0.5, 0.5, digits=2, status=name)) == "failed"
        assert status(number("a", 0.5, 0.6, digits=2, why="because", status=name)) == "failed"


def test_number_may_round_either_way():
    assert number("half", 0.813, 0.8125, digits=3).agrees
    assert number("half", 0.812, 0.8125, digits=3).agrees
    assert number("range", 0.3, 0.2, digits=1, between=(0.1, 0.3)).agrees
    assert not number("range", 0.31, 0.2, digits=2, between=(0.1, 0.3)).agrees
    assert number("difference", 0.31, 0.25, digits=2).difference == pytest.approx(-0.06)
    assert claim("words", published="a", ours="a", holds=True).difference is None


def test_within():
    assert (within(0.0), within(3.2e-16)) == ("exactly", "to within 3e-16")


def test_unknown_names():
    with pytest.raises(InvalidInputError, match=r"^`papers` must be one of"):
        recompute("davis")
    with pytest.raises(InvalidInputError, match=r"^`item` must be one of"):
        recompute_entry("davis-goadrich", "Table 9")
