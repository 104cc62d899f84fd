"""All models at the same recall, precision or number of alerts, and the cases with the highest scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from thresher._cells import Matrix, find, limits
from thresher._compare import Comparison
from thresher._compare.same_point import Kind, Place, Stand, place_of, rows_of, same_point
from thresher._report.plain_data import SamePoint, TopRow, unit_of
from thresher._report.point_worth import known
from thresher._report.words import clean
from thresher._table import Counts

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
    share = float(table.n_pos / (table.n_pos + table.n_neg)) if prevalence is None else prevalence
    told = prevalence if prevalence is not None or not table._weighted else share
    cases = float(table.n_pos + table.n_neg) if told is None else float(unit_of(told))
    scale = cases if kind == "recall" else cases * share
    row = min(stand.row if stand.part > 0.0 else max(stand.row - 1, 0), len(table) - 1)
    few = not all(enough(Place(kind, level), table, stands[one]) for one in (model, best))
    found = differences[model]
    difference = None if found is None or few else (found.value * scale, found.low * scale, found.high * scale)
    threshold = float(table.thresholds[row]) if stand.row or stand.part else math.inf
    return SamePoint(kind, level, model, threshold, stand.answer * scale, difference, few)


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
            share = float(table.n_pos / (table.n_pos + table.n_neg)) if prevalence is None else prevalence
            stand = place_of(table, Place("alerts", depth), prevalence, confidence_level)
            told = prevalence if prevalence is not None or not table._weighted else share
            cases = float(table.n_pos + table.n_neg) if told is None else float(unit_of(told))
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
