"""`thresher decision-curve`: net benefit over threshold probabilities."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher.cli._errors import UsageError, within
from thresher.cli._options import File, Format, Level, Selection, Share
from thresher.cli._output import judged, print_rows, working
from thresher.cli._read import read_models


def decision_curve(
    file: File,
    /,
    *,
    selection: Selection = Selection(),
    low: Level = 0.01,
    high: Level = 0.99,
    points: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=10_000))] = 11,
    prevalence: Share = None,
    calibrate: Literal["hull"] | None = None,
    require_use: bool = False,
    confidence_level: Level = 0.95,
    format: Format = "table",  # the option's name
) -> int:
    """Net benefit of acting on a score, against acting on all and on none.

    Example: thresher decision-curve scores.csv --low 0.05 --high 0.3 --points 6

    Parameters
    ----------
    file
        Probabilities with their labels.
    low, high
        The range of probabilities at which one would act.
    points
        How many of them, evenly spaced.
    prevalence
        The proportion of positives where the score will be used.
    calibrate
        hull takes any scores and the best threshold on these data at each probability: optimistic.
    require_use
        Exit with code 3 unless every model beats both, with confidence, at every point.
    confidence_level
        Of the intervals.
    """
    if not low <= high:
        raise UsageError(f"--low must not be above --high; got {low:g} and {high:g}.")
    grid = np.linspace(low, high, points)
    with working() as work:
        models = read_models(file, selection, work)
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    for name, scores in models.items():
        with within(f"{show(file, 200)}, model {show(name)}"):
            curve = scores.decision_curve(grid, prevalence=prevalence, calibrate=calibrate)
            rows += _rows(name, curve, confidence_level)
            whole = ((float(curve.threshold_probability[0]), float(curve.threshold_probability[-1])),)
            if require_use and (calibrate is not None or curve.range_of_use(confidence_level) != whole):
                failed.append(name)
    notes = ["The hull was built on the data it is measured on, so net benefit is optimistic."] if calibrate else []
    print_rows(rows, format, notes=notes)
    return judged([f"{name} does not beat acting on all and on none over the whole range" for name in failed])


def _rows(model: str, curve: th.results.DecisionCurve, level: float) -> list[dict[str, Any]]:
    band = None if curve.calibrated else curve.band(level)
    return [
        {
            "model": model,
            "threshold_probability": float(p),
            "net_benefit": float(curve.net_benefit[i]),
            "low": None if band is None else float(band.low[i]),
            "high": None if band is None else float(band.high[i]),
            "treat_all": float(curve.treat_all[i]),
            "standardized": float(curve.standardized[i]),
            "avoided_per_100": float(curve.interventions_avoided[i]),
        }
        for i, p in enumerate(curve.threshold_probability)
    ]
