"""A simulated reader study."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher.typing import IntArray


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
