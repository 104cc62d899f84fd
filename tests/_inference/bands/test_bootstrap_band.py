"""Bands of resampled curves: quantiles of what the curves of the resamples give, with and without the kernels."""

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._core.random_streams import stream_key
from thresher._core.threads import num_threads
from thresher._inference.bands.cuts import bootstrap_band, resampled_curves
from thresher._inference.sampling import CountDraws

GRID = np.linspace(0, 1, 21)


def sample(n=90, digits=1, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return th.Scores(y, (rng.normal(size=n) + y).round(digits))


def resamples(scores, count, seed, *, stratified):
    draws = CountDraws(scores.pos, scores.neg, stratified=stratified)
    for pos, neg in zip(*draws.draw(stream_key(np.random.default_rng(seed)), 0, count), strict=True):
        yield th.Scores.from_counts(scores.thresholds, pos.astype(int), neg.astype(int))


@pytest.mark.parametrize("numpy_only", [False, True])
def test_curves_are_those_of_the_resamples(monkeypatch, numpy_only):
    scores = sample()
    if numpy_only:
        monkeypatch.setattr(native, "available", lambda: False)
    found = resampled_curves(scores, GRID, 8, np.random.default_rng(3), along_positives=False, stratified=True)
    for row, again in zip(found, resamples(scores, 8, 3, stratified=True), strict=True):
        assert row == pytest.approx([again.roc().at(fpr=x).tpr for x in GRID], abs=1e-12)
    recall = GRID[1:]
    for odds, stratified in ((0.0, True), (0.0, False), (12.0, False)):
        prevalence = None if odds == 0.0 else 1 / (1 + odds)
        how = {"along_positives": True, "stratified": stratified, "odds": odds or None}
        found = resampled_curves(scores, recall, 8, np.random.default_rng(3), **how)
        for row, again in zip(found, resamples(scores, 8, 3, stratified=stratified), strict=True):
            curve = again.pr(prevalence=prevalence)
            assert row == pytest.approx([curve.at(recall=x).precision for x in recall], rel=1e-11)


def test_the_band_holds_quantiles_or_whole_curves():
    curves = np.random.default_rng(0).normal(size=(400, 5)).cumsum(axis=1)
    low, high = bootstrap_band(curves, 0.9, simultaneous=False)
    inside = (low <= curves) & (curves <= high)
    assert inside.mean(axis=0) == pytest.approx(np.full(5, 0.9), abs=0.01)
    low, high = bootstrap_band(curves, 0.9, simultaneous=True)
    inside = (low <= curves) & (curves <= high)
    assert 0.9 <= inside.all(axis=1).mean() < 0.93


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_bands_do_not_depend_on_threads(kind, simultaneous):
    scores = sample(4000, digits=3)
    bands = []
    for threads in (1, 3):
        with num_threads(threads):
            make = scores.roc_band if kind == "roc" else scores.pr_band
            bands.append(make(GRID[2:-4], method="bootstrap", simultaneous=simultaneous, n_resamples=300, rng=5))
    assert np.array_equal(bands[0].low, bands[1].low)
    assert np.array_equal(bands[0].high, bands[1].high)
    assert (bands[0].high - bands[0].low).max() < 0.2


@pytest.mark.parametrize("simultaneous, better", [(False, "binomial-beta"), (True, "envelope")])
def test_where_resamples_hardly_differ_is_said(simultaneous, better):
    scores = th.Scores.from_counts([5, 4, 3, 2, 1], pos=[20, 20, 20, 20, 2], neg=[0, 4, 30, 40, 50])
    with pytest.warns(th.ThresherWarning) as caught:
        scores.pr_band([0.1, 0.3, 0.6, 1.0], method="bootstrap", simultaneous=simultaneous, rng=0)
    assert str(caught[0].message) == (
        "The band of method 'bootstrap' must not be trusted here: fewer than 5 negatives above or below the threshold "
        f"at 2 of 4 points, where resamples hardly differ. Hint: '{better}' covers there."
    )
    with pytest.warns(th.ThresherWarning, match="fewer than 5 positives above or below the threshold at 1 of 3 points"):
        scores.roc_band([0.1, 0.9, 1.0], method="bootstrap", simultaneous=simultaneous, rng=0)


def test_pointwise_band_agrees_with_the_usual_one_in_the_middle():
    """Where many cases of both classes stand above, both methods estimate the same standard error."""
    scores = sample(3000, digits=4, seed=2)
    grid = [0.3, 0.4, 0.5]
    widths = [
        band.high - band.low
        for band in (scores.roc_band(grid, method="bootstrap", rng=1), scores.roc_band(grid, method="binomial-beta"))
    ]
    assert widths[0] == pytest.approx(widths[1], rel=0.15)
    widths = [
        band.high - band.low
        for band in (scores.pr_band(grid, method="bootstrap", rng=1), scores.pr_band(grid, method="binomial-beta"))
    ]
    assert widths[0] == pytest.approx(widths[1], rel=0.15)
