"""The command and `th.scan` read the same files, of every form, to the same counts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher.cli import main

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

LABELS, SCORES = [0, 1, 1, 0, 1], [0.1, 0.9, 0.35, 0.4, 1e-3]


def _text(path: Path, delimiter: str) -> None:
    rows = [delimiter.join(("y", "s")), *(f"{y}{delimiter}{s!r}" for y, s in zip(LABELS, SCORES, strict=True))]
    path.write_text("\n".join(rows) + "\n")


def _write(path: Path) -> None:
    table = pa.table({"y": LABELS, "s": SCORES})
    if path.name == "semicolon.csv":
        _text(path, ";")
    elif path.name == "bar.txt":
        _text(path, "|")
    elif path.name == "tab.tsv":
        _text(path, "\t")
    elif path.name in ("packed.csv.gz", "packed.csv"):
        _text(path, ",")
        path.write_bytes(gzip.compress(path.read_bytes()))
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in table.to_pylist()))
    elif path.suffix == ".json":
        path.write_text(json.dumps(table.to_pylist(), indent=1))
    elif path.name == "text-without-ending":
        _text(path, ",")
    elif path.suffix == ".npz":
        np.savez(path, y=LABELS, s=SCORES)
    elif path.suffix == ".feather":
        pytest.importorskip("pyarrow.feather").write_feather(table, path)
    else:
        pytest.importorskip("pyarrow.parquet").write_table(table, path)


@pytest.mark.some(6)
@pytest.mark.parametrize(
    "name",
    [
        "semicolon.csv",
        "bar.txt",
        "tab.tsv",
        "packed.csv.gz",
        "packed.csv",
        "text-without-ending",
        "a.jsonl",
        "a.json",
        "a.npz",
        "a.feather",
        "a.parquet",
        "no-ending",
    ],
)
def test_counts_are_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    _write(path)
    assert main(["count", str(path), "--y-true", "y", "--y-score", "s", "-o", str(tmp_path / "a.scores")]) == 0
    expected = th.Scores(LABELS, SCORES)
    assert th.Scores.load(tmp_path / "a.scores") == expected
    assert th.scan(path, y_true="y", y_score="s") == expected
