"""Supposed rates and what follows from them, against a table of a million cases."""

from __future__ import annotations

import pytest

import thresher as th

CALLS = th.planning.SupposedCalls(tpr=0.9, fpr=0.2, prevalence=0.1)
POINT = th.results.OperatingPoint(threshold=0.5, tp=90_000, fp=180_000, fn=10_000, tn=720_000)


def test_figures_are_those_of_a_table():
    assert CALLS.precision == pytest.approx(POINT.precision)
    assert CALLS.npv == pytest.approx(float(POINT.npv()))
    assert CALLS.alert_rate == pytest.approx(POINT.alert_rate)
    assert CALLS.lr_positive == pytest.approx(POINT.lr_positive().value)
    assert CALLS.lr_negative == pytest.approx(POINT.lr_negative().value)
    assert CALLS.net_benefit(0.2) == pytest.approx(0.1 * 0.9 - 0.9 * 0.25 * 0.2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: th.planning.SupposedCalls(1.0, 0.1), "`tpr` must be in (0, 1); got 1"),
        (lambda: th.planning.SupposedCalls(0.9, 0.0), "`fpr` must be in (0, 1); got 0"),
        (lambda: th.planning.SupposedCalls(0.9, 0.1).precision, "must have a `prevalence`"),
        (lambda: th.planning.SupposedCalls(0.9, 0.1).net_benefit(0.1), "must have a `prevalence`"),
        (lambda: CALLS.net_benefit(1.0), "`threshold_probability` must be in [0, 1); got 1"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(th.InvalidInputError) as caught:
        call()
    assert message in str(caught.value)
