"""Curves of rows on a device: arrays that stay there, with the bits of the processor's."""

from __future__ import annotations

import numpy as np
import pytest

from support.devices import rows, tensors
from thresher import metrics

pytestmark = [pytest.mark.optional, pytest.mark.usefixtures("everything_is_a_device")]  # torch
torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")

CURVES = ["roc_curve", "precision_recall_curve", "det_curve", "confusion_matrix_at_thresholds"]


@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("kind", ["both signs", "single", "probabilities", "ties", "integers"])
@pytest.mark.parametrize("name", CURVES)
def test_curves_have_the_same_bits_and_stay_there(name, kind, drop):
    y, s = rows(kind)
    options = {} if name == "confusion_matrix_at_thresholds" else {"drop_intermediate": drop}
    function = getattr(metrics, name)
    found, wanted = function(*tensors(y, s), **options), function(y, s, **options)
    assert len(found) == len(wanted)
    for mine, theirs in zip(found, wanted, strict=True):
        assert isinstance(mine, torch.Tensor)
        assert np.array_equal(mine.numpy(), theirs)


def test_one_class():
    y, s = np.zeros(5, dtype=np.int64), np.arange(5.0)
    with pytest.warns(UserWarning, match="No positive samples"):
        assert torch.isnan(metrics.roc_curve(*tensors(y, s))[1]).all()
    with pytest.warns(UserWarning, match="recall is set to one"):
        assert (metrics.precision_recall_curve(*tensors(y, s))[1][:-1] == 1).all()
    with pytest.raises(ValueError, match="Only one class is present"):
        metrics.det_curve(*tensors(y, s))
