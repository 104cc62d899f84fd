"""Figures in files: the same data give the same bytes, and no window is left open."""

from __future__ import annotations

import pytest

import thresher as th
from thresher.cli._curve import FIGURES, _legend_name, write_curve_figure, write_figure

matplotlib = pytest.importorskip("matplotlib")
SCORES = th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])


@pytest.mark.parametrize(
    "name, shown",
    [
        ("plain", "plain"),
        ("_hidden", " _hidden"),  # matplotlib leaves out what begins with an underscore
        ("x" * 50, "x" * 37 + "..."),
        ("a\x1b[2J", "a\\x1b[2J"),
    ],
)
def test_names_in_a_legend(name, shown):
    assert _legend_name(name) == shown


def test_the_same_data_give_the_same_file(tmp_path):
    from matplotlib import pyplot as plt

    before = plt.get_fignums()
    bands = {"$a$": [SCORES.roc_band(), SCORES.pr_band()]}
    for name in ("one.svg", "two.svg"):
        write_figure({"$a$": SCORES, "_b": SCORES}, tmp_path / name, bands=bands)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.svg", "two.svg"))
    assert one == two
    assert b"<dc:date>" not in one
    assert b"<!-- $a$" in one  # a dollar, not mathematics
    assert plt.get_fignums() == before


def test_an_ending_is_a_format(tmp_path):
    assert FIGURES == (".png", ".svg", ".pdf")
    write_curve_figure(SCORES.roc(), tmp_path / "curve.PNG", prevalence=0.1)
    assert (tmp_path / "curve.PNG").read_bytes().startswith(b"\x89PNG")


def test_a_figure_that_cannot_be_saved_is_closed_too(tmp_path):
    from matplotlib import pyplot as plt

    before = plt.get_fignums()
    with pytest.raises(ValueError, match="bmp"):
        write_curve_figure(SCORES.roc(), tmp_path / "curve.bmp", prevalence=0.1)
    assert plt.get_fignums() == before
    assert list(tmp_path.iterdir()) == []
