"""Words of the drawings."""

from __future__ import annotations

import pytest

from thresher.plotting._style import area_text, curve_label, number_text


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
