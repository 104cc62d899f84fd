"""Classes exchanged, scores reversed."""

import numpy as np
import pytest

import thresher as th
from thresher._table import Counts, mirrored


def test_it_is_the_table_of_the_exchanged_rows():
    rng = np.random.default_rng(4)
    y, s = rng.random(50) < 0.4, rng.integers(0, 9, 50)
    weight, group = rng.uniform(0.5, 2.0, 50), rng.integers(0, 12, 50)
    there = mirrored(Counts(y, s, sample_weight=weight, cluster=group))
    direct = Counts(~y, -s, sample_weight=weight, cluster=group)
    for name in ("pos", "neg", "_pos_squares", "_neg_squares"):
        assert getattr(there, name) == pytest.approx(getattr(direct, name)), name
    assert (there._rows_pos, there._rows_neg) == (direct._rows_pos, direct._rows_neg)
    assert there._clusters.same_as(direct._clusters)


def test_twice_is_the_table_itself():
    table = Counts([1, 0, 1, 0, 0], [4, 3, 3, 2, 1])
    back = mirrored(mirrored(table))
    assert (back.pos.tolist(), back.neg.tolist()) == (table.pos.tolist(), table.neg.tolist())


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_clusters_reach_the_interval_of_the_false_positive_rate_at_a_recall():
    rng = np.random.default_rng(2)
    y = rng.random(160) < 0.4
    s = rng.normal(size=160) + 1.5 * y
    widths = []
    for table in (
        th.Scores(y, s),
        th.Scores(np.repeat(y, 4), np.repeat(s, 4), cluster=np.repeat(np.arange(160), 4)),
    ):
        low, high = table.measure("fpr_at_recall", recall=0.8).confidence_interval()
        widths.append(high - low)
    assert widths[1] > 0.75 * widths[0]
