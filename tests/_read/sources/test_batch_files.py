"""Files in batches: the columns asked for, numbers that stay different, and damage that is told."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import thresher as th
from thresher._read.sources.batch_files import batch_file

pa = pytest.importorskip("pyarrow")


def read(path, columns=("y", "s"), score="s"):
    file = batch_file(path)
    return pa.Table.from_batches(list(file.batches(columns, [score]))).to_pydict()


def test_parquet_knows_its_rows_beforehand(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"y": [0, 1], "s": [0.5, 0.25], "z": ["a", "b"]}), tmp_path / "a")
    file = batch_file(tmp_path / "a")
    assert (file.rows, file.schema.names, str(file.score_type("s"))) == (2, ["y", "s", "z"], "double")
    assert read(tmp_path / "a", ["s"]) == {"s": [0.5, 0.25]}


@pytest.mark.parametrize("framed", [True, False])
def test_arrow_in_batches_and_as_a_table(tmp_path, framed):
    table = pa.table({"y": [0, 1, 1], "s": pa.array([1, 2, 3], pa.int16())})
    with (pa.ipc.new_file if framed else pa.ipc.new_stream)(str(tmp_path / "a"), table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    assert read(tmp_path / "a") == table.to_pydict()
    assert batch_file(tmp_path / "a", "a").table() == table


def test_text_scores_are_doubles_whatever_the_first_rows_look_like(tmp_path):
    rows = "".join(f"{i % 2},{i}\n" for i in range(200_000))
    (tmp_path / "a.csv").write_text(f"y,s\n{rows}1,0.5\n")
    file = batch_file(tmp_path / "a.csv")
    assert str(file.schema.field("s").type) == "int64"
    assert str(file.score_type("s")) == "double"
    assert read(tmp_path / "a.csv")["s"][-2:] == [199_999.0, 0.5]
    assert str(file.score_type("y")) == "double"


def test_packed_text_is_known_by_its_bytes(tmp_path):
    for name, data in (("a.csv", gzip.compress(b"y,s\n1,0.5\n")), ("a.csv.gz", b"y,s\n1,0.5\n")):
        (tmp_path / name).write_bytes(data)
        assert read(tmp_path / name) == {"y": [1], "s": [0.5]}
    (tmp_path / "a.jsonl").write_bytes(gzip.compress(b'{"y": 1, "s": 0.5}\n'))
    assert read(tmp_path / "a.jsonl") == {"y": [1], "s": [0.5]}


@pytest.mark.parametrize("beside", [[], [0.5]])
def test_whole_numbers_beyond_doubles(tmp_path, beside):
    """As the command refuses them: read as doubles some would be equal."""
    scores = [2**53, 2**53 + 1, *beside]
    rows = [{"y": i % 2, "s": s} for i, s in enumerate(scores)]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "a.csv").write_text("y,s\n" + "".join(f"{row['y']},{row['s']}\n" for row in rows))
    for name in ("a.json", "a.jsonl"):
        if beside:
            with pytest.raises(th.InvalidInputError, match=r"or others become equal to them; one is 9007199254740992"):
                read(tmp_path / name)
        else:
            assert read(tmp_path / name)["s"] == scores
    with pytest.raises(th.InvalidInputError, match=r"below 2\*\*53 in magnitude; got 9007199254740992 in .*a\.csv"):
        read(tmp_path / "a.csv")


def test_large_doubles_of_text_are_read(tmp_path):
    (tmp_path / "a.csv").write_text("y,s\n1,1e300\n0,2.5e17\n1,inf\n0,-inf\n")
    assert read(tmp_path / "a.csv")["s"] == [1e300, 2.5e17, np.inf, -np.inf]


def test_lists_of_objects(tmp_path):
    rows = [{"y": 1, "s": 0.5, "note": "x"}, {"y": 0, "s": 0.25}, {"s": 1, "y": 1}]
    (tmp_path / "a[1].json").write_text(json.dumps(rows, indent=2))  # a name that is a pattern elsewhere
    assert read(tmp_path / "a[1].json") == {"y": [1, 0, 1], "s": [0.5, 0.25, 1.0]}
    assert th.scan([tmp_path / "a[1].json"], y_true="y", y_score="s") == th.Scores([1, 0, 1], [0.5, 0.25, 1.0])


def test_arrays(tmp_path):
    np.savez(tmp_path / "a.npz", y=[0, 1], s=[0.5, 0.25], name=["a", "b"], c=[1j, 2j])
    file = batch_file(tmp_path / "a.npz")
    assert (file.rows, file.schema.names) == (2, ["y", "s", "name", "c"])
    assert read(tmp_path / "a.npz", ["name", "y"]) == {"name": ["a", "b"], "y": [0, 1]}
    with pytest.raises(
        th.InvalidInputError, match=r"a\.npz' cannot be read: .*complex|a\.npz' cannot be read: .*Unsupported"
    ):
        read(tmp_path / "a.npz", ["c"])


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.jsonl", "a.json", "a.npz", "a.csv.gz"])
def test_damage_is_one_sentence(tmp_path, name):
    for data in (b"\x00\x01\x02" * 50, gzip.compress(b"y,s\n1,2\n")[:-9]):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(th.InvalidInputError) as error:
            read(tmp_path / name)
        assert "\n" not in str(error.value)
        assert ". Hint: " in str(error.value)


@pytest.fixture
def orc(tmp_path):
    orc = pytest.importorskip("pyarrow.orc")
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.3
    table = pa.table(
        {"label": y, "a": rng.normal(size=5000) + y, "b": rng.normal(size=5000).astype(np.float32), "t": ["x"] * 5000}
    )
    orc.write_table(table, tmp_path / "rows.orc", stripe_size=1 << 12)
    return tmp_path / "rows.orc", table


def test_orc_by_its_bytes_and_its_name(orc, tmp_path):
    path, table = orc
    file = batch_file(path)
    assert (file.rows, file.names) == (5000, ["label", "a", "b", "t"])
    plain = path.rename(tmp_path / "rows")
    expected = th.Scores(table["label"].to_numpy(zero_copy_only=False), table["a"].to_numpy())
    assert th.scan(plain, y_true="label", y_score="a") == expected
    assert th.scan(plain, y_true="label", y_score=["a", "b"])["a"] == expected
    plain.rename(path)
    assert (
        th.scan(tmp_path, y_true="label", y_score="a")
        == th.scan(path.as_uri(), y_true="label", y_score="a")
        == expected
    )
    kept = th.scan(path, y_true="label", y_score="a", filter=pa.compute.field("a") > 0)
    assert kept.n_pos == int((table["label"].to_numpy(zero_copy_only=False) & (table["a"].to_numpy() > 0)).sum())


def test_damaged_orc_is_told(orc):
    path, _ = orc
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(th.InvalidInputError, match=r"rows\.orc' cannot be read"):
        th.scan(path, y_true="label", y_score="a")


def test_the_command_reads_orc(orc, capsys):
    from thresher.cli import main

    path, table = orc
    assert main(["auc", str(path), "--y-true", "label", "--y-score", "a", "--format", "json"]) == 0
    expected = th.Scores(table["label"].to_numpy(zero_copy_only=False), table["a"].to_numpy()).roc_auc().value
    assert str(expected)[:8] in capsys.readouterr().out
