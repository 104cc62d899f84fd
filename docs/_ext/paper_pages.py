"""The pages that `python -m papers` writes, made when the documentation is built.

They are made again when the papers or the package have changed since; that takes a minute or two.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

import papers
import thresher

logger = logging.getLogger(__name__)

_MANY = 12
"""Items of a page, from which on they are folded."""


def digest() -> str:
    """Return a fingerprint of the sources of the papers and of the package."""
    roots = [Path(package.__file__).parent for package in (papers, thresher)]
    found = hashlib.sha256()
    for path in sorted(path for root in roots for ending in ("*.py", "*.csv") for path in root.rglob(ending)):
        found.update(path.read_bytes())
    return found.hexdigest()


def make_pages(app: Sphinx) -> None:
    """Recompute the papers and write their pages and figures."""
    folder = Path(app.srcdir) / "papers"
    stamp, now = folder / "figures" / "made-from.txt", digest()
    if stamp.exists() and stamp.read_text() == now:
        return
    logger.info("recomputing the papers ...")
    results = papers.recompute()
    for result in results:
        if failed := [entry.entry.item for entry in result.entries if entry.status == "failed"]:
            logger.warning("%s: not reproduced and not explained: %s", result.paper.key, failed)
    papers.write_pages(results, folder)
    stamp.write_text(now)


def fold(text: str) -> str:
    """Fold what stands under each item of a long page after its first paragraph: tables, code and figures.

    Headings, and what is said in short, stay in sight; links lead to the headings.
    """
    top, *items = re.split(r"(?m)^(?=\([^()\s]+\)=$)", text)
    if len(items) < _MANY:
        return text
    folded = []
    for item in items:
        blocks = item.strip("\n").split("\n\n")
        shown = 2 if blocks[2].startswith(("|", "!", "`")) else 3  # the target, the heading, and a paragraph
        said, rest = "\n\n".join(blocks[:shown]), "\n\n".join(blocks[shown:])
        details = f"\n\n<details><summary>Printed and recomputed</summary>\n\n{rest}\n\n</details>" if rest else ""
        folded.append(f"{said}{details}\n\n")
    return top + "".join(folded)


def link_items(app: Sphinx, name: str, source: list[str]) -> None:
    """Turn the anchors of a page into targets that Sphinx checks."""
    if name.startswith("papers/") and name != "papers/index":
        key = name.removeprefix("papers/")
        text = re.sub(r'<a id="([^"]+)"></a>', rf"({key}-\1)=", source[0])
        text = re.sub(r"\]\(#([^)]+)\)", rf"](#{key}-\1)", fold(text))
        # Markdown leaves bare addresses alone unless they stand in angle brackets.
        source[0] = re.sub(r"(?<![<(])(https://[^\s<>|]*[^\s<>|.,;)])", r"<\1>", text)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", make_pages, priority=100)
    app.connect("source-read", link_items)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
