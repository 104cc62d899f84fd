"""`thresher auc`: every area with its interval."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

from cyclopts import Parameter

import thresher as th
from thresher._core.checks import show
from thresher.areas import PR_ESTIMATORS, AreaEstimate
from thresher.cli._options import Source, read_models
from thresher.cli._output import print_rows
from thresher.exceptions import InvalidInputError, UndefinedMetricError

__all__ = ["auc"]

_GATE_FAILED = 3
_GATES = ("roc_auc", *PR_ESTIMATORS)


def auc(
    file: str,
    /,
    *,
    source: Source = Source(),  # noqa: B008  # frozen
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    fail_under: Annotated[tuple[str, ...], Parameter(name="--fail-under", negative=())] = (),
    format: Literal["table", "json", "csv"] = "table",  # the option's name
) -> int:
    """Print every area of every model in a file, with confidence intervals.

    Example: thresher auc scores.csv --y-true label --fail-under roc_auc=0.8

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather or NPZ; "-" reads CSV from standard input.
    prevalence
        The share of positives where the classifier will be used; PR areas refer to it.
    confidence_level
        Strictly between 0 and 1.
    fail_under
        AREA=VALUE: exit with code 3 when the lower end of that area's interval is below the value, for any model.
        AREA is roc_auc, interpolated, average_precision, achievable, functional, trapezoid or unit_steps.
    format
        A table to read, or json or csv for programs.
    """
    gates = dict(_gate(text) for text in fail_under)
    models = read_models(file, source)
    rows, notes = [], []
    for name, scores in models.items():
        for area in _areas(scores, prevalence):
            rows.append(_row(name, area, confidence_level))
            notes += [f"{name}, {area.metric} ({area.estimator}): {line}" for line in area.remarks()]
    print_rows(rows, format, notes=notes if format == "table" else ())
    failed = [row for row in rows if row["area"] in gates and _lower(row) < gates[row["area"]]]
    for row in failed:
        sys.stderr.write(
            f"gate failed: {row['area']} of {row['model']} is at least {_lower(row):.6g} with confidence "
            f"{confidence_level:g}, below {gates[row['area']]:g}\n"
        )
    return _GATE_FAILED if failed else 0


def _areas(scores: th.Scores, prevalence: float | None) -> list[AreaEstimate]:
    areas = [scores.roc_auc()]
    for estimator in PR_ESTIMATORS:
        if not (estimator == "unit_steps" and scores.weighted):
            areas.append(scores.pr_auc(estimator=estimator, prevalence=prevalence))
    return areas


def _row(model: str, area: AreaEstimate, level: float) -> dict[str, Any]:
    try:
        interval = area.confidence_interval(level)
        low, high, method = interval.low, interval.high, interval.method
    except UndefinedMetricError:
        low, high, method = None, None, "undefined for so few cases"
    name = "roc_auc" if area.metric == "roc_auc" else area.estimator
    return {"model": model, "area": name, "value": area.value, "low": low, "high": high, "method": method}


def _lower(row: dict[str, Any]) -> float:
    """Return the lower end, or the worst there is when no interval could be given: a gate must not pass by default."""
    return 0.0 if row["low"] is None else float(row["low"])


def _gate(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name == "pr_auc":
        name = "interpolated"
    try:
        limit = float(value)
    except ValueError:
        limit = float("nan")
    if name not in _GATES or not 0 <= limit <= 1:
        raise InvalidInputError(
            f"--fail-under must be AREA=VALUE with a value in [0, 1]; got {show(text)}. "
            f"Hint: for example roc_auc=0.8; areas are {', '.join(_GATES)}."
        )
    return name, limit
