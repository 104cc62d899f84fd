from __future__ import annotations

import zlib

import numpy as np
import pytest

import thresher as th
from thresher._table.scores_file import packed, unpacked


@pytest.mark.parametrize("rows", [0, 1, 7, 100_000])
def test_what_goes_in_comes_out(rows):
    rng = np.random.default_rng(rows)
    columns = [np.sort(rng.normal(size=rows))[::-1], rng.integers(0, 2, rows), rng.integers(0, 9, rows).astype(np.int8)]
    blocks, widths = [np.ascontiguousarray(c).tobytes() for c in columns], [c.itemsize for c in columns]
    data = packed(blocks, widths)
    assert unpacked(data, [rows] * 3, widths) == b"".join(blocks)
    if rows > 1000:
        assert len(data) < 7 * rows  # of 17 bytes a row


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"\x07" + data[1:],
        lambda data: data[:1] + (2**60).to_bytes(8, "little") + data[9:],
        lambda data: b"",
    ],
)
def test_damage_is_found(harm):
    data = packed([np.arange(50, dtype=np.int64).tobytes()], [8])
    with pytest.raises(ValueError, match=r"cut short|too long|damaged|another length"):
        unpacked(harm(data), [50], [8])


def test_a_block_that_would_become_huge():
    bomb = zlib.compress(b"\0" * 10_000_000)
    data = b"".join((b"\1", len(bomb).to_bytes(8, "little"), bomb))
    with pytest.raises(ValueError, match="another length"):
        unpacked(data, [10], [1])


@pytest.fixture
def tables():
    rng = np.random.default_rng(3)
    y = rng.random(20_000) < 0.2
    s = rng.normal(size=y.size) + y
    few = th.Scores(y[:300], s[:300].round(1), cluster=np.arange(300) // 3)
    batches = [(y, s)]
    return {
        "plain": th.Scores(y, s),
        "float32": th.Scores(y, s.astype(np.float32)),
        "weighted": th.Scores(y, s.round(2), sample_weight=rng.random(y.size)),
        "clusters": few,
        "compressed": th.Scores(y, s).compress(500),
        "figures": th.scan(iter(batches), max_points=300),
        "extended": th.Scores(y[:50], s[:50].astype(np.longdouble)),
    }


def test_files(tmp_path, tables):
    for name, table in tables.items():
        table.save(tmp_path / "plain.scores")
        table.save(tmp_path / "packed.scores", compressed=True)
        again = th.Scores.load(tmp_path / "packed.scores")
        assert again == table, name
        assert again.thresholds.dtype == table.thresholds.dtype
        small, large = ((tmp_path / f"{kind}.scores").stat().st_size for kind in ("packed", "plain"))
        assert small < large or len(table) < 100


def test_a_damaged_file(tmp_path, tables):
    path = tmp_path / "a.scores"
    tables["plain"].save(path, compressed=True)
    data = bytearray(path.read_bytes())
    for at in (30, len(data) // 2, len(data) - 40):
        harmed = data.copy()
        harmed[at] ^= 1
        path.write_bytes(harmed)
        with pytest.raises(th.InvalidInputError, match=r"damaged|version"):
            th.Scores.load(path)


def test_smaller_than_the_rows_as_parquet(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng = np.random.default_rng(1)
    y = (rng.random(200_000) < 0.2).astype(np.int8)
    s = rng.normal(size=y.size) + y
    pq.write_table(pa.table({"y": y, "s": s}), tmp_path / "rows.parquet")
    th.Scores(y, s).save(tmp_path / "counts.scores", compressed=True)
    assert (tmp_path / "counts.scores").stat().st_size < (tmp_path / "rows.parquet").stat().st_size
