"""The interval object."""

from __future__ import annotations

import dataclasses

import pytest
from scipy import stats

from thresher._inference.interval import ConfidenceInterval, clipped, normal_quantile


def test_unpacks_contains_and_is_frozen():
    interval = ConfidenceInterval(0.25, 0.75, 0.95, "delong")
    assert list(interval) == [0.25, 0.75]
    assert 0.25 in interval
    assert 0.751 not in interval
    assert interval.width == 0.5
    with pytest.raises(dataclasses.FrozenInstanceError):
        interval.high = 1.0


def test_format_goes_to_both_ends():
    interval = ConfidenceInterval(0.25, 0.75, 0.95, "delong")
    assert f"{interval:.3f}" == "0.250 to 0.750"
    assert f"{interval:.1%}" == "25.0% to 75.0%"
    assert f"{interval}" == repr(interval)


def test_clipping():
    assert clipped(-0.2, 1.3, 0.9, "m") == ConfidenceInterval(0.0, 1.0, 0.9, "m")
    assert clipped(0.2, 0.3, 0.9, "m") == ConfidenceInterval(0.2, 0.3, 0.9, "m")


@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.999999])
def test_normal_quantile(level):
    assert normal_quantile(level) == pytest.approx(stats.norm.isf((1 - level) / 2), rel=1e-14)
