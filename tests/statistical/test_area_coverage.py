"""Coverage of the default intervals of areas: the simulation's methods are the library's, and its worst cells again.

`benchmarks/coverage_defaults.py` makes the tables of docs/validation/areas.md with tensors; here the same laws meet the
library itself.
"""

import math
import warnings

import numpy as np
import pytest

import thresher as th

torch = pytest.importorskip("torch")

from benchmarks import bulk_intervals as bulk  # noqa: E402 - needs torch
from benchmarks.coverage_defaults import DRAWN, MEASURES, truths  # noqa: E402
from benchmarks.hopeless_positives import FIXED, least, missed  # noqa: E402
from benchmarks.unkind_laws import LAWS  # noqa: E402

BY_NAME = {law.name: law for law in LAWS}


def estimate(scores, measure):
    kind, at = measure
    if kind == "roc":
        return scores.roc_auc()
    if kind == "pr":
        return scores.pr_auc(prevalence=at or None)
    return scores.partial_roc_auc(**{kind: (0.0, at) if kind == "fpr" else (at, 1.0)})


def scale(measure):
    return {"fpr": measure[1], "tpr": 1.0 - measure[1]}.get(measure[0], 1.0)


@pytest.mark.parametrize("law", ["normal 0.85", "five ratings 1.2", "25.0% hopeless, others 3"])
@pytest.mark.parametrize("measure", DRAWN)
def test_simulated_limits_are_those_of_the_library(law, measure):
    rng = np.random.default_rng(8)
    pos, neg = (BY_NAME[law].draw(side, (1, size), rng) for side, size in ((True, 25), (False, 40)))
    found = estimate(th.Scores.from_pos_neg(pos[0], neg[0]), measure)
    s = bulk.samples(pos, neg, np.array([25]), np.array([40]))
    ends = bulk.adverse(s, (measure,), [0.5], 3999, 0.05, torch.Generator().manual_seed(1))[measure, 0.5]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        expected = [end / scale(measure) for end in found.confidence_interval()]
    # A thousand draws here, four thousand there: a tail quantile is good to about a twentieth of the width.
    width = expected[1] - expected[0]
    assert [float(end[0]) for end in ends] == pytest.approx(expected, abs=0.07 * width)


@pytest.mark.parametrize("law", ["normal 0.85", "five ratings 1.2", "25.0% hopeless, others 3"])
@pytest.mark.parametrize("measure", MEASURES)
def test_simulated_values_are_those_of_the_library(law, measure):
    rng = np.random.default_rng(8)
    pos, neg = (BY_NAME[law].draw(side, (1, size), rng) for side, size in ((True, 25), (False, 40)))
    s = bulk.samples(pos, neg, np.array([25]), np.array([40]))
    found = estimate(th.Scores.from_pos_neg(pos[0], neg[0]), measure)
    assert float(bulk.unweighted(s, measure)[0]) == pytest.approx(found.value / scale(measure), rel=1e-9)


def test_closed_forms_are_those_of_the_library():
    rng = np.random.default_rng(9)
    pos, neg = (
        BY_NAME["five ratings 1.2"].draw(True, (1, 12), rng),
        BY_NAME["five ratings 1.2"].draw(False, (1, 30), rng),
    )
    area = th.Scores.from_pos_neg(pos[0], neg[0]).roc_auc()
    s = bulk.samples(pos, neg, np.array([12]), np.array([30]))
    auc, variance = bulk.auc_and_variance(s)
    assert float(variance[0]) == pytest.approx(area.standard_error() ** 2, rel=1e-9)
    z = 1.959963984540054
    for name, ends in (
        ("score", bulk.score(auc, variance, s.n_pos, s.n_neg, z, 0.05)),
        ("exact", bulk.exact(auc, s.n_pos, s.n_neg, 0.05)),
        ("delong-logit", bulk.delong_logit(auc, variance, z)),
    ):
        assert [float(end[0]) for end in ends] == pytest.approx(list(area.confidence_interval(method=name)), abs=1e-9)


# The worst of each figure, and samples of which few show an error.
WORST = [
    ("roc", 0.0, "25.0% hopeless, others 3", 100, 0.1),
    ("roc", 0.0, "25.0% hopeless, others 3", 10, 0.1),
    ("pr", 0.0, "normal 0.9, sd ratio 0.333", 100, 0.5),
    ("pr", 0.01, "t3 shifted 1.5", 100, 0.5),
    ("pr", 0.5, "25.0% hopeless, others 3", 100, 0.1),
    ("fpr", 0.2, "normal 0.7", 100, 0.1),
    ("fpr", 0.05, "1.0% loud negatives, others 2.5", 100, 0.1),
    ("tpr", 0.8, "t3 shifted 1.5", 100, 0.1),
    ("roc", 0.0, "2.0% hopeless, others 30", 10, 0.5),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "at", "law", "m", "p"), WORST)
def test_worst_cells_hold(kind, at, law, m, p):
    runs, rng = 600, np.random.default_rng(10)
    truth = truths(BY_NAME[law], p)[kind, at] * scale((kind, at))
    held = 0
    for _ in range(runs):
        n_pos = 0
        while not 0 < n_pos < round(m / p):
            n_pos = rng.binomial(round(m / p), p)
        drawn = [BY_NAME[law].draw(side, (size,), rng) for side, size in ((True, n_pos), (False, round(m / p) - n_pos))]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", th.ThresherWarning)
            held += truth in estimate(th.Scores.from_pos_neg(*drawn), (kind, at)).confidence_interval()
    assert held / runs >= 0.93 - 3 * math.sqrt(0.95 * 0.05 / runs)


@pytest.mark.parametrize(("n_pos", "n_neg"), FIXED)
def test_every_share_of_hopeless_positives_is_covered(n_pos, n_neg):
    """Samples without an error, of which the library warns, are among them."""
    assert least(missed(n_pos, n_neg))[0] >= 0.93
