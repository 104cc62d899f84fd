"""`thresher merge`: files of counts add up."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher as th


@pytest.fixture
def data():
    return th.datasets.load_digits_eight()


@pytest.fixture
def sites(folder, data):
    """Three files, `a.scores` to `c.scores`, with the rows of the bundled example."""
    parts = {"a": slice(0, 500), "b": slice(500, 1200), "c": slice(1200, None)}
    for name, part in parts.items():
        th.Scores(data.y_true[part], data.logistic[part]).save(f"{name}.scores")
    return [f"{name}.scores" for name in parts]


def figures(text):
    return {row["metric"]: row for row in json.loads(text)}


def test_the_sum_is_exact(thresher, sites, data, snapshot):
    ran = thresher("merge", *sites, "-o", "pooled.scores")
    assert str(ran) == snapshot
    whole = th.Scores(data.y_true, data.logistic)
    assert th.Scores.load("pooled.scores") == whole
    for order in (sites, sites[::-1]):
        found = figures(thresher("merge", *order, "--format", "json", "--confidence-level", "0.9").out)
        for name, area in (
            ("roc_auc", whole.roc_auc()),
            ("interpolated", whole.pr_auc()),
            ("average_precision", whole.pr_auc(estimator="average_precision")),
        ):
            low, high = area.confidence_interval(0.9)
            row = found[name]
            assert (row["value"], row["low"], row["high"], row["error_bound"]) == (area.value, low, high, 0.0)
        assert found["positives"]["value"] == whole.n_pos


def test_one_file_made_fit_to_share(thresher, sites, snapshot):
    ran = thresher("merge", "a.scores", "--min-count", "5", "-o", "shareable.scores")
    assert str(ran) == snapshot
    table = th.Scores.load("shareable.scores")
    assert table == th.Scores.load("a.scores").compress(min_count=5)
    for counts in (table.pos, table.neg):
        assert np.all((counts == 0) | (counts >= 5))


def test_bounds_of_what_was_shared_hold(thresher, sites, data):
    shared = [f"shared-{site}" for site in sites]
    for site, output in zip(sites, shared, strict=True):
        assert thresher("merge", site, "--min-count", "5", "-o", output).code == 0
    found = figures(thresher("merge", *shared, "--format", "json").out)
    whole = th.Scores(data.y_true, data.logistic)
    assert 0 < abs(found["roc_auc"]["value"] - whole.roc_auc().value) <= found["roc_auc"]["error_bound"] < 0.03
    assert abs(found["interpolated"]["value"] - whole.pr_auc().value) <= found["interpolated"]["error_bound"] < 0.1
    pooled = th.Scores.load(shared[0]) + th.Scores.load(shared[1]) + th.Scores.load(shared[2])
    bound = pooled.roc().rate_error_bound
    assert found["tpr at any threshold"]["error_bound"] == bound.tpr > 0
    assert found["fpr at any threshold"]["error_bound"] == bound.fpr > 0


def test_csv(thresher, sites):
    lines = thresher("merge", "a.scores", "--format", "csv").out.splitlines()
    assert lines[0] == "metric,value,low,high,error_bound"
    assert len(lines) == 10


def test_what_is_odd_is_said(thresher, folder, sites, snapshot):
    (folder / "copy.scores").write_bytes((folder / "a.scores").read_bytes())
    th.Scores([0, 1, 1, 0], np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float32)).save("single.scores")
    th.Scores([0, 0, 0, 0], [0.1, 0.2, 0.3, 0.4]).save("negatives.scores")
    for words in (["a.scores", "./a.scores"], ["a.scores", "copy.scores"], ["a.scores", "single.scores"]):
        ran = thresher("merge", *words)
        assert ran.code == 0
        assert ran.err == snapshot
    assert str(thresher("merge", "negatives.scores")) == snapshot


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 2),
        (["absent.scores"], 1),
        (["digits.csv"], 1),
        (["cut.scores"], 1),
        (["later.scores"], 1),
        (["wrong.scores"], 1),
        (["a.scores", "weights.scores"], 1),
        (["weights.scores", "a.scores"], 1),
        (["weights.scores", "--min-count", "5"], 1),
        (["a.scores", "--min-count", "100"], 1),
        (["a.scores", "b.scores", "--min-count", "1000"], 1),
        (["a.scores", "--min-count", "1"], 2),
        (["a.scores", "-o", "pooled.csv"], 2),
        (["a.scores", "-o", "no/pooled.scores"], 1),
        (["a.scores", "--format", "xml"], 2),
    ],
)
def test_errors(thresher, folder, digits, sites, snapshot, words, code):
    whole = (folder / "a.scores").read_bytes()
    (folder / "cut.scores").write_bytes(whole[:-5])
    (folder / "later.scores").write_bytes(whole.replace(b'"version": 1', b'"version": 9'))
    (folder / "wrong.scores").write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    th.Scores([0, 1, 1], [0.1, 0.2, 0.3], sample_weight=[0.5, 1.5, 2.0]).save("weights.scores")
    before = sorted(path.name for path in folder.iterdir())
    ran = thresher("merge", *words)
    assert ran.code == code
    assert str(ran) == snapshot
    assert sorted(path.name for path in folder.iterdir()) == before


def test_folders_addresses_and_fewer_scores(thresher, sites, data):
    pytest.importorskip("fsspec")
    whole = th.Scores(data.y_true, data.logistic)
    ran = thresher("merge", "[abc].scores", "--max-points", "50", "-o", "memory://merged/sum.scores")
    assert ran.code == 0
    found = th.Scores.load("memory://merged/sum.scores")
    assert len(found) <= 50
    assert (found.n_pos, found.n_neg) == (whole.n_pos, whole.n_neg)
    twice = ["memory://merged/sum.scores"] * 2
    assert thresher("merge", *twice, "-o", "memory://merged/twice.parquet").code == 0
    assert th.load_counts("memory://merged/twice.parquet")[None].n_pos == 2 * found.n_pos
    assert figures(thresher("merge", ".", "--format", "json").out)["files"]["value"] == 3
