"""Look at the finished pages: they load nothing from elsewhere, and their links lead somewhere.

Sphinx checks the links that it makes itself; links in themes, galleries and raw HTML are checked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_LOADED = {
    ("script", "src"), ("link", "href"), ("img", "src"), ("img", "srcset"), ("iframe", "src"), ("source", "src"),
}  # fmt: skip


class Page(HTMLParser):
    """The addresses of a page: what it loads, where it links to, and what can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif (tag, name) in _LOADED:
                self.loaded += [part.split()[0] for part in value.split(",")] if name == "srcset" else [value]
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def faults(folder: Path, names: Iterable[str]) -> list[str]:
    """Return what is wrong with the pages of these names, and with the styles, under a folder."""
    folder = folder.resolve()
    # By name, since an older build may have left pages that are no longer made.
    paths = [folder / f"{name}.html" for name in sorted(names)]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    found = []
    for path, page in pages.items():
        where = path.relative_to(folder)
        found += [f"{where} loads {address}" for address in page.loaded if re.match(r"(https?:)?//", address)]
        found += [
            f"{where} links to {address}"
            for address in sorted({*page.links, *page.loaded})
            if not _leads_somewhere(path, address, pages)
        ]
    for path in sorted(folder.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        found += [
            f"{path.relative_to(folder)} loads {address}"
            for address in re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^)\"']+)", text)
        ]
    return found


def _leads_somewhere(path: Path, address: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or address == "#":
        return True  # elsewhere, or to the top
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if parts.fragment and target in pages:
        return unquote(parts.fragment) in pages[target].anchors
    return target.exists()


def _check(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        from sphinx.errors import ExtensionError

        if found := faults(Path(app.outdir), app.env.found_docs):
            raise ExtensionError("finished pages: " + "; ".join(found[:20]), modname=__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", _check, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
