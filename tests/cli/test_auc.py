from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import thresher as th
from thresher._core import native


def test_table(thresher, digits, snapshot):
    assert str(thresher("auc", digits)) == snapshot


@pytest.mark.parametrize("words", [["--prevalence", "1/1000"], ["--confidence-level", "0.5"]])
def test_options(thresher, digits, snapshot, words):
    assert str(thresher("auc", digits, "--y-score", "tree", *words)) == snapshot


@pytest.mark.parametrize("compiled", [True, False])
def test_figures_are_the_library_s(thresher, digits, compiled, monkeypatch):
    if not compiled:
        monkeypatch.setattr(native, "_kernels", None)
    data = th.datasets.load_digits_eight()
    rows = json.loads(thresher("auc", digits, "--format", "json", "--confidence-level", "0.9").out)
    assert len(rows) == 14
    for row in rows:
        scores = th.Scores(data.y_true, data.models[row["model"]])
        area = scores.roc_auc() if row["area"] == "roc_auc" else scores.pr_auc(estimator=row["area"])
        low, high = area.confidence_interval(0.9)
        assert (row["value"], row["low"], row["high"]) == pytest.approx((area.value, low, high), rel=1e-12)
    text = thresher("auc", digits, "--format", "csv", "--confidence-level", "0.9").out
    for row, read in zip(rows, csv.DictReader(io.StringIO(text)), strict=True):
        assert {name: str(value) for name, value in row.items()} == read


def test_groups(thresher, small_file, small, snapshot):
    ran = thresher("auc", small_file, "--y-score", "a", "--group", "site", "--format", "json")
    rows = json.loads(ran.out)
    assert [row["group"] for row in rows[::7]] == [None, "x", "y", "z"]
    for row in rows:
        inside = np.full(12, True) if row["group"] is None else small["site"] == row["group"]
        scores = th.Scores(small["label"][inside], small["a"][inside])
        area = scores.roc_auc() if row["area"] == "roc_auc" else scores.pr_auc(estimator=row["area"])
        assert row["value"] == area.value
    assert str(thresher("auc", small_file, "--y-score", "b", "--group", "site", "--weight", "weight")) == snapshot


def test_a_group_without_a_class_is_no_reason_to_stop(thresher, folder):
    (folder / "g.csv").write_text("label,a,g\n1,0.5,u\n0,0.4,u\n1,0.3,v\n1,0.2,v\n0,0.1,\n")
    ran = thresher("auc", "g.csv", "--y-score", "a", "--group", "g")
    assert (ran.code, ran.err) == (
        1,
        "thresher: 'g.csv', column 'g': groups must not be missing; row 4 has none. Hint: fill them or leave out "
        "--group. Rows are counted from 0, without the header.\n",
    )
    (folder / "g.csv").write_text("label,a,g\n1,0.5,1\n0,0.4,1\n1,0.3,2\n1,0.2,2\n")
    rows = json.loads(thresher("auc", "g.csv", "--y-score", "a", "--group", "g", "--format", "json").out)
    assert {row["method"] for row in rows if row["group"] == "2"} == {"undefined"}
    assert {row["value"] for row in rows if row["group"] == "2"} == {None}


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        (["roc_auc=0.8"], 0),
        (["roc_auc=0.957"], 0),
        (["roc_auc=0.97"], 3),
        (["pr_auc=0.79", "average_precision=0.79"], 0),
        (["pr_auc=0.8", "average_precision=0.9"], 3),
    ],
)
def test_gates(thresher, digits, snapshot, gates, code):
    words = [word for gate in gates for word in ("--fail-under", gate)]
    ran = thresher("auc", digits, "--y-score", "logistic", *words)
    assert ran.code == code
    assert ran.err == snapshot


def test_a_gate_does_not_pass_for_want_of_an_interval(thresher, folder):
    (folder / "few.csv").write_text("label,a\n1,0.5\n0,0.4\n")
    ran = thresher("auc", "few.csv", "--fail-under", "roc_auc=0.1", "--format", "json")
    assert json.loads(ran.out)[0]["low"] < 0.1
    assert ran.code == 3


@pytest.mark.parametrize("words", [["auc", "perfect.csv"], ["merge", "perfect.scores"]])
def test_separated_classes_have_an_interval(thresher, folder, words):
    (folder / "perfect.csv").write_text("label,a\n1,0.5\n0,0.4\n1,0.6\n0,0.3\n")
    thresher("count", "perfect.csv", "-o", "perfect.scores")
    ran = thresher(*words)
    assert ran.code == 0
    assert "single point" not in ran.err
    assert "1.0000" in ran.out


@pytest.mark.parametrize(("level", "hint"), [("95", " Hint: give 0.95, not a percentage."), ("1.5", "")])
def test_only_percentages_are_called_so(thresher, digits, level, hint):
    ran = thresher("auc", digits, "--confidence-level", level)
    assert ran.code == 2
    assert f"It must be strictly between 0 and 1.{hint}\n" in ran.err


@pytest.mark.parametrize("gate", ["roc_auc", "roc_auc=", "roc_auc=2", "auc=0.5", "=0.5", "roc_auc=x"])
def test_wrong_gates(thresher, digits, gate):
    ran = thresher("auc", digits, "--fail-under", gate)
    assert ran.code == 2
    assert ran.err == (
        f"thresher: --fail-under must be AREA=VALUE with a value in [0, 1]; got {gate!r}. Hint: for example "
        "roc_auc=0.8; areas are roc_auc, interpolated, average_precision, unit_steps, trapezoid, functional, "
        "achievable.\nUsage: see `thresher auc --help`.\n"
    )


def test_many_models_with_notes_have_one_line(thresher, folder):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    columns = [f"m{k}" for k in range(12)]
    rows = np.column_stack([y, *[(rng.normal(size=60) + y).round() for _ in columns]])
    lines = [",".join(map(str, row)) for row in rows.tolist()]
    (folder / "many.csv").write_text("\n".join([",".join(["label", *columns]), *lines]))
    ran = thresher("auc", "many.csv", "--y-true", "label", "--y-score", *columns)
    assert len(ran.out.splitlines()) == 14
    assert ran.err.startswith("12 of the models have notes, such as m0: ")
    assert len(ran.err.splitlines()) == 1
    few = thresher("auc", "many.csv", "--y-true", "label", "--y-score", "m0", "m1")
    assert few.err.count("\n") > 1
