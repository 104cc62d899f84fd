"""The six illustrations of Hughes-Oliver (2018), with what their figures show."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scipy import stats

from thresher._core.values import Frozen, value
from thresher.population._combined import affine
from thresher.population._laws import Discrete, Law
from thresher.population._population import Population
from thresher.population._wrap import as_law

__all__ = ["CASES", "FIGURES", "SAMPLING_FIGURES", "Figure", "SamplingFigure"]

_MAKERS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "A": lambda: (stats.norm(1.4, 1), stats.norm(0, 1)),
    "A*": lambda: (stats.lognorm(s=1, scale=math.exp(1.4)), stats.lognorm(s=1)),
    "B": lambda: (affine(stats.lognorm(s=1, scale=math.exp(1.4)), shift=8, scale=-1), stats.norm(0, 1)),
    "C": lambda: (stats.beta(5, 2), stats.beta(2, 5)),
    "D": lambda: (stats.uniform(0.5, 1), stats.uniform(0, 1)),
    "E": lambda: (stats.uniform(0, 1), stats.uniform(0.5, 1)),
    "F": lambda: (
        Discrete([0.2, 0.35, 0.5, 0.75, 0.9]),
        Discrete([0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7]),
    ),
}


class _Cases(Frozen, Mapping[str, Population]):
    """The populations by name, made when first asked for, with balanced classes."""

    _made: dict[str, Population]

    def __init__(self) -> None:
        self.__dict__["_made"] = {}

    def __getitem__(self, name: str) -> Population:
        if name not in self._made:
            pos, neg = _MAKERS[name]()
            self._made[name] = Population(_law(pos), _law(neg), prevalence=0.5)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MAKERS)

    def __len__(self) -> int:
        return len(_MAKERS)

    def __repr__(self) -> str:
        return f"CASES({', '.join(_MAKERS)})"


def _law(obj: object) -> Law:
    return as_law(obj, "case")


CASES: Mapping[str, Population] = _Cases()
"""The paper's cases "A", "A*", "B", "C", "D", "E", "F", each a `Population` with prevalence 1/2.

A is binormal and A* its lognormal image; B has positives 8 - W with W lognormal; C is bibeta; D and E are overlapping
uniform scores; F is discrete. Figures 3 to 6 draw them at the prevalences in `FIGURES`.
"""


@value
class Figure:
    """What one of Figures 3 to 6 shows: densities, a ROC curve, and PR curves at two prevalences.

    Attributes
    ----------
    number : int
        Number of the figure in the paper.
    cases : tuple of str
        Keys of `CASES` drawn in it.
    prevalences : tuple of float
        Prevalences of panels (c) and (d).

    Examples
    --------
    >>> from thresher.population import FIGURES
    >>> FIGURES[0].number, FIGURES[0].cases
    (3, ('A', 'B'))
    """

    number: int
    cases: tuple[str, ...]
    prevalences: tuple[float, float] = (1 / 2, 1 / 11)


@value
class SamplingFigure:
    """What one of Figures 7 to 11 shows: histograms of the empirical precision.

    Attributes
    ----------
    number : int
        Number of the figure in the paper.
    case : str
        Key of `CASES`.
    skew : float
        Negatives per positive; the prevalence is 1 / (1 + skew).
    sizes : tuple of int
        Sample sizes, one row of histograms each.
    recalls : tuple of float
        Recalls, one column of histograms each.
    n_replicates : int
        Simulated samples behind each histogram.

    Examples
    --------
    >>> from thresher.population import SAMPLING_FIGURES
    >>> figure = SAMPLING_FIGURES[0]
    >>> figure.number, figure.case, figure.sizes, round(figure.prevalence, 3)
    (7, 'A', (100, 500, 1000), 0.091)
    """

    number: int
    case: str
    skew: float
    sizes: tuple[int, ...] = (100, 500, 1000)
    recalls: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    n_replicates: int = 5000

    @property
    def prevalence(self) -> float:
        """Share of positives."""
        return 1.0 / (1.0 + self.skew)


FIGURES = (Figure(3, ("A", "B")), Figure(4, ("C",)), Figure(5, ("D", "E")), Figure(6, ("F",)))
SAMPLING_FIGURES = (
    SamplingFigure(7, "A", 10.0),
    SamplingFigure(8, "C", 10.0),
    SamplingFigure(9, "F", 1.0),
    SamplingFigure(10, "D", 4.0),
    SamplingFigure(11, "B", 1.0),
)
