"""What columns must be, what is said when they are not, and that names are only names."""

import datetime as dt
import decimal

import numpy as np
import pytest

import thresher as th
from support.thorough import dear
from thresher._read.sql.tables import scan_table

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.usefixtures("python_tasks"),
]


def scan(table, **options):
    return scan_table(th.Scores, table, **{"y_true": "y", "y_score": "s", **options})


def message(table, kind=th.InvalidInputError, **options):
    with pytest.raises(kind) as error:
        scan(table, **options)
    return str(error.value)


NAMES = ['y"; drop table rows; --', "select", "größe 'π' `x`", "a.b", "%s {} \\", "y;"]


@pytest.mark.some(1)
@pytest.mark.parametrize("first", dear(range(len(NAMES)), 2))
def test_names_are_only_names(duck, duckdb_backend, first):
    y_true, y_score, weight, group = (NAMES[(first + k) % len(NAMES)] for k in range(4))
    rng = np.random.default_rng(first)
    y, s, w = rng.random(40) < 0.5, rng.normal(size=40), rng.integers(1, 4, 40)
    table = duck('rows"; drop table x; --', **{y_true: y, y_score: s, weight: w, group: ["'; --"] * 40})
    before = duckdb_backend.con.execute("from duckdb_views()").fetchall()
    for most, words in ((5, {}), (100, {"sample_weight": weight})):
        found = scan(table, y_true=y_true, y_score=y_score, **words, by=group, max_points=most)
        assert list(found) == ["'; --"]
        assert found["'; --"].roc_auc().value == th.Scores(y, s, sample_weight=w if words else None).roc_auc().value
    assert duckdb_backend.con.execute("from duckdb_views()").fetchall() == before


@pytest.mark.parametrize(
    "labels, pos_label",
    [
        ([0, 1, 1, 0], None),
        ([False, True, True, False], None),
        ([-1, 1, 1, -1], None),
        ([0.0, 1.0, 1.0, 0.0], None),
        (["no", "o'yes\\; --", "o'yes\\; --", "no"], "o'yes\\; --"),
        ([2, 7, 7, 3], 7),
        ([False, True, True, False], True),
        ([dt.date(2020, 1, 1), dt.date(2021, 1, 1), dt.date(2021, 1, 1), dt.date(2022, 1, 1)], dt.date(2021, 1, 1)),
    ],
)
def test_labels(duck, labels, pos_label):
    found = scan(duck(y=labels, s=[0.1, 0.9, 0.4, 0.4]), pos_label=pos_label)
    assert found == th.Scores([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.4])


def test_decimals_become_doubles_if_they_can(duck):
    numbers = [decimal.Decimal(text) for text in ("0.10", "0.90", "-3.25", "0.90")]
    assert scan(duck(y=[0, 1, 0, 0], s=numbers)) == th.Scores([0, 1, 0, 0], [0.1, 0.9, -3.25, 0.9])
    wide = [decimal.Decimal("0.10000000000000000001"), decimal.Decimal("0.5")]
    assert message(duck(y=[0, 1], s=wide)) == (
        "`y_score` must keep its digits as a double; got 1 of 2 rows that do not. "
        "Hint: cast the column to double in the engine if scores may tie that way."
    )


def test_a_missing_column_lists_the_columns(duck):
    table = duck(y=[0, 1], s=[0.1, 0.2])
    assert message(table, y_score="score") == (
        "`y_score` must name a column; got 'score'. Hint: the columns are 'y', 's'."
    )
    assert message(table, by="g") == "`by` must name a column; got 'g'. Hint: the columns are 'y', 's'."


@pytest.mark.parametrize(
    "columns, said",
    [
        ({"s": [0.5, None, 0.1]}, "`y_score` must not be missing; got 1 NULL in 3 rows."),
        ({"y": [None, 1, None]}, "`y_true` must not be missing; got 2 NULL in 3 rows."),
        ({"w": [1, None, 1]}, "`sample_weight` must not be missing; got 1 NULL in 3 rows."),
        ({"s": [0.5, float("nan"), float("nan")]}, "`y_score` must not be missing; got 2 NaN in 3 rows."),
        ({"y": [0.0, 1.0, float("nan")]}, "`y_true` must not be missing; got 1 NaN in 3 rows."),
        ({"w": [1.0, float("inf"), 1.0]}, "`sample_weight` must be finite; got 1 of 3 rows that are not."),
        ({"w": [1, -2, 1]}, "`sample_weight` must not be negative; got -2 in 1 of 3 rows."),
        (
            {"w": [1, 0, 0]},
            "`sample_weight` must leave some weight in each class; got only zeros for the 2 positive rows.",
        ),
        ({"w": [2**61, 2**61, 2**61]}, "Counts must add up to less than 2**62; got 4611686018427387904 positives."),
    ],
)
def test_values_are_refused_with_their_number(duck, columns, said):
    table = duck(**{"y": [0, 1, 1], "s": [0.1, 0.2, 0.3], "w": [1, 1, 1], "g": ["a", "a", "b"], **columns})
    text = message(table, sample_weight="w", by="g")
    assert text.startswith(said + " Hint: ")


def test_labels_that_need_a_positive_one(duck):
    assert message(duck(y=[1, 2, 2], s=[0.1, 0.2, 0.3])) == (
        "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1; got 2 different labels: 1, 2. "
        "Hint: say which label is positive, `pos_label=1` or `pos_label=2`."
    )
    assert message(duck(y=["a", "b", "b"], s=[0.1, 0.2, 0.3])).endswith("`pos_label='a'` or `pos_label='b'`.")
    assert message(duck(y=["a", "b", "b"], s=[0.1, 0.2, 0.3]), th.InvalidTypeError, pos_label=1) == (
        "`pos_label` must be of the labels' type; got 1 where column 'y' holds string."
    )


def test_a_label_that_no_row_has(duck):
    table = duck(y=["a", "b"], s=[0.1, 0.2])
    with pytest.warns(th.ThresherWarning) as said:
        found = scan(table, pos_label="c")
    assert found.n_pos == 0
    assert str(said[0].message) == "No row of `y_true` has the label `pos_label='c'`, so every row is negative."


def test_types_are_refused(duck):
    assert message(duck(y=[0, 1], s=["a", "b"]), th.InvalidTypeError) == (
        "`y_score` must be real numbers; got string in column 's'. Hint: convert the column to numbers first."
    )
    assert message(duck(y=[0, 1], s=[1, 2], w=["a", "b"]), th.InvalidTypeError, sample_weight="w") == (
        "`sample_weight` must be numbers; got string in column 'w'."
    )


def test_no_rows(duck):
    table = duck(y=[0, 1], s=[0.1, 0.2])
    assert message(table.filter(table.s > 1)) == (
        "The table must not be empty; got 0 rows. Hint: give at least one row."
    )
