"""`thresher auc`: every area, or any metric, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from cyclopts import Parameter

import thresher as th
from thresher._core.checks import held_warnings, show, warn
from thresher._table import check_two_classes
from thresher.cli._errors import UsageError, within
from thresher.cli._metric import OptionalMetric, options_shown
from thresher.cli._options import Confidence, Format, GroupedSelection, RowsFile, Seed
from thresher.cli._output import judged, number, print_rows, printable, working
from thresher.cli._read import read_parts
from thresher.exceptions import UndefinedMetricError
from thresher.measures import PR_ESTIMATORS, Estimate

_GATES = ("roc_auc", *PR_ESTIMATORS)
_FEW_NOTES = 2
"""Models whose notes are printed one by one."""
_TITLES = {"roc_auc": "ROC AUC", "interpolated": "PR AUC"}
_WHOLE_ONLY = ("unit_steps",)  # needs counts, not sums of weights


def auc(
    file: RowsFile,
    /,
    *,
    selection: GroupedSelection = GroupedSelection(),
    metric: OptionalMetric = OptionalMetric(),
    confidence_level: Confidence = 0.95,
    fail_under: Annotated[tuple[str, ...], Parameter(name="--fail-under", negative=(), show_default=False)] = (),
    all: Annotated[bool, Parameter(negative=())] = False,  # the option's name
    seed: Seed = 0,
    format: Format = "table",  # the option's name
) -> int:
    """Print the ROC and the PR area of every model in a file, or any metric, with confidence intervals.

    Example: thresher auc scores.csv --y-true label --fail-under roc_auc=0.8
    Example: thresher auc scores.csv --metric recall_at_fpr --fpr 0.05
    Example: thresher auc patients.csv --time days --event relapse --at 365 1825

    Parameters
    ----------
    fail_under
        NAME=VALUE: exit with code 3 if the lower limit of that area's interval is below the value, for any model.
        NAME is roc_auc, interpolated (or pr_auc), average_precision, achievable, functional, trapezoid or unit_steps;
        or the metric of --metric.
    all
        A row for every area of every model, with the method of its interval; json and csv always have them.
    seed
        Makes intervals by resampling repeatable.
    """
    measure = metric.measure()
    gates = dict(_gate(text, measure) for text in fail_under)
    every = all or format != "table" or measure is not None
    asked = _Asked.of(measure, _GATES if every else _shown_areas(gates), metric.prevalence, confidence_level, seed)
    rows: list[dict[str, Any]] = []
    said: dict[str, list[str]] = {}
    with working() as work:
        for t, models, grouped, _ in read_parts(file, selection, work):
            measured: list[dict[str, Any]] = []
            for name, scores in models.items():
                with within(f"{show(file, 200)}, model {show(name)}"), work.stage(f"measuring {show(name)}"):
                    if measure is None:
                        check_two_classes(scores, "The area under a curve")
                    else:
                        measure.estimate(scores)
                    found, remarks = asked.rows(name, scores)
                measured += found
                if remarks:
                    said[printable(name) + ("" if t is None else f" at t = {t:g}")] = remarks
            if grouped is not None:
                measured = _in_group(None, measured)
                for group, parts in grouped:
                    own = [row for name, scores in parts.items() for row in asked.rows(name, scores)[0]]
                    measured += _in_group(group, own)
            rows += measured if t is None else [{"model": row["model"], "t": t, **row} for row in measured]
    title = "" if measure is None else measure.described()
    shown = asked.shown(rows, format) if every else _one_line_each(rows)
    print_rows(shown, format, title=title, notes=_notes(said) if format == "table" else ())
    return _judged(rows, gates, confidence_level)


def _notes(said: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the remarks by model; of many models that have some, one line."""
    if len(said) <= _FEW_NOTES:
        return [f"{name}: {line}" for name, lines in said.items() for line in lines]
    name, (first, *_) = next(iter(said.items()))
    return [f"{len(said)} of the models have notes, such as {name}: {first}. Name a model with --y-score for its own."]


def _shown_areas(gates: Mapping[str, float]) -> tuple[str, ...]:
    """Return the areas that a table has, and those that a gate asks for."""
    return tuple(area for area in _GATES if area in gates or area in _TITLES)


def _in_group(group: str | None, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with their group behind the model."""
    return [{"model": row["model"], "group": group, **row} for row in rows]


def _one_line_each(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each model, and group, with both areas and their intervals."""
    out: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        whose: dict[str, Any] = {name: row[name] for name in ("model", "t", "group") if name in row}
        line = out.setdefault(tuple(whose.values()), whose)
        if row["area"] in _TITLES:
            title = _TITLES[row["area"]]
            line[title] = row["value"]
            known = row["low"] is not None
            line[f"{title} interval"] = f"{number(row['low'])} to {number(row['high'])}" if known else row["method"]
    return list(out.values())


@dataclass(frozen=True)
class _Asked:
    """What is measured of each model, by the names that rows and gates have for it."""

    measures: Mapping[str, th.measures.Measure]
    areas: bool
    level: float
    seed: int

    @classmethod
    def of(
        cls,
        measure: th.measures.Measure | None,
        areas: Sequence[str],
        prevalence: float | None,
        level: float,
        seed: int,
    ) -> _Asked:
        """Return the one metric that is asked for, or areas at a prevalence."""
        if measure is not None:
            return cls({measure.title: measure}, False, level, seed)
        found = {area: _with_prevalence(th.measures.as_measure(area), prevalence) for area in areas}
        return cls(found, True, level, seed)

    def rows(self, model: str, scores: th.Scores) -> tuple[list[dict[str, Any]], list[str]]:
        """Return one row for each measure, and what a reader should know of them."""
        rows: list[dict[str, Any]] = []
        notes: list[str] = []
        for name, measure in self.measures.items():
            if scores._weighted and name in _WHOLE_ONLY:
                continue
            try:
                estimate = measure.estimate(scores)
            except UndefinedMetricError as error:
                rows.append(_row(model, name, None, None, None, "undefined"))
                notes[:] = [str(error)]
                continue
            rows.append(self._measured(model, name, estimate))
            if not self.areas or name == "interpolated":
                notes += estimate.remarks()
        return rows, notes

    def _measured(self, model: str, name: str, estimate: Estimate) -> dict[str, Any]:
        try:
            with held_warnings() as held:
                interval = estimate.confidence_interval(self.level, rng=self.seed)
        except UndefinedMetricError:
            return _row(model, name, estimate.value, None, None, "no interval: too few cases")
        for note, _ in held:  # all of them: the command has no `.remarks()`
            warn(note)
        return _row(model, name, estimate.value, interval.low, interval.high, interval.method)

    def shown(self, rows: list[dict[str, Any]], form: str) -> list[dict[str, Any]]:
        """Return rows with the name of the area, or with the metric and its options."""
        if self.areas:
            return rows
        (measure,) = self.measures.values()
        about = options_shown(measure, form)
        return [{**_whose(row), **about, **{k: v for k, v in row.items() if k != "area"}} for row in rows]


def _whose(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("model", "t") if name in row}


def _with_prevalence(measure: th.measures.Measure, prevalence: float | None) -> th.measures.Measure:
    return replace(measure, prevalence=prevalence) if isinstance(measure, th.measures.PrAuc) else measure


def _row(
    model: str, name: str, value: float | None, low: float | None, high: float | None, method: str
) -> dict[str, Any]:
    return {"model": model, "area": name, "value": value, "low": low, "high": high, "method": method}


def _judged(rows: list[dict[str, Any]], gates: dict[str, float], level: float) -> int:
    """Return the exit code; a gate does not pass for want of an interval."""
    failed = []
    for row in (row for row in rows if row["area"] in gates and not (row["low"] or 0.0) >= gates[row["area"]]):
        whose = f"{row['area']} of {printable(row['model'])}"
        if row.get("group") is not None:
            whose += f" in group {printable(row['group'])}"
        known = f"is at least {row['low']:.6g} with confidence {level:g}" if row["low"] is not None else row["method"]
        failed.append(f"{whose} {known}, required {gates[row['area']]:g}")
    return judged(failed)


def _gate(text: str, measure: th.measures.Measure | None) -> tuple[str, float]:
    """Return the name and the least value of a gate."""
    name, _, value = text.partition("=")
    if name == "pr_auc" and measure is None:
        name = "interpolated"
    names = _GATES if measure is None else (measure.title,)
    least, most = (0.0, 1.0) if measure is None else measure.bounds
    if measure is not None and measure.better == "lower":
        raise UsageError(
            f"--fail-under must be of a metric of which higher values are better; got {measure.title}. "
            "Hint: `thresher gate` compares losses and errors with those of a base."
        )
    try:
        limit = float(value)
    except ValueError:
        limit = float("nan")
    if name not in names or not least <= limit <= most:
        kind, listed = ("AREA", f"areas are {', '.join(names)}") if measure is None else ("METRIC", f"it is {names[0]}")
        raise UsageError(
            f"--fail-under must be {kind}=VALUE with a value in [{least:g}, {most:g}]; got {show(text)}. "
            f"Hint: for example {names[0]}=0.8; {listed}."
        )
    return name, limit
