"""The papers' long pages show every item and what it is about; the evidence is folded, and none of it is lost."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "docs" / "_ext" / "paper_pages.py"


@pytest.fixture(scope="module")
def fold():
    pytest.importorskip("sphinx", reason="the documentation's builder is needed")
    spec = importlib.util.spec_from_file_location("paper_pages", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.fold


def page(count: int) -> str:
    item = (
        "(key-item-{0})=\n\n## Item {0}\n\nWhat it is about.\n\n"
        "| a | b |\n| - | - |\n| 1 | {0} |\n\n```python\n1\n\n2\n```\n\n"
    )
    return "# A paper\n\n| Item |\n| - |\n| all |\n\n" + "".join(item.format(i) for i in range(count))


def test_items_of_a_long_page_are_folded(fold):
    text = fold(page(20))
    assert text.count("<details>") == text.count("</details>") == 20
    first = text[text.index("(key-item-3)=") : text.index("(key-item-4)=")]
    shown, folded = first.split("<details>")
    assert "## Item 3" in shown
    assert "What it is about." in shown
    assert "| 1 | 3 |" in folded
    assert "1\n\n2\n```\n\n</details>" in folded
    kept = [line for line in text.split("\n") if "details>" not in line and line]
    assert kept == [line for line in page(20).split("\n") if line]


def test_a_short_page_stays_as_it_is(fold):
    assert fold(page(5)) == page(5)


def test_a_table_right_below_the_heading_is_folded(fold):
    text = fold(page(20).replace("What it is about.\n\n", ""))
    assert "## Item 7\n\n<details>" in text
