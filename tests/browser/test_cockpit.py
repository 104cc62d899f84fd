"""The cockpit: everything in one window, one unit of counts, ranks, the crosshair, people, address, and the verdict."""

from __future__ import annotations

import re

import numpy as np
import pytest

import thresher as th
from thresher import report
from thresher._report.plain_data import unit_of
from thresher._report.words import rate

WIDE = {"width": 1366, "height": 768}

# A difference next to the level depends on one case; the pages show it either way.
pytestmark = pytest.mark.filterwarnings("ignore:One case decides")


def ranked_models(count: int, n: int = 400, seed: int = 0) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels and scores of models of which the last is the best."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    shared = rng.normal(size=n)
    made = {f"m{i}": (0.4 + 0.15 * i) * y + 0.6 * shared + rng.normal(size=n) for i in range(count)}
    return y, made


@pytest.fixture(scope="module")
def nine(tmp_path_factory):
    y, made = ranked_models(9)
    tables = {name: th.Scores(y, values) for name, values in made.items()}
    path = tmp_path_factory.mktemp("nine") / "nine.html"
    report(tables, path, comparison=th.compare(y, made))
    return path, tables


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1920, 1080)])
def test_curves_histogram_matrix_and_models_stand_in_one_window(visit, digits_report, size):
    seen = visit(digits_report, viewport={"width": size[0], "height": size[1]})
    for selector in ("[data-plot='roc'] svg.live", "[data-plot='pr'] svg.live", "[data-plot='histogram'] svg.live",
                     "[data-plot='people'] svg.live", ".confusion", ".ranking"):  # fmt: skip
        box = seen.page.locator(selector).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1], selector
        assert box["height"] > 90, selector
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # The bar stays while one reads on.
    seen.page.mouse.wheel(0, 3000)
    seen.settle()
    assert seen.page.locator("[data-in='threshold']").bounding_box()["y"] < 60


def test_phones_have_one_line_that_stays(visit, digits_report):
    seen = visit(digits_report, viewport={"width": 360, "height": 740}, has_touch=True)
    seen.page.evaluate("window.scrollTo(0, 2000)")
    seen.settle()
    line = seen.page.locator(".threshold").bounding_box()
    assert line["y"] <= 1
    assert line["height"] <= 52
    assert seen.page.locator(".live-counts [data-out='tp']").is_visible()
    cut = seen.page.evaluate(
        "() => [...document.querySelectorAll('.confusion td')]"
        ".filter(cell => cell.scrollWidth > cell.clientWidth + 1).length"
    )
    assert cut == 0


def test_the_page_opens_on_the_best_and_ranks_the_models(visit, nine):
    path, tables = nine
    seen = visit(path, viewport=WIDE)
    best = sorted(tables, key=lambda name: -tables[name].roc_auc().value)
    assert seen.page.locator("[data-in='model'] option:checked").text_content() == best[0]
    rows = seen.page.locator("[data-table='models'] tr")
    assert [row.locator("bdi").text_content() for row in rows.all()] == best
    seen.page.locator("[data-sort='interpolated']").click()
    by_pr = sorted(tables, key=lambda name: -tables[name].pr_auc().value)
    assert [row.locator("bdi").text_content() for row in rows.all()] == by_pr
    text = path.read_text(encoding="utf-8")
    assert "And 21 more pairs" in text
    assert any(words in text for words in ("may be chance (p = ", "ahead of", "rests on one case (p = "))


def test_models_can_be_hidden_and_two_compared(visit, nine):
    path, _ = nine
    seen = visit(path, viewport=WIDE)
    page = seen.page
    assert page.locator("[data-plot='roc'] svg.live path.curve").count() == 9
    page.locator("tr[data-model='0'] [data-do='draw']").uncheck()
    seen.settle()
    assert page.locator("[data-plot='roc'] svg.live path.curve").count() == 8
    page.locator("tr[data-model='1'] [data-do='compare']").check()
    page.locator("tr[data-model='8'] [data-do='compare']").check()
    seen.settle()
    assert re.search(r"minus .*ROC AUC: [+−]0\.\d{4} \(.* to .*\), p ", seen.out("pair"))
    assert page.locator("[data-plot='pr'] .lead").count() > 0


def test_the_crosshair_reads_every_model(visit, nine):
    path, tables = nine
    seen = visit(path, viewport=WIDE)
    seen.hover("roc", 0.5, 0.5)
    fpr = float(seen.out("cross").removeprefix("recall at FPR "))
    for i, (_, scores) in enumerate(tables.items()):
        shown = float(seen.page.locator(f"tr[data-model='{i}'] [data-column='cross']").text_content())
        around = [scores.roc().at(fpr=max(0.0, fpr + step)).recall for step in (-6e-4, 6e-4)]
        assert around[0] - 6e-4 <= shown <= around[1] + 6e-4
    seen.hover("pr", 0.5, 0.5)
    recall = float(seen.out("cross").removeprefix("precision at recall "))
    for i, (_, scores) in enumerate(tables.items()):
        shown = float(seen.page.locator(f"tr[data-model='{i}'] [data-column='cross']").text_content())
        assert shown == pytest.approx(scores.pr().at(recall=recall).precision, abs=0.01)


def test_a_click_selects_the_curve_that_is_nearest(visit, nine):
    path, _ = nine
    seen = visit(path, viewport=WIDE)
    worst = seen.page.evaluate(
        """() => { const svg = document.querySelector("[data-plot='roc'] svg.live"), box = svg.getBoundingClientRect();
        const path = svg.querySelector("path.curve[data-model='0']");
        const p = path.getPointAtLength(path.getTotalLength() / 2);
        return [box.x + p.x, box.y + p.y] }"""
    )
    seen.page.mouse.move(*worst)
    seen.settle()
    assert seen.page.locator("[data-plot='roc'] path.curve.near").get_attribute("data-model") == "0"
    seen.page.mouse.down()
    seen.page.mouse.up()
    seen.settle()
    assert seen.page.locator("[data-in='model'] option:checked").text_content() == "m0"


def test_every_line_has_a_look_of_its_own(visit, nine):
    path, _ = nine
    looks = visit(path).page.evaluate(
        "() => [...document.querySelectorAll(\"[data-plot='roc'] svg.live path.curve\")].map(node => "
        "getComputedStyle(node).stroke + getComputedStyle(node).strokeDasharray)"
    )
    assert len(set(looks)) == 9


def test_dots_are_whole_cases_of_the_matrix_and_more_of_them_for_rare_events(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE)
    seen.type("threshold", "0.25")
    for text, share, size in (("30%", 0.3, 200), ("1%", 0.01, 200), ("0.5%", 0.005, 1000)):
        seen.type("balance-typed", text)
        point = digits["logistic"].roc().at(threshold=0.25)
        exact = {"tp": size * share * point.tpr, "fn": size * share * point.fnr, "fp": size * (1 - share) * point.fpr}
        assert seen.out("people-title") == f"Of {size:,} cases"
        dots = {
            kind: seen.page.locator(f"[data-plot='people'] .person.{kind}").count() for kind in ("tp", "fn", "fp", "tn")
        }
        assert sum(dots.values()) == size
        assert dots["tp"] + dots["fn"] == round(size * share)
        for kind, value in exact.items():
            assert abs(dots[kind] - value) < 1, kind
            assert int(seen.out(f"people-{kind}")) == dots[kind]


def test_the_address_keeps_what_is_looked_at(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE)
    seen.page.locator("[data-in='model']").select_option("1")
    seen.settle()
    seen.type("threshold", "0.9")
    seen.type("balance-typed", "2%")
    seen.layer("hull", True)
    while "hull" not in seen.page.evaluate("location.hash"):  # written a moment later; the page allows no eval to wait
        seen.settle()
    address = seen.page.evaluate("location.href")
    again = visit()
    again.page.goto(address)
    again.settle()
    again.settle()
    point = digits["tree"].pr(prevalence=0.02).at(threshold=0.9)
    assert again.point("roc") == (point.fpr, point.tpr)
    assert again.point("pr") == pytest.approx((point.recall, point.precision))
    assert again.page.locator("[data-layer='hull']").is_checked()


def test_the_point_is_copied_as_python_that_gives_it(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])
    seen.type("threshold", "0.25")
    seen.type("balance-typed", "1%")
    seen.page.locator(".more summary").click()
    seen.page.locator("[data-do='copy-python']").click()
    seen.page.wait_for_function("document.querySelector(\"[data-do='copy-python']\").textContent == 'Copied'")
    text = seen.page.evaluate("navigator.clipboard.readText()")
    data = th.datasets.load_digits_eight()
    space = {"y_true": data.y_true, "y_score": data.logistic, "print": lambda *parts, **kwargs: None}
    exec(text, space)  # noqa: S102  # what the page says one can run
    assert space["point"] == digits["logistic"].pr(prevalence=0.01).at(threshold=0.25)


# The library says that these data hardly show what precision depends on at one in a hundred.
@pytest.mark.filterwarnings("ignore:At prevalence:thresher.exceptions.ThresherWarning")
def test_every_number_follows_the_prevalence_asked_for(visit, digits, tmp_path):
    path = report(digits, tmp_path / "r.html", prevalence=0.01).path
    text = path.read_text(encoding="utf-8")
    area = digits["logistic"].pr_auc(prevalence=0.01)
    low, high = area.confidence_interval()
    cell = re.search(r'data-area="interpolated:0">([^<]+)</b>\s*<span class="interval">([^<]+)<', text)
    assert cell.groups() == (f"{area.value:.4f}", f"{low:.4f} to {high:.4f}")
    assert "alerts among 1,000 cases" in text
    seen = visit(path, viewport=WIDE)
    row = seen.page.locator("tr[data-model='0'] [data-column='interpolated']")
    assert row.text_content() == f"{rate(area.value)}{rate(low)}–{rate(high)}"
    seen.type("balance-typed", "5%")
    assert row.text_content() == rate(digits["logistic"].pr_auc(prevalence=0.05).value)
    assert seen.out("pr-interval").startswith("No confidence interval of PR AUC at this prevalence")
    seen.page.locator("[data-do='sample-balance']").click()
    seen.settle()
    own = digits["logistic"].pr_auc()
    assert row.text_content() == f"{rate(own.value)}{'–'.join(rate(end) for end in own.confidence_interval())}"


def test_bands_follow_the_slider(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE)
    seen.type("balance-typed", "2%")
    band = digits["logistic"].pr_band([0.5], prevalence=0.02)
    ends = seen.page.evaluate(
        """() => { const svg = document.querySelector("[data-plot='pr'] svg.live"), band = svg.querySelector(".band");
        const text = band.getAttribute("d");
        const points = [...text.matchAll(/([\\d.]+),([\\d.]+)/g)].map(m => [+m[1], +m[2]]);
        const axis = value => [...svg.querySelectorAll(".axis g.tick")].filter(g => g.textContent === value)
            .map(g => /translate\\(([\\d.]+),([\\d.]+)\\)/.exec(g.getAttribute("transform"))).map(m => [+m[1], +m[2]]);
        const across = value => axis(value).map(p => p[0]).filter(v => v > 0)[0];
        const x = (across("0.4") + across("0.6")) / 2;
        const ys = axis("1").map(p => p[1]).filter(v => v > 0)[0], y0 = axis("0").map(p => p[1]).filter(v => v > 0)[0];
        const near = points.filter(p => Math.abs(p[0] - x) < 2.2).map(p => (y0 - p[1]) / (y0 - ys));
        return [Math.min(...near), Math.max(...near)] }"""
    )
    assert ends == pytest.approx([band.low[0], band.high[0]], abs=0.03)


def test_bars_of_whole_scores_are_split_by_what_is_called(visit, tmp_path):
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.4
    scores = th.Scores(y, np.clip(np.round(rng.normal(size=300) * 2 + 4 + 2 * y), 0, 10).astype(int))
    seen = visit(report({"m": scores}, tmp_path / "r.html").path, viewport=WIDE)
    for typed, called in ((4, 4), (6, 6), (3.5, 4), (0, 0)):
        seen.type("threshold", str(typed))
        # One bar for each value, pale below the threshold and full from it on.
        values = scores.thresholds
        for kind, column in (("pos", scores.pos), ("neg", scores.neg)):
            full = seen.page.locator(f"[data-plot='histogram'] svg.live .bar.{kind}:not(.missed)").count()
            pale = seen.page.locator(f"[data-plot='histogram'] svg.live .bar.{kind}.missed").count()
            assert full == int(((values >= called) & (column > 0)).sum())
            assert pale == int(((values < called) & (column > 0)).sum())


def test_warnings_come_first(visit, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.3
    seen = visit(report({"m": th.Scores(y, rng.normal(size=200) - y)}, tmp_path / "r.html").path, viewport=WIDE)
    box = seen.page.locator(".warnings").bounding_box()
    assert box["y"] < 150
    assert "Below chance" in seen.page.locator(".warnings").text_content()
    assert seen.page.locator("[data-plot='histogram'] svg.live").bounding_box()["y"] < 768


def test_printed_tables_are_not_cut(visit, nine):
    path, _ = nine
    seen = visit(path, viewport={"width": 703, "height": 1000})
    seen.page.emulate_media(media="print")
    wide = seen.page.evaluate("() => [...document.querySelectorAll('table')].map(t => t.getBoundingClientRect().right)")
    assert max(wide) <= 704


@pytest.fixture(scope="module")
def twelve(tmp_path_factory):
    y, made = ranked_models(12)
    named = {f"{name} of a study with a long name": values for name, values in made.items()}
    tables = {name: th.Scores(y, values) for name, values in named.items()}
    path = tmp_path_factory.mktemp("twelve") / "twelve.html"
    report(tables, path, comparison=th.compare(y, named))
    return path


@pytest.mark.parametrize("state", ["360", "1366", "print"])
def test_the_table_of_models_is_whole_whatever_its_names(visit, twelve, state):
    wide = {"360": 360, "1366": 1366, "print": 680}[state]
    seen = visit(twelve, viewport={"width": wide, "height": 768})
    if state == "print":
        seen.page.emulate_media(media="print")
        seen.settle()
    box = "node => [node.scrollWidth, node.clientWidth]"
    inner, outer = seen.page.locator(".ranking .rows").evaluate(box)
    assert inner <= outer
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= wide


def test_rare_events_have_dots_among_more_cases_without_those_that_are_cleared(visit, tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(5_000) < 5
    seen = visit(report({"rare": th.Scores(y, rng.normal(size=y.size) + y)}, tmp_path / "r.html"))
    assert seen.out("people-title") == "Of 10,000 cases"
    assert seen.out("people-note").startswith("The cleared ones are not drawn.")
    numbers = {kind: int(seen.out(f"people-{kind}").replace(",", "")) for kind in ("tp", "fn", "fp", "tn")}
    assert sum(numbers.values()) == 10_000
    assert numbers["tp"] + numbers["fn"] == 10
    for kind in ("tp", "fn"):
        assert seen.page.locator(f"[data-plot='people'] .person.{kind}").count() == numbers[kind]
    each = 10 if "A dot stands for 10 false alarms." in seen.out("people-note") else 1
    assert seen.page.locator("[data-plot='people'] .person.fp").count() == -(-numbers["fp"] // each)
    seen.type("balance-typed", "0.001%")
    assert seen.out("people-note").startswith("Fewer than two of 100,000 cases are positive.")
    seen.type("balance-typed", "10%")
    assert seen.out("people-note") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1366])
@pytest.mark.parametrize("models", [1, 2, 12])
def test_axe_finds_nothing(visit, complaints, digits_report, twelve, digits, tmp_path, models, width, scheme):
    path = {2: digits_report, 12: twelve}.get(models) or report({"tree": digits["tree"]}, tmp_path / "one.html")
    seen = visit(path, viewport={"width": width, "height": 768}, color_scheme=scheme, bypass_csp=True)
    seen.page.locator(".more summary").click()
    if width > 600:
        seen.hover("roc", 0.4, 0.7)
    assert complaints(seen) == []


def test_one_unit_of_counts_has_ten_of_the_rarer_class():
    assert [unit_of(share) for share in (0.3, 0.01, 0.009, 0.001, 0.0005, 0.999)] == [
        1000,
        1000,
        10_000,
        10_000,
        100_000,
        10_000,
    ]
