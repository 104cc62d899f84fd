"""What `import thresher` costs and does."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import thresher as th

HEAVY = (
    "matplotlib",
    "pandas",
    "sklearn",
    "scipy.special",
    "scipy.optimize",
    "scipy.stats",
    "duckdb",
    "polars",
    "pyarrow",
    "torch",
    "rich",
    "cyclopts",
    "thresher.population",
)
# What one process does, step by step.
STEPS = {
    "import": "import thresher as th",
    "core": (
        "s = th.Scores([0, 1, 1, 0], [1, 2, 3, 4]); s.roc().hull(); s.pr(); s.pr_auc(); s.roc_auc(); s.cost_curve();"
        "th.dominates(s, s)"
    ),
    "displays": (
        "import thresher.plotting; th.plotting.LinkedDisplay, th.plotting.RocCurveDisplay, th.plotting.PrCurveDisplay;"
        "display = th.plotting.RocCurveDisplay(th.Scores([0, 1], [1, 2]).roc())"
    ),
    "inference": (
        "import thresher._inference.cortes_mohri, thresher._inference.delong.interval_methods;"
        "import thresher._inference.rates.proportion"
    ),
}


@pytest.fixture(scope="module")
def loaded() -> dict[str, list[str]]:
    """What is loaded after each step, of what is heavy."""
    look = f"found[{{!r}}] = [name for name in {HEAVY!r} if name in sys.modules]"
    lines = [line for step, code in STEPS.items() for line in (code, look.format(step))]
    code = "\n".join(["import json, sys", "found = {}", *lines, "print(json.dumps(found))"])
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return json.loads(ran.stdout)  # so that nothing else was printed


@pytest.mark.parametrize("step", ["import", "core"])
def test_what_is_used_first_stays_light(loaded, step):
    assert loaded[step] == []


def test_displays_are_named_without_matplotlib(loaded):
    assert "matplotlib" not in loaded["displays"]


def test_intervals_need_special_functions_only(loaded):
    assert {*loaded["inference"]} <= {"scipy.special"}


def test_every_public_name_exists():
    for name in th.__all__:
        assert getattr(th, name) is not None
    assert dir(th) == sorted(th.__all__)


def test_unknown_names_are_plain_attribute_errors():
    with pytest.raises(AttributeError, match="module 'thresher' has no attribute 'no_such_thing'"):
        getattr(th, "no_such_thing")  # noqa: B009  # the attribute access is what is tested


def test_the_package_alone_loads_nothing():
    """Names are loaded when they are asked for, each with what it needs, whichever comes first."""
    names = ("numpy", "narwhals", "thresher.measures")
    code = f"import sys, thresher; print([name for name in {names!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    code = (
        "from thresher._curves import PrCurve\n"
        "print(PrCurve.from_points([0.5, 1.0], [1.0, 0.5], n_pos=2, n_neg=2).pr_auc().value)"
    )
    first = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert first.strip()
    code = "import thresher as th; print(th.InvalidInputError is th.exceptions.InvalidInputError, bool(th.__version__))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True True\n"


def test_the_version_is_told_without_the_library():
    code = (
        "import sys; sys.argv = ['thresher', '--version']; from _thresher_command import main; code = main();"
        "print(code, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{th.__version__}\n0 False\n"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="NumPy refuses sub-interpreters from Python 3.12 on")
def test_a_sub_interpreter_gets_the_error_of_numpy():
    inside = (
        "import thresher as th\n"
        "try:\n"
        "    th.Scores([0, 1], [1, 2])\n"
        "except ImportError as error:\n"
        "    print('subinterpreters' in str(error), flush=True)\n"
    )
    module = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    code = f"import {module} as interpreters; interpreters.run_string(interpreters.create(), {inside!r})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("True\n", "")
