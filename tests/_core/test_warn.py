"""Warnings point at the caller's line."""

import warnings
from pathlib import Path

import thresher as th


def test_the_line_is_the_callers():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        th.Scores([0, 0, 1, 1], [1, 2, 3, 4]).roc_auc().confidence_interval(method="delong")
    assert [one.filename for one in caught] == [__file__]
    assert caught[0].category is th.ThresherWarning
    line = Path(__file__).read_text().splitlines()[caught[0].lineno - 1]
    assert "confidence_interval" in line
