"""Fairness criteria: definitions, golden gaps and ratios, one-class groups, the command, equal groups."""

import json
import math
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher.cli import main

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "confusion.json").read_text(encoding="utf-8"))
RNG = np.random.default_rng(4)
N = 600
Y = RNG.integers(0, 2, N)
S = np.round(RNG.normal(size=N) + Y, 2)
GROUP = np.array(list("abc"))[RNG.integers(0, 3, N)]


def rate(rows, given):
    return float(rows[given].mean()) if given.any() else math.nan


def test_the_criteria_are_what_their_names_say():
    found = th.by_group(Y, S, GROUP).fairness(0.5)
    called, positive = S >= 0.5, Y == 1
    by_name = {}
    for name, given in (("alert_rate", Y >= 0), ("recall", positive), ("fpr", ~positive)):
        by_name[name] = np.array([rate(called, given & (g == GROUP)) for g in "abc"])
    by_name["precision"] = np.array([rate(positive, called & (g == GROUP)) for g in "abc"])
    for name, metrics in (
        ("demographic_parity", ["alert_rate"]),
        ("equal_opportunity", ["recall"]),
        ("equalised_odds", ["recall", "fpr"]),
        ("predictive_parity", ["precision"]),
    ):
        values = [by_name[one] for one in metrics]
        assert found[name].value == pytest.approx(max(v.max() - v.min() for v in values), rel=1e-12)
        assert found[name].ratio == pytest.approx(min(v.min() / v.max() for v in values), rel=1e-12)
        assert found[name].low <= found[name].value <= found[name].high
        assert found[name].ratio_low <= found[name].ratio <= found[name].ratio_high
        if len(metrics) == 1:
            assert "abc"[int(values[0].argmax())] == found[name].highest
            assert "abc"[int(values[0].argmin())] == found[name].lowest
    assert found["equalized_odds"] == found["equalised_odds"]


def test_a_criterion_of_one_metric_is_the_largest_gap_of_that_metric():
    found = th.by_group(Y, S, GROUP, metric="recall", threshold=0.5)
    largest, same = found.gaps().largest, found.fairness()["equal_opportunity"]
    assert (same.value, same.low, same.high) == (largest.value, largest.low, largest.high)


@pytest.mark.parametrize("case", REFERENCE["groups"], ids=lambda case: case["name"])
def test_reference_values(case):
    y, score, group = [], [], []
    for g, (found, total) in enumerate(case["counts"]):
        y += [1] * total + [0]
        score += [1.0] * found + [0.0] * (total - found) + [0.0]
        group += [f"{g:02d}"] * (total + 1)
    one = th.by_group(y, score, group, metric="recall", threshold=1.0).fairness()["equal_opportunity"]
    assert one.value == pytest.approx(float(Fraction(case["gap"])), rel=1e-12, abs=1e-15)
    assert one.ratio == pytest.approx(float(Fraction(case["ratio"])), rel=1e-12, abs=1e-15)


def test_groups_of_one_class_count_where_the_rate_is_defined():
    y = [1, 1, 0, 1, 0, 0, 0, 0, 0]
    score = [1, 0, 1, 1, 0, 1, 1, 0, 0]
    group = list("aaabbbccc")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        found = th.by_group(y, score, group, metric="recall", threshold=1).fairness()
    assert found["equal_opportunity"].value == 0.5  # of a and b
    assert found["demographic_parity"].value == pytest.approx(1 / 3)  # of all three
    assert found["predictive_parity"].value == pytest.approx(0.5)


def test_clusters_and_weights_take_part():
    cluster = np.arange(N) // 4
    plain = th.by_group(Y, S, GROUP).fairness(0.5)["demographic_parity"]
    repeated = np.repeat(np.arange(N), 3)
    tripled = th.by_group(Y[repeated], S[repeated], GROUP[repeated], cluster=repeated).fairness(0.5)
    assert tripled["demographic_parity"].value == pytest.approx(plain.value)
    assert tripled["demographic_parity"].high == pytest.approx(plain.high, abs=0.01)
    weighted = th.by_group(Y, S, GROUP, sample_weight=np.full(N, 7.0), cluster=cluster).fairness(0.5)
    assert weighted["demographic_parity"].value == pytest.approx(plain.value)


def test_equal_groups_are_covered():
    rng, inside, above = np.random.default_rng(7), 0, 0
    for _ in range(120):
        y = np.ones(240, dtype=int)
        score = (rng.random(240) < 0.9).astype(float)
        group = np.arange(240) % 4
        y = np.append(y, [0] * 4)
        score, group = np.append(score, [0.0] * 4), np.append(group, range(4))
        one = th.by_group(y, score, group, metric="recall", threshold=1).fairness()["equal_opportunity"]
        inside += one.low == 0.0
        above += one.ratio_high < 1.0
    assert inside >= 112  # 95% of 120, less two standard errors
    assert above <= 8


def test_what_is_refused_says_what_to_do():
    with pytest.raises(th.InvalidInputError, match=r"Hint: `.fairness\(threshold=0.5\)`"):
        th.by_group(Y, S, GROUP).fairness()
    with pytest.raises(th.InvalidInputError, match=r"fairness\(threshold=0.5\)\['equalized_odds'\]"):
        th.by_group(Y, S, GROUP, metric="equalized_odds", threshold=0.5)
    with pytest.raises(th.InvalidInputError, match="did you mean 'equal_opportunity'"):
        th.by_group(Y, S, GROUP).fairness(0.5)["equal_oportunity"]
    with pytest.raises(th.InvalidInputError, match="at least 2 segments"):
        th.by_group(Y, S, np.zeros(N)).fairness(0.5)


def test_it_travels():
    found = th.by_group(Y, S, GROUP).fairness(0.5)
    assert th.results.from_json(found.to_json()) == found
    assert len(found.to_frame(backend="pandas")) == 4
    assert "equalised odds: largest gap" in repr(found)


def test_the_command_prints_it(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    rows = "\n".join(f"{y},{s},{g}" for y, s, g in zip(Y, S, GROUP, strict=True))
    path.write_text(f"label,score,site\n{rows}\n", encoding="utf-8")
    words = ["groups", str(path), "--group", "site", "--metric", "recall", "--threshold", "0.5", "--fairness"]
    assert main([*words, "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)["fairness"]
    expected = th.by_group(Y, S, GROUP).fairness(0.5)
    assert [row["name"] for row in printed] == [one.name for one in expected]
    assert printed[2]["high"] == pytest.approx(expected["equalised_odds"].high)
    assert main(words) == 0
    assert "equalised_odds" in capsys.readouterr().out
    assert main(["groups", str(path), "--group", "site", "--fairness"]) == 2
    assert "--metric recall --threshold 0.5" in capsys.readouterr().err
