"""The cells in which a named interval covers 94% and is half as wide as the default, with what any interval needs.

    python -m benchmarks.width_table docs/validation/areas.md

computes the bounds of that page's table again (`width_bound`) and writes what follows from them; `coverage_defaults`
makes the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.unkind_laws import LAWS
from benchmarks.width_bound import ALONE, TOGETHER, Cell, least_width
from benchmarks.width_laws import Measure

NAMES: dict[Measure, str] = {
    ("roc", 0.0): "ROC area",
    ("pr", 0.0): "PR area, the sample's prevalence",
    ("pr", 0.01): "PR area at prevalence 0.01",
    ("pr", 0.5): "PR area at prevalence 0.5",
    ("fpr", 0.2): "partial ROC area, FPR 0 to 0.2",
    ("fpr", 0.05): "partial ROC area, FPR 0 to 0.05",
    ("tpr", 0.8): "partial ROC area, TPR 0.8 to 1",
}
HEAD = "| metric | distribution | size | interval | covers | width | default | least | limits alone |"
_START, _END = "The cells of the last column", "\n## ROC area\n"
# The widths are means of 2,000 samples: a bound proves something where it is a hundredth more than needed.
_NEEDED = 2.02

WHY_WIDER = """
In such samples the cases of a class hardly differ, and what they do not show decides. *Least* is a lower bound of the
mean width of intervals that are monotone and cover every distribution in 93% of the samples with given class totals
(`benchmarks/width_bound.py`; for the PR area at the sample's prevalence: with that prevalence known). Where the bound
is more than twice the width of the named interval, none that keeps the guarantee can be less than twice as wide:
{proven} of the {cells} rows are proven so.

The argument is plain. Let a share q of m positives be hopeless, that is below all negatives, and all else perfect.
The sample is then a perfect ranking with probability (1 - q)^m, and where that is more than 7% the interval of a
perfect ranking must hold the area of this distribution: with ten positives q is 0.23. A worse ranking must not get a
higher limit, so no lower limit of any sample is above that area. The same goes for negatives that stand above
everything, and, turned around, for upper limits of low areas. Between the distribution of the cell and a perfect one
stand those of the best of k of its cases, with a proportion of hopeless ones that is smaller; on the other side of
the truth the lemma of Neyman and Pearson says how often a limit can be short of a better distribution, by simulation.

In the other {open} rows it is open whether an interval could be shorter that holds everywhere else; the default is
{range} times as wide there as the named interval. *Limits alone* is the bound of intervals whose limits each err in
at most 3.5% under every distribution. That asks for more than a coverage of 93%, so it proves less; it is more than
twice the named width in {alone} of these rows. The {left} that are left:

{rest}

Tried for the open rows: hidden positives, hidden negatives, distributions tilted to either side with hidden cases for
the rest, the best of 2 to 30 cases; the bounds above are the best of all.
"""


class Row(NamedTuple):
    """A cell, a named interval that covers 94% there, and the widths of both."""

    measure: Measure
    law: str
    m: int
    p: float
    interval: str
    covers: float
    width: float
    default: float


def text(rows: Iterable[Row]) -> str:
    """Return the table of cells, widest first, and what is said of it."""
    ordered = sorted(rows, key=lambda row: row.default / row.width, reverse=True)
    lines = [_START + ":\n", HEAD, "|---" * HEAD.count(" | ") + "|---|"]
    known: dict[tuple[object, ...], tuple[float, float]] = {}
    unproven, rest = [], []
    for row in ordered:
        key = row[:4]
        if key not in known:
            law = next(law for law in LAWS if law.name == row.law)
            cell = Cell(law, row.measure, row.m, row.p)
            known[key] = least_width(cell, TOGETHER), least_width(cell, ALONE)
        together, alone = (bound > _NEEDED * row.width for bound in known[key])
        if not together:
            unproven.append(row)
        if not together and not alone:
            rest.append(row)
        shown = f"{known[key][0]:.4f}{', proven' * together}", f"{known[key][1]:.4f}{', twice' * alone}"
        lines.append(
            f"| {NAMES[row.measure]} | {row.law} | {row.m}@{row.p:g} | {row.interval} | {row.covers:.1f} | "
            f"{row.width:.4f} | {row.default:.4f} | {shown[0]} | {shown[1]} |"
        )
    ratios = [row.default / row.width for row in unproven]
    said = WHY_WIDER.format(
        proven=len(ordered) - len(unproven),
        cells=len(ordered),
        open=len(unproven),
        range=f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else "nowhere more than 2",
        alone=len(unproven) - len(rest),
        left=len(rest),
        rest=_by_figure(rest),
    )
    return "\n".join(lines) + "\n" + said


def _by_figure(rows: list[Row]) -> str:
    out = ["| metric | rows | distributions and sizes |", "|---|---|---|"]
    for measure, name in NAMES.items():
        own = [row for row in rows if row.measure == measure]
        if own:
            cells = dict.fromkeys(f"{row.law} {row.m}@{row.p:g}" for row in own)
            out.append(f"| {name} | {len(own)} | {'; '.join(cells)} |")
    return "\n".join(out)


def rows_of(page: str) -> list[Row]:
    """Return the rows of a page's table."""
    measures = {name: measure for measure, name in NAMES.items()}
    lines = page[page.index(_START) :].splitlines()
    out = []
    for line in lines[4:]:
        if not line.startswith("|"):
            break
        name, law, size, interval, covers, width, default = (part.strip() for part in line.split("|")[1:8])
        m, p = size.split("@")
        out.append(Row(measures[name], law, int(m), float(p), interval, float(covers), float(width), float(default)))
    return out


def main() -> None:
    file = Path(sys.argv[1])
    page = file.read_text()
    start = page.index(_START)
    end = page.index(_END, start)
    file.write_text(page[:start] + text(rows_of(page)) + page[end:])


if __name__ == "__main__":
    main()
