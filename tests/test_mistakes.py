"""Typical mistakes: each message gives the rule, the value and a fix, and the fix works."""

from __future__ import annotations

import warnings

import pytest

import thresher as th
from support.mistakes import MISTAKES

pytestmark = pytest.mark.filterwarnings("ignore")  # the corrected calls may warn of the small made-up data


def test_there_are_many_and_none_twice():
    assert len(MISTAKES) >= 200
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_the_message_is_complete_and_its_fix_works(mistake):
    with pytest.raises(mistake.error) as caught:
        mistake.call()
    assert isinstance(caught.value, th.ThresherError | AttributeError | ValueError)
    message = str(caught.value)
    for part in (mistake.rule, mistake.value, mistake.remedy):
        assert part in message, message
    assert "Counts" not in message  # an internal name
    mistake.corrected()


def test_warnings_of_what_is_no_error():
    """Series in another order are counted as they stand, and hard predictions are: both are said."""
    import pandas as pd

    y, s = pd.Series([0, 1, 0, 1], index=list("abcd")), pd.Series([4, 3, 2, 1], index=list("dcba"))
    with pytest.warns(th.ThresherWarning, match=r"another order.*y_score\.reindex\(y_true\.index\)"):
        wrong = th.Scores(y, s).roc_auc().value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right = th.Scores(y, s.reindex(y.index)).roc_auc().value
    assert (wrong, right) == (0.25, 0.75)
    with pytest.warns(th.ThresherWarning, match=r"y_scores\['b'\]\.reindex"):
        th.compare(y, {"a": s.reindex(y.index), "b": s})
