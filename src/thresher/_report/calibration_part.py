"""What the report says of scores that are probabilities: the calibration curve, its bands and figures beside it."""

from __future__ import annotations

import numpy as np

from thresher._inference import CurveBand, calibration
from thresher._report.plain_data import Band, CalibrationPart
from thresher._report.uncertainty import plain_band
from thresher._table import Counts

# Labels are drawn again only for tables of which that takes no more than a few seconds.
_MOST_SCORES = 20_000
_RESAMPLES = 199
_MOST_STEPS = 240


def calibration_part(counts: Counts, confidence_level: float) -> CalibrationPart | None:
    """Return the part of one model; None where scores are no probabilities, or rows stand for ranges of them."""
    scores = counts.thresholds
    if not (counts._complete and scores[0] <= 1 and scores[-1] >= 0):
        return None
    found = calibration(counts)
    parts = found.decomposition()
    honest = consistency = pvalue = usual = None
    if counts._plain_rows:
        honest = _thinned(found.band(confidence_level), steps=True)
        if len(counts) <= _MOST_SCORES:
            consistency = _thinned(
                found.band(confidence_level, method="consistency", simultaneous=False, n_resamples=_RESAMPLES, rng=0)
            )
            pvalue = found.test(score="brier", n_resamples=_RESAMPLES, rng=0).pvalue
            usual = parts.null(n_resamples=_RESAMPLES, rng=0).mean
    blocks = found.blocks
    return CalibrationPart(
        brier=parts.mean,
        miscalibration=parts.miscalibration,
        discrimination=parts.discrimination,
        skill=parts.skill,
        usual=usual,
        pvalue=pvalue,
        high=[block.high for block in blocks],
        low=[block.low for block in blocks],
        pos=[block.pos for block in blocks],
        neg=[block.neg for block in blocks],
        honest=honest,
        consistency=consistency,
    )


def _thinned(band: CurveBand, *, steps: bool = False) -> Band:
    """Return a band that a screen can show: where it changes, or evenly spaced scores."""
    if steps:
        moves = np.flatnonzero((np.diff(band.low) != 0.0) | (np.diff(band.high) != 0.0))
        kept = np.unique(np.concatenate(([0, band.x.size - 1], moves, moves + 1)))
    else:
        kept = np.arange(band.x.size)
    if kept.size > _MOST_STEPS:
        kept = kept[np.unique(np.linspace(0, kept.size - 1, _MOST_STEPS).astype(np.intp))]
    return plain_band(band, kept)
