from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import thresher as th
from support import oracle
from support.strategies import curve_points, labelled
from support.thorough import at_least


def scores_of(points: list[tuple[int, int]]) -> th.Scores:
    steps = np.diff(np.array(points), axis=0)
    return th.Scores.from_counts(range(len(steps), 0, -1), pos=steps[:, 1], neg=steps[:, 0])


@at_least(100)
@given(a=curve_points(), b=curve_points())
def test_theorem_3_2_against_fractions(a, b):
    """One verdict: that of ROC space and that of PR space, each by a slow oracle of its own."""
    got = th.dominates(scores_of(a), scores_of(b)).verdict
    assert got == oracle.dominance_roc(a, b)
    assert got == oracle.dominance_pr(a, b)


@at_least(80)
@given(a=curve_points(), b=curve_points())
def test_regions_and_crossings(a, b):
    result = th.dominates(scores_of(a), scores_of(b))
    n_neg, n_pos = a[-1]
    for regions, swap, better in ((result.fpr_regions, False, 1), (result.recall_regions, True, -1)):
        assert regions[0].low == 0
        assert regions[-1].high == 1
        for left, right in zip(regions, regions[1:], strict=False):
            assert left.high == right.low
            assert left.leader != right.leader
        paths = [[(y, x) for x, y in path] if swap else path for path in (a, b)]
        total = n_pos if swap else n_neg
        for region in regions:
            x = oracle.Fraction(region.low + (region.high - region.low) * 137 / 331) * total
            gap = better * (oracle.roc_height(paths[0], x, top=True) - oracle.roc_height(paths[1], x, top=True))
            assert region.leader == ("a" if gap > 0 else "b" if gap < 0 else "equal")
    leaders = [region.leader for region in result.fpr_regions if region.leader != "equal"]
    changes = sum(x != y for x, y in zip(leaders, leaders[1:], strict=False))
    assert len(result.crossings) == changes
    for crossing in result.crossings:
        x = oracle.Fraction(crossing.fpr).limit_denominator(10**6) * n_neg
        for path in (a, b):
            low, high = (float(oracle.roc_height(path, x, top=top)) / n_pos for top in (False, True))
            assert low - 1e-12 <= crossing.recall <= high + 1e-12


@given(data=labelled(max_size=16), other=labelled(max_size=16))
def test_antisymmetry_and_class_totals_may_differ(data, other):
    a, b = th.Scores(*data), th.Scores(*other)
    mirror = {"a": "b", "b": "a"}
    verdict = th.dominates(a, b).verdict
    assert th.dominates(b, a).verdict == mirror.get(verdict, verdict)
    assert th.dominates(a, a).verdict == "equal"
    tripled = a + a + a
    assert th.dominates(tripled, a).verdict == "equal"
    if verdict == "a":
        assert a.roc_auc().value >= b.roc_auc().value


def test_large_counts_are_decided_exactly():
    n = 10**9 + 7
    a = th.Scores.from_counts([3, 2, 1], pos=[n, n + 1, 0], neg=[n, n, 1])
    b = th.Scores.from_counts([2, 1], pos=[2 * n + 1, 0], neg=[2 * n, 1])
    assert th.dominates(a, b).verdict == "b"
    c = th.Scores.from_counts([3, 2, 1], pos=[n + 1, n, 0], neg=[n, n, 1])
    assert th.dominates(c, b).verdict == "a"


def test_curves_of_either_space_are_taken():
    a, b = th.Scores([1, 1, 0, 0], [4, 3, 2, 1]), th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    assert th.dominates(a.pr(), b.roc()).verdict == "a"
    assert repr(th.dominates(b, a)) == "Dominance: b dominates a (in ROC and in PR space alike)"
    with pytest.raises(th.InvalidTypeError) as caught:
        th.dominates(a, 0.5)
    assert str(caught.value) == (
        "`b` must be a Scores, RocCurve or PrCurve; got float. Hint: build one with `th.Scores(y_true, y_score)`."
    )


def test_weighted_curves_tolerate_rounding():
    rng = np.random.default_rng(1)
    y, s, w = rng.integers(0, 2, 200), rng.normal(size=200), rng.random(200)
    order = rng.permutation(200)
    a, b = th.Scores(y, s, sample_weight=w), th.Scores(y[order], s[order], sample_weight=w[order] * 3.7)
    assert th.dominates(a, b).verdict == "equal"


def test_long_curves_are_quick_enough_to_compare():
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.3
    a = th.Scores(y, rng.normal(size=y.size) + 1.5 * y)
    b = th.Scores(y, rng.normal(size=y.size) + 0.5 * y)
    result = th.dominates(a, b)
    assert result.verdict in ("a", "neither")
    assert result.fpr_regions[-1].high == 1


@pytest.mark.parametrize("unit", [1, 10**6, 10**16, 3 * 10**17])
def test_one_case_in_more_than_floats_can_tell(unit):
    """One positive more at the same place leads, one less trails, whatever the totals; floats see them equal."""

    def path(extra):
        return [(0, 0), (unit, 2 * unit + extra), (3 * unit, 4 * unit)]

    for first, second, verdict in ((1, 0, "a"), (0, 1, "b"), (0, 0, "equal"), (1, -1, "a"), (-1, 0, "b")):
        a, b = path(first), path(second)
        assert th.dominates(scores_of(a), scores_of(b)).verdict == verdict == oracle.dominance_roc(a, b)


def test_one_case_of_samples_of_different_sizes():
    """2/5 of 5 10**16 against 4/10 of 10**17 and one case more."""
    unit = 10**16
    a = scores_of([(0, 0), (unit, 2 * unit), (5 * unit, 5 * unit)])
    for extra, verdict in ((-1, "a"), (0, "equal"), (1, "b")):
        b = scores_of([(0, 0), (2 * unit, 4 * unit + extra), (10 * unit, 10 * unit)])
        assert th.dominates(a, b).verdict == verdict


def test_weights_of_one_scorer_or_both_are_compared_to_within_rounding():
    y, s = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]
    plain, thirds = th.Scores(y, s), th.Scores(y, s, sample_weight=[1 / 3] * 6)
    tenths = th.Scores(y * 3, s * 3, sample_weight=[0.1] * 18)
    for one in (plain, thirds, tenths):
        for other in (plain, thirds, tenths):
            assert th.dominates(one, other).verdict == "equal"


@pytest.mark.parametrize("extra", [-0.02, 0.02])
def test_weights_in_one_class_only(extra):
    """Whole positives beside negatives of weight 0.1: rates differ by less than one whole case."""
    pos, neg = [9.0, 5.0, 1.0], np.arange(10.0)
    weights = np.full(10, 0.1)
    moved = weights.copy()
    moved[[9, 0]] += [extra, -extra]  # more weight at the top is a worse curve
    plain, other = (th.Scores.from_pos_neg(pos, neg, neg_weight=w) for w in (weights, moved))
    assert th.dominates(plain, other).verdict == ("a" if extra > 0 else "b")
    assert th.dominates(other, plain).verdict == ("b" if extra > 0 else "a")


def test_models_are_called_by_their_names():
    data = th.datasets.load_digits_eight()
    verdict = th.compare(data.y_true, data.models).pairs[0].dominance
    assert repr(verdict).startswith("Dominance: logistic dominates tree (")
    assert verdict == th.dominates(th.Scores(data.y_true, data.logistic), th.Scores(data.y_true, data.tree))
