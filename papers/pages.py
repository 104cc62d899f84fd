"""One page a paper, as Markdown and as HTML, with its figures beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from papers.blocks import Block, Cell, Heading, Image, Listing, Paragraph, page_blocks
from papers.entry import STATUSES, PaperResult, Picture
from papers.needs import needs
from thresher.exceptions import InvalidInputError

__all__ = ["write_pages"]

_PIXELS_PER_INCH = 150

_STYLE = """
:root { color-scheme: light; --ink: #1b1b1b; --soft: #5a5a5a; --line: #d9d9d9; --paper: #ffffff; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 62rem; padding: 1.5rem; }
h1 { line-height: 1.25; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.92rem; display: block; overflow-x: auto; }
.caption { font-weight: 600; margin: 1rem 0 -0.7rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.7rem; text-align: left; vertical-align: top; }
th { background: #f5f5f5; } td { font-variant-numeric: tabular-nums; }
pre { background: #f5f5f5; padding: 0.8rem 1rem; overflow-x: auto; font-size: 0.88rem; }
code { font-family: ui-monospace, monospace; font-size: 0.92em; }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: 0.92rem; }
.status { font-size: 0.75rem; font-weight: 600; padding: 0.15rem 0.5rem; border-radius: 0.3rem; color: #ffffff;
  vertical-align: middle; white-space: nowrap; }
.reproduced { background: #00664d; } .erratum { background: #9a4400; } .failed { background: #000000; }
.not-determined-by-the-text { background: #5b5b00; } .stronger-than-necessary { background: #1f4e8c; }
.assumption-of-the-authors { background: #6b3a8c; } .our-experiment { background: #555555; }
@media (max-width: 40rem) {
  body { padding: 1rem; } h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; } .status { white-space: normal; }
  table.cards thead { display: none; } table.cards, .cards tbody, .cards tr, .cards td { display: block; }
  .cards tr { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  .cards td { border: 0; padding: 0.1rem 0; } .cards td:empty { display: none; }
  .cards td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); }
  .cards td:first-child { font-weight: 600; }
}
@media print { h2 { break-after: avoid; } figure, pre, tr { break-inside: avoid; } }
""".strip()


def write_pages(
    results: Sequence[PaperResult], folder: Path, *, progress: Callable[[int, int], None] | None = None
) -> tuple[Path, ...]:
    """Write ``<paper>.md`` and ``<paper>.html`` for each paper, and its figures as SVG and PNG.

    Parameters
    ----------
    results : sequence of PaperResult
        What `recompute` returned.
    folder : Path
        Made if it does not exist; files of the same names are replaced.
    progress : callable, optional
        Called with the number of figures drawn and the number of all.

    Returns
    -------
    tuple of Path
        The pages, two a paper.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from papers import PAPERS, PaperResult, recompute_entry, write_pages
    >>> result = PaperResult(PAPERS[0], (recompute_entry("davis-goadrich", "Figure 2"),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [page.name for page in write_pages([result], pathlib.Path(folder))]
    ['davis-goadrich.md', 'davis-goadrich.html']
    """
    pictures = [picture for result in results for entry in result.entries for picture in entry.found.pictures]
    try:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(
            f"`folder` must be a folder that can be written; got {str(folder)!r} ({error.strerror})."
        ) from error
    for done, picture in enumerate(pictures):
        if progress is not None:
            progress(done, len(pictures))
        _save(picture, folder / "figures")
    if progress is not None:
        progress(len(pictures), len(pictures))
    pages = []
    for result in results:
        blocks = page_blocks(result)
        for ending, render in ((".md", _markdown), (".html", _html)):
            page = folder / f"{result.paper.key}{ending}"
            page.write_text(render(blocks), encoding="utf-8")
            pages.append(page)
    return tuple(pages)


def _save(picture: Picture, folder: Path) -> None:
    matplotlib: Any = needs("matplotlib", extra="plot")
    # Without a date and with fixed names inside, the same figures give the same files.
    with matplotlib.rc_context({"svg.hashsalt": picture.name}):
        figure = picture.draw()
        figure.savefig(folder / f"{picture.name}.svg", metadata={"Date": None})
        # The places are found; they need not be found again for the second file.
        figure.set_layout_engine("none")
        figure.savefig(folder / f"{picture.name}.png", dpi=_PIXELS_PER_INCH)


def _markdown(blocks: Sequence[Block]) -> str:
    parts = []
    for block in blocks:
        match block:
            case Heading(level, text, anchor, status):
                place = f'<a id="{anchor}"></a>\n\n' if anchor else ""
                parts.append(f"{place}{'#' * level} {text}" + (f" ({status})" if status else ""))
            case Paragraph(text):
                parts.append(text)
            case Cell(code):
                parts.append(f"```python\n{code}\n```")
            case Image(name, caption):
                parts.append(f"![{caption}](figures/{name}.png)\n\n*{caption}*")
            case Listing(table):
                rows = [table.columns, tuple("---" for _ in table.columns), *table.rows]
                lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
                parts.append((f"**{table.title}**\n\n" if table.title else "") + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _html(blocks: Sequence[Block]) -> str:
    title = next(block.text for block in blocks if isinstance(block, Heading))
    body = "\n".join(_html_block(block) for block in blocks)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html_block(block: Block) -> str:
    match block:
        case Heading(level, text, anchor, status):
            name = f' id="{anchor}"' if anchor else ""
            mark = f" {_badge(status)}" if status else ""
            return f"<h{level}{name}>{_inline(text)}{mark}</h{level}>"
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Cell(code):
            return f"<pre><code>{html.escape(code)}</code></pre>"
        case Image(name, caption):
            words = html.escape(caption)
            return (
                f'<figure><img src="figures/{name}.svg" alt="{words}"><figcaption>{_inline(caption)}</figcaption>'
                "</figure>"
            )
        case Listing(table, links, cards):
            head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in table.columns)
            # A card begins with its first cell; the others say which column they come from.
            names = ["", *(f' data-label="{html.escape(name)}"' for name in table.columns[1:])]
            names = names if cards else [""] * len(table.columns)
            rows = "\n".join(
                "<tr>"
                + "".join(f"<td{name}>{_cell(cell, links)}</td>" for name, cell in zip(names, row, strict=True))
                + "</tr>"
                for row in table.rows
            )
            # Not a <caption>: it would be cut off where a wide table scrolls on a phone.
            caption = f'<p class="caption">{_inline(table.title)}</p>' if table.title else ""
            kind = ' class="cards"' if cards else ""
            name = f' aria-label="{html.escape(table.title)}"' if table.title else ""
            return f"{caption}<table{kind}{name}><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"


def _badge(status: str) -> str:
    return f'<span class="status {status.replace(" ", "-")}">{status}</span>'


def _cell(text: str, links: bool) -> str:
    if text in STATUSES:
        return _badge(text)
    link = re.fullmatch(r"\[(.*)\]\(#(.*)\)", text) if links else None
    return f'<a href="#{link[2]}">{_inline(link[1])}</a>' if link else _inline(text)


def _inline(text: str) -> str:
    """Return a line as HTML: backquotes are code, stars are emphasis, addresses are links."""
    safe = html.escape(text, quote=False)
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    safe = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", safe)
    safe = re.sub(r"(?<![\w*])\*([A-Za-z][^*]*)\*(?![\w*])", r"<em>\1</em>", safe)
    return re.sub(r"(https://[^\s<]*[^\s<.,;)])", r'<a href="\1">\1</a>', safe)
