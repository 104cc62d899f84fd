"""The workflows: valid by the published schema, and every step something that can be run on any machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_there_are_workflows():
    assert [path.stem for path in WORKFLOWS] == ["checks", "tests", "weekly", "wheels"]


def test_they_are_valid():
    pytest.importorskip("check_jsonschema", reason="check-jsonschema, of the `dev` extra, has the schema")
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    ran = subprocess.run([*words, *WORKFLOWS], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def steps(path):
    for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_step_calls_a_script_of_this_repository(path):
    for step in steps(path):
        if "uses" in step:
            name, _, version = step["uses"].partition("@")
            assert name.split("/")[0] in {"actions", "pypa"}
            assert version, "an action without a version"
            continue
        script = ROOT / step["run"].split()[0]
        assert "\n" not in step["run"].strip()
        assert script.parts[-2] in {".ci", "tools"}
        if script.parent.exists():  # the source distribution has no `.ci`
            assert os.access(script, os.X_OK), step["run"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_token_may_only_read_except_where_a_version_is_published(path):
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    more = {name: job["permissions"] for name, job in flow["jobs"].items() if "permissions" in job}
    assert more == ({"publish": {"id-token": "write"}} if path.stem == "wheels" else {})


def test_every_python_and_system_that_is_promised():
    matrix = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]["readme"]["strategy"]["matrix"]
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
