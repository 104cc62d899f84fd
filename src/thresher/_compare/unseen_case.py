"""Whether one case that the sample does not show would undo a finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from thresher._compare.multiplicity import holm
from thresher._compare.request import ComparisonTerms, PairTest
from thresher._core.checks import warn
from thresher._inference.delong import DifferenceTest
from thresher._table import Counts
from thresher.measures import Measure

__all__ = ["UnseenCase", "UnseenPair", "with_one_more"]


# Of so many in each class one more hardly matters, and its figure would take as long as the test.
_ENOUGH = 10_000
# A leader whose worst case costs it this part of what the other's worst case costs has shown such cases itself.
_SHOWN = 0.6


class UnseenCase(NamedTuple):
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


class UnseenPair(NamedTuple):
    """Two models whose difference was tested; `moved` tests another difference with the same spread."""

    names: tuple[str, str]
    tables: tuple[Counts, Counts]
    moved: Callable[[float], PairTest | DifferenceTest]


def with_one_more(
    pairs: Sequence[UnseenPair], figures: Sequence[PairTest], question: ComparisonTerms
) -> list[PairTest]:
    """Return the figures with the p value that one more case would give if it undoes a finding, and warn of these.

    A finding has an adjusted p value below the level.
    """
    pvalues = [one.pvalue for one in figures]
    adjusted = holm(pvalues)
    out, found = [], []
    for i, (pair, own) in enumerate(zip(pairs, figures, strict=True)):
        finding = None
        if adjusted[i] < 1.0 - question.confidence_level:
            finding = _undone(pair, own, question, partial(_adjusted_with, pvalues, i))
        out.append(own if finding is None else own._replace(pvalue_one_more=finding.with_one_more))
        found.append(finding)
    _warn_undone(found)
    return out


def _worst_shown(table: Counts, measure: Measure) -> float:
    """Return by how much the worst case of a sample lowers the value; 0 if the measure is not smooth."""
    found = measure.influence(table)
    if found is None:
        return 0.0
    costs = (
        -float((measure.sign * influence[counts > 0]).min()) / float(counts.sum())
        for influence, counts in ((found.pos, table.pos), (found.neg, table.neg))
    )
    return max(*costs, 0.0)


def _adjusted_with(pvalues: list[float], at: int, pvalue: float) -> float:
    """Return the adjusted p value of a pair if its own p value were another one."""
    return holm([*pvalues[:at], pvalue, *pvalues[at + 1 :]])[at]


def _undone(
    pair: UnseenPair, figures: PairTest, question: ComparisonTerms, adjust: Callable[[float], float]
) -> UnseenCase | None:
    """Return the finding of a pair if one more case would undo it; `adjust` adjusts its p value."""
    measure = question.measure
    if not measure.monotone or measure.needs not in ("path", "ranks"):
        return None
    if min(min(table.n_pos, table.n_neg) for table in pair.tables) >= _ENOUGH:
        return None
    lead = measure.sign * (figures.difference - question.null)
    ahead = lead > 0.0
    first, second = pair.tables if ahead else pair.tables[::-1]
    if _worst_shown(first, measure) >= _SHOWN * _worst_shown(second, measure) > 0.0:
        return None
    lost = lost_to_one(first, measure)
    left = pair.moved(figures.difference + measure.sign * (-lost if ahead else lost))
    leader, other = pair.names if ahead else pair.names[::-1]
    # Where a case costs more than the whole lead, the other one leads then, perhaps by so much that this is a finding.
    undoes = adjust(left.pvalue) >= 1.0 - question.confidence_level or lost >= abs(lead)
    return UnseenCase(leader, other, figures.pvalue, left.pvalue, lost >= abs(lead)) if undoes else None


def _warn_undone(found: Sequence[UnseenCase | None]) -> None:
    """Say once which findings depend on what the sample does not show."""
    fragile = [finding for finding in found if finding is not None]
    if not fragile:
        return
    first = fragile[0]
    pairs = "" if len(fragile) == 1 else f" The same holds for {len(fragile)} pairs."
    would = (
        f"{first.other!r} would lead (now p is {first.pvalue:.2g})"
        if first.turned
        else f"p would be {first.with_one_more:.2g} instead of {first.pvalue:.2g}"
    )
    warn(
        f"One case decides between {first.leader!r} and {first.other!r}: with one more positive that {first.leader!r} "
        f"ranks last, or one more negative that it ranks first, {would}.{pairs} Hint: treat the difference as "
        "unproven, and collect more cases."
    )
