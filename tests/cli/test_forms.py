"""Every form of a file is opened by the command and by `th.scan`, with the same answer: also one that is added."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

import thresher as th
from thresher._read.sources import batch_files, file_form
from thresher._read.sources.batch_files import BatchFile
from thresher._read.sources.file_form import FORMS, Form

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

ROWS = {"label": [1, 0, 1, 0, 1, 0], "score": [0.5, 0.25, 1.0, 0.5, 0.75, 0.125]}
LINES = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]


def by_pyarrow(module, write):
    def written(path):
        getattr(pytest.importorskip(f"pyarrow.{module}"), write)(pa.table(ROWS), str(path))

    return written


def archive():
    content = io.BytesIO()
    np.savez(content, **ROWS)
    return content.getvalue()


WRITERS = {
    "parquet": by_pyarrow("parquet", "write_table"),
    "arrow": by_pyarrow("feather", "write_feather"),
    "orc": by_pyarrow("orc", "write_table"),
    "text": lambda path: path.write_text(
        "label,score\n" + "".join(f"{y},{s}\n" for y, s in zip(*ROWS.values(), strict=True))
    ),
    "json lines": lambda path: path.write_text("\n".join(map(json.dumps, LINES))),
    "json": lambda path: path.write_text(json.dumps(LINES)),
    "npz": lambda path: path.write_bytes(archive()),
}


def check(thresher, path):
    scores = th.scan(path, y_true="label", y_score="score")
    assert scores == th.Scores(*ROWS.values())
    code, out, err = thresher("auc", str(path), "--format", "json")
    assert code == 0, err
    found = {row["area"]: row["value"] for row in json.loads(out)}
    assert found["roc_auc"] == scores.roc_auc().value
    assert found["interpolated"] == scores.pr_auc().value


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_both_open_it(thresher, tmp_path, form):
    for ending in (*form.endings, ""):
        path = tmp_path / f"rows{ending}"
        WRITERS[form.name](path)
        check(thresher, path)


def test_a_form_is_added_in_one_place(thresher, tmp_path, monkeypatch):
    class Pairs(BatchFile):
        form = "pairs"

        def _look(self):
            self.schema = pa.schema([("label", pa.int64()), ("score", pa.float64())])

        def _read(self, columns, scores):
            pairs = np.load(io.BytesIO(self.path.read_bytes()[5:]))
            yield pa.record_batch([pairs[0].astype(int), pairs[1]], schema=self.schema).select(columns)

    monkeypatch.setattr(file_form, "FORMS", (*FORMS, Form("pairs", (".pairs",), (b"pairs",))))
    monkeypatch.setitem(batch_files._CLASSES, "pairs", Pairs)
    content = io.BytesIO()
    np.save(content, np.array(list(ROWS.values())))
    for name in ("rows.pairs", "rows"):
        (tmp_path / name).write_bytes(b"pairs" + content.getvalue())
        check(thresher, tmp_path / name)
