"""The page as a file: nothing loaded, nothing run but its own script, data that stay data."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import thresher as th
from support.thorough import dear
from thresher._report.page import asset, content_policy, page_html, payload
from thresher._report.write_report import report_data

DIGITS = th.datasets.load_digits_eight()
MODELS = {name: th.Scores(DIGITS.y_true, values) for name, values in DIGITS.models.items()}
FEW = {name: th.Scores(DIGITS.y_true[:150], values[:150]) for name, values in DIGITS.models.items()}

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    '"><svg onload=alert(2)>',
    "{{ 7 * 7 }}{% raw %}",
    "' onmouseover='alert(3)",
    "<!--",
    "\u202eright to left\u202c שלום",
    "👩‍🔬 emoji",
    "x" * 10_000,
    "two\nlines\x00null",
    "lone \ud800 surrogate",
    "&lt;b&gt;",
    "",
)


class Elements(HTMLParser):
    """Collects tags, attributes, and text by tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self._inside: str | None = None
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "style":
            self.styles.append("")

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside == "script":
            attrs, before = self.scripts[-1]
            self.scripts[-1] = (attrs, before + data)
        elif self._inside == "style":
            self.styles[-1] += data
        else:
            self.text += data


@pytest.fixture(scope="module")
def page() -> str:
    return page_html(report_data(MODELS, comparison=th.compare(DIGITS.y_true, DIGITS.models)))


def test_nothing_is_loaded_from_anywhere(page):
    loading = {"src", "srcset", "data", "poster", "background", "action", "formaction", "ping"}
    for tag, attrs in Elements(page).tags:
        assert tag not in ("iframe", "object", "embed", "form", "base", "audio", "video", "img")
        assert not loading & set(attrs)
        assert not any(name.startswith("on") for name in attrs)
        assert "style" not in attrs
        if tag == "link":
            assert attrs == {"rel": "icon", "href": "data:,"}
        elif "href" in attrs and tag == "a":
            assert attrs["href"].startswith("https://doi.org/")
            assert "noreferrer" in attrs["rel"]
    assert "@import" not in page
    assert "url(" not in asset("report.css")


def test_the_policy_allows_exactly_the_script_and_the_style_that_are_there(page):
    elements = Elements(page)
    policy = next(attrs["content"] for tag, attrs in elements.tags if attrs.get("http-equiv"))
    (data_attrs, _), (script_attrs, script) = elements.scripts
    assert (data_attrs["type"], script_attrs) == ("application/json", {})
    (style,) = elements.styles
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    assert f"script-src 'sha256-{digests[0]}';" in policy
    assert f"style-src 'sha256-{digests[1]}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert policy == content_policy(script, style)
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_the_data_come_back_as_they_went_in(page):
    (_, text), _ = Elements(page).scripts
    content = json.loads(text)
    roc = MODELS["logistic"].roc()
    assert content["models"][0]["t"][0] == "inf"
    assert content["models"][0]["t"][1:] == roc.thresholds[1:].tolist()
    # Counts go as what each point adds, labels as a number of digits.
    assert np.cumsum(content["models"][0]["dtp"]).tolist() == roc.tp.tolist()
    assert np.cumsum(content["models"][0]["dfp"]).tolist() == roc.fp.tolist()
    digits = content["models"][0]["label"][1:]
    assert all(isinstance(count, int) and 1 <= count <= 17 for count in digits if not isinstance(count, str))
    assert content["models"][1]["areas"]["roc_auc"][0] == MODELS["tree"].roc_auc().value


@pytest.fixture(scope="module")
def plain() -> str:
    return page_html(report_data({"a": FEW["logistic"], "b": FEW["tree"]}, title="t"))


@pytest.mark.parametrize("name", dear(HOSTILE, 2), ids=range(len(HOSTILE)))
def test_hostile_names_change_no_element(plain, name):
    hostile = page_html(report_data({name: FEW["logistic"], "b": FEW["tree"]}, title=name))

    def skeleton(text: str) -> list[tuple[str, tuple[str, ...]]]:
        tags = [(tag, tuple(attrs)) for tag, attrs in Elements(text).tags]
        # Long names get a list of their own at the end.
        return [entry for entry in tags if entry[0] not in ("ol", "li", "bdi", "section", "h2")]

    assert skeleton(hostile) == skeleton(plain)
    assert len(Elements(hostile).scripts) == 2


@pytest.mark.parametrize("name", dear((name for name in HOSTILE if 0 < len(name) < 30 and name.isprintable()), 2))
def test_names_are_shown_as_text(name):
    text = page_html(report_data({name: FEW["logistic"]}))
    assert f">{html.escape(name, quote=False)}<" in text.replace("&#39;", "'").replace("&#34;", '"')


def test_long_names_are_cut_in_places_and_whole_in_one():
    name = "".join(chr(97 + i % 26) for i in range(10_000))
    text = Elements(page_html(report_data({name: FEW["tree"]}))).text
    assert text.count(name) == 1
    assert name[:21] + "…" + name[-10:] in text


def test_json_cannot_close_its_element():
    name = "</script><!--<script>&\u2028"
    text = payload(report_data({name: FEW["tree"]}))
    assert not re.search(r"[<>&\u2028]", text)
    assert json.loads(text)["models"][0]["name"] == name


def test_a_hundred_thousand_distinct_scores_stay_small():
    rng = np.random.default_rng(0)
    y = rng.random(100_000) < 0.03
    score = rng.normal(size=100_000) + 1.3 * y
    scores = th.Scores(y, score)
    assert len(scores) > 99_000
    size = len(page_html(report_data({"one": scores})).encode())
    assert size < 3_000_000


def test_the_same_data_give_the_same_file(page, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    texts = [page_html(report_data(FEW)) for _ in range(2)]
    assert texts[0] == texts[1]
    assert "on 1970-01-01" in texts[0]
