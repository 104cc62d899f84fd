"""Every page can be reached: a table of contents lists it, from the start page down."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
# Made by a build.
GENERATED = ("_build", "auto_gallery", "generated", "papers")


def listed(page: Path) -> list[Path]:
    """Return the pages that the tables of contents of a page list."""
    blocks = re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line.strip() for block in blocks for line in block.splitlines() if line and not line.startswith(":")]
    names = [re.sub(r"^.*<(.*)>$", r"\1", line) for line in lines]
    return [found.resolve() for name in names for found in page.parent.glob(f"{name}.md")]


def reached() -> set[Path]:
    """Return every page that is listed, from the start page down."""
    found, open_ = set(), [DOCS / "index.md"]
    while open_:
        page = open_.pop().resolve()
        if page not in found and page.exists():
            found.add(page)
            open_ += listed(page)
    return found


def test_every_page_is_in_a_table_of_contents():
    pages = {page.resolve() for page in DOCS.rglob("*.md") if not {*page.relative_to(DOCS).parts} & {*GENERATED}}
    assert len(pages) > 60  # it looked
    assert sorted(str(page.relative_to(DOCS)) for page in pages - reached()) == []


def test_what_works_with_what_is_in_the_reference():
    assert (DOCS / "reference" / "what-works-with-what.md").resolve() in listed(DOCS / "reference" / "index.md")
