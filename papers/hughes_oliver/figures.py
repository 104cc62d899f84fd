"""What Figures 3 to 11 show: which cases, at which prevalences, sizes and recalls."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FIGURES", "SAMPLING_FIGURES", "Figure", "SamplingFigure"]


@dataclass(frozen=True, slots=True)
class Figure:
    """What one of Figures 3 to 6 shows: densities, a ROC curve, and PR curves at two prevalences.

    Attributes
    ----------
    number : int
        Number of the figure in the paper.
    cases : tuple of str
        Keys of `thresher.population.CASES` drawn in it.
    prevalences : tuple of float
        Prevalences of panels (c) and (d).

    Examples
    --------
    >>> from papers.hughes_oliver.figures import FIGURES
    >>> FIGURES[0].number, FIGURES[0].cases
    (3, ('A', 'B'))
    """

    number: int
    cases: tuple[str, ...]
    prevalences: tuple[float, float] = (1 / 2, 1 / 11)


@dataclass(frozen=True, slots=True)
class SamplingFigure:
    """What one of Figures 7 to 11 shows: histograms of the empirical precision.

    Attributes
    ----------
    number : int
        Number of the figure in the paper.
    case : str
        Key of `thresher.population.CASES`.
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
    >>> from papers.hughes_oliver.figures import SAMPLING_FIGURES
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
