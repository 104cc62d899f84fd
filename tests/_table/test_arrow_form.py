"""Tables of counts as Arrow tables: nothing is lost, and sums that an engine makes are the sums of the tables."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import thresher as th


def rows(seed, n=400, **options):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return th.Scores(y, (rng.normal(size=n) + y).round(2), **options)


def tables():
    rng = np.random.default_rng(9)
    y = rng.random(3000) < 0.3
    s = rng.normal(size=3000) + y
    return {
        "plain": rows(1),
        "float32": th.Scores(y, s.astype(np.float32)),
        "integers": th.Scores(y, (10 * s).astype(np.int64)),
        "weighted": rows(2, sample_weight=rng.random(400)),
        "compressed": th.Scores(y, s).compress(100),
        "figures": th.scan(iter([(y, s)]), max_points=100),
        "one class": th.Scores([1, 1], [0.5, np.inf]),
    }


@pytest.mark.parametrize("name", tables())
def test_there_and_back(name):
    table = tables()[name]
    again = th.Scores.from_arrow(table.to_arrow())
    assert again == table
    assert again.thresholds.dtype == table.thresholds.dtype
    assert again._figures == table._figures
    if table._weight_squares is not None:
        assert again._weight_squares.rows == table._weight_squares.rows
        assert again._weight_squares.spans == table._weight_squares.spans


def test_rows_in_any_order_add_up():
    a, b = rows(3), rows(4)
    both = pa.concat_tables([a.to_arrow(), b.to_arrow()]).take(np.random.default_rng(0).permutation(len(a) + len(b)))
    assert th.Scores.from_arrow(both) == a + b


def test_ranges_add_up():
    a, b = (table.compress(30) for table in (rows(3), rows(4)))
    summed = th.Scores.from_arrow(pa.concat_tables([a.to_arrow(), b.to_arrow()]))
    assert summed == a + b
    assert summed.roc_auc().error_bound == (a + b).roc_auc().error_bound


def test_figures_go_with_their_rows_alone():
    table = tables()["figures"]
    changed = table.to_arrow().slice(5)  # keeps the metadata
    assert th.Scores.from_arrow(changed)._figures is None
    assert th.Scores.from_arrow(changed).roc_auc().error_bound > 0


def test_sums_as_engines_make_them():
    a, b = rows(3), rows(4)
    both = pa.concat_tables([a.to_arrow(), b.to_arrow()])
    wide = both.set_column(2, "pos", both["pos"].cast(pa.decimal128(38, 0)))
    assert th.Scores.from_arrow(wide) == a + b
    assert th.Scores.from_arrow(both.drop_columns(["highest"]).to_pandas()) == a + b


def test_whole_sums_in_doubles_are_counts_again():
    a = rows(3)
    table = a.to_arrow()
    for i, name in ((2, "pos"), (3, "neg")):
        table = table.set_column(i, name, table[name].cast(pa.float64()))
    again = th.Scores.from_arrow(table)
    assert again == a
    assert (again.pos.dtype, again.neg.dtype) == (np.int64, np.int64)


@pytest.mark.parametrize("values", [[0.5, 2.0, 1.0], [2.0**53, 1.0, 2.0], [2.0**54, 0.5, 1.0]])
@pytest.mark.parametrize("side", ["pos", "neg"])
def test_sums_that_are_no_counts_stay_sums(values, side):
    """Parts of rows, and numbers beyond those that a double counts."""
    columns = {"score": [3.0, 2.0, 1.0], "pos": [1.0, 2.0, 4.0], "neg": [2.0, 1.0, 3.0], side: values}
    found = th.Scores.from_arrow(pa.table(columns))
    assert (found.pos.dtype, found.neg.dtype) == (np.float64, np.float64)
    assert getattr(found, side).tolist() == values


@pytest.mark.parametrize("heavy", ["pos", "neg"])
def test_squares_of_one_class_are_kept_without_what_is_known(heavy):
    """Rows of the other class weigh 1, so that their squares are their sums; without metadata only columns tell."""
    y, s = np.array([1, 0, 1, 0, 1, 0], dtype=bool), np.array([6.0, 5, 4, 3, 2, 1])
    weighted = th.Scores(y, s, sample_weight=np.where(y == (heavy == "pos"), 3.0, 1.0))
    found = th.Scores.from_arrow(weighted.to_arrow().replace_schema_metadata(None))
    assert found._pos_squares.tolist() == weighted._pos_squares.tolist()
    assert found._neg_squares.tolist() == weighted._neg_squares.tolist()
    # Rows that all weigh 1 were counted, and are again.
    ones = pa.table({"score": s, "pos": y * 1.0, "neg": ~y * 1.0, "pos_squares": y * 1.0, "neg_squares": ~y * 1.0})
    assert th.Scores.from_arrow(ones) == th.Scores(y, s)
    assert th.Scores.from_arrow(ones)._weight_squares is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.drop_columns(["neg"]), "'neg' is missing. Hint: the columns are 'score', 'highest', 'pos'"),
        (
            lambda t: t.set_column(2, "pos", pa.nulls(len(t), pa.int64())),
            "'pos' of a table of counts must not be missi",
        ),
        (lambda t: t.set_column(2, "pos", pa.array(["x"] * len(t))), "'pos' of a table of counts must be numbers"),
        (lambda t: t.append_column("neg_squares", t["neg"]), "or neither; it has 'neg_squares' alone"),
        (lambda t: t.append_column("pos_squares", t["pos"]), "or neither; it has 'pos_squares' alone"),
        (lambda t: t.append_column("group", pa.array(np.arange(len(t)))), "must hold the counts of one group; got"),
        (lambda t: t.set_column(1, "highest", pa.array(np.full(len(t), -9.0))), "must not be below 'score'"),
        (lambda t: t.set_column(2, "pos", pa.array(np.full(len(t), -1))), "must not be negative|at least 0"),
    ],
)
def test_what_is_no_table_of_counts(change, said):
    with pytest.raises(th.ThresherError, match=said):
        th.Scores.from_arrow(change(rows(1).to_arrow()))
    with pytest.raises(th.InvalidTypeError, match="must be a pyarrow table or a frame"):
        th.Scores.from_arrow([1, 2])


def test_what_arrow_cannot_hold():
    with pytest.raises(th.InvalidInputError, match="Hint: use `save`, which keeps that"):
        rows(1, cluster=np.arange(400) // 2).to_arrow()
