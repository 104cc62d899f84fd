"""The table of local levels: some entries computed again, all of them on smooth curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thresher._inference.bands.local_level_table import LOG_LOCAL_LEVELS, LOG_RATES, SIZES
from thresher._inference.order_bounds import _log_rate


def test_table_is_what_the_computation_gives() -> None:
    for row, column in ((0, 4), (1, 9)):
        assert LOG_RATES[row][column] == pytest.approx(_log_rate(SIZES[row], LOG_LOCAL_LEVELS[column]), abs=2e-6)


def test_no_entry_of_the_table_is_misprinted() -> None:
    wanted = np.linspace(math.log(1e-6), math.log(0.05), 14)
    assert np.array(LOG_LOCAL_LEVELS) == pytest.approx(wanted, abs=1e-6)
    rates = np.array(LOG_RATES)
    # All curves are smooth: one wrong entry would stand out in the differences of its row at least as far as it is off.
    assert np.abs(np.diff(rates, 4, axis=1)).max() < 0.02
    # Between rows it is the size that counts, as the logarithm of its logarithm.
    sizes = np.log(np.log(SIZES))
    for left, here, right in zip(range(11), range(1, 12), range(2, 13), strict=True):
        share = (sizes[here] - sizes[left]) / (sizes[right] - sizes[left])
        assert rates[here] == pytest.approx((1 - share) * rates[left] + share * rates[right], abs=2e-3)
