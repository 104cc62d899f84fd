"""What a reader of a value should know: rates that a sample cannot show, errors known from some of the scores."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np

from thresher._core.checks import warn
from thresher._inference.bootstrap import replicate_areas
from thresher._inference.pr import Span
from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import ThresherError, ThresherWarning

if TYPE_CHECKING:
    from thresher.measures._measure import Measure

__all__ = ["kept_error", "negatives_needed", "unseen_remark", "warn_of_kept"]

# One more negative at the top may lower the mean precision by so much before it is said.
_WORTH_SAYING = 0.1
_MOST_NEGATIVES = 1e15


def unseen_remark(table: Counts, prevalence: float, recall: Span) -> str | None:
    """Return a sentence where the area depends on false positive rates that these negatives cannot show."""
    if prevalence >= table.prevalence:
        return None
    seen, lower = (_area(table, prevalence, recall, top) for top in (0.0, 1.0))
    if seen - lower <= _WORTH_SAYING:
        return None
    needed = negatives_needed(table, prevalence, recall)
    return (
        f"at prevalence {prevalence:g} precision depends on false positive rates below 1 in {table.n_neg:,.6g}, which "
        f"{table.n_neg:,.6g} negatives cannot show: one more negative at the top would lower the mean precision from "
        f"{seen:.2g} to {lower:.2g}; about {needed:,} negatives would settle it"
    )


def negatives_needed(table: Counts, prevalence: float, recall: Span = (0.0, 1.0)) -> int:
    """Return with how many negatives, ranked as these are, one more at the top would change the area little."""
    seen = _area(table, prevalence, recall, 0.0)

    def settled(count: float) -> bool:
        # As one of so many on top of the others.
        return seen - _area(table, prevalence, recall, table.n_neg / (count - 1.0)) <= _WORTH_SAYING

    high = 2.0
    while not settled(high) and high < _MOST_NEGATIVES:
        high *= 2.0
    low = high / 2.0
    while high - low > 0.01 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if settled(middle) else (middle, high)
    digits = 10.0 ** max(math.floor(math.log10(high)) - 1, 0)
    return int(math.ceil(high / digits) * digits)


def _area(table: Counts, prevalence: float, recall: Span, top: float) -> float:
    """Return the mean precision over the range with so many further negatives above all cases."""
    pos = np.append(0.0, table.pos)[None]
    neg = np.append(top, table.neg)[None]
    area = replicate_areas.pr_area(
        pos, neg, np.arange(pos.shape[1]), estimator="interpolated", prevalence=prevalence, span=recall
    )
    return float(area[0]) / (recall[1] - recall[0])


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
