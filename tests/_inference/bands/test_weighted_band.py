"""Bands of weighted and clustered rows: those of equal rows, where all are equal, and of one scale."""

import numpy as np
import pytest

import thresher as th
from thresher._inference.bands.weighted_cuts import weighted_cuts

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")


def sample(n=240, seed=0, digits=9):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, (rng.normal(size=n) + 1.2 * y).round(digits), rng.uniform(0.5, 3.0, n)


def equal_weights(scores):
    """The same rows as weights of which only sums and squares are told, so that the weighted code answers."""
    pos, neg = scores.pos.astype(float), scores.neg.astype(float)
    return th.Scores.from_counts(scores.thresholds, pos, neg, pos_squares=pos, neg_squares=neg)


def test_equal_weights_are_no_weights():
    y, s, _ = sample()
    plain = th.Scores(y, s)
    told = equal_weights(plain)
    x = np.linspace(0.02, 0.98, 25)
    bands = [(scores.roc_band(x), scores.pr_band(x, design="fixed")) for scores in (plain, told)]
    for mine, wanted in zip(bands[1], bands[0], strict=True):
        assert mine.low == pytest.approx(wanted.low, abs=1e-7)
        assert mine.high == pytest.approx(wanted.high, abs=1e-7)
        assert mine.value == pytest.approx(wanted.value, rel=1e-12)
    mine, wanted = (scores.pr_band(x[:20]) for scores in (told, plain))
    assert mine.low == pytest.approx(wanted.low, abs=4e-3)
    assert mine.high == pytest.approx(wanted.high, abs=4e-3)


@pytest.mark.parametrize("method", ["binomial-beta", "envelope", "bootstrap"])
@pytest.mark.parametrize("curve", ["roc_band", "pr_band"])
def test_only_ratios_count(method, curve):
    y, s, w = sample(digits=1)
    options = {"method": method, "simultaneous": method == "envelope", "n_resamples": 200, "rng": 3}
    x = [0.1, 0.25, 0.5, 0.9]
    one, two, odd = (
        getattr(th.Scores(y, s, sample_weight=w * scale), curve)(x, **options) for scale in (1.0, 2.0**-20, 1e6)
    )
    assert np.array_equal(one.low, two.low)
    assert np.array_equal(one.high, two.high)
    assert odd.low == pytest.approx(one.low, abs=1e-9)
    assert odd.value == pytest.approx(one.value, rel=1e-12)


def test_weights_within_a_class_leave_roc_bands_alone():
    y, s, _ = sample(digits=1)
    balanced, plain = th.Scores(y, s, sample_weight=np.where(y, 0.7, 0.3)), th.Scores(y, s)
    for method in ("binomial-beta", "bootstrap"):
        a, b = (scores.roc_band([0.1, 0.4], method=method, n_resamples=200, rng=1) for scores in (balanced, plain))
        assert np.array_equal(a.low, b.low)
        assert np.array_equal(a.high, b.high)
    assert (
        balanced.roc_band(simultaneous=True, method="dkw").low[50]
        == plain.roc_band(simultaneous=True, method="dkw").low[50]
    )


def test_unequal_weights_widen():
    y, s, w = sample(400)
    plain, weighted = th.Scores(y, s), th.Scores(y, s, sample_weight=w**3)
    x = np.linspace(0.1, 0.9, 9)
    for simultaneous in (False, True):
        widths = [
            float((band.high - band.low).mean())
            for band in (scores.roc_band(x, simultaneous=simultaneous, rng=1) for scores in (plain, weighted))
        ]
        assert 1.1 < widths[1] / widths[0] < 2.5


def test_clusters():
    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(40), 6)
    y = rng.random(240) < 0.4
    s = rng.normal(size=240) + y + 1.5 * rng.normal(size=40)[group]
    scores = th.Scores(y, s, groups=group)
    cuts = weighted_cuts(scores, along_positives=True, confidence_level=0.95)
    for k in (20, 100, 200):
        point = scores.roc().at(threshold=scores.thresholds[k - 1])
        from thresher._inference.rates.effective_counts import Cells, effective_share

        cells = Cells({name: float(getattr(point, name)) for name in ("tp", "fp", "fn", "tn")}, point.sample)
        assert cuts.along.worth[k] == pytest.approx(effective_share(cells, ("tp",), ("tp", "fn"), 0.95)[1], rel=1e-9)
        assert cuts.across.worth[k] == pytest.approx(effective_share(cells, ("fp",), ("fp", "tn"), 0.95)[1], rel=1e-9)
    x = np.linspace(0.1, 0.9, 9)
    alone, together = (th.Scores(y, s, groups=which).roc_band(x) for which in (None, group))
    assert (together.high - together.low).mean() > 1.05 * (alone.high - alone.low).mean()
    for options in ({"simultaneous": True}, {"method": "bootstrap"}):
        band = scores.pr_band(x, n_resamples=200, rng=0, **options)
        assert (band.low <= band.value).all()
        assert (band.value <= band.high).all()


def test_messages():
    y, s, w = sample()
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores(y, s, sample_weight=w).roc_band(simultaneous=True, method="dkw")
    assert str(caught.value) == (
        "`method='dkw'` must have independent rows of equal weight within each class; got weights that vary. "
        "Hint: 'binomial-beta', 'envelope' and 'bootstrap' take them."
    )
    with pytest.raises(th.InvalidInputError, match="An interval needs the sums of squared weights"):
        th.Scores.from_counts([2, 1], [1.5, 0.5], [0.5, 2.5]).roc_band()
