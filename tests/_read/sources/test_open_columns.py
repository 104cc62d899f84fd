"""One door for files of every form, by name or as a stream: the same columns behind it."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher._read.sources import open_columns

pytest.importorskip("duckdb")

ROWS = {"label": [1, 0, 1], "score": [0.5, 0.25, 1.0]}


def forms():
    pa = pytest.importorskip("pyarrow")
    table, lines = pa.table(ROWS), [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    text = "\n".join(["label,score", *(f"{y},{s}" for y, s in zip(*ROWS.values(), strict=True))])
    out = {
        "text": text.encode(),
        "json": json.dumps(lines).encode(),
        "lines": "\n".join(map(json.dumps, lines)).encode(),
    }
    for name, write in (
        ("npz", lambda file: np.savez(file, **ROWS)),
        ("parquet", lambda file: pytest.importorskip("pyarrow.parquet").write_table(table, file)),
        ("feather", lambda file: pytest.importorskip("pyarrow.feather").write_feather(table, file)),
    ):
        file = io.BytesIO()
        write(file)
        out[name] = file.getvalue()
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return out | {"arrow stream": stream.getvalue(), "packed": gzip.compress(out["text"])}


def test_every_form_without_a_name(tmp_path):
    for form, data in forms().items():
        (tmp_path / "rows").write_bytes(data)
        for file in (io.BytesIO(data), str(tmp_path / "rows")):
            with open_columns(file, "rows") as columns:
                assert columns.names == ["label", "score"], form
                assert columns.kinds(columns.names) == {"label": "whole", "score": "real"}, form
                found = columns.fetch(columns.names, numbers=["score"])
            assert {name: array.tolist() for name, array in found.items()} == ROWS, form


def test_every_form_is_scanned_as_it_is_looked_at(tmp_path):
    for form, data in forms().items():
        (tmp_path / "rows").write_bytes(data)
        assert th.scan(tmp_path / "rows", y_true="label", y_score="score") == th.Scores(*ROWS.values()), form


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "'mine' must have at least one row; it is empty."),
        (b"a,b,a\n1,2,3\n", "'mine' must name its columns differently; 'a' occurs twice. Hint: rename one."),
        (b"ARROW1\0\0nothing", "'mine' cannot be read: "),
        (b"PAR1nothing", "'mine' cannot be read: "),
        (b"PK\x03\x04nothing", "'mine' must be an NPZ file of plain arrays: "),
    ],
)
def test_damage(data, said):
    with pytest.raises(th.InvalidInputError) as error, open_columns(io.BytesIO(data), "mine"):
        pass
    assert str(error.value).startswith(said)
    assert tempfile.gettempdir() not in str(error.value)


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with open_columns(io.BytesIO(forms()["parquet"]), "mine") as columns:
        assert list(Path(tmp_path).iterdir())
        columns.fetch(["score"], numbers=["score"])
    assert list(tmp_path.iterdir()) == []
