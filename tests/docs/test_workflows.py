"""The workflows: valid by the published schema, and every step something that can be run on any machine."""

from __future__ import annotations

import os
import re
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
            assert re.fullmatch("[0-9a-f]{40}", version), "an action that is not pinned to a commit"
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


ACTION = ROOT / ".github" / "actions" / "gate" / "action.yml"


def test_the_action_is_valid():
    pytest.importorskip("check_jsonschema", reason="check-jsonschema, of the `dev` extra, has the schema")
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    ran = subprocess.run([*words, ACTION], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.slow  # what it calls is tested in tests/cli/test_gate.py
@pytest.mark.parametrize(("swapped", "code", "verdict"), [(True, 3, "failed"), (False, 0, "passed")])
def test_the_action_does_what_it_says(tmp_path, swapped, code, verdict):
    """Its script is run as a runner runs it, in a folder whose files have names that a shell would like to split."""
    rows = [(i % 2, i % 2 + (i * 7919 % 101) / 60, (i * 104729 % 103) / 50) for i in range(400)]
    for name, column in (("new model.csv", 2 if swapped else 1), ("base.csv", 1 if swapped else 2)):
        (tmp_path / name).write_text("label,score\n" + "".join(f"{row[0]},{row[column]}\n" for row in rows))
    script = yaml.safe_load(ACTION.read_text())["runs"]["steps"][1]["run"]
    bin_folder = Path(sys.executable).parent
    ran = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "PATH": f"{bin_folder}:{os.environ['PATH']}",
            "NEW": "new model.csv",
            "AGAINST": "base.csv",
            "METRIC": "roc_auc",
            "MARGIN": "0.01",
            "OPTIONS": "--y-true label",
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        },
    )
    assert ran.returncode == code, ran.stderr
    assert (tmp_path / "output").read_text() == f"verdict={verdict}\n"
    assert (tmp_path / "summary.md").read_text().startswith("### Gate ")
