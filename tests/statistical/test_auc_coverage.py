"""Coverage of the intervals for the AUC and for F-beta by simulation.

The bounds are those of the nominal band widened by three binomial standard errors of the number of runs. The quick
study runs with the other tests; the full one with `pytest -m slow`.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.special import ndtri

from thresher._cells.f_beta import f_beta, f_beta_bounds
from thresher._inference.delong.delong import delong
from thresher._inference.delong.interval_methods import interval_from_counts
from thresher._inference.rates.proportion import PROPORTION_METHODS
from thresher._table import Counts

CELLS = [(0.7, 50, 50), (0.9, 50, 50)]


def coverage(auc: float, n_pos: int, n_neg: int, methods: tuple[str, ...], runs: int, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    shift = math.sqrt(2) * float(ndtri(auc))
    covered = dict.fromkeys(methods, 0)
    for _ in range(runs):
        values = np.concatenate([rng.normal(shift, 1, n_pos), rng.normal(0, 1, n_neg)])
        pos = np.repeat([1, 0], [n_pos, n_neg])[np.argsort(-values)]
        area = delong(pos, 1 - pos).auc
        table = Counts._from_table((-np.arange(pos.size), pos, 1 - pos))
        for method in methods:
            covered[method] += auc in interval_from_counts(table, auc=area, method=method)
    return {method: count / runs for method, count in covered.items()}


def slack(runs: int) -> float:
    return 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.some(1)
@pytest.mark.parametrize(("auc", "n_pos", "n_neg"), CELLS)
def test_quick_coverage(auc, n_pos, n_neg):
    runs = 1500
    found = coverage(auc, n_pos, n_neg, ("delong-logit", "newcombe", "max-variance"), runs, 1)
    assert 0.93 - slack(runs) <= found["delong-logit"] <= 0.97 + slack(runs)
    assert 0.93 - slack(runs) <= found["newcombe"]
    assert found["max-variance"] >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(
    ("auc", "n_pos", "n_neg"), [*CELLS, (0.7, 20, 80), (0.9, 20, 80), (0.7, 200, 200), (0.9, 200, 200)]
)
def test_full_coverage(auc, n_pos, n_neg):
    runs = 10_000
    methods = ("delong", "delong-logit", "bamber", "hanley-mcneil", "newcombe", "max-variance")
    found = coverage(auc, n_pos, n_neg, methods, runs, 2)
    least = 0.93 if min(n_pos, n_neg) >= 50 else 0.90
    assert least - slack(runs) <= found["delong-logit"] <= 0.97 + slack(runs)
    assert found["newcombe"] >= 0.93 - slack(runs)
    # Plain DeLong runs short in small samples of a good scorer; that is why the logit exists.
    assert found["delong"] >= 0.87
    assert found["max-variance"] >= 0.97


@pytest.mark.parametrize("beta", [1.0, *(pytest.param(beta, marks=pytest.mark.slow) for beta in (0.5, 2.0))])
@pytest.mark.parametrize(("total", "shares"), [(60, (0.3, 0.1, 0.1, 0.5)), (200, (0.05, 0.05, 0.02, 0.88))])
def test_f_beta_coverage(beta, total, shares):
    rng = np.random.default_rng(4)
    runs = 1500
    truth = f_beta(*shares[:3], beta)
    bounds = {
        method: cache(lambda *cells, m=method: f_beta_bounds(*cells, beta, 0.95, m)) for method in PROPORTION_METHODS
    }
    covered = dict.fromkeys(bounds, 0)
    for cells in rng.multinomial(total, shares, runs)[:, :3].tolist():
        for method, bound in bounds.items():
            low, high = bound(*cells)
            covered[method] += low <= truth <= high
    assert covered["bayes"] / runs >= 0.93 - slack(runs)
    assert covered["wilson"] / runs == pytest.approx(0.95, abs=0.01 + slack(runs))
    assert covered["jeffreys"] / runs == pytest.approx(0.95, abs=0.02 + slack(runs))
    assert covered["clopper-pearson"] / runs >= 0.95 - slack(runs)
