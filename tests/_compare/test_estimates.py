"""Estimates on shared rows against reference values, other tests of the library, and what contrasts must be."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import thresher as th
from support import contrasts
from thresher.exceptions import InvalidInputError, ThresherWarning, UndefinedMetricError

MIXED = contrasts.data("mixed", "two_measures")
BOTH = ["roc_auc", "average_precision"]


def drawn(n=200, models=3, seed=0, lift=(0.6, 1.0, 1.4)):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    scores = rng.normal(size=(models, n)) + np.outer(lift[:models], y) + rng.normal(size=n)
    return y, dict(zip("abc", np.round(scores, 1), strict=False))


@pytest.mark.parametrize("key", list(MIXED["expected"]))
def test_reference_covariances(key):
    kind, design = key.split("/")
    given = {}
    if "weights" in kind:
        given["sample_weight"] = MIXED["weight"]
    if "clusters" in kind:
        given["cluster"] = MIXED["cluster"]
    if kind == "b_on_seen_rows":
        given["seen"] = {"b": MIXED["b_seen"]}
    models = {"a": np.array(MIXED["a"], dtype=float), "b": np.array(MIXED["b"], dtype=float)}
    if kind == "b_on_seen_rows":
        models["b"][np.array(MIXED["b_seen"]) == 0] = np.nan
    found = th.estimates(MIXED["y"], models, metrics=BOTH, design=design, **given)
    expected = MIXED["expected"][key]
    assert found.names == tuple(expected["names"])
    contrasts.close(found.values, expected["values"])
    contrasts.close(found.covariance(), expected["covariance"])


def test_a_table_gives_what_its_rows_give():
    y, models = drawn()
    rows = th.estimates(y, {"a": models["a"]}, metrics=BOTH)
    table = th.Scores(y, models["a"]).measure(BOTH)
    contrasts.close(table.covariance(), rows.covariance())
    assert table["roc_auc"].df == pytest.approx(rows["a:roc_auc"].df, rel=1e-10)


def test_differences_are_the_paired_test():
    y, models = drawn(n=60)
    found = th.estimates(y, models)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pairs = th.compare(y, models, method="delong-t")
    for pair in pairs.pairs:
        mine = found.difference(pair.a, pair.b)
        assert mine.value == pytest.approx(pair.difference, rel=1e-12)
        assert mine.standard_error == pytest.approx(pair.standard_error, rel=1e-12)
        assert mine.df == pytest.approx(pair.df, rel=1e-10)
        assert mine.pvalue == pytest.approx(pair.pvalue, rel=1e-9)
        low, high = mine.confidence_interval()
        assert (low, high) == pytest.approx((pair.low, pair.high), rel=1e-9)
    omnibus = found.omnibus()
    assert omnibus.statistic == pytest.approx(pairs.omnibus.statistic, rel=1e-9)
    assert omnibus.pvalue == pytest.approx(pairs.omnibus.pvalue, rel=1e-9)


def test_contrasts_by_name_weight_and_matrix_agree():
    y, models = drawn()
    found = th.estimates(y, models)
    one = found.contrast({"a": 1, "c": -1})
    assert one.value == found.difference("a", "c").value == found.contrast([1, 0, -1]).value
    assert one.name == "a - c"
    assert found.mean().value == pytest.approx(found.values.mean())
    assert found.mean([2, 1, 1]).value == pytest.approx(found.values @ [0.5, 0.25, 0.25])
    variance = np.ones(3) @ found.covariance() @ np.ones(3) / 9
    assert found.mean().standard_error() == pytest.approx(math.sqrt(variance))


def test_ratio_is_symmetric_on_the_log_scale():
    y, models = drawn()
    found = th.estimates(y, models)
    one, other = found.ratio("c", "a"), found.ratio("a", "c")
    low, high = one.confidence_interval()
    assert (1 / high, 1 / low) == pytest.approx(tuple(other.confidence_interval()))
    assert one.pvalue == pytest.approx(other.pvalue)
    a, c = found["a"], found["c"]
    covariance = found.covariance()
    u = covariance[0, 0] / a.value**2 + covariance[2, 2] / c.value**2 - 2 * covariance[0, 2] / (a.value * c.value)
    assert one.standard_error / one.value == pytest.approx(math.sqrt(u))


def test_interval_of_an_area_is_the_wider_of_both():
    y, models = drawn()
    one = th.estimates(y, models)["b"]
    logit, joined, wider = (one.confidence_interval(method=m) for m in ("logit", "square-and-add", None))
    assert wider.low == min(logit.low, joined.low)
    assert wider.high == max(logit.high, joined.high)
    area = th.roc_auc_interval(one.value, int(y.sum()), int((~y).sum()), method="newcombe")
    assert (joined.low, joined.high) == pytest.approx((area.low, area.high))


def test_a_separated_model_has_an_interval_with_length_and_no_wrong_difference():
    y = np.arange(40) < 20
    models = {"a": y + np.linspace(0, 0.5, 40), "b": 2.0 * y + np.linspace(0, 0.5, 40)}
    found = th.estimates(y, models)
    low, high = found["a"].confidence_interval()
    assert 0.8 < low < 1.0
    assert high == 1.0
    assert found.difference("a", "b").pvalue == 1.0
    precision = th.estimates(y, models, metrics=["average_precision"])
    with pytest.raises(UndefinedMetricError, match="no case differs"):
        precision["a"].confidence_interval()
    assert "no interval" in repr(precision)


@pytest.mark.parametrize("case", contrasts.max_t())
def test_quantile_of_the_largest(case):
    from thresher._compare.multiplicity import _Directions, max_t_exceeds, max_t_quantile

    k = int(case["k"])
    correlation = np.full((k, k), case["correlation"])
    np.fill_diagonal(correlation, 1.0)
    assert max_t_quantile(correlation, case["level"]) == pytest.approx(case["quantile"], rel=1e-12)
    assert max_t_exceeds(correlation, np.array([case["quantile"]]))[0] == pytest.approx(1 - case["level"], abs=1e-12)
    # The way for any correlations, which is approximate.
    assert _Directions(correlation)(np.array([case["quantile"]]))[0] == pytest.approx(1 - case["level"], rel=5e-3)
    # Signs of variables do not matter.
    flip = np.where(np.arange(k) % 2, -1.0, 1.0)
    assert max_t_quantile(correlation * np.outer(flip, flip), case["level"]) == pytest.approx(
        case["quantile"], rel=1e-12
    )


def test_all_pairs_have_the_studentized_range():
    from scipy.stats import studentized_range

    from thresher._compare.multiplicity import max_t_exceeds, max_t_quantile

    i, j = np.triu_indices(6, 1)
    matrix = np.eye(6)[i] - np.eye(6)[j]
    correlation = matrix @ matrix.T / 2
    assert max_t_quantile(correlation, 0.95) == pytest.approx(studentized_range.ppf(0.95, 6, np.inf) / 2**0.5, rel=1e-3)
    at = np.array([2.0, 4.0, 6.0])
    assert max_t_exceeds(correlation, at) == pytest.approx(studentized_range.sf(at * 2**0.5, 6, np.inf), rel=0.05)


def test_one_reference_is_dunnett():
    """Independent estimates against one reference, against a product of normal probabilities."""
    from thresher._compare.multiplicity import _one_factor, max_t_exceeds

    variances = np.array([1.0, 2.0, 0.5])
    error = np.sqrt(variances + 1.5)
    correlation = (np.diag(variances) + 1.5) / np.outer(error, error)
    assert _one_factor(correlation) is not None
    rng = np.random.default_rng(0)
    z = (rng.normal(size=(400_000, 3)) * np.sqrt(variances) + rng.normal(size=(400_000, 1)) * 1.5**0.5) / error
    share = (np.abs(z).max(axis=1) >= 2.2).mean()
    assert max_t_exceeds(correlation, np.array([2.2]))[0] == pytest.approx(share, abs=4 * (share / 400_000) ** 0.5)


def test_simultaneous_intervals_and_ranks():
    y, models = drawn(n=400, lift=(0.2, 1.0, 3.0))
    found = th.estimates(y, models)
    pairs = found.simultaneous()
    assert pairs.names == ("a - b", "a - c", "b - c")
    assert ((pairs.low > 0) | (pairs.high < 0)).tolist() == (pairs.pvalues_adjusted < 0.05).tolist()
    assert (pairs.pvalues_adjusted >= pairs.pvalues).all()
    assert (pairs.pvalues_adjusted <= np.minimum(3 * pairs.pvalues, 1) + 1e-12).all()
    low, high = pairs.largest_gap
    assert low <= found.values.max() - found.values.min() <= high
    ranks = found.ranking()
    assert ranks.names == ("c", "b", "a")
    assert ranks.may_be_best == ("c",)
    assert (ranks.best_rank <= ranks.worst_rank).all()
    against = found.simultaneous(reference="a")
    assert against.names == ("b - a", "c - a")
    assert against.critical_value < pairs.critical_value
    assert found.simultaneous("mean").values.sum() == pytest.approx(0, abs=1e-12)


def test_losses_rank_the_other_way():
    y, models = drawn(n=400, lift=(0.2, 1.0, 3.0))
    models = {name: 1 / (1 + np.exp(-(s - 1))) for name, s in models.items()}
    found = th.estimates(y, models, metrics=["brier"])
    assert found.ranking().names[0] == min(zip(found.values, found.names, strict=True))[1]


def test_metrics_without_influence_values_are_resampled_together():
    y, models = drawn(n=300)
    found = th.estimates(y, models, metrics=["roc_auc", "h_measure"], n_resamples=400, rng=0)
    smooth = th.estimates(y, models)
    assert found.standard_errors[:3] == pytest.approx(smooth.standard_errors, rel=0.15)
    assert found.correlation()[0, 3] > 0.3  # drawn together
    assert found["a:roc_auc"].df == math.inf
    with pytest.raises(InvalidInputError, match="`seen` leaves some out"):
        th.estimates(y, models, metrics=["h_measure"], seen={"a": np.arange(300) < 250})


def test_frequencies_are_repeated_rows():
    y, models = drawn(n=50)
    times = np.arange(50) % 3
    repeated = np.repeat(np.arange(50), times)
    a = th.estimates(y, models, frequency=times)
    b = th.estimates(y[repeated], {name: s[repeated] for name, s in models.items()})
    contrasts.close(a.covariance(), b.covariance())


def test_models_that_share_no_row_are_independent():
    y, models = drawn(n=200)
    half = np.arange(200) < 100
    found = th.estimates(y, {"a": models["a"], "b": models["b"]}, seen={"a": half, "b": ~half})
    assert found.covariance()[0, 1] == 0.0
    one = th.Scores(y[half], models["a"][half]).roc_auc()
    assert found["a"].value == one.value
    assert found["a"].standard_error == pytest.approx(one.standard_error(method="delong"), rel=1e-12)


def test_options_and_names_of_metrics():
    y, models = drawn()
    found = th.Scores(y, models["a"]).measure(["roc_auc", th.measures.as_measure("partial_roc_auc", fpr=(0, 0.2))])
    assert found.names == ("roc_auc", "partial_roc_auc")
    assert found["partial_roc_auc"].bounds == (0.0, 0.2)
    assert 0 < found["partial_roc_auc"].confidence_interval().low < found["partial_roc_auc"].value


def test_travels_as_json():
    y, models = drawn()
    found = th.estimates(y, models, metrics=BOTH)
    back = th.results.from_json(found.to_json())
    assert back == found
    contrasts.close(back.covariance(), found.covariance())
    assert back.difference("a:roc_auc", "b:roc_auc").df == found.difference("a:roc_auc", "b:roc_auc").df
    for part in (
        found["a:roc_auc"],
        found.mean(),
        th.estimates(y, models).simultaneous(),
        th.estimates(y, models).ranking(),
    ):
        assert th.results.from_json(part.to_json()) == part


def test_what_cannot_be_is_refused():
    y, models = drawn()
    found = th.estimates(y, models)
    with pytest.raises(InvalidInputError, match="There must be an estimate called 'd'"):
        found["d"]
    with pytest.raises(InvalidInputError, match="weight for each of the 3"):
        found.contrast([1, -1])
    with pytest.raises(InvalidInputError, match="`reference` must name"):
        found.simultaneous("reference")
    with pytest.raises(InvalidInputError, match="`metrics` must be a list"):
        th.estimates(y, models, metrics="roc_auc")
    with pytest.raises(InvalidInputError, match="at least one model"):
        th.estimates(y, {})
    with pytest.raises(InvalidInputError, match="A ranking must be of one metric"):
        th.estimates(y, models, metrics=BOTH).ranking()
    with pytest.raises(InvalidInputError, match="no natural one"):
        found["a"].test()
    with pytest.warns(ThresherWarning, match="The rarer class has 5 cases"):
        th.estimates(np.arange(40) < 5, {"a": np.arange(40.0)[::-1] % 11})


def test_class_totals_at_a_horizon_are_left_to_chance():
    rng = np.random.default_rng(0)
    time, event, score = rng.exponential(size=400), rng.random(400) < 0.6, rng.random(400)
    models = {"a": score, "b": score**2 + rng.random(400)}
    with pytest.raises(InvalidInputError, match=r"`design` must be 'random' with `time`.* Hint: leave `design` out"):
        th.estimates(None, models, time=time, event=event, at=0.5, design="fixed")
    assert (th.estimates(None, models, time=time, event=event, at=0.5).standard_errors > 0.0).all()
