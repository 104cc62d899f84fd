"""What a reader of the curves should know, each with a code that never changes its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from thresher._inference.sampling import FEW_EFFECTIVE
from thresher._report.plain_data import Area, Finding, Model, Pair
from thresher._report.words import listed, number, percent, pvalue, short, small
from thresher._table import Counts, Outcome

CODES: dict[str, tuple[str, str]] = {
    "TH101": ("few-positives", "caution"),
    "TH102": ("few-negatives", "caution"),
    "TH103": ("ties-across-classes", "caution"),
    "TH104": ("saturated-scores", "caution"),
    "TH105": ("perfect-separation", "caution"),
    "TH106": ("below-chance", "warning"),
    "TH107": ("estimators-disagree", "note"),
    "TH108": ("infinite-scores", "note"),
    "TH109": ("weighted-counts", "note"),
    "TH110": ("interval-remark", "caution"),
    "TH111": ("few-effective-rows", "caution"),
    "TH112": ("clusters", "note"),
    "TH113": ("not-better-than-chance", "caution"),
    "TH201": ("hull-on-these-data", "note"),
    "TH202": ("points-left-out", "note"),
    "TH301": ("different-cases", "caution"),
    "TH302": ("rests-on-one-case", "warning"),
}
"""Code, its name, and how serious it is: note, caution or warning."""

_FEW = 30
_TIED_SHARE = 0.05
_SATURATED_SHARE = 0.1
_DISAGREE = 0.01
_CERTAIN = 0.05
_MANY = 3


def _finding(code: str, text: str, model: str | None = None) -> Finding:
    name, level = CODES[code]
    return Finding(code, name, level, text, model)


class Group(NamedTuple):
    """Findings of one code: of a few models one by one, of more of them under one head."""

    head: Finding
    members: list[Finding]


def grouped(findings: Sequence[Finding]) -> list[Group]:
    """Return findings with those of the same code together, in the order of their first; the same words once."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        alike.setdefault((finding.code, finding.text), []).append(finding)
    found: dict[tuple[str, bool], list[Finding]] = {}
    for finding in (_of_all(same) for same in alike.values()):
        found.setdefault((finding.code, finding.model is None), []).append(finding)
    out = []
    for members in found.values():
        if len(members) >= _MANY:
            out.append(Group(members[0], members))
        else:
            out += [Group(one, [one]) for one in members]
    return out


def _of_all(same: Sequence[Finding]) -> Finding:
    """Return one finding for the models of which the same is said."""
    names = [short(finding.model, 24) for finding in same if finding.model is not None]
    if len(names) < 2:
        return same[0]
    return replace(same[0], model=listed(names) if len(names) <= _MANY else f"{len(names)} models")


def findings_of(model: Model, counts: Counts, remarks: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield what is remarkable about one model; `remarks` are the library's on its intervals."""
    name, auc = model.name, model.areas["roc_auc"].value
    for code, side, total in (("TH101", "positives", rows_of(counts)[0]), ("TH102", "negatives", rows_of(counts)[1])):
        if total is not None and 0 < total < _FEW:
            each = "" if counts._weighted else f": each of them moves the curve by {percent(1 / total)}"
            text = f"There {'is' if total == 1 else 'are'} only {total} {side if total > 1 else side[:-1]}{each}."
            yield _finding(code, text + " Read intervals, not points.", name)
    shared = (counts.pos > 0) & (counts.neg > 0)
    tied = float(counts.pos[shared].sum()) / counts.n_pos
    if tied >= _TIED_SHARE:
        text = (
            f"{tied:.1%} of the positives share their exact score with a negative ({int(shared.sum()):,} such scores). "
            "A threshold cannot separate them, and estimators of the PR area differ."
        )
        yield _finding("TH103", text, name)
    yield from _saturated(counts, name)
    if auc == 1.0:
        text = "Every positive scores above every negative. Check that no label leaked into the score."
        yield _finding("TH105", text, name)
    yield from _chance(model.areas["roc_auc"], name)
    spread = model.areas["average_precision"].value - model.areas["interpolated"].value
    if abs(spread) > _DISAGREE:
        text = (
            f"Average precision is {abs(spread):.3g} {'above' if spread > 0 else 'below'} the interpolated area. "
            "Say which one you report; the table of areas shows where the difference arises."
        )
        yield _finding("TH107", text, name)
    infinite = ~np.isfinite(counts.thresholds.astype(np.float64))
    if infinite.any():
        cases = float((counts.pos + counts.neg)[infinite].sum())
        share = percent(cases / float(counts.n_pos + counts.n_neg))
        who = f"{share} of the cases" if counts._weighted else f"{cases:,.0f} {'case' if cases == 1 else 'cases'}"
        have = "has" if who == "1 case" else "have"
        text = f"{who} {have} an infinite score; in the histogram they stand in the outer bins."
        yield _finding("TH108", text, name)
    yield from _weights(counts, name)
    for remark in remarks:
        yield _finding("TH110", remark, name)
    if model.drawn.thinned:
        text = (
            f"{len(model.drawn.tp):,} of {model.drawn.n_points:,} points are drawn, the hull's vertices among them. "
            f"Each is exact; the full ROC curve is nowhere more than {small(model.drawn.deviation)} away, and the "
            f"drawn area cannot be off by more than {small(model.drawn.area_bound)}. Areas and intervals use all "
            "points."
        )
        yield _finding("TH202", text, name)


def rows_of(counts: Counts) -> tuple[int | None, int | None]:
    """Return how many rows are positives and negatives; None where weights, or soft labels, leave that open."""
    squares = counts._weight_squares
    if squares is not None:
        return (None, None) if squares.rows is None or squares.both is not None else squares.rows
    return (None, None) if counts._weighted else (int(counts.n_pos), int(counts.n_neg))


def _chance(area: Area, name: str) -> Iterator[Finding]:
    """Yield whether a score ranks worse than chance for certain, or perhaps no better."""
    if area.low is None or area.high is None:
        if area.value < 0.5:
            text = f"ROC AUC is {area.value:.3g}, below one half. Without an interval this may be chance."
            yield _finding("TH113", text, name)
        return
    around = f"ROC AUC is {area.value:.3g} ({area.low:.3g} to {area.high:.3g})"
    if area.high < 0.5:
        text = (
            f"{around}, below one half: larger scores go with negatives. The labels may be flipped or the score may "
            "need its sign changed. Nothing was changed here."
        )
        yield _finding("TH106", text, name)
    elif area.low <= 0.5:
        yield _finding("TH113", f"{around}: these data do not show that the score ranks better than chance.", name)


def _weights(counts: Counts, name: str) -> Iterator[Finding]:
    """Yield what weights and clusters mean for the row counts."""
    if counts._weighted and counts._weight_squares is None and not counts._counted:
        text = "Counts are sums of weights whose squares are not known: areas have values and no intervals."
        yield _finding("TH109", text, name)
    if counts._outcome is not None:
        yield _finding("TH109", _in_time(counts._outcome), name)
    if counts._weight_squares is not None:
        worth = counts.effective_pos, counts.effective_neg
        rows = "Rows" if counts._weight_squares.rows is None else f"{sum(counts._weight_squares.rows):,} rows"
        text = (
            f"{rows} with weights; worth {number(worth[0])} positives and {number(worth[1])} negatives of equal "
            "weight. Counts are proportions of the weight."
        )
        yield _finding("TH109", text, name)
        for size, side in zip(worth, ("positives", "negatives"), strict=True):
            if size < FEW_EFFECTIVE:
                text = f"The weights of the {side} are worth {size:.3g} rows of equal weight; intervals are rough."
                yield _finding("TH111", text, name)
    if counts._clusters is not None:
        text = (
            f"Rows belong to {counts._clusters.size:,} clusters; intervals and tests of areas, rates and curves take "
            "the rows of a cluster together."
        )
        yield _finding("TH112", text, name)


def _in_time(rows: Outcome) -> str:
    """Return what a horizon makes of the rows."""
    cases = int(np.count_nonzero(rows.positive & rows.kept))
    controls = int(np.count_nonzero(rows.kept)) - cases
    text = (
        f"An outcome in time, as it stands at t = {rows.horizon.t:g}: {cases:,} cases and {controls:,} controls are "
        f"known, {rows.unknown:,} rows are censored before."
    )
    return text if rows.plain else f"{text} Known rows stand for those that were censored."


def sampling_text(counts: Counts) -> str:
    """Return what the Methods say of weights and clusters; nothing where rows are counted and independent."""
    said = []
    rows = counts._outcome
    if rows is not None and not rows.plain:
        how = "the weights are taken as known" if rows.known is not None else "the weights are estimated from the rows"
        said.append(
            f"The outcome is that at t = {rows.horizon.t:g}: rows censored before have no class, and the others are "
            f"weighted by the inverse probability of not being censored; {how}, which standard errors account for. "
            "The prevalence is one minus the Kaplan-Meier estimate, or the cumulative incidence of the event."
        )
    elif counts._weight_squares is not None:
        said.append(
            f"Rows have sampling weights, of which only ratios count; they are worth {number(counts.effective_pos)} "
            f"positives and {number(counts.effective_neg)} negatives of equal weight, and standard errors are those of "
            "weighted rows."
        )
    if counts._clusters is not None:
        said.append(
            f"Rows belong to {counts._clusters.size:,} clusters and may depend on each other within them: standard "
            "errors are those of sums over clusters (Obuchowski 1997), with t quantiles."
        )
    return " ".join(said)


def _saturated(counts: Counts, name: str) -> Iterator[Finding]:
    cases = counts.pos + counts.neg
    total = counts.n_pos + counts.n_neg
    if len(counts) < 2:
        yield _finding("TH104", "All cases have the same score: there is no ranking to judge.", name)
        return
    for row, end in ((0, "highest"), (-1, "lowest")):
        share = float(cases[row]) / total
        if share >= _SATURATED_SHARE:
            text = (
                f"{share:.1%} of the cases have exactly the {end} score, {counts.thresholds[row]:.6g}. No threshold "
                "can go inside them; a score before rounding or clipping would rank them."
            )
            yield _finding("TH104", text, name)


def findings_of_set(models: list[Model], pairs: Sequence[Pair] = ()) -> Iterator[Finding]:
    """Yield what concerns all models together."""
    if len({(model.n_pos, model.n_neg) for model in models}) > 1:
        text = (
            "The models were not measured on the same numbers of positives and negatives. Precision depends on the "
            "class balance: compare PR curves at one prevalence, with the slider."
        )
        yield _finding("TH301", text)
    yield from _one_case(models, pairs)
    text = (
        "The convex hull and the achievable curve were built on the data shown, so they are optimistic about new data. "
        "Choose thresholds on tuning data and measure them on test data."
    )
    yield _finding("TH201", text)


def _one_case(models: list[Model], pairs: Sequence[Pair]) -> Iterator[Finding]:
    """Yield which tested differences one more case would undo: in the words of the first, and how many there are."""
    fragile = [
        (pair, pair.difference.pvalue, pair.difference.one_more)
        for pair in pairs
        if pair.difference is not None and pair.difference.pvalue is not None and pair.difference.one_more is not None
    ]
    if not fragile:
        return
    pair, p, one_more = fragile[0]
    a, b = (short(models[i].name) for i in (pair.a, pair.b))
    would = f"would change p from {_bare(p)} to {_bare(one_more)}"
    if one_more < _CERTAIN:
        would = f"would turn the difference round (p {pvalue(one_more)})"
    several = f" ({len(fragile)} pairs)" if len(fragile) > 1 else ""
    text = (
        f"The difference between {a} and {b} rests on one case: one more misranked case {would}. "
        f"Treat the difference as unproven{several}."
    )
    yield _finding("TH302", text)


def _bare(p: float) -> str:
    return pvalue(p).removeprefix("= ")
