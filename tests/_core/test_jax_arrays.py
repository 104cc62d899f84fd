"""Arrays of JAX: the bits of NumPy's on the same values, on every way that they are counted, or one clear sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import thresher as th
from support.devices import FIGURES, rows
from thresher import metrics
from thresher._core import jax_arrays
from thresher._core.arrays import as_scores
from thresher._core.device import is_on_device
from thresher._core.jax_arrays import is_traced, jax_place, lent, refuse_without_values
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning

pytestmark = pytest.mark.optional  # jax
jax = pytest.importorskip("jax", reason="jax, which `.ci/optional` installs, is not installed")
jnp = jax.numpy

TRACED = (
    "`y_score` must have values to count; got a tracer, float32[4], as `jax.jit`, `grad` and `vmap` pass it. "
    "Hint: call thresher outside of them, or from `jax.pure_callback`."
)
LABELS, SCORES = np.array([0, 1, 0, 1]), np.array([0.25, 0.5, 0.75, 1.5], dtype=np.float32)
TABLE = np.array([[0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1]])
MATRIX = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.6, 0.3, 0.1], [0.3, 0.4, 0.3]], dtype=np.float32)
FUNCTIONS = {
    **dict.fromkeys(("average_precision_score", "confusion_matrix_at_thresholds", "det_curve"), (LABELS, SCORES)),
    **dict.fromkeys(("precision_recall_curve", "roc_auc_score", "roc_curve"), (LABELS, SCORES)),
    **dict.fromkeys(("coverage_error", "dcg_score", "label_ranking_loss", "ndcg_score"), (TABLE, MATRIX)),
    "label_ranking_average_precision_score": (TABLE, MATRIX),
    "top_k_accuracy_score": (np.array([1, 2, 0, 1]), MATRIX),
    "auc": (np.array([0.0, 0.25, 0.5, 1.0]), np.array([0.0, 0.5, 0.75, 1.0])),
}


@pytest.fixture(autouse=True)
def narrow():
    """JAX as it comes, with 32 bits, whatever other tests have asked for."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture
def wide():
    jax.config.update("jax_enable_x64", True)


def same(found, wanted):
    pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
    return all(np.array_equal(np.asarray(mine), np.asarray(theirs)) for mine, theirs in pairs)


class TestMainMemory:
    """Arrays on the processor are read where they are."""

    @pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "int32", "uint8", "uint32"])
    def test_nothing_is_copied(self, dtype):
        array = jnp.arange(40).astype(dtype)
        found = as_scores(array)
        assert not is_on_device(array)
        assert found.dtype == dtype
        assert found.ctypes.data == array.unsafe_buffer_pointer()

    @pytest.mark.usefixtures("wide")
    @pytest.mark.parametrize("dtype", ["float64", "int64", "uint64"])
    def test_64_bits(self, dtype):
        y, s = rows("integers", n=300)
        mine = th.Scores(jnp.asarray(y), jnp.asarray(s).astype(dtype))
        assert mine.thresholds.dtype == dtype
        assert mine == th.Scores(y, s.astype(dtype))

    @pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "int4", "uint4", "bool"])
    def test_types_that_numpy_lacks(self, dtype):
        y, s = rows("single", n=300)
        array = jnp.asarray(s).astype(dtype)
        plain = np.asarray(array).astype(np.float64)
        mine, wanted = th.Scores(jnp.asarray(y), array), th.Scores(y, plain)
        assert mine == wanted
        assert tuple(mine.pr_auc().confidence_interval()) == tuple(wanted.pr_auc().confidence_interval())
        assert metrics.roc_auc_score(jnp.asarray(y), array) == metrics.roc_auc_score(y, plain)
        assert same(th.roc_auc_many(y, array[:, None]).auc, th.roc_auc_many(y, plain[:, None]).auc)

    @pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float32", "bfloat16"])
    def test_labels(self, dtype):
        y, s = rows("single", n=300)
        assert th.Scores(jnp.asarray(y).astype(dtype), jnp.asarray(s)) == th.Scores(y, s)
        assert metrics.average_precision_score(jnp.asarray(y).astype(dtype), jnp.asarray(s)) == (
            metrics.average_precision_score(y, s)
        )

    @pytest.mark.parametrize("kind", ["sample_weight", "frequency", "cluster"])
    def test_other_columns(self, kind):
        y, s = rows("single", n=300)
        column = np.arange(y.size, dtype=np.int32) % 50 + 1
        column = column.astype(np.float32) / 500 + 1 if kind == "sample_weight" else column
        mine = th.Scores(jnp.asarray(y), jnp.asarray(s), **{kind: jnp.asarray(column)})
        wanted = th.Scores(y, s, **{kind: column})
        assert mine == wanted
        assert mine.roc_auc().standard_error() == wanted.roc_auc().standard_error()

    def test_other_doors(self):
        y, s = rows("single", n=300)
        labels, scores = jnp.asarray(y), jnp.asarray(s)
        both, twins = {"a": scores, "b": scores[::-1]}, {"a": s, "b": s[::-1]}
        assert th.compare(labels, both).pvalue == th.compare(y, twins).pvalue
        mine, wanted = th.Scores(labels, scores), th.Scores(y, s)
        assert mine.measure("roc_auc").value == wanted.measure("roc_auc").value
        assert th.Scores.from_pos_neg(scores[y == 1], scores[y == 0]) == wanted
        assert same(mine.choose_threshold("youden").predict(scores), wanted.choose_threshold("youden").predict(s))
        assert same(th.Calibrator.fit(mine).predict(scores), th.Calibrator.fit(wanted).predict(s))
        tables = np.stack([y, 1 - y], 1)
        assert same(th.roc_auc_many(jnp.asarray(tables), scores).auc, th.roc_auc_many(tables, s).auc)

    @pytest.mark.parametrize("name", sorted(FUNCTIONS))
    def test_every_function(self, name, recwarn):
        function, given = getattr(metrics, name), FUNCTIONS[name]
        there = [jnp.asarray(column) for column in given]
        assert same(function(*there), function(*(np.asarray(column) for column in there)))
        if name != "auc":
            weight = np.array([1, 3, 2, 1], dtype=np.int32)
            assert same(function(*there, sample_weight=jnp.asarray(weight)), function(*given, sample_weight=weight))
        assert not recwarn.list

    def test_every_function_is_tried(self):
        assert set(FUNCTIONS) == {name for name in metrics.__all__ if not name.endswith("Display")}

    def test_spread_over_several_devices(self):
        code = (
            "import jax, numpy as np, thresher as th\n"
            "from jax.sharding import Mesh, NamedSharding, PartitionSpec\n"
            "mesh = Mesh(np.array(jax.devices()), ('rows',))\n"
            "y, s = (jax.device_put(jax.numpy.asarray(column), NamedSharding(mesh, PartitionSpec('rows')))\n"
            "        for column in ([0, 1] * 4, [.1, .2, .4, .3, .5, .6, .8, .7]))\n"
            "assert len(s.devices()) == 4\n"
            "print(th.Scores(y, s).roc_auc().value, th.Scores(y, s, sample_weight=s).n_pos)\n"
        )
        settings = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JAX_PLATFORMS": "cpu"}
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, text=True
        )
        assert done.stdout.split() == ["0.5", str(float(np.float32([0.2, 0.3, 0.6, 0.7]).astype(float).sum()))], (
            done.stderr
        )


class TestWithoutValues:
    """What cannot be counted is refused in one sentence, never in an error of JAX."""

    @pytest.mark.parametrize("around", [jax.jit, jax.vmap, jax.grad])
    def test_tracers(self, around):
        scores = jnp.stack([jnp.asarray(SCORES)] * 2) if around is jax.vmap else jnp.asarray(SCORES)
        for call in (th.Scores, metrics.roc_auc_score, th.roc_auc_many, th.bootstrap):
            with pytest.raises(InvalidTypeError) as caught:
                around(lambda s, call=call: call(LABELS, s))(scores)
            assert str(caught.value) == TRACED

    @pytest.mark.parametrize("name", sorted(FUNCTIONS))
    def test_tracers_in_every_function(self, name):
        function, given = getattr(metrics, name), FUNCTIONS[name]
        with pytest.raises(InvalidTypeError, match="got a tracer"):
            jax.jit(function)(*map(jnp.asarray, given))
        if name != "auc":
            with pytest.raises(InvalidTypeError, match="`sample_weight` must have values to count; got a tracer"):
                jax.jit(lambda weight: function(*given, sample_weight=weight))(jnp.ones(4))

    def test_tracers_elsewhere(self):
        for call in (
            lambda one: th.Scores(LABELS, [one] * 4),
            lambda one: th.Scores(LABELS, SCORES, pos_label=one),
            lambda one: metrics.roc_auc_score(LABELS, [one] * 4),
            lambda one: th.Calibrator.fit(th.Scores(LABELS, SCORES)).predict(one),
        ):
            with pytest.raises(InvalidTypeError, match="got a tracer"):
                jax.jit(call)(1.0)

    def test_the_remedy_works(self):
        def area(y, s):
            return np.float32(th.Scores(y, s).roc_auc().value)

        kind = jax.ShapeDtypeStruct((), jnp.float32)
        found = jax.jit(lambda y, s: jax.pure_callback(area, kind, y, s))(jnp.asarray(LABELS), jnp.asarray(SCORES))
        assert float(found) == 0.75

    def test_deleted_arrays(self):
        gone = jnp.asarray(SCORES) + 0
        gone.delete()
        for call in (th.Scores, metrics.roc_auc_score):
            with pytest.raises(InvalidInputError, match="an array that JAX has deleted"):
                call(LABELS, gone)

    def test_random_keys(self):
        keys = jax.random.split(jax.random.key(0), 4)
        with pytest.raises(InvalidTypeError, match="`y_score` must be numbers; got key<fry>"):
            th.Scores(LABELS, keys)

    def test_arrays_of_other_processes(self):
        array = SimpleNamespace(dtype=np.dtype("float32"), is_deleted=lambda: False, is_fully_addressable=False)
        with pytest.raises(InvalidInputError, match="must be on devices of this process"):
            refuse_without_values(array, "y_score")


def test_where_an_array_is():
    array = jnp.arange(3)
    assert jax_place(array) == "cpu:0"
    assert jax_place(SimpleNamespace(sharding=SimpleNamespace(memory_kind="pinned_host"))) == "pinned_host"
    assert not is_traced(array)


def test_lent_memory_is_the_same(monkeypatch):
    pytest.importorskip("torch", reason="lending is to torch")
    array = jnp.arange(5.0)
    (tensor,) = lent(array)
    assert tensor.data_ptr() == array.unsafe_buffer_pointer()
    assert lent(array, "no array") is None
    monkeypatch.setattr(jax_arrays, "_WITH_KERNELS", ("no_such_library",))
    assert lent(array) is None


@pytest.mark.usefixtures("everything_is_a_device")
class TestDevice:
    """Main memory stands for a device; rows on one are lent to torch, or brought over."""

    @pytest.fixture
    def way(self):
        pytest.importorskip("torch", reason="rows are lent to torch")
        return jnp.asarray

    @pytest.mark.parametrize("kind", ["single", "integers"])
    def test_figures(self, way, kind):
        y, s = rows(kind, n=1000)
        wanted = th.Scores(y, s)
        for name, figure in FIGURES.items():
            mine = th.Scores(way(y), way(s))
            assert mine._on_device
            assert figure(mine) == figure(wanted), name
        both = th.Scores(way(y), way(s)) + th.Scores(way(y), way(s[::-1].copy()))
        assert both._on_device
        assert both == wanted + th.Scores(y, s[::-1])

    def test_functions(self, way, recwarn):
        y, s = rows("single", n=1000)
        there = way(y), way(s)
        for function in (metrics.roc_auc_score, metrics.average_precision_score):
            assert function(*there) == function(y, s)
        assert metrics.roc_auc_score(*there, max_fpr=0.1) == metrics.roc_auc_score(y, s, max_fpr=0.1)
        assert not recwarn.list

    @pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve", "det_curve"])
    def test_curves_come_as_arrays_of_numpy(self, way, name, recwarn):
        y, s = rows("single", n=1000)
        found = getattr(metrics, name)(way(y), way(s))
        assert all(isinstance(column, np.ndarray) for column in found)
        assert same(found, getattr(metrics, name)(y, s))
        assert not recwarn.list

    @pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score", "roc_curve", "coverage_error"])
    def test_functions_without_kernels_bring_rows_over_with_one_note(self, name, monkeypatch):
        monkeypatch.setattr(jax_arrays, "_WITH_KERNELS", ())
        given = FUNCTIONS[name]
        with pytest.warns(ThresherWarning) as caught:
            found = getattr(metrics, name)(*map(jnp.asarray, given))
        assert len(caught) == 1
        assert str(caught[0].message).startswith(
            f"`{name}` counts these arguments in main memory: `y_true` and `y_score`"
        )
        assert same(found, getattr(metrics, name)(*given))

    def test_without_kernels_rows_come_over_with_a_note(self, monkeypatch):
        monkeypatch.setattr(jax_arrays, "_WITH_KERNELS", ())
        y, s = rows("single", n=300)
        with pytest.warns(ThresherWarning) as caught:
            mine = th.Scores(jnp.asarray(y), jnp.asarray(s))
        assert [str(one.message) for one in caught] == [
            "`Scores` counts these arguments in main memory: `y_true` and `y_score` (jax on cpu:0) were copied there. "
            "Hint: install PyTorch or CuPy for this device, and rows of JAX are counted where they are."
        ]
        assert not mine._on_device
        assert mine == th.Scores(y, s)

    def test_labels_elsewhere_are_refused(self):
        y, s = rows("single", n=300)
        with pytest.raises(InvalidInputError, match="must be on the same device; got numpy on cpu and jax on cpu:0"):
            th.Scores(y, jnp.asarray(s))
