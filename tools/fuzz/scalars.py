"""Every argument that is a number, with numbers nobody should pass: an answer without NaN, or a `ThresherError`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

import thresher as th
from thresher._table import rate_error_bound

__all__ = ["CALLS", "HOSTILE", "case"]

_CASES = 25
HOSTILE: list[Any] = [
    *(0, -1, 1, 2, 3, 95, 2**31, 2**63 - 1, 2**63, 2**70, 10**400, -(10**400), 0.0, -0.0, 1.0, -1.0, 0.5, 0.95, 1.5),
    *(
        5e-324,
        -5e-324,
        1e-300,
        1e-100,
        1e-17,
        1e-9,
        1 - 1e-9,
        1 - 1e-12,
        math.nextafter(1, 0),
        math.nextafter(1, 2),
        1e9,
    ),
    *(1e18, 1e100, 1.7e308, math.inf, -math.inf, math.nan, True, False, None, "0.5", "", b"x", 1j, Decimal("0.5")),
    *(
        Fraction(1, 3),
        Fraction(1, 10**400),
        Fraction(10**400, 1),
        [0.1],
        (0.1, 0.9),
        (0.9, 0.1),
        (0.0, 5e-324),
        (0, 1, 2),
    ),
    *(
        (math.nan, 1.0),
        [],
        {},
        object(),
        np.float32(0.25),
        np.int8(3),
        np.uint64(2**64 - 1),
        np.array(0.3),
        np.array([0.2, 2.0]),
    ),
    *(np.array([]), np.float64("nan"), np.longdouble("0.7"), np.array([5e-324, 0.5, 1.0])),
]
_SCORES = th.Scores([1, 1, 0, 1, 0, 0, 1, 0, 0, 0], [5, 4, 4, 4, 3, 2, 2, 1, 1, 0])
_WEIGHTED = th.Scores([1, 1, 0, 1, 0, 0], [3, 2, 2, 1, 1, 0], sample_weight=[0.5, 1.5, 2, 1, 0.3, 1.1])
_OTHER = th.Scores([1, 0, 0, 1, 0, 1], [3, 2, 2, 1, 1, 0])
_Y, _A, _B = [1, 1, 0, 1, 0, 0], [3, 2, 2, 1, 1, 0], [1, 3, 2, 2, 0, 1]
_FEW = {"n_resamples": 100, "rng": 0}


def _interval(metric: str, method: str) -> Callable[..., Any]:
    def call(**options: Any) -> Any:
        return getattr(_SCORES, metric)().confidence_interval(method=method, **options)

    return call


CALLS: list[tuple[str, Callable[..., Any], dict[str, Any]]] = [
    ("pr", _SCORES.pr, {"prevalence": 0.1}),
    ("achievable_pr", _SCORES.achievable_pr, {"prevalence": 0.1}),
    ("pr_auc", _SCORES.pr_auc, {"prevalence": 0.1, "recall": (0.1, 0.9)}),
    ("pr_auc weights", _WEIGHTED.pr_auc, {"prevalence": 0.1, "recall": (0.1, 0.9)}),
    ("partial fpr", _SCORES.partial_roc_auc, {"fpr": (0.0, 0.5)}),
    ("partial tpr", _SCORES.partial_roc_auc, {"tpr": (0.5, 1.0)}),
    ("choose", _SCORES.choose_threshold, {"min_recall": 0.5, "prevalence": 0.2}),
    ("choose precision", _SCORES.choose_threshold, {"min_precision": 0.5, "max_alert_rate": 0.9, "max_alerts": 5}),
    (
        "choose cost",
        lambda **o: _SCORES.choose_threshold(minimize="cost", **o),
        {"cost_fp": 1.0, "cost_fn": 2.0, "prevalence": 0.2},
    ),
    ("choose f", lambda **o: _SCORES.choose_threshold("f_beta", **o), {"beta": 2.0, "max_fpr": 0.9}),
    ("choose mix", lambda **o: _SCORES.choose_threshold(mix=True, **o), {"max_fpr": 0.3}),
    ("compress points", _SCORES.compress, {"max_points": 5}),
    ("compress counts", _SCORES.compress, {"min_count": 2}),
    ("rate_error_bound", lambda **o: rate_error_bound(_SCORES, **o), {"threshold": 2.0}),
    ("pr_function", _SCORES.pr_function, {"recall": 0.5, "prevalence": 0.1}),
    ("roc interpolate", _SCORES.roc().interpolate, {"fpr": 0.3}),
    ("pr interpolate", _SCORES.pr().interpolate, {"recall": 0.3}),
    ("pr interpolate share", _SCORES.pr(prevalence=0.01).interpolate, {"recall": 0.3}),
    ("at threshold", _SCORES.roc().at, {"threshold": 2.0}),
    ("at fpr", _SCORES.roc().at, {"fpr": 0.3}),
    ("at recall", _SCORES.pr().at, {"recall": 0.3}),
    ("at top", _SCORES.pr().at, {"top": 0.3}),
    ("to_pr", _SCORES.roc().to_pr, {"prevalence": 0.3}),
    *(
        (f"roc interval {m}", _interval("roc_auc", m), {"confidence_level": 0.9})
        for m in ("delong", "delong-logit", "bamber")
    ),
    *((f"roc interval {m}", _interval("roc_auc", m), {"confidence_level": 0.9}) for m in ("newcombe", "hanley-mcneil")),
    ("roc interval cortes", _interval("roc_auc", "cortes-mohri"), {"confidence_level": 0.9, "threshold": 2.5}),
    ("roc bootstrap", _interval("roc_auc", "bootstrap"), {"confidence_level": 0.9, "n_resamples": 30, "rng": 0}),
    ("pr interval", _interval("pr_auc", "logit"), {"confidence_level": 0.9}),
    ("pr bootstrap", _interval("pr_auc", "bootstrap"), {"confidence_level": 0.9, "n_resamples": 30, "rng": 0}),
    *(
        (
            f"roc_band {m}",
            lambda m=m, **o: _SCORES.roc_band(method=m, **o),
            {"fpr": 0.3, "confidence_level": 0.9, **_FEW},
        )
        for m in ("binomial-beta", "logit", "normal", "envelope", "equal-local-level", "dkw", "bootstrap")
    ),
    *(
        (
            f"pr_band {m}",
            lambda m=m, **o: _SCORES.pr_band(method=m, **o),
            {"recall": 0.3, "confidence_level": 0.9, "prevalence": 0.2, **_FEW},
        )
        for m in ("binomial-beta", "logit", "envelope", "equal-local-level", "dkw", "bootstrap")
    ),
    ("auc_moments", th.auc_moments, {"n_pos": 10, "n_neg": 20, "n_errors": 5}),
    ("cortes_mohri", th.cortes_mohri, {"n_pos": 10, "n_neg": 20, "n_errors": 5, "confidence_level": 0.9}),
    ("min_pr_auc", th.min_pr_auc, {"prevalence": 0.3}),
    ("pr_lower_bound", th.pr_lower_bound, {"recall": 0.5, "prevalence": 0.3}),
    *(
        (
            f"proportion {m}",
            lambda m=m, **o: th.proportion_interval(method=m, **o),
            {"count": 3, "total": 9, "confidence_level": 0.9},
        )
        for m in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "normal", "arcsine")
    ),
    (
        "rate_interval",
        lambda **o: th.rate_interval("precision", **o),
        {"tp": 3, "fp": 2, "fn": 1, "tn": 5, "confidence_level": 0.9},
    ),
    (
        "f_beta",
        lambda **o: th.rate_interval("f_beta", **o),
        {"tp": 3, "fp": 2, "fn": 1, "tn": 5, "beta": 2.0, "confidence_level": 0.9},
    ),
    *(
        (
            f"roc_auc_interval {m}",
            lambda m=m, **o: th.roc_auc_interval(method=m, **o),
            {"auc": 0.8, "n_pos": 10, "n_neg": 20, "confidence_level": 0.9},
        )
        for m in ("hanley-mcneil", "newcombe")
    ),
    ("num_threads", lambda **o: th.config.num_threads(**o).__enter__(), {"n": 2}),
    (
        "bootstrap",
        lambda **o: th.bootstrap(_Y, _A, metric="pr_auc", **o),
        {"prevalence": 0.2, "n_resamples": 20, "rng": 0, "batch_size": 7, "workers": 2},
    ),
    (
        "bootstrap recall",
        lambda **o: th.bootstrap(_Y, _A, metric="precision_at_recall", n_resamples=20, rng=0, **o),
        {"recall": 0.5},
    ),
    ("compare", lambda **o: th.compare(_Y, {"a": _A, "b": _B}, **o), {"confidence_level": 0.9, "margin": 0.1}),
    (
        "compare bootstrap",
        lambda **o: th.compare(_Y, {"a": _A, "b": _B}, method="bootstrap", **o),
        {"n_resamples": 20, "rng": 0, "confidence_level": 0.9},
    ),
    ("compare_unpaired", lambda **o: th.compare_unpaired(_SCORES, _OTHER, **o), {"confidence_level": 0.9}),
    (
        "threshold_interval",
        lambda **o: _SCORES.threshold_interval(**o),
        {"min_recall": 0.5, "n_resamples": 20, "rng": 0, "confidence_level": 0.9},
    ),
    ("tune", lambda **o: th.tune(_SCORES, **o), {"min_recall": 0.5}),
]


def _numbers(value: Any, depth: int = 0) -> list[float]:
    """Return the floats of an answer."""
    if isinstance(value, float | np.floating):
        return [float(value)]
    if isinstance(value, np.ndarray):
        return value.astype(float).ravel().tolist() if value.dtype.kind == "f" else []
    if depth < 2 and dataclasses.is_dataclass(value):
        return [
            x
            for part in dataclasses.fields(value)
            if not part.name.startswith(("_", "threshold"))
            for x in _numbers(getattr(value, part.name), depth + 1)
        ]
    if depth < 2 and isinstance(value, tuple):
        return [x for part in value for x in _numbers(part, depth + 1)]
    return []


def _shown(value: Any) -> str:
    try:
        return repr(value)[:80]
    except ValueError:
        return f"an integer of {value.bit_length()} bits"


def case(rng: np.random.Generator) -> int:
    """Call functions with one or two of their numbers exchanged."""
    for _ in range(_CASES):
        name, call, options = CALLS[int(rng.integers(0, len(CALLS)))]
        given = dict(options)
        changed = [list(options)[int(k)] for k in rng.integers(0, len(options), int(rng.integers(1, 3)))]
        for key in changed:
            given[key] = HOSTILE[int(rng.integers(0, len(HOSTILE)))]
        # Large numbers of draws are legal and long; that they can be interrupted is tested elsewhere.
        for key in ("n_resamples", "workers", "batch_size"):
            if isinstance(given.get(key), int | np.integer) and given[key] > 200:
                given[key] = 10**400 if given[key] > 10**9 and key == "n_resamples" else options.get(key, 20)
        text = f"{name}({', '.join(f'{key}={_shown(value)}' for key, value in given.items())})"
        try:
            found = call(**given)
        except th.ThresherError as error:
            if len(str(error)) > 1000:
                raise AssertionError(f"{text}: the message is too long") from error
            continue
        except Exception as error:
            raise AssertionError(text) from error
        if any(math.isnan(x) for x in _numbers(found)) and not any(x != x for x in changed):
            raise AssertionError(f"{text} is not a number: {str(found)[:300]}")
    return _CASES
