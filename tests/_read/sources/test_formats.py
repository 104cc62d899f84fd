"""Files of every form hold the same rows."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import thresher as th


@pytest.fixture
def rows():
    rng = np.random.default_rng(2)
    y = (rng.random(300) < 0.3).astype(int)
    return y, (rng.normal(size=300) + y).round(3)


def written(y, s, delimiter, header=True):
    lines = [delimiter.join(("label", "risk"))] if header else []
    return "\n".join([*lines, *(f"{a}{delimiter}{b!r}" for a, b in zip(y.tolist(), s.tolist(), strict=True))]) + "\n"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "delimiter"),
    [("a.csv", ","), ("a.csv", ";"), ("a.txt", "|"), ("a.tsv", "\t"), ("a.dat", " "), ("a.psv", "|"), ("a.csv", "\t")],
)
def test_any_delimiter(tmp_path, rows, name, delimiter, packed):
    y, s = rows
    data = written(y, s, delimiter).encode()
    path = tmp_path / (name + ".gz" * packed)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert th.scan(path, y_true="label", y_score="risk") == th.Scores(y, s)


def test_without_a_header(tmp_path, rows):
    y, s = rows
    (tmp_path / "a.csv").write_text(written(y, s, ",", header=False))
    assert th.scan(tmp_path / "a.csv", y_true="column0", y_score="column1") == th.Scores(y, s)


def test_names_and_cells_in_quotes(tmp_path):
    (tmp_path / "a.csv").write_text('"the, label","the\nscore",note\n1,0.5,"a\nb"\n0,0.25,c\n')
    assert th.scan(tmp_path / "a.csv", y_true="the, label", y_score="the\nscore") == th.Scores([1, 0], [0.5, 0.25])


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson"])
def test_json_lines(tmp_path, rows, name):
    y, s = rows
    lines = [json.dumps({"label": a, "id": "x", "risk": b}) for a, b in zip(y.tolist(), s.tolist(), strict=True)]
    (tmp_path / name).write_text("\n".join(lines))
    assert th.scan(tmp_path / name, y_true="label", y_score="risk") == th.Scores(y, s)
    (tmp_path / name).write_text("\n".join([*lines, '{"label": 1}']))
    with pytest.raises(th.InvalidInputError, match="`y_score` must not be missing; got 1 NULL in 301 rows"):
        th.scan(tmp_path / name, y_true="label", y_score="risk")


def test_files_of_counts_and_workbooks(tmp_path):
    th.Scores([0, 1], [1, 2]).save(tmp_path / "a.scores")
    with pytest.raises(th.InvalidInputError, match=r"is a file of counts\. Hint: read it with `th\.Scores\.load`"):
        th.scan(tmp_path / "a.scores")
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(th.InvalidInputError, match=r"it is a workbook .* Hint: save the sheet as CSV"):
        th.scan(tmp_path / "a.xlsx")
