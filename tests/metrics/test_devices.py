"""Rows on a device: the same figures as in main memory, on the device where that can be, with a note elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from support.devices import rows, tensors
from thresher import metrics
from thresher._core import device
from thresher.exceptions import InvalidInputError, ThresherWarning

pytestmark = [pytest.mark.optional, pytest.mark.usefixtures("everything_is_a_device")]  # torch
torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["both signs", "single", "probabilities", "ties", "integers"])
def test_areas_have_the_same_bits(kind, share):
    y, s = rows(kind, share)
    for figure in (metrics.roc_auc_score, metrics.average_precision_score):
        assert figure(*tensors(y, s)) == figure(y, s)
    for most in (0.01, 0.1, 0.333, 0.9):
        assert metrics.roc_auc_score(*tensors(y, s), max_fpr=most) == metrics.roc_auc_score(y, s, max_fpr=most)


def test_labels_by_name_and_sign():
    y, s = rows("both signs")
    signed = np.where(y == 1, 1, -1)
    assert metrics.average_precision_score(*tensors(signed, s)) == metrics.average_precision_score(y, s)
    twos = np.where(y == 1, 2, 5)
    found = metrics.average_precision_score(*tensors(twos, s), pos_label=2)
    assert found == metrics.average_precision_score(y, s)


def test_one_class():
    with pytest.warns(UserWarning, match="Only one class is present"):
        assert np.isnan(metrics.roc_auc_score(*tensors(np.zeros(5, dtype=np.int64), np.arange(5.0))))


def test_labels_elsewhere_are_refused():
    y, s = rows("both signs")
    with pytest.raises(InvalidInputError, match="must be on the same device"):
        metrics.average_precision_score(y, torch.from_numpy(s))


@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve", "det_curve", "average_precision_score"])
def test_weights_are_brought_over_with_one_note(name):
    y, s = rows("both signs")
    w = np.linspace(1, 2, y.size)
    with pytest.warns(ThresherWarning) as caught:
        found = getattr(metrics, name)(*tensors(y, s), sample_weight=torch.from_numpy(w))
    assert [str(one.message) for one in caught] == [
        f"`{name}` counts these arguments in main memory: `y_true` and `y_score` and `sample_weight` (torch on cpu) "
        "were copied there. Hint: copy them yourself, once, if you compute several metrics."
    ]
    wanted = getattr(metrics, name)(y, s, sample_weight=w)
    pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
    assert all(np.array_equal(mine, theirs) for mine, theirs in pairs)


MATRIX = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.6, 0.3, 0.1], [0.3, 0.4, 0.3]])
LABELS = np.array([[0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1]])
OTHERS = {
    "coverage_error": (LABELS, MATRIX),
    "dcg_score": (LABELS, MATRIX),
    "label_ranking_average_precision_score": (LABELS, MATRIX),
    "label_ranking_loss": (LABELS, MATRIX),
    "ndcg_score": (LABELS, MATRIX),
    "top_k_accuracy_score": (np.array([1, 2, 0, 1]), MATRIX),
    "auc": (np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.9, 1.0])),
}


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_others_are_brought_over_with_a_note(name):
    arguments = OTHERS[name]
    with pytest.warns(ThresherWarning, match=f"`{name}` counts these arguments in main memory"):
        found = getattr(metrics, name)(*tensors(*arguments))
    assert found == getattr(metrics, name)(*arguments)


def test_several_classes_are_brought_over():
    with pytest.warns(ThresherWarning, match="`roc_auc_score` counts"):
        found = metrics.roc_auc_score(*tensors(np.array([1, 2, 0, 1]), MATRIX), multi_class="ovr")
    assert found == metrics.roc_auc_score(np.array([1, 2, 0, 1]), MATRIX, multi_class="ovr")


def test_gradients_are_left_behind(monkeypatch):
    monkeypatch.setattr(device, "_HOST", ("cpu",))
    y, s = tensors(*rows("both signs"))
    s.requires_grad_()
    assert metrics.average_precision_score(y, s) == metrics.average_precision_score(y.numpy(), s.detach().numpy())
    assert len(metrics.roc_curve(y, s)) == 3


BINARY = ("average_precision_score", "confusion_matrix_at_thresholds", "det_curve", "precision_recall_curve",
          "roc_auc_score", "roc_curve")  # fmt: skip
DISPLAYS = [name for name in metrics.__all__ if name.endswith("Display")]


def test_every_function_is_tried():
    assert {*BINARY, *OTHERS, *DISPLAYS} == set(metrics.__all__)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_classes_run_there(name, recwarn):
    y, s = rows("ties")
    found, wanted = getattr(metrics, name)(*tensors(y, s)), getattr(metrics, name)(y, s)
    pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
    assert all(np.array_equal(mine, theirs) for mine, theirs in pairs)
    assert not recwarn.list


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", DISPLAYS)
def test_displays_bring_rows_over_with_one_note(name, weighted):
    plt = pytest.importorskip("matplotlib.pyplot", reason="displays draw with matplotlib")
    y, s = rows("ties")
    y_there, s_there = tensors(y, s)
    options = {"sample_weight": np.linspace(1, 2, y.size)} if weighted else {}
    there = {key: torch.from_numpy(value) for key, value in options.items()}
    display = getattr(metrics, name)
    with pytest.warns(ThresherWarning) as caught:
        found = display.from_predictions(y_there, s_there, **there)
    assert [str(one.message)[: len(name) + 26] for one in caught] == [f"`{name}.from_predictions` counts"]
    wanted = display.from_predictions(y, s, **options)
    assert np.array_equal(found.line_.get_xydata(), wanted.line_.get_xydata())
    plt.close("all")


@pytest.mark.filterwarnings("ignore::thresher.exceptions.ThresherWarning")
@pytest.mark.parametrize("name", sorted({*BINARY, *OTHERS}))
def test_lengths_that_differ_are_refused_here_and_there(name):
    given = OTHERS.get(name) or rows("ties")
    for arguments in (given, tensors(*given)):
        with pytest.raises(ValueError, match=r"."):
            getattr(metrics, name)(arguments[0], arguments[1][:2])


@pytest.mark.filterwarnings("ignore::thresher.exceptions.ThresherWarning")
@pytest.mark.parametrize(
    "name", sorted({*BINARY} - {"average_precision_score"})
)  # which has an answer in some versions
def test_three_classes_are_refused_here_and_there(name):
    y, s = np.array([0, 1, 2, 1]), np.arange(4.0)
    for arguments in ((y, s), tensors(y, s)):
        with pytest.raises(ValueError, match=r"."):
            getattr(metrics, name)(*arguments)
