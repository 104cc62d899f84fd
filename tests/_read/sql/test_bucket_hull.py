"""The hull of a curve that stays in its engine: exact, by rounds that fetch little."""

import numpy as np
import pytest

import thresher as th
from support.tables import assert_same, datasets
from support.thorough import dear
from thresher._read.sql import session as _session
from thresher._read.sql import tables as _tables
from thresher._read.sql.tables import scan_table

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["continuous", "tied", "infinite"])
@pytest.mark.parametrize("few", dear([25, 0], 1))
def test_rounds_find_every_vertex(duck, monkeypatch, name, few):
    y, s = datasets(3000)[name]
    fetched = []
    whole = _session._Plain.fetch

    def fetch(self, expression):
        rows = whole(self, expression)
        fetched.append(rows.num_rows)
        return rows

    monkeypatch.setattr(_session._Plain, "fetch", fetch)
    monkeypatch.setattr(_tables, "_FEW_ROWS", few)
    found = scan_table(th.Scores, duck(y=y, s=s), y_true="y", y_score="s", max_points=12)
    assert_same(found, th.Scores(y, s))
    assert len(fetched) > 3
    assert max(fetched[3:]) <= max(few, 60)


def test_straight_edges_are_not_fetched(duck):
    # Positives and negatives in turn: every second point lies on the diagonal, none is a vertex.
    y = np.tile([0, 1], 500)
    found = scan_table(th.Scores, duck(y=y, s=-np.arange(1000.0)), y_true="y", y_score="s", max_points=20)
    assert_same(found, th.Scores(y, -np.arange(1000.0)))
    assert found.roc().hull().thresholds.tolist() == [np.inf, -999.0]
