"""The papers that thresher is built on, recomputed: every theorem, table and figure beside what is printed."""

from thresher.papers._entry import STATUSES, Check, Entry, EntryResult, Found, Paper, PaperResult, Picture, Table
from thresher.papers._pages import write_pages
from thresher.papers._run import PAPERS, recompute, recompute_entry

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
