"""Libraries that figures need."""

from __future__ import annotations

import json

import pytest

import thresher as th
from papers.needs import needs


def test_a_library_or_the_extra_that_brings_it():
    assert needs("json", extra="papers") is json
    with pytest.raises(th.MissingDependencyError) as caught:
        needs("no_such_library.part", extra="papers")
    assert str(caught.value) == (
        "The papers need the library 'no_such_library', which is not installed. Hint: pip install 'thresher[papers]'."
    )
