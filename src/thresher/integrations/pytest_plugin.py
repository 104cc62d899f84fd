"""A fixture for tests that a model must pass: `pytest_plugins = ["thresher.integrations.pytest_plugin"]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thresher._facade import Gate, gate


@pytest.fixture
def thresher_gate() -> Callable[..., Gate]:
    """Return a function that takes what `thresher.gate` takes and fails the test unless the gate opens."""

    def judged(new: Any, base: Any, **options: Any) -> Gate:
        found = gate(new, base, **options)
        if not found.passed:
            pytest.fail(repr(found), pytrace=False)
        return found

    return judged
