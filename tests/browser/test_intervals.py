"""Intervals at the operating point: those of the library, at any threshold, prevalence and kind of rows."""

from __future__ import annotations

import re

import numpy as np
import pytest

import thresher as th
from thresher import report
from thresher._report.words import number, rate

WIDE = {"width": 1366, "height": 768}
RATES = ("recall", "fpr", "specificity", "precision", "npv", "f1", "alert_rate", "youden")
SHOWN = {"alert_rate": "alertRate"}


def limits(seen, name: str) -> list[str]:
    text = seen.out(f"{name}-limits")
    return [text, text] if "–" not in text else text.split("–")


def said(value: float) -> str:
    return f"−{rate(-value)}" if value < 0 else rate(value)


def expected(scores: th.Scores, name: str, threshold: float, prevalence: float | None) -> tuple[float, float]:
    """Return the library's limits of a metric as the page has to show them."""
    point = scores.roc().at(threshold=threshold)
    if prevalence is not None and name in ("precision", "npv"):
        figure = point.ppv(prevalence=prevalence) if name == "precision" else point.npv(prevalence=prevalence)
        return tuple(figure.confidence_interval())
    mixed = name == "youden" or (prevalence is not None and name in ("f1", "alert_rate"))
    given = (
        {} if prevalence is None or name in ("recall", "fpr", "specificity", "youden") else {"prevalence": prevalence}
    )
    estimate = scores.measure(name, threshold=threshold, **given)
    return tuple(estimate.confidence_interval(method="mover") if mixed else estimate.confidence_interval())


def close(text: str, value: float) -> bool:
    """Whether a text is the number as the page writes it, or the next one at its last digit."""
    plain = float(text.replace("−", "-").replace(",", "").lstrip("<>"))
    digits = len(text.split(".")[1]) if "." in text else 0
    return text == said(value) or abs(plain - value) <= 1.05 * 10.0**-digits


@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_every_metric_has_the_interval_of_the_library(visit, digits_report, digits, prevalence):
    seen = visit(digits_report, viewport=WIDE)
    if prevalence is not None:
        seen.type("balance-typed", f"{100 * prevalence:g}%")
    for threshold in (0.02, 0.278, 0.6, 0.8):
        seen.type("threshold", str(threshold))
        for name in RATES:
            found = limits(seen, SHOWN.get(name, name))
            wanted = expected(digits["logistic"], name, threshold, prevalence)
            assert all(close(*pair) for pair in zip(found, wanted, strict=True)), (threshold, name, found, wanted)


def test_counts_have_the_intervals_of_their_rates(visit, digits_report, digits):
    seen = visit(digits_report, viewport=WIDE)
    seen.type("threshold", "0.278")
    scores = digits["logistic"]
    for name, metric, size in (("tp", "recall", scores.n_pos), ("fp", "fpr", scores.n_neg)):
        low, high = scores.measure(metric, threshold=0.278).confidence_interval()
        assert limits(seen, name) == [number(round(end * size)) for end in (low, high)]
    found, missed = limits(seen, "tp"), limits(seen, "fn")
    assert int(found[0]) + int(missed[1]) == int(found[1]) + int(missed[0]) == scores.n_pos
    assert "with 95% intervals" in seen.out("basis")


@pytest.mark.parametrize("cells", [(0, 30), (30, 0), (1, 999), (4000, 996_000)])
def test_few_and_many_cases(visit, tmp_path, cells):
    found, missed = cells
    scores = th.Scores.from_counts([2.0, 1.0], pos=[found, missed], neg=[7, 40]) if found and missed else None
    if scores is None:
        scores = th.Scores.from_counts([3.0, 2.0, 1.0], pos=[0, found, missed], neg=[1, 6, 40])
    seen = visit(report({"m": scores}, tmp_path / "r.html").path, viewport=WIDE)
    seen.type("threshold", "2")
    for name in ("recall", "precision", "npv", "fpr", "f1"):
        wanted = expected(scores, name, 2.0, None)
        assert all(close(*pair) for pair in zip(limits(seen, name), wanted, strict=True)), (name, wanted)


def test_weighted_rows_have_those_of_what_they_are_worth(visit, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.random(180) < 0.4
    weight = rng.uniform(0.5, 4.0, size=y.size)
    scores = th.Scores(
        y, np.round(rng.normal(size=y.size) + y, 1), sample_weight=weight
    )  # no weight is far from the others
    seen = visit(report({"m": scores}, tmp_path / "r.html").path, viewport=WIDE)
    for threshold in (0.3, 1.1):
        seen.type("threshold", str(threshold))
        for name in ("recall", "fpr", "precision", "npv", "f1", "alert_rate"):
            wanted = expected(scores, name, threshold, None)
            found = limits(seen, SHOWN.get(name, name))
            assert all(close(*pair) for pair in zip(found, wanted, strict=True)), (name, found, wanted)


def test_clustered_rows_have_wider_ones(visit, tmp_path):
    rng = np.random.default_rng(1)
    group = np.arange(300) // 5
    y = rng.random(60)[group] < 0.4
    scores = th.Scores(y, np.round(rng.normal(size=60)[group] + 0.4 * rng.normal(size=300) + y, 2), cluster=group)
    seen = visit(report({"m": scores}, tmp_path / "r.html").path, viewport=WIDE)
    seen.type("threshold", "0.5")
    found = [float(end) for end in limits(seen, "recall")]
    low, high = scores.measure("recall", threshold=0.5).confidence_interval()
    # Between two of the places that were kept the page takes the wider of theirs.
    assert found[0] <= low + 0.01
    assert found[1] >= high - 0.01
    assert found[1] - found[0] < 1.35 * (high - low)


def test_a_threshold_typed_between_those_kept_gives_one_number_and_how_far_it_may_be_off(visit, tmp_path):
    rng = np.random.default_rng(2)
    y = rng.random(200_000) < 0.1
    scores = th.Scores(y, rng.normal(size=y.size) + y)
    seen = visit(report({"m": scores}, tmp_path / "r.html").path, viewport=WIDE)
    seen.type("threshold", "0.7654321")
    point = scores.roc().at(threshold=0.7654321)
    shown = {name: int(seen.out(name).lstrip("≈").replace(",", "")) for name in ("tp", "fp")}
    off = re.search(r"found may be off by ([\d,]+), false alarms by ([\d,]+)", seen.out("sentence"))
    assert abs(shown["tp"] - point.tp) <= int(off[1].replace(",", ""))
    assert abs(shown["fp"] - point.fp) <= int(off[2].replace(",", ""))
    box = seen.page.locator(".dock").bounding_box()
    assert box["height"] < 60
    cut = (
        "() => [...document.querySelectorAll('.matrix td, .matrix dd')]"
        ".filter(node => node.scrollWidth > node.clientWidth + 1).length"
    )
    assert seen.page.evaluate(cut) == 0
