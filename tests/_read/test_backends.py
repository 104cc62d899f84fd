"""Other engines behind Ibis: the same bits as NumPy, or a sentence that says what to do instead, which then works."""

import contextlib
import itertools
from functools import cache

import numpy as np
import pytest

import thresher as th
from support.backends import NAMES, connected, load, tables
from support.tables import assert_same, datasets
from support.thorough import dear
from thresher._read.sql import session as _session
from thresher._read.sql.session import SendRowsError
from thresher._read.sql.tables import scan_table

ibis = pytest.importorskip("ibis")
pa = pytest.importorskip("pyarrow")
pytestmark = [
    pytest.mark.optional,  # DataFusion, PostgreSQL
    # pandas 3 deprecates an option that Ibis 12 asks for when it reads from SQLite.
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated:DeprecationWarning"),
    # Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    # pandas 2.2, which Ibis 10 has a small table converted by, tries whether infinite values are whole numbers.
    pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning"),
]

INSTEAD = "have the rows sent and counted here: `th.scan(table.to_pyarrow_batches(), ...)`."
COLUMNS = {"y_true": "y", "y_score": "s"}


@pytest.fixture(scope="module", params=NAMES)
def engine(request):
    with connected(request.param) as connection:
        yield connection


@pytest.fixture
def table(engine):
    """Return a function that makes a table of the engine of columns."""
    return lambda **columns: load(engine, f"rows_{next(_number)}", pa.table(columns))


_number = itertools.count()


def stacked(parts):
    return {
        "y": np.concatenate([y for y, _ in parts.values()]),
        "s": np.concatenate([s for _, s in parts.values()]),
        "kind": np.repeat(list(parts), [y.size for y, _ in parts.values()]).tolist(),
    }


def check_remedy(rows, expected, **options):
    """Check that the rows, sent and counted here, give the answer."""
    assert_same(th.scan(rows.to_pyarrow_batches(), **COLUMNS, **options), expected)


@pytest.mark.parametrize("most", [50, 5000])
def test_every_kind_of_score(engine, table, most):
    parts = datasets(400)
    found = th.scan(table(**stacked(parts)), **COLUMNS, by="kind", max_points=most)
    assert sorted(found) == sorted(parts)
    for name, (y, s) in parts.items():
        assert_same(found[name], th.Scores(y, s))
        assert found[name]._complete == (len(th.Scores(y, s)) <= most), name


@pytest.mark.some(10)
@pytest.mark.parametrize("kind", [np.float32, np.int8, np.uint8, np.int64, np.bool_])
def test_types_of_scores(engine, table, kind):
    """Scores come back in the type that the engine keeps them in: SQLite has doubles and 64-bit integers only."""
    if kind is np.uint8 and engine.name in ("sqlite", "postgres"):
        pytest.skip(f"{engine.name} has no unsigned integers")
    rng = np.random.default_rng(3)
    y = rng.random(1000) < 0.4
    s = (rng.normal(size=1000) * 30 + 5 * y).clip(0, 100).astype(kind)
    rows = table(y=y, s=s)
    for most in (20, 1000):
        found = th.scan(rows, **COLUMNS, max_points=most)
        if engine.name in ("polars", "datafusion"):
            assert_same(found, th.Scores(y, s), hull=most > 20)
        assert_same(found, th.Scores(y, s.astype(found.thresholds.dtype)), hull=most > 20)


def test_integers_beyond_a_double(engine, table):
    rng = np.random.default_rng(4)
    y, s = rng.random(1000) < 0.5, 2**62 + rng.integers(0, 3000, 1000)
    rows = table(y=y, s=s)
    assert_same(th.scan(rows, **COLUMNS), th.Scores(y, s))
    assert_same(th.scan(rows, **COLUMNS, max_points=50), th.Scores(y, s))


def test_decimals(engine, table):
    if engine.name == "sqlite":
        pytest.skip("SQLite has no decimals")
    y = [0, 1, 1, 0, 1]
    s = ["0.125", "0.250", "-3.500", "0.000", "0.250"]
    decimal = pa.array(s).cast(pa.decimal128(12, 3))
    assert_same(th.scan(table(y=y, s=decimal), **COLUMNS), th.Scores(y, np.array(s, dtype=np.float64)))
    long = pa.array(["0.1234567890123456789", "0.5"]).cast(pa.decimal128(25, 19))
    with pytest.raises(th.InvalidInputError, match=r"^`y_score` must keep its digits as a double; got 1 of 2 rows"):
        th.scan(table(y=[0, 1], s=long), **COLUMNS)


@pytest.mark.parametrize("scale", dear([1, 2**46, 2**20], 2))
def test_whole_weights_are_exact(engine, table, scale):
    rng = np.random.default_rng(7)
    y, s, w = rng.random(800) < 0.3, rng.normal(size=800).round(2), rng.integers(0, 9, 800) * scale
    rows, expected = table(y=y, s=s, w=w), th.Scores(y, s, sample_weight=w)
    assert_same(th.scan(rows, **COLUMNS, sample_weight="w"), expected)
    assert_same(th.scan(rows, **COLUMNS, sample_weight="w", max_points=20), expected)


@pytest.mark.filterwarnings("ignore:The weights of the negatives range")
def test_float_weights_to_rounding(engine, table):
    rng = np.random.default_rng(8)
    y, s, w = rng.random(1000) < 0.3, rng.normal(size=1000), rng.exponential(size=1000)
    w[::9], w[1::9] = 0.0, -0.0
    expected = th.Scores(y, s, sample_weight=w)
    for most in (30, 1000):
        found = th.scan(table(y=y, s=s, w=w), **COLUMNS, sample_weight="w", max_points=most)
        assert found._n_scores == len(expected)
        np.testing.assert_allclose(
            [found.n_pos, found.roc_auc().value, found.pr_auc().value, found._pos_squares.sum()],
            [expected.n_pos, expected.roc_auc().value, expected.pr_auc().value, expected._pos_squares.sum()],
            rtol=1e-13,
        )
        # The variance of weighted rows is that of the scores that are kept.
        near = 1e-12 if found._complete else 0.05
        np.testing.assert_allclose(found.roc_auc().standard_error(), expected.roc_auc().standard_error(), rtol=near)


def test_names_and_text_are_quoted(engine, table):
    y, s = datasets(300)["tied"]
    names = {"y_true": "y`;--", "y_score": 'select "s"', "by": "art.größe"}
    label, group = "it's \\ \n'; --", "a' \"b"
    rows = table(
        **{
            names["y_true"]: np.where(y == 1, label, "no").tolist(),
            names["y_score"]: s,
            names["by"]: [group] * y.size,
        }
    )
    for most in (20, 1000):
        assert_same(th.scan(rows, **names, pos_label=label, max_points=most)[group], th.Scores(y, s), hull=most > 20)


MISSING = "`{}` must not be missing; got 1 NULL in 3 rows."


@pytest.mark.parametrize(
    "columns, message",
    [
        ({"y": [0, 1, None], "s": [0.1, 0.2, 0.3]}, MISSING.format("y_true")),
        ({"y": [0, 1, 1], "s": [1, None, 3]}, MISSING.format("y_score")),
        ({"y": [0, 1, 1], "s": [0.1, float("nan"), 0.3]}, "`y_score` must not be missing; got 1 NaN in 3 rows."),
        ({"y": [0.0, 1.0, float("nan")], "s": [1, 2, 3]}, "`y_true` must not be missing; got 1 NaN in 3 rows."),
        ({"y": [0, 1, 2], "s": [0.1, 0.2, 0.3]}, "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1;"),
        ({"y": [True, False, None], "s": [True, False, True]}, MISSING.format("y_true")),
        ({"y": [0, 1, 1], "s": [True, None, False]}, MISSING.format("y_score")),
        ({"y": [0, 1, 1], "s": [1, 2, 3], "w": [1, 2, -1]}, "`sample_weight` must not be negative; got -1 in 1 of 3"),
        ({"y": [0, 1, 1], "s": [1, 2, 3], "w": [1, 2, None]}, MISSING.format("sample_weight")),
        ({"y": [0, 1, 1], "s": [1, 2, 3], "w": [1.0, float("inf"), 1.0]}, "`sample_weight` must be finite; got 1 of 3"),
        ({"y": [0, 1, 1], "s": [1, 2, 3], "w": [1.0, float("nan"), 1.0]}, "`sample_weight` must be finite; got 1 of 3"),
        ({"y": [0, 1, 1], "s": [1, 2, 3], "w": [2**62] * 3}, "Counts must add up to less than 2**62; got "),
    ],
)
def test_what_is_wrong_is_counted_and_refused(engine, table, columns, message):
    if engine.name == "sqlite":  # a NaN is stored as NULL there
        for argument, name in {"y_score": "s", "y_true": "y", "sample_weight": "w"}.items():
            if any(value != value for value in columns.get(name, [])):
                message = MISSING.format(argument)
    with pytest.raises(th.InvalidInputError) as error:
        th.scan(table(**columns), **COLUMNS, sample_weight="w" if "w" in columns else None)
    assert str(error.value).startswith(message)


def test_nothing_is_left_behind(engine, table, monkeypatch):
    y, s = datasets(300)["continuous"]
    rows = table(y=y, s=s, g=np.where(np.arange(300) < 15, "few", "many").tolist())
    before, during = tables(engine), []
    whole = _session._Plain.fetch

    def fetch(self, expression):
        found = whole(self, expression)
        during.append(len(tables(engine)))
        if stop_at == len(during):
            raise th.ThresherError("stopped half-way")
        return found

    monkeypatch.setattr(_session._Plain, "fetch", fetch)
    stop_at = None
    th.scan(rows, **COLUMNS, by="g", max_points=20)
    assert max(during) > len(before)  # so that there was something to remove
    assert tables(engine) == before
    stop_at = len(during)
    during.clear()
    with pytest.raises(th.ThresherError, match="half-way"):
        th.scan(rows, **COLUMNS, by="g", max_points=20)
    assert tables(engine) == before


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_missing_operation_is_one_sentence(engine, table, monkeypatch):
    """An engine that says it has an operation for which Ibis then finds no words."""
    monkeypatch.setattr(_session, "_has", lambda backend, operation: True)
    y, s = datasets(300)["continuous"]
    rows = table(y=y, s=s)
    with pytest.raises(th.ThresherError) as error:
        th.scan(rows, **COLUMNS)
    assert str(error.value) == (
        'An engine must have the operations that counting needs; got sqlite, for which Ibis says: "Compilation rule '
        f"for 'IsNan' operation is not defined\". Hint: {INSTEAD}"
    )
    check_remedy(rows, th.Scores(y, s))


# Writing SQL takes seconds a dialect: the ordinary run writes one.
ONLY_WRITTEN = (
    *("bigquery", "athena", "clickhouse", "databricks", "druid", "exasol", "flink", "impala", "materialize"),
    *("mssql", "mysql", "oracle", "risingwave", "snowflake", "trino"),
)


@pytest.fixture(scope="module")
def questions():
    """Give every question of scans of all kinds in two forms: with all operations, and with as few as can be."""
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(1)
    y, s = datasets(300)["continuous"]
    columns = {"y": y, "s": s, "g": ["a", "b"] * 150, "few": rng.integers(0, 9, 300) << 40, "share": rng.random(300)}
    backend = ibis.duckdb.connect()
    backend.con.register("written", pa.table(columns))

    @cache
    def form(all_of_them):
        asked = []
        whole = _session._Plain.fetch

        def fetch(self, expression):
            asked.append(expression)
            return whole(self, expression)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_session, "_has", lambda backend, name: all_of_them)
            patch.setattr(_session._Plain, "fetch", fetch)
            for more in ({}, {"by": "g"}, {"sample_weight": "few"}, {"sample_weight": "share"}):
                scan_table(th.Scores, backend.table("written"), **COLUMNS, **more)
                with contextlib.suppress(SendRowsError):
                    scan_table(th.Scores, backend.table("written"), **COLUMNS, **more, max_points=20)
        assert len(asked) >= 12
        return [expression.unbind() for expression in asked]

    return form


@pytest.mark.parametrize("dialect", dear(ONLY_WRITTEN, 1))
def test_questions_can_be_written_for_engines_that_are_not_here(questions, dialect):
    from ibis.common.exceptions import OperationNotDefinedError

    for number, full in enumerate(questions(all_of_them=True)):
        try:
            text = ibis.to_sql(full, dialect=dialect)
        except OperationNotDefinedError:
            sparse = questions(all_of_them=False)
            assert len(sparse) == len(questions(all_of_them=True))
            text = ibis.to_sql(sparse[number], dialect=dialect)
        assert text.startswith(("SELECT", "WITH"))


@pytest.mark.parametrize("most", [4, 100])
def test_few_rows_keep_what_files_keep(engine, table, fetched, most):
    rng = np.random.default_rng(5)
    y = rng.random(3000) < 0.03
    s = np.round(rng.normal(size=y.size) + y, 3)
    found = th.scan(table(y=y.astype(np.int32), s=s), **COLUMNS, max_points=most)
    expected = th.scan(pa.table({"y": y, "s": s}), **COLUMNS, max_points=most)
    assert found == expected
    assert len(found) <= most
    if most == 4:
        with pytest.warns(th.ThresherWarning, match="only .* of the scores were kept"):
            found.pr_auc().standard_error()


def test_many_scores_are_sent(engine, table, fetched, monkeypatch):
    from thresher._read.sql import tables

    monkeypatch.setattr(tables, "_MOST_SENT", 0)
    rng = np.random.default_rng(6)
    y = rng.random(3000) < 0.1
    columns = {"y": y.astype(np.int32), "s": rng.normal(size=y.size) + y, "w": rng.integers(1, 5, y.size) / 2}
    there, here = table(**columns), pa.table(columns)
    for words in ({}, {"sample_weight": "w"}):
        assert th.scan(there, **COLUMNS, **words, max_points=100) == th.scan(here, **COLUMNS, **words, max_points=100)
