"""Options of `thresher compare` against the library; its tables are in the snapshots of all commands."""

from __future__ import annotations

import json

import pytest

import thresher as th

DATA = th.datasets.load_digits_eight()


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["--margin", "0.1", "--alternative", "greater"], {"margin": 0.1, "alternative": "greater"}),
        (["--metric", "partial_roc_auc", "--fpr", "0:0.1"], {"metric": "partial_roc_auc", "fpr": (0.0, 0.1)}),
        (["--metric", "partial_roc_auc", "--option", "tpr=0.8:1"], {"metric": "partial_roc_auc", "tpr": (0.8, 1.0)}),
        (["--method", "delong-t"], {"method": "delong-t"}),
        (["--method", "venkatraman", "--n-resamples", "50"], {"method": "venkatraman", "n_resamples": 50}),
        (
            ["--metric", "average_precision", "--prevalence", "0.01", "--n-resamples", "50"],
            {"metric": "average_precision", "prevalence": 0.01, "n_resamples": 50},
        ),
        (["--metric", "brier", "--method", "normal"], {"metric": "brier"}),
    ],
)
def test_figures_are_the_library_s(thresher, digits, words, options):
    ran = thresher("compare", digits, *words, "--format", "json")
    assert ran.code == 0, ran.err
    (row,) = json.loads(ran.out)
    pair = th.compare(DATA.y_true, DATA.models, rng=0, **options).pair
    assert (row["difference"], row["low"], row["high"], row["p"]) == (pair.difference, pair.low, pair.high, pair.pvalue)


def test_the_margin_is_in_the_title(thresher, digits):
    ran = thresher("compare", digits, "--margin", "0.02", "--alternative", "greater")
    assert "roc_auc, delong, margin 0.02, p adjusted" in ran.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--fpr", "0:0.1"], 2, "fpr"),
        (["--margin", "0.02"], 1, "alternative"),
        (["--metric", "pr_auc", "--method", "venkatraman"], 2, "has no test of pr_auc"),
    ],
)
def test_options_that_do_not_fit(thresher, digits, words, code, said):
    ran = thresher("compare", digits, *words)
    assert ran.code == code
    assert said in ran.err
