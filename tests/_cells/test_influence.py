import inspect

import numpy as np
import pytest

import thresher as th
from support.confusion import ROWS, TABLES, cells_of_rows, metric, number
from thresher._cells.influence import cell_influence, cell_variance
from thresher._cells.matrix import Matrix
from thresher._inference.sampling import Influence, sampling_of

CLUSTER = next(name for name in ("cluster", "groups") if name in inspect.signature(th.Scores).parameters)


@pytest.mark.parametrize("table", TABLES)
def test_influence_and_variance_are_those_of_the_reference(table):
    cells = Matrix(*TABLES[table]["cells"])
    for key, entry in TABLES[table]["influence"].items():
        if entry is None:
            continue
        expected = np.array([number(entry[name]) for name in ("tp", "fp", "fn", "tn", "odds")])
        found = np.array(cell_influence(metric(key), cells))
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-13 * max(abs(expected).max(), 1e-3), nan_ok=True), key
    for key, entry in TABLES[table]["variance"].items():
        if entry is not None and entry["plain"] is not None:
            found = float(cell_variance(metric(key), cells))
            assert found == pytest.approx(number(entry["plain"]), rel=1e-12, abs=1e-60), key


@pytest.mark.parametrize("rows", ROWS)
def test_weights_and_clusters_give_the_variance_of_the_reference(rows):
    entry = ROWS[rows]
    _, clusters = cells_of_rows(entry)
    cells, squares = (Matrix(*(number(one) for one in entry[name])) for name in ("cells", "squares"))
    for key, variance in entry["variance"].items():
        if variance is not None and variance["plain"] is not None:
            found = cell_variance(metric(key), cells, squares=squares, clusters=clusters)
            assert float(found) == pytest.approx(number(variance["plain"]), rel=1e-12, abs=1e-60), key


@pytest.mark.filterwarnings("ignore:There are only")  # the reference has few clusters
@pytest.mark.parametrize("rows", ROWS)
def test_influence_at_scores_has_the_spread_of_the_reference(rows):
    entry = ROWS[rows]
    weights = np.array([number(str(w)) for w in entry["weight"]])
    scores = th.Scores(
        entry["y"], [number(str(s)) for s in entry["score"]], **{CLUSTER: entry["cluster"]},
        sample_weight=None if (weights == 1).all() else weights,
    )  # fmt: skip
    called = int((scores.thresholds >= number(str(entry["threshold"]))).sum())
    cells = Matrix(*(number(one) for one in entry["cells"]))
    for key, variance in entry["variance"].items():
        if variance is None or variance["library_random"] is None:
            continue
        found = cell_influence(metric(key), cells)
        pos, neg = found.at_scores(called, len(scores.thresholds))
        for design in ("fixed", "random"):
            spread = sampling_of(scores).spread(Influence(pos, neg, float(found.odds)), design=design)
            assert spread.variance == pytest.approx(number(variance[f"library_{design}"]), rel=1e-11, abs=1e-30), key


@pytest.mark.parametrize("key", ["mcc", "precision", "f2", "lift"])
def test_the_variance_at_a_known_prevalence_is_that_of_the_reference(key):
    for table in ("plain", "rare", "balanced large"):
        cells = Matrix(*(float(cell) for cell in TABLES[table]["cells"]))
        for prevalence, entries in TABLES[table]["at_prevalence"].items():
            g = metric(key).gradient(*cells, prevalence=number(prevalence))
            # The reference has the factor n / (n - 1) in each class.
            by_class = [cells.tp * g.tp**2 + cells.fn * g.fn**2, cells.fp * g.fp**2 + cells.tn * g.tn**2]
            expected = sum(v * n / (n - 1) for v, n in zip(by_class, (cells.pos, cells.neg), strict=True))
            assert expected == pytest.approx(number(entries[key]["variance"]), rel=1e-12)
            assert float(cell_variance(metric(key), cells, prevalence=number(prevalence))) == pytest.approx(
                sum(by_class)
            )


def test_a_fixed_design_leaves_out_the_class_balance():
    cells = Matrix(8, 3, 2, 17)
    for key in ("precision", "mcc", "f1"):
        assert cell_variance(metric(key), cells, design="fixed") < cell_variance(metric(key), cells)
    recall = metric("recall")
    assert float(cell_variance(recall, cells, design="fixed")) == pytest.approx(float(cell_variance(recall, cells)))
