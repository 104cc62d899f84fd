"""The diagnostic table holds the figures of its parts, prints them, and turns into LaTeX."""

from __future__ import annotations

import pytest
from scipy.stats import beta

import thresher as th


def study() -> th.Scores:
    return th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88])


def test_figures_are_those_of_the_point():
    table = study().diagnostic_table(threshold=1, confidence_level=0.9)
    point = study().roc().at(threshold=1)
    assert table.point == point
    for name, rate in (("sensitivity", "recall"), ("specificity", "specificity"), ("accuracy", "accuracy")):
        one = table[name]
        assert one.value == getattr(point, rate)
        assert (one.low, one.high) == tuple(th.rate_interval(rate, point, confidence_level=0.9))
        assert one.count / one.total == one.value
    for name in ("ppv", "npv", "lr_positive", "lr_negative", "dor"):
        figure = getattr(point, name)()
        ends = figure.confidence_interval(0.9)
        assert (table[name].value, table[name].low, table[name].high) == (figure.value, ends.low, ends.high)
    share = table["prevalence"]
    assert (share.count, share.total, share.value) == (50, 150, pytest.approx(1 / 3))
    ends = beta.ppf(0.05, 50, 100.75), beta.ppf(0.95, 50.75, 100)
    assert (share.low, share.high) == pytest.approx(ends, rel=1e-9)
    area, ends = table["roc_auc"], study().roc_auc().confidence_interval(0.9)
    assert area.value == pytest.approx(0.9 * 0.88 + (0.9 * 0.12 + 0.1 * 0.88) / 2)
    assert (area.low, area.high) == (ends.low, ends.high)
    assert area.low < area.value < area.high


def test_predictive_values_at_another_prevalence():
    table = study().diagnostic_table(threshold=1, prevalence=0.01)
    assert table["ppv"].value == study().roc().at(threshold=1).ppv(prevalence=0.01).value
    assert table["ppv"].count is None
    assert "Positive predictive value at prevalence 0.01" in repr(table)


def test_text_and_latex_hold_the_same_numbers():
    table = study().diagnostic_table(threshold=1)
    assert "Sensitivity                  45/50  0.900  0.787 to 0.967" in repr(table)
    latex = table.to_latex()
    assert r"Sensitivity & 45/50 & 0.900 & 0.787 to 0.967 \\" in latex
    assert r"predicted positive & 45 & 12 & 57 \\" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2
    none = th.Scores([1, 1, 0, 1, 0, 0], [3, 3, 1, 1, 0, 1]).diagnostic_table(threshold=2)
    assert r"$\infty$" in none.to_latex()
    assert table.to_dict()["figures"]["dor"]["value"] == 66.0
