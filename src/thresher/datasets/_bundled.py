"""Data sets that come with the package, or are made from a seed."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher.typing import FloatArray, IntArray

_FILE = "digits_eight.csv"


@value
class Example:
    """Labels with the scores of two models.

    `y_true` is 0 or 1, one element a case; `logistic` and `tree` are the scores of the same cases.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> len(data.y_true), int(data.y_true.sum()), sorted(data.models)
    (1797, 174, ['logistic', 'tree'])
    """

    y_true: IntArray
    logistic: FloatArray
    tree: FloatArray

    @property
    def models(self) -> dict[str, FloatArray]:
        """The scores by model name."""
        return {"logistic": self.logistic, "tree": self.tree}


def load_digits_eight() -> Example:
    """Return 1,797 handwritten digits, of which 174 are an eight, with two models' out-of-fold scores.

    A regularised logistic regression, and a decision tree of depth 6, whose scores are heavily tied.

    Returns
    -------
    Example

    Notes
    -----
    Derived from "Optical Recognition of Handwritten Digits" (E. Alpaydin and C. Kaynak, UCI Machine Learning
    Repository, CC BY 4.0, doi:10.24432/C50P49) as distributed with scikit-learn.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.Scores(data.y_true, data.logistic).n_pos
    174
    """
    with files("thresher.datasets").joinpath(_FILE).open() as file:
        table = np.loadtxt(file, delimiter=",", skiprows=1)
    return Example(frozen(table[:, 0].astype(np.int64)), frozen(table[:, 1].copy()), frozen(table[:, 2].copy()))


@value
class ReaderExample(Presented):
    """Ratings of six readers, one a row; `to_frame` gives them as a dataframe.

    `reader`, `case` and `modality` say which reading it is, `truth` is 0 or 1, and `rating` runs from 0 to 100.

    Examples
    --------
    >>> import thresher as th
    >>> th.datasets.load_reader_study().rating[:4]
    array([61, 20, 74, 18])
    """

    reader: NDArray[Any]
    case: IntArray
    modality: NDArray[Any]
    truth: IntArray
    rating: IntArray


def load_reader_study() -> ReaderExample:
    """Return 1,440 simulated ratings: six readers read 120 cases, of which 48 are positive, without and with help.

    Returns
    -------
    ReaderExample

    Notes
    -----
    Simulated for thresher: normal effects of readers, cases and their interactions on a latent scale, rated as
    probabilities in percent. Every second reader uses multiples of five only.

    Examples
    --------
    >>> import thresher as th
    >>> th.readers(th.datasets.load_reader_study().to_frame()).n_cases
    120
    """
    with files("thresher.datasets").joinpath("reader_study.csv").open() as file:
        rows = np.loadtxt(file, delimiter=",", skiprows=1, dtype=str)
    numbers = {at: rows[:, at].astype(np.int64) for at in (1, 3, 4)}
    return ReaderExample(
        frozen(rows[:, 0].copy()),
        frozen(numbers[1]),
        frozen(rows[:, 2].copy()),
        frozen(numbers[3]),
        frozen(numbers[4]),
    )


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
