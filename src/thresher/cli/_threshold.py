"""`thresher threshold`: one operating point with its intervals, chosen on tuning data where there are any."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter

import thresher as th
from thresher.cli._options import Source, read_models
from thresher.cli._output import print_rows
from thresher.exceptions import InvalidInputError

__all__ = ["threshold"]

_RATES = ("recall", "precision", "fpr", "specificity", "f_beta", "predicted_positive_rate")
_SAME_DATA = (
    "The threshold was chosen on the data it is measured on, so its figures are optimistic. "
    "Hint: choose it on other rows with --tuning FILE."
)


def threshold(
    file: str,
    /,
    *,
    source: Source = Source(),  # noqa: B008  # frozen
    tuning: str | None = None,
    rule: Literal["youden", "closest_corner", "f_beta", "cost", "recall", "precision"] | None = None,
    min_recall: float | None = None,
    min_precision: float | None = None,
    max_fpr: float | None = None,
    max_alert_rate: float | None = None,
    alerts_per_day: Annotated[float | None, Parameter(name="--alerts-per-day")] = None,
    cases_per_day: Annotated[float | None, Parameter(name="--cases-per-day")] = None,
    beta: float = 1.0,
    fp_cost: float = 1.0,
    fn_cost: float = 1.0,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    format: Literal["table", "json", "csv"] = "table",  # the option's name
) -> None:
    """Choose a threshold by a rule and limits, and say what to expect of it.

    Example: thresher threshold test.csv --tuning validation.csv --min-recall 0.9

    Parameters
    ----------
    file
        The data on which the threshold is measured.
    tuning
        The data on which it is chosen; without it, the same data.
    rule
        What shall be best; by default precision under --min-recall, recall under other limits, else Youden's index.
    min_recall, min_precision, max_fpr, max_alert_rate
        Limits, as fractions.
    alerts_per_day, cases_per_day
        An alert budget: together they limit the alert rate.
    beta
        For the rule f_beta: how many times as much recall counts as precision.
    fp_cost, fn_cost
        For the rule cost: what a false alarm and what a miss costs.
    prevalence
        The share of positives where the threshold will be used.
    confidence_level
        Strictly between 0 and 1.
    format
        A table to read, or json or csv for programs.
    """
    rate = _alert_rate(max_alert_rate, alerts_per_day, cases_per_day)
    tested = read_models(file, source)
    tuned = tested if tuning is None else read_models(tuning, source)
    missing = [name for name in tested if name not in tuned]
    if missing:
        raise InvalidInputError(f"{tuning!r} must have the models of {file!r}; {missing[0]!r} is missing.")
    rows: list[dict[str, Any]] = []
    for name, scores in tested.items():
        chosen = tuned[name].choose_threshold(
            rule,
            min_recall=min_recall,
            min_precision=min_precision,
            max_fpr=max_fpr,
            max_alert_rate=rate,
            beta=beta,
            fp_cost=fp_cost,
            fn_cost=fn_cost,
            prevalence=prevalence,
        )
        rows += _rows(name, scores, chosen.threshold, beta, prevalence, confidence_level)
    print_rows(rows, format, notes=[_SAME_DATA] if tuning is None else [])


def _rows(
    model: str, scores: th.Scores, cut: float, beta: float, prevalence: float | None, level: float
) -> list[dict[str, Any]]:
    point = scores.pr(prevalence=prevalence).at(threshold=cut)
    rows: list[dict[str, Any]] = []
    for rate in _RATES:
        shifted = prevalence is not None and rate in ("precision", "f_beta", "predicted_positive_rate")
        value = point.f_beta(beta) if rate == "f_beta" else getattr(point, _ATTRIBUTES.get(rate, rate))
        low: float | None = None
        high: float | None = None
        if not shifted:
            interval = th.rate_interval(
                rate, tp=point.tp, fp=point.fp, fn=point.fn, tn=point.tn, beta=beta, confidence_level=level
            )
            low, high = interval
        rows.append({"model": model, "threshold": float(cut), "figure": rate, "value": value, "low": low, "high": high})
    for cell in ("tp", "fp", "fn", "tn"):
        count = {"model": model, "threshold": float(cut), "figure": cell, "value": getattr(point, cell)}
        rows.append({**count, "low": None, "high": None})
    return rows


_ATTRIBUTES = {"predicted_positive_rate": "alert_rate"}


def _alert_rate(rate: float | None, alerts: float | None, cases: float | None) -> float | None:
    if (alerts is None) != (cases is None):
        raise InvalidInputError("--alerts-per-day and --cases-per-day must be given together.")
    if alerts is None or cases is None:
        return rate
    if not (cases > 0 and alerts >= 0):
        raise InvalidInputError(
            f"--cases-per-day must be positive and --alerts-per-day not negative; got {cases:g} and {alerts:g}."
        )
    return min(alerts / cases, 1.0) if rate is None else min(rate, alerts / cases)
