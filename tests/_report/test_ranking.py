"""Who is the best, whether that is certain, and areas by group."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._report.words import number
from thresher._report.write_report import report_data

DATA = th.datasets.load_digits_eight()
MODELS = {name: th.Scores(DATA.y_true, values) for name, values in DATA.models.items()}


def test_models_are_ranked_by_the_metric_of_the_comparison():
    turned = {"tree": DATA.tree, "logistic": DATA.logistic, "coin": np.arange(DATA.y_true.size) % 7}
    tables = {name: th.Scores(DATA.y_true, values) for name, values in turned.items()}
    data = report_data(tables, comparison=th.compare(DATA.y_true, turned))
    assert [list(turned)[i] for i in data.ranked] == ["logistic", "tree", "coin"]
    by_average = th.compare(DATA.y_true, turned, metric="average_precision", n_resamples=60, rng=0)
    data = report_data(tables, comparison=by_average)
    assert data.metric == "average_precision"
    assert [model.score for model in data.models] == list(by_average.estimates.values)


def test_of_losses_the_least_is_the_best():
    compared = th.compare(DATA.y_true, DATA.models, metric="brier", n_resamples=60, rng=0)
    data = report_data(MODELS, comparison=compared)
    assert [model.score for model in data.models] == [-loss for loss in compared.estimates.values]
    assert [model.metric.value for model in data.models] == list(compared.estimates.values)
    assert [(model.metric.low, model.metric.high) for model in data.models] == list(
        zip(*(compared.estimates.to_dict()[end] for end in ("low", "high")), strict=True)
    )
    assert (data.other_metric, report_data(MODELS).other_metric) == ("brier", None)
    assert compared.estimates.by_name["logistic"] < compared.estimates.by_name["tree"]
    assert [data.models[i].name for i in data.ranked] == ["logistic", "tree"]


def test_a_lead_is_called_one_only_where_a_test_found_it():
    found = " ".join(report_data(MODELS, comparison=th.compare(DATA.y_true, DATA.models)).summary)
    assert "logistic has the best ROC AUC, ahead of tree (p < 0.0001)." in found
    rng = np.random.default_rng(0)
    y = rng.random(80) < 0.5
    close = {"a": rng.normal(size=80) + y, "b": rng.normal(size=80) + y}
    tables = {name: th.Scores(y, values) for name, values in close.items()}
    said = " ".join(report_data(tables, comparison=th.compare(y, close)).summary)
    assert "may be chance (p = " in said
    assert "was not tested" in " ".join(report_data(tables).summary)


def test_the_summary_counts_at_the_prevalence():
    data = report_data({"m": MODELS["logistic"]}, prevalence=0.01)
    point = next(point for point in data.models[0].points if point["target"] == 0.9)
    expected = MODELS["logistic"].pr(prevalence=0.01).at(threshold=point["threshold"])
    assert point["precision"] == pytest.approx(expected.precision, rel=1e-12)
    assert point["tp"] == pytest.approx(1000 * 0.01 * expected.recall)
    assert f"raises {number(point['tp'] + point['fp'])} alerts among 1,000 cases" in " ".join(data.summary)


def test_groups_have_areas_with_intervals_where_they_have_both_classes():
    site = np.arange(DATA.y_true.size) % 3
    groups = {f"site {i}": {"tree": th.Scores(DATA.y_true[site == i], DATA.tree[site == i])} for i in range(2)} | {
        "empty": {"tree": th.Scores([0, 0], [0.1, 0.2])}
    }
    rows = report_data(MODELS, groups=groups).groups
    assert [(row.group, row.model) for row in rows] == [("site 0", 1), ("site 1", 1), ("empty", 1)]
    area = groups["site 0"]["tree"].roc_auc()
    found = rows[0].areas["roc_auc"]
    assert (found.value, found.low, found.high) == (area.value, *area.confidence_interval())
    assert rows[2].areas is None


def test_groups_of_other_models_are_refused():
    with pytest.raises(th.ThresherError, match="`groups` must hold the models of the report; got 'x'"):
        report_data(MODELS, groups={"a": {"x": MODELS["tree"]}})
    with pytest.raises(th.ThresherError, match="`groups` must be a dict of group to dict of name to Scores; got list"):
        report_data(MODELS, groups=[1])
