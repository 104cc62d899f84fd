"""What people put into talks: presentation, the picture of the view, several data sets, charts by threshold."""

from __future__ import annotations

import re

import numpy as np
import pytest

import thresher as th
from thresher import report

WIDE = {"width": 1366, "height": 768}


def test_one_chart_at_a_time_under_one_sentence(visit, digits_report):
    seen = visit(digits_report, viewport=WIDE)
    page = seen.page
    page.locator("[data-do='present']").click()
    seen.settle()
    assert page.locator(".panel:visible").count() == 1
    assert seen.out("told") == "Of 1,000 cases 97 are positive: 74 found, 23 missed, 17 false alarms."
    box = page.locator("[data-plot='roc'] svg.live").bounding_box()
    assert box["height"] > 450
    assert box["y"] + box["height"] <= 768
    size = page.locator(".told").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size > 25
    kinds = []
    for _ in range(9):
        seen.settle()
        assert page.locator(".panel:visible").count() == 1
        plot = page.locator(".panel:visible .plot")
        kinds.append(plot.get_attribute("data-plot"))
        inside = plot.locator("svg.live").bounding_box()
        assert inside["height"] > 300, kinds[-1]
        assert inside["y"] + inside["height"] <= 768, kinds[-1]
        page.keyboard.press("ArrowRight")
    assert len(set(kinds)) == 9
    page.keyboard.press("ArrowLeft")
    seen.settle()
    assert page.locator(".panel:visible .plot").get_attribute("data-plot") == kinds[-1]
    before = seen.out("told")
    seen.type("balance-typed", "1%")
    assert seen.out("told").startswith("Of 1,000 cases 10 are positive: ")
    assert seen.out("told") != before
    page.keyboard.press("Escape")
    seen.settle()
    assert page.locator(".panel:visible").count() > 5
    assert seen.complaints == []


def test_the_sentence_counts_what_readers_call_the_rows(visit, tmp_path):
    y = np.arange(2000) < 10
    rng = np.random.default_rng(0)
    scores = th.Scores(y, rng.normal(size=y.size) + 2 * y)
    path = report({"m": scores}, tmp_path / "r.html", cases="patients", positive="ill").path
    seen = visit(path, viewport=WIDE)
    seen.page.locator("[data-do='present']").click()
    seen.settle()
    numbers = [int(one.replace(",", "")) for one in re.findall(r"[\d,]*\d", seen.out("told"))]
    assert re.fullmatch(
        r"Of [\d,]+ patients [\d,]+ are ill: [\d,]+ found, [\d,]+ missed, [\d,]+ false alarms?\.", seen.out("told")
    )
    assert numbers[1] == numbers[2] + numbers[3] == numbers[0] * 10 / 2000
    assert seen.out("people-title") == "Of 1,000 patients"


@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_view_is_saved_as_one_picture(visit, digits_report, tmp_path, form):
    seen = visit(digits_report, viewport=WIDE)
    seen.type("threshold", "0.5")
    seen.page.locator(".more summary").click()
    with seen.page.expect_download() as caught:
        seen.page.locator(f"[data-do='slide-{form}']").click()
    target = tmp_path / f"view.{form}"
    caught.value.save_as(target)
    if form == "png":
        data = target.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert [int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")] == [2560, 1440]
        return
    text = target.read_text(encoding="utf-8")
    assert "Finding the eights" in text
    assert "Threshold 0.5" in text
    assert seen.out("recall") in text
    assert seen.out("recall-limits") in text
    assert "class=" not in text
    assert not re.search(r"(href|src)=|url\((?!#)|var\(--", text)


@pytest.fixture(scope="module")
def three_sets(tmp_path_factory):
    rng = np.random.default_rng(3)
    sets = {}
    for name, n, shift in (("train", 900, 2.0), ("validation", 500, 1.4), ("test", 400, 1.2)):
        y = rng.random(n) < 0.3
        made = {"forest": rng.normal(size=n) + shift * y, "tree": rng.normal(size=n) + 0.7 * shift * y}
        sets[name] = (y, made)
    models = {name: {key: th.Scores(y, one) for key, one in made.items()} for name, (y, made) in sets.items()}
    path = tmp_path_factory.mktemp("sets") / "sets.html"
    compared = {name: th.compare(y, made) for name, (y, made) in sets.items()}
    report(models, path, comparison=compared, title="Three sets")
    return path, models


def test_a_threshold_chosen_on_one_data_set_is_read_on_another(visit, three_sets):
    path, models = three_sets
    seen = visit(path, viewport=WIDE)
    page = seen.page
    assert page.locator(".thr:visible").count() == 1
    page.locator(".thr:visible [data-go-set='1']").click()
    seen.settle()
    box = page.locator(".thr:visible [data-in='threshold']")
    box.fill("0.9")
    box.press("Enter")
    seen.settle()
    page.locator(".thr:visible [data-go-set='2']").click()
    seen.settle()
    shell = page.locator(".thr:visible")
    assert shell.get_attribute("data-set") == "2"
    assert shell.locator("[data-model-choice]:checked").count() == 1
    assert shell.locator("[data-in='threshold']").input_value() == "0.9"
    point = models["test"]["forest"].roc().at(threshold=0.9)
    assert shell.locator("[data-out='tp']").first.text_content() == str(point.tp)
    rows = shell.locator("[data-table='sets'] tr")
    assert rows.count() == 3
    for row, name in zip(rows.all(), models, strict=True):
        here = models[name]["forest"].roc().at(threshold=0.9)
        assert row.locator("th").text_content().strip("\u2068\u2069") == name
        recall = row.locator("td").nth(2)
        assert recall.evaluate("node => node.firstChild.textContent") == f"{here.recall:.3f}"
        low, high = models[name]["forest"].measure("recall", threshold=0.9).confidence_interval()
        assert recall.locator(".interval").text_content() == f"{low:.3f} to {high:.3f}"
    assert seen.complaints == []


def test_a_chart_stands_beside_the_models_only_if_all_of_them_are_seen(visit, three_sets, digits, tmp_path):
    seen = visit(three_sets[0], viewport=WIDE)
    inner, outer = seen.page.locator(".thr:visible .ranking .rows").evaluate("n => [n.scrollHeight, n.clientHeight]")
    assert inner <= outer
    seen = visit(report({"tree": digits["tree"]}, tmp_path / "one.html").path, viewport=WIDE)
    panel, chart = ".by-threshold", "[data-plot='metrics'] svg.live"
    seen.hover("roc", 0.3, 0.6)
    assert seen.out("cross").startswith("recall at FPR ")
    boxes = [seen.page.locator(one).bounding_box() for one in (panel, chart)]
    assert boxes[1]["y"] + boxes[1]["height"] <= boxes[0]["y"] + boxes[0]["height"]


def test_names_in_a_presentation_do_not_touch(visit, digits_report):
    seen = visit(digits_report, viewport=WIDE)
    seen.page.locator("[data-do='present']").click()
    seen.settle()
    seen.settle()
    boxes = [node.bounding_box() for node in seen.page.locator("[data-plot='roc'] svg.live text.legend").all()]
    assert len(boxes) == 2
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart_x = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
            apart_y = a["y"] + a["height"] <= b["y"] + 4 or b["y"] + b["height"] <= a["y"] + 4
            assert apart_x or apart_y


def test_data_sets_have_addresses_and_no_identifier_twice(visit, three_sets):
    path, _ = three_sets
    seen = visit(path, viewport=WIDE)
    page = seen.page
    twice = page.evaluate(
        "() => { const ids = [...document.querySelectorAll('[id]')].map(n => n.id);"
        " return ids.filter((id, i) => ids.indexOf(id) !== i) }"
    )
    assert twice == []
    page.locator(".thr:visible [data-go-set='2']").click()
    while "set=2" not in page.evaluate("location.hash"):
        seen.settle()
    address = page.evaluate("location.href")
    again = visit()
    again.page.goto(address)
    again.settle()
    assert again.page.locator(".thr:visible").get_attribute("data-set") == "2"


def test_data_sets_without_scripts_stand_below_each_other(visit, three_sets):
    path, _ = three_sets
    seen = visit()
    context = seen.page.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator(".thr:visible").count() == 3
    assert page.locator(".set-name:visible").all_text_contents() == ["train", "validation", "test"]
    context.close()


def test_axe_finds_nothing_with_data_sets_nor_in_a_presentation(visit, complaints, three_sets):
    path, _ = three_sets
    seen = visit(path, viewport=WIDE, bypass_csp=True)
    assert complaints(seen) == []
    seen.page.locator(".thr:visible [data-do='present']").click()
    seen.settle()
    assert complaints(seen) == []


def test_metrics_by_threshold_are_those_of_the_point_and_can_be_dragged(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE)
    seen.type("threshold", "0.4")
    chart = seen.page.locator("[data-plot='metrics'] svg.live")
    chart.scroll_into_view_if_needed()
    seen.settle()
    names = dict(text.rsplit(" ", 1) for text in chart.locator(".metric-name").all_text_contents())
    point = digits["logistic"].roc().at(threshold=0.4)
    assert names == {
        "Recall": f"{point.recall:.3f}",
        "Precision": f"{point.precision:.3f}",
        "F1": f"{point.f1:.3f}",
        "FPR": f"{point.fpr:.3f}" if point.fpr >= 0.01 else f"{point.fpr:.4f}",
    }
    assert chart.locator(".band").count() == 4
    box = chart.bounding_box()
    seen.page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 100)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 100)
    seen.settle()
    seen.page.mouse.up()
    assert float(seen.page.locator("[data-in='threshold']").input_value()) > 0.5


@pytest.mark.parametrize("plot", ["balance", "cost", "calibration", "decision"])
def test_every_chart_below_the_cockpit_can_be_dragged_with_the_bar_in_sight(visit, digits_report, plot):
    seen = visit(digits_report, viewport=WIDE)
    chart = seen.page.locator(f"[data-plot='{plot}'] svg.live")
    chart.scroll_into_view_if_needed()
    seen.settle()
    bar = seen.page.locator(".dock").bounding_box()
    assert 0 <= bar["y"] < 10
    field = "balance-typed" if plot == "balance" else "threshold"
    before = seen.page.locator(f"[data-in='{field}']").input_value()
    box = chart.bounding_box()
    seen.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2)
    seen.settle()
    seen.page.mouse.up()
    assert seen.page.locator(f"[data-in='{field}']").input_value() != before


def test_the_menu_closes_with_escape_and_with_a_press_elsewhere(visit, digits_report):
    seen = visit(digits_report, viewport=WIDE)
    menu = seen.page.locator(".more")
    for close in (lambda: seen.page.keyboard.press("Escape"), lambda: seen.page.mouse.click(300, 500)):
        menu.locator("summary").click()
        assert menu.evaluate("node => node.open")
        menu.locator("[data-layer='hull']").focus()
        close()
        assert not menu.evaluate("node => node.open")


def test_the_headline_follows_the_prevalence(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE)
    before = seen.out("headline")
    seen.type("balance-typed", "1%")
    changed = seen.out("headline")
    assert changed != before
    point = digits["logistic"].roc().at(recall=0.9)
    exact = point if point.mix is None else digits["logistic"].roc().at(threshold=point.mix.low)
    right = 0.01 * exact.tpr / (0.01 * exact.tpr + 0.99 * exact.fpr)
    assert f"of which {100 * right:.1f}% are right" in changed
    seen.page.locator("[data-do='sample-balance']").click()
    seen.settle()
    assert seen.out("headline") == before


def test_the_page_says_why_it_opens_there(visit, digits_report):
    seen = visit(digits_report, viewport=WIDE)
    assert seen.out("same-as") == "largest F1 on these data"
    seen.type("threshold", "0.5")
    assert "largest" not in seen.out("same-as")


@pytest.mark.parametrize("size", [(1366, 640), (1366, 768), (1920, 1080)])
def test_nothing_of_the_matrix_is_cut_and_no_column_is_half_empty(visit, digits_report, size):
    seen = visit(digits_report, viewport={"width": size[0], "height": size[1]})
    page = seen.page
    matrix = page.locator(".matrix")
    inner, outer = matrix.evaluate("node => [node.scrollHeight, node.clientHeight]")
    assert inner <= outer
    last = page.locator(".rates [data-out='youden-limits']").bounding_box()
    assert last["y"] + last["height"] <= size[1]
    ends = [page.locator(one).last.bounding_box() for one in (".crowd", ".side > :not(:empty)")]
    assert abs((ends[0]["y"] + ends[0]["height"]) - (ends[1]["y"] + ends[1]["height"])) < 12
    moved = page.locator("[data-moves]").evaluate("node => node.parentElement.dataset.slot")
    assert moved == ("side" if size[1] >= 760 else "below")


def test_long_numbers_of_rare_events_are_not_cut(visit, tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(200_000) < 100
    scores = rng.normal(size=y.size) + 2.5 * y
    path = report({"m": th.Scores(y, scores)}, tmp_path / "r.html").path
    seen = visit(path, viewport=WIDE)
    seen.type("threshold", "3.7")
    assert len(seen.out("fpr-limits")) > 13
    matrix = seen.page.locator(".matrix").bounding_box()
    for box in (node.bounding_box() for node in seen.page.locator(".rates .limits").all()):
        assert box["x"] + box["width"] <= matrix["x"] + matrix["width"]
    boxes = [node.bounding_box() for node in seen.page.locator(".rates div").all()]
    assert all(a["x"] + a["width"] <= b["x"] for a, b in zip(boxes[:3], boxes[1:4], strict=True))
    low, high = re.fullmatch(r"([\d,]+)–([\d,]+)", seen.out("tp-limits")).groups()
    assert int(low) <= int(seen.out("tp")) <= int(high)


def test_the_metric_that_ranks_is_in_the_table_with_its_interval(visit, tmp_path):
    data = th.datasets.load_digits_eight()
    long = {"a name that is longer than the column of the table is wide": data.logistic, "tree": data.tree}
    compared = th.compare(data.y_true, long, metric="brier")
    tables = {name: th.Scores(data.y_true, values) for name, values in long.items()}
    seen = visit(report(tables, tmp_path / "r.html", comparison=compared).path, viewport=WIDE)
    found = compared.estimates.to_dict()
    for i, (value, low, high) in enumerate(zip(found["value"], found["low"], found["high"], strict=True)):
        cell = seen.page.locator(f"tr[data-model='{i}'] [data-column='score']")
        assert cell.text_content() == f"{value:.3f}{low:.3f}–{high:.3f}"
    order = [row.get_attribute("data-model") for row in seen.page.locator("[data-table='models'] tr").all()]
    assert order == [str(i) for i in np.argsort(found["value"])]
    for name in seen.page.locator(".ranking bdi").all():
        assert name.evaluate("node => node.scrollWidth <= node.clientWidth")
    for row in seen.page.locator("[data-table='models'] tr").all():
        boxes = row.locator("th .tick-box").bounding_box(), row.locator("td").first.bounding_box()
        assert boxes[0]["x"] + row.locator(".tick-box").evaluate("node => node.scrollWidth") <= boxes[1]["x"]
    assert seen.page.locator(".forests svg").count() == 3
    seen.hover("roc", 0.3, 0.6)
    inner, outer = seen.page.locator(".ranking .rows").evaluate("n => [n.scrollWidth, n.clientWidth]")
    assert inner <= outer


def test_one_colour_for_each_kind_of_case(visit, digits_report):
    seen = visit(digits_report, viewport=WIDE)
    seen.type("threshold", "0.3")
    fill = "node => getComputedStyle(node).fill"
    background = "node => getComputedStyle(node).backgroundColor"
    for kind in ("tp", "fp"):
        bar = seen.page.locator(f"[data-plot='histogram'] .bar.{kind}").first.evaluate(fill)
        dot = seen.page.locator(f"[data-plot='people'] .person.{kind}").first.evaluate(fill)
        cell = seen.page.locator(f".cell.{kind} i").evaluate(background)
        count = seen.page.locator(f".live-counts .{kind} dd").evaluate("node => getComputedStyle(node).color")
        assert len({bar, dot, cell, count}) == 1
    missed = seen.page.locator("[data-plot='people'] .person.fn").first.evaluate(
        "node => getComputedStyle(node).stroke"
    )
    assert missed == seen.page.locator(".cell.fn i").evaluate(background)
    assert missed == seen.page.locator("[data-plot='histogram'] .bar.fn").first.evaluate(fill)


def test_leads_are_a_strip_painted_as_far_as_bands_support_them(visit, digits_report):
    seen = visit(digits_report, viewport=WIDE)
    for model in ("0", "1"):
        seen.page.locator(f"tr[data-model='{model}'] [data-do='compare']").check()
    seen.settle()
    strips = seen.page.locator("[data-plot='roc'] .lead")
    tall = strips.evaluate_all("nodes => nodes.map(node => Number(node.getAttribute('height')))")
    assert set(tall) == {7}
    sure = seen.page.locator("[data-plot='roc'] .lead:not(.unsure)").count()
    assert 0 < sure < strips.count()


@pytest.mark.parametrize("plot", ["roc", "pr"])
def test_the_chosen_model_is_always_named(visit, tmp_path, plot):
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    base = rng.normal(size=400) + y
    tables = {f"m{i}": th.Scores(y, base + 0.01 * rng.normal(size=400)) for i in range(12)}
    seen = visit(report(tables, tmp_path / "r.html").path, viewport=WIDE)
    for _ in range(3):
        seen.page.locator("[data-in='model']").select_option(index=int(rng.integers(12)))
        seen.settle()
        seen.settle()
        assert seen.page.locator(f"[data-plot='{plot}'] .legend.active").count() == 1
