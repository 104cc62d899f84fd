"""Venn-Abers values against isotonic regression of the rows with one more, by scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import thresher as th
from thresher._decide import calibrator as module
from thresher._decide.calibrator import venn_abers

rows = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=25)


@given(rows)
def test_one_more_case_of_either_class(cases):
    x, y = np.array([float(case[0]) for case in cases]), np.array([case[1] for case in cases])
    scores = th.Scores(y, x)
    low, high = venn_abers(scores)
    for i, at in enumerate(scores.thresholds):
        for label, found in ((False, low[i]), (True, high[i])):
            fit = IsotonicRegression().fit(np.append(x, at), np.append(y, label))
            assert found == pytest.approx(float(fit.predict([at])[0]), abs=1e-12)
        assert low[i] < high[i]


def test_the_table_is_not_changed():
    scores = th.Scores([1, 0, 1, 1, 0], [5, 4, 3, 2, 1])
    before = scores.pos.tolist(), scores.neg.tolist()
    venn_abers(scores)
    assert (scores.pos.tolist(), scores.neg.tolist()) == before


def test_refusals(monkeypatch):
    with pytest.raises(th.InvalidInputError, match="needs whole counts; got weights"):
        venn_abers(th.Scores([0, 1, 1], [1, 2, 3], sample_weight=[0.5, 1.0, 1.5]))
    monkeypatch.setattr(module, "_MOST_SCORES", 3)
    venn_abers(th.Scores([0, 1, 1], [1, 2, 3]))
    with pytest.raises(th.InvalidInputError, match="at most 3 distinct scores; got 4"):
        venn_abers(th.Scores([0, 1, 1, 0], [1, 2, 3, 4]))
