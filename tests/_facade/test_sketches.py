"""A sketch for every key: each is the sketch of its rows, in any batches; files; mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


def _rows(n: int = 6000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    y = rng.random(n) < 0.3
    return rng.choice(["a", "b", "c"], n), y, rng.normal(size=n) + y


def test_each_key_is_the_sketch_of_its_rows() -> None:
    key, y, s = _rows()
    both = th.Sketches(200)
    alone = {name: th.Sketch(200) for name in "abc"}
    for rows in np.array_split(np.arange(y.size), 5):
        both.update(key[rows], y[rows], s[rows])
        for name, sketch in alone.items():
            mine = rows[key[rows] == name]
            sketch.update(y[mine], s[mine])
    assert set(both) == set(alone)
    assert all(both[name].to_scores() == sketch.to_scores() for name, sketch in alone.items())
    assert both.max_points == 200
    assert repr(both) == f"Sketches: 3 keys in {sum(map(len, both.values())):,} rows, at most 200 for each"


@pytest.mark.parametrize("looked_at", [False, True])
def test_rows_that_wait_change_nothing(looked_at) -> None:
    """Few rows of a key, then more than it keeps, then another type of scores, whenever somebody looks."""
    rng = np.random.default_rng(5)
    both, alone = th.Sketches(40), {}
    for step, size in enumerate([30, 50, 200, 7, 400, 60]):
        key, y = rng.zipf(1.5, size) % 9, rng.random(size) < 0.3
        s = rng.integers(0, 30, size) if step == 4 else rng.normal(size=size).round(1)
        both.update(key, y, s)
        for name in dict.fromkeys(key.tolist()):
            alone.setdefault(name, th.Sketch(40)).update(y[key == name], s[key == name])
        y[:], s[:] = False, 0
        if looked_at:
            assert both[0].to_scores() == alone[0].to_scores()
    assert list(both) == list(alone)
    assert not both[1].exact
    assert both.to_scores() == {name: sketch.to_scores() for name, sketch in alone.items()}


def test_weights_labels_and_merging() -> None:
    key, y, s = _rows(300)
    w = np.random.default_rng(1).integers(1, 4, 300)
    one, two = th.Sketches(400), th.Sketches(500)
    one.update(key[:150], np.where(y, "bad", "ok")[:150], s[:150], pos_label="bad", frequency=w[:150])
    two.update(key[150:], y[150:], s[150:], frequency=w[150:])
    both = one + two
    assert both.max_points == 500
    for name in "abc":
        mine = key == name
        assert both[name].to_scores() == th.Scores(y[mine], s[mine], frequency=w[mine])
    weighted = th.Sketches(400)
    weighted.update(key, y, s, sample_weight=w / 2)
    assert weighted["a"].to_scores() == th.Scores(y[key == "a"], s[key == "a"], sample_weight=w[key == "a"] / 2)
    assert one.__add__(3) is NotImplemented


def test_a_file_keeps_the_cells(tmp_path) -> None:
    key, y, s = _rows()
    sketches = th.Sketches(60)
    sketches.update(key, y, s)
    sketches.save(tmp_path / "a.parquet")
    again = th.Sketches.load(tmp_path / "a.parquet", 60)
    assert again.to_scores() == sketches.to_scores()
    assert not again["a"].exact
    th.save_counts(th.Scores(y, s), tmp_path / "one.parquet")
    assert list(th.Sketches.load(tmp_path / "one.parquet", 100)) == [None]


def test_numbers_as_keys() -> None:
    sketches = th.Sketches(50)
    assert not sketches
    sketches.update([7, 3, 7], [0, 1, 1], [1, 2, 3])
    assert list(sketches) == [7, 3]


def test_mistakes() -> None:
    sketches = th.Sketches(50)
    with pytest.raises(th.InvalidInputError, match="same length"):
        sketches.update(["a"], [0, 1], [1, 2])
    with pytest.raises(th.InvalidTypeError, match="mapping"):
        sketches.merge(th.Sketch(50))
    with pytest.raises(th.InvalidInputError, match="max_points"):
        th.Sketches(3)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"y_score": [0.1, 0.2, np.nan]}, "NaN in 1 of 3 rows, first at row 2"),
        ({"y_score": [0.1, 0.2, 0.3], "sample_weight": [1, 1, -1]}, "-1 in 1 of 3 rows, first at row 2"),
    ],
)
def test_a_bad_row_changes_no_sketch(bad, message):
    sketches = th.Sketches(100)
    with pytest.raises(th.InvalidInputError, match=message):
        sketches.update(["a", "a", "b"], [0, 1, 1], **bad)
    assert list(sketches) == []
