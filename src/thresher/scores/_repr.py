"""How a count table shows itself: at most eight lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from thresher.scores._running import shared_ties

if TYPE_CHECKING:
    from thresher.scores._counts import Counts

__all__ = ["as_html", "as_text"]


def _count(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _facts(counts: Counts) -> list[tuple[str, str]]:
    ties = shared_ties(counts)
    total = counts.n_pos + counts.n_neg
    facts = [
        ("rows", _count(total) + (" (sum of weights)" if counts.weighted else "")),
        ("positives", f"{_count(counts.n_pos)} ({counts.prevalence:.3g} of all)"),
        ("negatives", _count(counts.n_neg)),
        ("distinct scores", f"{len(counts):,}, from {counts.thresholds[0]!s} down to {counts.thresholds[-1]!s}"),
    ]
    if ties.scores:
        share = ties.positives / counts.n_pos
        facts.append(("ties", f"{ties.scores:,} scores shared by both classes, {share:.1%} of the positives"))
    else:
        facts.append(("ties", "no score shared by both classes"))
    if not counts.exact:
        facts.append(("compressed", "areas carry a guaranteed error bound"))
    return facts


def as_text(counts: Counts) -> str:
    """Return the table's facts as plain text."""
    lines = [f"  {name:<16} {value}" for name, value in _facts(counts)]
    return "\n".join([type(counts).__name__, *lines])


def as_html(counts: Counts) -> str:
    """Return the table's facts as a small HTML table, one line a fact."""
    rows = [
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in _facts(counts)
    ]
    return "\n".join([f"<table><caption>{type(counts).__name__}</caption>", *rows, "</table>"])
