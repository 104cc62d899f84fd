"""`thresher auc`: every area with its interval."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from cyclopts import Parameter

import thresher as th
from thresher._core.checks import show
from thresher._table import check_two_classes
from thresher.cli._errors import UsageError, within
from thresher.cli._options import (
    File,
    Format,
    GroupedSelection,
    Level,
    Share,
    counts_only,
    groups_of,
    models_of,
    read_groups,
    read_models,
    read_selected,
)
from thresher.cli._output import number, print_rows, printable
from thresher.cli._progress import Work, working
from thresher.exceptions import UndefinedMetricError
from thresher.measures import PR_ESTIMATORS, Estimate

__all__ = ["auc"]

_GATE_FAILED = 3
_GATES = ("roc_auc", *PR_ESTIMATORS)
_TITLES = {"roc_auc": "AUC-ROC", "interpolated": "AUC-PR"}
_WHOLE_ONLY = ("unit_steps",)  # needs counts, not sums of weights


def auc(
    file: File,
    /,
    *,
    selection: GroupedSelection = GroupedSelection(),
    prevalence: Share = None,
    confidence_level: Level = 0.95,
    fail_under: Annotated[tuple[str, ...], Parameter(name="--fail-under", negative=(), show_default=False)] = (),
    all: Annotated[bool, Parameter(negative=())] = False,  # the option's name
    format: Format = "table",  # the option's name
) -> int:
    """Print the ROC and the PR area of every model in a file, with confidence intervals; all areas with --all.

    Example: thresher auc scores.csv --y-true label --fail-under roc_auc=0.8

    Parameters
    ----------
    file
        CSV, TSV, Parquet, JSON lines, Arrow, Feather or NPZ; "-" reads standard input.
    prevalence
        The share of positives where the classifier will be used, such as 0.01 or 1/100; PR areas refer to it.
    confidence_level
        Strictly between 0 and 1.
    fail_under
        AREA=VALUE: exit with code 3 when the lower end of that area's interval is below the value, for any model.
        AREA is roc_auc, interpolated (or pr_auc), average_precision, achievable, functional, trapezoid or unit_steps.
    all
        A row for every area of every model, with the method of its interval; json and csv always have them.
    format
        A table to read, or json or csv for programs.
    """
    gates = dict(_gate(text) for text in fail_under)
    every = all or format != "table"
    wanted = _GATES if every else _shown_areas(gates)
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    with working() as work:
        models, grouped = _read(file, selection, work)
        for name, scores in models.items():
            with within(f"{show(file, 200)}, model {show(name)}"), work.stage(f"areas of {show(name)}"):
                check_two_classes(scores, "The area under a curve")
                found, said = _rows(name, scores, wanted, prevalence, confidence_level)
            rows += found
            notes += [f"{printable(name)}: {line}" for line in said]
        if grouped is not None:
            rows = _in_group(None, rows)
            for group, parts in grouped:
                rows += _in_group(group, _rows_of_each(parts, wanted, prevalence, confidence_level))
    print_rows(rows if every else _one_line_each(rows), format, notes=notes if format == "table" else ())
    return _judged(rows, gates, confidence_level)


def _shown_areas(gates: Mapping[str, float]) -> tuple[str, ...]:
    """Return the areas that a table has, and those that a gate asks for."""
    return tuple(area for area in _GATES if area in gates or area in _TITLES)


def _read(
    file: str, selection: GroupedSelection, work: Work
) -> tuple[dict[str, th.Scores], Iterable[tuple[str, dict[str, th.Scores]]] | None]:
    """Return the models of all rows, and those of each group where groups are asked for."""
    if counts_only(file) or selection.group is None:
        counted = read_models(file, selection, work)
        grouped = None if selection.group is None else read_groups(file, selection, work)
    else:
        columns = read_selected(file, selection, work)
        counted = dict(models_of(columns, selection.pos_label, work))
        grouped = groups_of(columns, selection.pos_label)
    return counted, grouped


def _rows_of_each(
    models: Mapping[str, th.Scores], areas: Sequence[str], prevalence: float | None, level: float
) -> list[dict[str, Any]]:
    return [row for name, scores in models.items() for row in _rows(name, scores, areas, prevalence, level)[0]]


def _in_group(group: str | None, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with their group behind the model."""
    return [{"model": row["model"], "group": group, **row} for row in rows]


def _one_line_each(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each model, and group, with both areas and their intervals."""
    out: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        whose: dict[str, Any] = {name: row[name] for name in ("model", "group") if name in row}
        line = out.setdefault(tuple(whose.values()), whose)
        if row["area"] in _TITLES:
            title = _TITLES[row["area"]]
            line[title] = row["value"]
            known = row["low"] is not None
            line[f"{title} interval"] = f"{number(row['low'])} to {number(row['high'])}" if known else row["method"]
    return list(out.values())


def _rows(
    model: str, scores: th.Scores, areas: Sequence[str], prevalence: float | None, level: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return one row for each area, and what a reader should know of them."""
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for estimator in areas:
        if scores.weighted and estimator in _WHOLE_ONLY:
            continue
        try:
            area = _with_prevalence(th.measures.as_measure(estimator), prevalence).estimate(scores)
        except UndefinedMetricError as error:
            rows.append(_row(model, estimator, None, None, None, "undefined"))
            notes[:] = [str(error)]
            continue
        rows.append(_measured(model, estimator, area, level))
        if area.measure == th.measures.PrAuc(prevalence=prevalence):
            notes += area.remarks()
    return rows, notes


def _with_prevalence(measure: th.measures.Measure, prevalence: float | None) -> th.measures.Measure:
    return replace(measure, prevalence=prevalence) if isinstance(measure, th.measures.PrAuc) else measure


def _measured(model: str, estimator: str, area: Estimate, level: float) -> dict[str, Any]:
    try:
        interval = area.confidence_interval(level)
    except UndefinedMetricError:
        return _row(model, estimator, area.value, None, None, "no interval: too few cases")
    return _row(model, estimator, area.value, interval.low, interval.high, interval.method)


def _row(
    model: str, estimator: str, value: float | None, low: float | None, high: float | None, method: str
) -> dict[str, Any]:
    return {"model": model, "area": estimator, "value": value, "low": low, "high": high, "method": method}


def _judged(rows: list[dict[str, Any]], gates: dict[str, float], level: float) -> int:
    """Return the exit code; a gate does not pass for want of an interval."""
    failed = [row for row in rows if row["area"] in gates and not (row["low"] or 0.0) >= gates[row["area"]]]
    for row in failed:
        whose = f"{row['area']} of {printable(row['model'])}"
        if row.get("group") is not None:
            whose += f" in group {printable(row['group'])}"
        known = f"is at least {row['low']:.6g} with confidence {level:g}" if row["low"] is not None else row["method"]
        sys.stderr.write(f"gate failed: {whose} {known}, required {gates[row['area']]:g}\n")
    return _GATE_FAILED if failed else 0


def _gate(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name == "pr_auc":
        name = "interpolated"
    try:
        limit = float(value)
    except ValueError:
        limit = float("nan")
    if name not in _GATES or not 0 <= limit <= 1:
        raise UsageError(
            f"--fail-under must be AREA=VALUE with a value in [0, 1]; got {show(text)}. "
            f"Hint: for example roc_auc=0.8; areas are {', '.join(_GATES)}."
        )
    return name, limit
