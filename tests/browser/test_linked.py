"""One threshold, four views: what lights up together, with the library's numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

import thresher as th
from thresher import report
from thresher._report.words import number, rate

MINUS = "−"


def threshold_of(seen) -> float:
    return float(seen.page.locator("[data-in='threshold']").input_value().replace(MINUS, "-"))


def check(seen, scores, threshold: float, prevalence: float | None = None) -> None:
    """All four views show the library's operating point."""
    point = scores.pr(prevalence=prevalence).at(threshold=threshold)
    assert seen.point("roc") == (point.fpr, point.tpr)
    assert seen.point("pr") == pytest.approx((point.recall, point.precision), rel=1e-14)
    if prevalence is None:
        for name in ("tp", "fp", "fn", "tn"):
            assert seen.out(name).replace(",", "") == str(getattr(point, name))
        # Labels are left out where the threshold leaves them no room.
        quadrants = seen.page.locator("[data-plot='histogram'] .quadrant").all_text_contents()
        right = [f"{point.tp:,} found", f"{point.fp:,} false alarms"]
        left = [f"{point.fn:,} missed", f"{point.tn:,} cleared"]
        assert sorted(quadrants) in (sorted(right), sorted(left), sorted(left + right))
    for name in ("recall", "precision", "fpr", "f1", "specificity", "youden"):
        assert seen.out(name) == rate(getattr(point, name))
    assert seen.out("npv") == rate(point.npv().value)
    assert seen.out("alertRate") == rate(point.alert_rate)


def ghost(seen, plot: str) -> tuple[float, float] | None:
    """Return where the mark of the point under the pointer stands, in pixels of the page."""
    mark = seen.page.locator(f"[data-plot='{plot}'] circle.ghost-dot")
    return None if mark.count() == 0 else tuple(float(mark.get_attribute(side)) for side in ("cx", "cy"))


def test_pointing_shows_a_point_in_every_view_and_changes_no_number(visit, digits_report, digits):
    seen = visit(digits_report)
    names = ("tp", "fp", "fn", "tn", "recall", "precision", "sentence")
    before = [*(seen.out(name) for name in names), threshold_of(seen), seen.point("roc"), seen.point("pr")]
    roc = digits["logistic"].roc()
    for plot, across, up in (("roc", 0.25, 0.8), ("pr", 0.75, 0.4), ("roc", 0.16, 0.5)):
        seen.hover(plot, across, up)
        assert [*(seen.out(name) for name in names), threshold_of(seen), seen.point("roc"), seen.point("pr")] == before
        index = int(seen.page.locator("[data-plot='roc'] svg.live").get_attribute("data-ghost"))
        assert None not in (ghost(seen, "roc"), ghost(seen, "pr"))
        assert seen.page.locator("[data-plot='histogram'] .ghost-cut").count() == 1
        # Its numbers stand beside it, where the pointer is and nowhere else.
        tips = seen.page.locator(".tip-text").all_text_contents()
        value = roc.tpr[index] if plot == "roc" else digits["logistic"].pr().precision[index]
        assert len(tips) == 1
        assert tips[0].endswith(f"{'recall' if plot == 'roc' else 'precision'} {rate(float(value))}")
        assert float(tips[0].split(":")[0].removeprefix("at ")) == pytest.approx(roc.thresholds[index], abs=5e-3)
    seen.page.mouse.move(2, 2)
    seen.settle()
    assert ghost(seen, "roc") is None
    assert seen.page.locator(".ghost-cut, .tip").count() == 0


def test_a_click_chooses_the_point_that_was_shown(visit, digits_report, digits):
    seen = visit(digits_report)
    seen.hover("pr", 0.7, 0.85)
    shown = int(seen.page.locator("[data-plot='roc'] svg.live").get_attribute("data-ghost"))
    seen.page.mouse.down()
    seen.page.mouse.up()
    seen.settle()
    check(seen, digits["logistic"], float(digits["logistic"].roc().thresholds[shown]))


def test_a_click_in_the_histogram_moves_the_curves(visit, digits_report, digits):
    seen = visit(digits_report)
    seen.hover("histogram", 0.5, 0.5)
    assert None not in (ghost(seen, "roc"), ghost(seen, "pr"))
    seen.page.mouse.down()
    seen.page.mouse.up()
    seen.settle()
    threshold = threshold_of(seen)
    assert 0.3 < threshold < 0.5
    point = digits["logistic"].roc().at(threshold=threshold)
    assert seen.point("roc") == (point.fpr, point.tpr)


def test_a_click_keeps_the_point_and_a_drag_moves_it(visit, digits_report):
    seen = visit(digits_report)
    seen.hover("roc", 0.3, 0.9)
    seen.page.mouse.down()
    seen.settle()
    kept = seen.point("roc")
    seen.page.mouse.up()
    seen.page.mouse.move(2, 2)
    seen.settle()
    assert seen.point("roc") == kept
    seen.hover("roc", 0.3, 0.9)
    seen.page.mouse.down()
    seen.hover("roc", 0.13, 0.3)
    seen.page.mouse.up()
    seen.page.mouse.move(2, 2)
    seen.settle()
    assert seen.point("roc") != kept


@pytest.mark.parametrize("threshold", [0.5, 0.1, 0.278, 0.0007])
def test_a_typed_threshold_gives_the_librarys_point(visit, digits_report, digits, threshold):
    seen = visit(digits_report)
    seen.type("threshold", str(threshold))
    point = digits["logistic"].roc().at(threshold=threshold)
    assert seen.point("roc") == (point.fpr, point.tpr)
    assert [seen.out(name).replace(",", "") for name in ("tp", "fp", "fn", "tn")] == [
        str(part) for part in (point.tp, point.fp, point.fn, point.tn)
    ]
    same = float(seen.out("same-as").removeprefix("same as ").replace("largest F1 on these data", "") or threshold)
    alike = digits["logistic"].roc().at(threshold=same)
    assert (alike.tp, alike.fp) == (point.tp, point.fp)
    assert seen.out("sentence") == (
        f"At threshold {threshold}, \u2068logistic\u2069 predicts {point.tp + point.fp:,} of 1,797 cases to be "
        f"positive: {point.tp:,} rightly, {format(point.fp, ',') if point.fp else 'none'} wrongly. "
        + (f"It misses {point.fn:,}." if point.fn else "It misses none.")
    )


def test_nonsense_in_the_field_changes_nothing(visit, digits_report):
    seen = visit(digits_report)
    before = seen.point("roc")
    seen.type("threshold", "abc")
    assert seen.page.locator("[data-in='threshold']").get_attribute("aria-invalid") == "true"
    assert seen.point("roc") == before
    seen.type("threshold", "inf")
    assert seen.point("roc") == (0.0, 0.0)
    assert seen.out("sentence").endswith("predicts no case to be positive and misses all 174.")
    assert seen.out("precision") == "–"


def test_the_slider_runs_through_every_point(visit, digits_report, digits):
    seen = visit(digits_report)
    slider = seen.page.locator("[data-in='slider']")
    assert int(slider.get_attribute("max")) == len(digits["logistic"])
    roc = digits["logistic"].roc()
    for value, index in ((0, len(roc) - 1), (len(roc) - 1, 0), (1500, len(roc) - 1 - 1500)):
        slider.evaluate(
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input', {bubbles: true})) }", value
        )
        seen.settle()
        assert seen.point("roc") == (roc.fpr[index], roc.tpr[index])


def test_models_have_their_own_thresholds(visit, digits_report, digits):
    seen = visit(digits_report)
    seen.type("threshold", "0.5")
    first = seen.point("roc")
    seen.page.locator("[data-model-choice][value='1']").check(force=True)
    seen.settle()
    seen.type("threshold", "0.9")
    point = digits["tree"].pr().at(threshold=0.9)
    assert seen.point("pr") == (point.recall, point.precision)
    seen.page.locator("[data-plot='roc'] .legend[data-model='0']").click()
    seen.settle()
    assert seen.point("roc") == first


def test_going_to_points_people_ask_for(visit, digits_report, digits):
    seen = visit(digits_report)
    scores = digits["logistic"]
    wanted = {
        "youden": scores.choose_threshold("youden"),
        "f1": scores.choose_threshold("f1"),
        "recall0.9": scores.choose_threshold(maximize="precision", min_recall=0.9),
        "precision0.8": scores.choose_threshold(maximize="recall", min_precision=0.8),
    }
    for rule, point in wanted.items():
        seen.page.locator("[data-in='jump']").select_option(rule)
        seen.settle()
        assert seen.point("roc")[1] == point.tpr, rule
        if rule != "recall0.9":
            assert seen.point("roc")[0] == point.fpr, rule
    recall = scores.roc().at(recall=0.9)
    seen.page.locator("[data-in='jump']").select_option("recall0.9")
    seen.settle()
    assert seen.point("roc")[1] == scores.roc().at(threshold=recall.mix.low if recall.mix else recall.threshold).tpr


def test_another_balance_moves_precision_and_nothing_else(visit, digits_report, digits):
    seen = visit(digits_report)
    seen.type("threshold", "0.25")
    before = seen.point("roc")
    for text, share in (("1%", 0.01), ("0.3", 0.3), ("1/2000", 1 / 2000)):
        seen.type("balance-typed", text)
        check(seen, digits["logistic"], 0.25, prevalence=share)
        assert seen.point("roc") == before
        area = digits["logistic"].pr_auc(prevalence=share).value
        assert seen.out("pr-area") == f"{area:.4f}"
        point = digits["logistic"].roc().at(threshold=0.25)
        # One unit everywhere: per so many cases that ten are positive.
        unit = {0.01: 1000, 0.3: 1000, 1 / 2000: 100_000}[share]
        assert seen.out("tp") == number(unit * share * point.tpr)
        assert f"of {unit:,} cases to be positive: {seen.out('tp')} rightly" in seen.out("sentence")
        assert f"{seen.out('tp')} found" in seen.page.locator("[data-plot='histogram'] .quadrant").all_text_contents()
    legend = seen.page.locator("[data-plot='pr'] .legend[data-model='1'] .value").text_content()
    assert legend == f"{digits['tree'].pr_auc(prevalence=1 / 2000).value:.3f}"
    seen.page.locator("[data-do='sample-balance']").click()
    seen.settle()
    check(seen, digits["logistic"], 0.25)


def test_the_balance_slider_is_live_and_rests_at_the_sample(visit, digits_report, digits):
    seen = visit(digits_report)
    slider = seen.page.locator("[data-in='balance']")
    move = "(node, value) => { node.value = value; node.dispatchEvent(new Event('input', {bubbles: true})) }"
    slider.evaluate(move, -4.595)
    seen.settle()
    assert seen.out("sample-share") == "9.7%"
    assert seen.page.locator("[data-in='balance-typed']").input_value() in ("1%", "0.99%", "1.0%")
    slider.evaluate(move, -2.24)
    seen.settle()
    assert seen.out("basis") == "the 1,797 cases of the sample, with 95% intervals"


def test_the_cheapest_threshold_is_the_librarys(visit, digits_report, digits):
    seen = visit(digits_report)
    scores = digits["logistic"]
    for miss, alarm, balance in ((10, 1, None), (1, 3, None), (200, 1, "2%")):
        seen.page.locator("[data-in='miss']").fill(str(miss))
        seen.page.locator("[data-in='alarm']").fill(str(alarm))
        if balance:
            seen.type("balance-typed", balance)
        seen.settle()
        share = 0.02 if balance else None
        best = scores.choose_threshold(minimize="cost", cost_fn=miss, cost_fp=alarm, prevalence=share)
        shown = float(seen.out("best-threshold").replace(MINUS, "-"))
        assert scores.thresholds[scores.thresholds >= shown].min() == best.threshold
        seen.page.locator("[data-do='use-best']").click()
        seen.settle()
        assert seen.point("roc") == (best.fpr, best.tpr)
        positive = share or scores.prevalence
        cost = 1000 * (positive * best.fnr * miss + (1 - positive) * best.fpr * alarm)
        assert float(seen.out("here-cost").replace(",", "")) == pytest.approx(cost, rel=0.02)


def test_a_budget_of_alerts_is_kept(visit, digits_report, digits):
    seen = visit(digits_report)
    seen.page.locator("[data-in='miss']").fill("50")
    seen.page.locator("[data-in='budget']").fill("60")
    seen.settle()
    scores = digits["logistic"]
    allowed = [t for t in scores.thresholds.tolist() if scores.roc().at(threshold=t).alert_rate * 1000 <= 60]

    def cost(t: float) -> float:
        point = scores.roc().at(threshold=t)
        return 50 * point.fn + point.fp

    best = min(allowed, key=cost)
    assert scores.thresholds[scores.thresholds >= float(seen.out("best-threshold"))].min() == best
    assert float(seen.out("best-alerts")) <= 60
    # The cheapest that is allowed may cost more than the point shown, which is then over the limit, and says so.
    assert seen.out("best-within") == " with at most 60 alerts a day"
    seen.type("threshold", "0.05")
    here = scores.roc().at(threshold=0.05).alert_rate * 1000
    assert seen.out("here-over") == f", {number(here - 60)} more than allowed"
    assert float(seen.out("here-cost").replace(",", "")) < float(seen.out("best-cost").replace(",", ""))
    seen.page.locator("[data-do='use-best']").click()
    seen.settle()
    assert seen.out("here-over") == ""


def test_the_answer_says_how_far_it_may_be_off_if_points_are_left_out(visit, digits, tmp_path):
    scores = digits["logistic"]
    seen = visit(report({"m": scores}, tmp_path / "r.html", max_points=100).path)
    roc = scores.roc()
    loose = 0
    for typed in ("0.5", "0.3", "0.013", "0.0417", "0.61"):
        seen.type("threshold", typed)
        # What was typed stays, and so does its answer.
        assert threshold_of(seen) == float(typed)
        point = roc.at(threshold=float(typed))
        said = re.search(r"found may be off by (\d+), false alarms by (\d+)\.", seen.out("sentence"))
        off = (0, 0) if said is None else (int(said[1]), int(said[2]))
        loose += said is not None
        for name, most in (("tp", off[0]), ("fn", off[0]), ("fp", off[1]), ("tn", off[1])):
            shown = seen.out(name)
            assert ("≈" in shown) <= (most > 0)
            assert abs(int(shown.lstrip("≈").replace(",", "")) - getattr(point, name)) <= most, (typed, name)
        for name, n in (("recall", point.n_pos), ("fpr", point.n_neg)):
            most = off[name == "fpr"] / n + 1e-3
            assert float(seen.out(name).lstrip("≈")) == pytest.approx(getattr(point, name), abs=most), (typed, name)
    assert loose > 0
    assert seen.out("same-as") == "approximate"


def test_a_threshold_among_many_scores_is_answered_closely(visit, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.random(60_000) < 0.02
    scores = th.Scores(y, 1 / (1 + np.exp(2 - rng.normal(size=y.size) - 1.5 * y)))
    seen = visit(report({"m": scores}, tmp_path / "r.html").path)
    seen.type("threshold", "0.6")
    point = scores.roc().at(threshold=0.6)
    called = point.tp + point.fp
    shown = int(seen.out("called-pos").lstrip("≈").replace(",", ""))
    assert abs(shown - called) <= max(3, 0.02 * called)
    assert seen.page.locator("[data-do='curves-csv']").text_content() == (
        f"Curves as CSV (without {len(scores) + 1 - 4001:,} of {len(scores) + 1:,} points)"
    )


def test_a_move_of_the_threshold_changes_few_elements(visit, tmp_path):
    # What a frame may cost: a drag must neither build charts anew nor write numbers that stay.
    rng = np.random.default_rng(3)
    y = rng.random(3000) < 0.2
    few = [th.Scores(y, slope * y + rng.normal(size=y.size)) for slope in (2.0, 0.8)]
    models = {f"model {i}": few[i % 2] for i in range(8)}
    seen = visit(report(models, tmp_path / "eight.html"), viewport={"width": 1366, "height": 768})
    box = seen.page.locator("[data-plot='histogram'] svg.live").bounding_box()
    x, y = box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.settle()
    seen.page.evaluate(
        """() => {
          window.changes = 0;
          const watch = new MutationObserver((all) => (window.changes += all.length));
          watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    before = seen.point("roc")
    seen.page.mouse.move(x + 1, y)
    seen.settle()
    seen.page.mouse.up()
    assert seen.point("roc") != before
    assert 0 < seen.page.evaluate("window.changes") < 300
