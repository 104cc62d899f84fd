"""Files that are damaged, locked, oversized or of a kind the command cannot use: one sentence, and never a crash."""

from __future__ import annotations

import contextlib
import decimal
import gzip
import json
import os
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import thresher as th
from support.thorough import dear
from thresher.cli import main

ROWS = 200


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Run the command on a file and return its one line of complaint."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        code = main(["auc", *words])
        text = capsys.readouterr().err
        assert code == 1, text
        assert "defect" not in text, text
        assert text.count("\n") == 1, text
        return text

    return run


def _table() -> pa.Table:
    rng = np.random.default_rng(0)
    names = pa.array([f"case {i}" * (i % 5) for i in range(ROWS)])
    labels = pa.array([("no", "yes")[i % 2] for i in range(ROWS)]).dictionary_encode()
    return pa.table({"label": labels, "score": rng.random(ROWS), "name": names})


# Whole numbers that doubles round into ties


@pytest.mark.parametrize("beside", [[], [0.5]])
def test_whole_scores_beyond_doubles_are_refused_in_csv(tmp_path, said, beside):
    base = 2**53 if beside else 2**63
    rows = "".join(f"{i % 2},{base + i}\n" for i in range(8)) + "".join(f"1,{x}\n" for x in beside)
    (tmp_path / "x.csv").write_text("label,s\n" + rows)
    assert f"row 0 holds {base}. Hint: write whole numbers below 2**63" in said("x.csv")


def test_whole_scores_of_64_bits_are_exact_in_csv(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("label,s\n" + "".join(f"{i % 2},{2**62 + i}\n" for i in range(8)))
    assert main(["auc", "x.csv", "--format", "json"]) == 0
    found = {row["area"]: row["value"] for row in json.loads(capsys.readouterr().out)}
    assert found["roc_auc"] == 0.625


@pytest.mark.parametrize("beside", [[], [0.5]])
def test_whole_scores_beyond_doubles_are_refused_in_json(tmp_path, said, beside):
    base = 2**53 if beside else 2**64
    rows = [{"label": i % 2, "s": base + i} for i in range(8)] + [{"label": 1, "s": x} for x in beside]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "must hold numbers that are exact" in said("x.jsonl")


def test_decimals_that_doubles_round_are_refused(tmp_path, said):
    digits = [decimal.Decimal(f"0.1234567890123456789{i}") for i in range(4)]
    pyarrow.parquet.write_table(pa.table({"label": [0, 1, 0, 1], "s": digits}), tmp_path / "x.parquet")
    assert "row 0 holds 0.12345678901234567890" in said("x.parquet")


# Arrow and Feather


@pytest.mark.parametrize(("framed", "step"), dear([(True, 1201), (False, 1193), (True, 293), (False, 293)], 2))
def test_a_damaged_arrow_file_is_refused_or_read_but_never_crashes(tmp_path, monkeypatch, capsys, framed, step):
    """Every 8 bytes of the buffers in turn, with values that send an offset or an index far away."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "x.arrow"
    with pa.OSFile(str(place), "wb") as sink:
        make = pa.ipc.new_file if framed else pa.ipc.new_stream
        with make(sink, _table().schema) as writer:
            writer.write_table(_table())
    whole = place.read_bytes()
    refused = 0
    for at in range(0, len(whole), step):
        damaged = bytearray(whole)
        damaged[at : at + 4] = b"\xff\xff\xff\x7f"
        place.write_bytes(bytes(damaged))
        code = main(["auc", "x.arrow", "--y-true", "label", "--y-score", "score", "--pos-label", "yes"])
        error = capsys.readouterr().err
        assert code in (0, 1)
        assert "defect" not in error, (at, error)
        refused += code
        with contextlib.suppress(th.ThresherError):
            th.scan(place, y_true="label", y_score="score", pos_label="yes")
    assert refused > 1


def test_a_scan_of_a_file_that_is_cut_short_meanwhile(tmp_path):
    place = tmp_path / "x.arrow"
    schema = pa.schema({"y": pa.int8(), "s": pa.float64()})
    with pa.OSFile(str(place), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for seed in range(40):
            rng = np.random.default_rng(seed)
            columns = [pa.array(rng.integers(0, 2, 50_000).astype(np.int8)), pa.array(rng.random(50_000))]
            writer.write_batch(pa.record_batch(columns, schema=schema))

    def cut(done: int, total: int | None) -> None:
        os.truncate(place, 4096)

    with pytest.raises(th.InvalidInputError, match=r"cannot be read: .*Hint: is it complete"):
        th.scan(place, y_true="y", y_score="s", progress=cut)


# Archives


def test_a_zip_file_that_is_no_npz(tmp_path, said):
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("notes.txt", "hello")
    assert "must be an NPZ file of plain arrays: 'notes.txt' in it is no array." in said("x.npz")


def test_archives_and_other_packings_are_named(tmp_path, said):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("rows.csv", "label,s\n0,1\n1,2\n")
        archive.writestr("more.csv", "label,s\n0,1\n1,2\n")
    assert "it is a zip archive, of rows.csv and 1 more. Hint: unpack it first" in said("x.zip")
    for name, data in (("zstd", b"\x28\xb5\x2f\xfd"), ("bzip2", b"BZh91AY"), ("xz", b"\xfd7zXZ\x00")):
        (tmp_path / "x.csv").write_bytes(data + bytes(50))
        assert f"it is compressed by {name}. Hint: unpack it first, for example with `{name} -d`" in said("x.csv")


def test_a_zip_archive_of_arrays_is_read_whatever_its_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.savez(tmp_path / "x.npz", label=[0, 1, 1, 0], s=[0.0, 1.0, 2.0, 1.5])
    (tmp_path / "x.npz").rename(tmp_path / "x.zip")
    assert main(["auc", "x.zip"]) == 0
    assert "0.7500" in capsys.readouterr().out


def test_a_packed_file_is_as_large_as_it_unpacks(tmp_path, monkeypatch):
    """What is small packed and large unpacked is counted batch by batch, as a large file is."""
    from thresher.cli import _read

    line = b"1,0.5\n0,0.25\n"
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as file:
        file.write(b"label,score\n" + line * 400_000)
    assert (tmp_path / "bomb.csv.gz").stat().st_size < 2**16
    monkeypatch.setattr(_read, "_LARGE", 2**22)
    assert _read.is_streamed(str(tmp_path / "bomb.csv.gz"))
    with gzip.open(tmp_path / "small.csv.gz", "wb") as file:
        file.write(b"label,score\n" + line * 400)
    assert not _read.is_streamed(str(tmp_path / "small.csv.gz"))


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")  # noqa: PTH110  # a device
def test_a_stream_without_rows_or_end(said, monkeypatch, tmp_path):
    from thresher._read.sources import file_form

    assert "its first 1,048,576 bytes are zeros" in said("/dev/zero")
    free = type("Usage", (), {"free": 2**22})
    monkeypatch.setattr(file_form.shutil, "disk_usage", lambda _: free)
    assert "it has more than 2,097,152 bytes. Hint: write it to a file" in said("/dev/urandom")


def test_an_encrypted_npz(tmp_path, said):
    np.savez(tmp_path / "x.npz", label=[0, 1], s=[0.0, 1.0])
    data = bytearray((tmp_path / "x.npz").read_bytes())
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        data[at + 8] |= 1
        at = data.find(b"PK\x01\x02", at + 1)
    (tmp_path / "x.npz").write_bytes(bytes(data))
    assert "'label.npy' in it is encrypted" in said("x.npz")


def test_an_npz_larger_than_the_memory(tmp_path, said, monkeypatch):
    monkeypatch.setattr("thresher._read.sources.named_columns._memory", lambda: 1000)
    np.savez_compressed(tmp_path / "x.npz", label=np.zeros(10_000), s=np.zeros(10_000))
    assert "bytes unpacked, more than this machine's memory" in said("x.npz")


def test_complex_and_nested_labels(tmp_path, said):
    np.savez(tmp_path / "x.npz", label=np.array([1j, 0, 1j, 0]), s=np.arange(4.0))
    assert "labels must hold numbers, text or truth values; got 1j" in said(
        "x.npz", "--y-true", "label", "--y-score", "s"
    )
    for nested in ([{"a": 1}, {"a": 0}], [[1], [0]]):
        pyarrow.parquet.write_table(pa.table({"label": nested, "s": [1.0, 2.0]}), tmp_path / "x.parquet")
        assert "labels must hold numbers, text or truth values" in said(
            "x.parquet", "--y-true", "label", "--y-score", "s"
        )
        with pytest.raises(th.InvalidTypeError, match="must be machine numbers, text or truth values; got"):
            th.scan(tmp_path / "x.parquet", y_true="label", y_score="s")


@pytest.mark.parametrize("kept", [20, -30])
def test_damaged_gzip(tmp_path, said, kept):
    packed = gzip.compress(b"label,s\n" + os.urandom(2000).hex().encode() + b"\n" * 10)
    (tmp_path / "x.csv.gz").write_bytes(packed[:kept])
    assert "cannot be read: " in said("x.csv.gz")


# Text


def test_long_cells(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for size in (140_000, 5_000_000):
        (tmp_path / "x.csv").write_text('label,s,note\n0,1,"' + "x" * size + '"\n1,2,y\n0,1,z\n1,3,z\n')
        assert main(["auc", "x.csv", "--y-true", "label", "--y-score", "s", "--format", "json"]) == 0
        capsys.readouterr()


def test_a_quote_that_never_ends(tmp_path, said):
    (tmp_path / "x.csv").write_text('label,s\n"0,1\n' + "1,2\n" * 1_500_000)
    words = said("x.csv")
    assert "first one is longer" in words or "quote that does not end" in words


def test_thousands_of_columns_must_be_named(tmp_path, said):
    names = ",".join(f"c{i}" for i in range(2000))
    (tmp_path / "x.csv").write_text(f"{names}\n" + (",".join("01" * 1000) + "\n") * 3)
    assert "has 2,000 columns, too many to look for labels and scores among them" in said("x.csv")


def test_nothing_is_no_file():
    with pytest.raises(th.InvalidInputError, match=r"`source` must name a file; got ''\. Hint: '\.'"):
        th.scan("", y_true="y", y_score="s")


def test_a_file_of_scores_is_known_by_its_beginning():
    with pytest.raises(th.InvalidInputError, match=r"must be a file written by `Scores\.save`"):
        th.Scores.load("/dev/zero")
