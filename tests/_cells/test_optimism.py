import numpy as np
import pytest
from scipy.stats import norm

from support.confusion import metric
from thresher._cells import from_function, optimism
from thresher._cells.best import best_thresholds
from thresher._cells.catalogue import CATALOGUE, options_of
from thresher._cells.limits import limits
from thresher._cells.matrix import Matrix
from thresher._cells.optimism import chosen_on_resamples, optimism_of

NAMES = [name for name in CATALOGUE if not options_of(name)]


def table(seed, n_pos=40, n_neg=40, shift=1.2):
    rng = np.random.default_rng(seed)
    score = np.concatenate([rng.normal(shift, 1, n_pos), rng.normal(0, 1, n_neg)])
    order = np.argsort(-score)
    pos = (order < n_pos).astype(np.int64)
    return score[order], pos, 1 - pos


def draws(pos, neg, total=200, seed=0, *, stratified=True):
    rng = np.random.default_rng(seed)
    if stratified:
        yield tuple(rng.multinomial(side.sum(), side / side.sum(), total) for side in (pos, neg))
    else:
        both = np.concatenate([pos, neg])
        yield tuple(np.hsplit(rng.multinomial(both.sum(), both / both.sum(), total), 2))


def padded(pos, neg):
    return np.append(0, np.cumsum(pos)), np.append(0, np.cumsum(neg))


@pytest.mark.parametrize("key", ["youden", "mcc", "cost"])
def test_optimism_is_that_of_choosing_again_row_by_row(key):
    one = metric(key)
    maximize = one.better == "higher"
    _, pos, neg = table(1)
    rng = np.random.default_rng(2)
    tables = [(rng.multinomial(40, pos / 40), rng.multinomial(40, neg / 40)) for _ in range(30)]
    gaps = []
    for drawn in tables:
        seen, there = -1, None
        for k in range(81):  # "nothing predicted positive", then each score as threshold
            cells = [side[:k].sum() for side in drawn]
            value = one.value(*cells, 40 - cells[0], 40 - cells[1])
            if not np.isnan(value) and (seen < 0 or (value > there + 1e-12 if maximize else value < there - 1e-12)):
                seen, there = k, value
        here = [side[:seen].sum() for side in (pos, neg)]
        gaps.append(there - one.value(*here, 40 - here[0], 40 - here[1]))
    stacked = tuple(np.stack(side) for side in zip(*tables, strict=True))
    found = chosen_on_resamples(one, pos, neg, iter([stacked]), maximize=maximize)
    assert optimism_of(found) == pytest.approx(np.mean(gaps), rel=1e-12)
    assert (optimism_of(found) > 0) == maximize


def test_one_table_and_batches_draw_rows_of_both_classes():
    _, pos, neg = table(3)
    free = chosen_on_resamples(metric("youden"), pos, neg, draws(pos, neg, 50))
    assert free.place.size == 50
    random = chosen_on_resamples(metric("mcc"), pos, neg, draws(pos, neg, 50, stratified=False))
    assert 0.0 < optimism_of(random) < 0.2
    # Counts that stand at one score are drawn as so many rows.
    wide = np.repeat(pos, 3), np.repeat(neg, 3)
    assert chosen_on_resamples(metric("mcc"), *wide, draws(*wide, 7)).place.max() <= 240


def test_constraints_hold_on_every_resample():
    _, pos, neg = table(4)
    found = chosen_on_resamples(
        metric("precision"), pos, neg, draws(pos, neg, 40), allowed=lambda tp, fp: tp >= 0.9 * tp[:, -1:]
    )
    assert (np.cumsum(pos)[found.place - 1] > 25).all()
    none = chosen_on_resamples(metric("precision"), pos, neg, draws(pos, neg, 5), allowed=lambda tp, fp: tp < 0)
    assert (none.place == -1).all()
    assert np.isnan(optimism_of(none))


@pytest.mark.parametrize("key", ["youden", "mcc"])
def test_the_shifted_interval_covers_what_the_chosen_threshold_does(key):
    one, covered, plain = metric(key), [], []
    for seed in range(120):
        score, pos, neg = table(seed, 30, 30)
        tp, fp = padded(pos, neg)
        best = int(best_thresholds(one, tp, fp)[0])
        optimism = optimism_of(chosen_on_resamples(one, pos, neg, draws(pos, neg, 60, seed, stratified=one.free)))
        cells = Matrix(tp[best], fp[best], 30 - tp[best], 30 - fp[best])
        low, high = limits(one, cells, design="fixed" if one.free else "random")
        at = score[best - 1] if best else np.inf
        tpr, fpr = norm.sf(at - 1.2), norm.sf(at)
        truth = float(one.value(tpr, fpr, 1 - tpr, 1 - fpr))
        covered.append(low - optimism <= truth <= high - optimism)
        plain.append(low <= truth <= high)
    assert np.mean(covered) >= 0.9
    assert np.mean(covered) >= np.mean(plain)


@pytest.mark.parametrize("key", [*NAMES, "function"])
def test_only_points_below_a_positive_are_looked_at_in_large_tables(key, monkeypatch):
    one = from_function(lambda tp, fp, fn, tn: tp - fp) if key == "function" else metric(key)
    rng = np.random.default_rng(5)
    n = 60
    tables = [tuple(rng.integers(0, 3, n) * (rng.random(n) < share) for share in (0.3, 0.7)) for _ in range(40)]
    tables += [(np.eye(n, dtype=int)[k], np.eye(n, dtype=int)[n - 1 - k]) for k in (0, 5, n - 1)]
    pos, neg = (np.stack(side) for side in zip(*tables, strict=True))
    for maximize in (True, False):
        for allowed in (None, lambda tp, fp: fp <= 0.4 * fp[:, -1:]):
            found = []
            for numbers in (2**16, 1):
                monkeypatch.setattr(optimism, "_AT_ONCE", numbers)
                found.append(
                    chosen_on_resamples(
                        one, pos[0], neg[0], iter([(pos, neg)]), maximize=maximize, allowed=allowed, steady=True
                    )
                )
            for many, single in zip(*found, strict=True):
                np.testing.assert_array_equal(many, single)
