"""Every area of a model, and why estimators of the same area differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from thresher._core.hyperbola import hyperbola_area
from thresher._report.plain_data import Area
from thresher._report.words import percent
from thresher._table import Counts, padded_counts
from thresher.measures import Measure, PartialRocAuc, PrAuc, as_measure, linear_area

AREA_LABELS: dict[str, tuple[str, str]] = {
    "roc_auc": (
        "ROC AUC",
        "The probability that a random positive scores above a random negative; ties count one half.",
    ),
    "partial_roc_auc": (
        "ROC AUC up to FPR 0.1",
        "The strict end of the curve only, standardized (McClish): 1 is perfect, 0.5 is chance.",
    ),
    "interpolated": (
        "PR AUC, interpolated",
        (
            "The exact integral of the Davis–Goadrich curve: what thresholds, and random choices between two, achieve. "
            "The others are measured against it."
        ),
    ),
    "average_precision": (
        "Average precision",
        "Holds the precision of the next threshold over each step, so wide steps (ties) are judged by their far end.",
    ),
    "trapezoid": (
        "Trapezoid",
        (
            "Straight lines from an invented point (recall 0, precision 1). No classifier reaches them; "
            "too high wherever a step is wide."
        ),
    ),
    "functional": ("Functional (Hughes-Oliver)", "Lets positives win their ties with negatives."),
    "achievable": (
        "PR AUC, achievable",
        "The ROC convex hull seen in PR space: optimistic on the data that made the hull.",
    ),
}
"""The rows of the areas table: label, and what the row means."""

_WORTH_SAYING = 5e-4
_WORTH_EXPLAINING = 5e-3
_LEADING = 0.1
MEASURES = {key: as_measure(key) for key in AREA_LABELS if key != "partial_roc_auc"}
MEASURES["partial_roc_auc"] = PartialRocAuc(fpr=(0.0, 0.1), standardize=True)

Interval = Callable[[Any], tuple[float, float, str] | None]
"""Returns low, high and the method for an estimate, or None where there is no interval."""


def at_prevalence(measure: Measure, prevalence: float | None) -> Measure:
    """Return the measure at a prevalence, where it depends on one."""
    return replace(measure, prevalence=prevalence) if isinstance(measure, PrAuc) else measure


def area_of(counts: Counts, key: str, interval: Interval, prevalence: float | None = None) -> Area:
    """Return one area of a model, by a key of `AREA_LABELS`."""
    estimate = at_prevalence(MEASURES[key], prevalence).estimate(counts)
    return Area(key, estimate.value, None, "", *(interval(estimate) or (None, None, None)))


def areas_of(counts: Counts, interval: Interval, prevalence: float | None = None) -> dict[str, Area]:
    """Return every area of a model, by the keys of `AREA_LABELS`; PR areas at a prevalence if one is given."""
    out: dict[str, Area] = {}
    reference: float | None = None
    for key in AREA_LABELS:
        estimate = at_prevalence(MEASURES[key], prevalence).estimate(counts)
        low, high, method = interval(estimate) or (None, None, None)
        if key == "interpolated":
            reference = estimate.value
        elif reference is not None:
            reason = why_different(counts, key, estimate.value - reference, prevalence)
            out[key] = Area(key, estimate.value, reference, reason, low, high, method)
            continue
        out[key] = Area(key, estimate.value, None, "", low, high, method)
    return out


def why_different(counts: Counts, estimator: str, difference: float, prevalence: float | None = None) -> str:
    """Say where a difference from the interpolated area arises that the third digit shows."""
    if abs(difference) < _WORTH_SAYING or estimator not in ("average_precision", "trapezoid", "functional"):
        return ""
    gaps, rows = _gaps(counts, estimator, prevalence)
    if difference < 0:
        gaps = -gaps
    lead = int(np.argmax(gaps))
    row = int(rows[lead])
    share = float(gaps[lead] / np.abs(difference) / counts.n_pos)
    if share < _LEADING:
        return "spread over many small steps" if abs(difference) >= _WORTH_EXPLAINING else ""
    held = f"{_count(counts.pos[row], 'positive')} and {_count(counts.neg[row], 'negative')} share"
    if counts._weighted:
        of_each = percent(float(counts.pos[row] / counts.n_pos)), percent(float(counts.neg[row] / counts.n_neg))
        held = f"{of_each[0]} of the positives and {of_each[1]} of the negatives share"
    much = "mostly" if share > 1.005 else f"{share:.0%} of it"
    return f"{much} at score {counts.thresholds[row]:.4g}, which {held}"


def _gaps(counts: Counts, estimator: str, prevalence: float | None) -> tuple[Any, Any]:
    """Return what each rising step adds to an estimator beyond the interpolated area, and the step's row."""
    tp, fp = (part.astype(np.float64) for part in padded_counts(counts))
    if prevalence is not None:
        fp = fp * ((1.0 - prevalence) / prevalence * (counts.n_pos / counts.n_neg))
    rows = np.flatnonzero(np.diff(tp) > 0)
    start, stop, low, high = tp[rows], tp[rows + 1], fp[rows], fp[rows + 1]
    exact = hyperbola_area(start, low, stop - start, high - low)
    if estimator == "average_precision":
        area = (stop - start) * (stop / (stop + high))
    elif estimator == "functional":
        area = hyperbola_area(start, low, stop - start, np.zeros_like(low))
    else:
        called = start + low
        first = np.where(called > 0, start / np.where(called > 0, called, 1.0), 1.0)
        area = linear_area(first, stop / (stop + high), stop - start)
    return area - exact, rows


def _count(value: Any, what: str) -> str:
    return f"{value:,} {what}" if value == 1 else f"{value:,} {what}s"
