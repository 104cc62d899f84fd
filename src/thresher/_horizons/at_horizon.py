"""What several horizons share: the rows known, the incidence of the event, limits on the logit scale."""

from __future__ import annotations

import math

import numpy as np
import scipy

from thresher._horizons.roc_over_time import HorizonValue
from thresher._table import Outcome
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure
from thresher.typing import FloatArray

__all__ = ["incidence_at", "known_rows", "logit_ends"]


def known_rows(rows: Outcome) -> tuple[int, int]:
    """Return how many cases and controls are known."""
    cases = int(np.count_nonzero(rows.positive & rows.kept))
    return cases, int(np.count_nonzero(rows.kept)) - cases


def incidence_at(rows: Outcome) -> tuple[float, FloatArray]:
    """Return the probability of the event by the horizon, with its influence values by unit."""
    if rows.horizon.controls == "event-free" and rows.entry is not None:
        raise InvalidInputError(
            "The weights of the horizons are not known with `entry` and controls='event-free'. Hint: controls='all'."
        )
    total = float(rows.v.sum() if rows.horizon.controls == "event-free" else rows.mass.sum())
    cases = np.where(rows.positive, rows.mass, 0.0)
    share = float(cases.sum()) / total
    if rows.horizon.controls == "all":
        return share, rows.by_unit(rows.chained((cases - share * rows.mass) / total))
    return share, rows.by_unit(rows.chained(cases / total) - share * rows.v / total)


def logit_ends(found: HorizonValue, measure: Measure, reach: float) -> tuple[float, float]:
    """Return limits that reach so many standard errors to both sides, on the logit scale of a bounded measure."""
    least, most = measure.bounds
    error = math.sqrt(found.variance)
    if not (math.isfinite(least) and math.isfinite(most)):
        return found.value - reach * error, found.value + reach * error
    share = (found.value - least) / (most - least)
    if not 0.0 < share < 1.0:
        return least, most  # nothing shows how such a value varies
    step = reach * error / (most - least) / (share * (1.0 - share))
    centre = float(scipy.special.logit(share))
    low, high = (float(scipy.special.expit(centre + sign * step)) for sign in (-1.0, 1.0))
    return least + (most - least) * low, least + (most - least) * high
