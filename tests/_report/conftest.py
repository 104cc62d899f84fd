from __future__ import annotations

import pytest

from support.shared_reports import compute_once


@pytest.fixture(autouse=True)
def _computed_once(monkeypatch):
    compute_once(monkeypatch)
