"""Whether one case that the sample does not show would undo a finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from thresher._compare.request import Figures, Question
from thresher._core.warn import warn
from thresher._inference.delong import DifferenceTest
from thresher._table import Counts
from thresher.measures import Measure

__all__ = ["Finding", "undone", "warn_undone", "with_finding"]


# Of so many in each class one more hardly matters, and its figure would take as long as the test.
_ENOUGH = 10_000


class Finding(NamedTuple):
    """A pair whose test finds a difference: who leads, its p value, and that with one more case against the leader."""

    leader: str
    other: str
    pvalue: float
    with_one_more: float
    turned: bool
    """Whether the other one leads with that case."""


def lost_to_one(table: Counts, measure: Measure) -> float:
    """Return by how much one more positive below everything, or one negative above everything, lowers a figure."""
    own = measure.sign * measure.of(table)
    pos, neg = table.pos, table.neg
    more = []
    for at_top, at_bottom in (((0, 0), (1, 0)), ((0, 1), (0, 0))):
        columns = [
            np.concatenate(([top], column, [bottom]))
            for top, column, bottom in zip(at_top, (pos, neg), at_bottom, strict=True)
        ]
        full = columns[0] + columns[1] > 0
        ranks = -np.arange(np.count_nonzero(full), dtype=np.float64)
        more.append(measure.sign * measure.of(Counts._from_table((ranks, columns[0][full], columns[1][full]))))
    return max(own - min(more), 0.0)


def undone(
    names: tuple[str, str],
    tables: tuple[Counts, Counts],
    figures: Figures,
    question: Question,
    moved: Callable[[float], Figures | DifferenceTest],
) -> Finding | None:
    """Return the finding of a pair if one more case would undo it; `moved` tests another difference."""
    measure, level = question.measure, 1.0 - question.confidence_level
    if figures.pvalue >= level or not measure.monotone or measure.needs not in ("path", "ranks"):
        return None
    if min(min(table.n_pos, table.n_neg) for table in tables) >= _ENOUGH:
        return None
    lead = measure.sign * (figures.difference - question.null)
    ahead = lead > 0.0
    lost = lost_to_one(tables[0 if ahead else 1], measure)
    left = moved(figures.difference + measure.sign * (-lost if ahead else lost))
    leader, other = names if ahead else names[::-1]
    # Where a case costs more than the whole lead, the other one leads then, perhaps by so much that this is a finding.
    undoes = left.pvalue >= level or lost >= abs(lead)
    return Finding(leader, other, figures.pvalue, left.pvalue, lost >= abs(lead)) if undoes else None


def with_finding(figures: Figures, found: Finding | None) -> Figures:
    """Return the figures of a pair with the p value that one more case would give, if it undoes the finding."""
    return figures if found is None else figures._replace(pvalue_one_more=found.with_one_more)


def warn_undone(found: Sequence[Finding | None]) -> None:
    """Say once which findings hang on what the sample does not show."""
    fragile = [finding for finding in found if finding is not None]
    if not fragile:
        return
    first = fragile[0]
    pairs = "" if len(fragile) == 1 else f" So it is in {len(fragile)} pairs."
    would = (
        f"{first.other!r} would lead, and now the p value is {first.pvalue:.2g}"
        if first.turned
        else f"the p value would be {first.with_one_more:.2g}, not {first.pvalue:.2g}"
    )
    warn(
        f"One case decides between {first.leader!r} and {first.other!r}: with one more positive that {first.leader!r} "
        f"ranks last, or one more negative that it ranks first, {would}. A sample shows neither where they are rare, "
        f"and tests of equal scorers then reject too often.{pairs} Hint: read the interval, and collect more cases "
        "before deciding."
    )
