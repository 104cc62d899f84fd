"""ROC and precision-recall curves done right: count once, then look, measure, compare and decide.

>>> import thresher as th
>>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> scores.roc_auc().value
0.75
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher import (
        config as config,
    )
    from thresher import (
        datasets,
        measures,
        metrics,
        planning,
        plotting,
        results,
        sklearn,
    )
    from thresher import (
        integrations as integrations,
    )
    from thresher import (
        population as population,
    )
    from thresher import (
        queries as queries,
    )
    from thresher._classes import multiclass, multilabel
    from thresher._compare import compare, compare_calls, compare_source, compare_unpaired, estimates, roc_auc_many
    from thresher._curves import PrCurve, RocCurve, dominates, min_pr_auc, pr_lower_bound
    from thresher._decide import Calibrator, estimate_prevalence, tune
    from thresher._decide.plan import power, sample_size
    from thresher._facade import Scores, Sketch, Sketches, load_counts, save_counts
    from thresher._facade.bootstrap import bootstrap
    from thresher._facade.gate import gate
    from thresher._facade.scan import scan
    from thresher._facade.summary import summary
    from thresher._groups.by_group import by_group
    from thresher._horizons import time_dependent
    from thresher._inference import auc_moments, cortes_mohri, proportion_interval, rate_interval, roc_auc_interval
    from thresher._readers import readers
    from thresher._report import report
    from thresher.exceptions import (
        InvalidInputError,
        InvalidTypeError,
        MissingDependencyError,
        ThresherError,
        ThresherWarning,
        UndefinedMetricError,
    )
    from thresher.population import Population

    __version__: str

__all__ = [
    "Calibrator",
    "InvalidInputError",
    "InvalidTypeError",
    "MissingDependencyError",
    "Population",
    "PrCurve",
    "RocCurve",
    "Scores",
    "Sketch",
    "Sketches",
    "ThresherError",
    "ThresherWarning",
    "UndefinedMetricError",
    "auc_moments",
    "bootstrap",
    "by_group",
    "compare",
    "compare_calls",
    "compare_source",
    "compare_unpaired",
    "cortes_mohri",
    "datasets",
    "dominates",
    "estimate_prevalence",
    "estimates",
    "gate",
    "load_counts",
    "measures",
    "metrics",
    "min_pr_auc",
    "multiclass",
    "multilabel",
    "planning",
    "plotting",
    "power",
    "pr_lower_bound",
    "proportion_interval",
    "rate_interval",
    "readers",
    "report",
    "results",
    "roc_auc_interval",
    "roc_auc_many",
    "sample_size",
    "save_counts",
    "scan",
    "sklearn",
    "summary",
    "time_dependent",
    "tune",
]

# Everything is loaded when it is first asked for, so that `import thresher` costs little where nothing is.
_NAMESPACES = (
    *("config", "datasets", "exceptions", "integrations", "measures", "metrics", "planning", "plotting", "population"),
    *("queries", "results", "sklearn"),
)
# The core belongs together: asking for one of its names loads all of them.
_CORE = {
    "_classes": ("multiclass", "multilabel"),
    "_compare": ("compare", "compare_calls", "compare_source", "compare_unpaired", "estimates", "roc_auc_many"),
    "_curves": ("PrCurve", "RocCurve", "dominates", "min_pr_auc", "pr_lower_bound"),
    "_decide": ("Calibrator", "estimate_prevalence", "tune"),
    "_facade": (
        *("Scores", "Sketch", "Sketches", "bootstrap", "gate", "load_counts", "save_counts", "scan", "summary"),
    ),
    "_groups": ("by_group",),
    "_inference": ("auc_moments", "cortes_mohri", "proportion_interval", "rate_interval", "roc_auc_interval"),
    "_readers": ("readers",),
    "exceptions": (
        *("InvalidInputError", "InvalidTypeError", "MissingDependencyError", "ThresherError", "ThresherWarning"),
        "UndefinedMetricError",
    ),
}
_LATER = {
    "Population": "thresher.population",
    "report": "thresher._report",
    "time_dependent": "thresher._horizons",
    "power": "thresher.planning",
    "sample_size": "thresher.planning",
}

# Names that people look for here and that live in a module of their own.
_ELSEWHERE = {
    "thresher.metrics": (
        "auc",
        "average_precision_score",
        "confusion_matrix_at_thresholds",
        "coverage_error",
        "dcg_score",
        "det_curve",
        "label_ranking_average_precision_score",
        "label_ranking_loss",
        "ndcg_score",
        "precision_recall_curve",
        "roc_auc_score",
        "roc_curve",
        "top_k_accuracy_score",
    ),
    "thresher.sklearn": (
        "AchievableClassifier",
        "cross_val_scores",
        "metric_scorer",
    ),
    "thresher.queries": ("RankedLists", "compare_systems", "read_trec"),
    "thresher.datasets": ("load_digits_eight", "load_reader_study", "load_trial"),
}


def _unknown_name(name: str) -> str:
    from thresher import Scores, config, planning, plotting, results

    elsewhere = {module.__name__: tuple(module.__all__) for module in (results, plotting, planning, config)}
    elsewhere |= _ELSEWHERE
    found = next((f"{module}.{name}" for module, names in elsewhere.items() if name in names), None)
    if found is not None:
        return f" Hint: it is `{found}`."
    if hasattr(Scores, name):
        return f" Hint: it is a method of scores, `th.Scores(y_true, y_score).{name}()`."
    from thresher._core.checks import did_you_mean

    return did_you_mean(name, [*__all__, *(one for names in elsewhere.values() for one in names)])


def _load_core() -> None:
    for module, names in _CORE.items():
        loaded = import_module(f"thresher.{module}")
        for name in names:
            found = getattr(loaded, name)
            # A test runner that imports a file by its path puts the module where the function of that name stands.
            globals()[name] = getattr(found, name) if isinstance(found, ModuleType) else found


def _own_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("thresher")
    except PackageNotFoundError:  # running from a source tree that was never installed
        return "0+unknown"


def __getattr__(name: str) -> Any:
    if name in _NAMESPACES:
        return import_module(f"thresher.{name}")
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    if any(name in names for names in _CORE.values()):
        _load_core()
        return globals()[name]
    if name == "__version__":
        return _own_version()
    hint = "" if name.startswith("_") else _unknown_name(name)
    raise AttributeError(f"module 'thresher' has no attribute {name!r}.{hint}", name=name)


def __dir__() -> list[str]:
    return sorted(__all__)
