"""A metric of the confusion matrix at every threshold, as numbers or as a figure: `thresher curve --metric`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher._decide import MetricCurve
from thresher.cli._errors import UsageError
from thresher.cli._figure import FIGURES, write_metric_figure
from thresher.cli._metric import OptionalMetric, measure_of
from thresher.exceptions import InvalidInputError
from thresher.measures import takes

__all__ = ["Wanted", "wanted", "write_metric"]

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Wanted:
    """A metric without a threshold, and its options."""

    name: str
    title: str
    prevalence: float | None
    options: Mapping[str, Any]


def wanted(metric: OptionalMetric) -> Wanted | None:
    """Return the metric that is asked for; None if none is."""
    if metric.metric is None:
        metric.measure()  # refuses options without it
        return None
    given = metric.given()
    if "threshold" in given:
        raise UsageError(
            "--threshold must not be given for a curve, which has every threshold. "
            "Hint: `thresher auc --metric` is the metric at one."
        )
    if "threshold" not in takes(metric.metric):
        measure_of(metric.metric, given)  # refuses names that there are not
        raise UsageError(
            f"--metric must be one of the confusion matrix for a curve, such as f1 or mcc; got {metric.metric}. "
            f"Hint: `thresher auc --metric {metric.metric}` computes it."
        )
    measure = measure_of(metric.metric, {**given, "threshold": 0.0})
    shown = [f"{name} {one:g}" for name, one in measure.shown.items() if name != "threshold"]
    title = f"{measure.title} ({', '.join(shown)})" if shown else measure.title
    return Wanted(metric.metric, title, given.pop("prevalence", None), given)


def write_metric(
    models: Mapping[str, th.Scores], asked: Wanted, output: Path, *, level: float | None
) -> tuple[Columns, bool] | None:
    """Write a metric at every threshold: draw a figure, or return the table and whether its counts are whole."""
    curves = {
        name: scores.metric_curve(asked.name, prevalence=asked.prevalence, **asked.options)
        for name, scores in models.items()
    }
    bands = {} if level is None else {name: _band(curve, level) for name, curve in curves.items()}
    if output.suffix.lower() in FIGURES:
        write_metric_figure(curves, asked.title, output, bands=bands)
        return None
    tables = [_table(name, models[name], curve, asked.title, bands.get(name)) for name, curve in curves.items()]
    table = {key: np.concatenate([part[key] for part in tables]) for key in tables[0]}
    return table, all(scores._whole for scores in models.values())


def _band(curve: MetricCurve, level: float) -> th.results.CurveBand:
    try:
        return curve.band(confidence_level=level)
    except InvalidInputError as error:
        problem, _, _ = str(error).partition(" Hint:")
        raise InvalidInputError(f"{problem} Hint: --no-bands writes the curve alone.") from None


def _table(name: str, scores: th.Scores, curve: MetricCurve, title: str, band: th.results.CurveBand | None) -> Columns:
    """Return a row for each threshold, with limits at those that the band has."""
    roc, size = scores.roc(), curve.thresholds.size
    low, high = np.full((2, size), np.nan)
    if band is not None:
        place = np.searchsorted(-curve.x, -band.x)
        low[place], high[place] = band.low, band.high
    return {
        "model": np.full(size, name, dtype=object),
        "metric": np.full(size, title, dtype=object),
        "threshold": curve.x,
        "tp": roc.tp.astype(np.float64),
        "fp": roc.fp.astype(np.float64),
        "value": curve.values[0],
        "low": low,
        "high": high,
    }
