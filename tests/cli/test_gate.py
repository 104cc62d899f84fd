from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import thresher as th

DATA = th.datasets.load_digits_eight()


@pytest.fixture
def files(folder):
    for name, scores in DATA.models.items():
        rows = "".join(f"{int(y)},{s!r}\n" for y, s in zip(DATA.y_true.tolist(), scores.tolist(), strict=True))
        (folder / f"{name}.csv").write_text("label,score\n" + rows)
    return folder


def test_a_better_model_passes(thresher, files):
    ran = thresher(
        "gate", "logistic.csv", "--against", "tree.csv", "--metric", "pr_auc", "--margin", "0.01", "--format", "json"
    )
    assert (ran.code, ran.err) == (0, "")
    found = th.gate(DATA.logistic, DATA.tree, y_true=DATA.y_true, metric="pr_auc", margin=0.01)
    assert json.loads(ran.out) == found.to_dict()
    facts = json.loads(ran.out)
    assert (facts["verdict"], facts["n_pos"], facts["confidence_level"]) == ("passed", 174, 0.95)
    assert facts["version"] == th.__version__


def test_a_worse_one_does_not(thresher, files, snapshot):
    assert str(thresher("gate", "tree.csv", "--against", "logistic.csv", "--margin", "0.01")) == snapshot


def test_markdown_for_a_pull_request(thresher, files):
    ran = thresher("gate", "tree.csv", "--against", "logistic.csv", "--format", "markdown")
    assert ran.code == 3
    lines = ran.out.splitlines()
    assert lines[0] == "### Gate **failed**"
    assert {line.count("|") for line in lines if line.startswith("|")} == {7}
    assert "(the same rows)" in ran.out


def test_other_rows_are_another_sample(thresher, files):
    lines = (files / "tree.csv").read_text().splitlines()
    (files / "half.csv").write_text("\n".join(lines[:900]) + "\n")
    ran = thresher("gate", "logistic.csv", "--against", "half.csv", "--format", "json")
    half = th.Scores(DATA.y_true[:899], DATA.tree[:899])
    assert json.loads(ran.out) == th.gate(th.Scores(DATA.y_true, DATA.logistic), half).to_dict()
    assert not json.loads(ran.out)["paired"]


def test_the_same_rows_in_another_order_are_noticed(thresher, files):
    lines = (files / "tree.csv").read_text().splitlines()
    (files / "turned.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    ran = thresher("gate", "logistic.csv", "--against", "turned.csv", "--format", "json")
    assert "sort both by the same key" in ran.err
    assert not json.loads(ran.out)["paired"]


def test_two_columns_of_one_file(thresher, digits):
    words = ("gate", digits, "--against", digits, "--y-score", "logistic")
    ran = thresher(*words, "--against-y-score", "tree", "--format", "json")
    assert json.loads(ran.out)["new"] == th.Scores(DATA.y_true, DATA.logistic).roc_auc().value
    assert json.loads(ran.out)["base"] == th.Scores(DATA.y_true, DATA.tree).roc_auc().value
    assert json.loads(ran.out)["paired"]
    ran = thresher("gate", digits, "--against", digits)
    assert ran.code == 1
    assert "must have the scores of one model; got 2: 'logistic', 'tree'. Hint: name one with --y-score." in ran.err


@pytest.mark.parametrize(
    ("option", "name"), [("--weight", "sample_weight"), ("--frequency", "frequency"), ("--cluster", "cluster")]
)
def test_weights_frequencies_and_clusters_count(thresher, folder, option, name):
    extra = np.arange(1797) % 90 + 1 if name == "cluster" else np.arange(1797) % 3 + 1
    rows = zip(DATA.y_true.tolist(), DATA.logistic.tolist(), DATA.tree.tolist(), extra, strict=True)
    (folder / "extra.csv").write_text("label,a,b,extra\n" + "".join(f"{y},{a!r},{b!r},{e}\n" for y, a, b, e in rows))
    words = ("gate", "extra.csv", "--against", "extra.csv", "--y-score", "a", "--against-y-score", "b", option, "extra")
    facts = json.loads(thresher(*words, "--format", "json").out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        want = th.gate(DATA.logistic, DATA.tree, y_true=DATA.y_true, **{name: extra})
    assert facts == want.to_dict()
    assert want.low != th.gate(DATA.logistic, DATA.tree, y_true=DATA.y_true).low


def test_too_few_rows_leave_the_gate_closed(thresher, folder):
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    for name in ("a", "b"):
        score = y + rng.normal(size=40)
        (folder / f"{name}.csv").write_text(
            "label,score\n" + "".join(f"{i},{s}\n" for i, s in zip(y, score, strict=True))
        )
    ran = thresher("gate", "a.csv", "--against", "b.csv", "--margin", "0.01", "--format", "json")
    assert ran.code == 3
    assert json.loads(ran.out)["verdict"] == "undecided"
    assert "gate undecided" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--metric", "pr_aux"], "did you mean"),
        (["--metric", "pr_auc", "--method", "delong"], "--method delong has no test of pr_auc"),
        (["--margin", "-1"], "margin"),
    ],
)
def test_wrong_command_lines(thresher, files, words, said):
    ran = thresher("gate", "tree.csv", "--against", "logistic.csv", *words)
    assert ran.code == 2
    assert said in ran.err.lower()


@pytest.fixture
def apart(thresher, folder):
    """Two files of the same cases in different orders, and their counts; what the library says of them."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    rng = np.random.default_rng(2)
    y = (rng.random(800) < 0.3).astype(int)
    case = rng.normal(size=800) + y
    order = rng.permutation(800)
    pq.write_table(pa.table({"case": np.arange(800), "label": y, "risk": case}), "new.parquet")
    other = {"case": np.arange(800)[order], "label": y[order], "risk": (case + rng.normal(size=800))[order]}
    pq.write_table(pa.table(other), "base.parquet")
    for name in ("new", "base"):
        assert thresher("count", f"{name}.parquet", "--y-score", "risk", "-o", f"{name}.scores").code == 0
    source = {"new": "new.parquet", "base": "base.parquet"}
    return th.gate("risk", "risk", source=source, y_true="label", id="case")


def test_rows_of_two_files_are_paired_by_a_key(thresher, apart):
    ran = thresher("gate", "new.parquet", "--against", "base.parquet", "--y-score", "risk", "--id", "case", *JSON)
    assert ran.code == 0
    found = json.loads(ran.out)
    assert found["paired"] is True
    assert found["low"] == pytest.approx(apart.low)


def test_files_of_counts_are_independent_samples(thresher, apart):
    words = ("gate", "new.scores", "--against", "base.scores")
    ran = thresher(*words, "--metric", "pr_auc", "--prevalence", "0.01", *JSON)
    found = json.loads(ran.out)
    assert found["paired"] is False
    assert found["options"] == {"prevalence": 0.01}
    assert "independent samples" in ran.err
    assert found["low"] < apart.low
    beta = json.loads(thresher(*words, "--metric", "f_beta", "--threshold", "0.5", "--option", "beta=2", *JSON).out)
    assert beta["options"]["beta"] == 2


JSON = ("--format", "json")
