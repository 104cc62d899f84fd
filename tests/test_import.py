"""What `import thresher` costs and does."""

from __future__ import annotations

import subprocess
import sys

import pytest

import thresher as th

HEAVY = (
    "matplotlib",
    "pandas",
    "sklearn",
    "scipy.special",
    "scipy.stats",
    "duckdb",
    "polars",
    "pyarrow",
    "torch",
    "rich",
    "cyclopts",
)


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_import_is_quiet_and_light():
    code = f"import sys, thresher; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert run(code) == "[]"


def test_using_the_core_stays_light():
    code = (
        "import sys, thresher as th; s = th.Scores([0, 1, 1, 0], [1, 2, 3, 4]); "
        "s.roc().hull(); s.pr(); s.pr_auc(); s.roc_auc(); s.cost_curve(); th.dominates(s, s); "
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    assert run(code) == "[]"


def test_every_public_name_exists():
    for name in th.__all__:
        assert getattr(th, name) is not None
    assert dir(th) == sorted(th.__all__)


def test_unknown_names_are_plain_attribute_errors():
    with pytest.raises(AttributeError, match="module 'thresher' has no attribute 'no_such_thing'"):
        getattr(th, "no_such_thing")  # noqa: B009  # the attribute access is what is tested
