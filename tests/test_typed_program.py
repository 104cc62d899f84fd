"""What a type checker knows of a user's program."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from support import typed_program


def test_the_program_runs():
    typed_program.main()


@pytest.mark.optional
def test_pyright_knows_what_results_are():
    """mypy reads the program with the sources."""
    if shutil.which("pyright") is None:
        pytest.skip("pyright, which `.ci/optional` installs, is not installed")
    command = ["pyright", "--pythonpath", sys.executable, typed_program.__file__]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
