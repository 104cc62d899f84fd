"""Results of plans are values."""

from __future__ import annotations

import pickle

import thresher as th


def test_plans_compare_and_travel():
    found = th.power(rate=0.9, null=0.8, n=50)
    assert found == th.power(rate=0.9, null=0.8, n=50) == pickle.loads(pickle.dumps(found))
    size = th.sample_size(rate=0.9, null=0.8, power=0.8)
    assert size == pickle.loads(pickle.dumps(size))
    assert (size.n_pos, size.check, size.half_width) == (size.n, None, None)
