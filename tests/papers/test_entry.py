"""A statement beside what is recomputed: when the two agree, and what an item is called."""

from __future__ import annotations

import pytest

from papers.entry import STATUSES, Check, Entry, EntryResult, Found, Paper, PaperResult, claim, number, within


@pytest.mark.parametrize(
    "published, ours, digits, agrees",
    [(0.813, 0.8125, 3, True), (0.812, 0.8125, 3, True), (0.81, 0.8151, 2, False), (5, 5.49, 0, True)],
)
def test_half_a_unit_of_the_last_digit(published, ours, digits, agrees):
    assert number("x", published, ours, digits=digits).agrees is agrees


def test_a_tolerance_and_a_range_of_ones_own():
    assert number("x", 0.5, 0.6, digits=3, tolerance=0.1 + 1e-12).agrees
    assert not number("x", 0.5, 0.5, digits=3, between=(0.51, 0.6)).agrees
    assert number("x", 0.55, 0.5, digits=3, between=(0.51, 0.6)).agrees


def test_what_a_reader_sees():
    check = number("x", 0.5, 0.1234567, digits=2)
    assert (check.published, check.ours) == ("0.50", "0.1235")
    assert number("x", 0.0, 0.00012345, digits=2).ours == "0.000123"
    assert number("x", 0.5, 0.5, digits=2, printed="> 0.4").published == "> 0.4"
    assert check.difference == pytest.approx(0.1234567 - 0.5)
    assert claim("y", ours="yes", holds=True).difference is None


@pytest.mark.parametrize(
    "agrees, status, why, expected",
    [
        (True, "reproduced", "", True),
        (False, "reproduced", "", False),
        (False, "erratum", "so", True),
        (True, "erratum", "so", False),  # nothing wrong was found
        (False, "erratum", "", False),  # an accusation without a reason
        (True, "our experiment", "so", True),
        (False, "our experiment", "so", False),
    ],
)
def test_what_is_expected(agrees, status, why, expected):
    assert Check("x", "", "", agrees, why, status=status).as_expected is expected


def test_a_reason_makes_an_erratum_unless_it_is_called_something_else():
    assert claim("x", ours="", holds=False, why="so").status == "erratum"
    assert claim("x", ours="", holds=True, why="so", status="our experiment").status == "our experiment"
    assert claim("x", ours="", holds=True).status == "reproduced"


def result(*statuses, agrees=None):
    checks = (Check("x", "", "", one != "erratum", "" if one == "reproduced" else "so", status=one) for one in statuses)
    return EntryResult(Entry("Table 1", lambda: None), Found(tuple(checks)))


def test_the_gravest_statement_names_the_item():
    assert result("reproduced", "erratum", "our experiment").status == "erratum"
    assert result("our experiment", "reproduced").status == "reproduced"
    assert result("our experiment").status == "our experiment"
    assert result().status == "failed"
    assert EntryResult(Entry("a", lambda: None), Found((Check("x", "", "", False),))).status == "failed"


def test_every_status_can_be_reached():
    assert {result(status).status for status in STATUSES if status != "failed"} | {"failed"} == set(STATUSES)


def test_items_as_parts_of_an_address():
    assert [Entry(item, lambda: None).slug for item in ("Table 1", "Equations (2), (3)", "P3")] == [
        "table-1",
        "equations-2-3",
        "p3",
    ]


def test_a_paper_counts_its_items():
    paper = PaperResult(
        Paper("k", "t", "a", "r", "l", ()), (result("reproduced"), result("erratum"), result("erratum"))
    )
    assert (paper.count("erratum"), paper.count("reproduced"), paper.count("failed")) == (2, 1, 0)


def test_near_in_words():
    assert (within(0.0), within(3.2e-15)) == ("exactly", "to within 3e-15")
