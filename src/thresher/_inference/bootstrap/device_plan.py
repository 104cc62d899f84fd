"""Resampling where the rows are: replicates are drawn and measured on the device, the same ones as by the processor."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.device_bootstrap import DeviceRows, rows_on_device
from thresher._core.random_streams import Key
from thresher._core.resampling import Replicates, Wanted
from thresher._inference.bootstrap.count_resampling import CountPlan
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.table_draw import drawn_by_case
from thresher._table import Counts
from thresher.typing import CountArray, FloatArray

__all__ = ["DevicePlan", "count_plan"]


_AUC, _AVERAGE_PRECISION = Wanted(roc_auc=True), Wanted(average_precision=True)


class DevicePlan(CountPlan):
    """Resample the cases of a table on its device.

    What the device does not know, as other measures than AUC-ROC and average precision, is answered in main memory, to
    which only a few bits of each row have to go.
    """

    def __init__(self, rows: DeviceRows, *, stratified: bool, path_only: bool) -> None:
        self._rows, self._path_only = rows, path_only
        self.stratified = stratified

    def __reduce__(self) -> tuple[Any, ...]:
        # Results travel between processes; a device does not.
        return _at_home, (*self._columns(), self.stratified, self._path_only)

    def _columns(self) -> tuple[CountArray, CountArray]:
        return self._rows.columns_on_host(path_only=self._path_only)

    @property
    def width(self) -> int:
        """How many columns a table has."""
        return self._rows.columns[self._path_only]

    @property
    def units(self) -> tuple[int, int]:
        """How many units are resampled in each class."""
        return self._rows.n_pos, self._rows.n_neg

    def value(self, measure: Measured) -> float:
        """Return the metric of the data."""
        if measure.wanted() != _AUC:
            return float(measure.of_replicates(*self.observed(), self.at)[0])
        n_pos, n_neg = self.units
        return self._rows.twice_u / (2.0 * n_pos * n_neg)

    def _measures(self, measure: Measured) -> bool:
        return measure.wanted() in (_AUC, _AVERAGE_PRECISION)

    def rows_at_once(self, measure: Measured, *, variances: bool = False) -> int:
        """Return how many replicates are worked on together where nobody asks for a number."""
        if variances or not self._measures(measure):
            return super().rows_at_once(measure, variances=variances)
        return self._rows.at_once()

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of replicates `first` to `first + count - 1`."""
        if not self._measures(measure):
            return super().values(measure, key, first, count)
        name = "roc_auc" if measure.wanted() == _AUC else "average_precision"
        areas, pos = self._rows.areas(name, int(key[0]), first, count, stratified=self.stratified)
        totals = np.stack((pos, self._rows.rows - pos), axis=1)[:, np.newaxis]
        none = np.zeros((count, 0))
        return measure.measured(Replicates(areas, areas, None, None, none, totals, none, none))


def _at_home(pos: CountArray, neg: CountArray, stratified: bool, path_only: bool) -> CountPlan:
    return CountPlan(pos, neg, stratified=stratified, path_only=path_only)


def count_plan(counts: Counts, measure: Measured, *, stratified: bool) -> CountPlan:
    """Return how the cases of a table of whole counts are resampled: on their device where that can be."""
    ranks = counts._ranks
    if ranks is not None and (measure.path_only or measure.wanted() == _AVERAGE_PRECISION):
        rows = rows_on_device(ranks)
        if rows is not None and drawn_by_case(rows.rows, rows.columns[measure.path_only]):
            return DevicePlan(rows, stratified=stratified, path_only=measure.path_only)
    return CountPlan(counts.pos, counts.neg, stratified=stratified, path_only=measure.path_only)
