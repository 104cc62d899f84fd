"""Two models that look for one digit among ten."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from thresher._core.arrays import frozen
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
