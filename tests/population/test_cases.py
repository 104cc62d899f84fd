"""The paper's cases and what its figures show."""

import numpy as np
import pytest

from thresher.population import CASES


def test_names_and_laws():
    assert list(CASES) == ["A", "A*", "B", "C", "D", "E", "F"]
    assert len(CASES) == 7
    assert CASES["A"] is CASES["A"]
    assert CASES["A"].prevalence == 0.5
    assert repr(CASES["D"]) == "Population(uniform on [0.5, 1.5], uniform on [0, 1], prevalence=0.5)"
    with pytest.raises(KeyError):
        CASES["G"]


def test_a_star_is_a_by_invariance():
    x = np.array([1e-9, 0.1, 0.5, 0.9])
    np.testing.assert_allclose(CASES["A*"].roc(x), CASES["A"].roc(x), rtol=1e-13)
    np.testing.assert_allclose(CASES["A*"].pr(x), CASES["A"].pr(x), rtol=1e-13)


@pytest.mark.parametrize(
    ("case", "start", "end"), [("A", 1, 0.5), ("C", 1, 0.5), ("D", 1, 2 / 3), ("E", 0, 0.5), ("F", 1, 0.625)]
)
def test_printed_starts_and_ends(case, start, end):
    limits = CASES[case].limits()
    assert (limits.pr_at_0, limits.pr_at_1) == pytest.approx((start, end))
