"""The value of any measure for a population of scores: in closed form, or from fine tables of its distributions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import (
    Confusion,
    ExpectedAveragePrecision,
    FprAtRecall,
    Gini,
    Measure,
    PrAuc,
    PrecisionAtRecall,
    RecallAtFpr,
    RocAuc,
)

_CELLS = 1 << 15
_CLOSE = 1e-6
_ROWS = 1e9  # as many rows stand in a table of a population, so that no class is small


def population_table(population: Any, measure: Measure, cells: int = _CELLS) -> Counts:
    """Return a table of a population; cells divide each class into equal parts and end at the measure's threshold."""
    share = population.prevalence
    if share is None:
        if measure.needs_balance:
            raise InvalidInputError(
                f"{measure.title!r} depends on the prevalence; this population has none. "
                "Hint: `population.with_prevalence(0.1)`."
            )
        share = 0.5
    inner = np.arange(1, cells) / cells
    both = (population.pos, population.neg)
    ends = np.concatenate([np.asarray(side.isf(inner), dtype=np.float64) for side in both])
    if measure.cut is not None:
        ends = np.append(ends, measure.cut)
    ends = np.unique(ends[np.isfinite(ends)])[::-1]
    masses = []
    for side, weight in zip(both, (share, 1.0 - share), strict=True):
        # A cell holds the scores from its lower end, included, up to the next higher end.
        above = np.append(np.asarray(side.sf(np.nextafter(ends, -np.inf)), dtype=np.float64), 1.0)
        masses.append(np.diff(above, prepend=0.0).clip(0.0) * weight * _ROWS)
    scores = np.append(ends, np.nextafter(ends[-1], -np.inf))
    if measure.needs == "scores":  # a cell of scores stands for its middle
        upper = np.append(ends[0], ends)
        inside = [(masses[0] + masses[1]) > 0.0, upper > scores]
        scores = np.where(inside[0] & inside[1], (scores + upper) / 2.0, scores)
        scores = np.where(np.append(True, np.diff(scores) < 0.0), scores, np.nextafter(scores, -np.inf))
    some = masses[0] + masses[1] > 0.0
    return Counts._from_table((scores[some], masses[0][some], masses[1][some]))


def _by_tables(measure: Measure, population: Any) -> float:
    """Return the value of a population, from tables of which one is twice as fine; refused if they disagree."""
    coarse, fine = (measure.of(population_table(population, measure, cells)) for cells in (_CELLS // 2, _CELLS))
    if not math.isclose(coarse, fine, rel_tol=_CLOSE, abs_tol=_CLOSE):
        raise InvalidInputError(
            f"{measure.title!r} has no population value here: tables of this population give {coarse:.6g} and "
            f"{fine:.6g}. Hint: `population.sample(n)` gives samples to measure."
        )
    return fine


def value_of(measure: Measure, population: Any) -> float:
    """Return the value that samples of a population estimate."""
    match measure:
        case RocAuc():
            return float(population.roc_auc())
        case Gini():
            return 2.0 * float(population.roc_auc()) - 1.0
        case ExpectedAveragePrecision():  # of infinitely many tied rows in random order
            return float(population.pr_auc())
        case PrecisionAtRecall():
            return float(population.pr(measure.recall, prevalence=measure.prevalence))
        case RecallAtFpr():
            return float(population.roc(measure.fpr))
        case FprAtRecall():
            return float(population.fpr_at(measure.recall))
        case PrAuc():
            known = "interpolated" if measure.estimator == "unit_steps" else measure.estimator
            if measure.recall is None and not measure.normalize and known not in ("achievable", "trapezoid"):
                return float(population.pr_auc(prevalence=measure.prevalence, estimator=known))
            measure = replace(measure, estimator=known)
        case Confusion() if measure.cells.degree:
            raise InvalidInputError(
                f"{measure.title!r} grows with the number of rows; a population has no number. Hint: 'phi_square'."
            )
    return _by_tables(measure, population)
