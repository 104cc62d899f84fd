"""Any number of groups, in any memory, has the tables that each group's own rows have."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._core import counting, native
from thresher._read.sources.batch_columns import Rows
from thresher._read.stream.groups import Groups
from thresher._read.stream.spill import Spill


def counted(parts, memory, max_points=1_000_000):
    with Spill() as spill:
        groups = Groups(memory, spill)
        for rows in parts:
            groups.add(rows)
        return groups.results(th.Scores, max_points), spill.size


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 4000),
    groups=st.sampled_from([1, 3, 50, 5000]),
    kind=st.sampled_from(["float64", "float32", "float16", "int64", "uint8"]),
    memory=st.sampled_from([1 << 10, 1 << 15, 1 << 26]),
    max_points=st.sampled_from([2, 20, 1_000_000]),
    extra=st.sampled_from(["none", "weight", "times", "both"]),
)
def test_each_group_is_its_own_rows(seed, n, groups, kind, memory, max_points, extra):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, groups, n)
    if groups > 3:
        group[rng.random(n) < 0.3] = 1  # one that is much larger than the others
    scores = (rng.normal(size=n) * 8).round(1).astype(kind) if kind != "uint8" else rng.integers(0, 9, n, np.uint8)
    if kind.startswith("float"):
        scores[rng.random(n) < 0.1] = -0.0
    positive = rng.random(n) < 0.4
    weight = rng.integers(1, 9, n) / 4 if extra in ("weight", "both") else None
    times = rng.integers(1, 4, n) if extra in ("times", "both") else None
    edges = np.unique([0, *rng.integers(0, n, 5), n])
    parts = []
    for a, b in zip(edges[:-1], edges[1:], strict=True):
        columns = [None if column is None else column[a:b] for column in (weight, times)]
        parts.append(Rows(scores[a:b], positive[a:b], columns[0], pa.array(group[a:b]), columns[1]))
    found, _ = counted(parts, memory, max_points)
    assert list(found) == sorted(set(group.tolist()))
    for value, table in found.items():
        own = group == value
        full = th.Scores(
            positive[own],
            scores[own],
            sample_weight=None if weight is None else weight[own],
            frequency=None if times is None else times[own],
        )
        assert len(table) <= max(max_points, 2)
        assert table.thresholds.dtype == full.thresholds.dtype
        if len(full) <= max_points:
            assert table == full
        else:
            assert table.n_pos == pytest.approx(full.n_pos)
            assert table._figures.n_scores == len(full)


def rows_of(n, groups, seed=0):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.3
    group = rng.integers(0, groups, n)
    scores = rng.normal(size=n) + positive
    step = 10_000
    return [
        Rows(scores[a : a + step], positive[a : a + step], None, pa.array(group[a : a + step]))
        for a in range(0, n, step)
    ]


def test_memory_and_the_file_change_nothing():
    parts = rows_of(100_000, 3000)
    roomy, in_memory = counted(parts, 1 << 28)
    tight, in_file = counted(parts, 1 << 20)
    assert in_memory == 0
    assert in_file > 0
    assert roomy.keys() == tight.keys()
    assert all(roomy[key] == tight[key] for key in roomy)


def test_without_kernels_the_same(monkeypatch):
    parts = rows_of(20_000, 300)
    compiled, _ = counted(parts, 1 << 20)
    monkeypatch.setattr(native, "available", lambda: False)
    plain, _ = counted(parts, 1 << 20)
    assert all(compiled[key] == plain[key] for key in compiled)


def test_tables_are_frozen_for_good():
    found, _ = counted(rows_of(1000, 10), 1 << 26)
    for column in (found[3].thresholds, found[3].pos, found[3].neg):
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
            column[0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            column.setflags(write=True)


def test_one_call_for_all_groups(monkeypatch):
    """Small groups are counted together: the number of calls does not grow with that of the groups."""
    calls = []
    real = counting.count_groups
    monkeypatch.setattr("thresher._read.stream.groups.count_groups", lambda *a: calls.append(a[1].size) or real(*a))
    counted(rows_of(50_000, 20_000), 1 << 26)
    assert calls == [50_000]
