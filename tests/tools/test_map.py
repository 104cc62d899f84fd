"""The map of the source is current, and so is what it says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "map.py"


def test_the_map_is_current():
    if not (ROOT / ".ci").is_dir():
        pytest.skip("the source distribution has no `.ci`, which the map shows")
    whole = runpy.run_path(str(SCRIPT))["whole"]
    assert (ROOT / "AGENTS.md").read_text(encoding="utf-8") == whole(), "run tools/map.py"


def test_every_source_file_stands_in_it_once():
    lines = (ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()
    files = [path for path in (ROOT / "src" / "thresher").rglob("*.py") if path.stat().st_size > 0]
    listed = [line for line in lines if line.startswith("* `")]
    assert len(files) == len({path.resolve() for path in files}) <= len(listed)
    assert all(len(line.partition(": ")[2]) > 10 for line in listed)


def test_a_file_that_does_not_say_what_it_is(tmp_path):
    names = runpy.run_path(str(SCRIPT))
    script = tmp_path / "tool"
    script.write_text("#!/usr/bin/env bash\n# Does a thing. And how.\n# More.\nset -e\n")
    assert names["line_of"](script) == "Does a thing."
    silent = tmp_path / "silent.py"
    silent.write_text("x = 1\n")
    names["line_of"].__globals__["ROOT"] = tmp_path
    with pytest.raises(SystemExit, match=r"silent.py does not say what it is"):
        names["line_of"](silent)
