"""Several scorers on the same rows: checked once, sorted once for each use."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._compare.paired_rows import doubled_midranks, read_rows
from thresher._core import native

RNG = np.random.default_rng(3)
Y = RNG.random(200) < 0.4
MODELS = {name: RNG.normal(size=200) + Y for name in "abc"}


@pytest.mark.skipif(not native.available(), reason="counts calls of the compiled kernels, which were not built")
def test_three_scorers_are_counted_once_each_and_placed_once_each(monkeypatch):
    calls = []
    for name in ("count_running", "placements"):
        kernel = getattr(native, name)

        def counted(*args, _kernel=kernel, _name=name, **options):
            calls.append(_name)
            return _kernel(*args, **options)

        monkeypatch.setattr(native, name, counted)
    th.compare(Y, MODELS)
    assert sorted(calls) == ["count_running"] * 3 + ["placements"] * 3


def test_missing_classes_are_found_without_a_count():
    with pytest.raises(
        th.UndefinedMetricError, match="A comparison needs both classes; got 3 positives and 0 negatives"
    ):
        read_rows([1, 1, 1], {"a": [1, 2, 3], "b": [3, 2, 1]})
    with pytest.raises(th.InvalidInputError, match="must leave some rows"):
        read_rows([1, 0], {"a": [1, 2], "b": [2, 1]}, sample_weight=[0, 0])


def test_midranks_by_definition():
    scores = np.array([2.0, 1.0, 2.0, 5.0])
    ranks = [np.sum(scores < s) + (np.sum(scores == s) + 1) / 2 for s in scores]
    assert doubled_midranks(scores).tolist() == [2 * rank for rank in ranks]
