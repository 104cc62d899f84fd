"""What workers make of the rows of a partition, against slow sums in exact arithmetic."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from thresher._core import hyperbola
from thresher._core.hull import upper_hull
from thresher._read.sql import spark_workers
from thresher._read.sql.spark_workers import ABOVE_HULL, Above, above_hull, partition_sums

pa = pytest.importorskip("pyarrow")


def partition(n=4000, buckets=7):
    """Return rows of a curve that bends everywhere, with ties, and what is above its buckets."""
    rng = np.random.default_rng(n)
    s = np.round(rng.random(n), 3)
    y = rng.random(n) < s
    number = np.minimum(s * buckets, buckets - 1).astype(np.int32)
    counts = np.array([np.bincount(number, which, buckets).astype(np.int64) for which in (y, ~y)])
    tp, fp = counts[:, ::-1].cumsum(axis=1)[:, ::-1] - counts
    stops = counts.cumsum(axis=1)[:, -1:]
    x, y_ = (np.append(0, total) for total in (stops[1], stops[0]))
    above = Above(tp, fp, np.zeros(buckets, np.int64), x + y_, y_, x)
    return y, s, number, above


def found_of(y, s, number, above, **options):
    rows = pa.table({"id": number, "score": s, "pos": y.astype(np.int8)})
    function = partition_sums(above, 3, grouped=options.pop("grouped", False))
    return pa.Table.from_batches(list(function(iter(rows.to_batches(max_chunksize=300))))).to_pylist()


@pytest.mark.parametrize("grouped", [False, True])
def test_sums_are_exact(monkeypatch, grouped):
    y, s, number, above = partition()
    monkeypatch.setattr(spark_workers, "_ROWS_AT_ONCE", 1000)
    found = [row for row in found_of(y, s, number, above, grouped=grouped) if row["mark"] != ABOVE_HULL]
    for bucket in range(7):
        rows = [row for row in found if row["id"] == bucket]
        tp, fp, pairs, lost, lost_2, won_2, average = 0, 0, 0, 0, 0, 0, Fraction(0)
        for score in sorted(set(s[number == bucket].tolist()), reverse=True):
            pos, neg = int(y[s == score].sum()), int((~y)[s == score].sum())
            pairs, lost, lost_2 = pairs + pos * neg, lost + pos * (2 * fp + neg), lost_2 + pos * (2 * fp + neg) ** 2
            won_2 += neg * (2 * tp + pos) ** 2
            tp, fp = tp + pos, fp + neg
            high = float(above.pos[bucket] + tp)
            average += Fraction(pos * (high / (high + float(above.neg[bucket] + fp))))
        for name, value in {"sum_pos": tp, "sum_neg": fp, "pairs": pairs, "lost": lost, "lost_2": lost_2}.items():
            assert sum(row[name] for row in rows) == value, name
        assert sum(row["won_2"] for row in rows) == won_2
        assert sum(row["n_scores"] for row in rows) == len(set(s[number == bucket].tolist()))
        pieces = (Fraction(row[f"average_{limb}"], 2 ** (30 * limb)) for row in rows for limb in range(4))
        assert sum(pieces) == average


def test_every_vertex_of_the_hull_comes_back(monkeypatch):
    y, s, number, above = partition()
    distinct = np.unique(s)[::-1]
    tp, fp = (np.array([which[s >= score].sum() for score in distinct]) for which in (y, ~y))
    wanted = distinct[upper_hull(np.append(0, fp), np.append(0, tp))[1:] - 1]
    ends = {s[number == bucket].min() for bucket in range(7)}
    sizes = []
    for few in (1 << 12, 1):
        monkeypatch.setattr(spark_workers, "_FEW_POINTS", few)
        points = [row for row in found_of(y, s, number, above) if row["mark"] == ABOVE_HULL]
        for row in points:
            assert (row["last_tp"], row["last_fp"]) == (y[s >= row["score"]].sum(), (~y)[s >= row["score"]].sum())
        assert set(wanted.tolist()) - ends <= {row["score"] for row in points}
        sizes.append(len(points))
    assert len(wanted) > 15
    assert sizes[1] < sizes[0] / 2


def test_what_stands_above_edges():
    # The hull (0, 0), (4, 6), (10, 10) in fp and tp.
    hull = np.array([0, 10, 20]), np.array([0, 6, 10]), np.array([0, 4, 10])
    tp, fp = np.array([3, 4, 6, 8, 9, 10]), np.array([2, 2, 4, 7, 7, 10])
    assert above_hull(tp, fp, tp + fp, *hull).tolist() == [1, 4]


def test_a_partition_without_rows():
    _, _, _, above = partition(50)
    assert list(partition_sums(above, 3, grouped=False)(iter(()))) == []


def test_what_is_sent_to_workers_needs_no_thresher():
    cloudpickle = pytest.importorskip("cloudpickle")
    above = partition(50)[-1]
    modules = (spark_workers, hyperbola)
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        sent = cloudpickle.dumps(partition_sums(above, 2, grouped=False))
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)
    code = (
        "import pickle, sys, pyarrow as pa\n"
        "function = pickle.loads(sys.stdin.buffer.read())\n"
        "rows = pa.table({'id': pa.array([6, 6], 'int32'), 'score': [0.25, 0.5], 'pos': pa.array([1, 0], 'int8')})\n"
        "rows = [row for batch in function(iter(rows.to_batches())) for row in batch.to_pylist()]\n"
        "print(rows[0]['sum_neg'], 'thresher' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert done.stdout.split() == [b"1", b"False"]


def test_packed_groups_come_in_small_cells_of_whole_groups(monkeypatch):
    """What is packed, added up score by score, is what a dictionary counts; no group is in two cells."""
    monkeypatch.setattr(spark_workers, "_SCORES_OF_A_CELL", 40)
    rng = np.random.default_rng(5)
    group = rng.choice([3, 5, 8, 9], 2_000, p=[0.02, 0.9, 0.04, 0.04])
    score = np.where(group == 5, rng.integers(0, 70, 2_000), rng.integers(0, 9, 2_000)).astype(float)
    score[group == 9] = 1.0
    group[:600], score[:600] = 9, 1.0  # a count that takes more than a byte
    pos = rng.integers(0, 2, 2_000).astype(np.int8)
    batches = pa.table({"grp": group, "score": score, "pos": pos}).to_batches(max_chunksize=300)
    wanted = {}
    for key, label in zip(zip(group.tolist(), score.tolist(), strict=True), pos.tolist(), strict=True):
        wanted.setdefault(key, [0, 0])[1 - label] += 1
    found, cells = {}, []
    for batch in spark_workers.packed_groups(iter(batches)):
        table = pa.ipc.open_stream(batch["data"][0].as_py()).read_all()
        cells.append(set(table["grp"].to_pylist()))
        for row in table.to_pylist():
            assert (row["grp"], row["score"]) not in found
            found[row["grp"], row["score"]] = [row["pos"], row["neg"]]
    assert found == wanted
    assert len(cells) > 1
    assert sum(map(len, cells)) == len(set().union(*cells))
