"""The form of a file is found by its first bytes, then by its name, then by its first character."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pytest

import thresher as th
from thresher._read.sources.file_form import FOLDER_ENDINGS, find_form, form_by_name, is_packed, opened


def npz() -> bytes:
    out = io.BytesIO()
    np.savez(out, y=[0, 1])
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "form"),
    [
        ("a.csv", b"PAR1....", "parquet"),
        ("a", b"ARROW1\0\0", "arrow"),
        ("a.csv", b"\xff\xff\xff\xff\x10\0\0\0", "arrow"),
        ("a.txt", npz(), "npz"),
        ("a.npz", b"PK\x05\x06" + bytes(18), "npz"),
        ("PK.csv", b"PK,score\n1,0.5\n", "text"),
        ("PK", b"PK,score\n1,0.5\n", "text"),
        ("a.pq", b"no Parquet", "parquet"),
        ("a.feather", b"no Arrow", "arrow"),
        ("a.npz", b"no archive", "npz"),
        ("a.CSV", b"[0],1\n", "text"),
        ("a.ndjson", b"", "json lines"),
        ("a.json", b'{"y": 1}', "json"),
        ("a.rows", b'\xef\xbb\xbf \n{"y": 1}', "json lines"),
        ("rows", b'[{"y": 1}]', "json"),
        ("a.model", b"y,s\n1,2\n", "text"),
        ("", b"", "text"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_forms(tmp_path, name, data, form, packed):
    path = tmp_path / "any name"
    path.write_bytes(gzip.compress(data) if packed else data)
    assert is_packed(path) == packed
    with opened(path) as file:
        assert file.read() == data
    assert find_form(path, name + ".gz" * packed) == form
    assert find_form(path, name) == form  # packed or not is seen, not read off the name


def test_damaged_archives_are_known_by_their_names(tmp_path):
    for data in (b"\x1f\x8b", b"\x1f\x8b\x08\0\0", gzip.compress(b"y,s\n1,2\n")[:-12], b"\x1f\x8b" + b"?" * 40):
        (tmp_path / "x").write_bytes(data)
        assert find_form(tmp_path / "x", "a.jsonl.gz") == "json lines"
        assert find_form(tmp_path / "x", "a.gz") == "text"


def test_what_holds_no_rows(tmp_path):
    th.Scores([0, 1], [1, 2]).save(tmp_path / "a.csv")
    with pytest.raises(
        th.InvalidInputError, match=r"'a\.csv' is a file of counts\. Hint: read it with `th\.Scores\.load`"
    ):
        find_form(tmp_path / "a.csv", "a.csv")
    (tmp_path / "book").write_bytes(b"PK\x03\x04")
    for name in ("a.xlsx", "A.XLS", "a.ods"):
        with pytest.raises(th.InvalidInputError, match=r"it is a workbook .* Hint: save the sheet as CSV"):
            find_form(tmp_path / "book", name)
    with pytest.raises(th.InvalidInputError, match=r"'gone' cannot be read: No such file or directory\. Hint: "):
        find_form(tmp_path / "gone", "gone")


def test_names():
    found = [form_by_name(f"s3/x{ending}") for ending in (".parquet", ".csv.gz", ".IPC", ".zip", "")]
    assert [None if form is None else form.name for form in found] == [
        "parquet",
        "text",
        "arrow",
        None,
        None,
    ]
    assert len(set(FOLDER_ENDINGS)) == len(FOLDER_ENDINGS)
    assert all(form_by_name(f"x{ending}") is not None for ending in FOLDER_ENDINGS)
    assert ".json" not in FOLDER_ENDINGS  # it describes the other files more often than not
