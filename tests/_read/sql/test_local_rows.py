"""A DuckDB of this process hands over its rows; the answers are those of the engine."""

from __future__ import annotations

import decimal

import ibis
import numpy as np
import polars as pl
import pytest

import thresher as th
from thresher._read.sql import scan_table
from thresher._read.sql.session import local_rows

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.usefixtures("python_tasks"),
]
NAMES = {"y_true": "y", "y_score": "s"}


@pytest.fixture
def columns():
    rng = np.random.default_rng(6)
    y = (rng.random(3000) < 0.3).astype(np.int64)
    return {"y": y, "s": (rng.normal(size=3000) + y).round(2), "g": rng.choice(["a", "b"], 3000), "w": y + 1.5}


def test_the_same_as_counted_inside(duck, columns):
    table = duck(**columns)
    for options in ({}, {"by": "g"}, {"max_points": 50}, {"sample_weight": "w"}):
        here, inside = th.scan(table, **NAMES, **options), scan_table(th.Scores, table, **NAMES, **options)
        if "by" in options:
            assert list(here) == list(inside)
            assert all(here[key] == inside[key] for key in here)
        else:
            assert here.roc_auc().value == pytest.approx(inside.roc_auc().value, rel=1e-14)
            assert here.n_pos == pytest.approx(inside.n_pos)


def test_rows_are_taken_from_duckdb_alone(duck, columns):
    table = duck(**columns)
    assert local_rows(table, NAMES) is not None
    assert local_rows(table, {**NAMES, "by": "absent"}) is None
    assert local_rows(table.mutate(s=table.s.cast("decimal(10, 2)")), NAMES) is None
    assert local_rows(ibis.polars.connect({"t": pl.DataFrame(columns)}).table("t"), NAMES) is None


def test_decimals_stay_in_the_engine(duck):
    table = duck(y=np.array([0, 1, 1]), s=np.array([1, 2, 3]))
    table = table.mutate(s=table.s.cast("decimal(10, 2)"))
    assert th.scan(table, **NAMES).thresholds.tolist() == [float(decimal.Decimal(k)) for k in (3, 2, 1)]
