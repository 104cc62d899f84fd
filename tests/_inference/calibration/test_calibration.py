"""Calibration against reference values in exact arithmetic, scikit-learn's isotonic fit, and its own identities."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

import thresher as th
from support.calibration import NAMES, REFERENCE, number, scores_of
from support.thorough import at_least

PARTS = ("mean", "miscalibration", "discrimination", "uncertainty", "recalibrated")
INFINITE = pytest.mark.filterwarnings("ignore:The log loss is infinite")


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_exact_fractions(name):
    calibration = scores_of(name).calibration()
    expected = REFERENCE[name]["blocks"]
    assert [block.as_fraction() for block in calibration.blocks] == [
        Fraction(b["calibrated"]["exact"]) for b in expected
    ]
    assert [(block.high, block.low) for block in calibration.blocks] == [(b["high"], b["low"]) for b in expected]
    # 0 ulp from the exact fractions.
    assert calibration.calibrated.tolist() == [float(Fraction(q)) for q in REFERENCE[name]["isotonic"]]


@INFINITE
@pytest.mark.parametrize("name", NAMES)
def test_decompositions(name):
    calibration = scores_of(name).calibration()
    for score, tolerance in (("brier", 0.0), ("log", 1e-13)):
        parts = calibration.decomposition(score)
        for part in PARTS:
            # Fractions of the Brier score are correctly rounded.
            assert getattr(parts, part) == pytest.approx(number(REFERENCE[name][score][part]), rel=tolerance, abs=0.0)
    if "skill" in REFERENCE[name]["brier"] and REFERENCE[name]["brier"]["skill"] is not None:
        assert calibration.decomposition().skill == pytest.approx(number(REFERENCE[name]["brier"]["skill"]), rel=1e-13)


@INFINITE
@pytest.mark.parametrize("name", NAMES)
def test_at_another_prevalence(name):
    reference = REFERENCE[name]["at_prevalence_1/10"]
    same = scores_of(name).calibration(prevalence=0.1)
    assert [block.calibrated for block in same.blocks] == pytest.approx(
        [number(q) for q in reference["blocks"]], rel=1e-14
    )
    moved = scores_of(name).calibration(prevalence=0.1, shift_scores=True)
    for calibration, key, score, tolerance in (
        (same, "brier_same_scores", "brier", 0.0),
        (moved, "brier_moved_scores", "brier", 1e-12),
        (same, "log_same_scores", "log", 1e-13),
    ):
        parts = calibration.decomposition(score)
        for part in PARTS:
            # Moved scores are rounded before they are used.
            expected = pytest.approx(number(reference[key][part]), rel=tolerance, abs=1e-17 if tolerance else 0.0)
            assert getattr(parts, part) == expected


@pytest.mark.parametrize("name", NAMES)
def test_murphy(name):
    reference = REFERENCE[name]["murphy"]
    theta = [
        number(row["theta"]) if isinstance(row["theta"], dict) else float(Fraction(row["theta"])) for row in reference
    ]
    curve = scores_of(name).calibration().murphy(theta)
    for i in range(len(theta)):
        row = reference[int(np.argsort(theta)[i])]
        for part in PARTS:
            assert getattr(curve, part)[i] == pytest.approx(number(row[part]), abs=1e-15)
        whole = scores_of(name).calibration().decomposition(curve.theta[i].item())
        assert curve.mean[i] == pytest.approx(whole.mean, abs=1e-15)


@pytest.mark.parametrize("name", [name for name in NAMES if REFERENCE[name].get("band_95")])
@pytest.mark.filterwarnings("ignore:The confidence band crosses")
def test_honest_band(name):
    band = scores_of(name).calibration().band(groups=1000)
    reference = REFERENCE[name]["band_95"]
    assert band.low[::-1] == pytest.approx([float(x) for x in reference["low"]], rel=1e-12, abs=1e-15)
    assert band.high[::-1] == pytest.approx([float(x) for x in reference["high"]], rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_named_tests(name):
    calibration = scores_of(name).calibration()
    reference = REFERENCE[name].get("spiegelhalter")
    if reference and reference["statistic"] is not None:
        found = calibration.test("spiegelhalter")
        assert found.statistic == pytest.approx(float(reference["statistic"]), rel=1e-12, abs=1e-15)
        assert found.pvalue == pytest.approx(float(reference["pvalue"]), rel=1e-12)
    reference = REFERENCE[name].get("cumulative")
    if reference and "range_pvalue" in reference:
        found = calibration.test("cumulative")
        assert found.statistic == pytest.approx(number(reference["range_statistic"]), rel=1e-12)
        assert found.pvalue == pytest.approx(number(reference["range_pvalue"]), rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_binned_error(name):
    calibration = scores_of(name).calibration()
    for bins in (5, 10):
        key = f"ece_{bins}_equal_width"
        if key in REFERENCE[name]:
            assert calibration.ece(bins=bins) == pytest.approx(number(REFERENCE[name][key]), rel=1e-12, abs=1e-15)


rows = st.lists(st.tuples(st.integers(0, 16), st.booleans()), min_size=3, max_size=80)


@at_least(25)
@given(rows)
def test_the_hull_is_isotonic_regression(cases):
    x, y = np.array([case[0] for case in cases]) / 16, np.array([case[1] for case in cases])
    fitted = IsotonicRegression(y_min=0, y_max=1).fit(x, y).predict(np.unique(x))
    assert th.Scores(y, x).calibration().calibrated[::-1] == pytest.approx(fitted, abs=2e-16)


@INFINITE
@at_least(25)
@given(rows)
def test_identities(cases):
    x, y = np.array([case[0] for case in cases]) / 16, np.array([case[1] for case in cases])
    scores = th.Scores(y, x)
    calibration = scores.calibration()
    brier = calibration.decomposition()
    assert brier.mean == pytest.approx(brier_score_loss(y, x, pos_label=True), rel=1e-13, abs=1e-16)
    for score in ("brier", "log", 0.3, (2.0, 3.0)):
        parts = calibration.decomposition(score)
        assert parts.miscalibration >= 0
        assert parts.discrimination >= 0
        if math.isfinite(parts.mean):
            total = parts.miscalibration - parts.discrimination + parts.uncertainty
            assert parts.mean == pytest.approx(total, rel=1e-12, abs=1e-15)
        if 0 < y.mean() < 1 and score != 0.3:
            # Exchanging the classes and turning the scores changes nothing but the order of a beta weight.
            turned = th.Scores(~y, 1 - x).calibration().decomposition(score if isinstance(score, str) else (3.0, 2.0))
            assert turned.discrimination == pytest.approx(parts.discrimination, rel=1e-12, abs=1e-15)
    assert calibration.decomposition((1.0, 1.0)).mean == pytest.approx(brier.mean / 2, rel=1e-13)
    again = th.Scores.from_counts(calibration.calibrated, scores.pos, scores.neg).calibration().decomposition()
    assert again.miscalibration == pytest.approx(0.0, abs=1e-16)


def test_many_scores_give_the_same_as_fractions(monkeypatch):
    from thresher._inference.calibration import proper_scores

    data = th.datasets.load_digits_eight()
    calibration = th.Scores(data.y_true, data.logistic).calibration()
    exact = calibration.decomposition()
    monkeypatch.setattr(proper_scores, "_FEW", 100)
    fast = calibration.decomposition()
    for part in PARTS:
        assert getattr(fast, part) == pytest.approx(getattr(exact, part), rel=1e-13)
    assert calibration.decomposition("log").mean == pytest.approx(log_loss(data.y_true, data.logistic), rel=1e-12)


def test_infinite_log_loss_is_said_and_never_clipped():
    scores = th.Scores([1, 1, 0, 0], [0.0, 0.9, 0.3, 1.0])
    with pytest.warns(th.ThresherWarning, match="1 positives have score 0 and 1 negatives have score 1"):
        parts = scores.calibration().decomposition("log")
    assert parts.mean == parts.miscalibration == math.inf
    assert math.isfinite(parts.discrimination)
    with pytest.warns(th.ThresherWarning, match="infinite"):
        assert scores.calibration().test().pvalue == 0.0
    certain = th.Scores([1, 0], [1.0, 0.0]).calibration().decomposition("log")
    assert certain.mean == 0.0


def test_bands_and_groups():
    rng = np.random.default_rng(0)
    x = rng.random(2000)
    calibration = th.Scores(rng.random(2000) < x, x).calibration()
    honest, pointwise = calibration.band(), calibration.band(method="consistency", simultaneous=False, rng=0)
    assert (honest.low <= honest.x).all()
    assert (honest.x <= honest.high).all()
    whole = calibration.band(method="consistency", rng=0)
    assert (whole.low <= pointwise.low).all()
    assert (whole.high >= pointwise.high).all()
    curve = calibration.curve.calibrated[::-1]
    assert (pointwise.contains(curve)).mean() > 0.85
    assert honest.simultaneous
    labels = rng.random(400) < np.repeat([0.2, 0.5, 0.7, 0.9], 100)
    blocked = th.Scores(labels, np.repeat([0.1, 0.4, 0.6, 0.8], 100)).calibration().band()
    assert blocked.x.tolist() == [0.1, 0.4, 0.6, 0.8]
    assert blocked.value == pytest.approx(labels.reshape(4, 100).mean(axis=1))  # they rise
    fewer = calibration.band(groups=5)
    assert np.mean(fewer.high - fewer.low) > np.mean(honest.high - honest.low)


def test_a_falling_curve_crosses_its_band():
    scores = th.Scores.from_counts([0.9, 0.1], pos=[5, 195], neg=[195, 5])
    with pytest.warns(th.ThresherWarning, match="crosses itself"):
        scores.calibration().band()


def test_intervals():
    data = th.datasets.load_digits_eight()
    calibration = th.Scores(data.y_true, data.logistic).calibration()
    parts = calibration.decomposition()
    losses = (np.asarray(data.logistic) - data.y_true) ** 2
    reach = 1.959963984540054 * losses.std() / math.sqrt(losses.size)
    assert tuple(parts.confidence_interval()) == pytest.approx((losses.mean() - reach, losses.mean() + reach))
    for part in ("miscalibration", "discrimination", "skill"):
        low, high = parts.confidence_interval(part, n_resamples=200, rng=0)
        assert low <= high
    low, high = parts.confidence_interval("miscalibration")
    assert 0 <= low <= parts.miscalibration <= high
    null = parts.null(n_resamples=99, rng=0)
    assert 0 < null.mean < null.quantile_95 < parts.miscalibration


def test_evidence_from_other_data():
    rng = np.random.default_rng(1)
    x = rng.random(800)
    y = rng.random(800) < 0.25 + x / 2

    class Truth:
        def predict(self, scores):
            return 0.25 + np.asarray(scores) / 2

    found = th.Scores(y, x).calibration().test("e-value", reference=Truth())
    q = 0.25 + x / 2
    expected = np.sum(np.where(y, np.log(q / x), np.log((1 - q) / (1 - x))))
    assert found.statistic == pytest.approx(expected)
    assert found.pvalue == pytest.approx(math.exp(-expected))
    assert found.evalue == pytest.approx(math.exp(expected))


def test_hosmer_lemeshow_by_hand():
    x, pos, neg = [0.2, 0.4, 0.8], [3, 4, 7], [7, 6, 3]
    found = th.Scores.from_counts(x, pos, neg).calibration().test("hosmer-lemeshow", groups=3)
    expected = sum((p - 10 * s) ** 2 / (10 * s * (1 - s)) for s, p in zip(x, pos, strict=True))
    assert found.statistic == pytest.approx(expected)
    assert found.pvalue == pytest.approx(scipy.special.chdtrc(3, expected))


def test_refusals():
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores([0, 1, 1], [0.5, 2.0, 3.2]).calibration()
    assert str(caught.value) == (
        "`calibration` reads scores as probabilities in [0, 1]; got 3.2 (and 1 other scores). "
        "Hint: th.Calibrator.fit(tuning).apply(scores), or a metric that needs ranks only, such as `roc_auc`."
    )
    weighted = th.Scores([0, 1, 1, 0], [0.2, 0.3, 0.6, 0.7], sample_weight=[0.5, 1.5, 1.0, 1.0]).calibration()
    weighted.decomposition()
    for call in (weighted.band, weighted.test):
        with pytest.raises(th.InvalidInputError, match="got weights"):
            call()
    plain = th.Scores([0, 1], [0.0, 1.0]).calibration()
    with pytest.raises(th.InvalidInputError, match="strictly between 0 and 1"):
        plain.logistic()
    with pytest.raises(th.UndefinedMetricError, match="no finite fit exists"):
        th.Scores([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8]).calibration().logistic()
    with pytest.raises(th.InvalidInputError, match="`score` must be 'brier', 'log'"):
        plain.decomposition("mse")
    with pytest.raises(th.InvalidInputError, match="must refer to the prevalence of the data"):
        th.Scores([0, 1], [0.3, 0.6]).calibration(prevalence=0.1).test()
    with pytest.raises(th.InvalidInputError, match="must come with a `prevalence`"):
        th.Scores([0, 1], [0.3, 0.6]).calibration(shift_scores=True)


@pytest.mark.slow
def test_the_resampled_test_keeps_its_level():
    """400 calibrated samples of 80 rows; rejections at 5% within three standard errors."""
    rejected = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        x = scipy.special.expit(rng.normal(-0.5, 1.5, 80))
        rejected += th.Scores(rng.random(80) < x, x).calibration().test(n_resamples=199, rng=seed).pvalue <= 0.05
    assert abs(rejected - 20) <= 3 * math.sqrt(400 * 0.05 * 0.95)


@pytest.mark.parametrize("score", ["brier", "log"])
def test_the_resampled_test_against_all_that_can_happen(score):
    """Two scores with three and four rows: the chance of every pair of counts, its miscalibration by two lines."""
    x, sizes, seen = (0.7, 0.2), (4, 3), (1, 2)

    def loss(p, share):
        if score == "brier":
            return share * (1 - p) ** 2 + (1 - share) * p**2
        return -(scipy.special.xlogy(share, p) + scipy.special.xlogy(1 - share, 1 - p))

    def miscalibration(counts):
        shares = [k / n for k, n in zip(counts, sizes, strict=True)]
        best = shares if shares[0] > shares[1] else [sum(counts) / sum(sizes)] * 2
        return sum(n * (loss(p, s) - loss(b, s)) for n, p, s, b in zip(sizes, x, shares, best, strict=True))

    chance = sum(
        stats.binom.pmf(i, 4, 0.7) * stats.binom.pmf(j, 3, 0.2)
        for i in range(5)
        for j in range(4)
        if miscalibration((i, j)) >= miscalibration(seen) - 1e-12
    )
    scores = th.Scores.from_counts(x, pos=seen, neg=[n - k for n, k in zip(sizes, seen, strict=True)])
    found = scores.calibration().test(score=score, n_resamples=999, rng=2)
    assert found.statistic == pytest.approx(miscalibration(seen) / 7)
    assert 0.02 < chance < 0.5
    assert found.pvalue == pytest.approx(chance, abs=4 * math.sqrt(chance * (1 - chance) / 1000))


def test_cox_by_the_likelihood_of_a_fit_made_otherwise():
    rng = np.random.default_rng(4)
    x = rng.uniform(0.05, 0.95, 300)
    y = rng.random(300) < x**1.4

    def minus_log_likelihood(given):
        log_odds = given[0] + given[1] * np.log(x / (1.0 - x))
        return np.logaddexp(0.0, np.where(y, -log_odds, log_odds)).sum()

    best = optimize.minimize(minus_log_likelihood, (0.0, 1.0), method="BFGS")
    statistic = 2.0 * (minus_log_likelihood((0.0, 1.0)) - best.fun)
    found = th.Scores(y, x).calibration().test("cox")
    assert found.statistic == pytest.approx(statistic, rel=1e-6)
    assert found.pvalue == pytest.approx(stats.chi2.sf(statistic, 2), rel=1e-5)
    with pytest.raises(th.UndefinedMetricError, match='"cox" needs two distinct scores; got one'):
        th.Scores([0, 1, 1], [0.5, 0.5, 0.5]).calibration().test("cox")


@pytest.mark.parametrize("bins", [1, 3, 4, 50])
def test_ece_in_bins_of_equal_counts(bins):
    """Rows by score; a score belongs to the bin in which the first of its rows lies."""
    rng = np.random.default_rng(bins)
    x = np.sort(rng.integers(0, 9, 40) / 8)
    y = rng.random(40) < x
    gaps = [Fraction(0)] * bins
    for value in np.unique(x):
        here = x == value
        first = int(np.flatnonzero(here)[0])
        gaps[first * bins // 40] += int(y[here].sum()) - int(here.sum()) * Fraction(float(value))
    found = th.Scores(y, x).calibration().ece(bins=bins, strategy="count")
    assert found == pytest.approx(float(sum(map(abs, gaps)) / 40), abs=1e-12)


def test_what_calibration_needs():
    scores = th.Scores([1, 0, 1, 0], [0.9, 0.8, 0.6, 0.1])
    assert scores.calibration().prevalence == 0.5
    assert scores.calibration(prevalence=0.25).prevalence == 0.25
    assert "at prevalence 0.25" in repr(scores.calibration(prevalence=0.25))
    weights = np.linspace(0.7, 1.3, 40)
    weighted = th.Scores(np.arange(40) % 3 == 0, np.arange(40) / 40, sample_weight=weights)
    assert repr(weighted.calibration()).startswith("Calibration of 40 weighted rows: 40 scores in ")
    with pytest.raises(th.UndefinedMetricError, match="Calibration at another prevalence needs both classes"):
        th.Scores([1, 1], [0.9, 0.8]).calibration(prevalence=0.25)
    with pytest.raises(th.InvalidInputError, match="`reference` must be a calibrator fitted on other data"):
        scores.calibration().test("e-value")
    many = np.linspace(0.001, 0.999, 300)
    with pytest.raises(th.InvalidInputError, match="`calibration` needs every score; got a compressed table"):
        th.Scores(np.arange(300) % 3 == 0, many).compress(10).calibration()
