"""Figures at a cut-off, decision curves, calibration: ratios of weights count, copies in a cluster tell nothing new."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")


def rows(n=200, seed=2):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, 1.0 / (1.0 + np.exp(-(1.5 * y - 0.7 + rng.normal(size=n)))), rng.uniform(0.5, 2.0, n)


def point(scores):
    return scores.roc().at(threshold=0.5)


def in_the_large(scores):
    found = scores.calibration().in_the_large()
    return found.low, found.high


def band(scores, **options):
    found = scores.decision_curve([0.3], **options).band()
    return found.low[0], found.high[0]


INTERVALS = {
    "lr_positive": lambda s: point(s).lr_positive().confidence_interval(),
    "lr_negative": lambda s: point(s).lr_negative().confidence_interval(),
    "dor": lambda s: point(s).dor().confidence_interval(),
    "ppv": lambda s: point(s).ppv().confidence_interval(),
    "ppv elsewhere": lambda s: point(s).ppv(prevalence=0.1).confidence_interval(),
    "npv": lambda s: point(s).npv().confidence_interval(),
    "decision curve": band,
    "decision curve elsewhere": lambda s: band(s, prevalence=0.1),
    "calibration in the large": in_the_large,
    "Brier score": lambda s: s.measure("brier").confidence_interval(),
    "PR-gain area": lambda s: s.pr_gain_interval(n_resamples=200, rng=0),
    "threshold": lambda s: s.threshold_interval(min_recall=0.9),
    "threshold by FPR": lambda s: s.threshold_interval(max_fpr=0.2),
}


@pytest.mark.parametrize("name", INTERVALS)
def test_only_ratios_of_weights_count(name):
    y, s, w = rows()
    low, high = INTERVALS[name](th.Scores(y, s, sample_weight=w))
    assert low < high
    for scale in (1e-6, 3.0, 1e6):
        other = INTERVALS[name](th.Scores(y, s, sample_weight=scale * w))
        assert tuple(other) == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize("name", INTERVALS)
def test_four_copies_in_a_cluster_tell_what_one_row_tells(name):
    y, s, _ = rows()
    low, high = INTERVALS[name](th.Scores(y, s))
    four = th.Scores(np.repeat(y, 4), np.repeat(s, 4), cluster=np.repeat(np.arange(y.size), 4))
    lower, upper = INTERVALS[name](four)
    assert 0.75 < (upper - lower) / (high - low) < 1.7


@pytest.mark.parametrize(
    "name", ["lr_positive", "lr_negative", "dor", "ppv elsewhere", "threshold", "threshold by FPR"]
)
def test_weights_by_class_change_no_figure_within_the_classes(name):
    y, s, _ = rows()
    plain, weighted = (INTERVALS[name](th.Scores(y, s, sample_weight=w)) for w in (None, np.where(y, 1.0, 7.0)))
    assert tuple(weighted) == pytest.approx(tuple(plain), rel=1e-12)


def test_the_brier_score_by_hand():
    y, s, w = rows()
    loss = np.square(s - y)
    mean = np.average(loss, weights=w)
    error = np.sqrt(np.square(w * (loss - mean)).sum()) / w.sum()
    found = th.Scores(y, s, sample_weight=w).measure("brier")
    assert found.value == pytest.approx(mean)
    assert found.standard_error() == pytest.approx(error, rel=0.01)  # up to the correction n / (n - 1) of each class


def test_what_needs_whole_counts_says_so():
    y, s, w = rows()
    for table, got in (
        (th.Scores(y, s, sample_weight=w), "weights"),
        (th.Scores(y, s, cluster=np.arange(200) // 2), "clusters"),
        (th.Scores.at_time(w, y, s, np.median(w)), "weights of an outcome in time"),
    ):
        calibration = table.calibration()
        for ask in (calibration.band, calibration.test, calibration.logistic):
            with pytest.raises(th.InvalidInputError, match=f"needs whole counts of independent rows; got {got}"):
                ask()
        with pytest.raises(th.InvalidInputError, match=r"`simultaneous=True` must have independent rows"):
            table.decision_curve([0.2, 0.3]).band(simultaneous=True)


def test_brier_scores_of_two_samples_by_hand():
    y, s, _ = rows()
    other_y, other_s, _ = rows(n=150, seed=9)
    found = th.compare_unpaired(th.Scores(y, s), th.Scores(other_y, other_s), metric="brier")
    losses = [np.square(s - y), np.square(other_s - other_y)]
    error = np.sqrt(sum(loss.var() / loss.size for loss in losses))
    assert found.difference == pytest.approx(losses[0].mean() - losses[1].mean())
    assert found.pairs[0].standard_error == pytest.approx(error)
    assert found.method == "normal"


def test_the_report_of_clustered_rows_has_no_calibration_band(tmp_path):
    y, s, _ = rows()
    page = th.report({"a": th.Scores(y, s, cluster=np.arange(200) // 4)}, tmp_path / "page.html")
    assert "Scores as probabilities" in page.read_text(encoding="utf-8")
