"""Names that want to be more than names."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import thresher as th
from support.thorough import dear

NAMES = {
    "quotes": "a\"b'c`d",
    "semicolon": "x; DROP TABLE source; --",
    "formula": '=HYPERLINK("http://x","y")',
    "script": "</script><img src=x onerror=alert(1)>",
    "newline": "two\nlines\r\nand\ttabs",
    "escape": "\x1b[31mred\x1b[2J\x07\x9b5m",
    "emoji": "🦀👩‍🔬",
    "right to left": "שלום\u202eabc\u202c עולם",
    "glob": "*?[a-z]{1,2}",
    "percent": "100%s %d {0} {name} $HOME $x_1$",
    "markup": "[bold red]x[/] :smile: **y**",
    "underscore": "_hidden",
    "long": "n" * 10_000,
    "keyword": "select",
    "bracket": "]]>&amp;",
}


def table(folder, name, kind):
    label = np.array([1, 1, 0, 1, 0, 0, 1, 0])
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2])
    if kind == "csv":
        out = io.StringIO()
        csv.writer(out).writerows([["label", name, "other"], *zip(label, scores, scores[::-1], strict=True)])
        (folder / "in.csv").write_text(out.getvalue(), newline="")
        return "in.csv", label, scores
    pyarrow.parquet.write_table(
        pa.table([label, scores, scores[::-1].copy()], names=["label", name, "other"]), folder / "in.parquet"
    )
    return "in.parquet", label, scores


@pytest.mark.parametrize(("case", "kind"), dear(((case, kind) for kind in ("csv", "parquet") for case in NAMES), 3))
def test_column_names(thresher, folder, case, kind):
    name = NAMES[case]
    file, label, scores = table(folder, name, kind)
    wanted = th.Scores(label, scores).roc_auc().value
    for words in ([], ["--y-score", name, "--y-true", "label"]):
        ran = thresher("auc", file, *words, "--format", "json")
        assert ran.code == 0, ran.err
        assert ran.out.isascii()
        first = json.loads(ran.out)[0]
        assert (first["model"], first["value"]) == (name, wanted)
    if kind == "parquet":
        return
    rows = list(csv.reader(io.StringIO(thresher("auc", file, "--format", "csv").out, newline="")))
    assert rows[1][0] == (f"'{name}" if name.startswith("=") else name)
    for ran in (thresher("auc", file), thresher("threshold", file), thresher("compare", file)):
        assert ran.code == 0, ran.err
        assert not {"\x1b", "\x07", "\x9b", "\r", "\t", "\u202e"} & set(ran.out + ran.err)
    assert thresher("auc", file, "--y-score", name + "x").code == 1
    assert len(thresher("auc", file, "--y-score", name + "x").err) < 400


@pytest.mark.parametrize("case", dear(NAMES, 5))
def test_outputs(thresher, folder, case):
    file, _, _ = table(folder, NAMES[case], "parquet")
    for out in ("out.csv", "out.json"):
        ran = thresher("curve", file, "--y-score", NAMES[case], "--no-bands", "-o", out)
        assert ran.code == 0, ran.err
    assert {row["model"] for row in json.loads((folder / "out.json").read_text())} == {NAMES[case]}
    with (folder / "out.csv").open(newline="") as read:
        models = {row["model"] for row in csv.DictReader(read)}
    assert models == {f"'{NAMES[case]}" if NAMES[case].startswith("=") else NAMES[case]}


@pytest.mark.parametrize(
    "case", dear(["script", "escape", "percent", "underscore", "emoji", "right to left", "long"], 1)
)
def test_pages_and_figures(thresher, folder, case):
    file, _, _ = table(folder, NAMES[case], "parquet")
    for command, out in (("report", "out.html"), ("curve", "out.svg")):
        ran = thresher(command, file, "--y-score", NAMES[case], "-o", out)
        assert (ran.code, ran.err) == (0, "")
        assert "<img src=x" not in (folder / out).read_text()


@pytest.mark.parametrize("case", dear((case for case in NAMES if "/" not in NAMES[case] and case != "long"), 1))
def test_file_names(thresher, folder, case):
    inside, label, scores = table(folder, "a", "csv")
    name = NAMES[case] + ".csv"
    (folder / inside).rename(folder / name)
    ran = thresher("auc", f"./{name}", "--format", "json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)[0]["value"] == th.Scores(label, scores).roc_auc().value
    for ending in (".csv", ".parquet", ".json", *([".png", ".html"] if case == "quotes" else [])):
        out = f"out {NAMES[case]}{ending}"
        words = ["report"] if ending == ".html" else ["curve", "--no-bands"]
        ran = thresher(*words, f"./{name}", "-o", out)
        assert ran.code == 0, ran.err
        assert (folder / out).stat().st_size > 100
        assert ran.out.count("\n") == 1
    (folder / name).write_text("label,a\n1,x\n")
    ran = thresher("auc", f"./{name}")
    assert ran.code == 1
    assert ran.err.count("\n") == 1


def test_file_names_that_cannot_be(thresher, folder):
    for name in ("x" * 10_000, "x\0y", ""):
        ran = thresher("auc", name)
        assert ran.code == 1
        assert "must be a file" in ran.err
        assert len(ran.err) < 400
    assert thresher("auccalculator", "x" * 10_000, "list").code == 255


@pytest.mark.some(2)
@pytest.mark.parametrize("label", dear((NAMES[case] for case in NAMES if case != "newline"), 4))
def test_labels_and_groups(thresher, folder, label):
    out = io.StringIO()
    rows = [["y", "s", "g"], [label, 0.9, label], ["no", 0.5, label], [label, 0.4, "h"], ["no", 0.6, "h"]]
    csv.writer(out).writerows(rows)
    (folder / "l.csv").write_text(out.getvalue(), newline="")
    ran = thresher("auc", "l.csv", "--y-score", "s", "--pos-label", label, "--group", "g", "--format", "json")
    assert ran.code == 0, ran.err
    found = [(row["group"], row["value"]) for row in json.loads(ran.out) if row["area"] == "roc_auc"]
    assert found == [(None, 0.5), (label, 1.0), ("h", 0.0)]
    ran = thresher("auc", "l.csv", "--y-score", "s")
    assert ran.code == 1
    assert len(ran.err) < 500
