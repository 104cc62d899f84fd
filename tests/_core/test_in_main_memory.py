"""Arguments in main memory: what is there stays as it is, what is not comes with one note."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core.device import in_main_memory, rows_to_count, with_kernels
from thresher.exceptions import ThresherWarning


def test_what_is_at_home_is_left_alone(recwarn):
    array, words = np.arange(3.0), ["a", "b"]
    found = in_main_memory("roc_curve", y_true=words, y_score=array, sample_weight=None)
    assert found[0] is words
    assert found[1] is array
    assert found[2] is None
    assert not recwarn.list


def test_rows_of_a_device_are_named_in_one_note():
    xp = pytest.importorskip("array_api_strict", reason="it has devices of its own")
    there = [xp.asarray(column, device=xp.Device("device1")) for column in ([0, 1], [0.5, 0.25])]
    with pytest.warns(ThresherWarning) as caught:
        found = in_main_memory("roc_curve", y_true=there[0], y_score=there[1])
    assert [column.tolist() for column in found] == [[0, 1], [0.5, 0.25]]
    assert [str(one.message) for one in caught] == [
        "`roc_curve` counts these arguments in main memory: `y_true` and `y_score` (array_api_strict on "
        "array_api_strict.Device('device1')) were copied there. "
        "Hint: copy them yourself, once, if you compute several metrics."
    ]


def test_only_rows_of_jax_are_lent():
    rows = np.array([0, 1]), np.array([0.5, 0.25])
    assert with_kernels(*rows) == rows
    assert rows_to_count("Scores", *rows) == rows


def test_numbers_that_numpy_lacks():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="it comes with JAX")
    (found,) = in_main_memory("auc", x=np.array([0.5, 1.5], dtype=ml_dtypes.bfloat16))
    assert found.dtype == np.float32
    assert found.tolist() == [0.5, 1.5]


@pytest.mark.optional
@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn"])
def test_short_floats_of_torch(dtype):
    torch = pytest.importorskip("torch", reason="its short floats are unknown to NumPy")
    (found,) = in_main_memory("auc", x=torch.tensor([0.5, 1.5], requires_grad=True).to(getattr(torch, dtype)))
    assert found.dtype == torch.float32
    assert np.asarray(found).tolist() == [0.5, 1.5]
