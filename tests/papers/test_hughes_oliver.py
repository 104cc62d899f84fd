from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from papers.hughes_oliver.asymptotics import _predicted_remainder, _remainder_sd, _terms, coupling
from papers.hughes_oliver.independent import FPR_AT, ROC
from papers.hughes_oliver.limits import p3_counter_example
from papers.hughes_oliver.sampling import cells
from thresher.population import CASES

PAPER = "hughes-oliver"
STATUSES = dict.fromkeys(
    ("Equations (1) and (2)", "Section 2.2", "P1", "P3", "P4", "P5", "Case B", "Equation (9)"), "erratum"
) | {
    "P2": "assumption of the authors",
    "P7": "assumption of the authors",
    "Section 3.1, PR-hat": "not determined by the text",
}


def test_every_entry(entry_of_hughes_oliver, explained):
    result = explained(PAPER, entry_of_hughes_oliver)
    assert result.status == STATUSES.get(entry_of_hughes_oliver, "reproduced")


@pytest.mark.parametrize(
    ("item", "what", "value", "within"),
    [
        ("Section 1", "precision at fpr 0.01, tpr 0.99, one positive in 1,000", 0.0901639, 1e-6),
        ("Section 1", "cases A and B cross at fpr", 0.20324, 1e-5),
        ("Section 2.2", "F(F⁻¹(0.5)) for F = ½ N(0, 1) + ½ δ₀, strictly increasing", 0.75, 1e-9),
        ("P1", "P1(a) for F₋ uniform on (0, 1) and F₊ = δ₁", 1.0, 0),
        ("P2", "P2(b) without a density: F₊ uniform, F₋ = ½ uniform + ½ δ₁, π = ½", 0.0, 1e-8),
        ("P5", "tpr at t = m₊ when positives have an atom there (scores 1 and 2)", 0.5, 0),
        ("Case B", "“y_ROC and x_PR as large as 0.7”: tpr at t = 0.7", 0.7217, 5e-5),
        ("Case B", "“t > 0.7, which results in x_ROC < 0.2”: fpr at t = 0.7", 0.2420, 5e-5),
        ("Case B", "“and y_PR > 0.8 when π₊ = 0.5”: precision at t = 0.7", 0.7489, 5e-5),
        ("Case D", "PR ends at, π = 1/2", 2 / 3, 1e-15),
        ("Case D", "PR ends at, π = 1/11", 1 / 6, 1e-15),
        ("Case D", "ROC starts at", 0.5, 1e-15),
        ("Case E", "ROC ends at", 0.5, 1e-15),
        ("Case F", "ROC starts at", 0.4, 1e-15),
        ("Case F", "PR ends at, π = 1/2", 0.625, 1e-15),
        ("Case F", "PR ends at, π = 1/11", 1 / 7, 1e-15),
    ],
)
def test_numbers(item, what, value, within, values):
    assert values(PAPER, item)[what] == pytest.approx(value, abs=within)


@pytest.mark.parametrize("name", "ABCDEF")
def test_starts_and_ends(name, values):
    starts = {"A": 1, "B": 0, "C": 1, "D": 1, "E": 0, "F": 1}
    assert values(PAPER, f"Case {name}")["PR starts at"] == starts[name]


def test_p3_counter_example():
    population = p3_counter_example()
    x = np.array([0.1, 0.3, 0.49, 0.5, 0.6, 0.8])
    # The false positive rate in closed form: 1 - sqrt(1 - 2x) below one half, 1 above.
    alpha = np.where(x < 0.5, 1 - np.sqrt(np.maximum(1 - 2 * x, 0)), 1.0)
    assert population.pr(x) == pytest.approx(x / (x + alpha), rel=1e-9)
    assert population.pr(x).round(3).tolist() == [0.486, 0.449, 0.363, 0.333, 0.375, 0.444]


# Means and standard deviations of 5,000 samples, from independent runs: (figure, n, x) -> mean, sd, share of ones.
SAMPLED = {
    (7, 100, 0.1): (0.738, 0.333, 0.60),
    (7, 500, 0.5): (0.384, 0.097, 0.00),
    (7, 1000, 0.9): (0.169, 0.028, 0.00),
    (8, 500, 0.5): (0.880, 0.084, 0.10),
    (8, 1000, 0.2): (0.984, 0.031, 0.74),
    (9, 1000, 0.4): (0.839, 0.167, 0.52),
    (9, 1000, 0.6): (0.675, 0.077, 0.00),
    (10, 1000, 0.5): (0.911, 0.118, 0.50),
    (10, 500, 0.6): (0.626, 0.138, 0.03),
    (11, 1000, 0.7): (0.836, 0.084, 0.00),
    (11, 100, 0.8): (0.535, 0.146, 0.01),
    (11, 1000, 1.0): (0.500, 0.016, 0.00),
}


@pytest.mark.parametrize(("figure", "n", "x"), SAMPLED)
def test_sampled(figure, n, x):
    mean, sd, ones = SAMPLED[figure, n, x]
    cell = cells(figure)[n, x]
    # Five standard errors of both runs together, and the rounding of the table.
    assert cell.values.mean() == pytest.approx(mean, abs=5 * sd * np.sqrt(2 / 5000) + 5e-4)
    assert cell.values.std() == pytest.approx(sd, rel=0.07, abs=1e-3)
    assert cell.ones == pytest.approx(ones, abs=5 * np.sqrt(2 * max(ones * (1 - ones), 0.001) / 5000) + 5e-3)


@pytest.mark.parametrize("name", "ABC")
@pytest.mark.parametrize(("share", "skew"), [("1/2", 1.0), ("1/5", 4.0), ("1/11", 10.0)])
def test_equation_9_as_printed_is_the_reference(name, share, skew):
    items = json.loads((Path(__file__).parents[1] / "reference" / "population.json").read_text())["items"]
    (reference,) = (item["by_pi"][share]["sigma"] for item in items if item["id"] == name)
    x = np.array([float(key) for key in reference])
    expected = np.array([float(value) for value in reference.values()])
    assert np.sqrt(sum(_terms(CASES[name], x, skew))) == pytest.approx(expected, rel=1e-10, abs=0)


@pytest.mark.parametrize("n", [1000, 10_000])
def test_the_best_coupling_falls_as_the_square_root(n):
    found = coupling(n)
    assert found.sd * np.sqrt(n) == pytest.approx(1.21, abs=0.005)
    assert found.distance * np.sqrt(n) == pytest.approx(0.97, abs=0.005)
    assert found.excess * n == pytest.approx(8.7, abs=0.05)


@pytest.mark.parametrize("name", "ABCDEF")
def test_the_formulas_written_out_are_the_reference(name):
    items = json.loads((Path(__file__).parents[1] / "reference" / "population.json").read_text())["items"]
    (item,) = (item for item in items if item["id"] == name)
    for curve, key in ((ROC, "roc"), (FPR_AT, "alpha")):
        x = np.array([float(at) for at in item[key]])
        expected = np.array([float(value) for value in item[key].values()])
        assert curve[name](x) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_the_linearisation_falls_as_the_fourth_root():
    assert _predicted_remainder() == pytest.approx(0.763, abs=5e-4)
    assert _remainder_sd(10**6) * 10**1.5 == pytest.approx(0.763, rel=0.03)
