from __future__ import annotations

import gzip
import json
import os
import threading

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import thresher as th
from support.thorough import dear


def lines(data, delimiter=",", header=True, names=("label", "a")):
    rows = [delimiter.join(names)] if header else []
    rows += [delimiter.join(str(data[n][i]) for n in ("label", "a")) for i in range(len(data["label"]))]
    return "\n".join(rows) + "\n"


def areas(ran) -> dict[str, float]:
    assert ran.code == 0, ran.err
    return {row["area"]: row["value"] for row in json.loads(ran.out)}


@pytest.fixture
def wanted(small):
    scores = th.Scores(small["label"], small["a"])
    return {"roc_auc": scores.roc_auc().value} | {
        estimator: scores.pr_auc(estimator=estimator).value for estimator in th.measures.PR_ESTIMATORS
    }


TEXTS = {
    "comma.csv": lambda d: lines(d),
    "tab.tsv": lambda d: lines(d, "\t"),
    "semicolon.csv": lambda d: lines(d, ";"),
    "pipe.txt": lambda d: lines(d, "|"),
    "space.dat": lambda d: lines(d, " "),
    "caret.csv": lambda d: lines(d, "^"),
    "no-header.csv": lambda d: lines(d, header=False),
    "no-header.tsv": lambda d: lines(d, "\t", header=False),
    "no-ending": lambda d: lines(d),
    "crlf.csv": lambda d: lines(d).replace("\n", "\r\n"),
    "bom.csv": lambda d: "\ufeff" + lines(d),
    "no-last-end.csv": lambda d: lines(d).rstrip("\n"),
    "blank-lines.csv": lambda d: lines(d).replace("\n", "\n\n"),
    "spaces.csv": lambda d: lines(d, " , "),
    "quoted.csv": lambda d: lines(d).replace("label,a", '"label","a ""x"", y"'),
    "header-of-two-lines.csv": lambda d: lines(d).replace("label,a", '"the\nlabel","a"'),
    "UPPER.CSV": lambda d: lines(d),
    "objects.jsonl": lambda d: "".join(
        json.dumps({"label": int(y), "a": s}) + "\n" for y, s in zip(d["label"], d["a"], strict=True)
    ),
    "array.json": lambda d: json.dumps(
        [{"label": bool(y), "a": s} for y, s in zip(d["label"], d["a"].tolist(), strict=True)]
    ),
}


@pytest.mark.some(6)
@pytest.mark.parametrize(
    ("name", "packed"), dear([*((name, False) for name in TEXTS), *((name, True) for name in TEXTS)], 12)
)
def test_texts(thresher, folder, small, wanted, name, packed):
    text = TEXTS[name](small).encode()
    if packed:
        name, text = f"{name}.gz", gzip.compress(text)
    (folder / name).write_bytes(text)
    assert areas(thresher("auc", name, "--format", "json")) == wanted
    assert areas(thresher("auc", "-", "--format", "json", stdin=text)) == wanted


def arrow_stream(table, path):
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


BINARIES = {
    "table.parquet": lambda table, path: pyarrow.parquet.write_table(table, path),
    "table.pq": lambda table, path: pyarrow.parquet.write_table(table, path),
    "table.feather": lambda table, path: pyarrow.feather.write_feather(table, str(path)),
    "table.arrow": arrow_stream,
    "arrays.npz": lambda table, path: np.savez(path, **{n: table[n].to_numpy() for n in table.column_names}),
}


@pytest.mark.some(5)
@pytest.mark.parametrize("kind", dear(["float64", "decimal", "float32", "bool labels"], 2))
@pytest.mark.parametrize("name", BINARIES)
def test_binaries(thresher, folder, small, wanted, name, kind):
    if kind == "decimal" and name == "arrays.npz":
        return
    label = pa.array(small["label"] == 1) if kind == "bool labels" else pa.array(small["label"])
    scores = pa.array(small["a"])
    if kind == "float32":
        scores = scores.cast(pa.float32())
    elif kind == "decimal":
        scores = scores.cast(pa.decimal128(5, 3))
    BINARIES[name](pa.table({"label": label, "a": scores}), folder / name)
    assert areas(thresher("auc", name, "--format", "json")) == wanted
    if name in ("table.parquet", "table.feather", "arrays.npz"):
        assert areas(thresher("auc", "-", "--format", "json", stdin=(folder / name).read_bytes())) == wanted


def test_pipe(thresher, folder, small, wanted):
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=lambda: (folder / "pipe").write_text(lines(small)))
    writer.start()
    assert areas(thresher("auc", "pipe", "--format", "json")) == wanted
    writer.join()


def test_whole_numbers_stay_whole(thresher, folder):
    high = 2**60
    (folder / "big.csv").write_text("label,s\n" + "".join(f"{i % 2},{high + i}\n" for i in range(4)))
    pairs = [(p, n) for p in (1, 3) for n in (0, 2)]
    assert areas(thresher("auc", "big.csv", "--format", "json"))["roc_auc"] == sum(p > n for p, n in pairs) / 4


def test_weights_and_labels(thresher, folder, small):
    rows = zip(small["label"], small["a"], small["weight"], strict=True)
    (folder / "w.csv").write_text(
        "outcome,a,weight\n" + "".join(f"{'bad' if y else 'good'},{a},{w}\n" for y, a, w in rows)
    )
    got = areas(
        thresher("auc", "w.csv", "--y-score", "a", "--weight", "weight", "--pos-label", "bad", "--format", "json")
    )
    assert got["roc_auc"] == th.Scores(small["label"], small["a"], sample_weight=small["weight"]).roc_auc().value
    for label, flag in (("2", 2), ("-1", -1), ("1.5", 1.5)):
        text = "y,s\n" + "".join(f"{flag if y else 7},{a}\n" for y, a in zip(small["label"], small["a"], strict=True))
        (folder / "n.csv").write_text(text)
        got = areas(thresher("auc", "n.csv", "--pos-label", label, "--format", "json"))
        assert got["roc_auc"] == th.Scores(small["label"], small["a"]).roc_auc().value


def test_names_that_differ_in_case_only(thresher, folder, small):
    pyarrow.parquet.write_table(
        pa.table([small["label"], small["a"], small["b"]], names=["label", "p", "P"]), folder / "case.parquet"
    )
    (folder / "case.csv").write_text(
        "label,p,P\n"
        + "".join(f"{y},{a},{b}\n" for y, a, b in zip(small["label"], small["a"], small["b"], strict=True))
    )
    for name in ("case.parquet", "case.csv"):
        ran = thresher("auc", name, "--format", "json")
        got = {row["model"]: row["value"] for row in json.loads(ran.out) if row["area"] == "roc_auc"}
        assert got == {n: th.Scores(small["label"], small[k]).roc_auc().value for n, k in (("p", "a"), ("P", "b"))}
        ran = thresher("auc", name, "--y-score", "P", "--format", "json")
        assert {row["model"] for row in json.loads(ran.out)} == {"P"}


ERRORS = {
    "absent": (None, []),
    "empty": ("", []),
    "blank": ("\n\n", []),
    "mixed line ends": ("label,a\r\n1,0.5\n0,0.1\r\n", []),
    "one column": ("label\n1\n0\n", []),
    "header only": ("label,a\n", []),
    "header only, no guess": ("x,y,z\n", []),
    "header only, columns named": ("x,y,z\n", ["--y-true", "x", "--y-score", "y"]),
    "zero bytes": (b"label,a\n1,\x00\n", []),
    "not utf-8": (b"label,a\n1,0.5\n\xe9,0.2\n", []),
    "short line": ("label,a\n1,0.5\n0\n1,0.2\n0,0.3\n", []),
    "long line": ("label,a\n1,0.5\n0,0.1\n1,0.2,7\n0,0.3\n", []),
    "open quote": ('label,a\n1,0.5\n"a"b",0.1\n1,0.2\n', []),
    "text in scores": ("label,a\n1,0.5\n0,0.1\n1,high\n0,0.3\n", []),
    "text in one of two models": ("label,a,b\n1,0.5,0.5\n0,0.1,0.2\n1,0.3,high\n0,0.3,0.1\n", []),
    "decimal commas": ("label;a\n1;0,5\n0;0,1\n", []),
    "NA in scores": ("label,a\n1,0.5\n0,0.1\n1,NA\n0,0.3\n", []),
    "empty scores": ("label,a\n1,0.5\n0,\n1,0.2\n0,\n", []),
    "NaN in scores": ("label,a\n1,0.5\n0,nan\n1,0.2\n", []),
    "empty label": ("label,a\n1,0.5\n,0.1\n1,0.2\n", []),
    "no score in any row": ("label,a\n1,\n0,\n", ["--y-score", "a"]),
    "negative weight": ("label,a,w\n1,0.5,1\n0,0.1,-2\n", ["--y-score", "a", "--weight", "w"]),
    "text weight": ("label,a,w\n1,0.5,1\n0,0.1,two\n", ["--y-score", "a", "--weight", "w"]),
    "three labels": ("label,a\n1,0.5\n0,0.1\n2,0.3\n", []),
    "text labels": ("label,a\nspam,0.5\nham,0.1\n", []),
    "wrong positive label": ("label,a\nspam,0.5\nham,0.1\n", ["--pos-label", "egg"]),
    "wrong positive number": ("label,a\n3,0.5\n4,0.1\n", ["--pos-label", "x"]),
    "one class": ("label,a\n1,0.5\n1,0.1\n", []),
    "no such column": ("label,a\n1,0.5\n0,0.1\n", ["--y-score", "b"]),
    "label also a score": ("label,a\n1,0.5\n0,0.1\n", ["--y-true", "a", "--y-score", "a"]),
    "no clear label": ("x,y2,a\n1,0,0.5\n0,1,0.1\n", []),
    "no clear scores": ("label,a,age\n1,0.5,40\n0,0.1,50\n", []),
    "a weight is no score": ("label,a,weight\n1,0.5,1.5\n0,0.1,2.5\n", []),
    "same name twice": ("label,a,a\n1,0.5,1\n0,0.1,2\n", []),
    "many columns": (",".join(f"c{i}" for i in range(30)) + "\n" + ",".join("1" * 30) + "\n", []),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(thresher, folder, snapshot, case):
    content, words = ERRORS[case]
    if content is not None:
        (folder / "data.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    ran = thresher("auc", "data.csv", *words)
    assert ran.code == 1
    assert ran.out == ""
    assert str(ran) == snapshot


OTHER_ERRORS = {
    "folder": lambda f: (f / "data").mkdir(),
    "cut.csv.gz": lambda f: (f / "cut.csv.gz").write_bytes(gzip.compress(b"label,a\n1,0.5\n" * 9)[:-12]),
    "no.parquet": lambda f: (f / "no.parquet").write_text("label,a\n1,0.5\n"),
    "no.feather": lambda f: (f / "no.feather").write_text("label,a\n1,0.5\n"),
    "no.npz": lambda f: (f / "no.npz").write_text("label,a\n1,0.5\n"),
    "objects.npz": lambda f: np.savez(f / "objects.npz", label=np.array([{}, 1], dtype=object), a=[0.1, 0.2]),
    "lengths.npz": lambda f: np.savez(f / "lengths.npz", label=[1, 0], a=[0.1, 0.2, 0.3]),
    "two-dimensional.npz": lambda f: np.savez(f / "two-dimensional.npz", label=[1, 0], a=[[0.1, 0.2], [0.3, 0.4]]),
    "text.npz": lambda f: np.savez(f / "text.npz", label=[1, 0], a=["x", "y"]),
    "cut.jsonl": lambda f: (f / "cut.jsonl").write_text('{"label": 1, "a": 0.5}\n{"label": 0, "a":\n'),
    "null.jsonl": lambda f: (f / "null.jsonl").write_text('{"label": 1, "a": 0.5}\n{"label": 0, "a": null}\n'),
    "text.parquet": lambda f: pyarrow.parquet.write_table(
        pa.table({"label": [1, 0], "a": ["0.5", "0.25"]}), f / "text.parquet"
    ),
    "null.parquet": lambda f: pyarrow.parquet.write_table(
        pa.table({"label": [1, 0, 1], "a": [0.5, None, None]}), f / "null.parquet"
    ),
    "twice.parquet": lambda f: pyarrow.parquet.write_table(
        pa.table([[1, 0], [0.1, 0.2], [0.3, 0.4]], names=["label", "a", "a"]), f / "twice.parquet"
    ),
    "no-rows.parquet": lambda f: pyarrow.parquet.write_table(
        pa.table({"label": pa.array([], pa.int64()), "a": pa.array([], pa.float64())}), f / "no-rows.parquet"
    ),
}


@pytest.mark.parametrize("name", OTHER_ERRORS)
def test_errors_of_other_forms(thresher, folder, snapshot, name):
    OTHER_ERRORS[name](folder)
    ran = thresher("auc", "data" if name == "folder" else name)
    assert (ran.code, ran.out) == (1, "")
    assert "thresher-" not in ran.err  # no name of our own making
    assert str(ran) == snapshot


def test_a_file_that_may_not_be_read(thresher, folder):
    (folder / "secret.csv").write_text("label,a\n1,0.5\n")
    (folder / "secret.csv").chmod(0)
    if os.access(folder / "secret.csv", os.R_OK):
        pytest.skip("this user may read everything")
    assert (
        thresher("auc", "secret.csv").err
        == "thresher: 'secret.csv' must be a file that can be read: Permission denied.\n"
    )


def test_late_flaws_are_found(thresher, folder):
    rows = "".join(f"{i % 2},{i}\n" for i in range(50_000))
    (folder / "late.csv").write_text(f"label,a\n{rows}1,0.5\n0,x\n")
    ran = thresher("auc", "late.csv")
    assert ran.err == (
        "thresher: 'late.csv', column 'a': must hold numbers only; row 50001 holds 'x'. Hint: replace it by a "
        "number, or name another column. Rows are counted from 0, without the header.\n"
    )
    (folder / "late.csv").write_text(f"label,a\n{rows}1,0.5\n")
    assert thresher("auc", "late.csv").code == 0
