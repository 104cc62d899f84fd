"""`thresher threshold`: what it prints makes the same calls when it is typed back."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher as th


@pytest.fixture
def close(folder):
    """Forty positives and sixty negatives with scores that differ in the fifth decimal."""
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [40, 60])
    # 34 positives on top; the lowest of them and the next below share four decimals.
    score = 0.4999 + 1e-5 * np.append(np.arange(100, 66, -1), rng.permutation(66)) + 2e-6 * rng.random(100)
    path = folder / "close.csv"
    path.write_text("label,score\n" + "".join(f"{a},{b!r}\n" for a, b in zip(y.tolist(), score.tolist(), strict=True)))
    return path, y, score


def printed(ran):
    """The threshold in the first row of the table."""
    _title, head, _, first, *_ = ran.out.splitlines()
    assert head.replace("┃", "│").split("│")[1].strip() == "threshold"
    return first.split("│")[1].strip()


@pytest.mark.parametrize("limit", [["--min-recall", ".85"], ["--max-fpr", "0.1"], ["--min-specificity", "0.9"], []])
def test_typed_back_it_makes_the_same_calls(thresher, close, limit):
    path, y, score = close
    text = printed(thresher("threshold", path, *limit))
    full = json.loads(thresher("threshold", path, *limit, "--format", "json").out)[0]["threshold"]
    assert full in score  # all digits for programs
    np.testing.assert_array_equal(score >= float(text), score >= full)
    if limit[:1] == ["--min-recall"]:
        assert (score >= float(text))[y == 1].mean() == 0.85
        assert (score >= round(full, 4))[y == 1].mean() != 0.85  # as four decimals would have it


def test_the_calls_of_tuning_and_test_data_are_kept(thresher, close, folder):
    path, _, score = close
    other = folder / "other.csv"
    other.write_text("label,score\n" + "".join(f"{k % 2},{v - 1e-9!r}\n" for k, v in enumerate(score.tolist())))
    text = printed(thresher("threshold", other, "--tuning", path, "--min-recall", ".85"))
    full = json.loads(thresher("threshold", other, "--tuning", path, "--min-recall", ".85", "--format", "json").out)[0][
        "threshold"
    ]
    for data in (score, score - 1e-9):
        np.testing.assert_array_equal(data >= float(text), data >= full)


def test_specificity_is_one_minus_fpr(thresher, digits):
    words = ["threshold", digits, "--y-score", "logistic", "--format", "json"]
    assert thresher(*words, "--min-specificity", "0.95").out == thresher(*words, "--max-fpr", "0.05").out
    assert thresher(*words, "--min-specificity", "0.95", "--max-fpr", "0.05").code != 0


def test_the_table_of_the_library_agrees(thresher, digits):
    data = th.datasets.load_digits_eight()
    point = th.Scores(data.y_true, data.logistic).choose_threshold(min_recall=0.9)
    ran = thresher("threshold", digits, "--y-score", "logistic", "--min-recall", "0.9")
    assert printed(ran) == point.threshold_text
    assert f"threshold={point.threshold_text}," in repr(point)
