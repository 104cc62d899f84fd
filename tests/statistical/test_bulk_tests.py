"""Tests of many samples at once are the library's, and the worst cells of docs/validation/small-tests.md again."""

import math
import warnings

import numpy as np
import pytest

import thresher as th
from thresher._compare.pair_tests import lost_to_one

torch = pytest.importorskip("torch")

from benchmarks import bulk_tests, equal_scorers  # noqa: E402 - needs torch
from benchmarks.unkind_laws import LAWS  # noqa: E402

BY_NAME = {law.name: law for law in LAWS}
METRICS = {
    "roc": lambda at: {"metric": "roc_auc"},
    "pr": lambda at: {"metric": "pr_auc"},
    "fpr": lambda at: {"metric": "partial_roc_auc", "fpr": (0.0, at)},
    "tpr": lambda at: {"metric": "partial_roc_auc", "tpr": (at, 1.0)},
    "recall at": lambda at: {"metric": "recall_at_fpr", "fpr": at},
    "precision at": lambda at: {"metric": "precision_at_recall", "recall": at},
}


def rows(pos, neg):
    y = np.arange(pos.shape[0] + neg.shape[0]) < pos.shape[0]
    both = np.concatenate((pos, neg))
    return y, {"a": both[:, 0], "b": both[:, 1]}


@pytest.mark.parametrize("measure", equal_scorers.MEASURES, ids=lambda measure: measure[0])
@pytest.mark.parametrize("name", ["normal 0.85", "five ratings 1.2"])
def test_simulated_tests_are_those_of_the_library(measure, name):
    law = BY_NAME[name]
    pos, neg = equal_scorers.draw((law, law), 16, 60, 0.5, 1, np.random.default_rng(3))
    (found,) = bulk_tests.differences(pos, neg, (measure,), 1500, torch.Generator().manual_seed(1))
    y, scores = rows(pos[0], neg[0])
    options = METRICS[measure[0]](measure[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        pair = th.compare(y, scores, method="bootstrap", n_resamples=1500, rng=1, **options).pairs[0]
    # Partial areas are shares of their range there.
    scale = {"fpr": measure[1], "tpr": 1.0 - measure[1]}.get(measure[0], 1.0)
    assert float(found.difference[0]) * scale == pytest.approx(pair.difference, abs=1e-5)
    assert float(found.spread[0]) * scale == pytest.approx(pair.standard_error, rel=0.1)
    leader = th.Scores(y, scores["a" if pair.difference >= 0 else "b"])
    lost = lost_to_one(leader, th.measures.as_measure(**options))
    assert float(found.lost[0]) * scale == pytest.approx(lost, abs=1e-5)
    if measure[0] in ("roc", "pr"):  # a range may end just at a case, where slopes have two sides
        parts = float(found.of_pos[0]), float(found.of_neg[0])
        assert sum(parts) ** 2 / (parts[0] ** 2 / 15 + parts[1] ** 2 / 59) == pytest.approx(pair.df, rel=1e-6)


@pytest.mark.slow
def test_partners_have_the_same_figure():
    law = BY_NAME["5.0% hopeless, others 4"]
    for measure in equal_scorers.MEASURES:
        other = equal_scorers.partner(law, measure, 0.1, 1.0)
        found = [equal_scorers.truth(each, measure, 0.1) for each in (law, other)]
        assert found[0] == pytest.approx(found[1], abs=1e-3)


WORST = [
    (("roc", 0.0), "5.0% hopeless, others 4", 20, 200),
    (("roc", 0.0), "normal 0.9, sd ratio 3", 15, 150),
    (("pr", 0.0), "normal 0.98, sd ratio 0.333", 100, 30),
    (("pr", 0.0), "1.0% loud negatives, others 2.5", 40, 200),
    (("fpr", 0.2), "normal 0.98, sd ratio 0.333", 100, 30),
    (("tpr", 0.8), "5.0% hopeless, others 4", 15, 150),
]


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "name", "n_pos", "n_neg"), WORST)
def test_worst_cells_are_told(measure, name, n_pos, n_neg):
    runs, law = 400, BY_NAME[name]
    laws = law, equal_scorers.partner(law, measure, n_pos / (n_pos + n_neg), 1.0)
    pos, neg = equal_scorers.draw(laws, n_pos, n_neg, 0.5, runs, np.random.default_rng(5))
    options = METRICS[measure[0]](measure[1])
    rejected = unwarned = 0
    for one, other in zip(pos, neg, strict=True):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = th.compare(*rows(one, other), n_resamples=400, rng=1, **options).pvalue < 0.05
        rejected += found
        unwarned += found and not said
    assert rejected / runs > 0.065  # as the page says
    assert unwarned / runs <= 0.065 + 3 * math.sqrt(0.05 * 0.95 / runs)


UNPAIRED = [
    ("5.0% hopeless, others 4", (15, 150, 200, 200)),
    ("5.0% hopeless, others 4", (20, 200, 20, 200)),
    ("normal 0.9, sd ratio 3", (15, 150, 200, 200)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sizes"), UNPAIRED)
def test_worst_cells_of_samples_that_are_not_paired_are_told(name, sizes):
    runs, law, rng = 400, BY_NAME[name], np.random.default_rng(6)
    laws = law, equal_scorers.partner(law, ("roc", 0.0), 0.1, 1.0)
    rejected = unwarned = 0
    for _ in range(runs):
        both = [
            th.Scores.from_pos_neg(one.draw(True, (n_pos,), rng), one.draw(False, (n_neg,), rng))
            for one, n_pos, n_neg in zip(laws, sizes[::2], sizes[1::2], strict=True)
        ]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = th.compare_unpaired(*both).pvalue < 0.05
        rejected += found
        unwarned += found and not said
    assert rejected / runs > 0.065  # as the page says
    assert unwarned / runs <= 0.065
