"""Sessions with engines: which things are tables, what is left behind, and what failures say."""

import numpy as np
import pytest

import thresher as th
from thresher._read.sql import session as _session
from thresher._read.sql.session import open_table
from thresher._read.sql.tables import scan_table

ibis = pytest.importorskip("ibis")
pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.usefixtures("python_tasks"),
]


def views(backend):
    return backend.con.execute("select view_name from duckdb_views() where not internal").fetchall()


@pytest.mark.parametrize("what", [[1], pa.table({"y": [1]})])
def test_other_things_are_no_tables(what):
    with pytest.raises(th.InvalidTypeError) as error, open_table(what):
        pass
    assert str(error.value) == (
        f"The table must be an Ibis table or a Spark DataFrame; got {type(what).__name__}. "
        "Hint: frames in memory are counted by `th.Scores.from_frame`."
    )


def test_nothing_is_left_behind(duck, duckdb_backend, monkeypatch):
    rng = np.random.default_rng(1)
    table = duck(y=rng.random(300) < 0.5, s=rng.normal(size=300))
    before = views(duckdb_backend)
    scan_table(th.Scores, table, y_true="y", y_score="s", max_points=10)
    assert views(duckdb_backend) == before

    asked = []
    whole = _session._Plain.fetch

    def fetch(self, expression):
        asked.append(expression)
        if len(asked) == 2:
            raise th.ThresherError("stopped half-way")
        return whole(self, expression)

    monkeypatch.setattr(_session._Plain, "fetch", fetch)
    with pytest.raises(th.ThresherError, match="half-way"):
        scan_table(th.Scores, table, y_true="y", y_score="s", max_points=10)
    assert len(asked) == 2
    assert views(duckdb_backend) == before


def test_a_failing_query_is_one_sentence(duck):
    table = duck(y=[0, 1], s=["1.5", "not a number"])
    with pytest.raises(th.ThresherError) as error:
        scan_table(th.Scores, table.mutate(s=table.s.cast("float64")), y_true="y", y_score="s")
    text = str(error.value)
    assert text.startswith("duckdb could not finish the query; it said: ")
    assert "not a number" in text
    assert "\n" not in text
    assert error.value.__cause__ is None


def test_a_table_without_a_backend_of_its_own():
    table = ibis.memtable(pa.table({"y": [0, 1, 1], "s": [0.1, 0.2, 0.2]}))
    assert scan_table(th.Scores, table, y_true="y", y_score="s") == th.Scores([0, 1, 1], [0.1, 0.2, 0.2])


def test_a_table_that_changes_is_refused(duck, duckdb_backend, monkeypatch):
    rng = np.random.default_rng(2)
    table = duck(y=rng.random(300) < 0.5, s=rng.normal(size=300))
    whole = _session._Plain.fetch

    def fetch(self, expression):
        rows = whole(self, expression)
        fewer = pa.table({"y": rng.random(200) < 0.5, "s": rng.normal(size=200)})
        duckdb_backend.con.register("rows", fewer)
        return rows

    monkeypatch.setattr(_session._Plain, "fetch", fetch)
    with pytest.raises(th.ThresherError, match=r"^The table must stay as it is while it is counted; got \d+ rows in"):
        scan_table(th.Scores, table, y_true="y", y_score="s", max_points=10)
