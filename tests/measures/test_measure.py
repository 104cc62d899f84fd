"""What every measure inherits: influence values against differences, resampled tables one by one, extremes."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._table import Counts
from thresher.measures import PartialRocAuc, PrAuc, PrecisionAtDepth, RocAuc, as_measure

SMOOTH = [
    RocAuc(),
    PartialRocAuc(fpr=(0.0, 0.3)),
    PartialRocAuc(fpr=(0.1, 0.7), standardize=True),
    PartialRocAuc(tpr=(0.4, 1.0)),
    PrAuc(),
    PrAuc(prevalence=0.05),
    PrAuc("average_precision"),
]
POS, NEG = np.array([3.0, 2, 5, 1, 4, 2, 3]), np.array([1.0, 3, 2, 6, 5, 7, 4])


def table(pos, neg):
    return Counts.from_counts(np.arange(len(pos), 0, -1), pos=pos, neg=neg)


@pytest.mark.parametrize("measure", SMOOTH, ids=lambda m: m.described())
def test_influence_is_the_derivative_by_the_weight(measure):
    """W times (f(w + h) - f(w - h)) / 2 h at each score, less what the class balance does."""
    found = measure.influence(table(POS, NEG))
    step = 1e-4
    for column, own, which in ((0, found.pos, POS), (1, found.neg, NEG)):
        # More weight for a case is more weight for its class: with it goes the class balance, which `odds` holds.
        balance = 0.0 if not measure.needs_balance else found.odds * (-1.0 if column == 0 else 1.0)
        for i in range(POS.size):
            values = []
            for side in (1, -1):
                columns = [POS.copy(), NEG.copy()]
                columns[column][i] += side * step
                values.append(measure.of(table(*columns)))
            slope = (values[0] - values[1]) / (2 * step) * which.sum()
            assert own[i] + balance == pytest.approx(slope, abs=2e-5), (column, i)
        assert float(which @ own) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("measure", [*SMOOTH, PrecisionAtDepth(5), as_measure("expected_average_precision")], ids=str)
def test_many_tables_are_measured_as_each_alone(measure):
    rng = np.random.default_rng(3)
    pos, neg = rng.integers(0, 4, (6, 9)).astype(float), rng.integers(0, 4, (6, 9)).astype(float)
    pos[:, 2], neg[:, 5] = pos[:, 2] + 1, neg[:, 5] + 1
    found = measure.of_replicates(pos, neg, np.flatnonzero(pos.any(axis=0)))
    for row in range(6):
        kept = (pos[row] + neg[row]) > 0
        alone = measure.of(table(pos[row, kept].astype(int), neg[row, kept].astype(int)))
        assert found[row] == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize(
    "measure", [PrAuc(), PrAuc("average_precision"), PrAuc(prevalence=0.1)], ids=lambda m: m.described()
)
def test_the_value_with_one_case_less(measure):
    assert measure.is_sum
    pos, neg = POS.astype(np.int64), NEG.astype(np.int64)
    for positive, column in ((True, pos), (False, neg)):
        found = measure.left_out(pos, neg, positive=positive)
        want = []
        for i in np.flatnonzero(column):
            columns = [pos.copy(), neg.copy()]
            columns[0 if positive else 1][i] -= 1
            kept = columns[0] + columns[1] > 0
            want.append(measure.of(table(columns[0][kept], columns[1][kept])))
        assert found == pytest.approx(want, rel=1e-12)


def test_what_a_measure_cannot_do_it_says():
    with pytest.raises(th.InvalidInputError, match="has no influence values"):
        PrecisionAtDepth(3).influence(table(POS, NEG))
    with pytest.raises(th.InvalidInputError, match="has no population value"):
        PrecisionAtDepth(3).of_population(None)
