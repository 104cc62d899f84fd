"""Measures of many groups as one table: a row for each group, and no object that outlives its row."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from thresher._core.checks import show
from thresher._core.optional import require
from thresher._facade.scores import Scores
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherError, ThresherWarning
from thresher.measures import Measure, as_measure

__all__ = ["Row", "measure_row", "named_measures", "rows_table"]

Row = tuple[float, float, tuple[tuple[float | None, float | None], ...]]
"""The positives, the negatives, and the value and standard error of each measure."""


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
                "Hint: scan once for each, or use `group` alone and measure its Scores."
            )
        out[name] = measure
    return out


def measure_row(scores: Scores, measures: Mapping[str, Measure]) -> Row:
    """Return the row of one group; what a group does not define is None."""
    found = []
    for measure in measures.values():
        value = error = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ThresherWarning)  # what a group lacks is NULL in its row
                estimate = measure.estimate(scores)
                value = float(estimate)
                error = float(estimate.standard_error())
        except ThresherError:  # a class is missing, or too small for an error
            pass
        found.append((_known(value), _known(error)))
    return scores.n_pos, scores.n_neg, tuple(found)


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def rows_table(rows: Mapping[Any, Row], names: Sequence[str]) -> Any:
    """Return rows as an Arrow table."""
    arrow = require("pyarrow", extra="engines", purpose="A table of measures")
    values = list(rows.values())
    columns: dict[str, Any] = {
        "group": arrow.array(list(rows)),
        "n_pos": arrow.array([row[0] for row in values]),
        "n_neg": arrow.array([row[1] for row in values]),
    }
    for k, name in enumerate(names):
        columns[name] = arrow.array([row[2][k][0] for row in values], arrow.float64())
        columns[f"{name}_se"] = arrow.array([row[2][k][1] for row in values], arrow.float64())
    return arrow.table(columns)
