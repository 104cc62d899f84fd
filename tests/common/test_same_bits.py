"""The same bits on any number of cores and for any order of the rows, for every public figure."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

import pytest

from support.thorough import dear

_SCRIPT = """
import sys
import warnings
import numpy as np
import thresher as th

warnings.simplefilter("ignore")
order_seed, parts = int(sys.argv[1]), sys.argv[2].split(",")
rng = np.random.default_rng(7)
n = 24_000
y = rng.random(n) < 0.2
a = np.round(rng.normal(size=n) + y, 5)
b = np.round(a + rng.normal(size=n), 2)
w = rng.random(n) + 0.5
g = np.arange(n) // 3
p = 1.0 / (1.0 + np.exp(1.5 - b))
rows = np.random.default_rng(order_seed).permutation(n) if order_seed else np.arange(n)
y, a, b, w, g, p = (column[rows] for column in (y, a, b, w, g, p))
few = np.flatnonzero(g < 500)
few_y, few_a, few_b, few_w, few_g = (column[few] for column in (y, a, b, w, g))


def show(name, value):
    if isinstance(value, dict):
        for key in value:
            show(f"{name} {key}", value[key])
    elif isinstance(value, (list, tuple)) or isinstance(value, np.ndarray) and value.ndim:
        print(name, hash(np.asarray(value, dtype=np.float64).tobytes()))
    elif isinstance(value, (float, int, np.generic)):
        print(name, float(value).hex())
    else:
        for part in ("value", "low", "high", "x", "pvalue", "statistic", "standard_error", "replicates", "difference"):
            if isinstance(getattr(value, part, None), (float, int, np.ndarray, np.generic)):
                show(f"{name}.{part}", getattr(value, part))


def table_figures(name, scores):
    for method in METHODS:
        attempt(f"{name} roc {method}", lambda: scores.roc_auc().confidence_interval(method=method, **seeded(method)))
    for estimator in ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional", "achievable"):
        attempt(f"{name} pr {estimator}", lambda: scores.pr_auc(estimator=estimator))
        for method in ("logit", "bootstrap"):
            attempt(
                f"{name} pr {estimator} {method}",
                lambda: scores.pr_auc(estimator=estimator).confidence_interval(method=method, **seeded(method)),
            )
    attempt(f"{name} pr part", lambda: scores.pr_auc(recall=(0.1, 0.7), prevalence=0.01).confidence_interval())
    for options in ({"fpr": (0.0, 0.1)}, {"tpr": (0.8, 1.0)}, {"fpr": (0.01, 0.2), "standardize": True}):
        attempt(f"{name} partial {options}", lambda: scores.partial_roc_auc(**options).confidence_interval())
    for curve in (scores.roc(), scores.pr()):
        for attribute in ("fpr", "tpr", "recall", "precision"):
            if hasattr(curve, attribute):
                show(f"{name} {attribute}", getattr(curve, attribute))


def band_figures(scores):
    for band in ("binomial-beta", "logit", "normal", "envelope", "equal-local-level", "dkw", "bootstrap"):
        for curve in ("roc_band", "pr_band"):
            attempt(f"{curve} {band}", lambda: getattr(scores, curve)(method=band, n_resamples=12, rng=1))


METHODS = ("delong-logit", "delong", "bamber", "newcombe", "cortes-mohri", "hanley-mcneil", "bootstrap")


def seeded(method):
    return {"rng": 3, "n_resamples": 12} if method == "bootstrap" else {}


def attempt(name, call):
    try:
        show(name, call())
    except th.ThresherError as error:
        print(name, type(error).__name__)


if "table" in parts:
    table_figures("counts", th.Scores(y, a))
    band_figures(th.Scores(few_y, few_a))
if "weights" in parts:
    table_figures("whole weights", th.Scores(y, a, sample_weight=(10 * w).astype(int)))
if "analytic" in parts:
    # What is only summed, over more rows than a linear algebra library adds up in one thread.
    for name, options in (("float weights", {"sample_weight": w}), ("clusters", {"cluster": g})):
        scores = th.Scores(y, a, **options)
        attempt(f"{name} roc", lambda: scores.roc_auc().confidence_interval(method="delong-logit"))
        attempt(f"{name} pr", lambda: scores.pr_auc().confidence_interval(method="logit"))
        attempt(f"{name} partial", lambda: scores.partial_roc_auc(fpr=(0.0, 0.1)).confidence_interval())
        attempt(f"{name} rate", lambda: scores.roc().at(threshold=1.0).lr_positive())
        attempt(f"{name} brier", lambda: th.Scores(y, p, **options).measure("brier").confidence_interval())
        attempt(f"{name} compare", lambda: th.compare(y, {"a": a, "b": b}, **options))
    calibration = th.Scores(y, p).calibration()
    for name in ("miscalibration", "discrimination", "uncertainty"):
        attempt(name, lambda: getattr(calibration.decomposition(), name))
    attempt("slope", lambda: calibration.logistic().slope)
    attempt("intercept", lambda: calibration.logistic().intercept)
    attempt("large", lambda: calibration.in_the_large())
    attempt("spiegelhalter", lambda: calibration.test("spiegelhalter"))
    attempt("platt", lambda: th.Calibrator.fit(th.Scores(y, a), method="logistic").apply(th.Scores(y, a)).thresholds)
if "paired" in parts:
    for method in ("delong", "bootstrap", "permutation"):
        for metric in ("roc_auc", "pr_auc"):
            for options in ({}, {"sample_weight": (10 * few_w).astype(int)}, {"cluster": few_g, "stratified": False}):
                attempt(
                    f"compare {method} {metric} {sorted(options)}",
                    lambda: th.compare(
                        few_y, {"a": few_a, "b": few_b}, metric=metric, method=method, n_resamples=12, rng=5, **options
                    ),
                )
    for options in ({"cluster": few_g, "stratified": False}, {"sample_weight": few_w}):
        attempt(f"bootstrap {sorted(options)}", lambda: th.bootstrap(few_y, few_a, n_resamples=12, rng=5, **options))
if "metrics" in parts:
    from thresher import metrics
    for name in ("roc_auc_score", "average_precision_score"):
        attempt(name, lambda: getattr(metrics, name)(y, a))
if "matrices" in parts:  # of 30 rows each, so that another order of the rows makes others
    from thresher import metrics
    for name in ("ndcg_score", "dcg_score", "label_ranking_loss"):
        attempt(name, lambda: getattr(metrics, name)(1.0 * y.reshape(-1, 30), a.reshape(-1, 30)))
if "population" in parts:
    from scipy import stats
    law = th.Population(stats.norm(1, 1.5), stats.norm(), prevalence=0.1)
    for figure in ("roc_auc", "pr_auc"):
        attempt(figure, getattr(law, figure))
"""

_BITS = {"PYTHONHASHSEED": "0"}
MORE = "weights,metrics,matrices,population"


@cache
def _figures(seed: int, parts: str, *, one_core: bool) -> tuple[str, ...]:
    environment = os.environ | _BITS
    environment.pop("OPENBLAS_NUM_THREADS", None)
    environment.pop("OMP_NUM_THREADS", None)
    if one_core:
        environment |= {"OPENBLAS_NUM_THREADS": "1", "THRESHER_NUM_THREADS": "1"}
    else:
        environment |= {"OPENBLAS_NUM_THREADS": "3", "THRESHER_NUM_THREADS": "3"}
    found = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(seed), parts], capture_output=True, text=True, env=environment, check=False
    )
    assert found.returncode == 0, found.stderr[-3000:]
    return tuple(found.stdout.splitlines())


@pytest.mark.parametrize("parts", dear(["table,paired,analytic", MORE], 1))
def test_figures_have_the_same_bits_on_one_core_and_on_three(parts: str) -> None:
    one, three = _figures(0, parts, one_core=True), _figures(0, parts, one_core=False)
    assert len(one) > 5
    assert [line.split(" ")[:4] for line in one if line not in three] == []


@pytest.mark.parametrize(
    ("parts", "among"),
    dear([("table,paired", "table,paired,analytic"), ("weights,metrics", MORE)], 1),
)
def test_figures_have_the_same_bits_for_any_order_of_the_rows(parts: str, among: str) -> None:
    # What stands in the order of the rows is that of the test above, which may hold more.
    stored, shuffled = _figures(0, among, one_core=True), _figures(1, parts, one_core=True)
    assert len(shuffled) > 5
    assert [line.split(" ")[:4] for line in shuffled if line not in stored] == []
