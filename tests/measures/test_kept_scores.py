"""What is said of standard errors that depend on which scores were kept."""

import warnings

import numpy as np
import pytest

import thresher as th
from thresher.measures._estimate import kept_error

pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize("metric", ["pr_auc", "average_precision", "brier"])
@pytest.mark.parametrize("seed", range(3))
def test_large_losses_are_said(metric, seed):
    rng = np.random.default_rng(seed)
    y = rng.random(20_000) < 0.05
    s = 1.0 / (1.0 + np.exp(2.0 - rng.normal(size=y.size) - (1 + seed) * y))
    exact = th.Scores(y, s).measure(metric).standard_error()
    for most in (8, 32, 128):
        kept = th.scan(pa.table({"y": y, "s": s}), y_true="y", y_score="s", max_points=most).measure(metric)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", th.ThresherWarning)
            off = abs(kept.standard_error() / exact - 1.0)
        if off > 0.05:
            assert "scores were kept" in "".join(str(one.message) for one in said)
            assert kept_error(kept.measure, kept.counts) > off / 4.0


def test_nothing_is_said_of_whole_tables_and_of_the_roc_area():
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.1
    table = pa.table({"y": y, "s": rng.normal(size=y.size) + y})
    with warnings.catch_warnings():
        warnings.simplefilter("error", th.ThresherWarning)
        th.scan(table, y_true="y", y_score="s").pr_auc().standard_error()
        th.scan(table, y_true="y", y_score="s", max_points=4).roc_auc().standard_error()
