"""Two models beside each other: where each one leads, and what a test says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from thresher._curves import dominates
from thresher._report.plain_data import Band, Difference, LabelledSpan, Pair
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
