"""The laws behind the plain lower bound of widths have the figures that the library gives them."""

import numpy as np
import pytest
from benchmarks.width_bound import LEVEL, highest_low, least_monotone_width, lowest_high

import thresher as th

MANY = 10**6
FIGURES = {
    ("roc", 0.0): lambda scores: scores.roc_auc().value,
    ("pr", 0.1): lambda scores: scores.pr_auc(prevalence=0.1).value,
    ("fpr", 0.2): lambda scores: scores.partial_roc_auc(fpr=(0, 0.2)).value / 0.2,
    ("tpr", 0.8): lambda scores: scores.partial_roc_auc(tpr=(0.8, 1)).value / 0.2,
}


def law(pos, neg):
    """Return a population with these shares of each class at three scores, the highest first."""
    return th.Scores.from_counts(
        [3, 2, 1, 0], pos=np.rint(MANY * np.array(pos)).astype(int), neg=np.rint(MANY * np.array(neg)).astype(int)
    )


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 1000), (30, 20), (1000, 12)])
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure[0])
def test_ends_are_figures_of_laws_that_most_samples_do_not_show(figure, n_pos, n_neg):
    q, s = (1 - (1 - LEVEL) ** (1 / size) for size in (n_pos, n_neg))
    of = FIGURES[figure]
    hopeless, loud = law((0, 1 - q, 0, q), (0, 0, 1, 0)), law((0, 1, 0, 0), (s, 0, 1 - s, 0))
    assert highest_low(*figure, n_pos, n_neg, 0.1) == pytest.approx(min(of(hopeless), of(loud)), abs=1e-5)
    easy, quiet = law((q, 0, 0, 1 - q), (0, 1, 0, 0)), law((0, 0, 1, 0), (0, 1 - s, 0, s))
    expected = of(easy) if figure[0] == "pr" else max(of(easy), of(quiet))
    assert max(lowest_high(*figure, n_pos, n_neg, 0.1), 0.0) == pytest.approx(expected, abs=1e-5)


def test_the_default_is_as_wide_as_it_must_be_where_nothing_errs():
    # Ten positives among a thousand: no monotone interval can have a mean width below this.
    assert least_monotone_width("roc", 0.0, 1.0, 10, 0.01) == pytest.approx(0.93 * 0.245, rel=0.05)
    assert least_monotone_width("roc", 0.0, 0.5, 10, 0.01) < 0.01
