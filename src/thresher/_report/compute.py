"""From count tables to the plain data of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from thresher._compare import Comparison
from thresher._core.decimals import short_threshold
from thresher._curves import OperatingPoint, roc_curve
from thresher._report.area_table import area_of, areas_of
from thresher._report.calibration_part import calibration_part
from thresher._report.drawn_points import drawn_points, histogram_of, plain
from thresher._report.findings import findings_of, findings_of_set, rows_of, sampling_text
from thresher._report.methods_text import methods_of, references_of, settings_of
from thresher._report.model_pairs import comparison_facts, differences_of, pairs_of, same_points, top_rows
from thresher._report.plain_data import Area, Model, ReportData, unit_of
from thresher._report.ranking import group_rows, rank_models, summary_of
from thresher._report.uncertainty import Uncertainty, worth_of
from thresher._report.words import clean, listed, short
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError

_RECALLS = (0.5, 0.8, 0.9, 0.95, 0.99)


def build_data(
    tables: Mapping[str, Counts],
    *,
    title: str | None,
    prevalence: float | None,
    max_points: int,
    uncertainty: Uncertainty,
    comparison: Comparison | None = None,
    groups: Mapping[str, Mapping[str, Counts]] | None = None,
    cases: str = "cases",
    positive: str = "positive",
) -> ReportData:
    """Return everything the page shows; arguments are trusted, but for the models that were compared."""
    names = list(tables)
    differences, facts, metrics = differences_of(comparison, names), comparison_facts(comparison), _metrics(comparison)
    sign = 1 if comparison is None or comparison.better == "higher" else -1
    models = [
        _model(name, counts, max_points, uncertainty, prevalence, metrics.get(name), sign)
        for name, counts in tables.items()
    ]
    remarks = uncertainty.remarks
    found = [
        finding for model in models for finding in findings_of(model, tables[model.name], remarks.get(model.name, []))
    ]
    pairs = pairs_of(names, list(tables.values()), differences, [(model.roc_band, model.pr_band) for model in models])
    found += findings_of_set(models, pairs)
    rank = {"warning": 0, "caution": 1, "note": 2}
    found.sort(key=lambda finding: rank[finding.level])
    level = uncertainty.confidence_level
    methods = methods_of(models, level, facts)
    ranked = rank_models(models)
    return ReportData(
        title=_title(names) if title is None else title,
        summary=summary_of(models, ranked, differences, facts.get("metric", "roc_auc"), prevalence),
        models=models,
        pairs=pairs,
        findings=found,
        methods=methods,
        references=references_of(methods),
        settings=settings_of(models, uncertainty, max_points=max_points, comparison=facts),
        confidence_level=level,
        prevalence=prevalence,
        comparison=facts,
        ranked=ranked,
        groups=group_rows(groups or {}, names, uncertainty, prevalence),
        same_points=same_points(tables, ranked, comparison, prevalence, level),
        top=top_rows(tables, ranked, prevalence, level),
        cases=cases,
        positive=positive,
        sign=sign,
    )


def _metrics(comparison: Comparison | None) -> dict[str, Area]:
    """Return the metric of the comparison by model, with its interval."""
    if comparison is None:
        return {}
    found = comparison.estimates.to_dict()
    rows = zip(*(found[part] for part in ("name", "value", "low", "high")), strict=True)
    return {
        clean(name): Area("metric", value, low=low, high=high) if low <= high else Area("metric", value)
        for name, value, low, high in rows
    }


def _model(
    name: str,
    counts: Counts,
    max_points: int,
    uncertainty: Uncertainty,
    prevalence: float | None,
    metric: Area | None,
    sign: int,
) -> Model:
    for side, total in (("positive", counts.n_pos), ("negative", counts.n_neg)):
        if not total > 0:
            raise UndefinedMetricError(
                f"A report needs both classes; model {short(name)!r} has {counts.n_pos:,} positives and "
                f"{counts.n_neg:,} negatives. Hint: there is no {side} row; check the labels and `pos_label`."
            )
    interval = partial(uncertainty.interval, name)
    drawn = drawn_points(counts, max_points)
    own = counts.n_pos / (counts.n_pos + counts.n_neg)
    timed, classes = counts._outcome, rows_of(counts)
    rows = None
    if counts._weighted:
        rows = timed.size if timed is not None else None if None in classes else sum(filter(None, classes))
    return Model(
        name=name,
        n_pos=counts.n_pos,
        n_neg=counts.n_neg,
        weighted=counts._weighted,
        rows=rows,
        horizon=timed.horizon.t if timed is not None and counts._weighted else None,
        sampling=sampling_text(counts),
        drawn=drawn,
        histogram=histogram_of(counts),
        areas=areas_of(counts, interval, prevalence),
        points=_points(counts, prevalence, own if prevalence is None and counts._weighted else prevalence),
        roc_band=uncertainty.roc_band(name, counts),
        pr_band=uncertainty.pr_band(name, counts),
        known_band=uncertainty.pr_band(name, counts, own),
        own_area=None if prevalence is None else area_of(counts, "interpolated", interval),
        score=None if metric is None else sign * metric.value,
        metric=metric,
        calibration=calibration_part(counts, uncertainty.confidence_level),
        worth=worth_of(counts, drawn.thresholds),
    )


def _points(counts: Counts, prevalence: float | None, told: float | None) -> list[dict[str, Any]]:
    """Return the strictest threshold that reaches each of some recalls; counts per so many cases at `told`."""
    roc = roc_curve(counts)
    skew = up = down = 1.0
    if prevalence is not None:
        skew = (1.0 - prevalence) / prevalence * (counts.n_pos / counts.n_neg)
    if told is not None:
        up = unit_of(told) * told / counts.n_pos
        down = unit_of(told) * (1.0 - told) / counts.n_neg
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
                "precision": point.tp / (point.tp + skew * point.fp),
                "fpr": point.fpr,
                "tp": point.tp * up if told is not None else point.tp,
                "fp": point.fp * down if told is not None else point.fp,
                "fn": point.fn * up if told is not None else point.fn,
                "tn": point.tn * down if told is not None else point.tn,
            }
        )
    return out


def _label(counts: Counts, threshold: float) -> float:
    lower = counts.thresholds[counts.thresholds < threshold]
    below = float(plain(lower[:1])[0]) if lower.size else -math.inf
    return short_threshold(float(threshold), below)


def _title(names: list[str]) -> str:
    return listed([short(name, 60) for name in names]) if len(names) < 4 else f"{len(names)} models compared"
