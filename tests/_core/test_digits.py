"""Numbers as people write them."""

import re

import numpy as np
import pytest

import thresher as th
from thresher._core.digits import bound_text, count_text, near, rate_text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (2_353_570, "2,353,570"),
        (2_353_570.0, "2,353,570"),
        (2**60 + 1, f"{2**60 + 1:,}"),
        (np.int64(12_000), "12,000"),
        (337.6673666633323, "337.7"),
        (1_234_567.25, "1,234,567.2"),
        (4.88889, "4.89"),
        (0.25431, "0.254"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_counts(count, text):
    assert count_text(count) == text


@pytest.mark.parametrize("rows", [10, 53, 174, 1623, 800_796, 3_000_000])
@pytest.mark.parametrize("value", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999, 1.0])
def test_a_rate_is_near_and_its_last_digit_is_within_the_sampling_error(value, rows):
    text = rate_text(value, rows)
    last = 10.0 ** -len(text.partition(".")[2])
    error = 1.96 * np.sqrt((value * (1 - value) + 2 / rows) / rows)  # no less at 0 and 1 than with 2 cases of the other
    assert "e" not in text
    assert abs(float(text) - value) <= 0.5001 * last
    assert last <= error
    # A rate so near 0 or 1 that these rows cannot tell is written with the digits that tell it from them.
    assert error < 150 * last or round(value, len(text) - 3) in (0.0, 1.0)


def test_rates_of_a_population_have_four_digits():
    assert rate_text(0.123456, 0.3) == "0.1235"
    assert rate_text(float("nan"), 100) == "nan"


def test_a_bound_is_never_rounded_down():
    for bound in np.random.default_rng(0).random(200) * 10.0 ** np.arange(-8, 0).repeat(25):
        assert bound <= float(bound_text(bound)) <= 2.0001 * bound
    assert bound_text(0.00051) == "0.0006"
    assert bound_text(1e-3) == "0.001"


def test_a_value_without_a_known_error():
    assert near(0.123456789, float("nan")) == "0.123457"


def test_large_counts_of_a_point_are_whole_numbers():
    point = th.results.OperatingPoint(0.6, tp=628_336, fp=446_237, fn=172_460, tn=2_353_567)
    assert repr(point) == (
        "OperatingPoint(threshold=0.6, tp=628,336, fp=446,237, fn=172,460, tn=2,353,567, "
        "recall=0.78464, fpr=0.15938, precision=0.58473)"
    )


def test_rates_of_weighted_rows_do_not_depend_on_the_unit_of_the_weights():
    rng = np.random.default_rng(1)
    y, score, weight = rng.random(300) < 0.3, rng.normal(size=300), rng.uniform(0.5, 3.0, 300)
    shown = []
    for unit in (1.0, 1e-4, 1e4):
        text = repr(th.Scores(y, score, sample_weight=weight * unit).roc().at(threshold=0.5))
        shown.append(re.findall(r"(?:recall|fpr|precision)=[\d.]+", text))
    assert len(shown[0]) == 3
    assert shown[0] == shown[1] == shown[2]


def test_a_bound_of_the_error_leaves_the_digits_of_the_interval():
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.3
    area = th.Scores(y, rng.normal(size=20_000) + y).compress(200).roc_auc()
    value, bound, low, high = re.fullmatch(
        r"roc_auc = ([\d.]+) ± ([\d.]+) at most, 95% interval ([\d.]+) to ([\d.]+)", repr(area).splitlines()[0]
    ).groups()
    assert len(value) == len(low) == len(high) <= 6
    assert float(bound) >= area.error_bound
