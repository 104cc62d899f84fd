"""What a report computes of a table is computed once, for all pages and commands of a process that show it."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from thresher._inference.bootstrap.adverse import adverse_limits
from thresher._report import calibration_part, compute, uncertainty
from thresher.measures import _measure

__all__ = ["compute_once"]


def compute_once(patch: pytest.MonkeyPatch) -> None:
    """Keep calibration, bands and limits of areas, which are most of what a page costs, by all that they depend on."""
    patch.setattr(compute, "calibration_part", lambda *given: _part(pickle.dumps(given)))
    for name in ("roc_band", "pr_band"):
        patch.setattr(uncertainty, name, _once(getattr(uncertainty, name)))
    patch.setattr(_measure, "adverse_limits", lambda *given, **more: _limits(pickle.dumps((given, more))))


@cache
def _part(kept: bytes) -> Any:
    return calibration_part.calibration_part(*pickle.loads(kept))


@cache
def _limits(kept: bytes) -> Any:
    given, options = pickle.loads(kept)
    return adverse_limits(*given, **options)


@cache
def _band(make: Callable[..., Any], kept: bytes) -> tuple[Any, tuple[warnings.WarningMessage, ...]]:
    given, options = pickle.loads(kept)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        return make(*given, **options), tuple(heard)


def _once(make: Callable[..., Any]) -> Callable[..., Any]:
    def band(*given: Any, **options: Any) -> Any:
        found, heard = _band(make, pickle.dumps((given, options)))
        for one in heard:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        return found

    return band
