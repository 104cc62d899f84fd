"""Warnings that point at the caller's line, however deep they arise."""

from __future__ import annotations

import sys
import warnings

from thresher.exceptions import ThresherWarning

__all__ = ["warn"]


def warn(message: str, category: type[Warning] = ThresherWarning) -> None:
    """Warn as if from the first frame outside this package."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "thresher":
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
