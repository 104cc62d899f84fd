"""Counts of many groups in one Parquet file, read back by us and added up by DuckDB."""

from __future__ import annotations

import io

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th


@pytest.fixture
def days():
    rng = np.random.default_rng(5)
    out = {}
    for day in ("mon", "tue", None):
        y = rng.random(500) < 0.3
        out[day] = th.Scores(y, (rng.normal(size=500) + y).round(2))
    return out


def test_there_and_back(tmp_path, days):
    th.save_counts(days, tmp_path / "days.parquet")
    assert th.load_counts(tmp_path / "days.parquet") == days
    for day, scores in days.items():
        assert th.load_counts(tmp_path / "days.parquet", group=day) == scores
    th.save_counts(days["mon"], tmp_path / "one.parquet")
    assert th.load_counts(tmp_path / "one.parquet") == {None: days["mon"]}
    numbers = dict(enumerate(days.values()))
    th.save_counts(numbers, tmp_path / "numbers.parquet")
    assert th.load_counts(tmp_path / "numbers.parquet") == numbers


def test_figures_and_weights_are_kept(tmp_path, days):
    rng = np.random.default_rng(6)
    y = rng.random(3000) < 0.3
    s = rng.normal(size=3000) + y
    tables = {"few": th.scan(iter([(y, s)]), max_points=50), "all": days["mon"]}
    tables["weighted"] = th.Scores(y[:100], s[:100], sample_weight=rng.random(100))
    th.save_counts(tables, tmp_path / "a.parquet")
    again = th.load_counts(tmp_path / "a.parquet")
    assert again == tables
    assert again["few"].roc_auc().value == th.Scores(y, s).roc_auc().value
    assert again["all"]._weight_squares is None
    assert th.load_counts(tmp_path / "a.parquet", group="few")._figures == tables["few"]._figures


def test_an_engine_adds_them_up(tmp_path, days):
    th.save_counts(days, tmp_path / "days.parquet")
    found = duckdb.read_parquet(str(tmp_path / "days.parquet")).filter('"group" IS NOT NULL')
    summed = found.aggregate("score, sum(pos) AS pos, sum(neg) AS neg", "score")
    summed.write_parquet(str(tmp_path / "week.parquet"))
    (week,) = th.load_counts(tmp_path / "week.parquet").values()
    assert week == days["mon"] + days["tue"]


def test_smaller_than_the_rows(tmp_path):
    rng = np.random.default_rng(7)
    y = (rng.random(100_000) < 0.3).astype(np.int8)
    s = rng.normal(size=y.size) + y
    pq.write_table(pa.table({"y": y, "s": s}), tmp_path / "rows.parquet")
    th.save_counts(th.Scores(y, s), tmp_path / "counts.parquet")
    sizes = [(tmp_path / f"{name}.parquet").stat().st_size for name in ("counts", "rows")]
    assert sizes[0] < 1.6 * sizes[1]  # `highest` repeats `score`


def test_messages(tmp_path, days):
    th.save_counts(days, tmp_path / "days.parquet")
    with pytest.raises(th.InvalidInputError, match="`group` must be one of the file's groups; got 'sun', which has no"):
        th.load_counts(tmp_path / "days.parquet", group="sun")
    days["mon"].save(tmp_path / "a.scores")
    with pytest.raises(th.InvalidInputError, match=r"Cannot read .*`\.scores` files are read by `th\.Scores\.load`"):
        th.load_counts(tmp_path / "a.scores")
    with pytest.raises(
        th.InvalidTypeError, match="`tables` must be Scores, or a mapping of groups to Scores; got a list"
    ):
        th.save_counts([days["mon"]], tmp_path / "b.parquet")
    with pytest.raises(th.InvalidInputError, match="at least one group; got none"):
        th.save_counts({}, tmp_path / "b.parquet")


def test_groups_of_several_columns(tmp_path, days):
    given = {("north", 1): days["mon"], ("north", 2): days["tue"], ("south", None): days[None]}
    th.save_counts(given, tmp_path / "a.parquet", by=["site", "week"])
    assert pq.read_schema(tmp_path / "a.parquet").names == ["site", "week", "score", "pos", "neg"]
    assert th.load_counts(tmp_path / "a.parquet") == given
    assert th.load_counts(tmp_path / "a.parquet", group=("north", 2)) == days["tue"]
    assert th.load_counts(tmp_path / "a.parquet", group=("south", None)) == days[None]
    with pytest.raises(th.InvalidInputError, match="must be a tuple of the values of 'site', 'week'"):
        th.load_counts(tmp_path / "a.parquet", group="north")
    th.save_counts(given, tmp_path / "b.parquet")
    assert pq.read_schema(tmp_path / "b.parquet").names[:2] == ["group_1", "group_2"]


def test_columns_that_are_no_counts_are_never_pooled(tmp_path, days):
    table = pa.table({"score": [1.0, 1.0], "pos": [1, 2], "neg": [0, 3], "country": ["de", "fr"]})
    pq.write_table(table, tmp_path / "a.parquet")
    found = th.load_counts(tmp_path / "a.parquet")
    assert {key: (one.n_pos, one.n_neg) for key, one in found.items()} == {"de": (1, 0), "fr": (2, 3)}


@pytest.mark.parametrize("by", [["score"], ["a", "a"], ["a", "b", "c"]])
def test_names_of_groups_are_checked(tmp_path, days, by):
    with pytest.raises(th.InvalidInputError, match="`by` must"):
        th.save_counts({("a", "b"): days["mon"]}, tmp_path / "a.parquet", by=by)


def test_folders_patterns_lists_and_open_files(tmp_path, days):
    for day, scores in days.items():
        th.save_counts({"site": scores}, tmp_path / f"{day}.parquet")
    whole = {"site": days["mon"] + days["tue"] + days[None]}
    assert th.load_counts(tmp_path) == whole
    assert th.load_counts(f"{tmp_path}/*.parquet") == whole
    assert th.load_counts([tmp_path / f"{day}.parquet" for day in days]) == whole
    with (tmp_path / "mon.parquet").open("rb") as one, (tmp_path / "tue.parquet").open("rb") as other:
        assert th.load_counts([one, other]) == {"site": days["mon"] + days["tue"]}
    file = io.BytesIO()
    th.save_counts(days, file)
    file.seek(0)
    assert th.load_counts(file) == days


def test_addresses(days):
    pytest.importorskip("fsspec")
    th.save_counts(days, "memory://counts/a/one.parquet")
    th.save_counts(days, "memory://counts/b/two.parquet")
    assert th.load_counts("memory://counts/a/one.parquet", group="tue") == days["tue"]
    doubled = {day: one + one for day, one in days.items()}
    assert th.load_counts("memory://counts") == th.load_counts("memory://counts/*/*.parquet") == doubled
    days["mon"].save("memory://counts/mon.scores")
    assert th.Scores.load("memory://counts/mon.scores") == days["mon"]
    with pytest.raises(th.InvalidInputError, match=r"Cannot read 'memory://counts/absent\.scores'"):
        th.Scores.load("memory://counts/absent.scores")


def continuous(rng, n):
    return rng.normal(size=n)


def hundredths(rng, n):
    return rng.normal(size=n).round(2)


def probabilities(rng, n):
    return rng.beta(1, 20, n).round(4)


def single(rng, n):
    return rng.normal(size=n).astype(np.float32)


@pytest.mark.parametrize("make", [continuous, hundredths, probabilities, single])
def test_no_larger_than_the_rows(tmp_path, make):
    rng = np.random.default_rng(8)
    rows, tables = [], {}
    for day in range(10):
        y, s = rng.random(5000) < 0.1, make(rng, 5000)
        rows.append(pa.table({"day": np.full(5000, day), "label": y, "score": s}))
        tables[day] = th.Scores(y, s)
    pq.write_table(pa.concat_tables(rows), tmp_path / "rows.parquet")
    th.save_counts(tables, tmp_path / "counts.parquet")
    assert (tmp_path / "counts.parquet").stat().st_size < (tmp_path / "rows.parquet").stat().st_size
    assert th.load_counts(tmp_path / "counts.parquet") == tables
