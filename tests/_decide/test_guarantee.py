"""Thresholds with a guarantee: reference values, the rule by brute force, what is refused, and that guarantees hold."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.thorough import at_least

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "decisions.json").read_text())
LIMITS = ("min_recall", "max_fpr", "max_alert_rate")
CASES = [
    pytest.param(case, id=f"{case['table']}-{case['delta']}-{'-'.join(k for k in LIMITS if k in case)}")
    for case in REFERENCE["guaranteed_thresholds"]
]


def table(name: str) -> th.Scores:
    return th.Scores.from_counts(*zip(*REFERENCE["tables"][name], strict=True))


@pytest.mark.parametrize("case", CASES)
def test_reference_values(case):
    limits = {name: float(Fraction(case[name])) for name in LIMITS if name in case}
    confidence = float(1 - Fraction(case["delta"]))
    if case["threshold"] is None:
        with pytest.raises(th.UndefinedMetricError):
            table(case["table"]).choose_threshold(confidence=confidence, **limits)
        return
    point = table(case["table"]).choose_threshold(confidence=confidence, **limits)
    assert (point.threshold, point.tp, point.fp) == (case["threshold"], case["tp"], case["fp"])
    guarantee = point.guarantee
    assert guarantee.pvalue == pytest.approx(float(case["pvalue"]), rel=1e-12)
    assert guarantee.most_misses == case.get("most_misses")
    assert guarantee.most_false_positives == case.get("most_false_positives")
    assert guarantee.method == "order-statistic"


@at_least(25)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=30, max_size=120),
    st.sampled_from([0.5, 0.8, 0.9]),
    st.sampled_from([0.8, 0.9, 0.95]),
)
def test_the_rule_by_brute_force(rows, recall, confidence):
    """The highest score at which the binomial test still rejects "recall is below the limit", ties included."""
    y, s = np.array([row[1] for row in rows]), np.array([row[0] for row in rows], dtype=float)
    if y.all() or not y.any():
        return
    positives = s[y]
    passing = [
        t
        for t in np.unique(s)
        if scipy.stats.binom.cdf((positives < t).sum(), positives.size, 1 - recall) <= 1 - confidence + 1e-12
    ]
    scores = th.Scores(y, s)
    if not passing:
        with pytest.raises(th.UndefinedMetricError, match="needs at least"):
            scores.choose_threshold("recall", min_recall=recall, confidence=confidence)
        return
    assert scores.choose_threshold(min_recall=recall, confidence=confidence).threshold == max(passing)


def mapie_like(y: np.ndarray, s: np.ndarray, recall: float, confidence: float) -> float:
    """Fixed-sequence testing of every score from the lowest with the float count ceil(n (1 - performance))."""
    positives = s[y]
    best = -math.inf
    for t in np.unique(s):
        performance = float((positives >= t).mean())
        wrong = math.ceil(positives.size * (1 - performance))
        if scipy.stats.binom.cdf(wrong, positives.size, 1 - recall) > 1 - confidence:
            break
        best = t
    return best


@pytest.mark.parametrize("ties", [False, True])
def test_never_more_cautious_than_testing_every_score_in_turn(ties):
    higher = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = np.arange(300) < 100
        s = rng.normal(size=300) + 1.5 * y
        s = np.round(s, 1) if ties else s
        ours = th.Scores(y, s).choose_threshold(min_recall=0.9, confidence=0.9).threshold
        theirs = mapie_like(y, s, 0.9, 0.9)
        assert ours >= theirs
        higher += ours > theirs
    assert higher > 0


def test_transforms_and_row_order_change_nothing():
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.3
    s = np.round(rng.normal(size=400) + 1.5 * y, 1)
    limits = {"max_fpr": 0.2, "confidence": 0.9}
    base = th.Scores(y, s).choose_threshold(**limits)
    order = rng.permutation(400)
    assert th.Scores(y[order], s[order]).choose_threshold(**limits) == base
    moved = th.Scores(y, np.exp(s)).choose_threshold(**limits)
    assert (moved.tp, moved.fp, moved.guarantee) == (base.tp, base.fp, base.guarantee)
    halves = th.Scores(y[:200], s[:200]) + th.Scores(y[200:], s[200:])
    assert halves.choose_threshold(**limits) == base


def digits() -> th.Scores:
    data = th.datasets.load_digits_eight()
    return th.Scores(data.y_true, data.logistic)


def test_what_the_point_says():
    point = digits().choose_threshold(min_recall=0.9, confidence=0.95)
    guarantee = point.guarantee
    assert guarantee.most_misses == 10
    assert guarantee.expected_recall == pytest.approx(1 - 11 / 175)
    law = scipy.stats.beta(164, 11)
    assert guarantee.recall_interval == pytest.approx((law.ppf(0.025), law.ppf(0.975)))
    assert digits().choose_threshold(min_recall=0.9).guarantee is None
    assert point.threshold <= digits().choose_threshold(min_recall=0.9).threshold


def test_limits_in_one_direction_share_the_level():
    both = digits().choose_threshold(max_fpr=0.05, max_alert_rate=0.5, confidence=0.95)
    assert both.threshold == digits().choose_threshold(max_fpr=0.05, confidence=0.95).threshold
    split = digits().choose_threshold("youden", max_fpr=0.3, min_recall=0.8, confidence=0.95).guarantee
    assert split.most_misses < digits().choose_threshold(min_recall=0.8, confidence=0.95).guarantee.most_misses


def test_precision_by_a_sequence_of_tests():
    point = digits().choose_threshold(min_precision=0.8, confidence=0.95)
    guarantee = point.guarantee
    assert (guarantee.method, guarantee.kind) == ("fixed-sequence", "population")
    # The case whose score is the threshold is left out of its own test.
    assert guarantee.pvalue == pytest.approx(
        min(scipy.stats.binom.sf(point.tp - own - 1, point.tp + point.fp - 1, 0.8) for own in (0, 1)), rel=0.5
    )
    assert guarantee.pvalue <= 0.05
    elsewhere = digits().choose_threshold(min_precision=0.2, prevalence=0.01, confidence=0.95)
    assert elsewhere.guarantee.method == "approximate"
    assert elsewhere.precision > 0.2


def test_the_next_cases_and_the_mean():
    scores = digits()
    here = scores.choose_threshold(min_recall=0.9, confidence=0.95).guarantee.most_misses
    soon = scores.choose_threshold(min_recall=0.9, confidence=0.95, guarantee="next", n_next=50).guarantee.most_misses
    late = scores.choose_threshold(
        min_recall=0.9, confidence=0.95, guarantee="next", n_next=10**5
    ).guarantee.most_misses
    mean = scores.choose_threshold(min_recall=0.9, guarantee="expected").guarantee.most_misses
    assert soon < here <= late < mean == math.floor(0.1 * 175) - 1
    assert late == here


@pytest.mark.parametrize("errors", [0, 1, 4])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_fewest_cases_by_the_binomial_sum(errors, confidence):
    def least(rate: Fraction) -> int:
        def chance(n: int) -> Fraction:
            return sum(math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(errors + 1))

        return next(n for n in range(errors + 1, 500) if chance(n) <= 1 - Fraction(str(confidence)))

    assert th.planning.positives_needed(0.9, confidence=confidence, misses=errors) == least(Fraction(1, 10))
    assert th.planning.negatives_needed(0.04, confidence=confidence, false_positives=errors) == least(Fraction(4, 100))


def test_the_fewest_cases_without_an_error_at_95_percent():
    assert th.planning.positives_needed(0.95) == next(
        n for n in range(1, 99) if Fraction(95, 100) ** n <= Fraction(5, 100)
    )
    assert th.planning.negatives_needed(0.1) == next(
        n for n in range(1, 99) if Fraction(9, 10) ** n <= Fraction(5, 100)
    )


@pytest.mark.parametrize("limits", [{"max_alert_rate": 0.3}, {"min_precision": 0.5}])
def test_weights_by_class_say_how_frequent_the_classes_are(limits):
    rng = np.random.default_rng(3)
    y = rng.random(600) < 0.4
    s = rng.normal(size=600) + 2.5 * y
    weighted = th.Scores(y, s, sample_weight=np.where(y, 1.0, 4.0))
    share = y.sum() / (y.sum() + 4 * (~y).sum())
    here = weighted.choose_threshold(**limits, confidence=0.9)
    there = th.Scores(y, s).choose_threshold(**limits, prevalence=share, confidence=0.9)
    assert here.threshold == there.threshold
    assert here.threshold != th.Scores(y, s).choose_threshold(**limits, confidence=0.9).threshold
    # A prevalence that is given goes before the one that the weights say.
    given = [one.choose_threshold(**limits, prevalence=0.3, confidence=0.9) for one in (weighted, th.Scores(y, s))]
    assert given[0].threshold == given[1].threshold != here.threshold


def test_a_p_value_is_of_a_population():
    assert digits().choose_threshold(min_recall=0.9, guarantee="expected").guarantee.pvalue is None
    soon = digits().choose_threshold(min_recall=0.9, confidence=0.95, guarantee="next", n_next=50)
    assert soon.guarantee.pvalue is None
    elsewhere = digits().choose_threshold(max_alert_rate=0.3, prevalence=0.05, confidence=0.95)
    assert elsewhere.guarantee.pvalue is None
    point = digits().choose_threshold(min_recall=0.9, confidence=0.95)
    want = scipy.stats.binom.cdf(point.fn, point.tp + point.fn, 0.1)
    assert point.guarantee.pvalue == pytest.approx(want, rel=1e-9)


def test_messages():
    few = th.Scores([1] * 41 + [0] * 50, range(91))
    with pytest.raises(th.UndefinedMetricError) as caught:
        few.choose_threshold(min_recall=0.95, confidence=0.95)
    assert str(caught.value) == (
        "`min_recall=0.95` with confidence 0.95 needs at least 59 positives; got 41. Hint: collect 18 more, "
        "or ask for recall 0.929 (the best that 41 can guarantee), or confidence 0.877."
    )
    # What the hint offers can be had.
    few.choose_threshold(min_recall=0.929, confidence=0.95)
    few.choose_threshold(min_recall=0.95, confidence=0.877)
    with pytest.raises(th.UndefinedMetricError) as caught:
        digits().choose_threshold(min_recall=0.9, max_fpr=0.01, confidence=0.95)
    assert str(caught.value) == (
        "No threshold satisfies all constraints with this confidence: `min_recall=0.9` needs a threshold of at most "
        "0.116454, `max_fpr=0.01` one of at least 0.353811. Hint: relax one of them, or collect more cases."
    )
    with pytest.warns(th.ThresherWarning, match="predicts nothing positive"):
        assert few.choose_threshold(max_fpr=0.01, confidence=0.95).threshold == math.inf
    with pytest.raises(th.UndefinedMetricError, match=r"of the first 1,196 predicted positives 174 are positive"):
        digits().choose_threshold(min_precision=0.99, confidence=0.95)
    refused = [
        ({"confidence": 0.9}, "must come with a constraint"),
        ({"confidence": 95, "min_recall": 0.9}, r"`confidence` must be in \(0, 1\); got 95"),
        ({"confidence": 0.9, "min_recall": 0.9, "mix": True}, "meets a constraint with equality"),
        ({"confidence": 0.9, "min_recall": 0.9, "n_next": 3}, "`n_next` must be given with guarantee='next'"),
        ({"min_recall": 0.9, "guarantee": "next", "n_next": 3}, "`confidence` must be given"),
        ({"min_recall": 0.9, "guarantee": "expected", "confidence": 0.9}, "`confidence` must be left out"),
        ({"min_precision": 0.9, "guarantee": "expected"}, "must be 'population' with a precision"),
    ]
    for arguments, message in refused:
        with pytest.raises(th.InvalidInputError, match=message):
            digits().choose_threshold(**arguments)
    with pytest.raises(th.InvalidInputError, match=r"`min_recall` must be one number in \(0, 1\)"):
        th.planning.positives_needed(1.0)


def test_tune_carries_the_guarantee():
    tuned = th.tune(digits(), min_recall=0.9, confidence=0.95)
    assert tuned.point == digits().choose_threshold(min_recall=0.9, confidence=0.95)


@pytest.mark.slow
@pytest.mark.parametrize("ties", [False, True])
def test_guarantees_hold(ties):
    """N(1.5, 1) against N(0, 1): misses of the limit among 1,000 tuning samples, with three standard errors."""
    broken = np.zeros(3)
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        y = np.arange(400) < 100
        s = rng.normal(size=400) + 1.5 * y
        s = np.round(s, 1) if ties else s
        scores = th.Scores(y, s)
        cut = 0.05 if ties else 0.0  # a rounded score is at least t if the score is at least t - 0.05
        recall = scores.choose_threshold(min_recall=0.9, confidence=0.9).threshold - cut
        rate = scores.choose_threshold(max_fpr=0.2, confidence=0.9).threshold - cut
        plain = scores.choose_threshold(min_recall=0.9).threshold - cut
        broken += (
            scipy.stats.norm.sf(recall, 1.5) < 0.9,
            scipy.stats.norm.sf(rate) > 0.2,
            scipy.stats.norm.sf(plain, 1.5) < 0.9,
        )
    assert (broken[:2] <= 100 + 3 * math.sqrt(1000 * 0.1 * 0.9)).all()
    assert broken[2] > 350


def test_precision_at_the_ends():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    scores = th.Scores(y, rng.normal(size=400) + 2 * y)
    alone = scores.choose_threshold(max_fpr=0.2, confidence=0.9)
    # Precision of nothing is always kept: it takes its share of the risk, and no point.
    shared = scores.choose_threshold(max_fpr=0.2, min_precision=0.0, confidence=0.95)
    single = scores.choose_threshold(max_fpr=0.2, confidence=0.975)
    assert alone.recall >= shared.recall
    assert shared.threshold == single.threshold
    with pytest.raises(th.UndefinedMetricError, match="`min_precision=1` cannot be guaranteed"):
        scores.choose_threshold(min_precision=1.0, confidence=0.9)
    # All of n calls right shows a precision of 0.99 once 0.99^n <= 0.05: from 299 calls on.
    with pytest.raises(th.UndefinedMetricError, match="needs at least 299 predicted positives; got 40 cases"):
        th.Scores(np.arange(40) % 2 == 0, np.arange(40)).choose_threshold(min_precision=0.99, confidence=0.95)
    with pytest.raises(th.InvalidInputError, match="`confidence` needs every score; got a compressed table"):
        scores.compress(20).choose_threshold(min_recall=0.5, confidence=0.9)
    with pytest.raises(th.UndefinedMetricError, match=r"cannot be guaranteed at prevalence 0\.001: the first"):
        scores.choose_threshold(min_precision=0.9, prevalence=0.001, confidence=0.95)
