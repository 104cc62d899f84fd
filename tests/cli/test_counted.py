"""Files of counts, folders, patterns and large files: the answers of the rows themselves."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher.cli import _read


@pytest.fixture
def data():
    rng = np.random.default_rng(8)
    y = (rng.random(600) < 0.3).astype(int)
    return {"label": y, "a": (rng.normal(size=600) + y).round(2), "b": (rng.normal(size=600) + 2 * y).round(2)}


def areas(ran):
    assert ran.code == 0, ran.err
    return {(row["model"], row.get("group"), row["area"]): row["value"] for row in json.loads(ran.out)}


@pytest.fixture
def parts(folder, data):
    """The rows in three files, with a folder that says which."""
    for part in range(3):
        rows = {name: column[part::3] for name, column in data.items()}
        place = folder / "rows" / f"part={part}"
        place.mkdir(parents=True)
        pq.write_table(pa.table(rows), place / "x.parquet")
    (folder / "rows" / "_temporary").mkdir()
    pq.write_table(pa.table(data), folder / "rows" / "_temporary" / "x.parquet")
    return folder / "rows"


@pytest.mark.some(1)
@pytest.mark.parametrize("source", ["rows", "rows/*/x.parquet"])
def test_folders_and_patterns(thresher, parts, data, source):
    found = areas(thresher("auc", source, "--format", "json"))
    for name in ("a", "b"):
        assert found[name, None, "roc_auc"] == th.Scores(data["label"], data[name]).roc_auc().value
    grouped = areas(thresher("auc", source, "--y-score", "a", "--group", "part", "--format", "json"))
    for part in range(3):
        own = th.Scores(data["label"][part::3], data["a"][part::3])
        assert grouped["a", str(part), "roc_auc"] == own.roc_auc().value


def test_large_files_are_not_loaded(thresher, folder, data, monkeypatch):
    pq.write_table(pa.table(data), folder / "all.parquet")
    loaded = thresher("auc", "all.parquet", "--format", "json")
    monkeypatch.setattr(_read, "_LARGE", 100)
    monkeypatch.setattr("thresher._read.sources.table_columns.TableColumns.fetch", None)  # whoever loads rows fails
    assert thresher("auc", "all.parquet", "--format", "json") == loaded
    assert thresher("threshold", "all.parquet", "--y-score", "a", "--min-recall", "0.8").code == 0
    ran = thresher("report", "all.parquet", "-o", "all.html")
    assert ran.code == 0, ran.err
    assert "note: the models are not compared" in ran.err


def test_labels_of_streamed_files(thresher, folder, data, monkeypatch):
    monkeypatch.setattr(_read, "_LARGE", 100)
    text = np.where(data["label"] == 1, "ill", "well")
    pq.write_table(pa.table({"label": text, "a": data["a"]}), folder / "text.parquet")
    found = areas(thresher("auc", "text.parquet", "--pos-label", "ill", "--format", "json"))
    assert found["a", None, "roc_auc"] == th.Scores(data["label"], data["a"]).roc_auc().value
    ran = thresher("auc", "text.parquet", "--pos-label", "sick")
    assert (ran.code, ran.err) == (
        1,
        "thresher: --pos-label must be one of the labels; got 'sick', which no row of 'text.parquet' has.\n",
    )
    pq.write_table(pa.table({"label": data["label"] + 1, "a": data["a"]}), folder / "two.parquet")
    found = areas(thresher("auc", "two.parquet", "--pos-label", "2", "--format", "json"))
    assert found["a", None, "roc_auc"] == th.Scores(data["label"], data["a"]).roc_auc().value


def test_counts_are_inputs_everywhere(thresher, folder, data):
    pq.write_table(pa.table(data), folder / "all.parquet")
    scores = th.Scores(data["label"], data["a"])
    assert thresher("count", "all.parquet", "--y-score", "a", "-o", "site.scores").code == 0
    found = areas(thresher("auc", "site.scores", "--format", "json"))
    assert found["site", None, "roc_auc"] == scores.roc_auc().value
    for words in (
        ["threshold", "site.scores", "--min-recall", "0.8"],
        ["threshold", "site.scores", "--tuning", "site2.scores"],
        ["curve", "site.scores", "-o", "curve.csv"],
        ["report", "site.scores", "-o", "site.html"],
        ["count", "site.scores", "--min-count", "5", "-o", "small.scores"],
    ):
        th.Scores(data["label"][::2], data["a"][::2]).save("site2.scores")
        ran = thresher(*words)
        assert ran.code == 0, (words, ran.err)
    assert th.Scores.load("small.scores") == scores.compress(min_count=5)
    ran = thresher("auc", "site.scores", "--y-score", "a", "--group", "g")
    assert (ran.code, ran.err) == (
        1,
        "thresher: 'site.scores' must be a file of rows where columns are named; it holds counts, which have none. "
        "Hint: leave out --y-score, --group.\n",
    )
    ran = thresher("compare", "site.scores")
    assert ran.code == 1
    assert "'site.scores' must hold rows for this; it is a file of counts. Hint: give the file it was" in ran.err


def test_max_points(thresher, folder, data):
    pq.write_table(pa.table(data), folder / "all.parquet")
    ran = thresher("count", "all.parquet", "--y-score", "a", "--max-points", "20", "-o", "few.scores")
    assert ran.code == 0, ran.err
    few, full = th.Scores.load("few.scores"), th.Scores(data["label"], data["a"])
    assert len(few) <= 20
    assert few.roc_auc().value == full.roc_auc().value


def test_models_below_one_another(thresher, folder, data, monkeypatch):
    rows = [f"{m},{y},{s}" for m in ("b", "a") for y, s in zip(data["label"], data[m], strict=True)]
    (folder / "tidy.csv").write_text("model,label,score\n" + "\n".join(rows) + "\n")
    ran = thresher("auc", "tidy.csv")
    assert (ran.code, ran.err) == (
        1,
        "thresher: 'tidy.csv' must have one model in a column of scores; the values of 'model' ('a', 'b') have the "
        "same number of rows each, as models below one another have. Hint: --model-column model takes them apart; "
        "--y-score score takes all rows for one model.\n",
    )
    found = areas(thresher("auc", "tidy.csv", "--model-column", "model", "--format", "json"))
    for name in ("a", "b"):
        assert found[name, None, "roc_auc"] == th.Scores(data["label"], data[name]).roc_auc().value
    assert thresher("auc", "tidy.csv", "--y-score", "score").code == 0
    ran = thresher("compare", "tidy.csv", "--model-column", "model", "--format", "json")
    assert ran.code == 0, ran.err
    monkeypatch.setattr(_read, "_LARGE", 100)
    assert areas(thresher("auc", "tidy.csv", "--model-column", "model", "--format", "json")) == found


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n" + "".join(f"{i % 2},{i / 7:.3f}\n" for i in range(30)),
        ",label,score\n" + "".join(f"{i},{i % 2},{i / 7:.3f}\n" for i in range(30)),
        "Unnamed: 0,label,score\n" + "".join(f"{i},{i % 2},{i / 7:.3f}\n" for i in range(30)),
    ],
    ids=["numbers for names", "row numbers", "row numbers read back"],
)
def test_as_pandas_writes_them(thresher, folder, text):
    (folder / "a.csv").write_text(text)
    wanted = th.Scores([i % 2 for i in range(30)], [float(f"{i / 7:.3f}") for i in range(30)])
    (value,) = {value for key, value in areas(thresher("auc", "a.csv", "--format", "json")).items() if "roc_auc" in key}
    assert value == wanted.roc_auc().value


def test_a_workbook(thresher, folder):
    (folder / "a.xlsx").write_bytes(b"PK\x03\x04")
    ran = thresher("auc", "a.xlsx")
    assert ran.code == 1
    assert "'a.xlsx' must be a plain table; it is a workbook of a spreadsheet program. Hint: save the sheet" in ran.err


def test_groups_of_counts(thresher, parts, data):
    assert thresher("count", "rows", "--y-score", "a", "--group", "part", "-o", "mon.parquet").code == 0
    groups = {str(k): th.Scores(data["label"][k::3], data["a"][k::3]) for k in range(3)}
    assert th.load_counts("mon.parquet") == groups
    ran = thresher("merge", "mon.parquet", "mon.parquet", "-o", "two.parquet")
    assert ran.code == 0, ran.err
    assert th.load_counts("two.parquet") == {key: scores + scores for key, scores in groups.items()}
    assert thresher("merge", "mon.parquet", "-o", "all.scores").code == 0
    assert th.Scores.load("all.scores") == th.Scores(data["label"], data["a"])
    ran = thresher("count", "rows", "--y-score", "a", "--group", "part", "-o", "mon.scores")
    assert ran.code == 2
    assert "--output must end in .parquet where --group makes several tables; got 'mon.scores'." in ran.err
