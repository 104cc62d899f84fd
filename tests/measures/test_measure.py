"""What every measure inherits: influence values against differences, resampled tables one by one, extremes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import thresher as th
from thresher._table import Counts
from thresher.measures import (
    EqualErrorRate,
    KolmogorovSmirnov,
    Measure,
    PartialRocAuc,
    PrAuc,
    PrecisionAtDepth,
    RocAuc,
    as_measure,
)
from thresher.measures._measure import _shown, between_extremes

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


@pytest.mark.parametrize("measure", [RocAuc(), PartialRocAuc(fpr=(0.0, 0.5))], ids=lambda m: m.described())
def test_weights_by_class_leave_the_limits_of_the_rows(measure):
    rng = np.random.default_rng(6)
    y = np.arange(60) < 25
    s = rng.integers(0, 12, 60) + 3 * y
    plain, weighted = th.Scores(y, s), th.Scores(y, s, sample_weight=np.where(y, 0.25, 3.0))
    want = measure.adverse_ends(measure.estimate(plain), 0.9)
    assert measure.adverse_ends(measure.estimate(weighted), 0.9) == pytest.approx(want, rel=1e-12)


def test_variances_are_promised_only_where_there_are_some():
    plain = [KolmogorovSmirnov(), PrecisionAtDepth(3), EqualErrorRate(), as_measure("brier")]
    assert not any(one.has_variance for one in plain if type(one).variances is Measure.variances)
    assert [one for one in (*SMOOTH, *plain) if one.has_variance and type(one).variances is Measure.variances] == []
    assert RocAuc().has_variance


class Recorder:
    """A law that says how many were asked for, and draws a class that is above or below the other."""

    def __init__(self, value):
        self.value, self.sizes = value, []

    def draw(self, size, rng):
        self.sizes.append(size)
        return np.full(size, self.value)


def test_simulated_studies_have_the_class_sizes_of_their_design():
    population = SimpleNamespace(prevalence=0.3, pos=Recorder(1.0), neg=Recorder(0.0))
    found = KolmogorovSmirnov().simulated(population, 20, 5, np.random.default_rng(0), "fixed")
    assert found.tolist() == [1.0] * 5
    assert (population.pos.sizes, population.neg.sizes) == ([6] * 5, [14] * 5)
    population = SimpleNamespace(prevalence=0.3, pos=Recorder(1.0), neg=Recorder(0.0))
    KolmogorovSmirnov().simulated(population, 20, 50, np.random.default_rng(0), "random")
    drawn = np.array(population.pos.sizes)
    assert (drawn + population.neg.sizes == 20).all()
    assert abs(drawn.mean() - 6) < 4 * np.sqrt(20 * 0.3 * 0.7 / 50)
    assert drawn.std() > 1
    # A class that may be missing leaves no figure.
    rare = SimpleNamespace(prevalence=0.01, pos=Recorder(1.0), neg=Recorder(0.0))
    assert np.isnan(KolmogorovSmirnov().simulated(rare, 20, 3, np.random.default_rng(0), "fixed")).all()


def test_the_middle_between_extremes_where_ranges_overlap():
    """A positive from 1 to 2 and a negative from 0 to 3/2: it may win or lose. Apart, it wins."""

    def ranges(*rows):
        low, high, pos, neg = (np.array(column) for column in zip(*rows, strict=True))
        return Counts._from_table((low, pos, neg), high)

    def wins(one):
        return one.twice_u / 2

    assert between_extremes(ranges((1.0, 2.0, 1, 0), (0.0, 1.5, 0, 1)), wins) == 0.5
    apart = ranges((1.0, 2.0, 1, 0), (0.0, 0.5, 0, 1))
    asked = []
    assert between_extremes(apart, lambda one: asked.append(one) or wins(one)) == 1.0
    assert asked == [apart]


def test_options_as_results_show_them():
    shown = {("fpr", (0.0, 0.25)): "fpr 0 to 0.25", ("curve", "hull"): "hull", ("standardize", True): "standardized"}
    shown |= {("recall", 0.5): "recall 0.5", ("depth", 5): "depth 5"}
    for (name, option), text in shown.items():
        assert _shown(name, option) == text
