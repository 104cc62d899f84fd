"""Every numbered item of each paper has an entry, and no row says what is not printed."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import papers
from papers import PAPERS


def numbered(kind, last, first=1):
    return [f"{kind} {number}" for number in range(first, last + 1)]


def equations(last):
    return [f"Equation ({number})" for number in range(1, last + 1)]


# Counted in the papers themselves.
ITEMS = {
    "davis-goadrich": [*numbered("Figure", 7), "Table 1", "Theorem 3.1", "Theorem 3.2", "Corollary 3.1"],
    "hughes-oliver": [
        *numbered("Figure", 11), "Table 1", "Theorem 1", *equations(11), *(f"P{number}" for number in range(1, 8)),
        *(f"Case {name}" for name in ("A", "A*", "B", "C", "D", "E", "F")),
    ],
    "cortes-mohri": [
        "Figure 1", "Table 1", *equations(13), *numbered("Proposition", 3), "Corollary 1", *numbered("Theorem", 2),
    ],
}  # fmt: skip


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper.key in ITEMS], ids=lambda paper: paper.key)
def test_numbered_items_have_entries(paper):
    covered = [name for entry in paper.entries for name in (entry.item, *entry.covers)]
    assert len(covered) == len(set(covered))
    assert set(ITEMS[paper.key]) - set(covered) == set()
    # What is covered besides is no numbered item that we forgot to count.
    rest = set(covered) - set(ITEMS[paper.key])
    assert not [name for name in rest if name.startswith(("Figure", "Table 1 ", "Proposition", "Corollary", "P1"))]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_titles_do_not_repeat_the_item(paper):
    for entry in paper.entries:
        title = inspect.cleandoc(entry.text).splitlines()[0]
        assert not title.startswith(entry.item), entry.item
        assert len({item.slug for item in paper.entries}) == len(paper.entries)


def test_papers_use_public_names_only():
    root = Path(papers.__file__).parent
    crossing = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                package, *parts = name.split(".")
                if package == "thresher" and any(part.startswith("_") for part in parts):
                    crossing.add(name)
    assert crossing == set()
