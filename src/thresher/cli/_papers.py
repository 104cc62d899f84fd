"""`thresher papers`: the papers recomputed, one page each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.table import Table

from thresher.cli._progress import progress_bar

if TYPE_CHECKING:
    from thresher.papers import PaperResult

__all__ = ["papers"]


def papers(
    *,
    output: Path = Path("thresher-papers"),
    paper: Literal["davis-goadrich", "hughes-oliver", "cortes-mohri", "chen", "mcdermott"] | None = None,
) -> int:
    """Recompute every table, figure and theorem of the papers behind thresher, and write one page for each paper.

    Every item has a status, such as reproduced, erratum or not determined by the text, and the pages give the reasons.
    Takes a minute or two; opens nothing.

    Example: thresher papers --output results --paper davis-goadrich

    Parameters
    ----------
    output
        The folder for the pages (Markdown and HTML) and figures (SVG and PNG); made if it does not exist.
    paper
        Only this one.
    """
    from thresher.papers import STATUSES, recompute, write_pages

    with progress_bar("Recomputing") as report:
        results = recompute(paper, progress=report)
    with progress_bar("Drawing") as report:
        pages = write_pages(results, output, progress=report)
    console = Console(highlight=False, soft_wrap=True)
    for result in results:
        console.print(_table(result))
        counts = ((status, result.count(status)) for status in STATUSES)
        console.print(", ".join(f"{count} {status}" for status, count in counts if count) + "\n")
    for page in pages:
        console.print(f"wrote {page}")
    failed = sum(result.count("failed") for result in results)
    if failed:
        console.print(f"{failed} failed: see the differences without a reason in the pages")
    return 3 if failed else 0


def _table(result: PaperResult) -> Table:
    table = Table("item", "status", "printed statements", title=f"{result.paper.authors}", title_justify="left")
    for entry in result.entries:
        printed = [check for check in entry.found.checks if check.published]
        agree = sum(check.status == "reproduced" and check.agrees for check in printed)
        table.add_row(entry.entry.item, entry.status, f"{agree} of {len(printed)} come out")
    return table
