from __future__ import annotations

import json

import pytest
from scipy import stats

import thresher as th

NORMAL = ["--pos", "norm(1.4, 1)", "--neg", "norm(0, 1)", "--prevalence", "1/11"]


@pytest.mark.parametrize("words", [[], ["--recall", "0.5", "--n", "1000"]])
def test_table(thresher, snapshot, words):
    assert str(thresher("population", *NORMAL, *words)) == snapshot


def test_figures_are_the_library_s(thresher):
    ran = thresher("population", *NORMAL, "--format", "json")
    rows = {row["quantity"]: row["value"] for row in json.loads(ran.out)}
    model = th.Population(stats.norm(1.4), stats.norm(), prevalence=1 / 11)
    assert rows["roc_auc"] == float(model.roc_auc())
    assert rows["pr_auc"] == float(model.pr_auc())
    assert rows["precision at recall 0.5"] == float(model.pr(0.5))
    assert rows["limit pr_at_0"] == 1.0
    assert not any("sample size" in name for name in rows)


def test_sample_sizes_are_the_library_s(thresher):
    ran = thresher("population", *NORMAL[:4], "--prevalence", "0.5", "--half-width", "0.1", "--format", "json")
    rows = {row["quantity"]: row["value"] for row in json.loads(ran.out)}
    model = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.5)
    for metric in ("roc_auc", "pr_auc"):
        want = th.sample_size(model, metric=metric, half_width=0.1, n_replicates=0).n
        assert rows[f"sample size for {metric}"] == want


def test_counts_without_an_upper_end(thresher):
    laws = ["--pos", "poisson(4)", "--neg", "poisson(2)", "--prevalence", "0.1", "--format", "json"]
    ran = thresher("population", *laws)
    assert (ran.code, ran.err) == (0, "")
    rows = {row["quantity"]: row["value"] for row in json.loads(ran.out)}
    model = th.Population(stats.poisson(4), stats.poisson(2), prevalence=0.1)
    assert rows["roc_auc"] == float(model.roc_auc())


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["p.csv", "p.json", "p.parquet", "p.svg"])
def test_files(thresher, folder, name):
    ran = thresher("population", *NORMAL, "-o", name)
    assert (ran.code, ran.err) == (0, f"wrote {name}\n")
    assert (folder / name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("pos", "law"),
    [
        ("norm", None),
        ("norm(1.4,1)", stats.norm(1.4, 1)),
        (" norm(loc=1.4, scale=1) ", stats.norm(1.4, 1)),
        ("norm(14/10, +1)", stats.norm(1.4, 1)),
        ("shift(norm(0, 1), 1.4)", stats.norm(1.4, 1)),
        ("mixture(1/2, norm(1.4, 1), 0.5, norm(1.4, 1))", stats.norm(1.4, 1)),
        ("shift(mixture(1, norm(-1/10, 1)), 1.5)", stats.norm(1.4, 1)),
        ("expon(scale=2)", stats.expon(scale=2)),
        ("gamma(2, loc=-1)", stats.gamma(2, loc=-1)),
    ],
)
def test_laws(thresher, pos, law):
    ran = thresher("population", "--pos", pos, "--neg", "norm(0, 1)", "--prevalence", "0.25", "--format", "json")
    if law is None:
        assert ran.code == 2
        return
    assert ran.code == 0, ran.err
    got = {row["quantity"]: row["value"] for row in json.loads(ran.out)}
    wanted = th.Population(law, stats.norm(), prevalence=0.25)
    assert got["roc_auc"] == pytest.approx(float(wanted.roc_auc()), rel=1e-9)
    assert got["pr_auc"] == pytest.approx(float(wanted.pr_auc()), rel=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "norm(",
        "stats.norm(0, 1)",
        "__import__('os').system('touch broken')",
        "norm(open('x'))",
        "norm(0, 1).rvs()",
        "norm(*[0, 1])",
        "norm(**{})",
        "norm(x)",
        "norm('0')",
        "norm(True)",
        "norm(1+1)",
        "norm(2**9**9**9)",
        "norm(0, -1)",
        "norm(0, 1, 2, 3)",
        "norm(1j)",
        "norm(1/0)",
        "norm(0, sigma=1)",
        "beta(2)",
        "stats(1)",
        "rv_histogram(1)",
        "_norm(1)",
        "test(1)",
        "lambda: 0",
        "mixture(0.5, norm(0, 1))",
        "mixture(norm(0, 1), 1)",
        "mixture(2, norm(0, 1), -1, norm(0, 1))",
        "shift(norm(0, 1))",
        "point(1, 2)",
        pytest.param("norm(" * 600, id="text of calls"),
        pytest.param("(" * 1000 + "1" + ")" * 900, id="text of brackets"),
        pytest.param("norm(" + "9" * 400 + ")", id="text of digits"),
    ],
)
def test_texts_that_are_no_law(thresher, folder, snapshot, text):
    ran = thresher("population", "--pos", text, "--neg", "norm(0, 1)", "--prevalence", "0.5")
    assert ran.code == 2
    assert str(ran) == snapshot
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "words", [["--prevalence", "0"], ["--prevalence", "50"], ["--prevalence", "x"], ["--recall", "1"]]
)
def test_wrong_numbers(thresher, snapshot, words):
    ran = thresher("population", *NORMAL[:4], *words, *(["--prevalence", "0.5"] if "--recall" in words else []))
    assert ran.code == 2
    assert str(ran) == snapshot
