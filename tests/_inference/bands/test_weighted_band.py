"""Bands of weighted and clustered rows: those of equal rows, where all are equal, and of one scale."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import betainc, betaincinv

import thresher as th
from thresher._core.random_streams import stream_key
from thresher._inference.bands import cuts as module
from thresher._inference.bands.binomial_beta import mixtures, odds_interval
from thresher._inference.bands.cuts import drawn_curves, weighted_cuts
from thresher._inference.sampling import sampling_of

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")


def sample(n=240, seed=0, digits=9):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, (rng.normal(size=n) + 1.2 * y).round(digits), rng.uniform(0.5, 3.0, n)


def equal_weights(scores):
    """The same rows as weights of which only sums and squares are told, so that the weighted code answers."""
    pos, neg = scores.pos.astype(float), scores.neg.astype(float)
    return th.Scores.from_counts(scores.thresholds, pos, neg, pos_squares=pos, neg_squares=neg)


@pytest.mark.parametrize("n", [12, 240])
def test_equal_weights_are_no_weights(n):
    """Of a dozen rows every number above a cut matters, of hundreds those around it."""
    y, s, _ = sample(n)
    plain = th.Scores(y, s)
    told = equal_weights(plain)
    x = np.concatenate(([0.0], np.linspace(0.02, 0.98, 25), [1.0]))
    bands = [(scores.roc_band(x), scores.pr_band(x, design="fixed")) for scores in (plain, told)]
    for mine, wanted in zip(bands[1], bands[0], strict=True):
        assert mine.low == pytest.approx(wanted.low, abs=1e-7)
        assert mine.high == pytest.approx(wanted.high, abs=1e-7)
        assert mine.value == pytest.approx(wanted.value, rel=1e-12)
    mine, wanted = (scores.pr_band(x) for scores in (told, plain))
    assert mine.low == pytest.approx(wanted.low, abs=1e-7)
    assert mine.high == pytest.approx(wanted.high, abs=1e-7)


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
    scores = th.Scores(y, s, cluster=group)
    cuts = weighted_cuts(scores, along_positives=True, confidence_level=0.95)
    for k in (20, 100, 200):
        point = scores.roc().at(threshold=scores.thresholds[k - 1])
        from thresher._inference.sampling.cells import Cells, effective_share

        cells = Cells({name: float(getattr(point, name)) for name in ("tp", "fp", "fn", "tn")}, point.sample)
        assert cuts.worth[0][k] == pytest.approx(effective_share(cells, ("tp",), ("tp", "fn"), 0.95)[1], rel=1e-9)
        assert cuts.worth[1][k] == pytest.approx(effective_share(cells, ("fp",), ("fp", "tn"), 0.95)[1], rel=1e-9)
    x = np.linspace(0.1, 0.9, 9)
    alone, together = (th.Scores(y, s, cluster=which).roc_band(x) for which in (None, group))
    assert (together.high - together.low).mean() > 1.05 * (alone.high - alone.low).mean()
    for options in ({"simultaneous": True}, {"method": "bootstrap"}):
        band = scores.pr_band(x, n_resamples=200, rng=0, **options)
        assert (band.low <= band.value).all()
        assert (band.value <= band.high).all()


def test_ends_with_an_uncertain_prevalence_by_integration():
    y, s, w = sample(digits=1)
    scores = th.Scores(y, s, sample_weight=w)
    cuts = weighted_cuts(scores, along_positives=True, confidence_level=0.95)
    x, tail, (share, worth) = np.array([0.02, 0.1, 0.5, 0.9, 0.99]), 0.025, (0.3, 150.0)
    ends = [mixtures(cuts, x, (which,)) for which in ("fewest", "most")]
    low, high = odds_interval(tuple(ends), worth * share, worth * (1 - share), tail)
    # Three quarters of a case more where they do most harm: positives for the lower end, negatives for the upper one.
    shapes = (worth * share + 0.75, worth * (1 - share)), (worth * share, worth * (1 - share) + 0.75)
    prevalence = [betaincinv(*shape, (np.arange(200) + 0.5) / 200) for shape in shapes]
    odds = [(1 - one) / one for one in prevalence]
    assert ends[0].at_none.max() > 0.1  # so that both end rules are tried
    assert ends[1].at_all.max() > 0.1
    for i in range(x.size):

        def below(t, mixture, odds, i=i):
            """P(share times odds <= t), the two ends of the share left out."""
            mine = mixture.owner == i
            at = np.clip(t / odds, 0, 1)
            law = betainc(*(shape[mine, None] for shape in mixture.shapes()), at[None])
            return float(mixture.weight[mine] @ law.mean(axis=1))

        none, every = ends[0].at_none[i], ends[1].at_all[i]
        want = 0.0
        if none < tail:
            want = brentq(lambda t: below(t, ends[0].without(0), odds[0]) + none - tail, 0, 60, xtol=1e-6)  # noqa: B023
        assert low[i] == pytest.approx(want, rel=0.01)
        # A share of 1 leaves the odds themselves.
        want = brentq(
            lambda t, every=every: (
                below(t, ends[1].without(cuts.n_across), odds[1]) + every * np.mean(odds[1] <= t) - (1 - tail)
            ),
            0,
            60,
        )
        assert high[i] == pytest.approx(want, rel=0.01)


def test_drawn_curves_have_the_laws_of_their_places(monkeypatch):
    """Cut j is reached with the mean of two beta laws; the share there has a third. Both ends are rows of one draw."""
    monkeypatch.setattr(module, "_NUMBERS_AT_ONCE", 1000)  # several batches
    pos, neg = np.array([3.0, 0.0, 2.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0, 4.0, 0.0])
    scores = th.Scores.from_counts(np.arange(5, 0, -1), pos, neg, pos_squares=pos, neg_squares=neg)
    x, size = np.array([0.1, 0.35, 0.6, 0.95]), 3000
    for positives in (True, False):
        low, high, odds = drawn_curves(scores, x, size, np.random.default_rng(1), along_positives=positives)
        along, across = (np.append(0.0, np.cumsum(side)) for side in ((pos, neg) if positives else (neg, pos)))
        n, m = along[-1], across[-1]
        for i, at in enumerate(x):
            reached = betainc(along + 0.5, n - along + 0.5, at)  # the cut stands at j or further
            coin = np.append(1.0, (reached[1:] + reached[:-1]) / 2)
            chance = coin - np.append(coin[1:], 0.0)
            mean = (across + 0.5) / (m + 1)
            variance = mean * (1 - mean) / (m + 2)
            for found, centre, fixed in (
                (low, np.where(across == 0, 0.0, mean), across == 0),
                (high, np.where(across == m, 1.0, mean), across == m),
            ):
                want = chance @ centre
                spread = chance @ (np.where(fixed, 0.0, variance) + centre**2) - want**2
                assert found[:, i].mean() == pytest.approx(want, abs=5 * np.sqrt(spread / size))
        inside = (low > 0.0) & (high < 1.0)
        assert np.array_equal(low[inside], high[inside])
        # Totals are gamma with one row more than there are: E(negatives) E(1 / positives).
        assert odds.mean() == pytest.approx(8 / 8, rel=0.05)


@pytest.mark.parametrize("random", [False, True])
def test_resampled_bands_are_quantiles_of_redrawn_tables(random):
    y, s, w = sample(60)
    scores = th.Scores(y, s, sample_weight=w)
    x, level, size = np.array([0.2, 0.5, 0.8]), 0.8, 100

    def curves(stratified, read):
        draws = sampling_of(scores).draws(scores, "scores", None, stratified=stratified)
        tables = zip(*draws.draw(stream_key(np.random.default_rng(7)), 0, size), strict=True)
        drawn = [th.Scores.from_counts(scores.thresholds, pos, neg) for pos, neg in tables]
        return np.quantile(
            [[read(table, at) for at in x] for table in drawn], ((1 - level) / 2, (1 + level) / 2), axis=0
        )

    def precision(table, at):
        odds = (table if random else scores).n_neg / (table if random else scores).n_pos
        return at / (at + odds * table.roc().at(tpr=at).fpr)

    how = {"method": "bootstrap", "confidence_level": level, "n_resamples": size}
    band = scores.pr_band(x, design="random" if random else "fixed", rng=np.random.default_rng(7), **how)
    assert np.array([band.low, band.high]) == pytest.approx(curves(not random, precision), rel=1e-9)
    if not random:
        band = scores.roc_band(x, rng=np.random.default_rng(7), **how)
        # Class totals stay what they are.
        assert np.array([band.low, band.high]) == pytest.approx(
            curves(True, lambda table, at: table.roc().at(fpr=at).tpr)
        )


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
