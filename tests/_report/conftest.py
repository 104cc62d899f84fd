from __future__ import annotations

import pickle
import warnings
from functools import cache

import pytest

from thresher._report import calibration_part, compute, uncertainty


@cache
def _part(kept: bytes):
    return calibration_part.calibration_part(*pickle.loads(kept))


@cache
def _band(make, kept: bytes):
    given, options = pickle.loads(kept)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        return make(*given, **options), tuple(heard)


def _once(make):
    def band(*given, **options):
        found, heard = _band(make, pickle.dumps((given, options)))
        for one in heard:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        return found

    return band


@pytest.fixture(autouse=True)
def _computed_once(monkeypatch):
    """Compute calibration and bands of a table once for all pages that show it: they are most of what a page costs."""
    monkeypatch.setattr(compute, "calibration_part", lambda *given: _part(pickle.dumps(given)))
    for name in ("roc_band", "pr_band"):
        monkeypatch.setattr(uncertainty, name, _once(getattr(uncertainty, name)))
