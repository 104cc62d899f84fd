"""Resampling on a device: replicates are drawn and measured there, the same ones as by the processor."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.device_bootstrap import DeviceRows, rows_on_device
from thresher._core.random_streams import Key
from thresher._core.resampling import Replicates, Requested
from thresher._inference.sampling.draws import CountDraws, Measured, drawn_by_case
from thresher._table import Counts, Needs, grid_of
from thresher.typing import CountArray, FloatArray

__all__ = ["DeviceDraws", "count_draws"]


_AUC, _AVERAGE_PRECISION = Requested(roc_auc=True), Requested(average_precision=True)


class DeviceDraws(CountDraws):
    """Resample the cases of a table on its device.

    Measures other than ROC AUC and average precision are computed in main memory, to which only a few bits of each row
    have to go.
    """

    def __init__(self, rows: DeviceRows, *, stratified: bool, path_only: bool) -> None:
        self._rows, self._path_only = rows, path_only
        self.stratified, self.scores = stratified, None

    def __reduce__(self) -> tuple[Any, ...]:
        # Results travel between processes; a device does not.
        return _in_memory, (*self._columns(), self.stratified)

    def _columns(self) -> tuple[CountArray, CountArray]:
        return self._rows.columns_on_host(path_only=self._path_only)

    @property
    def width(self) -> int:  # type: ignore[override]  # of a table that is not here
        """How many columns a table has."""
        return self._rows.columns[self._path_only]

    @property
    def units(self) -> tuple[int, int]:  # type: ignore[override]
        """How many cases are drawn in each class."""
        return self._rows.n_pos, self._rows.n_neg

    def _asks(self, measure: Measured) -> Requested | None:
        return None if measure.kernel is None else measure.kernel.asks

    def value(self, measure: Measured) -> float:
        """Return the metric of the data."""
        if self._asks(measure) != _AUC:
            return super().value(measure)
        n_pos, n_neg = self.units
        return float(self._read(measure, np.array([self._rows.twice_u / (2.0 * n_pos * n_neg)]), np.array([n_pos]))[0])

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        known = self._asks(measure) in (_AUC, _AVERAGE_PRECISION)
        return self._rows.at_once() if known else super().rows_at_once(measure)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of replicates `first` to `first + count - 1`."""
        asks = self._asks(measure)
        if asks not in (_AUC, _AVERAGE_PRECISION):
            return super().values(measure, key, first, count)
        name = "roc_auc" if asks == _AUC else "average_precision"
        areas, pos = self._rows.areas(name, int(key[0]), first, count, stratified=self.stratified)
        return self._read(measure, areas, pos)

    def _read(self, measure: Measured, areas: FloatArray, pos: Any) -> FloatArray:
        totals = np.stack((pos, self._rows.rows - pos), axis=1)[:, np.newaxis]
        none = np.zeros((areas.size, 0))
        kernel = measure.kernel
        if kernel is None or kernel.read is None:
            raise AssertionError("measures on a device have a kernel")
        return kernel.read(Replicates(areas, areas, None, None, none, totals, none, none))


def _in_memory(pos: CountArray, neg: CountArray, stratified: bool) -> CountDraws:
    return CountDraws(pos, neg, None, stratified=stratified)


def count_draws(counts: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> CountDraws:
    """Return how the cases of a table of whole counts are resampled: on their device if that can be."""
    ranks = counts._ranks
    if ranks is not None and needs in ("path", "ranks"):
        rows, path_only = rows_on_device(ranks), needs == "path"
        if rows is not None and drawn_by_case(rows.rows, rows.columns[path_only]):
            return DeviceDraws(rows, stratified=stratified, path_only=path_only)
    grid = grid_of(needs, counts.thresholds, counts.pos, counts.neg, threshold)
    return CountDraws(grid.summed(counts.pos), grid.summed(counts.neg), grid.scores, stratified=stratified)
