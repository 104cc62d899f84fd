"""Models at the same recall, precision or number of alerts, and the highest scores, as the report shows them."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._report.write_report import report_data

rng = np.random.default_rng(0)
Y = rng.random(1500) < 0.2
SHARED = rng.normal(size=Y.size)
MADE = {
    name: shift * Y + 0.6 * SHARED + 0.8 * rng.normal(size=Y.size) for name, shift in (("tree", 1.2), ("forest", 2.0))
}
TABLES = {name: th.Scores(Y, values) for name, values in MADE.items()}


@pytest.fixture(scope="module")
def data():
    return report_data(TABLES, comparison=th.compare(Y, MADE))


def at(data, kind: str, level: float):
    """Return the rows of one place, by model."""
    return {data.models[row.model].name: row for row in data.same_points if (row.kind, row.level) == (kind, level)}


def test_alerts_at_a_recall_are_those_of_the_curve(data):
    for name, row in at(data, "recall", 0.9).items():
        fpr = TABLES[name].measure("fpr_at_recall", recall=0.9).value
        assert row.answer == pytest.approx(0.9 * Y.sum() + fpr * (~Y).sum())
    best, other = (at(data, "recall", 0.9)[name] for name in ("forest", "tree"))
    assert best.difference is None
    value, low, high = other.difference
    assert value == pytest.approx(other.answer - best.answer)
    assert low < value < high


def test_found_at_a_number_of_alerts_is_recall_at_that_depth(data):
    for name, row in at(data, "alerts", 0.1).items():
        assert row.answer == pytest.approx(Y.sum() * TABLES[name].measure("recall_at_depth", depth=150).value)


def test_another_prevalence_counts_among_so_many_cases():
    data = report_data(TABLES, comparison=th.compare(Y, MADE), prevalence=0.01)
    for name, row in at(data, "recall", 0.8).items():
        fpr = TABLES[name].measure("fpr_at_recall", recall=0.8).value
        assert row.answer == pytest.approx(1000 * (0.01 * 0.8 + 0.99 * fpr))


def test_without_rows_there_are_values_and_no_differences():
    rows = report_data(TABLES).same_points
    assert all(row.difference is None for row in rows)
    assert any(row.answer is not None for row in rows)


@pytest.mark.filterwarnings("ignore::thresher.exceptions.ThresherWarning")
def test_too_few_positives_have_no_interval():
    small = {name: values[:90] for name, values in MADE.items()}
    y = Y[:90]
    tables = {name: th.Scores(y, values) for name, values in small.items()}
    data = report_data(tables, comparison=th.compare(y, small))
    assert all(row.few and row.difference is None for row in at(data, "recall", 0.95).values())


def test_the_highest_scores_are_the_measures_at_that_depth(data):
    for row in data.top:
        scores = TABLES[data.models[row.model].name]
        depth = round(row.depth * Y.size)
        assert row.cases == depth
        assert row.precision[0] == pytest.approx(scores.measure("precision_at_depth", depth=depth).value)
        assert row.recall[0] == pytest.approx(scores.measure("recall_at_depth", depth=depth).value)
        assert row.lift == pytest.approx(row.precision[0] / scores.prevalence)
        assert row.precision[1] <= row.precision[0] <= row.precision[2]
        assert row.recall[1] <= row.recall[0] <= row.recall[2]


def test_limits_at_a_depth_are_those_of_the_threshold_there(data):
    row = next(row for row in data.top if row.depth == 0.1 and data.models[row.model].name == "forest")
    threshold = float(TABLES["forest"].thresholds[149])
    for part, name in ((row.precision, "precision"), (row.recall, "recall")):
        ends = TABLES["forest"].measure(name, threshold=threshold).confidence_interval()
        assert part[1:] == pytest.approx(tuple(ends))


def test_weighted_rows_have_limits_and_clustered_ones_none():
    weighted = {"m": th.Scores(Y, MADE["tree"], sample_weight=np.where(Y, 2.0, 0.5) + 0.1 * rng.random(Y.size))}
    assert all(row.precision[1] is not None for row in report_data(weighted).top)
    clustered = {"m": th.Scores(Y, MADE["tree"], cluster=np.arange(Y.size) // 3)}
    assert all(row.precision[1] is None for row in report_data(clustered).top)
