"""`thresher count`: a file of rows becomes a file of counts."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


@pytest.fixture
def data():
    return th.datasets.load_digits_eight()


def test_the_counts_are_the_library_s(thresher, folder, digits, data):
    ran = thresher("count", digits, "--y-score", "logistic", "-o", "site.scores")
    assert (ran.code, ran.out, ran.err) == (0, "wrote site.scores\n", "")
    assert th.Scores.load("site.scores") == th.Scores(data.y_true, data.logistic)
    assert sorted(path.name for path in folder.iterdir()) == ["digits.csv", "site.scores"]


def test_selection(thresher, small_file, small):
    words = ["--y-true", "label", "--y-score", "b", "--weight", "weight", "--pos-label", "0"]
    assert thresher("count", small_file, *words, "-o", "b.scores").code == 0
    weighted = th.Scores(small["label"], small["b"], pos_label=0, sample_weight=small["weight"])
    assert th.Scores.load("b.scores") == weighted


def test_standard_input(thresher):
    ran = thresher("count", "-", "-o", "in.scores", stdin=b"label,a\n1,0.5\n0,0.25\n")
    assert ran.code == 0, ran.err
    assert th.Scores.load("in.scores") == th.Scores([1, 0], [0.5, 0.25])


def test_min_count(thresher, digits, data):
    ran = thresher("count", digits, "--y-score", "logistic", "--min-count", "7", "-o", "site.scores")
    assert ran.code == 0, ran.err
    table = th.Scores.load("site.scores")
    assert table == th.Scores(data.y_true, data.logistic).compress(min_count=7)
    for counts in (table.pos, table.neg):
        assert np.all((counts == 0) | (counts >= 7))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["digits.csv", "-o", "site.scores"], 1),
        (["digits.csv", "--y-score", "tree", "-o", "site.csv"], 2),
        (["digits.csv", "--y-score", "tree"], 2),
        (["digits.csv", "--y-score", "tree", "-o", "no/site.scores"], 1),
        (["digits.csv", "--y-score", "tree", "-o", "site.scores", "--min-count", "1"], 2),
        (["digits.csv", "--y-score", "tree", "-o", "site.scores", "--min-count", "175"], 1),
        (["absent.csv", "-o", "site.scores"], 1),
    ],
)
def test_errors(thresher, folder, digits, snapshot, words, code):
    ran = thresher("count", *words)
    assert ran.code == code
    assert str(ran) == snapshot
    assert sorted(path.name for path in folder.iterdir()) == ["digits.csv"]
