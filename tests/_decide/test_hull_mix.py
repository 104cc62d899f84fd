"""A limit met by a coin, against every chord between two thresholds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled

choose_threshold = th.Scores.choose_threshold
LIMITS = ("min_precision", "max_alert_rate", "max_fpr", "min_recall")


def best(points, limit, value, prevalence):
    """Return the highest TPR (for min_recall the lowest FPR) that a mix of two points has within the limit.

    The limit is a line in ROC space, so the best point is a point of the curve or lies where a chord meets the line.
    """
    n_neg, n_pos = points[-1]
    rates = [(Fraction(x, n_neg), Fraction(y, n_pos)) for x, y in points]
    share = Fraction(n_pos, n_pos + n_neg) if prevalence is None else prevalence

    def slack(x, y):
        if limit == "min_precision":
            return share * y - value * (share * y + (1 - share) * x)
        if limit == "max_alert_rate":
            return value - (share * y + (1 - share) * x)
        return value - x if limit == "max_fpr" else y - value

    within = [point for point in rates if slack(*point) >= 0]
    for one, other in combinations(rates, 2):
        first, last = slack(*one), slack(*other)
        if first * last < 0:
            part = first / (first - last)
            within.append(tuple(a + part * (b - a) for a, b in zip(one, other, strict=True)))
    if limit == "min_recall":
        return min(x for x, _ in within)
    return max(y for _, y in within)


@pytest.mark.parametrize("prevalence", [None, Fraction(1, 50), Fraction(7, 10)])
@pytest.mark.parametrize("limit", LIMITS)
@given(data=labelled(values=st.integers(0, 9).map(float)), tenths=st.integers(1, 9))
def test_no_chord_does_better(limit, prevalence, data, tenths):
    points, value = oracle.counts(*data), Fraction(tenths, 10)
    want = best(points, limit, value, prevalence)
    options = {limit: tenths / 10, "prevalence": None if prevalence is None else float(prevalence), "mix": True}
    if limit == "min_precision" and want == 0:
        with pytest.raises(th.UndefinedMetricError, match="No threshold reaches `min_precision="):
            choose_threshold(th.Scores(*data), **options)
        return
    found = choose_threshold(th.Scores(*data), **options)
    assert (found.fpr if limit == "min_recall" else found.tpr) == pytest.approx(float(want), abs=1e-12)


SCORES = th.Scores.from_counts([4, 3, 2, 1], pos=[4, 3, 2, 1], neg=[0, 2, 3, 5])


@pytest.mark.parametrize(
    ("limit", "threshold"),
    [
        ({"max_fpr": 0.0}, 4.0),  # calling nothing keeps it as well, but has found nothing
        ({"max_fpr": 0.2}, 3.0),
        ({"min_recall": 0.7}, 3.0),
        ({"max_alerts": 9}, 3.0),
        ({"max_alert_rate": 0.45}, 3.0),
        ({"min_precision": 0.5}, 1.0),
        # At a prevalence of 1/5 a share 0.2 TPR + 0.8 FPR is called: at threshold 3 that is 0.14 + 0.16.
        ({"max_alert_rate": 0.3, "prevalence": 0.2}, 3.0),
        ({"min_precision": 0.2, "prevalence": 0.2}, 1.0),
    ],
)
def test_a_limit_that_a_threshold_meets_exactly_needs_no_coin(limit, threshold):
    found = choose_threshold(SCORES, mix=True, **limit)
    assert found.mix is None
    assert found.threshold == threshold


def test_a_coin_by_hand():
    """TPR 0.4, FPR 0 at 4 and TPR 0.7, FPR 0.2 at 3; at prevalence 1/5 the alerts are 0.08 and 0.30."""
    found = choose_threshold(SCORES, max_alert_rate=0.19, prevalence=0.2, mix=True)
    assert found.threshold == 4  # alone, it keeps the limit
    assert found.mix.thresholds == (4, 3)
    assert found.mix.probability == pytest.approx(0.5)
    assert (found.tpr, found.fpr) == pytest.approx((0.55, 0.1))
    assert found.precision == pytest.approx(0.2 * 0.55 / 0.19)


def test_the_highest_precision_is_named_at_the_wanted_prevalence():
    scores = th.Scores.from_counts([2, 1], pos=[3, 1], neg=[1, 3])  # TPR 3/4 and FPR 1/4: odds of 3 times 1/9
    with pytest.raises(th.UndefinedMetricError, match=r"of 2 has precision 0\.25\. Hint: ask for at most 0\.25\."):
        choose_threshold(scores, min_precision=0.3, prevalence=0.1, mix=True)
