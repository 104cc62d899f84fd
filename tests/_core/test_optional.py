"""Libraries that may be missing."""

import math

import pytest

import thresher as th
from thresher._core.checks import require


def test_a_module_that_is_there():
    assert require("math", extra="x", purpose="It") is math


def test_a_missing_one_names_the_extra():
    message = r"It needs the library 'no_such_library', which is not installed\. Hint: pip install 'thresher\[some\]'\."
    with pytest.raises(th.MissingDependencyError, match=message):
        require("no_such_library.part", extra="some", purpose="It")
