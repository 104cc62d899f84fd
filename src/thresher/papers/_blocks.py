"""The content of a page, in order, before it becomes Markdown or HTML."""

from __future__ import annotations

import doctest
import inspect
from dataclasses import dataclass

from thresher.papers._entry import Check, EntryResult, PaperResult, Table

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


Block = Heading | Paragraph | Cell | Image | Listing

_VERDICTS = {True: "agrees", False: "differs"}


def page_blocks(result: PaperResult) -> list[Block]:
    """Return the page of one paper."""
    paper = result.paper
    blocks: list[Block] = [
        Heading(1, f"{paper.authors}: {paper.title}"),
        Paragraph(f"{paper.reference} {paper.link}"),
        Paragraph(_summary(result)),
        Listing(_contents(result), links=True),
    ]
    for entry in result.entries:
        blocks += _entry_blocks(entry)
    return blocks


def title_of(result: EntryResult) -> str:
    """Return the first line of the entry's text, without its full stop."""
    return inspect.cleandoc(result.entry.text).splitlines()[0].rstrip(".")


def _summary(result: PaperResult) -> str:
    total, reproduced, errata = len(result.entries), result.count("reproduced"), result.count("erratum")
    text = f"{total} items recomputed with thresher: {reproduced} reproduced, {errata} with an erratum"
    failed = result.count("failed")
    text += f", {failed} failed." if failed else ", none skipped."
    return (
        f"{text} An item has an erratum when at least one thing said in it is not so; the reason stands below its "
        "table, with a proof or a counter-example that runs."
    )


def _contents(result: PaperResult) -> Table:
    rows = tuple(
        (f"[{entry.entry.item}](#{entry.entry.slug})", title_of(entry), entry.status, _agreement(entry))
        for entry in result.entries
    )
    return Table("", ("Item", "What it says", "Status", "Statements that agree"), rows)


def _agreement(result: EntryResult) -> str:
    checks = result.found.checks
    return f"{sum(check.agrees for check in checks)} of {len(checks)}"


def _entry_blocks(result: EntryResult) -> list[Block]:
    item = result.entry.item
    blocks: list[Block] = [Heading(2, f"{item}: {title_of(result)}", result.entry.slug, result.status)]
    text, cells = _split(inspect.cleandoc(result.entry.text))
    blocks += [Paragraph(paragraph) for paragraph in text]
    blocks.append(Listing(_checks_table(result.found.checks)))
    reasons: dict[str, list[str]] = {}
    for check in result.found.checks:
        if check.why:
            reasons.setdefault(check.why, []).append(check.what)
    blocks += [Paragraph(f"**Erratum ({'; '.join(names)}).** {why}") for why, names in reasons.items()]
    blocks += [Cell(code) for code in cells]
    for table in result.found.tables:
        blocks.append(Listing(table))
    blocks += [Image(picture.name, picture.caption) for picture in result.found.pictures]
    return blocks


def _checks_table(checks: tuple[Check, ...]) -> Table:
    rows = tuple(
        (check.what, check.published, check.ours, _signed(check.difference), _VERDICTS[check.agrees])
        for check in checks
    )
    return Table("", ("Quantity or statement", "Published", "Ours", "Difference", "Verdict"), rows)


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
