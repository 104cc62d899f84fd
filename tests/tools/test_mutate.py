"""The tool that changes the code: which mutants it makes, and that one that hangs is ended."""

from __future__ import annotations

import ast
import multiprocessing
import os
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tools import mutate  # noqa: E402  # found from the root of the repository

SOURCE = '''"""A module."""

def best(low, high, *, strict=False):
    """Return something between 1 and 2."""
    if strict and low >= high:
        raise ValueError(f"{low + 1} is not below")
    for a, b in zip(low, high, strict=True):
        if a == b:
            return a, a
    return low - 1, max(low, high)
'''


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "best.py"
    path.write_text(SOURCE)
    return path


def test_every_mutant_is_one_change_that_runs(module):
    mutants = mutate.mutants_of(module, module.parent)
    changed = {mutate.mutated(SOURCE, one) for one in mutants}
    assert len(changed) == len(mutants)
    plain = ast.unparse(ast.parse(SOURCE))
    for text in changed:
        assert text != plain
        compile(text, "best.py", "exec")
    told = " ".join(one.told for one in mutants)
    for part in ("strict and low >= high -> strict or low >= high", "low >= high -> low > high", "low - 1 -> low + 1"):
        assert part in told
    for part in ("False -> True", "1 -> 2", "max -> min", "return (low - 1, max(low, high)) -> return (max("):
        assert part in told
    assert "low + 1" not in told.replace("low - 1 -> low + 1", "")  # messages are left alone
    assert "True -> False" not in told  # nor what only says that two columns are equally long


def hang(where, files):
    os.setsid()
    time.sleep(600)


def end(where, files):
    os._exit(int(files[0]))


def test_a_mutant_that_hangs_is_ended(monkeypatch, tmp_path):
    monkeypatch.setattr(mutate, "run_tests", hang)
    assert mutate.outcome(tmp_path, [], 0.2) == "timed out"
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("code", "said"), [("0", "survived"), ("5", "survived"), ("1", "killed"), ("2", "killed")])
def test_what_the_tests_say(monkeypatch, tmp_path, code, said):
    monkeypatch.setattr(mutate, "run_tests", end)
    assert mutate.outcome(tmp_path, [code], None) == said


def test_the_copy_must_be_what_is_tested(monkeypatch, tmp_path):
    monkeypatch.setattr(mutate, "run_tests", end)
    with pytest.raises(RuntimeError, match="the working tree was imported"):
        mutate.outcome(tmp_path, ["99"], None)


def test_a_module_is_tested_by_the_file_of_its_name_first():
    assert mutate.tests_of("_decide/choose.py")[0] == "tests/_decide/test_choose.py"
    assert mutate.tests_of("measures/_roc_auc.py")[0] == "tests/measures/test_roc_auc.py"
