"""Results of plans are values."""

from __future__ import annotations

import pickle

from scipy import stats

import thresher as th


def test_plans_compare_and_travel():
    found = th.power(rate=0.9, null=0.8, n=50)
    assert found == th.power(rate=0.9, null=0.8, n=50) == pickle.loads(pickle.dumps(found))
    size = th.sample_size(rate=0.9, null=0.8, power=0.8)
    assert size == pickle.loads(pickle.dumps(size))
    assert (size.n_pos, size.check, size.half_width) == (size.n, None, None)


def test_they_read_as_sentences():
    assert repr(th.power(rate=0.9, null=0.8, n=50)) == (
        "power 0.4312 with 50 cases: difference 0.1, standard error 0.0424, level 0.05, exact binomial"
    )
    assert repr(th.sample_size(auc=0.85, null=0.75, power=0.8, ratio=3)) == (
        "264 cases (about 66 positive): roc_auc, power 0.8005 for a value of 0.1, standard error 0.0312"
    )
    population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    found = th.planning.precision(population, "roc_auc", half_width=0.05, assurance=0, n_replicates=0)
    assert repr(found) == (
        "648 cases (about 64.8 positive): roc_auc, 95% interval of 0.8389 +/- 0.05, standard error 0.0255"
    )
