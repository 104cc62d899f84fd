from __future__ import annotations

import pytest

from thresher.cli._main import one_by_one


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("auc f.csv --y-score a b", "auc f.csv --y-score a --y-score b"),
        ("auc f.csv --y-score a b c --format json", "auc f.csv --y-score a --y-score b --y-score c --format json"),
        ("auc f.csv --y-score a --y-score b", "auc f.csv --y-score a --y-score b"),
        ("auc --y-score a f.csv", "auc --y-score a f.csv"),
        ("auc --y-score a b f.csv", "auc --y-score a --y-score b f.csv"),
        ("auc - --y-score a b", "auc - --y-score a --y-score b"),
        ("auc f.csv --y-score", "auc f.csv --y-score"),
        ("auc f.csv --y-score=a", "auc f.csv --y-score=a"),
        ("merge a.scores b.scores", "merge a.scores b.scores"),
    ],
)
def test_words(given, meant):
    assert one_by_one(given.split()) == meant.split()


def test_the_command(thresher, digits):
    one, other = (
        thresher("auc", digits, "--format", "csv", "--y-true", "label", *words)
        for words in (["--y-score", "logistic", "--y-score", "tree"], ["--y-score", "logistic", "tree"])
    )
    assert one.code == 0
    assert one == other
