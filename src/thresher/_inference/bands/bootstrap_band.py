"""Bands from resampled curves: cases are drawn again, and the curve is read on the grid in each resample."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thresher._core.random_streams import batch_rows, run_batches, stream_key
from thresher._core.resampling import Wanted
from thresher._inference.bands.bayes_envelope import rank_envelope
from thresher._inference.bands.class_cuts import Cuts
from thresher._inference.sampling import TableDraw
from thresher.typing import FloatArray

__all__ = ["FEW_ACROSS", "bootstrap_band", "hardly_differ", "resampled_precision", "resampled_tpr"]

FEW_ACROSS = 5


def resampled_tpr(cuts: Cuts, fpr: FloatArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Return the true positive rates of resampled ROC curves: row i is a resample, column j an abscissa.

    `cuts` run along the negatives; each class keeps its size, on which the curve does not depend.
    """
    draws = TableDraw(np.diff(cuts.across), np.diff(cuts.along), stratified=True)

    def read(pos: FloatArray, neg: FloatArray) -> FloatArray:
        return _cuts(along=neg, across=pos).value(fpr, at_jumps="upper")

    return _resampled(draws, Wanted(fprs=fpr), read, n_draws, rng)


def resampled_precision(
    cuts: Cuts, recall: FloatArray, n_draws: int, rng: np.random.Generator, *, odds: float, stratified: bool
) -> FloatArray:
    """Return the precisions of resampled PR curves at recalls above 0.

    `cuts` run along the positives; `odds` are the negatives for each positive to which precision refers, 0 for those of
    the resample.
    """
    draws = TableDraw(np.diff(cuts.along), np.diff(cuts.across), stratified=stratified)

    def read(pos: FloatArray, neg: FloatArray) -> FloatArray:
        skew = odds if odds > 0.0 else neg.sum() / pos.sum()
        return np.asarray(recall / (recall + skew * _cuts(along=pos, across=neg).value(recall)))

    return _resampled(draws, Wanted(odds, recalls=recall), read, n_draws, rng)


def _resampled(
    draws: TableDraw,
    wanted: Wanted,
    read: Callable[[FloatArray, FloatArray], FloatArray],
    n_draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the curves that the kernel measures, or that `read` takes from each drawn table."""
    key = stream_key(rng)

    def measured(first: int, count: int) -> FloatArray:
        found = draws.measure(wanted, key, first, count)
        return found.tpr_at if len(wanted.fprs) else found.precision_at

    def drawn(first: int, count: int) -> FloatArray:
        return np.stack([read(pos, neg) for pos, neg in zip(*draws.draw(key, first, count), strict=True)])

    if draws.measurable:
        return run_batches(measured, n_draws, rows=draws.rows_at_once)
    return run_batches(drawn, n_draws, rows=batch_rows(draws.pos.size))


def hardly_differ(cuts: Cuts, x: FloatArray) -> int:
    """Return at how many points resampled curves hardly differ: almost none, or almost all, of a class stand above."""
    above = cuts.value(x) * cuts.n_across
    few = (above < FEW_ACROSS) | (cuts.n_across - above < FEW_ACROSS)
    # Where everything is predicted positive the curve is known.
    return int(np.count_nonzero(few & (x < 1.0)))


def bootstrap_band(curves: FloatArray, level: float, *, simultaneous: bool) -> tuple[FloatArray, FloatArray]:
    """Return quantiles at each point, or the narrowest envelope of equal ranks that holds enough whole curves."""
    if simultaneous:
        return rank_envelope(curves, curves, level)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(curves, (tail, 1.0 - tail), axis=0)
    return low, high


def _cuts(along: FloatArray, across: FloatArray) -> Cuts:
    first, second = (np.append(0, np.cumsum(column)).astype(np.int64) for column in (along, across))
    return Cuts(first, second, int(first[-1]), int(second[-1]))
