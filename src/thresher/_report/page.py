"""From plain data to one HTML file that loads nothing and runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from inspect import isfunction
from typing import Any, NamedTuple

from thresher._core.checks import require
from thresher._report import svg as _svg
from thresher._report import words as _words
from thresher._report.area_table import AREA_LABELS
from thresher._report.findings import grouped
from thresher._report.methods_text import settings_version
from thresher._report.model_pairs import LEVELS
from thresher._report.plain_data import Band, CalibrationPart, LabelledSpan, Model, Pair, ReportData, Worth

_MOST_STRIPS = 15
_MOST_GROUPS = 120


@cache
def asset(name: str) -> str:
    """Return the text of a built asset."""
    return files("thresher._report").joinpath("_assets", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def content_policy(script: str, style: str) -> str:
    """Return a policy under which only this script and this style count, and nothing is fetched."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _plain_number(value: float) -> float | str:
    """Return a number that JSON can hold; infinities become words."""
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def _label(threshold: float, label: float) -> int | str:
    """Return after how many digits a threshold is cut to give its label, or the label as text where it is no cut."""
    text = repr(threshold)
    if math.isfinite(threshold) and threshold > 0 and "e" not in text:
        for digits in range(1, 18):
            if float(_cut(text, digits)) == label:
                return digits
    return str(_plain_number(label))


def _cut(text: str, digits: int) -> str:
    """Return the first digits of a number, from the first that is not 0 on."""
    seen = 0
    for place, char in enumerate(text):
        seen += char.isdigit() and (seen > 0 or char != "0")
        if seen > digits:
            return text[:place]
    return text


def _steps(values: list[Any]) -> list[Any]:
    """Return counts as what each point adds, which is shorter."""
    return [after - before for before, after in zip([0, *values[:-1]], values, strict=True)]


def _band(band: Band | None) -> dict[str, Any] | None:
    if band is None:
        return None
    return {part: [round(value, 5) for value in getattr(band, part)] for part in ("x", "low", "high")}


def _calibration(part: CalibrationPart | None) -> dict[str, Any] | None:
    if part is None:
        return None
    return {
        "high": part.high,
        "low": part.low,
        "pos": part.pos,
        "neg": part.neg,
        "honest": _band(part.honest),
        "consistency": _band(part.consistency),
    }


def _worth(worth: Worth | bool | None) -> dict[str, Any] | bool | None:
    """Return what rows are worth, with as many digits as an interval needs."""
    if not isinstance(worth, Worth):
        return worth
    return {"at": worth.at} | {name: [float(f"{one:.6g}") for one in rows] for name, rows in worth.rows.items()}


def _model(model: Model) -> dict[str, Any]:
    drawn = model.drawn
    return {
        "name": model.name,
        "nPos": model.n_pos,
        "nNeg": model.n_neg,
        "weighted": model.weighted,
        "t": [_plain_number(value) for value in drawn.thresholds],
        "label": [_label(*pair) for pair in zip(drawn.thresholds, drawn.labels, strict=True)],
        # Sums of weights added again in another order would differ in their last digits.
        **({"tp": drawn.tp, "fp": drawn.fp} if model.weighted else {"dtp": _steps(drawn.tp), "dfp": _steps(drawn.fp)}),
        "hull": drawn.hull,
        "start": drawn.start,
        "nPoints": drawn.n_points,
        "hist": {
            "edges": model.histogram.edges,
            "pos": model.histogram.pos,
            "neg": model.histogram.neg,
            "whole": model.histogram.whole,
        },
        "areas": {key: [area.value, area.low, area.high] for key, area in model.areas.items()},
        "rocBand": _band(model.roc_band),
        "prBand": _band(model.pr_band),
        "knownBand": _band(model.known_band),
        "own": None if model.own_area is None else [model.own_area.value, model.own_area.low, model.own_area.high],
        "score": model.score,
        "metric": None if model.metric is None else [model.metric.value, model.metric.low, model.metric.high],
        "cal": _calibration(model.calibration),
        "worth": _worth(model.worth),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "diff": None
        if pair.difference is None
        else [
            pair.difference.value,
            pair.difference.low,
            pair.difference.high,
            pair.difference.pvalue_adjusted,
            pair.difference.one_more,
        ],
        "fpr": _spans(pair.fpr_spans),
        "recall": _spans(pair.recall_spans),
    }


def _spans(spans: list[LabelledSpan]) -> list[list[Any]]:
    """Return who leads where, and whether the bands of both are apart there."""
    return [[round(span.low, 5), round(span.high, 5), span.leader, int(span.supported)] for span in spans]


def payload(data: ReportData) -> str:
    """Return the page's data as JSON that no HTML parser can mistake for markup."""
    content = {
        "title": data.title,
        "prevalence": data.prevalence,
        "level": data.confidence_level,
        "ranked": data.ranked,
        "metric": _words.metric_words(data.metric),
        "cases": data.cases,
        "positive": data.positive,
        "models": [_model(model) for model in data.models],
        "pairs": [_pair(pair) for pair in data.pairs],
    }
    text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _environment() -> Any:
    jinja2 = require("jinja2", extra="report", purpose="A report")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(
            lambda name: files("thresher._report").joinpath("_templates", name).read_text(encoding="utf-8")
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({name: one for name, one in vars(_words).items() if isfunction(one)})
    environment.filters["paragraph"] = " ".join
    environment.filters["line"] = _svg.line_class
    return environment


class Set(NamedTuple):
    """A data set in the page: its place, its name, and the names of all."""

    place: int = 0
    name: str = ""
    names: tuple[str, ...] = ("",)
    kind: str = "data set"


_ALONE = Set()


def _context(data: ReportData, where: Set = _ALONE) -> dict[str, Any]:
    markup = require("markupsafe", extra="report", purpose="A report").Markup
    models = data.models
    return {
        "data": data,
        "set": where,
        "findings": grouped(data.findings),
        "forests": _forests(data, markup),
        "labels": AREA_LABELS,
        "same_levels": LEVELS,
        "payload": markup(payload(data)),
        "roc": markup(_svg.roc_figure(models)),
        "pr": markup(_svg.pr_figure(models, data.prevalence)),
        "histograms": [markup(_svg.histogram_figure(model.name, model.histogram)) for model in models],
        "shown_pairs": (shown := _first_pairs(data)),
        "strips": {place: _strips(pair, models, markup) for place, pair in shown},
        "left_out": sum(model.drawn.n_points - len(model.drawn.tp) for model in models),
        "all_points": sum(model.drawn.n_points for model in models),
    }


def _first_pairs(data: ReportData) -> list[tuple[int, Pair]]:
    """Return the pairs of the best models with their places, as many as are drawn."""
    place = {model: rank for rank, model in enumerate(data.ranked)}
    order = sorted(enumerate(data.pairs), key=lambda one: sorted((place[one[1].a], place[one[1].b])))
    return order[:_MOST_STRIPS]


def _strips(pair: Pair, models: list[Model], markup: Any) -> list[Any]:
    out = []
    for title, spans in (("by false positive rate", pair.fpr_spans), ("by recall", pair.recall_spans)):
        said = "; ".join(
            f"{span.low:.3g} to {span.high:.3g} "
            + ("equal" if span.leader is None else f"{_words.short(models[span.leader].name)} leads")
            + ("" if span.supported or span.leader is None else " (bands overlap)")
            for span in spans[:12]
        )
        out.append(markup(_svg.strip_figure(f"Leading model {title}", spans, said)))
    return out


def _forests(data: ReportData, markup: Any) -> dict[str, Any]:
    """Return the areas of models, and of groups, with their intervals, the best first."""
    models, out = data.models, {}
    for key in ("roc_auc", "interpolated") if len(models) > 1 else ():
        rows = [(i, models[i].name, models[i].areas[key]) for i in range(len(models))]
        out[key] = markup(_svg.forest_figure(f"{AREA_LABELS[key][0]} of each model", rows))
    if len(models) > 1 and data.other_metric is not None:
        found = [(i, models[i].name, metric) for i in data.ranked if (metric := models[i].metric) is not None]
        title = f"{_words.metric_words(data.other_metric)} of each model"
        out["metric"] = markup(_svg.forest_figure(title, found, best=data.sign, within=(-math.inf, math.inf)))
    if data.groups:
        named = [(row.model, row.group, row.areas) for row in data.groups if row.areas is not None]
        if len(models) > 1:
            named = [(i, f"{group} · {_words.short(models[i].name, 16)}", areas) for i, group, areas in named]
        rows = [(i, name, areas["roc_auc"]) for i, name, areas in named[:_MOST_GROUPS]]
        if rows:
            out["groups"] = markup(_svg.forest_figure("ROC AUC of each group", rows))
    return out


def page_html(data: ReportData | Mapping[str, ReportData], *, sets: str = "data set") -> str:
    """Return the whole page; with several data sets each has its part, of which one is shown at a time."""
    parts = dict(data) if isinstance(data, Mapping) else {"": data}
    markup = require("markupsafe", extra="report", purpose="A report").Markup
    names = tuple(parts)
    components = [
        markup(component_html(part, Set(place, name, names, sets))) for place, (name, part) in enumerate(parts.items())
    ]
    data = next(iter(parts.values()))
    title = f"{_words.short(data.title, 90)} · thresher report"
    return _document("page.html", title, made_by=data.settings["thresher"], components=components)


def blank_html() -> str:
    """Return a page that reads and counts a file dropped on it, in the browser."""
    context: dict[str, Any] = {"data": None, "set": _ALONE, "roc": "", "pr": "", "histograms": []}
    return _document("blank.html", "Drop a file of labels and scores · thresher", made_by=settings_version(), **context)


def _document(template: str, title: str, **context: Any) -> str:
    """Return a page of its own, with the script, the style and the policy that allows them."""
    markup = require("markupsafe", extra="report", purpose="A report").Markup
    script, style = asset("report.js"), asset("report.css")
    own = {"page_title": title, "policy": content_policy(script, style)}
    own |= {"script": markup(script), "style": markup(style)}
    return str(_environment().get_template(template).render(**context, **own))


def component_html(data: ReportData, where: Set = _ALONE) -> str:
    """Return the inside of the page, to stand in a page of someone else."""
    return str(_environment().get_template("component.html").render(**_context(data, where)))
