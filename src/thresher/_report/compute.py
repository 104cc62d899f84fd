"""From count tables to the plain data of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from thresher._core.short_threshold import short_threshold
from thresher._curves import OperatingPoint, roc_curve
from thresher._report.area_table import areas_of
from thresher._report.calibration_part import calibration_part
from thresher._report.drawn_points import drawn_points, histogram_of, plain
from thresher._report.findings import findings_of, findings_of_set, sampling_text
from thresher._report.methods_text import methods_of, settings_of
from thresher._report.model_pairs import pairs_of
from thresher._report.plain_data import Difference, Model, ReportData
from thresher._report.references import references_of
from thresher._report.uncertainty import Uncertainty
from thresher._report.words import listed, number, percent, rate, short
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError

__all__ = ["build_data"]

_RECALLS = (0.5, 0.8, 0.9, 0.95, 0.99)


def build_data(
    tables: Mapping[str, Counts],
    *,
    title: str | None,
    prevalence: float | None,
    max_points: int,
    uncertainty: Uncertainty,
    differences: dict[tuple[str, str], Difference],
    comparison: dict[str, str],
) -> ReportData:
    """Return everything the page shows; arguments are trusted."""
    names = list(tables)
    models = [_model(name, counts, max_points, uncertainty) for name, counts in tables.items()]
    remarks = uncertainty.remarks
    found = [
        finding for model in models for finding in findings_of(model, tables[model.name], remarks.get(model.name, []))
    ]
    found += findings_of_set(models)
    rank = {"warning": 0, "caution": 1, "note": 2}
    found.sort(key=lambda finding: rank[finding.level])
    level = uncertainty.confidence_level
    methods = methods_of(models, level, comparison)
    return ReportData(
        title=_title(names) if title is None else title,
        summary=_summary(models),
        models=models,
        pairs=pairs_of(names, list(tables.values()), differences),
        findings=found,
        methods=methods,
        references=references_of(methods),
        settings=settings_of(models, uncertainty, max_points=max_points, comparison=comparison),
        confidence_level=level,
        prevalence=prevalence,
    )


def _model(name: str, counts: Counts, max_points: int, uncertainty: Uncertainty) -> Model:
    for side, total in (("positive", counts.n_pos), ("negative", counts.n_neg)):
        if not total > 0:
            raise UndefinedMetricError(
                f"A report needs both classes; model {short(name)!r} has {counts.n_pos:,} positives and "
                f"{counts.n_neg:,} negatives. Hint: there is no {side} row; check the labels and `pos_label`."
            )
    return Model(
        name=name,
        n_pos=counts.n_pos,
        n_neg=counts.n_neg,
        weighted=counts.weighted,
        sampling=sampling_text(counts),
        drawn=drawn_points(counts, max_points),
        histogram=histogram_of(counts),
        areas=areas_of(counts, partial(uncertainty.interval, name)),
        points=_points(counts),
        roc_band=uncertainty.roc_band(name, counts),
        pr_band=uncertainty.pr_band(name, counts),
        calibration=calibration_part(counts, uncertainty.confidence_level),
    )


def _points(counts: Counts) -> list[dict[str, Any]]:
    """Return the strictest threshold that reaches each of some recalls."""
    roc = roc_curve(counts)
    out = []
    for target in _RECALLS:
        reached = roc.at(recall=target)
        point: OperatingPoint = reached if reached.mix is None else roc.at(threshold=reached.mix.low)
        out.append(
            {
                "target": target,
                "threshold": point.threshold,
                "label": _label(counts, point.threshold),
                "recall": point.recall,
                "precision": point.precision,
                "fpr": point.fpr,
                "tp": point.tp,
                "fp": point.fp,
                "fn": point.fn,
                "tn": point.tn,
            }
        )
    return out


def _label(counts: Counts, threshold: float) -> float:
    lower = counts.thresholds[counts.thresholds < threshold]
    below = float(plain(lower[:1])[0]) if lower.size else -math.inf
    return short_threshold(float(threshold), below)


def _title(names: list[str]) -> str:
    return listed([short(name, 60) for name in names]) if len(names) < 4 else f"{len(names)} models compared"


def _summary(models: list[Model]) -> list[str]:
    """Return what the page says first, in plain words."""
    best = max(models, key=lambda model: model.areas["roc_auc"].value)
    first = models[0]
    same = len({(model.n_pos, model.n_neg) for model in models}) == 1
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
    number_of = words[len(models)] if len(models) < len(words) else str(len(models))
    count = f"{number_of} model" + ("s" if len(models) > 1 else "")
    total = number(first.n_pos + first.n_neg)
    lines = []
    if same:
        lines.append(f"{count} on {total} cases, {number(first.n_pos)} of them positive ({percent(first.prevalence)}).")
    else:
        lines.append(f"{count}, each measured on its own cases.")
    auc = best.areas["roc_auc"].value
    who = f"The best ranking, {short(best.name)}," if len(models) > 1 else "The score"
    lines.append(f"{who} puts a random positive above a random negative {_times(auc)};")
    point = next((point for point in best.points if point["target"] == 0.9), best.points[0])
    lines.append(
        f"to find {percent(point['recall'])} of the positives it raises "
        f"{number(point['tp'] + point['fp'])} alerts, of which {rate(point['precision'] * 100, 0)}% are right."
    )
    return lines


def _times(auc: float) -> str:
    return f"{auc * 100:.3g}% of the time" if 0.0005 < auc < 0.9995 else f"{auc * 100:.5g}% of the time"
