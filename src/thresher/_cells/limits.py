"""Confidence limits of any metric of the confusion matrix at a threshold that was fixed beforehand."""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np
import scipy

from thresher._cells.cell_metric import CellMetric
from thresher._cells.draws import Halves, beta_halves, order_of_points, quantile_of_draws
from thresher._cells.f_beta import f_beta_bounds
from thresher._cells.influence import cell_variance
from thresher._cells.matrix import Matrix, as_doubles, centred
from thresher._cells.proportions import ADVERSE, PROPORTION_METHODS, proportion_bounds
from thresher._core.checks import check_choice
from thresher.typing import FloatArray

LIMIT_METHODS = ("bayes", "jeffreys", "mover", "delta")
_CELLS = Matrix._fields
_OPPOSITE = {"tp": "fn", "fn": "tp", "fp": "tn", "tn": "fp"}
_AT_ONCE = 4  # so many tables stay in the cache of one core


class _Setting(NamedTuple):
    """What is the same for all tables of one call."""

    metric: CellMetric
    tail: float
    design: str
    prevalence: float | None


def limit_methods(metric: CellMetric, design: str = "random", prevalence: float | None = None) -> tuple[str, ...]:
    """Return the names of the methods for a metric, the default first."""
    return (*PROPORTION_METHODS, "mover", "delta") if _closed(metric, design, prevalence) else LIMIT_METHODS


def limits(
    metric: CellMetric,
    cells: Matrix,
    *,
    tail: float = 0.025,
    method: str = "bayes",
    design: str = "random",
    prevalence: float | None = None,
    typical: Matrix | None = None,
    scale: FloatArray | float = 1.0,
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper limits of the metric of each table, each missing the truth with probability `tail`.

    "bayes" is the posterior of the four cells, with adverse mass at the worst of three places; "jeffreys" has half a
    case in every cell; "mover" joins Jeffreys limits of both rates and of the prevalence; "delta" takes the gradient on
    the scale of the range, and has length 0 at perfect tables. Proportions of a class, proportions of all rows at
    random class sizes and F-beta have the closed forms of `proportion_bounds`.

    Given the masses, the two rates and the prevalence are independent and have beta distributions; their quantiles at
    4096 Sobol points stand for the posterior. The lower limit is the least quantile over three quarters of a case more
    in either cell of errors, and half a case in each; the upper one the largest with the correct cells (Fay and Feuer,
    Statistics in Medicine 16 (1997), 791-801). `typical` is what a row of each cell weighs, `scale` how many
    independent rows a row is worth, with clusters.
    """
    check_choice(method, "method", limit_methods(metric, design, prevalence))
    whole = as_doubles(cells)
    shape = np.shape(whole.tp)
    table = Matrix(*(np.atleast_1d(cell).ravel() for cell in whole))
    weights = as_doubles(typical or Matrix(1.0, 1.0, 1.0, 1.0))
    weights = Matrix(*(np.broadcast_to(one, shape).reshape(-1) for one in weights))
    worth = np.broadcast_to(np.asarray(scale, dtype=np.float64), shape).reshape(-1)
    at = _Setting(metric, tail, design, prevalence)
    low, high = _folded(at, table, weights, worth, method)
    return low.reshape(shape)[()], high.reshape(shape)[()]


def _folded(
    at: _Setting, table: Matrix, weights: Matrix, worth: FloatArray, method: str
) -> tuple[FloatArray, FloatArray]:
    """Return the limits, those of a metric that is not monotone from the one behind it."""
    fold = at.metric.fold
    if fold is None or (fold.kind == "zero" and method != "bayes"):
        return _inside(at, table, *_unfolded(at, table, weights, worth, method))
    low, high = _inside(
        at._replace(metric=fold.base), table, *_unfolded(at._replace(metric=fold.base), table, weights, worth, method)
    )
    crossing = (low <= 0.0) & (high >= 0.0)
    if fold.kind == "zero":
        below, above = _inside(at, table, *_unfolded(at, table, weights, worth, method))
        return np.where(crossing, 0.0, below), above
    least, most = np.fmin(abs(low), abs(high)), np.fmax(abs(low), abs(high))
    if fold.kind == "square":
        total = table.total if at.metric.degree == 1 and at.prevalence is None else 1.0
        least, most = total * least * least, total * most * most
    return np.where(crossing, 0.0, least), most


def _inside(at: _Setting, table: Matrix, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return limits that stay in the range and around the value; the range where nothing is known."""
    bottom, top = at.metric.bounds
    low, high = np.where(np.isnan(low), bottom, low), np.where(np.isnan(high), top, high)
    found = at.metric.value(*table, prevalence=at.prevalence)
    return np.clip(np.fmin(low, found), bottom, top), np.clip(np.fmax(high, found), bottom, top)


def _unfolded(
    at: _Setting, table: Matrix, weights: Matrix, worth: FloatArray, method: str
) -> tuple[FloatArray, FloatArray]:
    if method == "delta":
        return _delta(at, table, weights, worth)
    if method != "mover" and _closed(at.metric, at.design, at.prevalence):
        return _closed_form(at, table, weights, worth, method)
    shapes = Matrix(*(cell / r * worth for cell, r in zip(table, weights, strict=True)))
    low, high = (np.full(table.tp.shape, np.nan) for _ in range(2))
    for first in range(0, low.size, _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        some, mass, some_weights = (Matrix(*(one[part] for one in four)) for four in (table, shapes, weights))
        if method == "mover":
            low[part], high[part] = _mover(at, some, mass)
        elif method == "jeffreys":
            low[part], high[part] = _posterior(at, some, mass, some_weights, [(0.5,) * 4], (at.tail, 1.0 - at.tail))
        else:
            below, above = _placements(at.metric)
            low[part] = _posterior(at, some, mass, some_weights, below, (at.tail,))[0]
            high[part] = _posterior(at, some, mass, some_weights, above, (1.0 - at.tail,))[0]
    return low, high


def _placements(metric: CellMetric) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """Return where adverse mass is put for the lower and for the upper limit, as masses of the four cells."""

    def masses(cells: tuple[str, ...]) -> list[tuple[float, ...]]:
        alone = [tuple(ADVERSE * (cell == one) for cell in _CELLS) for one in cells]
        return alone + [tuple(0.5 * (cell in pair) for cell in _CELLS) for pair in combinations(cells, 2)]

    if metric.rises is None:
        return masses(_CELLS), masses(_CELLS)
    return masses(tuple(_OPPOSITE[cell] for cell in metric.rises)), masses(metric.rises)


def _posterior(
    at: _Setting,
    table: Matrix,
    shapes: Matrix,
    weights: Matrix,
    placements: list[tuple[float, ...]],
    tails: tuple[float, ...],
) -> list[FloatArray]:
    """Return quantiles of the posterior of the metric: the outermost over all placements that leave it defined."""
    out = [np.full(table.tp.shape, np.nan) for _ in tails]
    for mass in placements:
        draws = _draws(at, table, Matrix(*(cell + more for cell, more in zip(shapes, mass, strict=True))), weights)
        defined = ~np.isnan(draws).any(axis=1)
        for k, tail in enumerate(tails):
            found = np.where(defined, quantile_of_draws(draws, tail), np.nan)
            out[k] = (np.fmin if tail < 0.5 else np.fmax)(out[k], found)
    return out


def _draws(at: _Setting, table: Matrix, shapes: Matrix, weights: Matrix) -> FloatArray:
    """Return the metric at draws from the posterior, a row for each table."""
    second, third = order_of_points()
    found, wrong = beta_halves(shapes.tp, shapes.fn), beta_halves(shapes.fp, shapes.tn)
    wrong = Halves(wrong.share[:, second], wrong.rest[:, second])
    r = Matrix(*(one[:, None] for one in weights))
    cells = Matrix(r.tp * found.share, r.fp * wrong.share, r.fn * found.rest, r.tn * wrong.rest)
    if at.metric.free or at.prevalence is not None or at.design == "fixed":
        share = (table.pos / table.total)[:, None] if at.prevalence is None else at.prevalence
        pos, neg = share / cells.pos, (1.0 - share) / cells.neg
    else:
        classes = beta_halves(shapes.tp + shapes.fn, shapes.fp + shapes.tn)
        pos, neg = classes.share[:, third], classes.rest[:, third]
    cells = Matrix(pos * cells.tp, neg * cells.fp, pos * cells.fn, neg * cells.tn)
    if at.metric.slope is not None:  # a function of the caller's may depend on the total
        size = table.total[:, None] / cells.total
        cells = Matrix(*(size * cell for cell in cells))
    with np.errstate(all="ignore"):
        return np.asarray(at.metric.of(cells), dtype=np.float64)


def _closed(metric: CellMetric, design: str, prevalence: float | None) -> bool:
    """Return whether the metric is a proportion of independent rows, or F-beta."""
    if metric.share is not None and metric.free:
        return True
    return (metric.share is not None or metric.name == "f_beta") and design == "random" and prevalence is None


def _closed_form(
    at: _Setting, table: Matrix, weights: Matrix, worth: FloatArray, method: str
) -> tuple[FloatArray, FloatArray]:
    level = 1.0 - 2.0 * at.tail
    yes, no = at.metric.share or (("tp",), ("fp", "fn"))
    if at.metric.name == "f_beta" and at.metric.options["beta"] != 1.0:
        return _f_beta_limits(at, table, weights, worth, method)
    part, rest, r_part, r_rest = (
        *(_sum_of(table, names) for names in (yes, no)),
        *(_typical(table, weights, names) for names in (yes, no)),
    )
    total = part + rest
    below = r_part * rest + r_rest * part
    # Korn and Graubard's p (1 - p) / V, in a form that stays finite at proportions of 0 and 1.
    size = np.divide(total * total, below, out=np.zeros_like(total), where=below > 0.0) * worth
    share = np.divide(part, total, out=np.zeros_like(total), where=total > 0.0)
    low, high = proportion_bounds(size * share, size, level, method)
    if at.metric.name == "f_beta":
        low, high = 2.0 * low / (1.0 + low), 2.0 * high / (1.0 + high)
    return np.where(total > 0.0, low, np.nan), np.where(total > 0.0, high, np.nan)


def _sum_of(table: Matrix, names: tuple[str, ...]) -> FloatArray:
    return np.asarray(sum(getattr(table, name) for name in names))


def _typical(table: Matrix, weights: Matrix, names: tuple[str, ...]) -> FloatArray:
    """Return the typical weight of a row in some cells together; the largest one where they are empty."""
    total = _sum_of(table, names)
    mean = sum(getattr(table, name) * getattr(weights, name) for name in names)
    largest = np.max([getattr(weights, name) for name in names], axis=0)
    return np.asarray(np.where(total > 0.0, mean / np.where(total > 0.0, total, 1.0), largest))


def _f_beta_limits(
    at: _Setting, table: Matrix, weights: Matrix, worth: FloatArray, method: str
) -> tuple[FloatArray, FloatArray]:
    beta = at.metric.options["beta"]
    value = at.metric.value(*table)
    score = ((1.0 + beta**2) * (1.0 - value), -value, -(beta**2) * value)
    cells = (table.tp, table.fp, table.fn)
    # The rows of equal weight, for each unit of weight, that the mean behind F-beta is worth.
    top = sum(cell * s * s for cell, s in zip(cells, score, strict=True))
    below = sum(r * cell * s * s for r, cell, s in zip((weights.tp, weights.fp, weights.fn), cells, score, strict=True))
    even = 1.0 / _typical(table, weights, ("tp", "fp", "fn"))
    rate = np.where(below > 0.0, top / np.where(below > 0.0, below, 1.0), even) * worth
    level = 1.0 - 2.0 * at.tail
    rows = [
        f_beta_bounds(three[0], three[1], three[2], beta, level, method) if sum(three) > 0.0 else (math.nan, math.nan)
        for three in zip(*((cell * rate).tolist() for cell in cells), strict=True)
    ]
    low, high = np.array(rows).T
    return low, high


def mover(
    value: FloatArray, steps: list[tuple[FloatArray, FloatArray]], bounds: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Return limits from the values with one argument at a time at either of its limits; distances add as squares."""
    log = bounds == (0.0, math.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(value) if log else value
        down, up = np.zeros_like(centre), np.zeros_like(centre)
        for pair in steps:
            ends = [np.log(one) if log else one for one in pair]
            down = down + np.square(np.fmax(centre - np.minimum(*ends), 0.0))
            up = up + np.square(np.fmax(np.maximum(*ends) - centre, 0.0))
        low, high = centre - np.sqrt(down), centre + np.sqrt(up)
        return (np.exp(low), np.exp(high)) if log else (low, high)


def _mover(at: _Setting, table: Matrix, shapes: Matrix) -> tuple[FloatArray, FloatArray]:
    """Return limits from Jeffreys limits of the rates and of the prevalence."""
    level = 1.0 - 2.0 * at.tail
    tpr, fpr, share = table.tp / table.pos, table.fp / table.neg, table.pos / table.total
    ends = [
        proportion_bounds(shapes.tp, shapes.pos, level, "jeffreys"),
        proportion_bounds(shapes.fp, shapes.neg, level, "jeffreys"),
    ]
    fixed = at.metric.free or at.prevalence is not None or at.design == "fixed"
    if at.prevalence is not None:
        share = np.full_like(tpr, at.prevalence)
    if not fixed:
        ends.append(proportion_bounds(shapes.pos, shapes.total, level, "jeffreys"))

    def value(arguments: list[FloatArray]) -> FloatArray:
        x, y, p = arguments
        with np.errstate(all="ignore"):
            return np.asarray(at.metric.of(Matrix(p * x, (1.0 - p) * y, p * (1.0 - x), (1.0 - p) * (1.0 - y))))

    rates = [tpr, fpr, share]
    steps = []
    for place, (low, high) in enumerate(ends):
        moved = [[*rates[:place], end, *rates[place + 1 :]] for end in (low, high)]
        steps.append((value(moved[0]), value(moved[1])))
    return mover(value(rates), steps, at.metric.bounds)


def _delta(at: _Setting, table: Matrix, weights: Matrix, worth: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return limits from the gradient, on the scale of the range."""
    squares = Matrix(*(cell * r for cell, r in zip(table, weights, strict=True)))
    variance = cell_variance(at.metric, table, squares=squares, design=at.design, prevalence=at.prevalence) / worth
    value = np.asarray(at.metric.value(*table, prevalence=at.prevalence))
    reach = -scipy.special.ndtri(at.tail) * np.sqrt(variance)
    bottom, top = at.metric.bounds
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if math.isfinite(bottom) and math.isfinite(top):
            p = (value - bottom) / (top - bottom)
            step = np.where(reach > 0.0, reach / (top - bottom) / (p * (1.0 - p)), 0.0)
            ends = [scipy.special.expit(scipy.special.logit(p) + sign * step) for sign in (-1.0, 1.0)]
            low, high = (bottom + (top - bottom) * end for end in ends)
        elif bottom == 0.0:
            low, high = (value * np.exp(sign * np.where(reach > 0.0, reach / value, 0.0)) for sign in (-1.0, 1.0))
        else:
            low, high = value - reach, value + reach
    return low, high


def estimated_scale(
    metric: CellMetric,
    cells: Matrix,
    added: FloatArray,
    *,
    squares: Matrix,
    clusters: FloatArray | None = None,
    design: str = "random",
    prevalence: float | None = None,
) -> float:
    """Return the variance with the weights held over that with them estimated; 1 where either is not known.

    `added` is what estimating them adds to the covariance of the sums in the four cells, in an array of shape (4, 4).
    """
    held = float(cell_variance(metric, cells, squares=squares, clusters=clusters, design=design, prevalence=prevalence))
    g = metric.gradient(*cells, prevalence=prevalence)
    if design == "fixed":
        with np.errstate(invalid="ignore", divide="ignore"):
            g = centred(g, as_doubles(cells), 1.0, 1.0)
    slope = np.where(np.array(cells, dtype=np.float64) > 0.0, np.array(g, dtype=np.float64), 0.0)
    if not np.isfinite(slope).all():
        return 1.0
    full = held + float(slope @ added @ slope)
    return held / full if held > 0.0 and full > 0.0 else 1.0


def cluster_scale(
    metric: CellMetric,
    cells: Matrix,
    clusters: FloatArray,
    rows: FloatArray,
    *,
    tail: float = 0.025,
    typical: Matrix | None = None,
    design: str = "random",
    prevalence: float | None = None,
) -> float:
    """Return how many independent rows a row of one table is worth to the metric, at most 1.

    `clusters` and `rows` hold the weight and the rows of each cluster in the four cells, in arrays of shape (g, 4). It
    is the variance of independent rows over that of clusters, less what few clusters take (t quantiles); if neither
    varies, clusters count as rows.
    """
    r = np.array(as_doubles(typical or Matrix(1.0, 1.0, 1.0, 1.0)))
    weight = np.array(as_doubles(cells))
    inner = Matrix(*(weight + 0.5 * r))
    entering = np.array(metric.gradient(*inner, prevalence=prevalence)) != 0.0
    single = cell_variance(metric, Matrix(*weight), squares=Matrix(*(r * weight)), design=design, prevalence=prevalence)
    joint = cell_variance(metric, Matrix(*weight), clusters=clusters, design=design, prevalence=prevalence)
    if np.isnan(joint):  # a kink or an infinite value: the gradient beside it
        single = cell_variance(metric, inner, squares=Matrix(*(r * weight)), design=design, prevalence=prevalence)
        joint = cell_variance(metric, inner, clusters=clusters, design=design, prevalence=prevalence)
    mass = np.asarray(clusters, dtype=np.float64)[:, entering].sum(axis=1)
    number, n = int(np.count_nonzero(mass)), float(np.asarray(rows)[:, entering].sum())
    if not float(joint) > 1e-14 * float(single) or not float(single) > 0.0:
        effective = float((weight / r)[entering].sum())
        return min(float(mass.sum() ** 2 / np.square(mass).sum()) / effective, 1.0) if effective > 0.0 else 1.0
    ratio = float(single / joint)
    if number >= 2 and n > number:
        quantiles = scipy.special.stdtrit([n - 1.0, number - 1.0], tail)
        ratio *= float(quantiles[0] / quantiles[1]) ** 2 * (number - 1.0) * n / (number * (n - 1.0))
    return min(ratio, 1.0)
