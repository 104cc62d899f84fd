"""Rows for tests of devices, in the arrays of several libraries, and the figures that devices compute.

Main memory stands for a device: the fixtures `everything_is_a_device` and `kernels_on_host` are in `conftest.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core.device_ranks import rank_on_device

LIBRARIES = ["array_api_strict", "torch", "numpy"]


def rows(kind, share=0.3, n=2000):
    rng = np.random.default_rng(7)
    positive = rng.random(n) < share
    scores = rng.normal(size=n) + positive
    if kind == "probabilities":
        scores = 1 / (1 + np.exp(-scores))
    if kind == "ties":
        scores = np.round(scores, 1)
    if kind == "integers":
        return positive.astype(np.int64), np.round(10 * scores).astype(np.int32)
    return positive.astype(np.int64), scores.astype(np.float32 if kind == "single" else np.float64)


def tensors(*arrays):
    import torch

    return tuple(torch.from_numpy(array) for array in arrays)


def converter(library):
    """Return what makes an array of a library; a test of one that is not installed skips."""
    xp = pytest.importorskip(library, reason=f"{library} is not installed")
    if library == "torch":
        return lambda array: xp.from_numpy(np.ascontiguousarray(array))
    return xp.asarray


def ranks_of(library, y, s):
    """Return rows of labels 0 and 1 as a device puts them in order."""
    convert = converter(library)
    return rank_on_device(convert(s), convert(y == 1))


FIGURES = {
    "repr": repr,
    "length": len,
    "ties": lambda s: s.roc_auc().remarks(),
    "delong": lambda s: s.roc_auc().standard_error("delong"),
    "delong-logit": lambda s: tuple(s.roc_auc().confidence_interval(method="delong-logit")),
    "score": lambda s: tuple(s.roc_auc().confidence_interval(method="score")),
    "hanley-mcneil": lambda s: tuple(s.roc_auc().confidence_interval(method="hanley-mcneil")),
    "default interval": lambda s: tuple(s.roc_auc().confidence_interval()),
    "default interval of average precision": lambda s: tuple(
        s.pr_auc(estimator="average_precision").confidence_interval()
    ),
    "default interval of the PR area": lambda s: tuple(s.pr_auc().confidence_interval()),
    "shown area": lambda s: repr(s.roc_auc()),
    "partial, fpr": lambda s: s.partial_roc_auc(fpr=(0.05, 0.3)).value,
    "partial, tpr": lambda s: s.partial_roc_auc(tpr=(0.8, 1.0), standardize=True).value,
    "hull": lambda s: s.roc().hull(),
    "achievable": lambda s: s.pr_auc(estimator="achievable").value,
    "achievable curve": lambda s: s.achievable_pr(),
    "counts": lambda s: [column.tolist() for column in s._counts_at([0.1, 0.5])],
    "at a threshold": lambda s: [s.roc().at(threshold=t) for t in (-99, 0.1234, 0.5, 1, 99)],
    "at a score": lambda s: s.pr().at(threshold=float(s._score_range[0])),
    "at a rate": lambda s: [s.roc().at(fpr=x) for x in (0, 0.001, 0.1, 1 / 3, 0.999, 1)],
    "at a recall": lambda s: [s.roc().at(tpr=x) for x in (0, 0.001, 0.1, 1 / 3, 0.999, 1)],
    "at a recall in PR space": lambda s: [s.pr(prevalence=0.01).at(recall=x) for x in (0.001, 0.5, 1)],
}
"""What leaves the table on its device."""

CHOICES = {
    "youden": lambda s: s.choose_threshold("youden"),
    "corner": lambda s: s.choose_threshold(minimize="closest_corner"),
    "f1": lambda s: s.choose_threshold("f_beta"),
    "f1 elsewhere": lambda s: s.choose_threshold("f_beta", beta=2, prevalence=0.01),
    "cost": lambda s: s.choose_threshold(minimize="cost", cost_fn=5, cost_fp=1),
    "recall": lambda s: s.choose_threshold(min_recall=0.8),
    "fpr": lambda s: s.choose_threshold(max_fpr=0.05),
    "precision": lambda s: s.choose_threshold(min_precision=0.7),
    "alerts": lambda s: s.choose_threshold("precision", max_alert_rate=0.2, min_recall=0.1),
}
"""What looks at every threshold, and so brings the table over."""
