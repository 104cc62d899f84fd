"""Relations of DuckDB hold every line of a file under the file's own names."""

from __future__ import annotations

import gzip
import json

import pytest

import thresher as th
from thresher._read.sources.table_columns import _top_names, connection, duckdb_error, read_relation
from thresher._read.sources.unreadable import unreadable

pytest.importorskip("duckdb")


def test_text_stays_text(tmp_path):
    (tmp_path / "input").write_text('the "y";s\n001;1e3\n"a;b";\n\n 2 ;x\n')
    with connection() as database:
        relation, names = read_relation(database, tmp_path / "input", "text", "a.csv")
        assert names == ['the "y"', "s"]
        assert relation.fetchall() == [("001", "1e3"), ("a;b", None), (" 2 ", "x")]


@pytest.mark.parametrize("form", ["json", "json lines"])
def test_json_of_both_kinds(tmp_path, form):
    rows = [{"y": 1, "s": 0.5}, {"y": 0}]
    text = json.dumps(rows, indent=1) if form == "json" else "\n".join(map(json.dumps, rows))
    (tmp_path / "input").write_text(text)
    with connection() as database:
        relation, names = read_relation(database, tmp_path / "input", form, "a.json")
        assert (names, relation.fetchall()) == (["y", "s"], [(1, 0.5), (0, None)])


def test_parquet_names_that_differ_in_case_only(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    nested = pa.array([{"P": 1, "q": [1, 2]}])
    parquet.write_table(pa.table([[1], nested, [2.0], [3.0]], names=["y", "inside", "p", "P"]), tmp_path / "input")
    with connection() as database:
        relation, names = read_relation(database, tmp_path / "input", "parquet", "a.parquet")
        assert names == ["y", "inside", "p", "P"]
        assert [relation.fetchall()[0][i] for i in (0, 2, 3)] == [1, 2.0, 3.0]


def test_schemas_written_depth_first():
    schema = [("root", 3), ("a", None), ("b", 2), ("b1", 0), ("b2", 1), ("b21", 0), ("c", None)]
    assert _top_names(schema) == ["a", "b", "c"]
    assert _top_names([("root", 0)]) == []


@pytest.mark.parametrize("form", ["parquet", "json"])
def test_damage_is_told_without_our_name_for_the_file(tmp_path, form):
    (tmp_path / "input").write_text('[{"y": 1}, {"y"]')
    with connection() as database, pytest.raises(th.InvalidInputError, match=r"^'mine' cannot be read: ") as error:
        read_relation(database, tmp_path / "input", form, "mine")[0].fetchall()
    assert str(tmp_path) not in str(error.value)


def test_a_connection_is_closed_at_the_end():
    with connection() as database:
        assert database.execute("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(duckdb_error()):
        database.execute("SELECT 1")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("cut", ['[{"y": 1}, {"y": 2}', '[{"y": 1},\n', " [ "])
def test_a_list_that_is_cut_short(tmp_path, cut, packed):
    """DuckDB reads what is there, which would be a figure of some of the rows."""
    path = tmp_path / ("input.gz" if packed else "input")
    path.write_bytes(gzip.compress(cut.encode()) if packed else cut.encode())
    with connection() as database, pytest.raises(th.InvalidInputError, match="a list begins and does not end"):
        read_relation(database, path, "json", "mine")


class InterruptException(Exception):  # noqa: N818  # DuckDB's name
    """What DuckDB calls Ctrl-C."""


@pytest.mark.parametrize("error", [RuntimeError("Query interrupted"), InterruptException("INTERRUPT Error")])
def test_ctrl_c_within_duckdb_is_ctrl_c(error):
    with pytest.raises(KeyboardInterrupt), connection():
        raise error
    with pytest.raises(KeyboardInterrupt):
        raise unreadable("x.csv", error)
    with pytest.raises(RuntimeError, match="another"), connection():
        raise RuntimeError("another")
