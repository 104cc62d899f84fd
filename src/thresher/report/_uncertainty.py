"""Where intervals and bands come from; a report without them is complete as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thresher.report._data import Band
from thresher.scores import Counts

__all__ = ["Uncertainty"]


@dataclass(frozen=True)
class Uncertainty:
    """How intervals and bands are asked for."""

    confidence_level: float = 0.95

    def interval(self, estimate: Any) -> tuple[float, float, str] | None:
        """Return low, high and method of an area."""
        return None

    def roc_band(self, counts: Counts) -> Band | None:
        """Return the band around the ROC curve."""
        return None

    def pr_band(self, counts: Counts) -> Band | None:
        """Return the band around the PR curve."""
        return None
