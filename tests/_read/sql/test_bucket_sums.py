"""Sums of buckets by Python tasks, tried on DuckDB, which is made to have some: figures and hull of all rows."""

from fractions import Fraction

import numpy as np
import pytest

import thresher as th
from support.tables import assert_same, datasets
from thresher._read.sql import bucket_sums
from thresher._read.sql import tables as _tables
from thresher._read.sql.bucket_sums import limbs_for
from thresher._read.sql.buckets import Buckets
from thresher._read.sql.session import SendRowsError
from thresher._read.sql.spark_workers import LIMB, _limbs
from thresher._read.sql.tables import scan_table
from thresher._read.stream.collect import UNIT, exact_sum

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
COLUMNS = {"y_true": "y", "y_score": "s"}


@pytest.mark.parametrize("total", [100, 2**36, 2**62])
def test_pieces_hold_every_bit_of_a_term(total):
    low = np.zeros(1)
    limbs = limbs_for([Buckets(low, low, low + 1, np.array([total - 1]), np.array([1]))])
    rng = np.random.default_rng(1)
    terms = np.append(1.0 / rng.integers(total // 2, total, 500), rng.uniform(0, total, 500))
    terms = np.append(terms, np.nextafter(1.0 / (2 * total), 1.0))
    pieces = _limbs("t", terms, limbs)
    assert all(((piece >= 0) & (piece < 2**LIMB)).all() for name, piece in pieces.items() if name != "t_0")
    found = sum(Fraction(sum(pieces[f"t_{limb}"].tolist()), 2 ** (LIMB * limb)) for limb in range(limbs + 1))
    assert found == sum(map(Fraction, terms.tolist())) == Fraction(exact_sum(terms), UNIT)


def test_awkward_scores(duck, python_tasks):
    parts = datasets(400)
    y, s = (np.concatenate([part[k] for part in parts.values()]) for k in (0, 1))
    table = duck(y=y, s=s, g=np.repeat(list(parts), 400).tolist())
    found = scan_table(th.Scores, table, **COLUMNS, by="g", max_points=20)
    for name, (labels, scores) in parts.items():
        assert_same(found[name], th.Scores(labels, scores))
    assert len(python_tasks) == 1


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["continuous", "tied", "infinite"])
def test_every_vertex_of_the_hull_is_kept(duck, python_tasks, name):
    y, s = datasets(3000)[name]
    found = scan_table(th.Scores, duck(y=y, s=s), **COLUMNS, max_points=12)
    assert_same(found, th.Scores(y, s))
    assert len(python_tasks) == 1


def test_straight_edges_have_no_vertices(duck, python_tasks):
    # Positives and negatives in turn: every second point lies on the diagonal, none is a vertex.
    y = np.tile([0, 1], 500)
    found = scan_table(th.Scores, duck(y=y, s=-np.arange(1000.0)), **COLUMNS, max_points=20)
    assert_same(found, th.Scores(y, -np.arange(1000.0)))
    assert found.roc().hull().thresholds.tolist() == [np.inf, -999.0]


def test_buckets_that_no_task_holds_are_sent(duck, python_tasks, monkeypatch):
    rng = np.random.default_rng(1)
    table = duck(y=rng.random(300) < 0.5, s=rng.normal(size=300))
    monkeypatch.setattr(_tables, "MOST_ROWS", 3)
    with pytest.raises(SendRowsError):
        scan_table(th.Scores, table, **COLUMNS, max_points=20)
    assert python_tasks == []
    assert bucket_sums.MOST_ROWS**3 * 4 * 4 // 27 < 2**63  # the largest sum of products of counts in a bucket
