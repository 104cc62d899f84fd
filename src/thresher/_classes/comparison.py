"""Two models of several classes or labels compared: on average, and class by class."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from thresher._compare import CombinedEstimate, Estimates, OmnibusTest, SimultaneousIntervals
from thresher._core.presented import Presented, Row
from thresher._core.values import value

__all__ = ["ClassComparison"]


@value(slots=False, repr=False)
class ClassComparison(Presented):
    """Two models compared over several classes, the first minus the second.

    Attributes
    ----------
    difference : CombinedEstimate
        Of the averages, with interval and p value by Student's t.
    average : str
        Which average.
    value_a, value_b : float
        The averages.
    estimates : Estimates
        The metric of each class by both models, called ``"self:class"`` and ``"other:class"``, with their covariance.
    omnibus : OmnibusTest
        The test that no class differs.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 3, 300)
    >>> noise = rng.normal(size=(300, 3))
    >>> a, b = th.multiclass(y, noise + 1.5 * np.eye(3)[y]), th.multiclass(y, noise + np.eye(3)[y])
    >>> a.compare(b)
    Comparison of macro roc_auc: 0.8356 and 0.7315
      difference +0.1041 [+0.09342, +0.1149], p = 2.7e-53
      no class differs: p = 6.6e-81
    """

    difference: CombinedEstimate
    average: str
    value_a: float
    value_b: float
    estimates: Estimates
    _labels: tuple[str, ...]
    omnibus: OmnibusTest

    @property
    def pvalue(self) -> float:
        """The two-sided p value of the difference of the averages."""
        return self.difference.pvalue

    @cached_property
    def classes(self) -> SimultaneousIntervals:
        """The difference of each class, with intervals that hold together and adjusted p values."""
        k = len(self._labels)
        return self.estimates.simultaneous(np.hstack((np.eye(k), -np.eye(k))), names=self._labels)

    def _facts(self) -> Row:
        low, high = self.difference._quiet()
        return {
            "average": self.average,
            "value_a": self.value_a,
            "value_b": self.value_b,
            "difference": self.difference.value,
            "low": low,
            "high": high,
            "pvalue": self.pvalue,
            "pvalue_no_class_differs": self.omnibus.pvalue,
        }

    def _columns(self) -> dict[str, Any]:
        return {**self.classes._columns()}

    def __repr__(self) -> str:
        low, high = self.difference._quiet()
        return (
            f"Comparison of {self.difference.name}: {self.value_a:.4g} and {self.value_b:.4g}\n"
            f"  difference {self.difference.value:+.4g} [{low:+.4g}, {high:+.4g}], p = {self.pvalue:.2g}\n"
            f"  no class differs: p = {self.omnibus.pvalue:.2g}"
        )
