from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import thresher as th
from support.thorough import dear


@pytest.fixture
def tree():
    data = th.datasets.load_digits_eight()
    return th.Scores(data.y_true, data.tree)


def read(name):
    path = Path(name)
    if path.suffix == ".csv":
        with path.open() as file:
            return list(csv.DictReader(file))
    if path.suffix.lower() == ".json":
        return json.loads(path.read_text())
    return pyarrow.parquet.read_table(path).to_pylist()


@pytest.mark.parametrize("name", dear(["curve.csv", "CURVE.JSON", "curve.parquet", "curve.json"], 2))
def test_numbers(thresher, digits, tree, name):
    ran = thresher("curve", digits, "--y-score", "tree", "-o", name)
    assert (ran.code, ran.out, ran.err) == (0, f"wrote {name}\n", "")
    rows = read(name)
    parts = {kind: [row for row in rows if row["curve"] == kind] for kind in {row["curve"] for row in rows}}
    assert set(parts) == {"points", "hull", "achievable", "roc_band", "pr_band"}

    def column(kind, field):
        return np.array([float(row[field]) for row in parts[kind]])

    roc, pr = tree.roc(), tree.pr()
    for field, wanted in (
        ("threshold", roc.thresholds),
        ("tp", roc.tp),
        ("fp", roc.fp),
        ("fpr", roc.fpr),
        ("recall", roc.tpr),
        ("precision", pr.precision),
    ):
        assert np.array_equal(column("points", field), wanted)
        if field != "precision":
            assert np.array_equal(
                column("hull", field),
                getattr(roc.hull(), {"threshold": "thresholds", "recall": "tpr"}.get(field, field)),
            )
    achievable = tree.achievable_pr()
    assert np.array_equal(column("achievable", "precision"), achievable.interpolate(np.linspace(0, 1, 101)))
    band = tree.pr_band()
    assert np.allclose(column("pr_band", "low"), band.low, rtol=1e-12)
    assert np.allclose(column("pr_band", "high"), band.high, rtol=1e-12)
    assert str(rows[1]["tp"]).isdigit()  # counts are whole
    assert parts["points"][0].get("low") in (None, "")


def test_prevalence_and_no_bands(thresher, digits, tree):
    assert (
        thresher("curve", digits, "-o", "c.csv", "--no-bands", "--prevalence", "1/100", "--y-score", "tree").code == 0
    )
    rows = [row for row in read("c.csv") if row["curve"] == "points"]
    assert {row["curve"] for row in read("c.csv")} == {"points", "hull", "achievable"}
    assert [float(row["precision"]) for row in rows] == tree.pr(prevalence=0.01).precision.tolist()


def test_simultaneous_bands_are_repeatable(thresher, small_file):
    for name in ("one.csv", "two.csv"):
        assert thresher("curve", small_file, "-o", name, "--simultaneous", "--seed", "3", "--y-score", "a").code == 0
    assert read("one.csv") == read("two.csv")


@pytest.mark.parametrize(("name", "magic"), dear([("f.svg", b"<?xml"), ("f.png", b"\x89PNG"), ("f.pdf", b"%PDF")], 1))
def test_figures(thresher, folder, small_file, name, magic):
    words = ["curve", small_file, "--y-score", "a", "--y-score", "b", "-o", name]
    ran = thresher(*words)
    assert (ran.code, ran.out, ran.err) == (0, f"wrote {name}\n", "")
    content = (folder / name).read_bytes()
    assert content.startswith(magic)
    assert sorted(path.name for path in folder.iterdir()) == [name, "small.csv"]


@pytest.mark.parametrize("name", ["curve", "curve.xls", "curve.csv.gz"])
def test_unknown_endings(thresher, digits, name):
    ran = thresher("curve", digits, "-o", name)
    assert ran.code == 2
    assert ran.err == (
        f"thresher: --output must end in one of .csv, .parquet, .json, .png, .svg, .pdf; got {name!r}.\n"
        "Usage: see `thresher curve --help`.\n"
    )


def test_a_folder_that_is_not_there(thresher, folder, digits):
    ran = thresher("curve", digits, "--no-bands", "-o", "no/where.csv")
    assert (ran.code, ran.err) == (
        1,
        "thresher: 'digits.csv': Cannot write 'no/where.csv': No such file or directory. Hint: make the folder "
        "'no' first.\n",
    )


def test_cells_are_no_formulas(thresher, folder):
    (folder / "f.csv").write_text('label,"=1+1","@x"\n1,0.5,0.25\n0,0.25,0.5\n1,0.75,0.5\n0,0.5,0.25\n')
    thresher("curve", "f.csv", "-o", "out.csv", "--no-bands")
    assert {row["model"] for row in read("out.csv")} == {"'=1+1", "'@x"}
    thresher("curve", "f.csv", "-o", "out.parquet", "--no-bands")
    assert {row["model"] for row in read("out.parquet")} == {"=1+1", "@x"}
