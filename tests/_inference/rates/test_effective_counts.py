"""Rates of weighted and clustered rows, against reference values."""

import numpy as np
import pytest
import scipy

import thresher as th
from support.weights import datasets, expected, rows
from thresher._cells import f_beta_bounds, find
from thresher._curves import OperatingPoint
from thresher._inference.sampling.cells import Cells, effective_scale, effective_share
from thresher._table.cell_sample import CellSample, typical_weights

CELLS = ("tp", "fp", "fn", "tn")
RATES = ("recall", "fpr", "precision", "npv", "accuracy", "alert_rate")


def near(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-15)


def parts(rate):
    """Return what is counted, and out of what."""
    yes, no = find(rate).share
    return yes, (*yes, *no)


def f_beta_limits(cells, beta):
    return near_ends(f_beta_bounds(*cells, beta, 0.95, "jeffreys"))


def near_ends(ends):
    return tuple(pytest.approx(end, rel=1e-9, abs=1e-12) for end in ends)


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
                errors = np.array([point.tp, point.fp, point.fn], dtype=float)
                cases = errors * float(wanted[figure]["n_star"]) / errors.sum()
                found = th.rate_interval("f_beta", point, beta=square**0.5, method="jeffreys")
                assert tuple(found) == f_beta_limits(cases, square**0.5)
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
            size = effective_share(cells_of(point), *parts(rate), 0.95)[1]
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
        point = OperatingPoint(0.5, tp, fp, fn, tn, sample=sample)
        found = th.rate_interval("f_beta", point, beta=beta, method="jeffreys")
        # Rows in clusters are never worth more than independent ones.
        worth = min(1.0, float(cases.sum() / (tp + fp + fn)))
        assert tuple(found) == f_beta_limits(np.array([tp, fp, fn]) * worth, beta)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_f_beta_of_rows_that_weigh_twice(beta):
    sample = CellSample((8.0, 8.0, 0.0, 4.0), (2.0,) * 4)
    point = OperatingPoint(0.5, 4.0, 4.0, 0.0, 2.0, sample=sample)
    found = th.rate_interval("f_beta", point, beta=beta, method="jeffreys")
    assert tuple(found) == f_beta_limits((2.0, 2.0, 0.0), beta)


@pytest.mark.parametrize("rate", [*RATES, "specificity", "f_beta"])
@pytest.mark.parametrize("clustered", [False, True])
def test_a_rate_has_one_interval(rate, clustered):
    """That of the measure and of the operating point."""
    rng = np.random.default_rng(5)
    y, s = rng.random(240) < 0.3, rng.normal(size=240).round(1)
    extra = {"cluster": np.arange(240) // 4} if clustered else {"sample_weight": rng.uniform(0.5, 3.0, 240)}
    scores = th.Scores(y, s + y, **extra)
    point = scores.roc().at(threshold=0.7)
    for method in ("bayes", "wilson", "clopper-pearson", "jeffreys"):
        low, high = scores.measure(rate, threshold=0.7).confidence_interval(method=method)
        assert tuple(th.rate_interval(rate, point, method=method)) == (low, high)
    figures = {"precision": point.ppv, "npv": point.npv}
    if rate in figures:
        assert tuple(figures[rate]().confidence_interval()) == tuple(th.rate_interval(rate, point))


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
