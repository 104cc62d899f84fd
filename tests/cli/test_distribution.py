"""Distributions on the command line: what is parsed answers as scipy does, and nothing is evaluated."""

from __future__ import annotations

import pytest
from scipy import stats

from thresher.cli._errors import UsageError
from thresher.cli._population import parse_distribution


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("norm(1.4, 2)", stats.norm(1.4, 2)),
        ("norm(-1, scale=1/4)", stats.norm(-1, 0.25)),
        (" beta(a=2, b=+5) ", stats.beta(2, 5)),
        ("poisson(3)", stats.poisson(3)),
        ("norm()", stats.norm()),
    ],
)
def test_families(text, law):
    found = parse_distribution(text, "--pos")
    for t in (-0.5, 0.3, 2.0):
        assert found.sf(t) == pytest.approx(law.sf(t))


def test_combinations():
    mixed = parse_distribution("mixture(0.3, norm(0, 1), 0.7, shift(norm(1, 1), 1))", "--pos")
    for t in (-1.0, 0.5, 3.0):
        assert mixed.sf(t) == pytest.approx(0.3 * stats.norm.sf(t) + 0.7 * stats.norm.sf(t, 2))
    point = parse_distribution("point(-3/2)", "--neg")
    assert (point.sf(-1.5), point.sf(-1.6)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("norm", "must be the name of a distribution with numbers in brackets"),
        ("norm(", "must be a distribution"),
        ("os.system('ls')", "must be the name of a distribution with numbers in brackets"),
        ("norm(*x)", "must have numbers as parameters"),
        ("norm(**x)", "must give arguments one by one"),
        ("norm(True)", "must have numbers as parameters"),
        ("norm(1/0)", "must have numbers as parameters"),
        ("norm(2*3)", "must have numbers as parameters"),
        ("norm(1" + "0" * 301 + ")", "must have numbers that a machine can hold"),
        ("quad(1)", "must name a distribution of scipy.stats"),
        ("_norm(1)", "must name a distribution of scipy.stats"),
        ("norm(0, -1)", "must have parameters that norm can have"),
        ("beta(2)", "must have parameters that beta can have"),
        ("norm(mean=2)", "must have parameters that norm can have"),
        ("mixture(0.5, norm())", "must have a mixture whose weights are positive and add up to 1"),
        ("mixture(0.5, norm(), 0.5)", "must have a mixture of weights and distributions in turn"),
        ("mixture(1.5, norm(), -0.5, norm())", "must have a mixture whose weights are positive and add up to 1"),
        ("shift(norm())", "must have a shift of a distribution and a number"),
        ("point(1, 2)", "must have a point with one number"),
        ("norm(" + " " * 2000 + ")", "must be a short expression; got 2006 characters"),
    ],
)
def test_refusals(text, said):
    with pytest.raises(UsageError) as caught:
        parse_distribution(text, "--pos")
    assert str(caught.value).startswith(f"--pos {said}")
    assert "Hint: " in str(caught.value)


def test_parameters_are_named_in_the_hint():
    with pytest.raises(UsageError, match=r"Hint: they are beta\(a, b, loc, scale\)\."):
        parse_distribution("beta(2)", "--pos")
    with pytest.raises(UsageError, match=r"Hint: they are poisson\(mu, loc\)\."):
        parse_distribution("poisson(-1)", "--pos")
