"""Tables that are taken away from a sum, and tables as bytes."""

import io

import numpy as np
import pytest

import thresher as th


def rows(seed, n=300, digits=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, (rng.normal(size=n) + y).round(digits)


@pytest.mark.parametrize("seed", range(5))
def test_what_was_added_is_taken_away(seed):
    monday, tuesday = th.Scores(*rows(seed)), th.Scores(*rows(seed + 100, digits=2))
    week = monday + tuesday
    assert week - monday == tuesday
    assert week - tuesday == monday


def test_types_of_scores_meet():
    y, s = rows(1)
    narrow, wide = th.Scores(y, s.astype(np.float32)), th.Scores(y, s)
    assert (narrow + wide) - wide == th.Scores(y, s.astype(np.float32).astype(np.float64))


def test_what_was_not_added_is_refused():
    a, b = th.Scores([0, 1], [0.1, 0.9]), th.Scores([1, 1], [0.1, 0.9])
    with pytest.raises(th.InvalidInputError, match=r"must hold rows of the other one; at score 0\.1"):
        a - b
    with pytest.raises(th.InvalidInputError, match="must leave rows"):
        a - a
    with pytest.raises(TypeError):
        a - 1


def test_weights_and_kept_scores_are_refused():
    y, s = rows(2)
    whole = th.Scores(y, s)
    weighted = th.Scores(y, s, sample_weight=np.arange(1.0, 301.0))
    clustered = th.Scores(y, s, cluster=np.arange(300) // 3)
    for other in (weighted, clustered, whole.compress(10)):
        with pytest.raises(th.InvalidInputError, match="whole counts to be subtracted"):
            (whole + whole) - other


def test_bytes():
    y, s = rows(3)
    for one in (
        th.Scores(y, s),
        th.Scores(y, s, sample_weight=np.arange(1.0, 301.0)),
        th.Scores(y, s, cluster=np.arange(300) // 2),
    ):
        assert th.Scores.load(bytes(one)) == one
        file = io.BytesIO()
        one.save(file)
        file.seek(0)
        assert th.Scores.load(file) == one
    with pytest.raises(th.InvalidInputError, match="must be a file written by"):
        th.Scores.load(b"something else")
