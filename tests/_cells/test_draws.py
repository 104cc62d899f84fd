import numpy as np
import pytest
import scipy.special
from scipy.stats import qmc

from thresher._cells.draws import POINTS, beta_halves, order_of_points, quantile_of_draws

LEVELS = (np.arange(POINTS) + 0.5) / POINTS


def test_the_points_are_the_first_of_sobol():
    ranks = np.rint(qmc.Sobol(3, scramble=False).random(POINTS) * POINTS).astype(int)
    ranks = ranks[np.argsort(ranks[:, 0])]
    assert (ranks[:, 0] == np.arange(POINTS)).all()
    assert (order_of_points() == ranks[:, 1:].T).all()


@pytest.mark.parametrize(
    "shapes", [(8, 2.75), (0.5, 0.5), (0.75, 1000), (3e5, 0.5), (1e9, 3e8), (0.1, 0.1), (0.01, 30)]
)
def test_quantiles_and_their_complements_keep_their_digits(shapes):
    found = beta_halves(*(np.array([shape], dtype=float) for shape in shapes))
    a, b = shapes
    expected = scipy.special.betaincinv(a, b, LEVELS), scipy.special.betaincinv(b, a, 1 - LEVELS)
    for part, whole in zip(found, expected, strict=True):
        assert part[0] == pytest.approx(whole, rel=1e-9, abs=1e-290)


def test_a_shape_of_zero_is_no_mass():
    found = beta_halves(np.array([0.0, 3.0, 0.0]), np.array([2.0, 0.0, 0.0]))
    assert (found.share[:, 0] == [0.0, 1.0, 0.5]).all()
    assert (found.share + found.rest == 1.0).all()


def test_quantiles_stand_between_draws():
    draws = np.array([[3.0, 1.0, 2.0, 4.0], [np.inf, 0.0, np.inf, np.inf]])
    assert quantile_of_draws(draws, 0.5).tolist() == [2.5, np.inf]
    assert quantile_of_draws(draws, 0.125).tolist() == [1.0, 0.0]
    assert quantile_of_draws(draws, 0.0).tolist() == [1.0, 0.0]
