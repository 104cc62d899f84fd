"""Names and files that trackers are given."""

from __future__ import annotations

import json

import thresher as th
from thresher.integrations._trackers import figures_of, files_of, is_alone, tags_of

SCORES = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])


def test_names_that_become_the_same_word_are_numbered(tmp_path):
    found = th.summary({"a/b": SCORES, "a:b": SCORES, "..": SCORES})
    assert {name.split("/")[0] for name in figures_of(found, prefix="", alone=False)} == {"a_b", "a_b-2", "model"}
    files = files_of(found, tmp_path, counts=True, report=False)
    assert [path.name for path in files] == ["summary.json", "a_b.scores", "a_b-2.scores", "model.scores"]
    assert all(path.parent == tmp_path for path in files)


def test_a_figure_without_an_interval_has_no_ends():
    found = th.summary(th.Scores([0, 1], [1, 2]), metrics=["enrichment_factor"])
    row = found.to_dict()["models"][0]
    figures = figures_of(found, prefix="x/", alone=True)
    assert figures["x/enrichment_factor"] == row["enrichment_factor"]
    assert ("x/enrichment_factor_low" in figures) is (row["enrichment_factor_low"] is not None)


def test_the_summary_is_strict_json(tmp_path):
    found = th.summary({"m": SCORES})
    (path,) = files_of(found, tmp_path, counts=False, report=False)
    document = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda word: 1 / 0)
    assert document["thresher"] == tags_of(found)["thresher.version"]
    assert document["models"][0]["roc_auc"] == SCORES.roc_auc().value


def test_alone():
    assert is_alone(SCORES)
    assert not is_alone({"a": SCORES})
