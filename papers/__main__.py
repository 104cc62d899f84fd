"""`python -m papers`: recompute the papers, print a line an item, and write one page for each paper."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from papers.entry import STATUSES, PaperResult
from papers.pages import write_pages
from papers.run import PAPERS, recompute


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, or 3 if a difference has no reason."""
    parser = argparse.ArgumentParser(
        prog="python -m papers",
        description="Recompute every table, figure and theorem of the papers behind thresher and write one page for "
        "each paper. Takes a minute or two; opens nothing.",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("recomputed-papers"),
        metavar="FOLDER",
        help="where the pages (Markdown and HTML) and figures (SVG and PNG) go; default: %(default)s",
    )
    parser.add_argument("--paper", choices=[paper.key for paper in PAPERS], help="only this one")
    options = parser.parse_args(arguments)
    results = recompute(options.paper, progress=_progress("recomputed"))
    pages = write_pages(results, options.output, progress=_progress("drawn"))
    print("\n\n".join(_summary(result) for result in results))
    print("\n".join(f"wrote {page}" for page in pages))
    failed = sum(result.count("failed") for result in results)
    if failed:
        print(f"{failed} failed: see the differences without a reason in the pages")
    return 3 if failed else 0


def _progress(what: str) -> Callable[[int, int], None]:
    """Return a counter for people who watch."""

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{done} of {total} {what}" + ("\n" if done == total else ""))

    return show


def _summary(result: PaperResult) -> str:
    """Return a line an item: its status, and how many printed statements come out."""
    width = max(len(entry.entry.item) for entry in result.entries)
    lines = [result.paper.authors]
    for entry in result.entries:
        printed = [check for check in entry.found.checks if check.published]
        agree = sum(check.status == "reproduced" and check.agrees for check in printed)
        lines.append(f"  {entry.entry.item:{width}}  {entry.status}: {agree} of {len(printed)} come out")
    counts = ((status, result.count(status)) for status in STATUSES)
    return "\n".join([*lines, ", ".join(f"{count} {status}" for status, count in counts if count)])


if __name__ == "__main__":
    sys.exit(main())
