"""The papers that thresher is built on, recomputed: every theorem, table and figure beside what is printed."""

from papers.entry import STATUSES, Check, Entry, EntryResult, Found, Paper, PaperResult, Picture, Table
from papers.pages import write_pages
from papers.run import PAPERS, recompute, recompute_entry

__all__ = [
    "PAPERS",
    "STATUSES",
    "Check",
    "Entry",
    "EntryResult",
    "Found",
    "Paper",
    "PaperResult",
    "Picture",
    "Table",
    "recompute",
    "recompute_entry",
    "write_pages",
]
