"""The fixture in a test of somebody else's."""

from __future__ import annotations

import subprocess
import sys

CONFTEST = 'pytest_plugins = ["thresher.integrations.pytest_plugin"]\n'
TESTS = """
import thresher as th

DATA = th.datasets.load_digits_eight()


def test_the_new_one_may_come(thresher_gate):
    found = thresher_gate(DATA.logistic, DATA.tree, y_true=DATA.y_true, margin=0.01)
    assert found.verdict == "passed"


def test_the_old_one_may_not_come_back(thresher_gate):
    thresher_gate(DATA.tree, DATA.logistic, y_true=DATA.y_true, margin=0.01)
"""


def test_one_passes_and_one_fails_with_the_reason(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_gate.py").write_text(TESTS)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 1
    assert "1 failed, 1 passed" in ran.stdout
    assert "Gate failed: roc_auc of the new model is worse by more than 0.01" in ran.stdout
    assert "Traceback" not in ran.stdout
