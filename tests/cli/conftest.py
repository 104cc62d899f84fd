"""The command, run in this process in an empty folder."""

from __future__ import annotations

import io
import re
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from syrupy.extensions.amber import AmberSnapshotExtension

import thresher as th
from support.shared_reports import compute_once
from thresher.cli import main

BY_CYCLOPTS = re.compile("^Usage: |─ (Parameters|Commands) ─", re.MULTILINE)


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    def __str__(self) -> str:
        lines = [f"exit code {self.code}"]
        for name, text in (("stdout", self.out), ("stderr", self.err)):
            if text:
                lines.append(f"--- {name}")
                lines += [line.rstrip() for line in text.rstrip("\n").split("\n")]
        return "\n".join(lines)


class Texts(AmberSnapshotExtension):
    """Texts as they were; where old releases word them, what was run before the comparison still counts."""

    def matches(self, *, serialized_data, snapshot_data):
        same = serialized_data == snapshot_data
        if not same and BY_CYCLOPTS.search(snapshot_data) and int(version("cyclopts").split(".")[0]) < 5:
            pytest.skip("an older cyclopts has other words for help and for wrong usage")
        return same


@pytest.fixture
def snapshot(snapshot):
    """The texts kept in `__snapshots__`."""
    return snapshot.use_extension(Texts)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, so that messages name files by short and stable names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR", "THRESHER_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture(scope="session")
def database():
    """The one database in memory of all commands that are run here: to open one takes longer than most of them."""
    import duckdb

    with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as opened:
        yield opened


@pytest.fixture
def thresher(folder, capfd, monkeypatch, database):
    """Run the command; `stdin` are the bytes of standard input."""
    compute_once(monkeypatch)
    monkeypatch.setattr("duckdb.connect", lambda **_: database.cursor())

    def run(*words, stdin=None):
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        code = main([str(word) for word in words])
        out = capfd.readouterr()
        return Ran(code, out.out, out.err)

    return run


@pytest.fixture
def digits(folder) -> Path:
    """The bundled example as a file `digits.csv`."""
    data = th.datasets.load_digits_eight()
    path = folder / "digits.csv"
    rows = zip(data.y_true.tolist(), data.logistic.tolist(), data.tree.tolist(), strict=True)
    path.write_text("label,logistic,tree\n" + "".join(f"{y},{a!r},{b!r}\n" for y, a, b in rows))
    return Path(path.name)


@pytest.fixture
def small_file(folder, small) -> str:
    """Those rows as a file `small.csv`."""
    rows = zip(*(column.tolist() for column in small.values()), strict=True)
    (folder / "small.csv").write_text(",".join(small) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return "small.csv"


@pytest.fixture
def small() -> dict[str, np.ndarray]:
    """Twelve rows: labels, scores of two models, weights and groups."""
    return {
        "label": np.array([1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]),
        "a": np.array([0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.45, 0.4, 0.3, 0.25, 0.2, 0.1]),
        "b": np.array([0.5, 0.75, 0.75, 0.25, 0.5, 0.125, 0.25, 0.25, 0.0, 1.0, 0.5, 0.125]),
        "weight": np.array([1, 2, 1, 1, 3, 1, 1, 2, 1, 1, 1, 1]),
        "pair": np.arange(12) // 2,
        "site": np.array(["x", "x", "x", "x", "y", "y", "y", "y", "z", "z", "z", "z"]),
    }
