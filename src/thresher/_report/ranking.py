"""Which model is the best and whether that is certain: ranks, what the page says first, and areas by group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from thresher._report.area_table import area_of
from thresher._report.findings import rows_of
from thresher._report.plain_data import Difference, GroupRow, Model, unit_of
from thresher._report.uncertainty import Uncertainty
from thresher._report.words import metric_words, number, percent, rate, short
from thresher._table import Counts

_CERTAIN = 0.05
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def rank_models(models: Sequence[Model]) -> list[int]:
    """Return the models' places in the list, the best first; equal ones stay in their order."""

    def worth(index: int) -> float:
        model = models[index]
        return model.areas["roc_auc"].value if model.score is None else model.score

    return sorted(range(len(models)), key=lambda index: -worth(index))


def summary_of(
    models: Sequence[Model],
    ranked: Sequence[int],
    differences: Mapping[tuple[str, str], Difference],
    metric: str,
    prevalence: float | None,
) -> list[str]:
    """Return what the page says first, in plain words; a lead is called one where a test found it."""
    best, first = models[ranked[0]], models[0]
    number_of = _NUMBERS[len(models)] if len(models) < len(_NUMBERS) else str(len(models))
    count = f"{number_of} model" + ("s" if len(models) > 1 else "")
    lines = [f"{count} on {cases_text(first)}." if same_cases(models) else f"{count}, each measured on its own cases."]
    per = ""
    told = best.told_at(prevalence)
    if told is not None:
        per = f" among {unit_of(told):,} cases"
    if prevalence is not None:
        lines.append(f"Precision and counts are those to expect where {percent(prevalence)} are positive.")
    auc = best.areas["roc_auc"].value
    who = "The score"
    if len(models) > 1:
        lines.append(_lead(best, models[ranked[1]], differences, metric_words(metric)))
        who = "It"
    lines.append(f"{who} ranks a random positive above a random negative with probability {rate(auc)}.")
    point = next((point for point in best.points if point["target"] == 0.9), best.points[0])
    alerts = point["tp"] + point["fp"]
    lines.append(
        f"To find {percent(point['recall'])} of the positives, {short(best.name)} raises {number(alerts)} alerts{per}, "
        f"of which {percent(point['precision'])} are right."
    )
    return lines


def same_cases(models: Sequence[Model]) -> bool:
    """Return whether all models were measured on as many positives and negatives."""
    first = models[0]
    return all(  # sums of weights in another order may differ in the last digit
        math.isclose(getattr(model, side), getattr(first, side), rel_tol=1e-12)
        for model in models
        for side in ("n_pos", "n_neg")
    )


def cases_text(model: Model) -> str:
    """Return how many cases a model was measured on, and how many of them are positive."""
    if not model.weighted:
        total, share = number(model.n_pos + model.n_neg), percent(model.prevalence)
        return f"{total} cases, {number(model.n_pos)} of them positive ({share})"
    if model.horizon is not None:
        rows, share = f"{model.rows:,} rows, as they stand at t = {model.horizon:,g}", percent(model.prevalence)
        return f"{rows}; by weight {share} are positive"
    rows = "weighted rows" if model.rows is None else f"{model.rows:,} weighted rows"
    return f"{rows}; by weight {percent(model.prevalence)} are positive"


def _lead(best: Model, second: Model, differences: Mapping[tuple[str, str], Difference], title: str) -> str:
    """Say how certain it is that the first is better than the second."""
    said = f"{short(best.name)} has the best {title}"
    found = differences.get((best.name, second.name))
    pvalue = None if found is None else (found.pvalue if found.pvalue_adjusted is None else found.pvalue_adjusted)
    if found is None or pvalue is None:
        return f"{said}; whether it is better than {short(second.name)} was not tested."
    if found.value == 0:
        return f"{said}, as has {short(second.name)}."
    p = f"p {'< 0.0001' if pvalue < 0.0001 else f'= {pvalue:.2g}'}"
    if found.one_more is not None:
        return f"{said}, but its lead over {short(second.name)} rests on one case ({p})."
    if pvalue < _CERTAIN:
        return f"{said}, ahead of {short(second.name)} ({p})."
    return f"{said}, but its lead over {short(second.name)} may be chance ({p})."


def group_rows(
    groups: Mapping[str, Mapping[str, Counts]],
    names: Sequence[str],
    uncertainty: Uncertainty,
    prevalence: float | None,
) -> list[GroupRow]:
    """Return both areas of each model in each group; none where a group lacks a class."""
    out = []
    for group, tables in groups.items():
        for name, counts in tables.items():
            areas = None
            if counts.n_pos > 0 and counts.n_neg > 0:
                # Remarks on single groups would bury those on the models.
                ask = partial(uncertainty.quiet().interval, name)
                areas = {key: area_of(counts, key, ask, prevalence) for key in ("roc_auc", "interpolated")}
            out.append(GroupRow(group, names.index(name), *rows_of(counts), areas))
    return out
