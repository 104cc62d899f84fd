from __future__ import annotations

import pickle
from functools import cache

import pytest

from thresher._report import calibration_part, compute


@cache
def _part(kept: bytes):
    return calibration_part.calibration_part(*pickle.loads(kept))


@pytest.fixture(autouse=True)
def _calibration_once(monkeypatch):
    """Look at the calibration of a table once for all pages that show it: it is half of what a page costs."""
    monkeypatch.setattr(compute, "calibration_part", lambda *given: _part(pickle.dumps(given)))
