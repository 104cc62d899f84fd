"""Tables in an engine, by DuckDB: the same figures as in memory whatever is kept."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import thresher as th
from support.tables import assert_same, datasets
from thresher._read.sql.session import SendRowsError
from thresher._read.sql.tables import scan_table

pytest.importorskip("ibis")
pytest.importorskip("duckdb")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.usefixtures("python_tasks"),
]


def scan(table, **options):
    # `th.scan` would take DuckDB's rows.
    return scan_table(th.Scores, table, **{"y_true": "y", "y_score": "s", **options})


def stacked(duck, parts):
    return duck(
        y=np.concatenate([y for y, _ in parts.values()]),
        s=np.concatenate([s for _, s in parts.values()]),
        kind=np.repeat(list(parts), [y.size for y, _ in parts.values()]).tolist(),
    )


@pytest.mark.some(2)
@pytest.mark.parametrize("most", [2, 40, 1000])
def test_every_kind_of_score_in_one_pass(duck, most):
    parts = datasets(1500)
    found = scan(stacked(duck, parts), by="kind", max_points=most)
    assert sorted(found) == sorted(parts)
    for name, (y, s) in parts.items():
        assert_same(found[name], th.Scores(y, s))
        hull = found[name].roc().hull().thresholds.size
        assert len(found[name]) <= max(most, hull)


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", [np.float32, np.int8, np.uint16, np.int64, np.bool_])
def test_scores_keep_their_type(duck, kind):
    rng = np.random.default_rng(3)
    y = rng.random(2000) < 0.4
    s = (rng.normal(size=2000) * 30 + 5 * y).clip(0, 100).astype(kind)
    for most in (10, 5000):
        assert_same(scan(duck(y=y, s=s), max_points=most), th.Scores(y, s))


def test_integers_beyond_a_double(duck):
    rng = np.random.default_rng(4)
    s = 2**62 + rng.integers(0, 3000, 2000)
    y = rng.random(2000) < 0.5
    assert_same(scan(duck(y=y, s=s), max_points=50), th.Scores(y, s))


@pytest.mark.some(1)
@pytest.mark.parametrize("scale", [1, 2**46])
def test_whole_weights_are_exact(duck, scale):
    rng = np.random.default_rng(7)
    y, s, w = rng.random(1000) < 0.3, rng.normal(size=1000).round(2), rng.integers(0, 9, 1000) * scale
    table = duck(y=y, s=s, w=w)
    assert_same(scan(table, sample_weight="w", max_points=5000), th.Scores(y, s, sample_weight=w))
    with pytest.raises(SendRowsError):
        scan(table, sample_weight="w", max_points=20)


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # weights of every size, which is said
def test_float_weights_to_rounding(duck):
    rng = np.random.default_rng(8)
    y, s, w = rng.random(2000) < 0.3, rng.normal(size=2000), rng.exponential(size=2000)
    w[::9] = 0.0
    expected = th.Scores(y, s, sample_weight=w)
    found = scan(duck(y=y, s=s, w=w), sample_weight="w", max_points=5000)
    assert found._weighted
    assert found._n_scores == len(expected)
    np.testing.assert_allclose(
        [found.n_pos, found.roc_auc().value, found.pr_auc().value, found._pos_squares.sum()],
        [expected.n_pos, expected.roc_auc().value, expected.pr_auc().value, expected._pos_squares.sum()],
        rtol=1e-13,
    )
    np.testing.assert_allclose(found.roc_auc().standard_error(), expected.roc_auc().standard_error(), rtol=1e-12)
    with pytest.raises(SendRowsError):
        scan(duck(y=y, s=s, w=w), sample_weight="w", max_points=30)


def test_answers_work_as_usual(duck):
    y, s = datasets(3000)["continuous"]
    found, scores = scan(duck(y=y, s=s), max_points=100), th.Scores(y, s)
    assert not found._complete
    assert found.roc_auc().error_bound == 0.0
    np.testing.assert_allclose(
        *(tuple(one.roc_auc().confidence_interval(method="delong-logit")) for one in (found, scores)), rtol=1e-13
    )
    # Drawn from the scores that are kept, the default is as near as they are.
    np.testing.assert_allclose(*(tuple(one.roc_auc().confidence_interval()) for one in (found, scores)), atol=1e-3)
    assert found.choose_threshold("youden").threshold == scores.choose_threshold("youden").threshold
    assert found.pr_auc(estimator="achievable").value == scores.pr_auc(estimator="achievable").value
    assert found.roc().tpr[-1] == 1.0


def test_files_tables_and_memory_agree_to_the_last_bit(duck):
    parts = {name: part for name, part in datasets(1500).items() if name in ("continuous", "tied", "infinite")}
    inside = scan(stacked(duck, parts), by="kind", max_points=30)
    for name, (y, s) in parts.items():
        found, beside, scores = inside[name], th.scan([(y, s)], max_points=30), th.Scores(y, s)
        for estimator in ("interpolated", "average_precision"):
            areas = {part.pr_auc(estimator=estimator).value for part in (found, beside, scores)}
            assert len(areas) == 1, name
        if not (found._complete or beside._complete):
            assert found._figures == beside._figures


rows = st.lists(
    st.tuples(
        st.booleans(),
        st.one_of(
            st.floats(allow_nan=False),
            st.sampled_from([0.0, -0.0, 1.0, np.inf, -np.inf, 5e-324, -5e-324, 0.5, 0.5 + 2**-52]),
            st.floats(0, 1, width=16),
        ),
    ),
    min_size=1,
    max_size=60,
)


@settings(max_examples=4)
@given(st.lists(rows, min_size=1, max_size=4), st.integers(2, 12))
def test_any_rows_and_any_number_of_points(duckdb_backend, groups, most):
    import pyarrow as pa

    columns = [(y, s, number) for number, part in enumerate(groups) for y, s in part]
    y, s, number = zip(*columns, strict=True)
    duckdb_backend.con.register("drawn", pa.table({"y": y, "s": np.array(s, dtype=np.float64), "g": number}))
    found = scan(duckdb_backend.table("drawn"), by="g", max_points=most)
    assert sorted(found) == list(range(len(groups)))
    for which, part in enumerate(groups):
        assert_same(found[which], th.Scores([y for y, _ in part], np.array([s for _, s in part], dtype=np.float64)))


def test_one_class_is_counted_and_refused_later(duck):
    found = scan(duck(y=[1] * 50, s=np.arange(50.0)), max_points=10)
    assert (found.n_pos, found.n_neg) == (50, 0)
    with pytest.raises(th.UndefinedMetricError):
        found.roc_auc()


def test_many_groups(duck):
    rng = np.random.default_rng(9)
    n, groups = 3_000, 100
    y, s, g = rng.integers(0, 2, n), rng.normal(size=n).round(2), rng.integers(0, groups, n)
    found = scan(duck(y=y, s=s, g=g), by="g", max_points=10)
    assert sorted(found) == sorted(set(g.tolist()))
    assert sum(part.n_pos for part in found.values()) == y.sum()
    for which in (0, 17, 99):
        assert_same(found[which], th.Scores(y[g == which], s[g == which]))


def test_progress_is_told(duck):
    heard = []
    y, s = datasets(500)["continuous"]
    table = duck(y=np.tile(y, 2), s=np.append(s, y), g=np.repeat([1, 2], 500))
    scan(table, by="g", max_points=20, progress=lambda *done: heard.append(done))
    assert heard == [(0, 1000), (500, 1000), (1000, 1000)]


@pytest.mark.parametrize("value, message", [(1, "`max_points` must be at least 2; got 1.")])
def test_too_few_points(duck, value, message):
    with pytest.raises(th.InvalidInputError) as error:
        scan(duck(y=[0, 1], s=[1.0, 2.0]), max_points=value)
    assert str(error.value) == message
