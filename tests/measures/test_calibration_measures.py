"""Brier, log loss, H, EER, Cllr and their kin: reference values, peers' formulas, intervals and comparisons."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import thresher as th
from support.calibration import NAMES, REFERENCE, number, scores_of

RANKS = ("h_measure", "eer", "min_cllr", "discrimination", "ks", "gini", "bedroc", "enrichment_factor")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:The log loss is infinite")
def test_reference_values(name):
    scores, reference = scores_of(name), REFERENCE[name]
    assert scores.measure("brier").value == number(reference["brier"]["mean"])
    assert scores.measure("log_loss").value == pytest.approx(number(reference["log"]["mean"]), rel=1e-13)
    assert scores.measure("miscalibration").value == number(reference["brier"]["miscalibration"])
    dsc = number(reference["brier"]["discrimination"])
    assert scores.measure("discrimination").value == pytest.approx(dsc, rel=1e-12, abs=1e-16)
    assert scores.measure("eer").value == number(reference["eer_hull"])
    assert scores.measure("min_cllr").value == pytest.approx(number(reference["min_cllr"]), rel=1e-13, abs=1e-16)
    for key, prevalence in (("at_own_prevalence", None), ("at_one_half", 0.5)):
        expected = number(reference["cllr"][key])
        assert scores.measure("cllr", prevalence=prevalence).value == pytest.approx(expected, rel=1e-12)
    share = float(scores.prevalence)
    for key, options in (
        ("beta(2,2)", {"weight": (2, 2)}),
        ("beta(1,1)", {"weight": (1, 1)}),
        ("beta(2,5)", {"weight": (2, 5)}),
        ("beta(1+pi,2-pi)", {}),
        ("beta(2,1/pi)", {"severity": share / (1 - share)}),
    ):
        expected = number(reference["h_measure"][key])
        assert scores.measure("h_measure", **options).value == pytest.approx(expected, rel=1e-12, abs=1e-15)


def sample(seed: int = 0, n: int = 300):
    rng = np.random.default_rng(seed)
    x = rng.random(n)
    return rng.random(n) < x, x


def test_net_benefit_is_a_point_of_the_decision_curve():
    y, x = sample()
    scores = th.Scores(y, x)
    for prevalence in (None, 0.1):
        curve = scores.decision_curve([0.3], prevalence=prevalence)
        found = scores.measure("net_benefit", threshold_probability=0.3, prevalence=prevalence)
        assert found.value == pytest.approx(curve.net_benefit[0], abs=1e-15)
        band = curve.band()
        assert tuple(found.confidence_interval()) == pytest.approx((band.low[0], band.high[0]))


def test_identities():
    y, x = sample()
    scores = th.Scores(y, x)
    ks = scipy.stats.ks_2samp(x[y], x[~y], alternative="less").statistic
    assert scores.measure("ks").value == pytest.approx(ks, abs=1e-12)
    assert scores.measure("gini").value == pytest.approx(2 * scores.roc_auc().value - 1)
    low, high = scores.roc_auc().confidence_interval()
    assert tuple(scores.measure("gini").confidence_interval()) == pytest.approx((2 * low - 1, 2 * high - 1))
    parts = scores.calibration().decomposition()
    ratio = parts.discrimination / parts.uncertainty
    assert scores.measure("h_measure", weight=(1, 1)).value == pytest.approx(ratio)
    even = scores.calibration(prevalence=0.5).decomposition("log")
    assert 1 - scores.measure("min_cllr").value == pytest.approx(even.discrimination / even.uncertainty)
    assert scores.measure("eer", curve="roc").value == pytest.approx(
        scores.det().equal_error_rate(curve="roc"), abs=1e-12
    )
    assert scores.measure("eer").value == pytest.approx(scores.det().equal_error_rate(), abs=1e-12)


def test_bedroc_and_enrichment_by_the_definition():
    y, x = sample(3, 50)
    order = np.argsort(-x)
    ranks = np.flatnonzero(y[order]) + 1
    n, total, alpha = y.sum(), y.size, 20.0
    share = n / total
    enhanced = np.exp(-alpha * ranks / total).sum() / (n / total * (1 - np.exp(-alpha)) / (np.exp(alpha / total) - 1))
    scale = share * np.sinh(alpha / 2) / (np.cosh(alpha / 2) - np.cosh(alpha / 2 - alpha * share))
    expected = enhanced * scale + 1 / (1 - np.exp(alpha * (1 - share)))
    assert th.Scores(y, x).measure("bedroc").value == pytest.approx(expected, rel=1e-12)
    top = y[order][:10].mean() / y.mean()
    assert th.Scores(y, x).measure("ef", fraction=0.2).value == pytest.approx(top)


@pytest.mark.parametrize("metric", RANKS)
def test_ranks_alone_matter(metric):
    y, x = sample(1)
    x = np.round(x, 2)
    here, there = th.Scores(y, x).measure(metric), th.Scores(y, np.exp(9 * x)).measure(metric)
    assert here.value == there.value
    halves = th.Scores(y[:100], x[:100]) + th.Scores(y[100:], x[100:])
    assert halves.measure(metric).value == here.value
    twice = th.Scores(np.tile(y, 2), np.tile(x, 2))
    if metric != "bedroc":  # which counts ranks in cases
        assert twice.measure(metric).value == pytest.approx(here.value, rel=1e-12)
    if metric != "enrichment_factor":  # of the first 1% of 300, all are positives in every resample
        low, high = here.confidence_interval(n_resamples=60, rng=0)
        assert low < high


def test_mean_losses_have_the_interval_of_their_rows():
    y, x = sample(2)
    losses = np.where(y, -np.log(x), -np.log1p(-x))
    found = th.Scores(y, x).measure("log_loss")
    assert found.value == pytest.approx(losses.mean())
    assert found.standard_error() == pytest.approx(losses.std() / math.sqrt(losses.size))


@pytest.mark.parametrize(
    ("metric", "options"), [("brier", {}), ("log_loss", {}), ("net_benefit", {"threshold_probability": 0.3})]
)
def test_models_are_compared_by_their_rows(metric, options):
    y, x = sample(4, 500)
    other = np.clip(0.5 + 0.6 * (x - 0.5), 0.01, 0.99)
    x = np.clip(x, 0.01, 0.99)
    result = th.compare(y, {"a": x, "b": other}, metric=metric, **options)
    losses = {
        "brier": lambda p: (y - p) ** 2,
        "log_loss": lambda p: -np.log(np.where(y, p, 1 - p)),
        "net_benefit": lambda p: np.where(p >= 0.3, np.where(y, 1.0, -0.3 / 0.7), 0.0),
    }[metric]
    gaps = losses(x) - losses(other)
    pair = result.pairs[0]
    assert result.method == "normal"
    assert pair.difference == pytest.approx(gaps.mean())
    # Within the classes without bias, and between them as the number of positives varies.
    share, inside, apart = y.mean(), 0.0, gaps[y].mean() - gaps[~y].mean()
    for side, part in ((y, share), (~y, 1 - share)):
        inside += part**2 * gaps[side].var(ddof=1) / side.sum()
    assert pair.standard_error == pytest.approx(math.sqrt(inside + share * (1 - share) * apart**2 / y.size))
    assert pair.standard_error == pytest.approx(gaps.std() / math.sqrt(gaps.size), rel=0.01)
    same = th.compare(y, {"a": x, "b": x}, metric=metric, **options)
    assert same.pvalue == 1.0
    twice = [np.repeat(column, 2) for column in (y, x, other, np.arange(500))]
    copies = th.compare(twice[0], {"a": twice[1], "b": twice[2]}, metric=metric, cluster=twice[3], **options).pairs[0]
    assert copies.standard_error == pytest.approx(pair.standard_error, rel=0.01)
    assert copies.df == 499


def test_influence_sums_to_nothing_and_gives_the_variance():
    y, x = sample(5)
    scores = th.Scores(y, x)
    found = th.measures.Brier().influence(scores)
    assert float(scores.pos @ found.pos) == pytest.approx(0.0, abs=1e-12)
    assert float(scores.neg @ found.neg) == pytest.approx(0.0, abs=1e-12)
    # One more negative's worth of odds: a numerical derivative.
    heavier = th.Scores(y, x, sample_weight=np.where(y, 1.0, 1.0 + 1e-6))
    slope = (th.measures.Brier().of(heavier) - scores.measure("brier").value) / math.log1p(1e-6)
    assert found.odds == pytest.approx(slope, rel=1e-4)


def test_refusals():
    scores = th.Scores([0, 1, 1], [0.5, 2.0, 3.0])
    for metric in ("brier", "log_loss", "cllr", "miscalibration"):
        with pytest.raises(th.InvalidInputError, match="reads scores as probabilities"):
            scores.measure(metric)
    scores.measure("h_measure")
    infinite = th.Scores([0, 1, 1, 0], [1.0, 0.5, 0.7, 0.2]).measure("log_loss")
    assert infinite.value == math.inf
    with pytest.raises(th.UndefinedMetricError, match="infinite"):
        infinite.confidence_interval()
    with pytest.raises(th.InvalidInputError, match="`threshold_probability` must be one number in"):
        scores.measure("net_benefit", threshold_probability=1.5)
    with pytest.raises(th.InvalidInputError, match="`weight` must be 'hand2014'"):
        scores.measure("h_measure", weight="hand")
