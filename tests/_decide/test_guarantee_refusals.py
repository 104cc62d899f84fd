"""What a refused guarantee says: the number of cases it names is the least, and what it offers can be had."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._core.decimals import as_written
from thresher._decide.guarantee_terms import GuaranteeTerms, ceil_text, floor_text, too_few


@pytest.mark.parametrize(
    ("number", "text"), [(0.98765, "0.987"), (0.9, "0.9"), (0.99999, "0.99999"), (0.99998765, "0.999987"), (0.0, "0")]
)
def test_shares_are_rounded_down(number, text):
    assert floor_text(number) == text
    assert float(text) <= number


@pytest.mark.parametrize(
    ("number", "text"), [(0.01234, "0.013"), (0.2, "0.2"), (0.000123, "0.00013"), (0.5001, "0.501")]
)
def test_rates_are_rounded_up(number, text):
    assert ceil_text(number) == text
    assert float(text) >= number


@pytest.mark.parametrize(("recall", "confidence", "parts"), [(0.9, 0.95, 1), (0.8, 0.9, 2), (0.99, 0.5, 1)])
def test_the_number_named_is_the_least_and_the_offers_hold(recall, confidence, parts):
    terms = GuaranteeTerms(confidence)
    keep = as_written(recall)
    delta = terms.delta / parts
    least = next(n for n in range(1, 2000) if keep**n <= delta)  # no error among n
    got = max(least // 2, 1)
    text = too_few("min_recall", recall, got, "positives", keep, terms, parts)
    named = int(re.search(r"needs at least ([\d,]+) positives", text)[1].replace(",", ""))
    assert named == least
    assert f"collect {least - got:,} more" in text
    offered = Fraction(re.search(r"ask for recall ([\d.]+)", text)[1])
    assert offered**got <= delta < (offered + Fraction(2, 1000)) ** got
    if found := re.search(r"or confidence ([\d.]+)\.$", text):
        level = Fraction(found[1])
        assert parts * keep**got <= 1 - level < parts * keep**got + Fraction(1, 500)
    else:
        assert parts * keep**got >= 1
    assert (f"(each of {parts} limits at" in text) == (parts > 1)


def test_a_confidence_that_is_none_is_not_offered():
    assert "or confidence" not in too_few("max_fpr", 0.001, 3, "negatives", Fraction(999, 1000), GuaranteeTerms(0.9), 2)
    # 1 - 2 (1/2)^1 is no confidence at all.
    assert "or confidence" not in too_few("min_recall", 0.5, 1, "positives", Fraction(1, 2), GuaranteeTerms(0.9), 2)


def test_a_rate_is_offered_as_a_rate():
    text = too_few("max_fpr", 0.01, 10, "negatives", Fraction(99, 100), GuaranteeTerms(0.95), 1)
    rate = Fraction(re.search(r"ask for a rate of ([\d.]+)", text)[1])
    assert (1 - rate) ** 10 <= Fraction(1, 20) < (1 - rate + Fraction(1, 500)) ** 10


def test_a_mean_needs_one_case_in_reserve():
    text = too_few("min_recall", 0.9, 4, "positives", Fraction(9, 10), GuaranteeTerms(None, "expected"), 1)
    # Without an error among n the next is missed with probability 1 / (n + 1): nine positives for 0.9, four for 0.8.
    assert "`min_recall=0.9` on average needs at least 9 positives; got 4. Hint: collect 5 more" in text
    assert "recall 0.8 (the best" in text


def test_nothing_is_certain():
    want = "`min_recall=1` cannot be guaranteed with confidence: no number of positives proves it."
    assert too_few("min_recall", 1.0, 5, "positives", Fraction(1), GuaranteeTerms(0.95), 1) == want


def test_next_cases_name_no_number():
    text = too_few("min_recall", 0.9, 5, "positives", Fraction(9, 10), GuaranteeTerms(0.95, "next", 1500), 1)
    assert text.startswith(
        "`min_recall=0.9` among the next 1,500 with confidence 0.95 cannot be guaranteed with 5 positives"
    )


def scores(n_pos: int, n_neg: int) -> th.Scores:
    return th.Scores(np.arange(n_pos + n_neg) < n_pos, np.arange(n_pos + n_neg, 0, -1.0))


def test_calling_nothing_is_true_but_empty():
    with pytest.warns(th.ThresherWarning, match="Only the threshold that predicts nothing positive") as seen:
        point = scores(5, 20).choose_threshold(max_fpr=0.01, confidence=0.95)
    assert (point.tp, point.fp) == (0, 0)
    assert "`max_fpr=0.01` with confidence 0.95 needs at least 299 negatives; got 20." in str(seen[0].message)


def test_limits_that_no_threshold_keeps_together():
    mixed = th.Scores(np.arange(200) % 2 == 0, np.arange(200.0))
    with pytest.raises(th.UndefinedMetricError) as caught:
        mixed.choose_threshold(min_recall=0.8, max_fpr=0.3, confidence=0.9)
    text = str(caught.value)
    top, bottom = (float(re.search(rf"{words} (-?[\d.]+)", text)[1]) for words in ("at most", "at least"))
    assert top < bottom
    # Each threshold named keeps its own limit with the confidence, by itself.
    assert (mixed.pos * (mixed.thresholds >= top)).sum() / mixed.n_pos > 0.8
    assert (mixed.neg * (mixed.thresholds >= bottom)).sum() / mixed.n_neg < 0.3
    assert "`min_recall=0.8`" in text
    assert "`max_fpr=0.3`" in text


def test_precision_that_the_first_calls_do_not_show():
    with pytest.raises(th.UndefinedMetricError) as caught:
        th.Scores(np.arange(120) % 2 == 0, np.arange(120.0)).choose_threshold(min_precision=0.9, confidence=0.95)
    text = str(caught.value)
    calls, right = (int(found) for found in re.search(r"first (\d+) predicted positives (\d+) are", text).groups())
    best = float(re.search(r"they can guarantee ([\d.]+)", text)[1])
    limit = stats.beta.ppf(0.05, right, calls - right + 1)
    assert best <= limit < best + 0.001
