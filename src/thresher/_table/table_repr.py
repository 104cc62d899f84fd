"""How a count table shows itself: at most eight lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from thresher._core.digits import count_text
from thresher._table.columns import shared_ties
from thresher._table.outcome import Outcome

if TYPE_CHECKING:
    from thresher._table.table import CountTable

_TELLING = 10  # with fewer rows, two scores are no sign of anything


def hard_calls(counts: CountTable) -> str | None:
    """Return a note on scores that look like calls already made: two different ones for many rows."""
    if len(counts) != 2 or not counts._complete or counts.n_pos + counts.n_neg < _TELLING:
        return None
    return "only two distinct scores, as predictions have; probabilities or decision values would show the whole curve"


def _facts(counts: CountTable) -> list[tuple[str, str]]:
    total = counts.n_pos + counts.n_neg
    figures, outcome = counts._figures, counts._outcome
    kept = f"{len(counts):,}" + ("" if figures is None else f" kept of {figures.n_scores:,}")
    facts = [
        ("rows", _rows(counts, total)),
        ("positives", f"{count_text(counts.n_pos)} ({counts.prevalence:.3g} of all)"),
        ("negatives", count_text(counts.n_neg)),
        ("distinct scores", f"{kept}, from {counts._score_range[0]!s} down to {counts._score_range[1]!s}"),
        ("ties", _ties(counts)),
    ]
    if outcome is not None:
        facts[0] = ("rows", _at_horizon(outcome))
        facts += _censoring(outcome)
    if counts._clusters is not None:
        facts.append(("clusters", f"{counts._clusters.size:,} groups of rows that belong together"))
    if figures is not None:
        facts.append(("exact", "ROC AUC, average precision, interpolated PR AUC, DeLong; the rest has an error bound"))
    elif not counts._complete:
        facts.append(("compressed", "areas carry a guaranteed error bound"))
    note = hard_calls(counts)
    return facts if note is None else [*facts, ("note", note)]


def _at_horizon(outcome: Outcome) -> str:
    """Return how many rows there are and what is known of them at the horizon."""
    positive = outcome.positive & outcome.kept
    cases, controls = int(np.count_nonzero(positive)), int(np.count_nonzero(outcome.kept & ~positive))
    known = f"{cases:,} cases, {controls:,} controls"
    return f"{outcome.size:,} at t = {outcome.horizon.t:g}: {known}, {outcome.unknown:,} censored before"


def _censoring(outcome: Outcome) -> list[tuple[str, str]]:
    """Return what a reader of a table at a horizon should know."""
    said = []
    if outcome.known is not None:
        said.append("weights taken as known")
    elif not outcome.plain:
        said.append(f"a control at t stands for up to {outcome.heaviest:.3g} rows")
    if outcome.at_horizon:
        said.append(f"{_plural(outcome.at_horizon, 'row')} censored at t count as event-free")
    others = sorted(set(np.unique(outcome.event).tolist()) - {0, outcome.horizon.cause})
    if others:
        kind = "controls" if outcome.horizon.controls == "all" else "left out"
        said.append(f"competing events {', '.join(map(str, others[:5]))} are {kind}")
    return [("censoring", "; ".join(said))] if said else []


def _plural(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def _rows(counts: CountTable, total: float) -> str:
    """Return how many rows there are; with weights also how many rows of equal weight would tell as much."""
    if counts._weight_squares is None:
        return count_text(total) + ("" if counts._counted else " (sum of weights)")
    rows = counts._weight_squares.rows
    shown = f"sum of weights {count_text(total)}"
    if rows is not None:
        # A row with a soft label may stand in both classes.
        shown = (
            f"{sum(rows):,} with weights"
            if counts._weight_squares.both is None
            else f"weights {count_text(total)} in both"
        )
    worth = f"worth {_worth(counts.effective_pos)} + {_worth(counts.effective_neg)} of equal weight"
    return f"{shown}, {worth}"


def _worth(number: float) -> str:
    return f"{number:,.0f}" if number >= 20 else f"{number:.3g}"


def _ties(counts: CountTable) -> str:
    figures = counts._figures
    if figures is not None:
        scores, positives = figures.shared_scores, figures.shared_pos
    else:
        scores, positives, _ = shared_ties(counts)
    if not scores:
        return "no score shared by both classes"
    return f"{scores:,} scores shared by both classes, {float(positives / counts.n_pos):.1%} of the positives"


def as_text(counts: CountTable) -> str:
    """Return the table's facts as plain text."""
    lines = [f"  {name:<16} {value}" for name, value in _facts(counts)]
    return "\n".join([type(counts).__name__, *lines])


def as_html(counts: CountTable) -> str:
    """Return the table's facts as a small HTML table, one line a fact."""
    rows = [
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in _facts(counts)
    ]
    return "\n".join([f"<table><caption>{type(counts).__name__}</caption>", *rows, "</table>"])
