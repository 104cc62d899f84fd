"""scikit-learn's own test modules, imported with thresher's functions in place of its own."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Collection, Iterable
from types import ModuleType
from unittest import mock

import pytest
import sklearn.metrics

import thresher.metrics


def with_thresher(module: str, also: Iterable[ModuleType] = ()) -> ModuleType:
    """Import a fresh copy of a test module whose metrics are thresher's."""
    spec = importlib.util.find_spec(module)
    assert spec is not None, module
    assert spec.loader is not None, module
    copy = importlib.util.module_from_spec(spec)
    patches = [
        mock.patch.object(place, name, getattr(thresher.metrics, name))
        for place in (sklearn.metrics, sklearn.metrics._ranking, *also)
        for name in thresher.metrics.__all__
        if hasattr(place, name)
    ]
    for patch in patches:
        patch.start()
    try:
        spec.loader.exec_module(copy)
    finally:
        for patch in reversed(patches):
            patch.stop()
    for name in thresher.metrics.__all__:
        if hasattr(copy, name):
            assert getattr(copy, name) is getattr(thresher.metrics, name), name
    sys.modules.setdefault(f"patched.{module}", copy)
    return copy


def gathered(module: ModuleType, *, different: dict[str, str] | None = None) -> dict[str, object]:
    """Return the module's test functions; those with an expected difference are expected to fail, with its reason."""
    found = {name: value for name, value in vars(module).items() if name.startswith("test_")}
    for test in found.values():
        marks = getattr(test, "pytestmark", None)
        if marks is not None:
            test.pytestmark = [_listed(mark) for mark in marks]
    for name, reason in (different or {}).items():
        found[name] = pytest.mark.xfail(reason=reason, strict=True)(found[name])
    return found


def displays(name: str) -> dict[str, object]:
    """Return the tests of one of scikit-learn's modules of tests of displays, with the fixtures that they share.

    Some of them provoke warnings without asking for them, with scikit-learn's displays as with thresher's.
    """
    module = with_thresher(f"sklearn.metrics._plot.tests.test_{name}")
    shared = {word: getattr(module, word) for word in ("data", "data_binary") if hasattr(module, word)}
    marks = [pytest.mark.filterwarnings(f"ignore::{kind}") for kind in ("UserWarning", "FutureWarning")]
    return {**gathered(module), **shared, "pytestmark": marks}


def _listed(mark: pytest.Mark) -> pytest.Mark:
    """Return a mark whose cases are a list, as newer versions of pytest demand."""
    if mark.name != "parametrize" or isinstance(mark.args[1], Collection):
        return mark
    return pytest.mark.parametrize(mark.args[0], list(mark.args[1]), **mark.kwargs).mark
