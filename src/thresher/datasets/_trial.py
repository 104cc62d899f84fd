"""A made-up trial with censored outcomes."""

from __future__ import annotations

import numpy as np
import scipy

from thresher._core.arrays import frozen
from thresher._core.values import value
from thresher.typing import FloatArray, IntArray

_ROWS, _SEED, _YEAR = 800, 20250117, 365.0


@value
class Trial:
    """Patients who are followed until relapse, death or the end of the study; element i of every column is patient i.

    Attributes
    ----------
    time : array of float64
        Days from the start to the event, or until when the patient was followed.
    event : array of int64
        0 for a censored patient, 1 for a relapse, 2 for a death without relapse.
    index, marker : array of float64
        Predicted probabilities of a relapse within three years, by a prognostic index and by a single marker.
    site : array of int64
        The site, 1 to 3; one of them has more patients who are lost early.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> len(data.time), [int((data.event == code).sum()) for code in (0, 1, 2)], sorted(data.models)
    (800, [422, 310, 68], ['index', 'marker'])
    """

    time: FloatArray
    event: IntArray
    index: FloatArray
    marker: FloatArray
    site: IntArray

    @property
    def models(self) -> dict[str, FloatArray]:
        """The predicted probabilities by model name."""
        return {"index": self.index, "marker": self.marker}


def load_trial() -> Trial:
    """Return 800 patients of a simulated trial, most of them censored, with two models' predicted probabilities.

    Returns
    -------
    Trial

    Notes
    -----
    Generated, so that it may be passed on: exponential times whose rates depend on two normal factors, staggered
    entry over three years, an end of the study after six, and losses that differ between sites. Days are whole numbers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> scores = th.Scores.at_time(data.time, data.event, data.index, 1095)
    >>> round(scores.prevalence, 3), round(scores.roc_auc(), 3)
    (0.378, 0.753)
    """
    u = np.random.Generator(np.random.PCG64(_SEED)).random((8, _ROWS))
    known, hidden, noise = (scipy.special.ndtri(column) for column in u[:3])
    relapse = -np.log1p(-u[3]) / np.exp(0.9 * known + 0.5 * hidden) * 6.5 * _YEAR
    death = -np.log1p(-u[4]) / np.exp(0.4 * hidden) * 25.0 * _YEAR
    site = 1 + (3.0 * u[5]).astype(np.int64)
    study = (6.0 - 3.0 * u[6]) * _YEAR
    lost = -np.log1p(-u[7]) * np.where(site == 3, 6.0, 16.0) * _YEAR
    end = np.minimum(study, lost)
    time = np.ceil(np.minimum(np.minimum(relapse, death), end))
    event = np.where(np.minimum(relapse, death) > end, 0, np.where(relapse <= death, 1, 2))
    index, marker = (
        np.round(scipy.special.expit(slope * x - 0.75), 3)
        for slope, x in ((1.05, known), (0.8, (known + noise) / np.sqrt(2.0)))
    )
    columns = (time, event.astype(np.int64), index, marker, site)
    return Trial(*(frozen(column) for column in columns))
