"""What is said of a standard error that was computed from some of the scores."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np

from thresher._core.checks import warn
from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import ThresherError, ThresherWarning

if TYPE_CHECKING:
    from thresher.measures._measure import Measure

__all__ = ["kept_error", "warn_of_kept"]

_SHOWN = 0.02


def warn_of_kept(measure: Measure, table: Counts) -> None:
    """Warn where the standard error depends on which scores were kept, of a table whose areas are those of all."""
    if table._figures is None or measure.exact_spread:
        return
    error = kept_error(measure, table)
    if error > _SHOWN:
        warn(
            f"The standard error of {measure.title!r} is known to about {error:.0%}, as only {len(table):,} of the "
            "scores were kept; its value is not affected. Hint: raise `max_points`."
        )


def kept_error(measure: Measure, table: Counts) -> float:
    """Return by what part the standard error changes if every second kept score is left out too; 0 if unknown.

    What the scores between kept points change falls with their number, so that halving it shows at least as much as has
    been lost already.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)
            errors = [_standard_error(measure, one) for one in (_plain(table, 1), _plain(table, 2))]
    except ThresherError:
        return 0.0
    if not all(math.isfinite(error) for error in errors) or errors[0] == 0.0:
        return 0.0
    return abs(errors[1] / errors[0] - 1.0)


def _standard_error(measure: Measure, table: Counts) -> float:
    found = measure.influence(table)
    return math.nan if found is None else math.sqrt(sampling_of(table).spread(found).variance)


def _plain(table: Counts, step: int) -> Counts:
    """Return the counts alone, of every so many of the kept scores and the last."""
    last = len(table) - 1
    rows = np.unique(np.append(np.arange(step - 1, last, step), last))
    pos, neg = (np.diff(np.cumsum(column)[rows], prepend=column.dtype.type(0)) for column in (table.pos, table.neg))
    return Counts._from_table((table.thresholds[rows], pos, neg))
