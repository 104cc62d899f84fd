"""What every measure inherits: influence values against differences, resampled tables one by one, extremes."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import thresher as th
from support.measures import values_of
from thresher._table import Counts
from thresher.measures import (
    KolmogorovSmirnov,
    Measure,
    MinCllr,
    PartialRocAuc,
    PrAuc,
    PrecisionAtDepth,
    RocAuc,
    as_measure,
)
from thresher.measures._measure import IntervalOptions, _shown, between_extremes

SMOOTH = [
    RocAuc(),
    PartialRocAuc(fpr=(0.0, 0.3)),
    PartialRocAuc(fpr=(0.1, 0.7), standardize=True),
    PartialRocAuc(tpr=(0.4, 1.0)),
    PrAuc(),
    PrAuc(prevalence=0.05),
    PrAuc("average_precision"),
]
PROBABLE = th.Scores([1, 0, 1, 0, 1, 0], [0.9, 0.7, 0.7, 0.5, 0.4, 0.2])
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
    found = values_of(measure, pos, neg)
    for row in range(6):
        kept = (pos[row] + neg[row]) > 0
        alone = measure.of(table(pos[row, kept].astype(int), neg[row, kept].astype(int)))
        assert found[row] == pytest.approx(alone, abs=1e-12)


def test_what_a_measure_cannot_do_it_says():
    assert PrecisionAtDepth(3).influence(table(POS, NEG)) is None
    with pytest.raises(th.InvalidInputError, match="has no influence values"):
        PrecisionAtDepth(3).spread(table(POS, NEG))


@pytest.mark.parametrize("measure", [RocAuc(), PartialRocAuc(fpr=(0.0, 0.5))], ids=lambda m: m.described())
def test_weights_by_class_leave_the_limits_of_the_rows(measure):
    rng = np.random.default_rng(6)
    y = np.arange(60) < 25
    s = rng.integers(0, 12, 60) + 3 * y
    plain, weighted = th.Scores(y, s), th.Scores(y, s, sample_weight=np.where(y, 0.25, 3.0))
    want = measure.adverse_ends(measure.estimate(plain), 0.9)
    assert measure.adverse_ends(measure.estimate(weighted), 0.9) == pytest.approx(want, rel=1e-12)


def test_tests_that_need_influence_values_are_those_of_smooth_measures():
    plain = [KolmogorovSmirnov(), PrecisionAtDepth(3), MinCllr(), as_measure("bedroc")]
    for measure in (*SMOOTH[1:], *plain, as_measure("brier")):
        smooth = measure.influence(PROBABLE) is not None
        assert smooth == (measure not in plain)
        assert ("normal" in measure.tests) == smooth
        assert {"bootstrap", "permutation"} <= set(measure.tests)
        assert measure.tests[0] == measure.test
        assert len(set(measure.tests)) == len(measure.tests)
    assert RocAuc().tests == ("delong", "venkatraman", "bootstrap", "permutation")


def test_a_measure_answers_eight_questions():
    classes, asked = [Measure], set()
    while classes:
        below = classes.pop().__subclasses__()
        classes += below
        for cls in (one for one in below if one.__module__.startswith("thresher.measures")):  # not of lists
            own = {name for name, part in vars(cls).items() if inspect.isfunction(part) or name == "kernel"}
            asked |= {name for name in own if hasattr(Measure, name) and not name.startswith("__")}
    assert asked == {"values", "of", "influence", "kernel", "interval", "spread", "error_bound", "remarks"}


class Sixths(Measure):
    """The least that a measure may say of itself: the value of one table."""

    name = "sixths"
    classes = "either"

    def of(self, table):
        return float(np.sum(table.thresholds * table.pos)) / 6.0


def test_a_value_of_one_table_is_enough():
    """Tables of a batch are measured one by one, without the columns that a resample has not drawn."""
    pos, neg = np.array([[1.0, 0, 2], [0, 0, 0]]), np.array([[0.0, 0, 0], [0, 0, 3]])
    assert values_of(Sixths(), pos, neg, np.array([3.0, 2.0, 1.0])).tolist() == [5 / 6, 0.0]
    table = th.Scores([1, 0, 1, 1, 0], [3.0, 2.0, 1.0, 2.0, 0.0])
    assert table.measure(Sixths()).value == 1.0
    drawn = Sixths().resampled(table, IntervalOptions(n_resamples=30, rng=1, stratified=True))
    assert set((6 * drawn.replicates).round(9).tolist()) <= set(range(3, 10))


def test_the_middle_between_extremes_where_ranges_overlap():
    """A positive from 1 to 2 and a negative from 0 to 3/2: it may win or lose. Apart, it wins."""

    def ranges(*rows):
        low, high, pos, neg = (np.array(column) for column in zip(*rows, strict=True))
        return Counts._from_table((low, pos, neg), high)

    def wins(one):
        return one._twice_u / 2

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
