"""Intervals of very many samples at once, on tensors: what `coverage_defaults` simulates with.

The same methods as the library's, one sample to a row; `tests/statistical/test_area_coverage.py` holds the two
together. Few draws are enough here: the k-th smallest of B draws of a posterior is passed by the truth in k/(B + 1) of
the samples wherever the posterior is right, so 199 draws with fresh weights estimate the coverage of any number.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch

Tensor = torch.Tensor
# So many numbers stay in a processor's cache.
_AT_ONCE = 400_000


class Samples(NamedTuple):
    """Sorted samples: row r holds one; `above` and `upto` count negatives over, and at or over, each positive."""

    n_pos: Tensor
    n_neg: Tensor
    valid: Tensor
    above: Tensor
    upto: Tensor
    block: tuple[Tensor, Tensor]
    """Positives over, and at or over, each positive."""
    neg_placement: Tensor
    """Positives over each negative, ties one half; NaN where there is none."""
    tied: bool


def samples(pos: np.ndarray, neg: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray) -> Samples:
    """Sort samples; of row r only the first `n_pos[r]` and `n_neg[r]` scores are used."""
    p, q = (torch.as_tensor(side, dtype=torch.float64) for side in (pos, neg))
    m, n = (torch.as_tensor(count, dtype=torch.int64) for count in (n_pos, n_neg))
    low = -1e300
    p = torch.where(torch.arange(p.shape[1])[None] < m[:, None], p, low)
    q = torch.where(torch.arange(q.shape[1])[None] < n[:, None], q, low)
    p, q = p.sort(dim=1, descending=True).values, q.sort(dim=1).values
    p_up = p.flip(1).contiguous()

    def over(sorted_up: Tensor, at: Tensor, *, ties: bool) -> Tensor:
        return sorted_up.shape[1] - torch.searchsorted(sorted_up, at.contiguous(), right=not ties)

    valid = torch.arange(p.shape[1])[None] < m[:, None]
    block = over(p_up, p, ties=False), torch.minimum(over(p_up, p, ties=True), m[:, None])
    above, upto = over(q, p, ties=False), torch.minimum(over(q, p, ties=True), n[:, None])
    placement = (over(p_up, q, ties=False) + torch.minimum(over(p_up, q, ties=True), m[:, None])) / 2.0
    placement = torch.where(q > low / 2, placement, torch.nan)
    tied = bool((((upto > above) | (block[1] > block[0] + 1)) & valid).any())
    return Samples(m, n, valid, above, upto, block, placement, tied)


# Closed forms for the area under the ROC curve.


def auc_and_variance(s: Samples) -> tuple[Tensor, Tensor]:
    """Return areas and DeLong's variances (NaN with one case of a class)."""
    m, n = s.n_pos.double(), s.n_neg.double()
    lost = torch.where(s.valid, (s.above + s.upto) / 2.0 / n[:, None], 0.0)
    auc = 1.0 - lost.sum(1) / m
    mean = (1.0 - auc)[:, None]
    of_pos = torch.where(s.valid, (lost - mean) ** 2, 0.0).sum(1) / (m * (m - 1.0))
    found = s.neg_placement / m[:, None]
    of_neg = torch.nansum((found - auc[:, None]) ** 2, 1) / (n * (n - 1.0))
    return auc, of_pos + of_neg


def delong_logit(auc: Tensor, variance: Tensor, z: float) -> tuple[Tensor, Tensor]:
    """Return the interval on the logit scale; a point where the variance is 0."""
    se = variance.sqrt() / (auc * (1.0 - auc))
    centre = torch.logit(auc)
    low, high = torch.sigmoid(centre - z * se), torch.sigmoid(centre + z * se)
    point = (variance == 0) | (auc <= 0) | (auc >= 1)
    return torch.where(point, auc, low), torch.where(point, auc, high)


def _bisect(outside, inner: Tensor, outer: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
    a, b = inner.clone(), outer.clone()
    for _ in range(60):
        mid = (a + b) / 2.0
        out = outside(mid)
        a, b = torch.where(out, a, mid), torch.where(out, mid, b)
    return (a + b) / 2.0


def exact(auc: Tensor, m: Tensor, n: Tensor, alpha: float) -> tuple[Tensor, Tensor]:
    """Return Hoeffding's guaranteed interval."""
    k = torch.minimum(m, n).double()

    def far(t: Tensor) -> Tensor:
        kl = torch.xlogy(auc, auc / t) + torch.xlogy(1 - auc, (1 - auc) / (1 - t))
        return k * kl > math.log(2.0 / alpha)

    return _bisect(far, auc, torch.zeros_like(auc)), _bisect(far, auc, torch.ones_like(auc))


def score(auc: Tensor, variance: Tensor, m: Tensor, n: Tensor, z: float, alpha: float) -> tuple[Tensor, Tensor]:
    """Return the score interval: Newcombe's variance shape with DeLong's size, inside the exact interval."""
    m, n = m.double(), n.double()
    k, size = torch.minimum(m, n), (m + n) / 2.0 - 1.0

    def bracket(t: Tensor) -> Tensor:
        return 1.0 + size * ((1 - t) / (2 - t) + t / (1 + t))

    def shape(t: Tensor) -> Tensor:
        return t * (1 - t) * bracket(t) / (m * n)

    most = m * n / k / bracket(auc)
    lam = 0.25 * (1.0 + size / 2.0) / (m * n * k)
    r = torch.minimum((variance + lam * most) / (shape(auc) + lam), most)

    def far(t: Tensor) -> Tensor:
        return (auc - t).abs() > z * (r * shape(t)).sqrt()

    low, high = _bisect(far, auc, torch.zeros_like(auc)), _bisect(far, auc, torch.ones_like(auc))
    sure = exact(auc, m, n, alpha)
    low, high = torch.maximum(low, sure[0]), torch.minimum(high, sure[1])
    return torch.where(auc <= 0, 0.0, low), torch.where(auc >= 1, 1.0, high)


# The Bayesian bootstrap with a part of a case at the adverse end of each class.


class Draws(NamedTuple):
    """Exponential weights of cases by rank, one column for each draw, and the masses at the ends."""

    pos: Tensor
    pos_cum: Tensor
    neg_cum: Tensor
    end_pos: Tensor
    end_neg: Tensor


def draws(n_pos: int, n_neg: int, count: int, generator: torch.Generator) -> Draws:
    """Draw weights, with nothing at the ends."""
    zero = torch.zeros((1, count))
    pos, neg = (torch.empty((size, count)).exponential_(generator=generator) for size in (n_pos, n_neg))
    return Draws(pos, torch.cat((zero, pos.cumsum(0))), torch.cat((zero, neg.cumsum(0))), zero[0], zero[0])


def ends(mass: float, count: int, generator: torch.Generator) -> Tensor:
    """Draw the masses at one end."""
    return torch._standard_gamma(torch.full((count,), float(mass)), generator=generator)


Measure = tuple[str, float]
"""("roc", 0), ("pr", prevalence or 0 for the sample's), ("fpr", f) or ("tpr", t)."""


class Pieces(NamedTuple):
    """Steps of weighted curves, shape (samples, positives, draws): where they start and how long they are."""

    tp: Tensor
    fp: Tensor
    p: Tensor
    q: Tensor


def _pieces(s: Samples, d: Draws) -> Pieces:
    p = torch.where(s.valid[:, :, None], d.pos[None, : s.valid.shape[1]], 0.0)
    tp = d.pos_cum[None, : s.valid.shape[1]].expand_as(p)
    low = d.neg_cum[torch.where(s.valid, s.above, 0)]
    if not s.tied:
        return Pieces(tp, low, p, torch.zeros(()))
    rise = d.neg_cum[torch.where(s.valid, s.upto, 0)] - low
    start, end = (
        d.pos_cum[torch.where(s.valid, side, side_if_not)] for side, side_if_not in zip(s.block, (0, 1), strict=True)
    )
    slope = rise / (end - start)
    return Pieces(tp, low + slope * (tp - start), p, slope * p)


def _terms(x: Pieces, measure: Measure, all_pos: Tensor, all_neg: Tensor) -> Tensor:
    """Return what pieces add to a measure (of unit range), before division by the positives."""
    kind, at = measure
    if kind == "roc":
        return x.p * (1.0 - (x.fp + x.q / 2.0) / all_neg)
    if kind == "fpr":
        width = at * all_neg
        first, last = (torch.clamp(width - end, min=0.0) for end in (x.fp, x.fp + x.q))
        mean = torch.where(x.q > 0, (first**2 - last**2) / (2.0 * torch.where(x.q > 0, x.q, 1.0)), first)
        return x.p * mean / width
    if kind == "tpr":
        edge = at * all_pos
        first, last = torch.maximum(x.tp, edge), torch.maximum(x.tp + x.p, edge)
        middle = x.fp + x.q * ((first + last) / 2.0 - x.tp) / torch.where(x.p > 0, x.p, 1.0)
        return (last - first) * (1.0 - middle / all_neg) / (1.0 - at)
    fp, q = x.fp, x.q
    if at > 0.0:
        odds = (1.0 - at) / at * all_pos / all_neg
        fp, q = odds * fp, odds * q
    before, added = x.tp + fp, x.p + q
    z = added / torch.where(before > 0, before, 1.0)
    outer = torch.where(z > 1e-4, torch.log1p(z) / torch.where(z > 1e-4, z, 1.0), 1.0 - z / 2.0 + z * z / 3.0)
    within = x.p / torch.where(added > 0, added, 1.0)
    mean = torch.where(before > 0, outer * x.tp / torch.where(before > 0, before, 1.0) + (1.0 - outer) * within, within)
    return x.p * mean


def weighted(x: Pieces, s: Samples, d: Draws, measure: Measure, side: str) -> Tensor:
    """Return a measure of each sample in each draw; `side`: "low", "high" or "none" (no masses at the ends)."""
    found, false = d.pos_cum[s.n_pos], d.neg_cum[s.n_neg]
    if side == "none":
        return _terms(x, measure, found[:, None], false[:, None]).sum(1) / found
    all_pos, all_neg = found + d.end_pos, false + d.end_neg
    zero = torch.zeros(())
    if side == "low":
        x = x._replace(fp=x.fp + d.end_neg)
        end = Pieces(found, all_neg, d.end_pos.expand_as(found), zero)
    else:
        x = x._replace(tp=x.tp + d.end_pos)
        end = Pieces(zero, torch.zeros_like(found), d.end_pos.expand_as(found), zero)
    total = _terms(x, measure, all_pos[:, None], all_neg[:, None]).sum(1)
    return (total + _terms(end, measure, all_pos, all_neg)) / all_pos


def unweighted(s: Samples, measure: Measure) -> Tensor:
    """Return a measure of each sample as it is."""
    d = unit_draws(s.valid.shape[1], int(s.n_neg.max()))
    return weighted(_pieces(s, d), s, d, measure, "none")[:, 0]


def unit_draws(n_pos: int, n_neg: int) -> Draws:
    """Return the weights of the data as they are."""
    counts = [torch.arange(size + 1, dtype=torch.float64)[:, None] for size in (n_pos, n_neg)]
    nothing = torch.zeros(1, dtype=torch.float64)
    return Draws(torch.ones_like(counts[0][1:]), counts[0], counts[1], nothing, nothing)


Ends = tuple[Tensor, Tensor]


def adverse(
    s: Samples, measures: tuple[Measure, ...], masses: list[float], draw: int, alpha: float, generator: torch.Generator
) -> dict[tuple[Measure, float], Ends]:
    """Return the limits of each sample for each measure and each mass at the ends."""
    step = max(1, _AT_ONCE // (s.valid.shape[1] * draw))
    found: dict[tuple[Measure, float], tuple[list[Tensor], list[Tensor]]] = {}
    ranks = max(round(alpha / 2.0 * (draw + 1)), 1), round((1.0 - alpha / 2.0) * (draw + 1))
    for first in range(0, s.n_pos.shape[0], step):
        part = rows(s, slice(first, first + step))
        width = int(part.n_pos.max())
        part = part._replace(
            valid=part.valid[:, :width],
            above=part.above[:, :width],
            upto=part.upto[:, :width],
            block=(part.block[0][:, :width], part.block[1][:, :width]),
        )
        plain = draws(width, int(part.n_neg.max()), draw, generator)
        pieces = _pieces(part, plain)
        for mass in masses:
            d = plain._replace(end_pos=ends(mass, draw, generator), end_neg=ends(mass, draw, generator))
            for measure in measures:
                kept = found.setdefault((measure, mass), ([], []))
                for out, side, rank in zip(kept, ("low", "high"), ranks, strict=True):
                    values = weighted(pieces, part, d, measure, side)
                    out.append(torch.kthvalue(values, rank, dim=1).values.double())
    return {key: (torch.cat(low), torch.cat(high)) for key, (low, high) in found.items()}


def spread_of_draws(s: Samples, measures: tuple[Measure, ...], draw: int, generator: torch.Generator) -> list[Tensor]:
    """Return the variance of plain draws of each measure."""
    step = max(1, _AT_ONCE // (s.valid.shape[1] * draw))
    found: list[list[Tensor]] = [[] for _ in measures]
    for first in range(0, s.n_pos.shape[0], step):
        part = rows(s, slice(first, first + step))
        d = draws(part.valid.shape[1], int(part.n_neg.max()), draw, generator)
        pieces = _pieces(part, d)
        for out, measure in zip(found, measures, strict=True):
            out.append(weighted(pieces, part, d, measure, "none").double().var(1))
    return [torch.cat(out) for out in found]


def wilson(theta: Tensor, variance: Tensor, n_pos: Tensor, z: float) -> Ends:
    """Return Wilson's interval with the effective number of positives that a variance implies."""
    m = n_pos.double()
    lam = 0.25 / m**2
    size = m * (theta * (1 - theta) / m + lam) / (variance + lam)
    centre = (theta + z * z / (2 * size)) / (1 + z * z / size)
    half = z * (theta * (1 - theta) / size + z * z / (4 * size**2)).clamp(min=0).sqrt() / (1 + z * z / size)
    return centre - half, centre + half


def rows(s: Samples, which: slice) -> Samples:
    """Return some of the samples."""
    return Samples(
        s.n_pos[which],
        s.n_neg[which],
        s.valid[which],
        s.above[which],
        s.upto[which],
        (s.block[0][which], s.block[1][which]),
        s.neg_placement[which],
        s.tied,
    )
