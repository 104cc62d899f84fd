"""Measures of many groups as one table: a row for each group, and no object that outlives its row."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thresher._core.checks import show
from thresher._core.optional import require
from thresher._facade.scores import Scores
from thresher._table import ManyTables
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherError, ThresherWarning
from thresher.measures import Measure, as_measure
from thresher.typing import FloatArray

__all__ = ["GroupFigures", "named_measures"]


def named_measures(measures: object) -> dict[str, Measure]:
    """Return the measures that are asked for by the names of their columns."""
    if isinstance(measures, str | Measure):
        measures = (measures,)
    if not isinstance(measures, Sequence) or not measures:
        raise InvalidTypeError(
            f"`measures` must be names of measures, or measures; got {show(measures)}. "
            'Hint: for example measures=("roc_auc", "pr_auc").'
        )
    out: dict[str, Measure] = {}
    for given in measures:
        measure = as_measure(given)
        name = given if isinstance(given, str) else measure.name
        if name in out:
            raise InvalidInputError(
                f"`measures` must have different names, which become columns; got {show(name)} twice. "
                "Hint: scan once for each, or use `by` alone and measure its Scores."
            )
        out[name] = measure
    return out


class GroupFigures:
    """What is asked of every group: a row of numbers, which are positives, negatives, then value and error by measure.

    NaN is what a group does not define: a class is missing, or too small for an error.
    """

    def __init__(self, measures: Mapping[str, Measure]) -> None:
        self._measures = measures
        self.width = 2 + 2 * len(measures)

    def one(self, scores: Scores) -> list[float]:
        """Return the row of a group."""
        found = [_measured(measure, scores) for measure in self._measures.values()]
        return [float(scores.n_pos), float(scores.n_neg), *(number for both in found for number in both)]

    def many(self, tables: ManyTables) -> FloatArray:
        """Return the rows of many groups: by the measures' own code for many where they have it."""
        out = np.empty((tables.ends.size, self.width))
        out[:, 0], out[:, 1] = tables.totals
        slow = {}
        for k, measure in enumerate(self._measures.values()):
            kernel = measure.kernel
            if kernel is None or kernel.many is None:
                slow[2 + 2 * k] = measure
            else:
                out[:, 2 + 2 * k], out[:, 3 + 2 * k] = kernel.many(tables)
        if slow:
            for row, scores in zip(out, tables.each(Scores), strict=True):
                for place, measure in slow.items():
                    row[place : place + 2] = _measured(measure, scores)
        return out

    def table(self, groups: Any, rows: FloatArray, *, whole: bool) -> Any:
        """Return rows as an Arrow table; `whole` says that positives and negatives are row counts."""
        arrow = require("pyarrow", extra="engines", purpose="A table of measures")
        counts = rows[:, :2].astype(np.int64) if whole else rows
        columns: dict[str, Any] = {"group": groups}
        if arrow.types.is_struct(groups.type):
            columns = dict(zip((field.name for field in groups.type), groups.flatten(), strict=True))
        for k, name in enumerate(("n_pos", "n_neg")):
            columns[name] = arrow.array(np.ascontiguousarray(counts[:, k]))
        for k, name in enumerate(self._measures):
            for place, column in ((2 + 2 * k, name), (3 + 2 * k, f"{name}_se")):
                columns[column] = arrow.array(np.ascontiguousarray(rows[:, place]), from_pandas=True)  # NaN is NULL
        return arrow.table(columns)


def _measured(measure: Measure, scores: Scores) -> tuple[float, float]:
    value = error = float("nan")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)  # what a group lacks is NULL in its row
            estimate = measure.estimate(scores)
            value = float(estimate)
            error = float(estimate.standard_error(rng=0))
    except ThresherError:  # a class is missing, or too small for an error
        pass
    return value, error
