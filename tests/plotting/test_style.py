"""Words and lines of the drawings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from thresher._report.svg import line_class
from thresher.plotting._axes import LINE_STYLES, PALETTE, area_text, curve_label
from thresher.plotting._inputs import number_text

STYLE = Path(__file__).parents[2] / "js" / "src" / "report.css"


def test_forty_eight_lines_look_different() -> None:
    assert len(set(zip(PALETTE, map(str, LINE_STYLES), strict=True))) == len(PALETTE) == 48


def test_colours_and_dashes_are_those_of_the_report() -> None:
    css = STYLE.read_text(encoding="utf-8")
    colours = [re.search(rf"--m{i}: (#[0-9a-f]{{6}});", css).group(1) for i in range(8)]
    assert list(PALETTE[:8]) == colours
    # Two lines of a colour have the same dashes here where they have the same class there.
    looks: dict[str, set[str]] = {}
    for i, dash in enumerate(LINE_STYLES):
        looks.setdefault(line_class(i).split()[1], set()).add(str(dash))
    assert len(looks) == 6
    assert all(len(found) == 1 for found in looks.values())


@pytest.mark.parametrize(
    "value, text",
    [(0.9344, "0.934"), (1.0, "1.000"), (0.99996, "> 0.999"), (0.0, "0.000"), (0.00042, "0.00042"), (0.0123, "0.012")],
)
def test_areas_are_rounded_but_never_to_a_certainty(value: float, text: str) -> None:
    assert area_text(value) == text


@pytest.mark.parametrize(
    "name, value, label",
    [("tree", 0.5, "tree (AUC 0.500)"), (None, 0.5, "AUC 0.500"), ("tree", None, "tree"), (None, None, None)],
)
def test_legend_says_what_is_known(name: str | None, value: float | None, label: str | None) -> None:
    assert curve_label(name, "AUC", value) == label


@pytest.mark.parametrize("value, text", [(0.5, "0.5"), (-1.25, "−1.25"), (1e-7, "1e−07"), (123456.0, "123456")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number_text(value) == text
