"""What the fuzzer once found, again: in the ordinary tests, so that it is not found twice."""

from __future__ import annotations

import importlib
import json
import math
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import thresher as th

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # the tools are no part of the package

from tools.fuzz import __main__ as fuzz  # noqa: E402  # found by the line above

CORPUS = json.loads((ROOT / "tools" / "fuzz" / "corpus.json").read_text())


@pytest.mark.parametrize(("target", "seed"), CORPUS["seeds"])
def test_seeds_that_once_failed(target: str, seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert importlib.import_module(f"tools.fuzz.{target}").case(np.random.default_rng(seed)) > 0


@pytest.mark.parametrize("call", CORPUS["calls"])
def test_calls_that_once_failed(call: str) -> None:
    """An answer that is a number, or an error of ours in one line."""
    said, found = "", None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = eval(call, {"th": th, "np": np})  # noqa: S307  # the corpus is ours
        except th.ThresherError as error:
            said = str(error)
    assert "\n" not in said
    assert len(said) < 600
    numbers = [getattr(found, name, 0) for name in ("low", "value")]
    assert not any(math.isnan(number) for number in numbers if np.ndim(number) == 0)


def test_totals_are_those_of_the_run(tmp_path: Path) -> None:
    total = fuzz.run("scalars", 5, minutes=5, cases=2, at=tmp_path / "at")
    assert (total["seeds"], total["cases"], total["found"]) == (2, 50, [])
    assert (tmp_path / "at").read_text() == "scalars 6\n"
