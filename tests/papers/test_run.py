"""Running entries: which, in what order, and how far it is."""

from __future__ import annotations

import pytest

import thresher as th
from papers import run
from papers.entry import Entry, Found, Paper, claim


@pytest.fixture
def two(monkeypatch):
    """Two papers of one and two items, which say what was run."""
    ran = []

    def made(name):
        def recompute():
            ran.append(name)
            return Found((claim(name, ours="", holds=True),))

        return Entry(name, recompute)

    papers = tuple(
        Paper(key, "", "", "", "", tuple(map(made, items))) for key, items in (("a", ["A1"]), ("b", ["B1", "B2"]))
    )
    monkeypatch.setattr(run, "PAPERS", papers)
    return ran


def test_all_in_the_order_of_the_papers(two):
    told = []
    found = run.recompute(progress=lambda done, total: told.append((done, total)))
    assert two == ["A1", "B1", "B2"]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [result.paper.key for result in found] == ["a", "b"]
    assert all(entry.seconds >= 0 for result in found for entry in result.entries)


def test_only_those_asked_for_each_once(two):
    assert [result.paper.key for result in run.recompute(["b", "b", "a"])] == ["a", "b"]
    two.clear()
    (one,) = run.recompute("b")
    assert (one.count("reproduced"), two) == (2, ["B1", "B2"])


def test_one_item_runs_alone(two):
    assert run.recompute_entry("b", "B2").entry.item == "B2"
    assert two == ["B2"]


def test_names_that_there_are_not(two):
    with pytest.raises(th.InvalidInputError, match=r"`papers` must be one of 'a', 'b'; got 'c'\."):
        run.recompute("c")
    with pytest.raises(th.InvalidInputError, match=r"`item` must be one of 'B1', 'B2'; got 'A1'\."):
        run.recompute_entry("b", "A1")
    assert two == []


def test_keys_and_items_of_the_papers_are_unique():
    keys = [paper.key for paper in run.PAPERS]
    assert len(set(keys)) == len(keys) == 5
    for paper in run.PAPERS:
        assert len({entry.slug for entry in paper.entries}) == len(paper.entries)
