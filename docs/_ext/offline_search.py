"""The words of every page in one script: `_static/offline-search.js` makes snippets of it where nothing is fetched."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_MOST = 20_000  # characters of a page; further down no snippet is found
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Main(HTMLParser):
    """The words in the main part of a page, without scripts, styles and marks of headings."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._open: list[bool] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        known = dict(attrs)
        silent = tag in ("script", "style", "math", "svg") or "headerlink" in (known.get("class") or "")
        if self._open or tag == "article" or known.get("role") == "main":
            self._open.append(silent)
            self._silent += silent

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag not in _VOID:
            self._silent -= self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and not self._silent:
            self.words.append(data)


def words_of(html: str) -> str:
    """Return the words of a page's main part, as one line."""
    reader = Main()
    reader.feed(html)
    return re.sub(r"\s+", " ", " ".join(reader.words)).strip()[:_MOST]


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the words of every page beside the styles."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    found = {f"{name}.html": words_of((folder / f"{name}.html").read_text("utf-8")) for name in app.env.found_docs}
    text = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    (folder / "_static" / "page-texts.js").write_text(f"window.THRESHER_PAGE_TEXTS={text};\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_js_file("offline-search.js")
    app.connect("build-finished", write, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
