"""Findings: when each appears, and that codes keep their meaning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import thresher as th
from thresher._report import page_html
from thresher._report.findings import CODES
from thresher._report.write_report import report_data


def codes(scores, **options) -> dict[str, str]:
    models = scores if isinstance(scores, dict) else {"m": scores}
    return {finding.code: finding.text for finding in report_data(models, **options).findings}


def spread(n: int = 400, shift: float = 1.0) -> th.Scores:
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    return th.Scores(y, rng.normal(size=n) + shift * y)


def test_codes_are_a_promise():
    assert {code: name for code, (name, _) in CODES.items()} == {
        "TH101": "few-positives",
        "TH102": "few-negatives",
        "TH103": "ties-across-classes",
        "TH104": "saturated-scores",
        "TH105": "perfect-separation",
        "TH106": "below-chance",
        "TH107": "estimators-disagree",
        "TH108": "infinite-scores",
        "TH109": "weighted-counts",
        "TH110": "interval-remark",
        "TH111": "few-effective-rows",
        "TH112": "clusters",
        "TH113": "not-better-than-chance",
        "TH201": "hull-on-these-data",
        "TH202": "points-left-out",
        "TH301": "different-cases",
        "TH302": "rests-on-one-case",
    }


def test_good_data_have_only_the_note_on_the_hull():
    assert set(codes(spread())) == {"TH201"}


def test_few_cases():
    few = th.Scores([1] * 5 + [0] * 5, [9, 3, 8, 4, 2, 7, 5, 1, 6, 0])
    found = codes(few)
    assert found["TH101"].startswith("There are only 5 positives: each of them moves the curve by 20%.")
    assert "TH102" in found


def test_ties_and_saturation():
    tied = th.Scores([1] * 50 + [0] * 50, [1.0] * 40 + [0.5] * 10 + [0.5] * 10 + [0.0] * 40)
    found = codes(tied)
    assert found["TH103"].startswith("20.0% of the positives share their exact score with a negative (1 such scores).")
    assert found["TH104"].startswith("40.0% of the cases have exactly the")
    assert codes(th.Scores([0, 1], [3, 3]))["TH104"] == "All cases have the same score: there is no ranking to judge."


def test_perfect_and_flipped_scores():
    y = np.arange(100) >= 50
    assert "TH105" in codes(th.Scores(y, np.arange(100)))
    flipped = codes(th.Scores(y, -np.arange(100.0)))
    assert flipped["TH106"].startswith("ROC AUC is 0 (0 to 0.0648), below one half")
    assert "TH105" not in flipped


def test_disagreeing_estimators_say_by_how_much():
    tied = th.Scores.from_counts([1.0, 0.0], pos=[50, 50], neg=[0, 9900])
    spread = tied.pr_auc(estimator="average_precision").value - tied.pr_auc().value
    assert f"{abs(spread):.3g} below the interpolated area" in codes(tied)["TH107"]


def test_infinite_scores_weights_and_points_left_out():
    infinite = codes(th.Scores([0, 1, 1], [-np.inf, np.inf, 0.0]))
    assert infinite["TH108"].startswith("2 cases have an infinite score")
    assert "TH109" in codes(th.Scores([0, 1], [0, 1], sample_weight=[0.5, 0.25]))
    thinned = codes(spread(2000), max_points=100)["TH202"]
    assert thinned.startswith(("100 of 2,001 points are drawn", "101 of 2,001 points are drawn"))


def test_models_measured_on_different_cases():
    assert "TH301" in codes({"a": spread(40), "b": spread(42)})
    assert "TH301" not in codes({"a": spread(40), "b": spread(40, shift=2)})


def test_the_librarys_remarks_on_intervals_are_passed_on():
    found = report_data({"m": th.Scores([0, 0, 1, 0], [1, 2, 3, 4])}, pr_method="logit").findings
    remarks = [finding.text for finding in found if finding.code == "TH110"]
    assert any("needs more than one row in each class" in text for text in remarks)


def test_the_serious_come_first():
    y = np.arange(100) >= 50
    levels = [finding.level for finding in report_data({"m": th.Scores(y, -np.arange(100.0))}).findings]
    assert levels == sorted(levels, key=["warning", "caution", "note"].index)
    assert levels[0] == "warning"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_level_is_known(code):
    assert CODES[code][1] in ("note", "caution", "warning")


def fragile():
    """A comparison whose result one more misranked case would undo, and its models."""
    rng = np.random.default_rng(3)
    y = np.arange(220) < 20
    noise = rng.normal(size=y.size)
    made = {"nearly": np.where(y, 9.0, 0.0) + 0.1 * noise, "plain": noise + 2.2 * y}
    with pytest.warns(th.ThresherWarning, match="One case decides"):
        compared = th.compare(y, made)
    return {name: th.Scores(y, values) for name, values in made.items()}, compared


def test_a_difference_that_rests_on_one_case_is_a_warning():
    models, compared = fragile()
    data = report_data(models, comparison=compared)
    pair = compared.pairs[0]
    found = next(finding for finding in data.findings if finding.code == "TH302")
    assert found in data.verdict
    assert found.text == (
        "The difference between nearly and plain rests on one case: one more misranked case would change p from "
        f"{pair.pvalue:.2g} to {pair.pvalue_one_more:.2g}. Treat the difference as unproven."
    )
    assert f"but its lead over plain rests on one case (p = {pair.pvalue:.2g})" in " ".join(data.summary)
    assert data.pairs[0].difference.one_more == pair.pvalue_one_more
    cell = f"rests on one case: with one more misranked, p = {pair.pvalue_one_more:.2g}"
    assert page_html(data).count(cell) == 2


def test_a_case_that_turns_a_difference_round_is_said():
    models, compared = fragile()
    pair = replace(compared.pairs[0], pvalue=0.001, pvalue_one_more=1e-3)
    turned = replace(compared, _pairs=(pair,))
    text = codes(models, comparison=turned)["TH302"]
    assert "one more misranked case would turn the difference round (p = 0.001)." in text


def test_a_random_score_is_not_called_flipped():
    rng = np.random.default_rng(5)
    y = rng.random(900) < 0.3
    for seed in range(40):
        scores = th.Scores(y, np.random.default_rng(seed).normal(size=y.size))
        low, high = scores.roc_auc().confidence_interval()
        found = codes(scores)
        assert ("TH106" in found) == (high < 0.5)
        assert ("TH113" in found) == (low <= 0.5 <= high)
        if scores.roc_auc().value < 0.5 < high:
            text = f"ROC AUC is {scores.roc_auc().value:.3g} ({low:.3g} to {high:.3g}): these data do not show"
            assert found["TH113"].startswith(text)
            return
    raise AssertionError("no sample fell below one half")


def test_below_one_half_without_an_interval_is_said_as_such():
    counts = th.Scores.from_counts([2.0, 1.0], pos=[1.5, 2.5], neg=[3.5, 1.25])
    assert codes(counts)["TH113"].endswith("Without an interval this may be chance.")


def test_few_rows_are_few_rows_whatever_they_weigh():
    rng = np.random.default_rng(0)
    y, score = np.arange(400) % 2, rng.normal(size=400) + np.arange(400) % 2
    for total in (1.0, 1e6):
        weight = rng.gamma(2, size=400)
        assert "TH101" not in codes(th.Scores(y, score, sample_weight=weight / weight.sum() * total))
    few = th.Scores(y[:30], score[:30], sample_weight=rng.gamma(2, size=30) * 1000)
    assert codes(few)["TH101"] == "There are only 15 positives. Read intervals, not points."
