"""The content of a page, in order, before it becomes Markdown or HTML."""

from __future__ import annotations

import doctest
import inspect
from dataclasses import dataclass

from papers.entry import STATUSES, Check, EntryResult, PaperResult, Table

__all__ = ["Block", "Cell", "Heading", "Image", "Listing", "Paragraph", "page_blocks", "title_of"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with the name by which it is linked and, for an entry, its status."""

    level: int
    text: str
    anchor: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `code` stands between backquotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """Python code that runs as it stands, its output in comments."""

    code: str


@dataclass(frozen=True, slots=True)
class Image:
    """A figure by the name of its files."""

    name: str
    caption: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A table; a cell ``[text](#anchor)`` is a link inside the page."""

    table: Table
    links: bool = False
    cards: bool = False
    """Whether its rows are texts, which a narrow screen shows one below the other."""


Block = Heading | Paragraph | Cell | Image | Listing


_COLUMNS = (
    "In the tables *Printed* is what the paper says and *thresher* what was computed here; a row "
    "without an entry under *Printed* is about something that the paper does not state."
)


def page_blocks(result: PaperResult) -> list[Block]:
    """Return the page of one paper."""
    paper = result.paper
    blocks: list[Block] = [
        Heading(1, f"{paper.authors}: {paper.title}"),
        Paragraph(f"{paper.reference} {paper.link}"),
        Paragraph(_summary(result)),
        Listing(_statuses(result), cards=True),
        Paragraph(_COLUMNS),
        Listing(_contents(result), links=True, cards=True),
    ]
    for entry in result.entries:
        blocks += _entry_blocks(entry)
    return blocks


def title_of(result: EntryResult) -> str:
    """Return the first line of the entry's text, without its full stop."""
    return inspect.cleandoc(result.entry.text).splitlines()[0].rstrip(".")


def _summary(result: PaperResult) -> str:
    counts = [(status, result.count(status)) for status in STATUSES]
    return f"{len(result.entries)} items: " + ", ".join(f"{count} {name}" for name, count in counts if count) + "."


def _statuses(result: PaperResult) -> Table:
    """Return what the statuses that occur on the page mean."""
    met = {entry.status for entry in result.entries} | {c.status for e in result.entries for c in e.found.checks}
    return Table("", ("Status", "What it says"), tuple(row for row in STATUSES.items() if row[0] in met))


def _contents(result: PaperResult) -> Table:
    rows = tuple(
        (f"[{entry.entry.item}](#{entry.entry.slug})", title_of(entry), entry.status, _agreement(entry))
        for entry in result.entries
    )
    return Table("", ("Item", "What it is about", "Status", "Printed statements reproduced"), rows)


def _agreement(result: EntryResult) -> str:
    printed = [check for check in result.found.checks if check.published and check.status != "our experiment"]
    return f"{sum(check.status == 'reproduced' for check in printed)} of {len(printed)}" if printed else "none checked"


def _entry_blocks(result: EntryResult) -> list[Block]:
    item = result.entry.item
    blocks: list[Block] = [Heading(2, f"{item}: {title_of(result)}", result.entry.slug, result.status)]
    text, cells = _split(inspect.cleandoc(result.entry.text))
    blocks += [Paragraph(paragraph) for paragraph in text]
    blocks.append(Listing(_checks_table(result.found.checks), cards=True))
    reasons: dict[tuple[str, str], list[str]] = {}
    for check in result.found.checks:
        if check.why:
            reasons.setdefault((check.status, check.why), []).append(check.what)
    blocks += [
        Paragraph(f"**{status[0].upper()}{status[1:]}** ({'; '.join(names)}). {why}")
        for (status, why), names in reasons.items()
    ]
    blocks += [Cell(code) for code in cells]
    for table in result.found.tables:
        blocks.append(Listing(table))
    blocks += [Image(picture.name, picture.caption) for picture in result.found.pictures]
    return blocks


def _checks_table(checks: tuple[Check, ...]) -> Table:
    rows = tuple(
        (
            check.what,
            check.published,
            check.ours,
            _signed(check.difference),
            check.status if check.as_expected else "failed",
        )
        for check in checks
    )
    return Table("", ("Quantity or statement", "Printed", "thresher", "Difference", "Status"), rows)


def _signed(value: float | None) -> str:
    if value is None:
        return ""
    return "0" if value == 0 else f"{value:+.2g}".replace("-", "\N{MINUS SIGN}")


def _split(text: str) -> tuple[list[str], list[str]]:
    """Return the paragraphs after the title, and the examples as code that runs."""
    paragraphs: list[str] = []
    cells: list[str] = []
    code: list[str] = []
    for part in doctest.DocTestParser().parse(text.partition("\n")[2]):
        if isinstance(part, doctest.Example):
            code.append(part.source.rstrip("\n"))
            code += [f"# {line}" for line in part.want.splitlines()]
        elif part.strip():
            if code:
                cells.append("\n".join(code))
                code = []
            paragraphs += [" ".join(piece.split()) for piece in part.split("\n\n") if piece.strip()]
    if code:
        cells.append("\n".join(code))
    return paragraphs, cells
