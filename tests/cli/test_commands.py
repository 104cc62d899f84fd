"""The other commands: what they print, and that the figures are the library's."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher as th


@pytest.fixture
def data():
    return th.datasets.load_digits_eight()


@pytest.mark.parametrize("words", [[], ["--metric", "pr_auc", "--n-resamples", "200", "--seed", "1"]])
def test_compare(thresher, digits, data, snapshot, words):
    assert str(thresher("compare", digits, *words)) == snapshot
    row = json.loads(thresher("compare", digits, *words, "--format", "json").out)[0]
    options = {"metric": "pr_auc", "n_resamples": 200, "rng": 1} if words else {}
    pair = th.compare(data.y_true, data.models, **options).pairs[0]
    assert (row["difference"], row["low"], row["high"], row["p"]) == (pair.difference, pair.low, pair.high, pair.pvalue)


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # six clusters are few, which is said
def test_compare_clusters(thresher, small_file, small):
    columns = ["--y-score", "a", "--y-score", "b", "--cluster", "pair"]
    ran = thresher("compare", small_file, *columns, "--n-resamples", "99", "--format", "json")
    models = {"a": small["a"], "b": small["b"]}
    found = th.compare(small["label"], models, cluster=small["pair"], n_resamples=99, rng=0)
    pair = found.pairs[0]
    assert ran.code == 0, ran.err
    row = json.loads(ran.out)[0]
    assert (row["low"], row["high"]) == (pair.low, pair.high)


@pytest.mark.parametrize(
    "words",
    [
        ["--method", "delong", "--metric", "pr_auc"],
        ["--method", "delong", "--group", "label"],
        ["--n-resamples", "0"],
        ["--seed", "-1"],
        ["--metric", "f1"],
        ["--y-score", "tree"],
    ],
)
def test_compare_errors(thresher, digits, snapshot, words):
    ran = thresher("compare", digits, *words)
    assert ran.code == (1 if "tree" in words else 2)
    assert str(ran) == snapshot


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--min-recall", "0.9"],
        ["--max-fpr", "1/20", "--confidence-level", "0.9"],
        ["--maximize", "f_beta", "--beta", "2"],
        ["--minimize", "cost", "--cost-fn", "10"],
        ["--maximize", "kappa_r", "--option", "r=0.3"],
        ["--alerts-per-day", "50", "--cases-per-day", "1000"],
        ["--min-precision", "0.9", "--prevalence", "0.01"],
    ],
)
def test_threshold(thresher, digits, snapshot, words):
    assert str(thresher("threshold", digits, "--y-score", "logistic", *words)) == snapshot


def test_threshold_is_chosen_on_the_tuning_file(thresher, folder, digits, data):
    lines = digits.read_text().splitlines(keepends=True)
    (folder / "tune.csv").write_text("".join(lines[:900]))
    (folder / "test.csv").write_text("".join([lines[0], *lines[900:]]))
    ran = thresher(
        "threshold",
        "test.csv",
        "--tuning",
        "tune.csv",
        "--min-recall",
        "0.9",
        "--y-score",
        "logistic",
        "--format",
        "json",
    )
    assert (ran.code, ran.err) == (0, "")
    tuned = th.Scores(data.y_true[:899], data.logistic[:899]).choose_threshold(min_recall=0.9)
    point = th.Scores(data.y_true[899:], data.logistic[899:]).pr().at(threshold=tuned.threshold)
    rows = {row["metric"]: row for row in json.loads(ran.out)}
    assert rows["recall"]["threshold"] == tuned.threshold
    assert (rows["tp"]["value"], rows["fp"]["value"], rows["recall"]["value"]) == (point.tp, point.fp, point.recall)


@pytest.mark.parametrize("name", ["digits.csv", "./digits.csv", "shuffled.csv"])
def test_tuning_on_the_measured_rows_is_refused_as_in_the_library(thresher, folder, digits, data, name):
    header, *lines = digits.read_text().splitlines(keepends=True)
    (folder / "shuffled.csv").write_text("".join([header, *lines[::-1]]))
    scores = th.Scores(data.y_true, data.logistic)
    with pytest.raises(th.exceptions.InvalidInputError):
        th.tune(scores).evaluate(scores)
    ran = thresher("threshold", digits, "--y-score", "logistic", "--tuning", name)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        f"thresher: --tuning must hold other rows than those that are measured; got {name!r}, which holds the rows of "
        "'digits.csv', model 'logistic'. Hint: keep some rows apart, or leave out --tuning for an optimistic answer.\n"
    )


def test_tuning_on_some_of_the_measured_rows_is_noted_as_in_the_library(thresher, folder, digits, data):
    (folder / "half.csv").write_text("".join(digits.read_text().splitlines(keepends=True)[:900]))
    with pytest.warns(th.exceptions.ThresherWarning) as caught:
        th.tune(th.Scores(data.y_true[:899], data.logistic[:899])).evaluate(th.Scores(data.y_true, data.logistic))
    ran = thresher("threshold", digits, "--y-score", "logistic", "--tuning", "half.csv")
    assert (ran.code, ran.err) == (0, f"note: {caught[0].message}\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--min-recall", "2"], 2),
        (["--alerts-per-day", "5"], 2),
        (["--alerts-per-day", "5", "--cases-per-day", "0"], 2),
        (["--maximize", "best"], 2),
        (["--maximize", "cost"], 2),
        (["--maximize", "kappa_r", "--option", "rho=0.3"], 2),
        (["--constraint", "min_nvp=0.9"], 2),
        (["--group", "label"], 2),
        (["--tuning", "other.csv"], 1),
        (["--tuning", "absent.csv"], 1),
        (["--min-recall", "0.99", "--min-precision", "0.99"], 1),
    ],
)
def test_threshold_errors(thresher, folder, digits, snapshot, words, code):
    (folder / "other.csv").write_text("label,tree\n1,0.5\n0,0.4\n1,0.25\n")
    ran = (
        thresher("threshold", digits, "--y-score", "logistic", *words)
        if "other.csv" not in words
        else thresher("threshold", digits, *words)
    )
    assert ran.code == code
    assert str(ran) == snapshot


@pytest.mark.parametrize("words", [[], ["--auc", "0.9", "--confidence-level", "0.9"]])
def test_from_errors(thresher, snapshot, words):
    assert str(thresher("from-errors", "--positives", 139, "--negatives", 164, "--errors", 39, *words)) == snapshot


def test_from_errors_figures(thresher):
    rows = json.loads(
        thresher("from-errors", "--positives", 139, "--negatives", 164, "--errors", 39, "--format", "json").out
    )
    found = th.cortes_mohri(139, 164, 39)
    assert (rows[0]["low"], rows[0]["high"]) == (found.low, found.high)
    # Without an observed AUC there is nothing to build the other intervals around.
    assert {row["uses"] for row in rows} == {"class totals and errors"}
    paper = th.cortes_mohri(139, 164, 39, eps="gaussian", law="binomial")
    (row,) = (row for row in rows if "eps_k" in row["method"])
    assert (row["low"], row["high"]) == (paper.low, paper.high)


def test_from_errors_with_an_auc(thresher):
    words = ("--positives", 139, "--negatives", 164, "--errors", 39, "--auc", 0.9, "--format", "json")
    rows = json.loads(thresher("from-errors", *words).out)
    interval = th.roc_auc_interval(0.9, 139, 164, method="newcombe")
    assert next((row["low"], row["high"]) for row in rows if row["method"] == "newcombe") == tuple(interval)


@pytest.mark.parametrize("errors", [0, 303])
def test_from_errors_without_a_law_of_one_point(thresher, errors):
    ran = thresher("from-errors", "--positives", 139, "--negatives", 164, "--errors", errors, "--format", "json")
    (row,) = (row for row in json.loads(ran.out) if "eps_k" in row["method"])
    assert row["low"] < row["high"]
    assert "single point" not in ran.err


@pytest.mark.parametrize(
    "words",
    [
        ["--positives", "139", "--negatives", "164"],
        ["--positives", "0", "--negatives", "164", "--errors", "3"],
        ["--positives", "10", "--negatives", "10", "--errors", "30"],
        ["--positives", "10", "--negatives", "ten", "--errors", "3"],
        ["--positives", "10", "--negatives", "10", "--errors", "3", "--auc", "90"],
    ],
)
def test_from_errors_errors(thresher, snapshot, words):
    ran = thresher("from-errors", *words)
    assert ran.code == 2
    assert str(ran) == snapshot


def test_report(thresher, folder, digits):
    ran = thresher("report", digits, "--title", "Eights", "--prevalence", "1/100")
    assert (ran.code, ran.out) == (0, "wrote report.html\n")
    page = (folder / "report.html").read_text()
    assert "<title>Eights" in page
    assert page.rstrip().endswith("</html>")
    assert sorted(path.name for path in folder.iterdir()) == ["digits.csv", "report.html"]
    ran = thresher("report", digits, "--y-score", "tree", "-o", "one.html")
    assert ran.code == 0
    assert "logistic" not in (folder / "one.html").read_text()


def test_report_of_groups_by_another_metric_prints_its_warnings(thresher, folder):
    rng = np.random.default_rng(0)
    y = rng.random(120) < 0.4
    rows = [f"{int(y[i])},{rng.normal() + y[i]:.6f},{rng.normal() - y[i]:.6f},{'ab'[i % 2]}" for i in range(120)]
    (folder / "two.csv").write_text("y_true,good,turned,site\n" + "\n".join(rows) + "\n")
    ran = thresher(
        "report", "two.csv", "--y-true", "y_true", "--y-score", "good", "--y-score", "turned", "--group", "site",
        "--metric", "average_precision",
    )  # fmt: skip
    assert (ran.code, ran.out) == (0, "wrote report.html\n")
    assert ran.err.startswith("TH106 below-chance: turned: ROC AUC is 0.")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "By group" in page
    assert ">average precision</span>" in page
    assert page.index("Below chance") < page.index('data-plot="roc"')
    ran = thresher("report", "two.csv", "--metric", "nonsense")
    assert ran.code == 2
    assert "--metric" in ran.err


def test_a_blank_report_needs_no_file(thresher, folder):
    ran = thresher("report", "--blank", "-o", "drop.html")
    assert (ran.code, ran.out) == (0, "wrote drop.html\n")
    page = (folder / "drop.html").read_text(encoding="utf-8")
    assert 'data-in="file"' in page
    assert "thr-data" not in page.split("<script>")[0]
    ran = thresher("report", "--blank", "x.csv")
    assert ran.code == 2
    assert "--blank takes no file; got 'x.csv'" in ran.err
    ran = thresher("report")
    assert ran.code == 2
    assert "A report needs a file to read." in ran.err


@pytest.mark.parametrize("words", [["-o", "report.pdf"], ["-o", "no/report.html"], ["--y-score", "x"]])
def test_report_errors(thresher, digits, snapshot, words):
    ran = thresher("report", digits, *words)
    assert ran.code == (2 if "report.pdf" in words else 1)
    assert str(ran) == snapshot


def test_demo(thresher, folder, snapshot):
    assert str(thresher("demo")) == snapshot
    written = sorted(path.name for path in (folder / "thresher-demo").iterdir())
    assert written == ["curves.csv", "linked-curves.png", "logistic.scores", "report.html", "tree.scores"]
    loaded = th.Scores.load(folder / "thresher-demo" / "tree.scores")
    data = th.datasets.load_digits_eight()
    assert loaded == th.Scores(data.y_true, data.tree)


def test_demo_where_a_file_is_in_the_way(thresher, folder):
    (folder / "x").write_text("")
    ran = thresher("demo", "--output", "x/y")
    assert ran.code == 1
    assert ran.err.endswith("thresher: --output must be a folder that can be written; got 'x/y' (Not a directory).\n")
