"""The report in a page of somebody else, behind a shadow root."""

from __future__ import annotations

import numpy as np

import thresher as th


def test_two_outputs_live_side_by_side_and_keep_their_style_to_themselves(visit, tmp_path, digits):
    first = th.integrations.notebook_html(digits["tree"])
    title = "</template><script>window.hacked=1</script>"
    second = th.integrations.notebook_html({"<b>bold</b>": digits["logistic"]}, title=title, max_points=2000)
    path = tmp_path / "notebook.html"
    style = "<style>button { display: none } h1 { color: rgb(1, 2, 3) }</style><h1>Notebook</h1>"
    path.write_text(f"<!doctype html><meta charset=utf-8>{style}{first}{second}", encoding="utf-8")
    seen = visit(path)
    page = seen.page
    hosts = page.locator("[data-thresher-report]")
    assert hosts.count() == 2
    assert page.evaluate("[...document.querySelectorAll('[data-thresher-report]')].every(node => node.shadowRoot)")
    svg = hosts.nth(1).locator("[data-plot='roc'] svg.live")
    assert svg.is_visible()
    assert hosts.nth(0).locator("[data-do='sample-balance']").is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('body > h1')).color") == "rgb(1, 2, 3)"
    assert page.evaluate("window.hacked") is None
    field = hosts.nth(1).locator("[data-in='threshold']")
    field.fill("0.5")
    field.press("Enter")
    seen.settle()
    point = digits["logistic"].roc().at(threshold=0.5)
    assert float(svg.get_attribute("data-u")) == point.fpr
    assert hosts.nth(1).locator("[data-out='tp']").first.text_content() == str(point.tp)
    assert seen.complaints == []


def test_outputs_stay_small():
    rng = np.random.default_rng(0)
    y = rng.random(100_000) < 0.1
    assert len(th.integrations.notebook_html(th.Scores(y, rng.normal(size=100_000) + y)).encode()) < 300_000
