"""One sentence for missing values, whoever found them: the columns of a file, or an engine."""

from __future__ import annotations

from functools import partial

import pytest

import thresher as th
from thresher._read.sources.source import missing_values
from thresher._read.sql.tables import scan_table


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"nan": 2, "null": 0}, "`y_score` must not be missing; got 2 NaN in 12,345 rows. Hint: remove "),
        (
            {"nan": 0, "null": 1},
            "`y_score` must not be missing; got 1 NULL in 12,345 rows. Hint: remove those rows or ",
        ),
        ({"nan": 3, "null": 1500}, "`y_score` must not be missing; got 3 NaN and 1,500 NULL in 12,345 rows. Hint: "),
        (
            {"nan": 1, "null": 0, "first": "row 7"},
            "`y_score` must not be missing; got 1 NaN in 12,345 rows, the first ",
        ),
    ],
)
def test_counts_and_kinds(counts, said):
    assert str(missing_values("y_score", 12_345, **counts)).startswith(said)


def test_every_argument_has_a_remedy():
    for name in ("y_true", "y_score", "sample_weight", "frequency", "cluster"):
        assert str(missing_values(name, 2, nan=0, null=1)).partition("Hint: ")[2]


# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
def test_files_and_engines_say_the_same(tmp_path, duck):
    """But for the first row, which an engine has no order for."""
    duckdb, pa, pq = (pytest.importorskip(name) for name in ("duckdb", "pyarrow", "pyarrow.parquet"))
    names = {"y_true": "y", "y_score": "s", "sample_weight": "w"}
    columns = {"y": [0, 1, 1, 0], "s": [0.5, None, float("nan"), None], "w": [1, 1, 1, 1]}
    for changed, name, found in (
        ({}, "y_score", "1 NaN and 2 NULL"),
        ({"s": [1.0] * 4, "y": [0, 1, None, 1]}, "y_true", "1 NULL"),
    ):
        table = pa.table(columns | changed)
        pq.write_table(table, tmp_path / "a.parquet")
        said = []
        for scan in (
            partial(th.scan, tmp_path / "a.parquet"),
            partial(th.scan, duckdb.from_arrow(table)),
            partial(scan_table, th.Scores, duck(**(columns | changed))),  # `th.scan` would take DuckDB's rows
        ):
            with pytest.raises(th.InvalidInputError) as error:
                scan(**names)
            said.append(str(error.value))
        first = ", the first in row "
        assert said[0] == said[1]
        assert said[0].startswith(f"`{name}` must not be missing; got {found} in 4 rows{first}")
        before, _, after = said[0].partition(first)
        assert said[2] == before + after[after.index(". Hint") :]
