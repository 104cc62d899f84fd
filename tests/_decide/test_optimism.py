from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._decide import target_of
from thresher._decide.tune import corrected_target


def drawn(n_pos, n_neg, seed):
    rng = np.random.default_rng(seed)
    return th.Scores.from_pos_neg(rng.normal(1, 1, n_pos), rng.normal(size=n_neg))


def test_small_data_are_more_optimistic():
    optimism = [
        np.mean([corrected_target(drawn(n, 2 * n, seed), target_of(min_recall=0.9), mix=True)[1] for seed in range(6)])
        for n in (30, 300)
    ]
    assert optimism[0] > 2 * optimism[1] > 0


@pytest.mark.parametrize("name", ["min_recall", "min_precision", "max_fpr", "max_alert_rate"])
def test_limits_are_tightened_never_loosened(name):
    for seed in range(5):
        target, optimism = corrected_target(drawn(40, 80, seed), target_of(**{name: 0.5}), mix=True, n_resamples=30)
        moved = target.limits[name]
        assert optimism >= 0
        assert moved == pytest.approx(0.5 + optimism if name.startswith("min") else 0.5 - optimism)


def test_nothing_to_correct():
    scores = drawn(20, 20, 0)
    for target in (target_of("youden"), target_of(min_recall=0.5, max_fpr=0.5), target_of(max_alerts=3)):
        assert corrected_target(scores, target) == (target, 0.0)
    assert corrected_target(scores, target_of(min_recall=0.5), n_resamples=0) == (target_of(min_recall=0.5), 0.0)


def test_out_of_reach_keeps_what_was_asked_for():
    scores = th.Scores.from_counts([2, 1], pos=[3, 3], neg=[1, 3])
    target, optimism = corrected_target(scores, target_of(min_precision=0.75), mix=True, seed=1)
    assert optimism > 0
    assert target == target_of(min_precision=0.75)
