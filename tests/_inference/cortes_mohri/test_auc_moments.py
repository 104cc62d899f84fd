"""Moments of the AUC at a fixed number of errors: reference values, exact sums, symmetries, bad input."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._inference.auc_moments import auc_moments
from thresher.exceptions import InvalidInputError, InvalidTypeError

TOO_MANY = (
    "`n_errors` must be between 0 and n_pos + n_neg = 7; got {}. Hint: count the misclassified examples of both "
    "classes at one threshold."
)
NOT_WHOLE = (
    "`n_errors` must be integers; got 0.25 of dtype float64. Hint: it counts errors; an error rate must be multiplied "
    "by n_pos + n_neg and rounded."
)
REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "cortes_mohri.json").read_text())["moments"]


def relative(found: float, exact: Fraction) -> float:
    return float(abs(Fraction(float(found)) - exact) / exact) if exact else abs(float(found))


def exact_moments(m: int, n: int, k: int) -> tuple[Fraction, Fraction]:
    """(1 - mean, variance) by summing over the number of false positives, in whole numbers until the end."""
    weight = first = second = within = 0
    for x in range(max(0, k - m), min(k, n) + 1):
        y = k - x
        count = comb(m - y + x, x) * comb(n - x + y, y)
        lost = x * m + y * n
        weight += count
        first += count * lost
        second += count * lost * lost
        within += count * ((m - y) * x * (m - y + x + 1) + y * (n - x) * (n - x + y + 1))
    mean = Fraction(first, weight)
    scale = m * m * n * n
    variance = (Fraction(second, weight) - mean**2) / (4 * scale) + Fraction(within, 12 * scale * weight)
    return mean / (2 * m * n), variance


def enumerated(m: int, n: int) -> dict[int, list[Fraction]]:
    """AUC of every (ranking, threshold) pair, by number of errors."""
    total = m + n
    found: dict[int, list[Fraction]] = {}
    for places in combinations(range(total), m):
        chosen = set(places)
        labels = [i in chosen for i in range(total)]
        wins = sum(not labels[j] for i in places for j in range(i + 1, total))
        for cut in range(total + 1):
            errors = sum(not label for label in labels[:cut]) + sum(labels[cut:])
            found.setdefault(errors, []).append(Fraction(wins, m * n))
    return found


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in REFERENCE}))
def test_reference_values(kind):
    for row in (row for row in REFERENCE if row["kind"] == kind):
        found = auc_moments(row["m"], row["n"], row["k"])
        assert relative(found.mean, Fraction(row["mean"])) <= 1e-15, row
        assert relative(found.one_minus_mean, Fraction(row["one_minus_mean"])) <= 1e-15, row
        assert relative(found.variance, Fraction(row["var"])) <= 1e-13, row
        assert relative(found.sd, Fraction(row["sd"])) <= 1e-13, row


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (3, 3), (4, 2), (3, 5), (5, 4)])
def test_every_ranking_and_threshold(m, n):
    for k, areas in enumerated(m, n).items():
        mean = sum(areas) / len(areas)
        variance = sum(a * a for a in areas) / len(areas) - mean**2
        found = auc_moments(m, n, k)
        assert relative(found.mean, mean) <= 1e-15
        assert relative(found.variance, variance) <= 1e-13


def check_against_sums(m: int, n: int, ks: list[int]) -> None:
    found = auc_moments(m, n, ks)
    for i, k in enumerate(ks):
        complement, variance = exact_moments(m, n, k)
        assert relative(found.one_minus_mean[i], complement) <= 1e-15
        assert relative(found.mean[i], 1 - complement) <= 1e-15
        assert relative(found.variance[i], variance) <= 1e-13


def test_all_small_cases():
    for m in range(1, 13):
        for n in range(1, m + 1):
            check_against_sums(m, n, list(range(m + n + 1)))


@given(st.data())
def test_random_cases(data):
    m = data.draw(st.integers(1, 250))
    n = data.draw(st.integers(1, 250))
    # Beside any k: near 0, near the smaller class, near half, where the branches of the algorithm meet.
    near = st.integers(-3, 3)
    anchors = st.sampled_from([0, min(m, n), max(m, n), (m + n) // 2, m + n])
    k = data.draw(st.integers(0, m + n) | st.builds(lambda a, b: min(max(a + b, 0), m + n), anchors, near))
    check_against_sums(m, n, [k])


def test_both_sides_of_each_switch():
    # N = 64 | 65 ends the plain sums; D^2/N = 9, 100, 900, 1e4 choose quadrature and the depth of the recurrence.
    for m, n in [(40, 24), (40, 25), (300, 280)]:
        check_against_sums(m, n, list(range(0, m + n + 1, 7)))
    for size, total in [(9, 400), (100, 900), (900, 2500), (10_000, 11_000)]:
        pairs = int((total - (size * total) ** 0.5) / 2)
        check_against_sums(total // 2 + 1, total - total // 2 - 1, [pairs - 1, pairs, pairs + 1])


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.floats(0, 1))
def test_symmetries(m, n, share):
    k = int(share * (m + n))
    here, swapped, mirrored = auc_moments(m, n, k), auc_moments(n, m, k), auc_moments(m, n, m + n - k)
    assert (here.mean, here.variance) == (swapped.mean, swapped.variance)
    assert (here.mean, here.one_minus_mean) == (mirrored.one_minus_mean, mirrored.mean)
    assert here.variance == mirrored.variance >= 0
    assert 0 <= here.mean <= 1


def test_mean_does_not_increase_with_errors():
    for m, n in [(30, 30), (5, 40), (200, 17), (60_000, 500)]:
        mean = auc_moments(m, n, np.arange(m + n + 1)).mean
        # Up to the rounding of neighbouring values.
        assert np.all(np.diff(mean) <= 2e-16)


def test_shape_follows_the_errors():
    found = auc_moments(5, 7, [[0, 3, 6], [9, 11, 12]])
    assert found.mean.shape == found.variance.shape == found.sd.shape == (2, 3)
    one = auc_moments(5, 7, 6)
    assert isinstance(one.mean, float)
    assert one.mean == found.mean[0, 2]
    assert auc_moments(5, 7, []).mean.shape == (0,)


def test_no_and_all_errors():
    found = auc_moments(5, 7, [0, 12])
    assert found.mean.tolist() == [1.0, 0.0]
    assert found.one_minus_mean.tolist() == [0.0, 1.0]
    assert found.variance.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 3, 1), InvalidInputError, "`n_pos` must be at least 1; got 0."),
        ((3, 0, 1), InvalidInputError, "`n_neg` must be at least 1; got 0."),
        ((3, 4, 8), InvalidInputError, TOO_MANY.format(8)),
        ((3, 4, [1, -1]), InvalidInputError, TOO_MANY.format(-1)),
        ((3, 4, 0.25), InvalidTypeError, NOT_WHOLE),
        ((3, 4, [[1], [1, 2]]), InvalidTypeError, "`n_errors` must be integers; got [[1], [1, 2]]."),
        ((3.5, 4, 1), InvalidTypeError, "`n_pos` must be an integer; got 3.5 of type float."),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error) as caught:
        auc_moments(*arguments)
    assert str(caught.value) == message
