"""ROC and precision-recall curves done right: count once, then look, measure, compare and decide.

>>> import thresher as th
>>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> scores.roc_auc().value
0.75
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from thresher._compare import (
    CallComparison,
    CallDifference,
    Comparison,
    DominanceProbability,
    ManyRocAuc,
    OmnibusTest,
    PairComparison,
    compare,
    compare_calls,
    compare_unpaired,
    roc_auc_many,
)
from thresher._core.config import show_config
from thresher._core.presented import from_json
from thresher._core.threads import num_threads
from thresher._curves import (
    AchievablePrCurve,
    CalibrationBlock,
    CalibrationCurve,
    CostCurve,
    Crossing,
    DetCurve,
    Dominance,
    GainCurve,
    Guarantee,
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
from thresher._decide import (
    Calibrator,
    DecisionCurve,
    DiagnosticFigure,
    DiagnosticTable,
    Evaluation,
    PrevalenceEstimate,
    ThresholdInterval,
    Tuned,
    diagnostic_table,
    estimate_prevalence,
    negatives_needed,
    positives_needed,
    threshold_interval,
    tune,
)
from thresher._facade import (
    Gate,
    Scores,
    Sketch,
    Sketches,
    Summary,
    bootstrap,
    gate,
    load_counts,
    save_counts,
    scan,
    summary,
)
from thresher._groups import by_group
from thresher._inference import (
    AucMoments,
    BootstrapDistribution,
    Calibration,
    CalibrationTest,
    ConfidenceInterval,
    CortesMohriInterval,
    CurveBand,
    CutOffFigure,
    Decomposition,
    InTheLarge,
    LogisticCalibration,
    MurphyCurve,
    NullMiscalibration,
    ProportionInterval,
    auc_moments,
    cortes_mohri,
    proportion_interval,
    rate_interval,
    roc_auc_interval,
)
from thresher._inference.bootstrap import Resampling
from thresher._table import RateErrorBound
from thresher.exceptions import (
    InvalidInputError,
    InvalidTypeError,
    MissingDependencyError,
    SpillError,
    ThresherError,
    ThresherWarning,
    UndefinedMetricError,
)
from thresher.measures import Estimate

if TYPE_CHECKING:
    from thresher import datasets, integrations, measures, metrics, plotting, population, sklearn
    from thresher._decide.study_design import power, sample_size
    from thresher._decide.study_results import Power, SampleSize, SimulatedCheck
    from thresher._decide.supposed_calls import SupposedCalls
    from thresher._report import FINDING_CODES, notebook_html, report
    from thresher.plotting import (
        CalibrationDisplay,
        CostCurveDisplay,
        DecisionCurveDisplay,
        DetCurveDisplay,
        GainCurveDisplay,
        LiftCurveDisplay,
        LinkedDisplay,
        MurphyDisplay,
        PrCurveDisplay,
        PrGainDisplay,
        RocCurveDisplay,
    )
    from thresher.population import Population

__all__ = [
    "FINDING_CODES",
    "AchievablePrCurve",
    "AucMoments",
    "BootstrapDistribution",
    "Calibration",
    "CalibrationBlock",
    "CalibrationCurve",
    "CalibrationDisplay",
    "CalibrationTest",
    "Calibrator",
    "CallComparison",
    "CallDifference",
    "Comparison",
    "ConfidenceInterval",
    "CortesMohriInterval",
    "CostCurve",
    "CostCurveDisplay",
    "Crossing",
    "CurveBand",
    "CutOffFigure",
    "DecisionCurve",
    "DecisionCurveDisplay",
    "Decomposition",
    "DetCurve",
    "DetCurveDisplay",
    "DiagnosticFigure",
    "DiagnosticTable",
    "Dominance",
    "DominanceProbability",
    "Estimate",
    "Evaluation",
    "GainCurve",
    "GainCurveDisplay",
    "Gate",
    "Guarantee",
    "InTheLarge",
    "InvalidInputError",
    "InvalidTypeError",
    "LiftCurve",
    "LiftCurveDisplay",
    "LinkedDisplay",
    "LogisticCalibration",
    "ManyRocAuc",
    "MissingDependencyError",
    "Mix",
    "MurphyCurve",
    "MurphyDisplay",
    "NullMiscalibration",
    "OmnibusTest",
    "OperatingPoint",
    "PairComparison",
    "Population",
    "Power",
    "PrCurve",
    "PrCurveDisplay",
    "PrGainCurve",
    "PrGainDisplay",
    "PrPoints",
    "PrevalenceEstimate",
    "ProportionInterval",
    "RateErrorBound",
    "Region",
    "Resampling",
    "RocCurve",
    "RocCurveDisplay",
    "SampleSize",
    "Scores",
    "SimulatedCheck",
    "Sketch",
    "Sketches",
    "SpillError",
    "Summary",
    "SupposedCalls",
    "ThresherError",
    "ThresherWarning",
    "ThresholdInterval",
    "Tuned",
    "UndefinedMetricError",
    "auc_moments",
    "bootstrap",
    "by_group",
    "compare",
    "compare_calls",
    "compare_unpaired",
    "cortes_mohri",
    "datasets",
    "diagnostic_table",
    "dominates",
    "estimate_prevalence",
    "from_json",
    "gate",
    "integrations",
    "load_counts",
    "measures",
    "metrics",
    "min_average_precision",
    "min_pr_auc",
    "negatives_needed",
    "notebook_html",
    "num_threads",
    "plotting",
    "population",
    "positives_needed",
    "power",
    "pr_lower_bound",
    "proportion_interval",
    "rate_interval",
    "report",
    "roc_auc_interval",
    "roc_auc_many",
    "sample_size",
    "save_counts",
    "scan",
    "show_config",
    "sklearn",
    "summary",
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
    "integrations": "thresher.integrations",
    "measures": "thresher.measures",
    "metrics": "thresher.metrics",
    "plotting": "thresher.plotting",
    "population": "thresher.population",
    "Population": "thresher.population",
    "FINDING_CODES": "thresher._report",
    "notebook_html": "thresher._report",
    "report": "thresher._report",
    "sklearn": "thresher.sklearn",
    "Power": "thresher._decide.study_results",
    "SampleSize": "thresher._decide.study_results",
    "SimulatedCheck": "thresher._decide.study_results",
    "SupposedCalls": "thresher._decide.supposed_calls",
    "power": "thresher._decide.study_design",
    "sample_size": "thresher._decide.study_design",
    "CalibrationDisplay": "thresher.plotting",
    "DecisionCurveDisplay": "thresher.plotting",
    "CostCurveDisplay": "thresher.plotting",
    "DetCurveDisplay": "thresher.plotting",
    "GainCurveDisplay": "thresher.plotting",
    "LiftCurveDisplay": "thresher.plotting",
    "LinkedDisplay": "thresher.plotting",
    "MurphyDisplay": "thresher.plotting",
    "PrCurveDisplay": "thresher.plotting",
    "PrGainDisplay": "thresher.plotting",
    "RocCurveDisplay": "thresher.plotting",
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
        "hand_till_auc",
        "label_scores",
        "metric_scorer",
        "one_vs_rest",
        "read_trec",
    ),
    "thresher.datasets": ("load_digits_eight",),
}


def _unknown_name(name: str) -> str:
    found = next((f"{module}.{name}" for module, names in _ELSEWHERE.items() if name in names), None)
    if found is not None:
        return f" Hint: it is `{found}`."
    if hasattr(Scores, name):
        return f" Hint: it is a method of scores, `th.Scores(y_true, y_score).{name}()`."
    from thresher._core.checks import did_you_mean

    return did_you_mean(name, [*__all__, *(one for names in _ELSEWHERE.values() for one in names)])


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        hint = "" if name.startswith("_") else _unknown_name(name)
        raise AttributeError(f"module 'thresher' has no attribute {name!r}.{hint}", name=name)
    module = import_module(_LAZY[name])
    return module if _LAZY[name] == f"thresher.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
