"""Rows are rows: what a report of weighted rows counts, and what it tells as shares of the weight."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import thresher as th
from thresher._report.page import page_html, payload
from thresher._report.words import number, percent
from thresher._report.write_report import report_data


def weighted(n: int = 500, scale: float = 2.09) -> th.Scores:
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.2
    return th.Scores(y, (rng.normal(size=n) + y).round(1), sample_weight=scale * rng.gamma(2, size=n))


def test_the_headline_and_the_methods_count_rows():
    scores = weighted()
    data = report_data({"m": scores})
    told = f"500 weighted rows; by weight {percent(scores.prevalence)} are positive"
    assert data.summary[0] == f"One model on {told}."
    assert data.methods[0].startswith(f"The data are {told}.")
    # The sum of the weights is nowhere.
    page = re.sub(r"<(script|style).*?</\1>", "", page_html(data), flags=re.DOTALL)
    assert number(scores.n_pos + scores.n_neg) not in page


def test_the_headline_of_an_outcome_in_time_counts_all_rows():
    data = th.datasets.load_trial()
    models = {name: th.Scores.at_time(data.time, data.event, score, 1095) for name, score in data.models.items()}
    found = report_data(models)
    assert found.summary[0] == "Two models on 800 rows, as they stand at t = 1,095; by weight 37.8% are positive."
    assert found.methods[0].startswith("The data are 800 rows, as they stand at t = 1,095; by weight 37.8% ")


def test_counts_are_shares_of_the_weight():
    scores = weighted()
    data = report_data({"m": scores})
    assert data.unit == 1000
    for point in data.models[0].points:
        at = scores.roc().at(threshold=point["threshold"])
        share = scores.prevalence
        assert point["tp"] == pytest.approx(1000 * share * at.recall, rel=1e-12)
        assert point["fp"] == pytest.approx(1000 * (1 - share) * at.fpr, rel=1e-12)
        assert point["precision"] == pytest.approx(at.precision, rel=1e-12)
    assert json.loads(payload(data))["models"][0]["weighted"] is True


def test_the_scale_of_the_weights_changes_no_word():
    pages = [report_data({"m": weighted(scale=scale)}) for scale in (1.0, 64.0)]
    assert pages[0].summary == pages[1].summary
    assert [finding.text for finding in pages[0].findings] == [finding.text for finding in pages[1].findings]
    assert pages[0].methods == pages[1].methods


def test_soft_labels_and_bare_sums_have_no_number_of_rows():
    rng = np.random.default_rng(1)
    soft = th.Scores.from_soft_labels(rng.random(60), rng.random(60))
    bare = th.Scores.from_counts([2.0, 1.0], pos=[1.5, 2.5], neg=[0.5, 3.25])
    for scores in (soft, bare):
        assert report_data({"m": scores}).summary[0].startswith("One model on weighted rows; by weight ")


def test_groups_count_rows():
    scores = weighted(80)
    row = report_data({"m": scores}, groups={"a": {"m": scores}}).groups[0]
    assert (row.n_pos, row.n_neg) == (scores._rows_pos, scores._rows_neg)
