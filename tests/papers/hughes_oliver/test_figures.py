"""What the figures of the paper show."""

import pytest

from papers.hughes_oliver.figures import FIGURES, SAMPLING_FIGURES


def test_figures():
    assert [figure.number for figure in (*FIGURES, *SAMPLING_FIGURES)] == list(range(3, 12))
    assert {case for figure in FIGURES for case in figure.cases} == {"A", "B", "C", "D", "E", "F"}
    assert [(f.case, f.skew) for f in SAMPLING_FIGURES] == [("A", 10), ("C", 10), ("F", 1), ("D", 4), ("B", 1)]
    assert SAMPLING_FIGURES[0].prevalence == pytest.approx(1 / 11)
