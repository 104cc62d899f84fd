"""Areas of many tables at once have the bits of each by itself, with long tables among them and any threads."""

import math

import numpy as np
import pytest

from thresher._core import native
from thresher._core.threads import num_threads
from thresher._inference.pr import many_pr_areas, pr_auc_standard_error
from thresher._table import Counts, ManyTables
from thresher.measures import PrAuc

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")


def tables_of(sizes):
    rng = np.random.default_rng(len(sizes))
    parts = [Counts(rng.random(n) < 0.4, rng.normal(size=n).round(4)) for n in sizes]
    # The fewest cases that have an error, and one less of either class.
    parts += [Counts(y, range(len(y))) for y in ([0, 1, 0, 1], [0, 1, 1, 1], [1, 0, 0, 0], [1, 1, 0, 0, 0])]
    columns = (np.concatenate([getattr(part, name) for part in parts]) for name in ("thresholds", "pos", "neg"))
    return parts, ManyTables(*columns, np.cumsum([len(part) for part in parts]))


@pytest.mark.parametrize("estimator", ["interpolated", "average_precision", "unit_steps", "trapezoid", "functional"])
@pytest.mark.parametrize("prevalence", [None, 0.01])
def test_the_bits_of_each_table(estimator, prevalence):
    parts, tables = tables_of([1, 2, 5, 40, 200_000, 300])
    for threads in (1, 3):
        with num_threads(threads):
            values, errors = many_pr_areas(tables, estimator, prevalence)
        for part, value, error in zip(parts, values.tolist(), errors.tolist(), strict=True):
            if min(part.n_pos, part.n_neg) == 0:
                assert math.isnan(value)
            else:
                assert value == PrAuc(estimator, prevalence).of(part)
            if min(part.n_pos, part.n_neg) > 1:
                assert error == pr_auc_standard_error(part, estimator=estimator, prevalence=prevalence)
            else:
                assert math.isnan(error)
