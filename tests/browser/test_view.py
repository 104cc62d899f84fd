"""How the page looks and behaves: silence, themes, print, keyboard, screen readers, narrow screens, no scripts."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

import thresher as th
from thresher import report
from thresher._report.words import number, percent


def test_the_page_asks_for_nothing_and_complains_of_nothing(visit, digits_report):
    seen = visit(digits_report)
    page = seen.page
    for box in page.locator("[data-layer]").all():
        seen.layer(box.get_attribute("data-layer"), not box.is_checked())
    for button in page.locator("[data-chart-tool]").all():
        if not button.get_attribute("data-chart-tool").endswith(("svg", "png")):
            button.click()
    seen.hover("roc", 0.4, 0.6)
    seen.hover("pr", 0.4, 0.6)
    seen.hover("histogram", 0.4, 0.6)
    page.locator("[data-model-choice][value='1']").check(force=True)
    page.locator(".more summary").click()
    page.locator("[data-do='theme']").click()
    seen.settle()
    assert seen.complaints == []
    assert seen.requests == [digits_report.as_uri()]


def test_layers_switch_on_and_off(visit, digits_report):
    seen = visit(digits_report)
    shows = {
        "hull": "[data-plot='roc'] .live .hull",
        "achievable": "[data-plot='pr'] .hull",
        "bands": "[data-plot='pr'] .band",
        "chance": "[data-plot='roc'] .live .chance",
        "unachievable": "[data-plot='pr'] .unachievable",
        "lead": "[data-plot='pr'] .lead",
        "isocost": "[data-plot='roc'] .best",
    }
    for layer, selector in shows.items():
        for on in (True, False):
            seen.layer(layer, on)
            assert (seen.page.locator(selector).count() > 0) == on, layer


def test_log_axes_and_zoom(visit, digits_report):
    seen = visit(digits_report)
    page = seen.page
    ticks = page.locator("[data-plot='roc'] .axis").first.locator("text")
    assert ticks.all_text_contents() == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    page.locator("[data-chart-tool='roc:log-x']").click()
    assert ticks.all_text_contents() == ["0.0001", "0.001", "0.01", "0.1", "1"]
    page.locator("[data-chart-tool='roc:log-x']").click()
    page.locator("[data-chart-tool='roc:in']").click()
    zoomed = [float(text) for text in ticks.all_text_contents()]
    assert zoomed[-1] - zoomed[0] < 0.8
    page.locator("[data-chart-tool='roc:reset']").click()
    assert ticks.all_text_contents()[-1] == "1"
    page.locator("[data-chart-tool='roc:box']").click()
    seen.hover("roc", 0.15, 0.5)
    page.mouse.down()
    seen.hover("roc", 0.5, 0.9)
    page.mouse.up()
    seen.settle()
    boxed = [float(text) for text in ticks.all_text_contents()]
    assert boxed[-1] < 0.6
    page.locator("[data-plot='roc'] svg.live").press("Escape")
    assert ticks.all_text_contents()[-1] == "1"


@pytest.mark.parametrize("plot", ["roc", "pr"])
def test_the_keyboard_is_enough(visit, digits_report, digits, plot):
    seen = visit(digits_report)
    chart = seen.page.locator(f"[data-plot='{plot}'] svg.live")
    chart.focus()
    roc = digits["logistic"].roc()
    seen.page.keyboard.press("Home")
    seen.settle()
    assert seen.point("roc") == (0.0, 0.0)
    for _ in range(3):
        seen.page.keyboard.press("ArrowRight")
    seen.settle()
    assert seen.point("roc") == (roc.fpr[3], roc.tpr[3])
    seen.page.keyboard.press("ArrowLeft")
    seen.settle()
    assert seen.point("roc") == (roc.fpr[2], roc.tpr[2])
    seen.page.keyboard.press("End")
    seen.settle()
    assert seen.point("roc") == (1.0, 1.0)
    seen.page.keyboard.press("PageDown")
    seen.settle()
    assert seen.point("roc") != (1.0, 1.0)
    assert chart.get_attribute("aria-valuenow") == str(len(roc) - 1 - round((len(roc) - 1) / 20))


def test_arrows_in_the_field_step_through_scores(visit, digits_report, digits):
    seen = visit(digits_report)
    seen.type("threshold", "0.5")
    field = seen.page.locator("[data-in='threshold']")
    field.press("ArrowDown")
    seen.settle()
    scores = digits["logistic"].thresholds
    current = scores[scores >= 0.5].min()
    below = scores[scores < current].max()
    assert scores[scores >= float(field.input_value())].min() == below


def test_everything_has_a_name_for_screen_readers(visit, digits_report):
    seen = visit(digits_report)
    nameless = seen.page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, svg[role], [tabindex]')]
        .filter(node => node.getClientRects().length)
        .filter(node => !(node.getAttribute('aria-label') || node.textContent.trim() ||
                          (node.labels && [...node.labels].some(label => label.textContent.trim()))))
        .map(node => node.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    slider = seen.page.get_by_role("slider", name="Threshold along the ROC curve")
    assert re.fullmatch(
        r"threshold [\d.]+: false positive rate 0\.\d{3}, recall 0\.\d{3}", slider.get_attribute("aria-valuetext")
    )
    seen.type("threshold", "0.5")
    status = seen.page.get_by_role("status")
    status.filter(has_text="threshold 0.5").wait_for(state="attached")
    assert status.text_content() == seen.out("sentence")


def test_headings_go_down_one_step_at_a_time(visit, digits_report):
    levels = visit(digits_report).page.evaluate(
        "() => [...document.querySelectorAll('h1, h2, h3')].map(node => Number(node.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_text_stands_out_from_its_paper_in_both_themes(visit, digits_report):
    for scheme in ("light", "dark"):
        poor = visit(digits_report, color_scheme=scheme).page.evaluate(
            """() => {
            const shell = document.querySelector('.thr');
            const value = name => getComputedStyle(shell).getPropertyValue(name).trim();
            const light = text => {
                const hex = text.length === 4 ? text.replace(/[^#]/g, '$&$&') : text;
                const part = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
                    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
            };
            const names = ['ink', 'soft', 'faint', 'pos', 'neg', 'best', 'warn', 'caution',
                           ...[0, 1, 2, 3, 4, 5, 6, 7].map(i => 'm' + i)];
            const out = [];
            for (const paper of ['--paper', '--panel']) for (const name of names) {
                const [a, b] = [light(value('--' + name)), light(value(paper))].sort((p, q) => q - p);
                if ((a + 0.05) / (b + 0.05) < 4.5) out.push(name + ' on ' + paper);
            }
            return out;
        }"""
        )
        assert poor == [], scheme


def test_dark_mode_follows_the_system_and_the_button(visit, digits_report):
    paper = "getComputedStyle(document.querySelector('.thr')).backgroundColor"
    light, dark = visit(digits_report), visit(digits_report, color_scheme="dark")
    assert light.page.evaluate(paper) == "rgb(250, 249, 246)"
    assert dark.page.evaluate(paper) == "rgb(20, 22, 26)"
    for seen, now in ((light, "rgb(20, 22, 26)"), (dark, "rgb(250, 249, 246)")):
        seen.page.locator(".more summary").click()
        seen.page.locator("[data-do='theme']").click()
        assert seen.page.evaluate(paper) == now


def test_the_print_view_has_the_figures_and_no_controls(visit, digits_report, tmp_path):
    seen = visit(digits_report, color_scheme="dark")
    seen.page.emulate_media(media="print")
    for selector in (".dock", ".switches", ".tools", ".actions", "[data-do='compare']"):
        assert not seen.page.locator(selector).first.is_visible(), selector
    for selector in ("[data-plot='roc'] svg.live", "[data-plot='histogram'] .live .bar.pos", ".confusion", ".findings"):
        assert seen.page.locator(selector).first.is_visible(), selector
    assert (
        seen.page.evaluate("getComputedStyle(document.querySelector('.thr')).backgroundColor") == "rgb(255, 255, 255)"
    )
    assert not any(hint.is_visible() for hint in seen.page.locator(".hint").all())
    pdf = seen.page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 7


def test_without_scripts_everything_is_there_to_read(visit, digits_report, digits):
    page = visit(java_script_enabled=False).page
    page.goto(digits_report.as_uri())
    assert page.locator("[data-plot='roc'] .still svg path.curve").count() == 2
    assert page.locator("[data-plot='roc'] .still svg").is_visible()
    assert page.locator("[data-plot='histogram'] .still svg.chart").count() == 2
    assert not page.locator(".dock").is_visible()
    assert page.locator("[data-area='roc_auc:0']").text_content() == f"{digits['logistic'].roc_auc().value:.4f}"
    assert page.get_by_role("heading", name="Methods").is_visible()


def test_narrow_screens_do_not_scroll_sideways(visit, digits_report):
    seen = visit(digits_report, viewport={"width": 360, "height": 740}, has_touch=True)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.hover("roc", 0.4, 0.7)
    assert seen.complaints == []


@pytest.mark.parametrize(
    "scores",
    [
        th.Scores([0, 1], [3.0, 3.0]),
        th.Scores([0, 0, 1], [-np.inf, 0.5, np.inf]),
        th.Scores([0, 1, 0, 1], [2**60, 2**60 + 1, 5, 2**61]),
        th.Scores([1, 0, 0, 1], [0.1, 0.2, 0.3, 0.4], sample_weight=[0.5, 1.25, 1e-3, 7.0]),
        th.Scores([0, 0, 1, 1], np.array([0.1, 0.4, 0.35, 0.8], dtype=np.float32)),
        th.Scores(np.arange(60) >= 30, -np.arange(60.0)),
        th.Scores([1, 0], [1e308, -1e308]),
        th.Scores.from_counts([2.0, 1.0], pos=[0, 3], neg=[5, 0]),
    ],
    ids=["all tied", "infinite", "large integers", "weighted", "float32", "flipped", "huge", "negatives first"],
)
def test_odd_data_are_drawn_without_a_complaint(visit, tmp_path, scores):
    seen = visit(report({"a": scores, "b": scores}, tmp_path / "r.html"))
    for key in ("Home", "ArrowRight", "End"):
        seen.page.locator("[data-plot='roc'] svg.live").press(key)
        seen.settle()
    for tool in ("roc:log-x", "roc:log-y", "pr:log-x", "pr:log-y", "histogram:straight"):
        seen.page.locator(f"[data-chart-tool='{tool}']").dispatch_event("click")
    for layer in ("hull", "achievable", "unachievable", "isocost"):
        seen.layer(layer, True)
    seen.hover("histogram", 0.5, 0.5)
    seen.settle()
    assert seen.complaints == []
    drawn = seen.page.evaluate("[...document.querySelectorAll('svg.live')].map(node => node.outerHTML).join('')")
    assert "NaN" not in drawn
    assert "Infinity" not in re.sub(r'aria-valuetext="[^"]*"', "", drawn)


def test_float32_thresholds_are_found_as_typed(visit, tmp_path):
    scores = th.Scores([0, 0, 1, 1], np.array([0.1, 0.4, 0.35, 0.8], dtype=np.float32))
    seen = visit(report({"a": scores}, tmp_path / "r.html"))
    seen.type("threshold", "0.4")
    point = scores.roc().at(threshold=0.4)
    assert seen.point("roc") == (point.fpr, point.tpr) == (0.5, 0.5)
    assert seen.out("same-as") == ""


def test_a_million_scores_make_a_small_page(visit, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.random(1_000_000) < 0.05
    scores = th.Scores(y, rng.normal(size=1_000_000) + 1.4 * y)
    path = report({"million": scores}, tmp_path / "r.html")
    assert path.stat().st_size < 1_500_000
    seen = visit(path)
    # What a browser has to lay out: elements, and corners of the paths in the live figures.
    assert seen.page.evaluate("document.querySelectorAll('*').length") < 3_000
    drawn = "[...document.querySelectorAll('svg.live path')].map(path => path.getAttribute('d')).join(' ')"
    assert 0 < len(re.findall(r"[LMHVlmhv]", seen.page.evaluate(drawn))) < 50_000


def test_the_matrix_of_weighted_rows_tells_shares_of_cases(visit, tmp_path):
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.3
    scores = th.Scores(y, rng.normal(size=400) + y, sample_weight=rng.gamma(2, 50.0, size=400))
    seen = visit(report({"m": scores}, tmp_path / "r.html"))
    seen.type("threshold", "0.5")
    point = scores.roc().at(threshold=0.5)
    assert (
        seen.out("basis")
        == f"expected among 1,000 cases, {percent(scores.prevalence)} of them positive by weight, with 95% intervals"
    )
    assert seen.out("tp") == number(1000 * scores.prevalence * point.recall)
    assert seen.out("fp") == number(1000 * (1 - scores.prevalence) * point.fpr)
    assert "of 1,000 cases to be positive" in seen.out("sentence")
