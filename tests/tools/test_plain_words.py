"""The check of words finds what it should, in every kind of file, and leaves code alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.plain_words import EXCEPTIONS, ROOT, findings

from tools import plain_words


def words(folder: Path, name: str, text: str) -> list[str]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [word for _, word, _ in findings(path)]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.md", "The share of positives.", ["share of"]),
        ("a.md", "Take `a share of` it.\n\n```python\n>>> promise\n```\n", []),
        ("a.md", "An interval of 95 % with 1 scores.", ["95 %", "1 scores"]),
        ("a.md", "The AUC-ROC is 0.9. Who acts here pays.", ["AUC-ROC", ". Who acts"]),
        ("a.py", '"""Return what shall be."""\n', ["shall"]),
        ("a.py", "x = 1  # told once\npromise = told = None\n", ["told"]),
        ("a.py", "raise ValueError(f'{promise} cannot be promised')\n", ["promised"]),
        ("a.ts", 'const told = "the ruler of it"; // dear', ["dear", "ruler"]),
        ("a.html", "<p class='told'>{% if x is none %}a coin{% endif %}</p>", ["coin"]),
    ],
)
def test_what_is_found(tmp_path, name, text, found):
    assert sorted(words(tmp_path, name, text)) == sorted(found)


def test_exceptions_are_needed(monkeypatch):
    """An exception whose text is gone goes too."""
    listed = dict(EXCEPTIONS)
    monkeypatch.setattr(plain_words, "EXCEPTIONS", {})
    for name, word in listed:
        assert word in {found.lower() for _, found, _ in findings(ROOT / name)}, (name, word)


def test_every_text_is_read():
    read = {path.relative_to(ROOT).as_posix() for path in plain_words.tracked()}
    assert {"README.md", "AGENTS.md", "CHANGELOG.md", "docs/index.md", "src/thresher/_facade/scores.py"} <= read
    assert {"js/src/main.ts", "src/thresher/_report/_templates/component.html", "docs/gallery/plot_hull.py"} <= read
