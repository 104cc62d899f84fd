"""The content of a page: every statement with its status, every example as code that runs."""

from __future__ import annotations

from papers.blocks import Cell, Heading, Image, Listing, Paragraph, _signed, _split, page_blocks, title_of
from papers.entry import Entry, EntryResult, Found, Paper, PaperResult, Picture, Table, claim, number


def item():
    """Sums are sums.

    Words in
    two lines.

    >>> x = 1
    >>> x + 1
    2

    And after.
    """
    wrong = {"ours": "b", "holds": False, "why": "Because."}
    return Found(
        (
            number("n", 1.0, 1.25, digits=0),
            claim("c", published="a", **wrong),
            claim("d", published="a", **wrong),
            claim("ours", ours="z", holds=True, why="Tried.", status="our experiment"),
        ),
        tables=(Table("t", ("k",), (("1",),)),),
        pictures=(Picture("pic", "seen", lambda: None),),
    )


RESULT = EntryResult(Entry("Table 1", item), item())
PAGE = page_blocks(PaperResult(Paper("key", "Title", "Authors", "Ref.", "link", ()), (RESULT,)))


def test_a_title_is_the_first_line():
    assert title_of(RESULT) == "Sums are sums"


def test_headings_carry_the_status():
    assert [block for block in PAGE if isinstance(block, Heading)] == [
        Heading(1, "Authors: Title"),
        Heading(2, "Table 1: Sums are sums", "table-1", "erratum"),
    ]


def test_examples_run_as_they_stand():
    (cell,) = [block for block in PAGE if isinstance(block, Cell)]
    assert cell.code == "x = 1\nx + 1\n# 2"
    exec(cell.code, {})  # noqa: S102  # the example above


def test_paragraphs_come_on_one_line_and_reasons_once():
    texts = [block.text for block in PAGE if isinstance(block, Paragraph)]
    assert "Words in two lines." in texts
    assert "And after." in texts
    assert texts.count("**Erratum** (c; d). Because.") == 1
    assert "1 items: 1 erratum." in texts


def test_tables_of_the_page():
    statuses, contents, checks, own = [block.table for block in PAGE if isinstance(block, Listing)]
    assert {row[0] for row in statuses.rows} == {"reproduced", "erratum", "our experiment"}
    # Of three printed statements one comes out; what is ours is not counted.
    assert contents.rows == (("[Table 1](#table-1)", "Sums are sums", "erratum", "1 of 3"),)
    assert [row[4] for row in checks.rows] == ["reproduced", "erratum", "erratum", "our experiment"]
    assert checks.rows[0][1:4] == ("1", "1.25", "+0.25")
    assert own.title == "t"
    assert [block for block in PAGE if isinstance(block, Image)] == [Image("pic", "seen")]


def test_signs():
    assert (_signed(None), _signed(0.0), _signed(0.0123), _signed(-2.0)) == ("", "0", "+0.012", "\N{MINUS SIGN}2")


def test_code_between_paragraphs_is_kept_apart():
    text = "Title.\n\n>>> 1\n1\n\nBetween.\n\n>>> 2\n2\n"
    assert _split(text) == (["Between."], ["1\n# 1", "2\n# 2"])
