"""Buckets keep the order of scores, hold about equal mass and are found in a few scans."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from thresher._read.sql.buckets import (
    _LEAST_CASES,
    Buckets,
    assigned,
    cell_of,
    heavy,
    joined,
    mass,
    next_level,
    offsets,
)
from thresher._read.sql.tables import _MOST_LEVELS

pytest.importorskip("duckdb")
ibis = pytest.importorskip("ibis")
pa = pytest.importorskip("pyarrow")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


def cells(backend, scores):
    backend.con.register("scored", pa.table({"score": np.asarray(scores, dtype=np.float64)}))
    table = backend.table("scored")
    return backend.to_pyarrow(table.select(cell=cell_of(table.score)))["cell"].to_numpy()


def test_cells_of_neighbouring_doubles_keep_their_order(duckdb_backend):
    rng = np.random.default_rng(1)
    bits = rng.integers(0, np.float64(np.inf).view(np.int64), 20_000)
    start = np.concatenate((bits, [0, 1, 2**52 - 1, 2**52, np.float64(2.0**960).view(np.int64)]))
    steps = (start[:, None] + np.arange(3)).clip(0, np.float64(np.inf).view(np.int64)).ravel()
    scores = np.sort(np.concatenate((steps.view(np.float64), -steps.view(np.float64))))
    found = cells(duckdb_backend, scores)
    finite = np.isfinite(scores)
    assert (np.diff(found[finite]) >= 0).all()
    assert (found[~finite] == scores[~finite]).all()


def test_cells_are_few(duckdb_backend):
    rng = np.random.default_rng(2)
    assert np.unique(cells(duckdb_backend, rng.random(50_000))).size < 1500
    # However the scores are spread, no more than this many cells to a factor of two.
    assert np.unique(cells(duckdb_backend, rng.uniform(1.0, 2.0, 50_000))).size <= 2**6 + 1


shares = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).filter(any), min_size=1, max_size=40)


@settings(max_examples=60)
@given(shares, st.integers(1, 30), st.randoms(use_true_random=False))
def test_light_cells_are_joined_and_heavy_ones_cut(counts, wanted, random):
    pos, neg = np.array(counts).T
    low = np.cumsum([random.random() + 0.1 for _ in counts])
    single = np.array([random.random() < 0.3 for _ in counts])
    buckets = Buckets(np.arange(low.size) * 1.0, low, np.where(single, low, low + 0.05), pos, neg)
    level = next_level(buckets, wanted, 0)
    least = _LEAST_CASES * wanted
    shares = [c / max(c.sum(), least) for c in (pos, neg) if c.any()]
    assert mass(buckets, wanted).tolist() == (sum(shares) / len(shares)).tolist()
    assert (np.diff(level.first) >= 0).all()
    assert (level.parts[single] == 1).all()
    assert level.parts.sum() <= low.size + wanted + 1
    together = joined(buckets, level) if not level.splits else None
    if together is not None:
        assert together.pos.sum() == pos.sum()
        assert (together.low[1:] > together.high[:-1]).all()
        # Two neighbours would not fit into one.
        share = mass(together, wanted)
        assert all(a + b > 1 / wanted - 1e-12 for a, b in zip(share[:-1], share[1:], strict=True))
    tp, fp = offsets(buckets)
    assert (tp[-1], fp[-1]) == (0, 0)
    assert (tp[0] + pos[0], fp[0] + neg[0]) == (pos.sum(), neg.sum())


@pytest.mark.parametrize("kind", ["uniform", "crowded", "wide"])
def test_buckets_become_even(duckdb_backend, kind):
    rng = np.random.default_rng(3)
    n, wanted = 20_000, 50
    scores = {
        "uniform": rng.random(n),
        "crowded": 0.5 + 1e-9 * rng.random(n),
        "wide": 10.0 ** rng.uniform(-250, 250, n),
    }[kind]
    backend = duckdb_backend
    backend.con.register("even", pa.table({"grp": np.zeros(n, dtype=np.int64), "score": scores}))
    table = backend.table("even")
    where = cells(backend, scores)
    levels = []
    while True:
        order = np.unique(where)
        parts = [scores[where == key] for key in order]
        sizes = np.array([part.size for part in parts])
        buckets = Buckets(
            order, np.array([p.min() for p in parts]), np.array([p.max() for p in parts]), sizes, np.zeros_like(sizes)
        )
        assert (buckets.low[1:] > buckets.high[:-1]).all()
        if levels and not heavy(buckets, wanted):
            break
        assert len(levels) < _MOST_LEVELS
        level = next_level(buckets, wanted, 0)
        columns = {
            "level_grp": np.zeros(order.size, dtype=np.int64),
            "level_key": level.key,
            "start": level.start,
            "width": level.width,
            "parts": level.parts.astype(np.float64),
            "first": level.first,
        }
        levels.append(ibis.memtable(pa.table({f"{name}_{len(levels)}": column for name, column in columns.items()})))
        got = backend.to_pyarrow(assigned(table, levels))
        by_score = dict(zip(got["score"].to_pylist(), got["bucket"].to_pylist(), strict=True))
        where = np.array([by_score[score] for score in scores.tolist()])
    assert wanted / 4 < len(buckets) < 3 * wanted
