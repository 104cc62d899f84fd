"""What the four cells of weighted or clustered rows are worth."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy

from thresher._cells import CellMetric, Matrix, cluster_scale, estimated_scale, limits
from thresher._core.sums import dot, dots
from thresher._inference.sampling.design import clusters_of
from thresher._table import CellSample, Clusters, Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import BoolArray, FloatArray

CELLS = ("tp", "fp", "fn", "tn")


class Cells(NamedTuple):
    """The sums of weights in the four cells, and the rows behind them."""

    weight: dict[str, float]
    sample: CellSample

    def typical(self, names: tuple[str, ...]) -> float:
        """Return the typical weight of a row in some cells together; the largest one where they are empty."""
        r = {name: self.sample.typical[CELLS.index(name)] for name in names}
        total = sum(self.weight[name] for name in names)
        if total > 0.0:
            return sum(r[name] * self.weight[name] for name in names) / total
        return max(r.values())


def refuse_unknown(sample: CellSample) -> None:
    """Refuse sums of weights whose squares are not known."""
    if sample.squares is None:
        raise InvalidInputError(
            "An interval needs the sums of squared weights; this table has sums of weights only. "
            "Hint: pass `pos_squares=` and `neg_squares=`, or count the rows again with `sample_weight=`."
        )


def effective_size(yes: Any, no: Any, r_yes: Any, r_no: Any) -> Any:
    """Return the cases of equal weight that a share yes / (yes + no) of rows with these typical weights is worth.

    Korn and Graubard's p (1 - p) / V, written so that it stays finite at proportions of 0 and 1.
    """
    total = yes + no
    below = r_yes * no + r_no * yes
    return np.divide(total * total, below, out=np.zeros(np.shape(total)), where=np.asarray(below) > 0.0)


def effective_share(
    cells: Cells, part: tuple[str, ...], whole: tuple[str, ...], confidence_level: float
) -> tuple[float, float]:
    """Return (cases with the property, cases): n* p of n*."""
    rest = tuple(name for name in whole if name not in part)
    yes, no = (math.fsum(cells.weight[name] for name in names) for names in (part, rest))
    if yes + no == 0.0:
        return 0.0, 0.0
    share = yes / (yes + no)
    score = np.array([(name in part) - share if name in whole else 0.0 for name in CELLS])
    if cells.sample.clusters is None:
        size = float(effective_size(yes, no, cells.typical(part), cells.typical(rest)))
        size *= _of_estimated_weights(cells.sample, score)
    else:
        size = _clustered(cells.sample, score, whole, share * (1.0 - share) * (yes + no) ** 2, confidence_level)
    return size * share, size


def _of_estimated_weights(sample: CellSample, score: FloatArray) -> float:
    """Return the sum of squared influence values with the weights held over that with them estimated."""
    if sample.added is None or sample.squares is None:
        return 1.0
    held = dot(np.array(sample.squares), score * score)
    full = held + float(score @ sample.added @ score)
    return held / full if held > 0.0 and full > 0.0 else 1.0


def _clustered(
    sample: CellSample, score: FloatArray, whole: tuple[str, ...], top: float, confidence_level: float
) -> float:
    """Return top / sum over clusters of (weight · score)^2, corrected for few clusters; one case a cluster at ends."""
    assert sample.clusters is not None and sample.cluster_rows is not None  # noqa: S101, PT018  # asked only then
    inside = np.array([name in whole for name in CELLS])
    mass = dots(sample.clusters, inside)
    squares = float(np.square(dots(sample.clusters, score)).sum())
    if sample.added is not None:
        full = squares + float(score @ sample.added @ score)
        squares = full if full > 0.0 else squares
    number = int(np.count_nonzero(mass > 0.0))
    if top == 0.0 or squares <= 1e-14 * float(np.square(mass).sum()):
        return float(mass.sum()) ** 2 / float(np.square(mass).sum())
    rows = float(dots(sample.cluster_rows, inside).sum())
    if number < 2 or rows <= number:
        return top / squares
    tail = (1.0 - confidence_level) / 2.0
    ratio = float(scipy.special.stdtrit(rows - 1.0, tail) / scipy.special.stdtrit(number - 1.0, tail))
    return top / squares * ratio**2 * (number - 1.0) * rows / (number * (rows - 1.0))


def effective_scale(cells: Cells, score: FloatArray, whole: tuple[str, ...], confidence_level: float) -> float:
    """Return the cases, for each unit of weight, that a mean over cells is worth; `score` is what each adds to it."""
    weight = np.array([cells.weight[name] if name in whole else 0.0 for name in CELLS])
    total, cost = math.fsum(weight.tolist()), np.square(score)
    if total == 0.0:
        return 0.0
    top = total * dot(cost, weight)
    if cells.sample.clusters is not None:
        return _clustered(cells.sample, score, whole, top, confidence_level) / total
    below = dot(cost, np.array(cells.sample.typical) * weight)
    # Where every row has the same score there is no cost: the rows themselves are what is known.
    worth = _of_estimated_weights(cells.sample, score)
    return worth * top / below / total if below > 0.0 else 1.0 / max(cells.typical(whole), 1e-300)


def effective_matrix(
    weight: dict[str, float], sample: CellSample, confidence_level: float
) -> tuple[float, float, float, float]:
    """Return (tp, fp, fn, tn) of independent cases of equal weight that are worth the rates of both classes."""
    refuse_unknown(sample)
    if sample.clusters is None and sample.rows is not None:
        return sample.rows
    cells = Cells(weight, sample)
    tp, n_pos = effective_share(cells, ("tp",), ("tp", "fn"), confidence_level)
    fp, n_neg = effective_share(cells, ("fp",), ("fp", "tn"), confidence_level)
    return tp, fp, n_pos - tp, n_neg - fp


def worth_above(counts: Counts, confidence_level: float) -> list[tuple[FloatArray, FloatArray]]:
    """Return, for each class, its proportion above every cut of the table and the cases that this is worth."""
    clusters, out = clusters_of(counts), []
    for positive, running, typical in zip((True, False), (counts.tp, counts.fp), counts._typical, strict=True):
        weight = np.append(0.0, running.astype(np.float64))
        total = float(weight[-1])
        share = np.minimum(weight / total, 1.0)
        if clusters is None:
            worth = effective_size(weight, total - weight, typical.above, typical.below)
        else:
            worth = _clustered_above(clusters, clusters.positive == positive, share, confidence_level)
        out.append((share, worth))
    return out


def _clustered_above(clusters: Clusters, mine: BoolArray, share: FloatArray, confidence_level: float) -> FloatArray:
    """Return what the proportion of a class above every cut is worth where rows of a cluster depend on each other."""
    code, cell, weight = clusters.code[mine], clusters.cell[mine], clusters.weight[mine]
    mass = np.bincount(code, weight, clusters.size)
    total, squares = float(mass.sum()), dot(mass, mass)
    # Sums over clusters of a^2 and a m, with a the weight above the cut and m all of it, change with every entry.
    order = np.argsort(cell, kind="stable")
    above = np.zeros(clusters.size)
    first, second = np.zeros(share.size), np.zeros(share.size)
    for one, place, own in zip(code[order].tolist(), cell[order].tolist(), weight[order].tolist(), strict=True):
        first[place + 1] += own * (2.0 * above[one] + own)
        second[place + 1] += own * mass[one]
        above[one] += own
    spread = np.cumsum(first) - 2.0 * share * np.cumsum(second) + share * share * squares
    top = share * (1.0 - share) * total * total
    inner = (top > 0.0) & (spread > 1e-12 * squares)
    number, rows = int(np.count_nonzero(mass)), int(clusters.rows[mine].sum())
    tail = (1.0 - confidence_level) / 2.0
    ratio = 1.0
    if 1 < number < rows:
        ratio = float(scipy.special.stdtrit(rows - 1.0, tail) / scipy.special.stdtrit(number - 1.0, tail)) ** 2
        ratio *= (number - 1.0) * rows / (number * (rows - 1.0))
    out = np.full(share.size, total * total / squares)
    out[inner] = ratio * top[inner] / spread[inner]
    return out


def cell_limits(
    metric: CellMetric,
    cells: Matrix,
    sample: CellSample | None,
    *,
    method: str,
    level: float,
    design: str = "random",
    prevalence: float | None = None,
) -> tuple[float, float]:
    """Return the limits of a metric; of rows with weights or clusters, `sample` tells what they are worth."""
    how: dict[str, Any] = {"tail": (1.0 - level) / 2.0, "design": design, "prevalence": prevalence}
    if sample is not None:
        how["typical"] = Matrix(*sample.typical)
        if sample.clusters is not None and sample.cluster_rows is not None:
            how["scale"] = cluster_scale(metric, cells, sample.clusters, sample.cluster_rows, **how)
        if sample.added is not None and sample.squares is not None:
            worth = estimated_scale(
                metric,
                cells,
                sample.added,
                squares=Matrix(*sample.squares),
                clusters=sample.clusters,
                design=design,
                prevalence=prevalence,
            )
            how["scale"] = how.get("scale", 1.0) * worth
        if sample.rows is not None and (metric.free or prevalence is not None) and sample.independent:
            # Rows of a class weigh the same: its rates are those of the rows.
            cells, how["typical"] = Matrix(*sample.rows), None
    low, high = (float(one) for one in limits(metric, cells, method=method, **how))
    least, most = metric.bounds
    return (least if math.isnan(low) else low), (most if math.isnan(high) else high)
