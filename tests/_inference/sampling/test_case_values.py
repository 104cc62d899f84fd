"""Values of cases against reference covariances, against the variances of one measure, and against definitions."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from support import contrasts
from thresher._inference.sampling import Cases, Influence, rows_sampling, sampling_of, satterthwaite_df, strata_of
from thresher._table import Grid, row_columns
from thresher.exceptions import UndefinedMetricError

MIXED = contrasts.data("mixed", "two_measures")


def row_values(measure, positive, scores, weight=None):
    table = th.Scores(positive, scores, sample_weight=weight)
    found = measure.influence(table)
    place = row_columns(table.thresholds, scores, Grid(np.arange(len(table)), table.thresholds))
    return np.where(positive, found.pos[place], found.neg[place]), found.odds


@pytest.mark.parametrize("key", list(MIXED["expected"]))
def test_covariances_of_metrics_and_models_on_shared_rows(key):
    kind, design = key.split("/")
    positive = np.array(MIXED["y"]) == 1
    weight = np.array(MIXED["weight"], dtype=float) if "weights" in kind else None
    of_row = np.unique(MIXED["cluster"], return_inverse=True)[1] if "clusters" in kind else None
    cases = Cases(positive.size if of_row is None else int(of_row.max()) + 1, of_row)
    expected, columns = MIXED["expected"][key], []
    for name in expected["names"]:
        model, metric = name.split(":")
        rows = np.flatnonzero(MIXED["b_seen"]) if kind == "b_on_seen_rows" and model == "b" else np.arange(36)
        own = None if weight is None else weight[rows]
        influence, odds = row_values(
            th.measures.as_measure(metric), positive[rows], np.array(MIXED[model], dtype=float)[rows], own
        )
        classes = positive[rows].astype(np.intp) if design == "fixed" else None
        columns.append(cases.values(influence, positive[rows], own, odds=odds, rows=rows, classes=classes))
    found = np.stack(columns, axis=1)
    contrasts.close(found.T @ found, expected["covariance"])


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "brier", "pr_auc"])
def test_the_diagonal_is_the_variance_of_the_measure(metric):
    rng = np.random.default_rng(0)
    positive = rng.random(40) < 0.4
    scores = np.round(np.clip(rng.normal(0.4 + 0.2 * positive, 0.2), 0.0, 1.0), 1)
    measure = th.measures.as_measure(metric)
    influence, odds = row_values(measure, positive, scores)
    found = Cases(40).values(influence, positive, odds=odds)
    # Means over rows leave out n / (n - 1) when they stand alone; here it is in every column alike.
    spread = th.measures.Measure.spread if metric == "brier" else type(measure).spread
    assert found @ found == pytest.approx(spread(measure, th.Scores(positive, scores)).variance, rel=1e-12)


def test_a_row_adds_what_its_weight_changes():
    """Numerical derivatives in the weights of rows, for which kappa is left out."""
    rng = np.random.default_rng(1)
    positive, scores, weight = np.arange(15) % 3 == 0, np.round(rng.normal(size=15), 1), rng.uniform(1.0, 2.0, 15)
    measure = th.measures.as_measure("average_precision")
    influence, odds = row_values(measure, positive, scores, weight)
    values = Cases(15).values(influence, positive, weight, odds=odds)
    for row in range(15):
        side = positive == positive[row]
        kappa = 1.0 / (1.0 - ((weight[side] / weight[side].sum()) ** 2).sum())
        moved = [weight.copy(), weight.copy()]
        moved[0][row] -= 1e-5
        moved[1][row] += 1e-5
        low, high = (measure.of(th.Scores(positive, scores, sample_weight=one)) for one in moved)
        slope = (high - low) / 2e-5
        spread = influence[row] * (np.sqrt(kappa) - 1.0) / weight[side].sum()
        assert values[row] / weight[row] == pytest.approx(slope + spread, abs=1e-8)


def test_clusters_of_one_row_are_rows_and_weights_have_no_scale():
    rng = np.random.default_rng(2)
    positive, influence, weight = rng.random(30) < 0.5, rng.normal(size=30), rng.uniform(0.5, 2.0, 30)
    plain = Cases(30).values(influence, positive)
    np.testing.assert_allclose(Cases(30, np.arange(30)).values(influence, positive), plain, rtol=1e-14)
    one = Cases(30).values(influence, positive, weight)
    np.testing.assert_allclose(Cases(30).values(influence, positive, 7.0 * weight), one, rtol=1e-13)


def test_the_design_of_weighted_rows_has_the_same_variance():
    rng = np.random.default_rng(3)
    positive, influence, weight = rng.random(30) < 0.5, rng.normal(size=30), rng.uniform(0.5, 2.0, 30)
    values = Cases(30).values(influence, positive, weight)
    want = rows_sampling(positive, weight, None).spread(Influence(influence, influence)).variance
    assert values @ values == pytest.approx(want, rel=1e-12)


def test_degrees_of_freedom_by_stratum():
    rng = np.random.default_rng(4)
    columns, code = rng.normal(size=(30, 2)), np.repeat([0, 1, 2], [5, 10, 15])
    strata = strata_of(columns, code, (5, 10, 15))
    along = columns @ [1.0, -1.0]
    parts = [float((along[code == h] ** 2).sum()) for h in range(3)]
    want = sum(parts) ** 2 / sum(part**2 / (n - 1) for part, n in zip(parts, (5, 10, 15), strict=True))
    assert satterthwaite_df(sum(parts), strata, np.array([1.0, -1.0])) == pytest.approx(want, rel=1e-12)
    assert satterthwaite_df(3.0, strata_of(columns, None, (12.0,)), np.zeros(2)) == np.inf
    total = float(along @ along)
    whole = strata_of(columns, None, (12.0,))
    assert satterthwaite_df(total, whole, np.array([1.0, -1.0])) == pytest.approx(11.0, rel=1e-12)


def test_one_case_of_a_side_has_no_variance():
    with pytest.raises(UndefinedMetricError, match="positives from more than one case"):
        Cases(3).values(np.array([0.5, 0.1, -0.1]), np.array([True, False, False]))
    with pytest.raises(UndefinedMetricError, match="negatives from more than one cluster"):
        Cases(2, np.array([0, 1, 1, 1])).values(np.array([0.1, -0.1, 0.3, 0.2]), np.array([True, True, False, False]))


@pytest.mark.parametrize("kind", ["plain", "weights", "clusters", "weights_clusters"])
def test_a_table_gives_the_same_covariance_as_its_rows(kind):
    weight = np.array(MIXED["weight"], dtype=float) if "weights" in kind else None
    cluster = np.array(MIXED["cluster"]) if "clusters" in kind else None
    table = th.Scores(np.array(MIXED["y"]), np.array(MIXED["a"]), sample_weight=weight, cluster=cluster)
    measures = [th.measures.as_measure(name) for name in ("roc_auc", "average_precision")]
    found = sampling_of(table).moments([one.influence(table) for one in measures])
    expected = np.array(MIXED["expected"][f"{kind}/random"]["covariance"])[np.ix_([0, 2], [0, 2])]
    contrasts.close(found.covariance, expected)
    contrasts.close(sum(one.covariance for one in found.strata), expected)


def test_soft_labels_covary_as_their_variance_says():
    rng = np.random.default_rng(5)
    score = np.round(rng.normal(size=40), 1)
    table = th.Scores.from_soft_labels(rng.random(40), score)
    measures = [th.measures.as_measure(name) for name in ("roc_auc", "pr_auc")]
    found = sampling_of(table).moments([one.influence(table) for one in measures])
    assert found.covariance[0, 0] == pytest.approx(measures[0].spread(table).variance, rel=1e-10)
    assert found.strata == ()
