"""The intervals that stand beside the defaults by name, of very many samples at once, on tensors.

Variances are those of influence values, which are the derivatives of a figure by the weights of its cases: the tensors
differentiate. Resamples weigh each case by a Poisson number of mean 1, which is the bootstrap but for one part in the
number of cases. Where the classes do not overlap, the intervals of PR areas fall back on a band; here they reach from
(alpha / 2)^(1 / positives) to 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from benchmarks.bulk_intervals import Ends, Measure, _bisect, auc_and_variance, samples
from benchmarks.bulk_tests import AT_ONCE, Ranked, ranked, values

Tensor = torch.Tensor
_LOW = -1e300


def named(
    pos: np.ndarray, neg: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray, measures: tuple[Measure, ...], z: float
) -> dict[tuple[Measure, str], Ends]:
    """Return the limits of each sample by every name that needs no resampling, beside those of `bulk_intervals`."""
    out: dict[tuple[Measure, str], Ends] = {}
    m, n = (torch.as_tensor(count, dtype=torch.float64) for count in (n_pos, n_neg))
    wanted = tuple(measure for measure in measures if measure[0] != "roc")
    for measure, found in _values_and_variances(pos, neg, n_pos, n_neg, wanted).items():
        value, variance = found.value, found.of_pos + found.of_neg
        if measure[0] == "pr":
            if measure[1] == 0.0:
                variance = variance + found.odds**2 * (1.0 / m + 1.0 / n)
            apart = (variance == 0.0) & (value >= 1.0 - 1e-12)
            least = torch.special.ndtr(torch.tensor(-z, dtype=torch.float64)) ** (1.0 / m)
            for name, (low, high) in (
                ("logit", _logit(value, variance, z)),
                ("asymptotic", _plain(value, variance, z)),
            ):
                out[measure, name] = torch.where(apart, least, low), high
            boyd = value * (1.0 - value) / m
            out[measure, "logit-boyd"] = _logit(value, boyd, z)
            out[measure, "binomial"] = _plain(value, boyd, z)
        else:
            out[measure, "delong-logit"] = _logit(value, variance, z)
            out[measure, "delong"] = _plain(value, variance, z)
    s = samples(pos, neg, n_pos, n_neg)
    auc, variance = auc_and_variance(s)
    variance = torch.nan_to_num(variance, nan=1.0)
    roc = ("roc", 0.0)
    out[roc, "delong"] = _plain(auc, variance, z)
    tie = torch.where(s.valid, (s.upto - s.above) / n[:, None], 0.0).sum(1) / m
    lost = torch.where(s.valid, (s.above + s.upto) / 2.0 / n[:, None], 0.0)
    by_pos = torch.where(s.valid, (lost - (1.0 - auc)[:, None]) ** 2, 0.0).sum(1) / m
    by_neg = torch.nansum((s.neg_placement / m[:, None] - auc[:, None]) ** 2, 1) / n
    bamber = (m * by_neg + n * by_pos - (auc - tie / 4.0 - auc * auc)).clamp(min=0.0) / (m * n)
    out[roc, "bamber"] = _plain(auc, bamber, z)
    inner = 1.0 + (m - 1.0) * (1.0 - auc) / (2.0 - auc) + (n - 1.0) * auc / (1.0 + auc)
    out[roc, "hanley-mcneil"] = _plain(auc, auc * (1.0 - auc) * inner / (m * n), z)
    out[roc, "max-variance"] = _plain(auc, auc * (1.0 - auc) / torch.minimum(m, n), z)

    def far(t: Tensor) -> Tensor:
        inner = 1.0 + ((m + n) / 2.0 - 1.0) * ((1.0 - t) / (2.0 - t) + t / (1.0 + t))
        return (auc - t) ** 2 > z * z * t * (1.0 - t) * inner / (m * n)

    out[roc, "newcombe"] = _bisect(far, auc, torch.zeros_like(auc)), _bisect(far, auc, torch.ones_like(auc))
    return out


def bootstrap(
    pos: np.ndarray,
    neg: np.ndarray,
    n_pos: np.ndarray,
    n_neg: np.ndarray,
    measures: tuple[Measure, ...],
    alpha: float,
    count: int,
    generator: torch.Generator,
) -> dict[Measure, Ends]:
    """Return the BCa interval of each sample and measure, which is what the library does by the name "bootstrap"."""
    found = _values_and_variances(pos, neg, n_pos, n_neg, measures)
    kept: dict[Measure, list[Ends]] = {measure: [] for measure in measures}
    z = torch.special.ndtri(torch.tensor([[alpha / 2.0, 1.0 - alpha / 2.0]], dtype=torch.float64))
    for rows, scorer, valid in _batches(pos, neg, n_pos, n_neg, count):
        weights = []
        for mask in valid:
            real = mask[:, :, None].float()
            weight = real * torch.poisson(torch.ones(mask.shape[1], count), generator=generator)[None]
            # A resample without a case of a class is not drawn; the data stand in for it.
            weights.append(torch.where(weight.sum(1, keepdim=True) == 0, real, weight))
        for measure, drawn in zip(measures, values(scorer, (weights[0], weights[1]), measures), strict=True):
            own = found[measure]
            value, pull = own.value[rows, None], own.acceleration[rows, None]
            near = (drawn - value).abs() <= 2e-6  # single precision
            below = ((drawn < value) & ~near).sum(1) + near.sum(1) / 2.0
            shift = torch.special.ndtri((below.double() / count).clamp(0.5 / count, 1.0 - 0.5 / count))[:, None]
            away = shift + z
            room = 1.0 - pull * away
            level = torch.where(room > 0, torch.special.ndtr(shift + away / room), (away > 0).double())
            at = level * (count - 1)
            ordered = drawn.double().sort(dim=1).values
            first = at.floor().long().clamp(max=count - 2)
            ends = torch.lerp(ordered.gather(1, first), ordered.gather(1, first + 1), at - first)
            kept[measure].append((ends[:, 0], ends[:, 1]))
    return {
        measure: (torch.cat([one[0] for one in ends]), torch.cat([one[1] for one in ends]))
        for measure, ends in kept.items()
    }


def _batches(
    pos: np.ndarray, neg: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray, count: int
) -> Iterator[tuple[slice, Ranked, list[Tensor]]]:
    """Yield (rows, ranked samples, which cases are real) a batch at a time."""
    device = torch.get_default_device().type
    step = max(1, AT_ONCE[device] // ((pos.shape[1] + neg.shape[1]) * max(count, 8)))
    for first in range(0, pos.shape[0], step):
        rows = slice(first, first + step)
        sides, valid = [], []
        for scores, counts in ((pos, n_pos), (neg, n_neg)):
            width = int(counts[rows].max())
            side = torch.as_tensor(scores[rows, :width], dtype=torch.float64)
            mask = torch.arange(width)[None] < torch.as_tensor(counts[rows])[:, None]
            sides.append(torch.where(mask, side, _LOW))
            valid.append(mask)
        yield rows, ranked(sides[0], sides[1]), valid


class Spread(NamedTuple):
    """A measure of each sample, its variance from either class, its derivative by the odds, Efron's acceleration."""

    value: Tensor
    of_pos: Tensor
    of_neg: Tensor
    odds: Tensor
    acceleration: Tensor


def _values_and_variances(
    pos: np.ndarray, neg: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray, measures: tuple[Measure, ...]
) -> dict[Measure, Spread]:
    kept: dict[Measure, list[Spread]] = {measure: [] for measure in measures}
    for rows, scorer, valid in _batches(pos, neg, n_pos, n_neg, 8):
        ones = tuple(mask[:, :, None].double().requires_grad_() for mask in valid)
        sizes = [torch.as_tensor(count[rows], dtype=torch.float64) for count in (n_pos, n_neg)]
        for measure, value in zip(measures, values(scorer, (ones[0], ones[1]), measures), strict=True):
            slopes = torch.autograd.grad(value.sum(), ones, retain_graph=True)
            parts, odds = [], torch.zeros(1)
            second, third = torch.zeros(1), torch.zeros(1)
            for slope, mask, size in zip(slopes, valid, sizes, strict=True):
                pull = torch.where(mask, slope[:, :, 0], 0.0)
                odds = pull.sum(1)
                off = torch.where(mask, pull - (odds / size)[:, None], 0.0)
                parts.append((off**2).sum(1) * size / (size - 1.0).clamp(min=1e-9))
                # Where the class balance is left to chance, cases are drawn whatever their class.
                moved = pull if measure == ("pr", 0.0) else off
                second, third = second + (moved**2).sum(1), third + (moved**3).sum(1)
            acceleration = third / (6.0 * second.clamp(min=1e-300) ** 1.5)
            kept[measure].append(Spread(value.detach()[:, 0], parts[0], parts[1], odds, acceleration))
    return {
        measure: Spread(*(torch.cat(column) for column in zip(*parts, strict=True))) for measure, parts in kept.items()
    }


def _plain(value: Tensor, variance: Tensor, z: float) -> Ends:
    reach = z * variance.sqrt()
    return (value - reach).clamp(min=0.0), (value + reach).clamp(max=1.0)


def _logit(value: Tensor, variance: Tensor, z: float) -> Ends:
    inside = value.clamp(1e-12, 1.0 - 1e-12)
    reach = z * variance.sqrt() / (inside * (1.0 - inside))
    low, high = torch.sigmoid(torch.logit(inside) - reach), torch.sigmoid(torch.logit(inside) + reach)
    point = (variance == 0) | (value <= 1e-12) | (value >= 1.0 - 1e-12)
    return torch.where(point, value, low), torch.where(point, value, high)
