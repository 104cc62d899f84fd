"""ROC and precision-recall curves done right: count once, then look, measure, compare and decide.

>>> import thresher as th
>>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> scores.roc_auc().value
0.75
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from thresher._core.config import show_config
from thresher._core.threads import num_threads
from thresher._facade import Scores, Sketch, scan
from thresher.areas import AreaEstimate
from thresher.compare import Comparison, PairComparison, compare, compare_unpaired
from thresher.curves import (
    AchievablePrCurve,
    CostCurve,
    Crossing,
    DetCurve,
    Dominance,
    GainCurve,
    LiftCurve,
    Mix,
    OperatingPoint,
    PrCurve,
    PrGainCurve,
    PrPoints,
    Region,
    RocCurve,
    dominates,
    min_average_precision,
    min_pr_auc,
    pr_lower_bound,
)
from thresher.decide import Evaluation, ThresholdInterval, Tuned, threshold_interval, tune
from thresher.exceptions import (
    InvalidInputError,
    InvalidTypeError,
    MissingDependencyError,
    SpillError,
    ThresherError,
    ThresherWarning,
    UndefinedMetricError,
)
from thresher.inference import (
    AucMoments,
    BootstrapDistribution,
    ConfidenceInterval,
    CortesMohriInterval,
    CurveBand,
    auc_moments,
    bootstrap,
    cortes_mohri,
    proportion_interval,
    rate_interval,
    roc_auc_interval,
)
from thresher.scores._rate_bound import RateErrorBound

if TYPE_CHECKING:
    from thresher import datasets, metrics, papers, plotting, population, report, sklearn
    from thresher.decide._design import power, sample_size
    from thresher.plotting import LinkedDisplay, PrCurveDisplay, PrGainDisplay, RocCurveDisplay
    from thresher.population import Population

__all__ = [
    "AchievablePrCurve",
    "AreaEstimate",
    "AucMoments",
    "BootstrapDistribution",
    "Comparison",
    "ConfidenceInterval",
    "CortesMohriInterval",
    "CostCurve",
    "Crossing",
    "CurveBand",
    "DetCurve",
    "Dominance",
    "Evaluation",
    "GainCurve",
    "InvalidInputError",
    "InvalidTypeError",
    "LiftCurve",
    "LinkedDisplay",
    "MissingDependencyError",
    "Mix",
    "OperatingPoint",
    "PairComparison",
    "Population",
    "PrCurve",
    "PrCurveDisplay",
    "PrGainCurve",
    "PrGainDisplay",
    "PrPoints",
    "RateErrorBound",
    "Region",
    "RocCurve",
    "RocCurveDisplay",
    "Scores",
    "Sketch",
    "SpillError",
    "ThresherError",
    "ThresherWarning",
    "ThresholdInterval",
    "Tuned",
    "UndefinedMetricError",
    "auc_moments",
    "bootstrap",
    "compare",
    "compare_unpaired",
    "cortes_mohri",
    "datasets",
    "dominates",
    "metrics",
    "min_average_precision",
    "min_pr_auc",
    "num_threads",
    "papers",
    "plotting",
    "population",
    "power",
    "pr_lower_bound",
    "proportion_interval",
    "rate_interval",
    "report",
    "roc_auc_interval",
    "sample_size",
    "scan",
    "show_config",
    "sklearn",
    "threshold_interval",
    "tune",
]

try:
    __version__ = version("thresher")
except PackageNotFoundError:  # running from a source tree that was never installed
    __version__ = "0+unknown"

# What costs an import of its own is loaded when first asked for.
_LAZY = {
    "datasets": "thresher.datasets",
    "metrics": "thresher.metrics",
    "papers": "thresher.papers",
    "plotting": "thresher.plotting",
    "population": "thresher.population",
    "Population": "thresher.population",
    "report": "thresher.report",
    "sklearn": "thresher.sklearn",
    "power": "thresher.decide._design",
    "sample_size": "thresher.decide._design",
    "LinkedDisplay": "thresher.plotting",
    "PrCurveDisplay": "thresher.plotting",
    "PrGainDisplay": "thresher.plotting",
    "RocCurveDisplay": "thresher.plotting",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'thresher' has no attribute {name!r}")
    module = import_module(_LAZY[name])
    return module if _LAZY[name] == f"thresher.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
