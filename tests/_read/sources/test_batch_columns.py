"""Batches of columns become labels, scores and weights, or one sentence with the row."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

import thresher as th
from thresher._read.sources.batch_columns import Reader, common_type

pa = pytest.importorskip("pyarrow")

NAMES = {"y_true": "y", "y_score": "s"}


def read(*batches, names=NAMES, **options):
    """Read batches given as dicts of columns; return all rows."""
    reader = Reader(names, **options)
    found = [reader.read(pa.record_batch(batch)) for batch in batches]
    reader.finish()
    return found


def said(*batches, names=NAMES, error=th.InvalidInputError, **options):
    with pytest.raises(error) as raised:
        read(*batches, names=names, **options)
    return str(raised.value)


LABELS = {
    "int8": pa.array([0, 1, 1], pa.int8()),
    "uint8": pa.array([0, 1, 1], pa.uint8()),
    "int64": pa.array([0, 1, 1]),
    "double": pa.array([0.0, 1.0, 1.0]),
    "signs": pa.array([-1, 1, 1]),
    "signs of a byte": pa.array([-1, 1, 1], pa.int8()),
    "bool": pa.array([False, True, True]),
    "decimal": pa.array([Decimal("0.0"), Decimal("1.0"), Decimal("1.0")]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_type(kind):
    scores = pa.array([0.5, 0.25, 1.0])
    (rows,) = read({"y": LABELS[kind], "s": scores})
    assert rows.positive.dtype == np.bool_
    assert (rows.positive.tolist(), rows.scores.tolist(), rows.size) == ([False, True, True], [0.5, 0.25, 1.0], 3)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "double"])
def test_labels_of_several_batches_must_agree(kind):
    def batch(*labels):
        return {"y": pa.array(labels).cast(LABELS[kind].type), "s": pa.array([0.5] * len(labels))}

    assert [rows.positive.tolist() for rows in read(batch(1, 1), batch(0, 1), batch(1, 0))] == [
        [True, True],
        [False, True],
        [True, False],
    ]
    listed = "0.0, 1.0, 2.0" if kind == "double" else "0, 1, 2"
    assert f"got 3 different labels: {listed}" in said(batch(0, 1), batch(2, 1))
    if kind != "uint8":
        assert [rows.positive.tolist() for rows in read(batch(-1, 1), batch(1, -1))] == [[False, True], [True, False]]
        listed = "-1.0, 0.0, 1.0" if kind == "double" else "-1, 0, 1"
        for batches in ([batch(0, 1), batch(-1, 1)], [batch(-1, 1), batch(0, 1)], [batch(-1, 0, 1)]):
            assert listed in said(*batches)


def test_a_positive_label():
    batch = {"y": ["a", "b", "a"], "s": [1, 2, 3]}
    assert read(batch, pos_label="a")[0].positive.tolist() == [True, False, True]
    assert read({"y": [3, 4, 3], "s": [1, 2, 3]}, pos_label=3)[0].positive.tolist() == [True, False, True]
    with pytest.warns(th.ThresherWarning, match=r"No row of `y_true` has the label `pos_label='c'`.* label is 'a'"):
        read(batch, pos_label="c")
    assert "got 2 different labels: 'a', 'b'" in said(batch)
    assert "`pos_label` must be of the labels' type; got 1" in said(batch, pos_label=1, error=th.InvalidTypeError)


def test_scores_keep_the_first_type_or_refuse():
    batch = {"y": [0, 1], "s": pa.array([1, 2], pa.int32())}
    wider = {"y": [0, 1], "s": pa.array([0.5, 0.25])}
    assert read(batch)[0].scores.dtype == np.int32
    assert read(wider, batch)[1].scores.dtype == np.float64
    assert "one type in all batches; got int32 first and float64 later" in said(batch, wider, error=th.InvalidTypeError)
    assert read({"y": [0, 1], "s": [True, False]})[0].scores.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (pa.array(["0.5", "high"]), "`y_score` must be real numbers; got text, 'high' in row 1, counted from 0."),
        (pa.array([[1], [2]]), "`y_score` must be machine numbers, text or truth values; got list"),
        (pa.array([{"a": 1}, {"a": 2}]), "`y_score` must be machine numbers, text or truth values; got struct"),
        (pa.array([1, 2], pa.timestamp("s")), "`y_score` must be real numbers; got type datetime64[s]"),
    ],
)
def test_scores_that_are_no_numbers(column, text):
    assert said({"y": [0, 1], "s": column}, error=th.InvalidTypeError).startswith(text)


def test_decimals_keep_their_digits():
    fine = pa.array([Decimal("0.70"), Decimal("0.10")])
    assert read({"y": [0, 1], "s": fine})[0].scores.tolist() == [0.7, 0.1]
    long = pa.array([Decimal(2**53 + 1), Decimal(1)], pa.decimal128(20, 1))
    assert "got 1 of 2 rows that do not" in said({"y": [0, 1], "s": long})


def test_missing_values_are_counted_over_all_batches():
    """NaN and NULL apart, with the first row of the batch in which the first one is."""
    good = {"y": [0, 1], "s": [0.5, 0.25]}
    bad = {"y": [0, 1, 0], "s": [0.5, None, float("nan")]}
    assert said(good, bad, good, bad) == (
        "`y_score` must not be missing; got 2 NaN and 2 NULL in 10 rows, the first in row 3, counted from 0. Hint: "
        "remove those rows or give them a score; +inf and -inf are legal scores."
    )
    assert said({"y": pa.array([1, None]), "s": [1, 2]}).startswith(
        "`y_true` must not be missing; got 1 NULL in 2 rows"
    )


def test_weights_times_and_clusters():
    names = NAMES | {"sample_weight": "w", "frequency": "n", "cluster": "c"}
    batch = {"y": [0, 1], "s": [0.5, 0.25], "w": [0.5, 2.0], "n": [3, 1], "c": ["p", "q"]}
    (rows,) = read(batch, names=names)
    assert (rows.weight.tolist(), rows.times.tolist(), rows.clusters.tolist()) == ([0.5, 2.0], [3, 1], ["p", "q"])
    mixed = said(batch, batch | {"w": [1, 2]}, names=names, error=th.InvalidTypeError)
    assert mixed.startswith("`sample_weight` must have one type in all batches")
    late = said(batch, batch | {"w": [1.0, -1.0]}, names=names)
    assert "row 3" in late  # counted over all batches


def test_rows_are_counted_file_by_file():
    reader = Reader(NAMES)
    good, bad = (pa.record_batch({"y": [0, 1], "s": s}) for s in ([0.5, 0.25], ["1", "x"]))
    reader.read(good, "a.csv")
    reader.read(good, "b.csv")
    with pytest.raises(th.InvalidTypeError, match=r"^In 'b\.csv': .* 'x' in row 3, counted from 0"):
        reader.read(bad, "b.csv")


def test_tuples_of_arrays_and_empty_batches():
    reader = Reader(NAMES)
    assert reader.read(pa.record_batch({"y": pa.array([], pa.int8()), "s": pa.array([], pa.float64())})) is None
    rows = reader.read(([0, 1], [0.5, 0.25]))
    assert rows.positive.tolist() == [False, True]
    with pytest.raises(th.InvalidInputError, match="`source` must have rows; got 0"):
        Reader(NAMES).finish()


@pytest.mark.parametrize(
    ("types", "common"),
    [
        (["int8", "uint8"], "int16"),
        (["int32", "float32"], "float64"),
        (["int64", "float64"], None),
        (["uint64", "int64"], None),
        (["float16", "float32"], "float32"),
        (["int32", "float64"], "float64"),
        (["uint8"], "uint8"),
    ],
)
def test_types_that_hold_all_values(types, common):
    found = common_type([np.dtype(kind) for kind in types])
    assert found == (None if common is None else np.dtype(common))
