"""Command lines nobody should write: exit code 0 to 3, and never a traceback or the word for a defect."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path

import numpy as np

from thresher.cli import main

__all__ = ["case"]

_CALLS = 3
_COMMANDS = [
    "auc",
    "curve",
    "compare",
    "threshold",
    "count",
    "merge",
    "from-errors",
    "population",
    "auccalculator",
    "report",
]
_OPTIONS = [
    "--y-true",
    "--y-score",
    "--pos-label",
    "--weight",
    "--group",
    "--format",
    "--confidence-level",
    "--method",
    "--prevalence",
]
_OPTIONS += [
    "--n-resamples",
    "--seed",
    "--maximize",
    "--minimize",
    "--constraint",
    "--threshold",
    "--fpr",
    "--option",
    "--min-recall",
    "--max-fpr",
    "--min-precision",
    "--beta",
    "--cost-fp",
    "--cost-fn",
]
_OPTIONS += [
    "--positives",
    "--negatives",
    "--errors",
    "--auc",
    "--area",
    "--metric",
    "--min-count",
    "-o",
    "--output",
    "--alternative",
]
_OPTIONS += [
    "--bug-compatible",
    "--help",
    "--space",
    "--n",
    "--points",
    "--recall",
    "--min-roc-auc",
    "--fail-under",
    "--max-points",
]
_VALUES = [
    "data.csv",
    "rows.txt",
    "missing.csv",
    "site.scores",
    ".",
    "",
    "-",
    "/dev/null",
    "label",
    "a",
    "b",
    "1",
    "0",
    "-1",
    "0.95",
    "95",
]
_VALUES += [
    "1e400",
    "nan",
    "inf",
    "5e-324",
    "2" * 40,
    "9" * 5000,
    "list",
    "ROC",
    "PR",
    "json",
    "csv",
    "table",
    "out.csv",
    "out.html",
]
_VALUES += [
    "no/such/folder/x.csv",
    "\x00",
    "é" * 300,
    "a,b",
    "--",
    "=cmd()",
    "roc_auc",
    "pr_auc",
    "youden",
    "delong",
    "binormal",
    "2000000000",
]
_DATA = "label,a,b\n" + "".join(f"{i % 2},{(i * 7) % 11},{(i * 5) % 13}\n" for i in range(40))


def case(rng: np.random.Generator) -> int:
    """Run some command lines in a folder of their own."""
    former = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("data.csv").write_text(_DATA)
            Path("rows.txt").write_text("0.9 1\n0.4 0\n0.4 1\n0.1 0\n")
            for _ in range(_CALLS):
                _one(rng)
        finally:
            os.chdir(former)
    return _CALLS


def _one(rng: np.random.Generator) -> None:
    command = str(rng.choice(_COMMANDS))
    words = [command, str(rng.choice(["data.csv", "data.csv", "rows.txt", *_VALUES]))]
    if rng.random() < 0.6 and command not in ("auccalculator", "from-errors", "population", "merge"):
        words += ["--y-true", "label", "--y-score", "a"] + (["--y-score", "b"] if command == "compare" else [])
    for _ in range(int(rng.integers(0, 4))):
        words += (
            [str(rng.choice(_OPTIONS)), str(rng.choice(_VALUES))] if rng.random() < 0.8 else [str(rng.choice(_VALUES))]
        )
    if "--n-resamples" in words:  # legal numbers of draws may take long
        at = words.index("--n-resamples") + 1
        if at < len(words) and words[at].isdecimal() and 1000 < int(words[at][:30]) <= 10**8:
            words[at] = "50"
    if command == "auccalculator" and "2000000000" in words:
        words = [word for word in words if word != "2000000000"]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    if code not in (0, 1, 2, 3, 255) or "defect" in err.getvalue() or "Traceback" in err.getvalue():
        raise AssertionError(f"{[word[:80] for word in words]} ended with {code}: {err.getvalue()[:600]}")
