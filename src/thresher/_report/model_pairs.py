"""Models beside each other: where each one leads, what a test says, and all at the same recall, precision or alerts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from thresher._cells import Matrix, find, limits
from thresher._compare import Comparison
from thresher._compare.same_point import Kind, Place, Stand, place_of, rows_of, same_point
from thresher._curves import dominates
from thresher._report.plain_data import Band, Difference, LabelledSpan, Pair, SamePoint, TopRow, unit_of
from thresher._report.uncertainty import known
from thresher._report.words import clean
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError

# Narrower than a pixel: the strip cannot show it.
_NARROW = 0.002

Bands = tuple[Band | None, Band | None]
"""The bands around the ROC and the PR curve of a model."""
_NO_BANDS: tuple[Bands, Bands] = ((None, None), (None, None))


def pairs_of(
    names: Sequence[str],
    tables: Sequence[Counts],
    differences: dict[tuple[str, str], Difference],
    bands: Sequence[Bands] = (),
) -> list[Pair]:
    """Return every pair of models, in the order they were given."""
    return [
        _pair((i, j), tables, differences.get((names[i], names[j])), [bands[k] for k in (i, j)] if bands else _NO_BANDS)
        for i, j in combinations(range(len(names)), 2)
    ]


def _pair(
    both: tuple[int, int], tables: Sequence[Counts], difference: Difference | None, bands: Sequence[Bands]
) -> Pair:
    """Return two models beside each other; leads are supported if the bands of both curves are apart."""
    i, j = both
    dominance = dominates(tables[i], tables[j])
    leader = {"a": i, "b": j, "equal": None}
    return Pair(
        a=i,
        b=j,
        verdict=dominance.verdict,
        winner=leader.get(dominance.verdict),
        n_crossings=len(dominance.crossings),
        fpr_spans=_supported(_visible(dominance.fpr_regions, leader), both, [roc for roc, _ in bands]),
        recall_spans=_supported(_visible(dominance.recall_regions, leader), both, [pr for _, pr in bands]),
        difference=difference,
    )


def _supported(spans: list[LabelledSpan], both: tuple[int, int], bands: Sequence[Band | None]) -> list[LabelledSpan]:
    """Return the spans cut at the places from which the leader's band lies above the other's, or no longer does."""
    first, second = bands
    if first is None or second is None:
        return [replace(span, supported=False) for span in spans]
    grid = np.union1d(first.x, second.x)
    ends = [[np.interp(grid, band.x, part) for part in (band.low, band.high)] for band in (first, second)]
    above = {both[0]: ends[0][0] > ends[1][1], both[1]: ends[1][0] > ends[0][1]}
    out: list[LabelledSpan] = []
    for span in spans:
        if span.leader is None:
            out.append(replace(span, supported=False))
            continue
        cuts = [span.low, *(x for x in grid.tolist() if span.low < x < span.high), span.high]
        for low, high in pairwise(cuts):
            at = np.searchsorted(grid, (low, high))
            apart = bool(above[span.leader][np.minimum(at, grid.size - 1)].all())
            if out and out[-1].leader == span.leader and out[-1].supported == apart and out[-1].high == low:
                out[-1] = replace(out[-1], high=high)
            else:
                out.append(LabelledSpan(low, high, span.leader, apart))
    return out


def _visible(regions: Iterable[Any], leader: dict[str, int | None]) -> list[LabelledSpan]:
    """Return the regions wide enough to be seen; a narrow one goes to its neighbour."""
    out: list[LabelledSpan] = []
    for region in regions:
        who = leader[region.leader]
        if out and (region.high - region.low < _NARROW or out[-1].leader == who):
            out[-1] = LabelledSpan(out[-1].low, region.high, out[-1].leader)
        elif out and out[-1].high - out[-1].low < _NARROW:
            out[-1] = LabelledSpan(out[-1].low, region.high, who)
        else:
            out.append(LabelledSpan(region.low, region.high, who))
    merged: list[LabelledSpan] = []
    for span in out:
        if merged and merged[-1].leader == span.leader:
            merged[-1] = LabelledSpan(merged[-1].low, span.high, span.leader)
        else:
            merged.append(span)
    return merged


def differences_of(comparison: Any, names: Sequence[str]) -> dict[tuple[str, str], Difference]:
    """Return the tested differences by names, both ways round."""
    if comparison is None:
        return {}
    pairs = getattr(comparison, "pairs", None)
    if pairs is None:
        raise InvalidTypeError(
            f"`comparison` must be what `th.compare` returns; got {type(comparison).__name__}. "
            "Hint: pass `th.compare(y_true, {...})` of the same models."
        )
    known, metric = set(names), _metric_of(comparison)
    out: dict[tuple[str, str], Difference] = {}
    for pair in pairs:
        a, b = clean(pair.a), clean(pair.b)
        for name in (a, b):
            if name not in known:
                listed = ", ".join(repr(known_name) for known_name in list(names)[:5])
                raise InvalidInputError(
                    f"`comparison` must compare the models of the report; got {name!r}. Hint: they are {listed}."
                )
        low, high = _optional(pair, "low"), _optional(pair, "high")
        pvalue, adjusted = _optional(pair, "pvalue"), _optional(pair, "pvalue_adjusted")
        one_more = _optional(pair, "pvalue_one_more")
        value = float(pair.difference)
        out[a, b] = Difference(metric, value, low, high, pvalue, adjusted, one_more)
        turned = (None if high is None else -high, None if low is None else -low)
        out[b, a] = Difference(metric, -value, *turned, pvalue, adjusted, one_more)
    return out


def comparison_facts(comparison: Any) -> dict[str, str]:
    """Return how a comparison was made, in words."""
    if comparison is None:
        return {}
    how = {name: str(getattr(comparison, name, "")) for name in ("method", "alternative")}
    return {"metric": _metric_of(comparison), **how}


def _metric_of(comparison: Any) -> str:
    """Return the name of what was compared, with the options that were given."""
    if getattr(comparison, "options", None):
        return str(comparison.measure.described())
    return str(getattr(comparison, "metric", "area"))


def _optional(pair: Any, name: str) -> float | None:
    value = getattr(pair, name, None)
    return None if value is None or math.isnan(value) else float(value)


LEVELS: tuple[tuple[Kind, tuple[float, ...]], ...] = (
    ("recall", (0.5, 0.8, 0.9, 0.95)),
    ("precision", (0.5, 0.8, 0.9)),
    ("alerts", (0.01, 0.05, 0.1)),
)
DEPTHS = (0.01, 0.05, 0.1)
# With fewer cases of a class beyond the place, or before it, the interval undercovers: docs/validation/same-point.md.
_ENOUGH = 10.0


def same_points(
    tables: Mapping[str, Counts],
    ranked: Sequence[int],
    comparison: Comparison | None,
    prevalence: float | None,
    confidence_level: float,
) -> list[SamePoint]:
    """Return every model at every place, the best first; differences if the comparison still has its rows."""
    names, counted = list(tables), list(tables.values())
    shared = rows_of(comparison)
    order = {} if shared is None else {clean(name): place for place, name in enumerate(shared[0].names)}
    out = []
    for kind, levels in LEVELS:
        for level in levels:
            place = Place(kind, level)
            stands = [place_of(table, place, prevalence, confidence_level) for table in counted]
            differences: list[Any] = [None] * len(names)
            if shared is not None and set(order) == set(names):
                how: dict[str, Any] = {"prevalence": prevalence, "confidence_level": confidence_level}
                found = same_point(*shared, place, order[names[ranked[0]]], **how)
                differences = [found[order[name]] for name in names]
            out += [
                _row(kind, level, model, counted[model], stands, differences, ranked[0], prevalence) for model in ranked
            ]
    return out


def _row(
    kind: Kind,
    level: float,
    model: int,
    table: Counts,
    stands: list[Stand],
    differences: list[Any],
    best: int,
    prevalence: float | None,
) -> SamePoint:
    stand = stands[model]
    if math.isnan(stand.answer):
        return SamePoint(kind, level, model, None, None, None)
    share, cases = _share_and_cases(table, prevalence)
    scale = cases if kind == "recall" else cases * share
    row = min(stand.row if stand.part > 0.0 else max(stand.row - 1, 0), len(table) - 1)
    few = not all(enough(Place(kind, level), table, stands[one]) for one in (model, best))
    found = differences[model]
    difference = None if found is None or few else (found.value * scale, found.low * scale, found.high * scale)
    threshold = float(table.thresholds[row]) if stand.row or stand.part else math.inf
    return SamePoint(kind, level, model, threshold, stand.answer * scale, difference, few)


def _share_and_cases(table: Counts, prevalence: float | None) -> tuple[float, float]:
    """Return the proportion of positives, and among how many cases counts are given."""
    total = float(table.n_pos + table.n_neg)
    share = float(table.n_pos / (table.n_pos + table.n_neg)) if prevalence is None else prevalence
    return share, total if prevalence is None and not table._weighted else float(unit_of(share))


def enough(place: Place, table: Counts, stand: Stand) -> bool:
    """Return whether enough positives are found there, and enough missed if recall is held equal, for an interval."""
    if math.isnan(stand.tpr):
        return False
    found = stand.tpr * table.effective_pos
    return bool(found >= _ENOUGH and (place.kind != "recall" or table.effective_pos - found >= _ENOUGH))


def top_rows(
    tables: Mapping[str, Counts], ranked: Sequence[int], prevalence: float | None, confidence_level: float
) -> list[TopRow]:
    """Return the cases with the highest scores, by depth; limits are those of a threshold at that place."""
    counted = list(tables.values())
    out = []
    for depth in DEPTHS:
        for model in ranked:
            table = counted[model]
            share, cases = _share_and_cases(table, prevalence)
            stand = place_of(table, Place("alerts", depth), prevalence, confidence_level)
            precision = stand.tpr * share / depth
            ends = _limits(table, stand, prevalence, confidence_level)
            out.append(
                TopRow(
                    depth,
                    model,
                    cases * depth,
                    (precision, *ends["precision"]),
                    (stand.tpr, *ends["recall"]),
                    precision / share,
                )
            )
    return out


def _limits(
    table: Counts, stand: Stand, prevalence: float | None, confidence_level: float
) -> dict[str, tuple[float | None, float | None]]:
    """Return limits of precision and recall; none for rows that depend on each other."""
    if not known(table):
        return dict.fromkeys(("precision", "recall"), (None, None))
    pos, neg = float(table.effective_pos), float(table.effective_neg)
    cells = Matrix(stand.tpr * pos, stand.fpr * neg, (1.0 - stand.tpr) * pos, (1.0 - stand.fpr) * neg)
    out: dict[str, tuple[float | None, float | None]] = {}
    for name in ("precision", "recall"):
        at = prevalence if name == "precision" else None
        low, high = limits(find(name), cells, tail=(1.0 - confidence_level) / 2.0, prevalence=at)
        out[name] = float(low), float(high)
    return out
