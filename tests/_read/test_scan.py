from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher._read.scan import memory_bytes


def data(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int8)
    return y, rng.normal(size=n) + y


def parquet(path, **columns):
    pq.write_table(pa.table(columns), path)
    return path


def test_labels_and_pos_label(tmp_path):
    y, s = data()
    full = th.Scores(y, s)
    for labels in (y == 1, y.astype(np.float64), 2 * y.astype(np.int64) - 1, y.astype(np.uint64)):
        assert th.scan(parquet(tmp_path / "a.parquet", y=labels, s=s), y_true="y", y_score="s") == full
    text = np.where(y == 1, "bad", "good")
    for labels in (text, pa.array(text).dictionary_encode(), pd.Categorical(text)):
        path = parquet(tmp_path / "a.parquet", y=labels, s=s)
        assert th.scan(path, y_true="y", y_score="s", pos_label="bad") == full
    path = parquet(tmp_path / "a.parquet", y=y + 7, s=s)
    assert th.scan(path, y_true="y", y_score="s", pos_label=8) == full
    with pytest.warns(th.ThresherWarning) as caught:
        assert th.scan(path, y_true="y", y_score="s", pos_label=3).n_pos == 0
    assert str(caught[0].message) == (
        f"No row of `y_true` has the label `pos_label=3`, so every row is negative; the first label is {y[0] + 7}."
    )


def test_groups(tmp_path):
    y, s = data()
    rng = np.random.default_rng(1)
    site = rng.choice(["b", "a", "c"], y.size)
    path = parquet(tmp_path / "a.parquet", y=y, s=s, site=site, n=rng.integers(0, 3, y.size))
    found = th.scan(path, y_true="y", y_score="s", by="site")
    assert list(found) == ["a", "b", "c"]
    for name, scores in found.items():
        assert scores == th.Scores(y[site == name], s[site == name])
    numbered = th.scan(path, y_true="y", y_score="s", by="n")
    assert list(numbered) == [0, 1, 2]
    unknown = pa.array([None if k % 50 == 0 else value for k, value in enumerate(site)])
    some = th.scan(parquet(tmp_path / "b.parquet", y=y, s=s, g=unknown), y_true="y", y_score="s", by="g")
    assert list(some) == ["a", "b", "c", None]
    assert sum(scores.n_pos + scores.n_neg for scores in some.values()) == y.size
    assert some[None] == th.Scores(y[::50], s[::50])


def test_groups_larger_than_memory():
    rng = np.random.default_rng(2)
    n = 300_000
    y, s, g = rng.random(n) < 0.2, rng.normal(size=n), rng.integers(0, 5, n)
    w = rng.integers(1, 4, n)
    table = pa.table({"y": y, "s": s, "g": g, "w": w})
    for weight in (None, "w"):
        found = th.scan(
            iter(table.to_batches(10_000)), y_true="y", y_score="s", by="g", memory="1MiB", sample_weight=weight
        )
        for key, scores in found.items():
            mine = g == key
            own = None if weight is None else w[mine]
            assert scores == th.Scores(y[mine], s[mine], sample_weight=own)


def test_weights(tmp_path):
    y, s = data()
    rng = np.random.default_rng(3)
    for weight in (rng.integers(0, 5, y.size), rng.random(y.size)):
        path = parquet(tmp_path / "a.parquet", y=y, s=s, w=weight)
        found = th.scan(path, y_true="y", y_score="s", sample_weight="w")
        full = th.Scores(y, s, sample_weight=weight)
        assert found._weighted == full._weighted
        np.testing.assert_array_equal(found.thresholds, full.thresholds)
        np.testing.assert_allclose(found.pos, full.pos, rtol=1e-13)
        assert found.roc_auc().value == pytest.approx(full.roc_auc().value, rel=1e-13)
        assert th.scan(iter([(y, s, weight)]), sample_weight="w").n_pos == pytest.approx(full.n_pos, rel=1e-13)


def test_progress(tmp_path):
    y, s = data(300_000)
    seen = []
    th.scan(parquet(tmp_path / "a.parquet", y=y, s=s), y_true="y", y_score="s", progress=lambda *a: seen.append(a))
    assert seen[-1] == (300_000, 300_000)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    seen.clear()
    th.scan(iter([(y, s)]), progress=lambda *a: seen.append(a))
    assert seen == [(300_000, None)]


def test_compressed_result_is_the_same_for_any_memory():
    y, s = data(200_000)
    parts = [(y[i : i + 9000], s[i : i + 9000]) for i in range(0, y.size, 9000)]
    results = [
        th.scan(iter(order), max_points=1000, memory=memory)
        for order in (parts, parts[::-1])
        for memory in ("1MiB", "4MiB", "1GiB")
    ]
    assert all(result == results[0] for result in results)
    assert len(results[0]) <= 1000
    full = th.Scores(y, s)
    assert results[0].roc_auc().value == full.roc_auc().value
    assert results[0].pr_auc().value == pytest.approx(full.pr_auc().value, rel=1e-15)
    found, wanted = (scores.roc_auc().confidence_interval(method="delong-logit") for scores in (results[0], full))
    np.testing.assert_allclose(tuple(found), tuple(wanted), rtol=1e-12)


SIZES = {2**20: 2**20, "1MiB": 2**20, "2.5 GB": 25 * 10**8, "512mb": 512 * 10**6, "2000000": 2 * 10**6}


@pytest.mark.parametrize(("text", "size"), SIZES.items())
def test_memory(text, size):
    assert memory_bytes(text) == size


def refused(message, source=None, error=th.InvalidInputError, **options):
    y, s = data(50)
    with pytest.raises(error) as caught:
        th.scan(iter([(y, s)]) if source is None else source, **options)
    assert str(caught.value) == message


def test_messages_of_options():
    refused("`max_points` must be at least 2; got 1.", max_points=1)
    refused("`memory` must be at least 1,048,576 bytes; got 1,000. Hint: for example 256MiB.", memory=1000)
    refused(
        "`memory` must be bytes, or text with a unit; got '5 apples'. Hint: for example 512MB or 2GiB.",
        memory="5 apples",
    )
    refused("`memory` must be an integer; got 1.5 of type float.", memory=1.5, error=th.InvalidTypeError)
    refused(
        "`y_score` must be the name of a column, a list of names, or a dict of them; got 3.",
        y_score=3,
        error=th.InvalidTypeError,
    )
    refused(
        "`y_true` and `y_score` must be different columns; got 's' for both. Hint: the first holds labels, the second "
        "scores.",
        y_true="s",
        y_score="s",
    )
    refused(
        "`source` must be files, a dataset, a table, a lazy frame, a relation or batches; got a int. "
        "Hint: arrays in memory are counted by `th.Scores(y_true, y_score)`.",
        source=5,
        error=th.InvalidTypeError,
    )
    refused(
        "A batch must be a tuple of 2 arrays, labels first; got 3 of them. Hint: pyarrow record batches have names.",
        source=iter([([0, 1], [0, 1], [1, 1])]),
        error=th.InvalidTypeError,
    )
    refused(
        "A batch must be a tuple of arrays or a table with named columns; got a dict. "
        "Hint: for example `(labels, scores)`.",
        source=iter([{"y": 1}]),
        error=th.InvalidTypeError,
    )


def test_messages_of_data(tmp_path):
    y, s = data(50)
    missing = s.copy()
    missing[[3, 9]] = np.nan
    batches = [(y, s), (y, missing), (y, s), (y, missing)]
    refused(
        "`y_score` must not be missing; got 4 NaN in 200 rows, the first in row 53, counted from 0. Hint: remove those "
        "rows or give them a score; +inf and -inf are legal scores.",
        source=iter(batches),
    )
    nulls = pa.array([None if k == 5 else value for k, value in enumerate(missing)])
    path = parquet(tmp_path / "a.parquet", y=y, s=nulls)
    refused(
        "`y_score` must not be missing; got 2 NaN and 1 NULL in 50 rows, the first in row 3, counted from 0. Hint: "
        "remove those rows or give them a score; +inf and -inf are legal scores.",
        source=path,
        y_true="y",
        y_score="s",
    )
    path = parquet(tmp_path / "a.parquet", y=pa.array([None, *y[1:].tolist()]), s=s)
    refused(
        "`y_true` must not be missing; got 1 NULL in 50 rows, the first in row 0, counted from 0. "
        "Hint: remove those rows.",
        source=path,
        y_true="y",
        y_score="s",
    )
    refused(
        "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1; got 3 different labels: -1, 0, 1. "
        "Hint: say which label is positive, for example `pos_label=1`.",
        source=iter([([0, 1], [1, 2]), ([-1, 1], [1, 2])]),
    )
    refused(
        "`y_true` must hold the labels 0 and 1, False and True, or -1 and 1; got 2 different labels: 1, 2. "
        "Hint: say which label is positive, `pos_label=1` or `pos_label=2`.",
        source=iter([([2, 1], [1, 2])]),
    )
    refused(
        "`pos_label` must be of the labels' type; got 'yes' where `y_true` holds numbers such as 0.",
        source=iter([([0, 1], [1, 2])]),
        pos_label="yes",
        error=th.InvalidTypeError,
    )
    refused(
        "`y_score` must be real numbers; got text, 'high' in row 0, counted from 0. "
        "Hint: replace it by a number, or name another column.",
        source=parquet(tmp_path / "b.parquet", y=[0, 1], s=["high", "low"]),
        y_true="y",
        y_score="s",
        error=th.InvalidTypeError,
    )
    refused(
        "`y_true` and `y_score` must have the same length; got 2 and 3. Hint: they are columns of the same rows.",
        source=iter([([0, 1], [1, 2, 3])]),
    )
    refused("`source` must have rows; got 0. Hint: check filters and patterns.", source=iter([]))
    refused(
        "`y_score` must keep its digits as a double; got 1 of 2 rows that do not. "
        "Hint: cast the column to double if scores may tie that way.",
        source=pa.table({"y": [0, 1], "s": pa.array([Decimal(2**53 + 1), Decimal(1)], pa.decimal128(20, 1))}),
        y_true="y",
        y_score="s",
    )
    with pytest.raises(th.InvalidInputError, match="`y_score` must not contain missing values; got 1 of 2 rows"):
        th.scan(iter([([0, 1], np.ma.masked_array([1.0, 2.0], [True, False]))]))
    refused(
        "`sample_weight` must leave some weight in each class; got only zeros for the 1 positive rows. "
        "Hint: give them a weight above 0, or leave those rows out.",
        source=iter([([0, 1], [1, 2], [1, 0])]),
        sample_weight="w",
    )


def test_messages_of_files(tmp_path):
    y, s = data(50)
    path = parquet(tmp_path / "a.parquet", y=y, s=s)
    refused(
        f"`y_score` must name a column of '{path}'; got 'risk'. Hint: the columns are 'y', 's'.",
        source=path,
        y_true="y",
        y_score="risk",
    )
    refused(
        f"`source` must name a file that exists; got '{tmp_path}/b.parquet'. Hint: the working folder is "
        f"'{Path.cwd()}'.",
        source=tmp_path / "b.parquet",
    )
    refused(
        f"`source` must match at least one file; got '{tmp_path}/*.csv'. Hint: the working folder is '{Path.cwd()}'.",
        source=str(tmp_path / "*.csv"),
    )
    (tmp_path / "empty").mkdir()
    refused(
        f"`source` must hold files to read; the folder '{tmp_path}/empty' has none that end in .parquet, .pq, .arrow, "
        ".feather, .ipc, .csv. Hint: name the files, or give a pattern such as '*.parquet'.",
        source=tmp_path / "empty",
    )
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(th.InvalidInputError, match=r"cut\.parquet' cannot be read: .*Parquet magic bytes not found"):
        th.scan(cut, y_true="y", y_score="s")
    (tmp_path / "a.xyz").write_bytes(b"something")
    # Whatever has no other form is text, as for the command, and text has columns.
    refused(
        f"'{tmp_path}/a.xyz' must have at least two columns; its first line is 'something'. Hint: labels and scores "
        "stand side by side, separated by a comma, tab, semicolon or the like.",
        source=tmp_path / "a.xyz",
    )
    pq.write_table(pa.table({"y": y[:0], "s": s[:0]}), tmp_path / "none.parquet")
    refused(
        "`source` must have rows; got 0. Hint: check filters and patterns.",
        source=tmp_path / "none.parquet",
        y_true="y",
        y_score="s",
    )
    (tmp_path / "bad.csv").write_text("y,s\n1,0.5\n0,zero\n")
    refused(
        f"'{tmp_path}/bad.csv', column 's': must hold numbers only; row 1 holds 'zero'. Hint: replace it by a number, "
        "or name another column. Rows are counted from 0, without the header.",
        source=tmp_path / "bad.csv",
        y_true="y",
        y_score="s",
        error=th.InvalidTypeError,
    )
    (tmp_path / "huge.csv").write_text("y,s\n1,9007199254740993\n0,1\n")
    with pytest.raises(th.InvalidInputError, match=r"Whole scores in a CSV file must be below 2\*\*53 in magnitude"):
        th.scan(tmp_path / "huge.csv", y_true="y", y_score="s")
