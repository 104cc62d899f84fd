"""Paired tests of very many samples at once, on tensors: what `null_rejection` simulates with.

The same tests as the library's, one sample to a row; `tests/statistical/test_null_rejection.py` holds the two together.
All samples of a batch are resampled by the same weights, which touches no rate of rejection.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
import torch

from benchmarks.bulk_intervals import Measure, Pieces, _terms

Tensor = torch.Tensor
SLACK = 5e-6  # single precision
# So many numbers are worked on at once. Samples of a batch share their resamples, so a cell must have many batches, or
# the chance of one set of resamples would show in its rate.
AT_ONCE = {"cpu": 2_000_000, "cuda": 4_000_000}


class Ranked(NamedTuple):
    """A scorer on every sample: cases by falling score, and what stands above each positive."""

    pos: Tensor
    """Positives in falling order, shape (samples, positives); `neg` likewise."""
    neg: Tensor
    above: Tensor
    upto: Tensor
    block: tuple[Tensor, Tensor]
    tied: bool


def ranked(pos: Tensor, neg: Tensor) -> Ranked:
    """Rank the cases of each sample."""
    p = pos.sort(dim=1, descending=True)
    q = neg.sort(dim=1, descending=True)

    def over(falling: Tensor, at: Tensor, *, ties: bool) -> Tensor:
        return torch.searchsorted(-falling, -at.contiguous(), right=ties)

    block = over(p.values, p.values, ties=False), over(p.values, p.values, ties=True)
    above, upto = over(q.values, p.values, ties=False), over(q.values, p.values, ties=True)
    tied = bool(((upto > above) | (block[1] > block[0] + 1)).any())
    return Ranked(p.indices, q.indices, above, upto, block, tied)


def values(scorer: Ranked, weights: tuple[Tensor, Tensor], measures: tuple[Measure, ...]) -> list[Tensor]:
    """Return measures of each sample (rows) under each weighting of its cases (columns).

    Weights of a class have shape (samples or 1, cases, weightings).
    """
    count = weights[0].shape[2]

    def dealt(weight: Tensor, order: Tensor) -> tuple[Tensor, Tensor]:
        shared = weight.shape[0] == 1
        each = weight[0][order] if shared else weight.gather(1, order[:, :, None].expand(-1, -1, count))
        running = each.cumsum(1)
        return each, torch.cat((torch.zeros_like(running[:, :1]), running), 1)

    def at(running: Tensor, place: Tensor) -> Tensor:
        return running.gather(1, place[:, :, None].expand(-1, -1, count))

    (p, cum_p), (_, cum_n) = (
        dealt(weight, order) for weight, order in zip(weights, (scorer.pos, scorer.neg), strict=True)
    )
    all_pos, all_neg = cum_p[:, -1:], cum_n[:, -1:]
    tp, fp, q = cum_p[:, :-1], at(cum_n, scorer.above), torch.zeros(())
    if scorer.tied:
        start, end = (at(cum_p, side) for side in scorer.block)
        full = end > start
        slope = torch.where(full, (at(cum_n, scorer.upto) - fp) / torch.where(full, end - start, 1.0), 0.0)
        fp, q = fp + slope * (tp - start), slope * p
    x = Pieces(tp, fp, p, q)
    return [_value(x, measure, all_pos, all_neg) for measure in measures]


def _value(x: Pieces, measure: Measure, all_pos: Tensor, all_neg: Tensor) -> Tensor:
    kind, at = measure
    if kind == "recall at":
        left = at * all_neg * (1.0 + 1e-6) - x.fp
        part = (left / torch.where(x.q > 0, x.q, 1.0)).clamp(0.0, 1.0)
        share = torch.where(x.q > 0, part, (left >= 0).to(left.dtype))
        return (x.p * share).sum(1) / all_pos[:, 0]
    if kind == "precision at":
        goal = at * all_pos
        piece = (x.tp + x.p < goal * (1.0 - 1e-6)).sum(1, keepdim=True).clamp(max=x.p.shape[1] - 1)
        tp, fp, p, q = (part.expand_as(x.p).gather(1, piece) for part in x)
        fp = fp + q * (goal - tp) / torch.where(p > 0, p, 1.0)
        return (goal / (goal + fp))[:, 0]
    return _terms(x, measure, all_pos, all_neg).sum(1) / all_pos[:, 0]


def resamples(size: int, count: int, generator: torch.Generator) -> Tensor:
    """Return how often each case is drawn, shape (1, cases, resamples)."""
    drawn = torch.randint(size, (size, count), generator=generator)
    return torch.zeros(size, count).scatter_add_(0, drawn, torch.ones(size, count))[None]


class Found(NamedTuple):
    """Of two scorers on each sample: the difference, what its resamples say, its variance from either class."""

    difference: Tensor
    spread: Tensor
    below: Tensor
    above: Tensor
    of_pos: Tensor
    of_neg: Tensor
    lost: Tensor
    """By how much one more case, the worst of either class, lowers the scorer that leads."""
    behind: Tensor
    """Resamples in which it leads by no more than that."""


def differences(
    pos: np.ndarray, neg: np.ndarray, measures: tuple[Measure, ...], count: int, generator: torch.Generator
) -> list[Found]:
    """Return what tests need for each measure; scores have shape (samples, cases, 2)."""
    device = torch.get_default_device().type
    step = max(1, AT_ONCE[device] // ((pos.shape[1] + neg.shape[1]) * max(count, 8)))
    out: list[list[Found]] = [[] for _ in measures]
    for first in range(0, pos.shape[0], step):
        part = [torch.as_tensor(side[first : first + step], dtype=torch.float64) for side in (pos, neg)]
        scorers = [ranked(part[0][:, :, k], part[1][:, :, k]) for k in range(2)]
        rows = part[0].shape[0]
        ones = tuple(torch.ones((rows, side.shape[1], 1), dtype=torch.float64, requires_grad=True) for side in part)
        one_more = [values(ranked(*_with_ends(part, k)), _one_more(rows, part), measures) for k in range(2)]
        found = [values(scorer, ones, measures) for scorer in scorers]  # type: ignore[arg-type]
        drawn = None
        if count:
            weights = resamples(pos.shape[1], count, generator), resamples(neg.shape[1], count, generator)
            drawn = [values(scorer, weights, measures) for scorer in scorers]
        for i, kept in enumerate(out):
            d = (found[0][i] - found[1][i])[:, 0]
            variances = []
            if measures[i][0] not in ("recall at", "precision at"):
                for grad in torch.autograd.grad(d.sum(), ones, retain_graph=True):
                    pull, size = grad[:, :, 0], grad.shape[1]
                    variances.append(((pull - pull.mean(1, keepdim=True)) ** 2).sum(1) * size / (size - 1.0))
            else:
                variances = [torch.full_like(d, torch.nan)] * 2
            d = d.detach()
            moved = torch.zeros((rows, 2)) if drawn is None else drawn[0][i] - drawn[1][i]
            lost = _lost(one_more, i, d)
            kept.append(
                Found(
                    d,
                    moved.double().std(1),
                    (moved <= SLACK).sum(1),
                    (moved >= -SLACK).sum(1),
                    *(each.detach() for each in variances),
                    lost,
                    (moved * torch.sign(d)[:, None] <= lost[:, None] + SLACK).sum(1),
                )
            )
    return [Found(*(torch.cat(column) for column in zip(*kept, strict=True))) for kept in out]


def _with_ends(part: list[Tensor], scorer: int) -> tuple[Tensor, Tensor]:
    """Return the scores of a scorer with a positive below all and a negative above all."""
    rows = part[0].shape[0]
    low, high = torch.full((rows, 1), -1e9, dtype=torch.float64), torch.full((rows, 1), 1e9, dtype=torch.float64)
    return torch.cat((part[0][:, :, scorer], low), 1), torch.cat((part[1][:, :, scorer], high), 1)


def _one_more(rows: int, part: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return weights by which the first has neither of these two, the second the positive, the third the negative."""
    weights = [torch.ones((rows, side.shape[1] + 1, 3), dtype=torch.float64) for side in part]
    weights[0][:, -1] = torch.tensor([0.0, 1.0, 0.0], dtype=torch.float64)
    weights[1][:, -1] = torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64)
    return weights[0], weights[1]


def _lost(one_more: list[list[Tensor]], measure: int, difference: Tensor) -> Tensor:
    leads = [each[measure] for each in one_more]
    lost = [(each[:, :1] - each[:, 1:]).amax(1) for each in leads]
    return torch.where(difference >= 0, lost[0], lost[1])


SMALL, FEW = 50, 10  # as in the library: Student's law below the first, a warning below the second


class Rejected(NamedTuple):
    """Whether a sample's test at 5% rejects, and whether it does without a warning."""

    at_all: np.ndarray
    unwarned: np.ndarray


def rejected(found: Found, n_pos: int, n_neg: int, resampled: int) -> Rejected:
    """Return what the default test of the library says of each sample."""
    f = Found(*(each.numpy(force=True).astype(np.float64) for each in found))
    fewest = min(n_pos, n_neg)
    variance = f.of_pos + f.of_neg
    lower = f.of_pos**2 / (n_pos - 1.0) + f.of_neg**2 / (n_neg - 1.0)
    df = np.where(lower > 0.0, variance**2 / np.where(lower > 0.0, lower, 1.0), 1e9)
    # Figures without influence values have the degrees of freedom of the rarer class.
    df = np.where(np.isnan(variance), fewest - 1.0, np.minimum(df, 1e9))
    if fewest >= SMALL:
        df = np.full_like(df, 1e9)
    quantile = scipy.special.stdtrit(df, 0.975)
    if resampled:
        level = 2.0 * scipy.special.ndtr(-quantile * np.sqrt((df + 1.0) / df))
        size = resampled + 1.0
        at_all = 2.0 * (1.0 + np.minimum(f.below, f.above)) / size < level
        held = 2.0 * (1.0 + f.behind) / size < level
    else:
        reach = quantile * np.sqrt(variance)
        at_all, held = np.abs(f.difference) > reach, np.abs(f.difference) - f.lost > reach
    return Rejected(at_all, at_all & held & (fewest >= FEW))
