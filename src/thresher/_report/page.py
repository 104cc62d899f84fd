"""From plain data to one HTML file that loads nothing and runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

from thresher._core.optional import require
from thresher._report import svg as _svg
from thresher._report import words as _words
from thresher._report.area_table import AREA_LABELS
from thresher._report.plain_data import Band, CalibrationPart, Model, Pair, ReportData

__all__ = ["component_html", "page_html", "payload"]


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


def _model(model: Model) -> dict[str, Any]:
    drawn = model.drawn
    return {
        "name": model.name,
        "nPos": model.n_pos,
        "nNeg": model.n_neg,
        "weighted": model.weighted,
        "t": [_plain_number(value) for value in drawn.thresholds],
        "label": [_plain_number(value) for value in drawn.labels],
        "tp": drawn.tp,
        "fp": drawn.fp,
        "hull": drawn.hull,
        "start": drawn.start,
        "nPoints": drawn.n_points,
        "hist": {"edges": model.histogram.edges, "pos": model.histogram.pos, "neg": model.histogram.neg},
        "areas": {key: [area.value, area.low, area.high] for key, area in model.areas.items()},
        "rocBand": _band(model.roc_band),
        "prBand": _band(model.pr_band),
        "cal": _calibration(model.calibration),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "fpr": [[span.low, span.high, span.leader] for span in pair.fpr_spans],
        "recall": [[span.low, span.high, span.leader] for span in pair.recall_spans],
    }


def payload(data: ReportData) -> str:
    """Return the page's data as JSON that no HTML parser can mistake for markup."""
    content = {
        "title": data.title,
        "prevalence": data.prevalence,
        "level": data.confidence_level,
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
    for name in ("number", "percent", "pvalue", "rate", "short", "signed", "threshold"):
        environment.filters[name] = getattr(_words, name)
    environment.filters["paragraph"] = " ".join
    return environment


def _context(data: ReportData) -> dict[str, Any]:
    markup = require("markupsafe", extra="report", purpose="A report").Markup
    models = data.models
    return {
        "data": data,
        "labels": AREA_LABELS,
        "payload": markup(payload(data)),
        "roc": markup(_svg.roc_figure(models)),
        "pr": markup(_svg.pr_figure(models)),
        "histograms": [markup(_svg.histogram_figure(model.name, model.histogram)) for model in models],
        "strips": [_strips(pair, models, markup) for pair in data.pairs],
    }


def _strips(pair: Pair, models: list[Model], markup: Any) -> list[Any]:
    out = []
    for title, spans in (("by false positive rate", pair.fpr_spans), ("by recall", pair.recall_spans)):
        said = "; ".join(
            f"{span.low:.3g} to {span.high:.3g} "
            + ("equal" if span.leader is None else f"{_words.short(models[span.leader].name)} leads")
            for span in spans[:12]
        )
        out.append(markup(_svg.strip_figure(f"Who leads {title}", spans, said)))
    return out


def page_html(data: ReportData) -> str:
    """Return the whole page."""
    markup = require("markupsafe", extra="report", purpose="A report").Markup
    script, style = asset("report.js"), asset("report.css")
    html: str = (
        _environment()
        .get_template("page.html")
        .render(
            **_context(data),
            script=markup(script),
            style=markup(style),
            policy=content_policy(script, style),
        )
    )
    return html


def component_html(data: ReportData) -> str:
    """Return the inside of the page, to stand in a page of somebody else."""
    html: str = _environment().get_template("component.html").render(**_context(data))
    return html
