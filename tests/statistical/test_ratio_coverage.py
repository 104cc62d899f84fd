"""Coverage of intervals for likelihood ratios: sums over the library's limits, and the worst cells of the default."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.coverage_ratios import Pairs, coverage

from thresher._inference.rates.two_rates import RATIO_METHODS, ratio_bounds


@pytest.mark.parametrize("method", RATIO_METHODS)
@pytest.mark.parametrize("ratio", [0.3, 1.0, 5.0])
def test_what_is_missed_is_outside_the_limits(method, ratio):
    n1, n2 = 7, 9
    found = Pairs(np.arange(n1 + 1.0)[:, None], n1, np.arange(n2 + 1.0)[None], n2).missed(method, ratio)
    for x1, x2 in np.ndindex(n1 + 1, n2 + 1):
        low, high = ratio_bounds(float(x1), n1, float(x2), n2, 0.95, method)
        assert found[x1, x2] == (not low <= ratio <= high), (x1, x2)


@pytest.mark.parametrize("method", ["bayes", "mover", "log"])
def test_lengths_are_those_of_the_limits(method):
    pairs = Pairs(np.arange(8.0)[:, None], 7, np.arange(10.0)[None], 9)
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = pairs.ends(method)
    for x1, x2 in ((1, 1), (3, 5), (7, 2), (4, 9)):
        expected = ratio_bounds(float(x1), 7, float(x2), 9, 0.95, method)
        assert [end[x1, x2] for end in ends] == pytest.approx(expected, rel=1e-9)


def test_the_default_holds_where_jeffreys_limits_do_not():
    worst = {
        method: min(
            cell.cover
            for sizes in ((50, 50), (30, 270))
            for cell in coverage(*sizes, method, rates=(0.05, 0.1, 0.5, 0.9, 0.95, 0.999))
        )
        for method in ("bayes", "mover")
    }
    assert worst["mover"] < 0.9
    assert worst["bayes"] >= 0.93


def test_the_page_names_the_worst_first():
    page = (Path(__file__).parents[2] / "docs" / "validation" / "calibration.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| bayes | 2890 |"))
    assert float(row.split("|")[3]) >= 93.0
    assert row.split("|")[4].strip() == "0"
    again = min(coverage(30, 270, "bayes", rates=(0.1, 0.999)))
    assert f"| bayes | 30 and 270 | 0.1 : 0.999 | {100 * again.cover:.1f} |" in page
