"""Rates of weighted and clustered rows, against reference values."""

import numpy as np
import pytest
import scipy

import thresher as th
from support.weights import datasets, expected, rows
from thresher._inference.rates.effective_counts import Cells, effective_f_beta, effective_scale, effective_share
from thresher._inference.rates.operating_rates import _PARTS
from thresher._table.cell_sample import CellSample, typical_weights

CELLS = ("tp", "fp", "fn", "tn")
RATES = ("recall", "fpr", "precision", "npv", "accuracy", "alert_rate")


def near(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-15)


def cells_of(point):
    return Cells({name: float(getattr(point, name)) for name in CELLS}, point.sample)


@pytest.mark.parametrize("name", sorted(datasets()))
def test_reference(name):
    scores = rows(name).scores()
    for wanted in expected(name)["rates"]:
        point = scores.roc().at(threshold=float(wanted["threshold"]))
        if point.sample is not None:
            for place, cell in enumerate(CELLS):
                assert point.sample.squares[place] == near(wanted["cells"][cell]["Q"])
                assert point.sample.typical[place] == near(wanted["cells"][cell]["r"])
            for square, figure in ((1.0, "f_beta_squared_1"), (4.0, "f_beta_squared_4")):
                size = sum(effective_f_beta(cells_of(point), square**0.5, 0.95))
                assert size == near(wanted[figure]["n_star"])
        for rate in RATES:
            for method, ends in wanted[rate]["intervals"].items():
                found = th.rate_interval(rate, point, method=method)
                assert tuple(found) == tuple(near(end) for end in ends)


def test_clusters():
    scores = rows("clusters").scores(cluster=datasets()["clusters"]["rows"]["group"])
    for wanted in expected("clusters")["rates"]:
        point = scores.roc().at(threshold=float(wanted["threshold"]))
        for rate in RATES:
            told = wanted[rate]["clusters"]
            if not 0.0 < float(wanted[rate]["share"]) < 1.0:
                continue
            size = effective_share(cells_of(point), *_PARTS[rate], 0.95)[1]
            number, count = told["clusters"], told["rows"]
            quantile = [scipy.special.stdtrit(df - 1, 0.025) for df in (count, number)]
            factor = (quantile[0] / quantile[1]) ** 2 * (number - 1) * count / (number * (count - 1))
            assert size / factor == near(told["n_star_before_df"])


def test_windows_by_brute_force():
    rng = np.random.default_rng(0)
    w = np.where(rng.random(40) < 0.4, 0.0, rng.lognormal(size=40))
    q = w * w * rng.uniform(0.2, 1.0, 40)
    found = typical_weights(w, q)

    def slow(weight, squared, cut):
        own = squared[:cut].sum() / weight[:cut].sum() if weight[:cut].sum() else 0.0
        for end in range(cut, weight.size + 1):
            total = weight[:end].sum()
            if end == weight.size or (total and total**2 / squared[:end].sum() >= 10):
                return max(own, squared[:end].sum() / total)
        raise AssertionError

    for cut in range(41):
        assert found.above[cut] == pytest.approx(slow(w, q, cut), rel=1e-12)
        assert found.below[cut] == pytest.approx(slow(w[::-1], q[::-1], 40 - cut), rel=1e-12)


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_cases_for_a_unit_of_weight_by_hand(unit):
    """Weights of one to four units: nothing depends on what a unit is."""
    weight = {"tp": 6.0 * unit, "fp": 8.0 * unit, "fn": 2.0 * unit, "tn": 0.0}
    cells = Cells(weight, CellSample((0.0,) * 4, (3.0 * unit, 4.0 * unit, 1.0 * unit, 2.0 * unit)))
    score = np.array([0.5, 0.0, -1.5, 0.0])
    # Costs 1/4 of 6 and 9/4 of 2 units; rows of 3 units and of 1.
    want = (6 / 4 + 18 / 4) / (3 * 6 / 4 + 18 / 4) / unit
    assert effective_scale(cells, score, ("tp", "fn"), 0.95) == pytest.approx(want)
    # All alike: rows of 3 units, and of 1; together (3 x 6 + 1 x 2) / 8.
    nothing = np.zeros(4)
    assert effective_scale(cells, nothing, ("tp",), 0.95) == pytest.approx(1 / (3 * unit))
    assert effective_scale(cells, nothing, ("tp", "fn"), 0.95) == pytest.approx(1 / (2.5 * unit))
    assert effective_scale(cells, nothing, ("tn",), 0.95) == 0.0
    # F1 = 12 / 22; a row of each kind moves 2 (1 - F), -F and -F.
    f = 12 / 22
    costs = (4 * (1 - f) ** 2, f * f, f * f)
    scale = np.dot(costs, (6, 8, 2)) / np.dot(costs, (3 * 6, 4 * 8, 1 * 2))
    assert effective_f_beta(cells, 1.0, 0.95) == pytest.approx((6 * scale, 8 * scale, 2 * scale))


def test_f_beta_of_clusters_by_hand():
    """Rows of a cluster move F together: what one finds and another misses cancels before it is squared."""
    groups = np.array([[2.0, 1, 0, 0], [1, 0, 1, 3], [0, 2, 1, 1], [3, 0, 0, 2]])
    tp, fp, fn, tn = groups.sum(axis=0)
    sample = CellSample((tp, fp, fn, tn), (1.0,) * 4, None, groups, groups)
    for beta in (1.0, 2.0):
        square = beta**2
        f = (1 + square) * tp / ((1 + square) * tp + square * fn + fp)
        moves = np.array([(1 + square) * (1 - f), -f, -square * f, 0.0])
        rows = tp + fp + fn
        # The variance of a mean over four clusters, beside that over as many rows; and so for the quantiles of t.
        clustered = ((groups @ moves) ** 2).sum() * 4 / 3
        alone = (groups.sum(axis=0) @ moves**2) * rows / (rows - 1)
        quantiles = scipy.stats.t.ppf(0.975, rows - 1) / scipy.stats.t.ppf(0.975, 3)
        cases = np.array([tp, fp, fn]) * alone / clustered * quantiles**2
        cells = Cells({"tp": tp, "fp": fp, "fn": fn, "tn": tn}, sample)
        assert effective_f_beta(cells, beta, 0.95) == pytest.approx(cases)


def test_f_beta_of_as_many_right_as_wrong_calls():
    sample = CellSample((0.0,) * 4, (2.0,) * 4)  # every row weighs 2
    for fn in (0.0, 6.0):
        found = effective_f_beta(Cells({"tp": 4.0, "fp": 4.0 + fn, "fn": fn, "tn": 2.0}, sample), 1.0, 0.95)
        assert found == pytest.approx((2.0, 2.0 + fn / 2, fn / 2))
    assert effective_f_beta(Cells({"tp": 0.0, "fp": 0.0, "fn": 0.0, "tn": 2.0}, sample), 1.0, 0.95) == (0, 0, 0)


def test_class_constant_weights_change_no_bit():
    rng = np.random.default_rng(1)
    y, s = rng.random(90) < 0.3, rng.normal(size=90).round(1)
    balanced = th.Scores(y, s, sample_weight=np.where(y, 1 / 0.3, 1 / 0.7))
    for rate in ("recall", "fpr", "specificity"):
        a, b = (th.rate_interval(rate, scores.roc().at(threshold=0.4)) for scores in (balanced, th.Scores(y, s)))
        assert a == b


def test_a_coin_between_thresholds_and_other_data():
    rng = np.random.default_rng(2)
    y, s, w = rng.random(200) < 0.4, rng.normal(size=200), rng.uniform(0.5, 3.0, 200)
    s = s + y
    scores = th.Scores(y, s, sample_weight=w)
    point = scores.choose_threshold(min_recall=0.8, mix=True)
    assert point.mix is not None
    assert th.rate_interval("recall", point).width > th.rate_interval("recall", tp=8, fn=2, fp=0, tn=0).width / 20
    replayed = th.tune(scores, min_recall=0.8).evaluate(th.Scores(y, s + 0.01, sample_weight=w)).point
    same = th.Scores(y, s + 0.01, sample_weight=w).roc().at(threshold=replayed.threshold)
    assert th.rate_interval("precision", replayed) == th.rate_interval("precision", same)


def test_sums_of_weights_alone_are_refused():
    point = th.Scores.from_counts([2, 1], [1.5, 0.5], [0.5, 2.5]).roc().at(threshold=2)
    with pytest.raises(th.InvalidInputError, match="An interval needs the sums of squared weights"):
        th.rate_interval("recall", point)
