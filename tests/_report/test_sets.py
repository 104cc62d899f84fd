"""Several data sets in one page, words for the rows, findings under one head, leads and their support."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import thresher as th
from thresher._report.findings import grouped
from thresher._report.plain_data import Band, Finding
from thresher._report.words import difference, method_words, metric_words
from thresher._report.write_report import report, report_data

rng = np.random.default_rng(0)


def table(n: int, shift: float = 1.0) -> th.Scores:
    y = rng.random(n) < 0.3
    return th.Scores(y, rng.normal(size=n) + shift * y)


def test_each_data_set_has_its_part(tmp_path):
    sets = {"first": {"a": table(200), "b": table(200)}, "second": {"a": table(150), "b": table(150)}}
    text = report(sets, tmp_path / "r.html", sets="period").path.read_text(encoding="utf-8")
    parts = re.findall(r'<script type="application/json" class="thr-data">(.*?)</script>', text, re.DOTALL)
    assert [json.loads(part)["models"][0]["nPos"] for part in parts] == [one["a"].n_pos for one in sets.values()]
    assert text.count("data-go-set") - text.count("querySelectorAll") <= text.count("data-go-set")
    assert 'aria-label="Period"' in text
    assert "The same threshold in every period" in text
    assert len(text) < 1_500_000


def test_one_data_set_has_no_selector(tmp_path):
    text = report({"a": table(100)}, tmp_path / "r.html").path.read_text(encoding="utf-8")
    body = text[text.index("<body>") : text.index("<script>")]
    assert "data-go-set" not in body


@pytest.mark.parametrize(
    ("sets", "options", "message"),
    [
        ({1: {"a": 1}}, {}, "data sets with names that differ; got 1"),
        ({"x": {}}, {}, "must hold at least one model"),
        ({"x": {"a": 1}}, {}, "must hold Scores; got int"),
        ({"x": {"a": table(50)}}, {"comparison": {"y": None}}, "`comparison` must be a dict by data set"),
        ({"x": {"a": table(50)}}, {"cases": ""}, "`cases` must be a word; got ''"),
        ({"x": {"a": table(50)}}, {"sets": 3}, "`sets` must be a word; got 3"),
    ],
)
def test_mistakes_are_named(tmp_path, sets, options, message):
    with pytest.raises(th.ThresherError, match=re.escape(message)):
        report(sets, tmp_path / "r.html", **options)


def test_alike_findings_are_one_group():
    alike = [Finding("TH103", "ties-across-classes", "caution", f"text {i}", f"m{i}") for i in range(4)]
    other = [Finding("TH101", "few-positives", "caution", f"few {i}", f"m{i}") for i in range(2)]
    groups = grouped([alike[0], other[0], *alike[1:], other[1]])
    assert [len(group.members) for group in groups] == [4, 1, 1]
    assert groups[0].members == alike


def test_what_is_said_of_several_models_in_the_same_words_is_said_once():
    same = [Finding("TH109", "weighted-counts", "note", "the same", f"m{i}") for i in range(5)]
    assert [group.head.model for group in grouped(same[:2])] == ["m0 and m1"]
    assert [(group.head.model, len(group.members)) for group in grouped(same)] == [("5 models", 1)]
    none = [Finding("TH201", "hull-on-these-data", "note", "all")]
    assert grouped(none)[0].members == none


def test_leads_are_supported_where_bands_are_apart():
    y = rng.random(600) < 0.4
    noise = rng.normal(size=600)
    tables = {"good": th.Scores(y, 3 * y + noise), "bad": th.Scores(y, 0.3 * y + rng.normal(size=600))}
    data = report_data(tables)
    (pair,) = data.pairs
    for spans, bands in (
        (pair.fpr_spans, [model.roc_band for model in data.models]),
        (pair.recall_spans, [model.pr_band for model in data.models]),
    ):
        assert (spans[0].low, spans[-1].high) == (0.0, 1.0)
        assert all(one.high == two.low for one, two in zip(spans, spans[1:], strict=False))
        assert any(span.supported for span in spans)
        for span in spans:
            if not span.supported:
                continue
            for x in np.linspace(span.low, span.high, 7):
                low, high = (edge(bands[k], x, part) for k, part in ((span.leader, "low"), (1 - span.leader, "high")))
                assert low >= high - 1e-9


def edge(band: Band, x: float, part: str) -> float:
    """Return a band's edge at a place."""
    return float(np.interp(x, band.x, getattr(band, part)))


def test_models_that_are_alike_lead_nowhere_for_sure():
    y = rng.random(400) < 0.4
    base = rng.normal(size=400) + y
    tables = {"a": th.Scores(y, base), "b": th.Scores(y, base + 0.05 * rng.normal(size=400))}
    (pair,) = report_data(tables).pairs
    assert not any(span.supported for span in (*pair.fpr_spans, *pair.recall_spans))


def test_words_are_those_of_people():
    assert metric_words("roc_auc") == "ROC AUC"
    assert metric_words("partial_roc_auc (fpr (0, 0.1))") == "partial ROC AUC (fpr (0, 0.1))"
    assert metric_words("balanced_accuracy") == "balanced accuracy"
    assert (method_words("bayes"), method_words("some-method")) == ("Bayesian bootstrap", "some method")
    assert [difference(value) for value in (271.0, -2.5, 0.0)] == ["+271", "−2.5", "0"]


def test_the_page_has_no_words_of_the_code(tmp_path):
    y = rng.random(300) < 0.3
    made = {name: rng.normal(size=300) + shift * y for name, shift in (("a", 1.0), ("b", 1.5))}
    tables = {name: th.Scores(y, values) for name, values in made.items()}
    text = report(tables, tmp_path / "r.html", comparison=th.compare(y, made)).path.read_text(encoding="utf-8")
    body = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", body)
    for word in (
        "bayes",
        "roc_auc",
        "AUC-ROC",
        "AUC-PR",
        " pin ",
        "delong,",
        "called positive",
        "left alone",
        "level 0.95",
    ):
        assert word not in words, word
