"""Whatever the figure: its interval depends on ratios of weights, and rows that belong together are not independent."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from support.measures import options_of

RESAMPLED = {"n_resamples": 40, "rng": 1}


def rows(n=160, seed=2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, 1.0 / (1.0 + np.exp(-(1.5 * y - 0.7 + rng.normal(size=n)))), rng.uniform(0.5, 2.0, n)


def interval(table, name, method=None):
    return table.measure(name, **options_of(name)).confidence_interval(method=method, **RESAMPLED)


NAMES = th.measures.names()


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
@pytest.mark.parametrize("name", NAMES)
def test_only_ratios_of_weights_count(name):
    y, s, w = rows()
    try:
        one = interval(th.Scores(y, s, sample_weight=w), name)
    except th.InvalidInputError as error:
        assert "weight" in str(error)  # noqa: PT017  # some intervals need whole counts, and say so
        return
    for scale in (2.0**-20, 2.0**20):
        other = interval(th.Scores(y, s, sample_weight=scale * w), name)
        assert tuple(other) == pytest.approx(tuple(one), rel=1e-9, abs=1e-12)


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
@pytest.mark.parametrize("name", NAMES)
def test_four_copies_of_a_row_tell_no_more_than_the_row(name):
    if name.endswith("_at_depth"):
        pytest.skip("a fixed depth is another figure in four times as many rows")
    y, s, _ = rows()
    copies = [np.repeat(column, 4) for column in (y, s, np.arange(y.size))]
    try:
        together = interval(th.Scores(copies[0], copies[1], cluster=copies[2]), name)
    except th.InvalidInputError as error:
        assert "clusters" in str(error)  # noqa: PT017
        return
    # Half as long is what four times as many independent rows would give.
    alone = interval(th.Scores(y, s), name, method=together.method)
    assert together.high - together.low > 0.75 * (alone.high - alone.low)
