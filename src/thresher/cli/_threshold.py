"""`thresher threshold`: one operating point with its intervals, chosen on tuning data where there are any."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Annotated, Any

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher._core.decimals import threshold_text
from thresher._decide import target_of, warn_shared
from thresher.cli._errors import UsageError, usage, within
from thresher.cli._metric import named_options
from thresher.cli._options import File, Format, Level, Rate, Selection, Share
from thresher.cli._output import Shown, print_rows, working
from thresher.cli._read import is_counts, read_models
from thresher.exceptions import InvalidInputError

_RATES = ("recall", "precision", "fpr", "specificity", "f_beta", "predicted_positive_rate")
_ATTRIBUTES = {"predicted_positive_rate": "alert_rate"}
_SAME_DATA = (
    "The threshold was chosen on the data it is measured on, so its metrics are optimistic. "
    "Hint: choose it on other rows with --tuning FILE."
)


@Parameter(name="*")
@dataclass(frozen=True)
class GoalOptions:
    """What the threshold must achieve.

    Parameters
    ----------
    maximize
        The metric of the confusion matrix to maximize, such as f1 or mcc. By default precision under --min-recall,
        recall under other constraints, else the Youden index.
    minimize
        The metric to minimize instead, such as cost or error.
    min_recall
        The least recall, as a fraction.
    min_precision
        The least precision.
    max_fpr
        The largest false positive rate.
    min_specificity
        The least specificity: 0.9 is --max-fpr 0.1.
    max_alert_rate
        The largest proportion of cases that are predicted positive.
    constraint
        Any other constraint, such as min_npv=0.95 or max_fdr=0.1. May be repeated.
    alerts_per_day
        An alert budget: with --cases-per-day it limits the alert rate.
    cases_per_day
        How many cases there are a day.
    beta
        For f_beta: how many times as much recall counts as precision.
    cost_fp
        For cost: the cost of a false positive.
    cost_fn
        For cost: the cost of a false negative.
    prevalence
        The prevalence at which the threshold will be used.
    option
        Any other option of the metric as name=value, such as r=0.3 for kappa_r. May be repeated.
    """

    maximize: str | None = None
    minimize: str | None = None
    min_recall: Rate = None
    min_precision: Rate = None
    max_fpr: Rate = None
    min_specificity: Rate = None
    max_alert_rate: Rate = None
    constraint: Annotated[tuple[str, ...], Parameter(name="--constraint", negative=(), show_default=False)] = ()
    alerts_per_day: Annotated[float | None, Parameter(validator=validators.Number(gte=0))] = None
    cases_per_day: Annotated[float | None, Parameter(validator=validators.Number(gt=0))] = None
    beta: Annotated[float | None, Parameter(validator=validators.Number(gt=0))] = None
    cost_fp: Annotated[float | None, Parameter(validator=validators.Number(gte=0))] = None
    cost_fn: Annotated[float | None, Parameter(validator=validators.Number(gte=0))] = None
    prevalence: Share = None
    option: Annotated[tuple[str, ...], Parameter(name="--option", negative=(), show_default=False)] = ()

    def limits(self) -> dict[str, Any]:
        """Return the metric and the constraints by the names that the library has for them."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        options = named_options(given.pop("option"))
        for text in given.pop("constraint"):
            name, sign, number = text.partition("=")
            if not sign or not name.startswith(("min_", "max_")):
                raise UsageError(f"--constraint must be like min_npv=0.95; got {show(text)}.")
            try:
                given[name.strip()] = float(number)
            except ValueError:
                raise UsageError(f"--constraint must end in a number; got {show(text)}.") from None
        rate = _alert_rate(given["max_alert_rate"], given.pop("alerts_per_day"), given.pop("cases_per_day"))
        return {**given, "max_alert_rate": rate, **options}


def threshold(
    file: File,
    /,
    *,
    selection: Selection = Selection(),
    tuning: File | None = None,
    goal: GoalOptions = GoalOptions(),
    confidence: Annotated[float | None, Parameter(validator=validators.Number(gt=0, lt=1))] = None,
    confidence_level: Level = 0.95,
    format: Format = "table",  # the option's name
) -> None:
    """Choose a threshold by a metric and constraints, and say what to expect of it.

    Example: thresher threshold test.csv --tuning validation.csv --min-recall 0.9

    Parameters
    ----------
    file
        The data on which the threshold is measured.
    tuning
        The data on which it is chosen; without it, the same data.
    confidence
        Guarantee the limits for the population: choose so that they hold there in this proportion of tuning samples.
    confidence_level
        Level of the intervals. Strictly between 0 and 1.
    """
    limits = goal.limits()
    with usage():
        title = target_of(**limits).described()
    tested, tuned = _read(file, tuning, selection)
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for name, scores in tested.items():
        with within(f"{show(tuning or file, 200)}, model {show(name)}"):
            chosen = tuned[name].choose_threshold(**limits, confidence=confidence)
        with within(f"{show(file, 200)}, model {show(name)}"):
            rows += _rows(name, scores, chosen, goal.beta or 1.0, goal.prevalence, confidence_level)
        if chosen.predicts_nothing:
            notes.append(
                f"{name}: at the threshold chosen, no row of {show(tuning or file, 200)} is predicted positive."
            )
        if chosen.guarantee is not None:
            notes.append(f"{name}: {chosen.guarantee}")
    print_rows(rows, format, title=f"Threshold of {title}", notes=[*notes, *([_SAME_DATA] if tuning is None else [])])


_Models = dict[str, th.Scores]


def _read(file: str, tuning: str | None, selection: Selection) -> tuple[_Models, _Models]:
    """Return the models to be measured, and the same ones to choose on."""
    with working() as work:
        tested = read_models(file, selection, work)
        if tuning is None:
            return tested, tested
        tuned = read_models(tuning, selection, work)
    if len(tested) == len(tuned) == 1 and (is_counts(file) or is_counts(tuning)):
        tuned = dict(zip(tested, tuned.values(), strict=True))  # counts are called by their file's name, whatever it is
    missing = [name for name in tested if name not in tuned]
    if missing:
        raise InvalidInputError(
            f"{show(tuning, 200)} must have the models of {show(file, 200)}; {show(missing[0])} is missing. "
            "Hint: choose the models of both with --y-score."
        )
    for name, scores in tested.items():
        _check_apart(name, scores, tuned[name], file, tuning)
    return tested, tuned


def _check_apart(model: str, tested: th.Scores, tuned: th.Scores, file: str, tuning: str) -> None:
    """Refuse and warn as `thresher.tune(...).evaluate(...)` does."""
    if tested == tuned:
        raise InvalidInputError(
            f"--tuning must hold other rows than those that are measured; got {show(tuning, 200)}, which holds the "
            f"rows of {show(file, 200)}, model {show(model)}. "
            "Hint: keep some rows apart, or leave out --tuning for an optimistic answer."
        )
    warn_shared(tuned, tested)


def _rows(
    model: str,
    scores: th.Scores,
    chosen: th.results.OperatingPoint,
    beta: float,
    prevalence: float | None,
    level: float,
) -> list[dict[str, Any]]:
    curve = scores.pr(prevalence=prevalence)
    nothing = math.isnan(chosen.threshold)
    point = curve.at(top=0) if nothing else curve.at(threshold=chosen.threshold)
    cut = Shown(chosen.threshold, _text(chosen, point))
    rows: list[dict[str, Any]] = []
    for rate in _RATES:
        shifted = prevalence is not None and rate in ("precision", "f_beta", "predicted_positive_rate")
        value = point.f_beta(beta) if rate == "f_beta" else getattr(point, _ATTRIBUTES.get(rate, rate))
        low: float | None = None
        high: float | None = None
        if not shifted:
            low, high = th.rate_interval(rate, point, beta=beta, confidence_level=level)
        rows.append({"model": model, "threshold": cut, "metric": rate, "value": value, "low": low, "high": high})
    for cell in ("tp", "fp", "fn", "tn"):
        count = {"model": model, "threshold": cut, "metric": cell, "value": getattr(point, cell)}
        rows.append({**count, "low": None, "high": None})
    return rows


def _text(chosen: th.results.OperatingPoint, measured: th.results.OperatingPoint) -> str:
    """Return the threshold in as few digits as make the same calls of the tuning data and of the data measured."""
    if math.isnan(chosen.threshold):
        return "none"
    known = [point.next_lower for point in (chosen, measured) if point.next_lower is not None]
    return threshold_text(float(chosen.threshold), max(known) if len(known) == 2 else None)


def _alert_rate(rate: float | None, alerts: float | None, cases: float | None) -> float | None:
    if (alerts is None) != (cases is None):
        raise UsageError("--alerts-per-day and --cases-per-day must be given together; got one of them.")
    if alerts is None or cases is None:
        return rate
    return min(1.0 if rate is None else rate, alerts / cases)
