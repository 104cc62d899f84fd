"""Miscalibration and discrimination: the two parts of a proper score that a model can answer for."""

from __future__ import annotations

from typing import Any

from thresher._core.values import value
from thresher._curves import HullBlocks
from thresher._inference.calibration import Calibration, as_score, best_and_constant, miscalibration_limits
from thresher._table import Counts
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._hull_measure import HullMeasure
from thresher.measures._measure import Measure, Span
from thresher.measures._registry import measure

__all__ = ["Discrimination", "Miscalibration"]


@measure()
@value
class Miscalibration(Measure):
    """By how much isotonic recalibration lowers a mean proper score; 0 is calibrated. Scores must be probabilities.

    Calibrated scores show some of it by chance: see `Calibration.test` and `Decomposition.null`.

    Parameters
    ----------
    score : str, float or pair, default="brier"
        As in `Calibration.decomposition`.

    Notes
    -----
    The interval "band", the default of independent rows, holds what a confidence band of the calibration curve allows:
    it is guaranteed and wide. "optimism", the default of weighted and clustered rows, adds the standard error of the
    gain and subtracts from the lower limit by how much resamples overstate the gain; the validation pages show what it
    covers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("miscalibration").value, 5)
    0.01218
    """

    score: Any = "brier"

    name = "miscalibration"
    better = "lower"
    aliases = ("mcb",)
    label = "Miscalibration"
    intervals = ("band", "optimism")
    weighted_interval = "optimism"
    bounds = (0.0, float("inf"))
    needs_balance = True

    def __post_init__(self) -> None:
        as_score(self.score)

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them: the score is always named."""
        return {"score": as_score(self.score).name}

    def of(self, table: Counts) -> float:
        """Return the miscalibration of a table."""
        return Calibration(table).decomposition(self.score).miscalibration

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return what the band of the calibration curve allows, or limits less the optimism of recalibration."""
        if method == "optimism":
            return miscalibration_limits(
                as_score(self.score),
                estimate.counts,
                level,
                design=options.design,
                stratified=options.design != "random" if options.stratified is None else options.stratified,
                n_resamples=options.n_resamples,
                rng=options.rng,
                progress=options.progress,
            )
        parts = Calibration(estimate.counts).decomposition(self.score)
        low, high = parts.confidence_interval("miscalibration", level)
        return low, high


@measure()
@value
class Discrimination(HullMeasure):
    """By how much recalibrated scores lower a mean proper score below that of the constant prevalence.

    It needs ranks only.

    Parameters
    ----------
    score : str, float or pair, default="brier"
        As in `Calibration.decomposition`.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("discrimination").value, 5)
    0.05839
    """

    score: Any = "brier"

    name = "discrimination"
    aliases = ("dsc",)
    label = "Discrimination"
    needs_balance = True

    def __post_init__(self) -> None:
        as_score(self.score)

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them: the score is always named."""
        return {"score": as_score(self.score).name}

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return what the blocks gain over the constant."""
        best, constant = best_and_constant(as_score(self.score), blocks, n_pos, n_neg, None)
        return max(constant - best, 0.0)
