"""The commands that `.ci/run` takes from the README, and the helpers that pytest must leave alone."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "readme_commands.py"
commands = runpy.run_path(str(SCRIPT))["commands"]


def test_the_readme_has_two_commands_and_they_install_what_they_run():
    said = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout
    install, test = said.splitlines()
    assert [word.startswith("pip install ") for word in (install, test)] == [True, True]
    assert install.endswith("&& thresher demo")
    assert test.endswith("&& python -m pytest")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"\n    {install}\n" in readme
    assert f"\n    {test}\n" in readme


def test_only_the_section_counts():
    text = "# x\n\n    no\n\n## Two commands\n\nFirst:\n\n    a && b\n\nthen\n\n    c\n    d\n\n## Next\n\n    no\n"
    assert commands(text) == ["a && b", "c; d"]


def test_a_readme_without_the_section_is_an_error():
    with pytest.raises(IndexError):
        commands("# x\n\n    pip install x\n")


def test_helpers_are_never_collected():
    """`--doctest-modules` would import them, and some import what no extra installs."""
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n0", "--collect-only", "-q", "tests/support"]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 5, ran.stdout
    assert "no tests collected" in ran.stdout
    assert "error" not in ran.stdout
