"""Comparisons of sources agree with those of rows in memory, by every method that both have."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import thresher as th
from support.backends import NAMES, connected, load
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")

FIGURES = ("difference", "low", "high", "statistic", "standard_error", "df", "pvalue", "pvalue_adjusted")
ROWS = {
    "plain": {},
    "weights": {"sample_weight": "weight"},
    "clusters": {"cluster": "patient"},
    "text clusters": {"cluster": "name"},
    "both": {"sample_weight": "weight", "cluster": "patient"},
    "frequency": {"frequency": "times"},
}
METRICS = {
    "roc_auc": {},
    "pr_auc": {"method": "normal"},
    "eer": {"method": "normal"},
    "partial_roc_auc": {"fpr": (0.0, 0.3), "method": "normal"},
    "recall": {"threshold": 1.0},
    "f1": {"threshold": 1.0},
    "mcc": {"threshold": 0.5},
}


def made(n=3000, share=0.12, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    case = rng.normal(size=n)
    patient = rng.integers(0, n // 4, n)
    return pa.table(
        {
            "y": y,
            "a": np.round(case + 1.3 * y + rng.normal(size=n), 2),
            "b": case + 1.2 * y,
            "c": (rng.normal(size=n) + y).astype(np.float32),
            "weight": rng.integers(1, 4, n) * 0.5,
            "times": rng.integers(0, 3, n),
            "patient": patient,
            "name": np.array([f"p{one}" for one in patient]),
            "site": rng.choice(["north", "south"], n),
            "id": rng.permutation(n),
        }
    )


@pytest.fixture(scope="module")
def table():
    return made()


@pytest.fixture(scope="module")
def batches(table):
    return [table.slice(start, 701) for start in range(0, table.num_rows, 701)]


def in_memory(table, columns=("a", "b", "c"), *, rows=(), **options):
    arrays = {word: table[name].to_numpy(zero_copy_only=False) for word, name in dict(rows).items()}
    return th.compare(
        table["y"].to_numpy(zero_copy_only=False), {c: table[c].to_numpy() for c in columns}, **arrays, **options
    )


def assert_same(found, expected, rel=1e-9):
    assert found.method == expected.method
    assert found.estimates.by_name == pytest.approx(expected.estimates.by_name, rel=1e-12)
    for one, other in zip(found.pairs, expected.pairs, strict=True):
        for name in FIGURES:
            assert float(getattr(one, name)) == pytest.approx(float(getattr(other, name)), rel=rel, abs=1e-13), name


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("rows", ROWS)
def test_same_as_in_memory(table, batches, metric, rows):
    options = METRICS[metric]
    found = th.compare_source(batches, y_true="y", y_score=["a", "b", "c"], metric=metric, **options, **ROWS[rows])
    assert_same(found, in_memory(table, metric=metric, rows=ROWS[rows], **options))


def test_few_cases_have_t_by_class(table):
    small = table.slice(0, 300)
    found = th.compare_source(small, y_true="y", y_score=["a", "b"])
    assert found.method == "delong-t"
    assert_same(found, in_memory(small, ("a", "b")))


def test_non_inferiority_and_direction(table):
    asked = {"alternative": "greater", "margin": 0.02, "confidence_level": 0.9}
    assert_same(
        th.compare_source(table, y_true="y", y_score=["a", "b"], **asked), in_memory(table, ("a", "b"), **asked)
    )


def test_models_that_rank_alike_have_p_of_1(table):
    twice = table.append_column("d", table["b"])
    found = th.compare_source(twice, y_true="y", y_score=["b", "d"])
    assert found.pvalue == 1.0
    assert found.standard_error == 0.0


@pytest.mark.parametrize("rows", ["plain", "clusters"])
def test_by_is_each_group_by_itself(table, batches, rows):
    found = th.compare_source(batches, y_true="y", y_score={"A": "a", "B": "b"}, by="site", **ROWS[rows])
    assert list(found) == ["north", "south"]
    for site, one in found.items():
        own = table.filter(pa.compute.equal(table["site"], site))
        expected = in_memory(own, ("a", "b"), rows=ROWS[rows])
        assert one.pairs[0].a == "A"
        assert one.difference == pytest.approx(expected.difference)
        assert one.standard_error == pytest.approx(expected.standard_error)


def test_filter_and_combinations(table):
    field = pa.compute.field("id") < 2000
    found = th.compare_source(table, y_true="y", y_score=["a", "b"], filter=field, by=["site", "times"])
    own = table.filter(field)
    chosen = (own["site"].to_numpy(zero_copy_only=False) == "north") & (own["times"].to_numpy() == 1)
    own = own.filter(pa.array(chosen))
    assert found["north", 1].difference == pytest.approx(in_memory(own, ("a", "b")).difference)


def test_kept_scores_widen_the_interval_by_little(table, batches):
    exact = in_memory(table, ("a", "b"))
    found = th.compare_source(batches, y_true="y", y_score=["a", "b"], max_points=300)
    assert found.difference == exact.difference
    assert exact.standard_error <= found.standard_error < 1.1 * exact.standard_error


def test_few_points_are_refused_where_no_bound_is_known(batches):
    with pytest.raises(InvalidInputError, match="max_points"):
        th.compare_source(batches, y_true="y", y_score=["a", "b"], metric="pr_auc", method="normal", max_points=300)


def test_cells_are_exact_whatever_is_kept(table, batches):
    found = th.compare_source(batches, y_true="y", y_score=["a", "b"], metric="f1", threshold=1.0, max_points=50)
    assert_same(found, in_memory(table, ("a", "b"), metric="f1", threshold=1.0))


# Sources that are joined


@pytest.fixture(scope="module")
def files(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    shuffled = table.take(np.random.default_rng(1).permutation(table.num_rows))
    pq.write_table(table.select(["id", "y", "a", "patient", "site"]), folder / "a.parquet")
    pa.csv.write_csv(shuffled.select(["id", "y", "b"]), folder / "b.csv")
    return {"a": folder / "a.parquet", "b": folder / "b.csv"}


def test_files_are_paired_by_their_key(table, files):
    found = th.compare_source(files, y_true="y", y_score=["a", "b"], id="id")
    assert_same(found, in_memory(table, ("a", "b")))


def test_files_keep_clusters_and_groups_of_the_first(table, files):
    found = th.compare_source(files, y_true="y", y_score=["a", "b"], id="id", cluster="patient", by="site")
    own = table.filter(pa.compute.equal(table["site"], "south"))
    expected = in_memory(own, ("a", "b"), rows={"cluster": "patient"})
    assert found["south"].standard_error == pytest.approx(expected.standard_error)


def test_files_without_a_key_are_refused(files):
    with pytest.raises(InvalidInputError, match="never paired by their position"):
        th.compare_source(files, y_true="y", y_score=["a", "b"])


@pytest.mark.parametrize("fault", ["twice", "missing", "other label", "null"])
def test_keys_that_do_not_pair_are_refused(table, fault):
    a, b = table.select(["id", "y", "a"]), table.select(["id", "y", "b"])
    if fault == "twice":
        b, said = pa.concat_tables([b, b.slice(0, 1)]), "once"
    elif fault == "missing":
        b, said = b.slice(1), "same rows"
    elif fault == "null":
        ids = b["id"].to_pylist()
        b, said = b.set_column(0, "id", pa.array([None, *ids[1:]])), "missing"
    else:
        labels = b["y"].to_pylist()
        b, said = b.set_column(1, "y", pa.array([not labels[0], *labels[1:]])), "differ"
    with pytest.raises(InvalidInputError, match=said):
        th.compare_source({"a": a, "b": b}, y_true="y", y_score=["a", "b"], id="id")


# Batches


def test_batches_cover_about_the_same_as_the_formula():
    rows = made(20_000)
    found = th.compare_source(rows, y_true="y", y_score=["a", "b"], method="batches")
    exact = in_memory(rows, ("a", "b"))
    assert found.method == "batches"
    assert found.difference == exact.difference
    assert found.standard_error == pytest.approx(exact.standard_error, rel=0.25)
    assert 50 < found.df < 96


def test_batches_keep_clusters_whole_and_need_no_order():
    rows = made(20_000)
    mixed = rows.take(np.random.default_rng(5).permutation(rows.num_rows))
    for key in ({"cluster": "patient"}, {"cluster": "name"}, {"id": "id"}):
        one, other = (
            th.compare_source(t, y_true="y", y_score=["a", "b"], method="batches", **key) for t in (rows, mixed)
        )
        assert one.standard_error == pytest.approx(other.standard_error, rel=1e-12)


def test_batches_see_the_dependence_within_clusters():
    single = made(2000)
    rows = single.take(np.repeat(np.arange(2000), 10))  # ten copies of each row
    rows = rows.set_column(rows.column_names.index("patient"), "patient", pa.array(np.repeat(np.arange(2000), 10)))
    found = th.compare_source(rows, y_true="y", y_score=["a", "b"], method="batches", cluster="patient", batches=20)
    apart = th.compare_source(rows, y_true="y", y_score=["a", "b"], method="batches", batches=20)
    expected = in_memory(single, ("a", "b")).standard_error
    assert found.standard_error == pytest.approx(expected, rel=0.5)
    assert apart.standard_error < 0.6 * expected


def test_batches_by_group_and_for_any_measure():
    rows = made(20_000)
    found = th.compare_source(rows, y_true="y", y_score=["a", "b"], metric="recall_at_fpr", fpr=0.1, by="site")
    assert {one.method for one in found.values()} == {"batches"}
    own = rows.filter(pa.compute.equal(rows["site"], "south"))
    expected = in_memory(own, ("a", "b"), metric="recall_at_fpr", fpr=0.1, n_resamples=400, rng=0)
    assert found["south"].difference == pytest.approx(expected.difference)
    assert found["south"].standard_error == pytest.approx(expected.standard_error, rel=0.4)


def test_too_few_cases_for_batches_are_refused(table):
    with pytest.raises(InvalidInputError, match="at least 250"):
        th.compare_source(table.slice(0, 1000), y_true="y", y_score=["a", "b"], method="batches")


def test_batches_without_a_value_are_refused(table):
    with pytest.raises(UndefinedMetricError, match="fewer `batches`"):
        th.compare_source(table, y_true="y", y_score=["a", "b"], method="batches", batches=1000)


# What is refused


def test_what_is_read_once_is_refused(batches, table):
    for source in (iter(batches), table.to_reader()):
        with pytest.raises(InvalidTypeError, match="read twice"):
            th.compare_source(source, y_true="y", y_score=["a", "b"])


def test_resampling_and_one_model_are_refused(table):
    with pytest.raises(InvalidInputError, match="batches"):
        th.compare_source(table, y_true="y", y_score=["a", "b"], method="bootstrap")
    with pytest.raises(InvalidInputError, match="at least two"):
        th.compare_source(table, y_true="y", y_score=["a"])


# Engines


@pytest.mark.optional  # DataFusion, PostgreSQL
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("engine", NAMES)
def test_engines_give_the_same(table, engine):
    rows = table.select(["y", "a", "b", "patient"])
    rows = rows.set_column(0, "y", rows["y"].cast("int32"))
    with connected(engine) as connection:
        there = load(connection, "rows_to_compare", rows)
        asked = {"y_true": "y", "y_score": ["a", "b"], "cluster": "patient"}
        found = th.compare_source(there, filter=there.patient < 600, **asked)
    kept = table.filter(pa.compute.field("patient") < 600)
    assert_same(found, in_memory(kept, ("a", "b"), rows={"cluster": "patient"}))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tables_of_engines_are_paired_by_their_key(table):
    ibis = pytest.importorskip("ibis")
    connection = ibis.duckdb.connect()
    for name in ("a", "b"):
        connection.con.register(f"model_{name}", table.select(["id", "y", name]))
    source = {name: connection.table(f"model_{name}") for name in ("a", "b")}
    assert_same(th.compare_source(source, y_true="y", y_score=["a", "b"], id="id"), in_memory(table, ("a", "b")))
