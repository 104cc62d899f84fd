"""Every metric of the confusion matrix: one table, a row for each, from which values, intervals and tests follow."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from thresher._cells.cell_metric import CellMetric, Fold
from thresher._cells.matrix import Matrix, absolute, divide, least, logarithm, root, with_kink
from thresher._core.checks import check_number, did_you_mean, show
from thresher._core.decimals import as_written
from thresher.exceptions import InvalidInputError

_LEAST = 1e-100  # the products of the denominators of two options, and of counts, are doubles
_HIGHER, _LOWER, _CALLS = ("tp", "tn"), ("fn", "fp"), ("tp", "fp")


def _named(name: str, label: str, aliases: str, **facts: Any) -> CellMetric:
    if facts.get("better") == "lower" and "rises" not in facts:
        facts["rises"] = _LOWER
    return CellMetric(name, label, tuple(aliases.split()), **facts)


def _share(name: str, label: str, cells: str, aliases: str, **facts: Any) -> CellMetric:
    """Return a proportion: `cells` names those with the property, a slash, and those without."""
    yes, no = (tuple(part.split()) for part in cells.split("/"))

    def ratio(c: Matrix) -> tuple[Any, Any]:
        above = sum(getattr(c, cell) for cell in yes)
        return above, above + sum(getattr(c, cell) for cell in no)

    return _named(name, label, aliases, ratio=ratio, share=(yes, no), **facts)


def _p4(c: Matrix) -> tuple[Any, Any]:
    """Return the harmonic mean of the two predictive values, recall and specificity; 0 if nothing is right."""
    product, right, wrong = 4 * c.tp * c.tn, c.tp + c.tn, c.fp + c.fn
    return product, product + right * wrong + (right == 0) * wrong


def _information(c: Matrix) -> Any:
    """Return the mutual information in nats: the sum of q h(t) with q what independence expects, (1 + t) q the cell."""
    found: Any = 0.0
    sides = (
        (c.tp, c.called, c.pos, 1),
        (c.fp, c.called, c.neg, -1),
        (c.fn, c.rest, c.pos, -1),
        (c.tn, c.rest, c.neg, 1),
    )
    for cell, row, column, sign in sides:
        expected = divide(row * column, c.total * c.total)
        part = expected * _excess_entropy(divide(sign * c.cross, row * column))
        empty = np.asarray(np.real(cell) == 0, dtype=np.bool_)
        # 0 ln 0 is 0, without a derivative.
        found = found + np.where(empty, with_kink(expected + 0 * cell, cell != 0), part)
    return found


def _excess_entropy(t: Any) -> Any:
    """Return h(t) = (1 + t) ln(1 + t) - t, by its series where the terms would cancel."""
    found = np.asarray((1.0 + t) * logarithm(t) - t)
    near = np.abs(t) < 0.01
    if near.any():
        s = t[near]
        found[near] = s * s * np.polynomial.polynomial.polyval(s, _ENTROPY_SERIES)
    return found


_ENTROPY_SERIES = [(-1.0) ** k / (k * (k - 1)) for k in range(2, 11)]


def _sedi(c: Matrix) -> Any:
    rates = ((c.fp, c.neg), (c.tp, c.pos), (c.tn, c.neg), (c.fn, c.pos))
    excess = logarithm(divide(c.cross, c.fp * c.fn))
    return divide(-excess, sum(logarithm(divide(cell, whole) - 1.0) for cell, whole in rates))


def _squared_mcc(c: Matrix) -> tuple[Any, Any]:
    return c.cross * c.cross, c.called * c.rest * c.pos * c.neg


_MCC = _named(
    "mcc", "Matthews correlation", "phi mat matthews_corrcoef matthews_correlation matthews_correlation_coefficient",
    form=lambda c: divide(c.cross, root(c.called * c.rest * c.pos * c.neg)),
    ratio=lambda c: (c.cross * absolute(c.cross), c.called * c.rest * c.pos * c.neg),
    bounds=(-1.0, 1.0), needs="PN", silent=True,
)  # fmt: skip
_YOUDEN = _named(
    "youden", "Youden's J",
    "j youden_j informedness bookmaker_informedness tss true_skill_statistic j_index youden_index youdens_j "
    "peirce_skill_score",
    ratio=lambda c: (c.cross, c.pos * c.neg), bounds=(-1.0, 1.0), free=True, needs="PN",
)  # fmt: skip
# The signed differences behind metrics that are absolute values.
_SENS_MINUS_SPEC = _named(
    "sens_minus_spec", "Sensitivity minus specificity", "", rises=_CALLS, bounds=(-1.0, 1.0), free=True,
    ratio=lambda c: (c.tp * c.neg - c.tn * c.pos, c.pos * c.neg), better=None, needs="PN",
)  # fmt: skip
_PPV_MINUS_NPV = _named(
    "ppv_minus_npv", "PPV minus NPV", "", rises=None, bounds=(-1.0, 1.0), better=None,
    ratio=lambda c: (c.tp * c.rest - c.tn * c.called, c.called * c.rest),
)  # fmt: skip
_CALLED_MINUS_POS = _named(
    "alert_rate_minus_prevalence", "Alert rate minus prevalence", "", rises=_CALLS, bounds=(-1.0, 1.0), better=None,
    ratio=lambda c: (c.fp - c.fn, c.total),
)  # fmt: skip

_ROWS = (
    _share("recall", "Recall", "tp/fn",
           "tpr sensitivity sens rec hit_rate true_positive_rate recall_score sensitivity_score pod maxse",
           free=True, needs="P"),
    _share("fnr", "False negative rate", "fn/tp", "false_negative_rate miss_rate miss 1_sensitivity",
           better="lower", free=True, needs="P"),
    _share("specificity", "Specificity", "tn/fp", "tnr spec true_negative_rate selectivity specificity_score maxsp",
           free=True, needs="N"),
    _share("fpr", "False positive rate", "fp/tn",
           "false_positive_rate fall fall_out fallout false_alarm_rate pofd 1_specificity",
           better="lower", free=True, needs="N"),
    _share("precision", "Precision", "tp/fp", "ppv prec positive_predictive_value pos_pred_val precision_score"),
    _share("fdr", "False discovery rate", "fp/tp", "false_discovery_rate pcfall false_alarm_ratio 1_ppv 1_precision",
           better="lower"),
    _share("npv", "Negative predictive value", "tn/fn", "negative_predictive_value neg_pred_val"),
    _share("for", "False omission rate", "fn/tn", "false_omission_rate pcmiss 1_npv", better="lower"),
    _share("accuracy", "Accuracy", "tp tn/fp fn", "acc efficiency maxefficiency accuracy_score proportion_correct"),
    _share("error", "Error rate", "fp fn/tp tn",
           "err error_rate hamming hamming_loss zero_one zero_one_loss misclassification_rate 1_accuracy",
           better="lower"),
    _share("alert_rate", "Alert rate", "tp fp/fn tn",
           "rpp detection_prevalence predicted_positive_rate selection_rate", better=None, rises=_CALLS),
    _share("predicted_negative_rate", "Rate of predicted negatives", "fn tn/tp fp", "rnp",
           better=None, rises=("fn", "tn")),
    _share("jaccard", "Jaccard index", "tp/fp fn",
           "csi threat threat_score critical_success_index jaccard_score jaccard_index iou"),
    _named("balanced_accuracy", "Balanced accuracy", "bal_accuracy balanced_accuracy_score", free=True, needs="PN",
           ratio=lambda c: (c.tp * c.neg + c.tn * c.pos, 2 * c.pos * c.neg)),
    _YOUDEN,
    _named("markedness", "Markedness", "delta_p", bounds=(-1.0, 1.0),
           ratio=lambda c: (c.cross, c.called * c.rest)),
    _MCC,
    _named("kappa", "Cohen's kappa",
           "cohens_kappa cohen_kappa cohen_kappa_score kap maxkappa heidke heidke_skill_score hss",
           bounds=(-1.0, 1.0), ratio=lambda c: (2 * c.cross, c.called * c.neg + c.pos * c.rest)),
    _named("g_mean", "G-mean", "gmean geometric_mean geometric_mean_score", free=True, needs="PN", root=True,
           ratio=lambda c: (c.tp * c.tn, c.pos * c.neg)),
    _named("fowlkes_mallows", "Fowlkes-Mallows index", "fowlkes_mallows_index fm_index", root=True, needs="P",
           silent=True, ratio=lambda c: (c.tp * c.tp, c.called * c.pos)),
    _named("lr_positive", "Positive likelihood ratio", "lr_pos plr lr+ dlr_positive positive_likelihood_ratio",
           free=True, needs="PN", bounds=(0.0, math.inf), ratio=lambda c: (c.tp * c.neg, c.fp * c.pos)),
    _named("lr_negative", "Negative likelihood ratio", "lr_neg nlr dlr_negative negative_likelihood_ratio",
           better="lower", free=True, needs="PN", bounds=(0.0, math.inf),
           ratio=lambda c: (c.fn * c.neg, c.tn * c.pos)),
    _named("dor", "Diagnostic odds ratio", "odds odds_ratio diagnostic_odds_ratio maxdor", free=True, needs="PN",
           bounds=(0.0, math.inf), ratio=lambda c: (c.tp * c.tn, c.fp * c.fn)),
    _named("yule_q", "Yule's Q", "yules_q orss odds_ratio_skill_score", free=True, needs="PN", bounds=(-1.0, 1.0),
           ratio=lambda c: (c.cross, c.tp * c.tn + c.fp * c.fn)),
    _named("lift", "Lift", "", bounds=(0.0, math.inf), needs="P",
           ratio=lambda c: (c.tp * c.total, c.called * c.pos)),
    _named("risk_ratio", "Risk ratio", "relative_risk", bounds=(0.0, math.inf), needs="P",
           ratio=lambda c: (c.tp * c.rest, c.called * c.fn)),
    _named("frequency_bias", "Frequency bias", "bias bias_score", bounds=(0.0, math.inf), needs="P", better=None,
           rises=_CALLS, ratio=lambda c: (c.called * c.pos, c.pos * c.pos)),
    _named("phi_square", "Squared phi coefficient", "phi2", needs="PN", silent=True, rises=None,
           ratio=_squared_mcc, fold=Fold("square", _MCC)),
    _named("chi_square", "Chi-square statistic", "chisq chi2 minpvalue", needs="PN", silent=True, rises=None, degree=1,
           bounds=(0.0, math.inf), fold=Fold("square", _MCC),
           ratio=lambda c: (c.total * c.cross * c.cross, c.called * c.rest * c.pos * c.neg)),
    _named("mutual_information", "Mutual information", "mi", needs="PN", silent=True, rises=None,
           bounds=(0.0, math.log(2.0)), form=_information, fold=Fold("zero", _YOUDEN)),
    _named("sedi", "Symmetric extremal dependence index", "", free=True, needs="PN", bounds=(-1.0, 1.0), form=_sedi),
    _named("sum_sens_spec", "Sensitivity plus specificity", "sens_plus_spec", free=True, needs="PN",
           bounds=(0.0, 2.0), ratio=lambda c: (c.tp * c.neg + c.tn * c.pos, c.pos * c.neg)),
    _named("prod_sens_spec", "Sensitivity times specificity", "maxprodspse", free=True, needs="PN",
           ratio=lambda c: (c.tp * c.tn, c.pos * c.neg)),
    _named("min_sens_spec", "Smaller of sensitivity and specificity", "maxspse", free=True, needs="PN",
           ratio=lambda c: (least(c.tp * c.neg, c.tn * c.pos), c.pos * c.neg)),
    _named("abs_d_sens_spec", "Difference of sensitivity and specificity", "spequalse", better="lower", rises=None,
           free=True, needs="PN", fold=Fold("absolute", _SENS_MINUS_SPEC),
           ratio=lambda c: (absolute(c.tp * c.neg - c.tn * c.pos), c.pos * c.neg)),
    _named("sum_ppv_npv", "PPV plus NPV", "maxsumnpvppv", bounds=(0.0, 2.0),
           ratio=lambda c: (c.tp * c.rest + c.tn * c.called, c.called * c.rest)),
    _named("prod_ppv_npv", "PPV times NPV", "maxprodnpvppv", ratio=lambda c: (c.tp * c.tn, c.called * c.rest)),
    _named("min_ppv_npv", "Smaller of PPV and NPV", "maxnpvppv",
           ratio=lambda c: (least(c.tp * c.rest, c.tn * c.called), c.called * c.rest)),
    _named("abs_d_ppv_npv", "Difference of PPV and NPV", "npvequalppv", better="lower", rises=None,
           fold=Fold("absolute", _PPV_MINUS_NPV),
           ratio=lambda c: (absolute(c.tp * c.rest - c.tn * c.called), c.called * c.rest)),
    _named("closest_corner", "Distance to the ROC corner", "roc01 topleft top_left distance_to_corner", better="lower",
           free=True, needs="PN", bounds=(0.0, math.sqrt(2.0)), root=True,
           ratio=lambda c: ((c.fn * c.neg) * (c.fn * c.neg) + (c.fp * c.pos) * (c.fp * c.pos),
                            (c.pos * c.neg) * (c.pos * c.neg))),
    _named("squared_corner", "Squared distance to the ROC corner", "closest_topleft", better="lower", free=True,
           needs="PN", bounds=(0.0, 2.0),
           ratio=lambda c: ((c.fn * c.neg) * (c.fn * c.neg) + (c.fp * c.pos) * (c.fp * c.pos),
                            (c.pos * c.neg) * (c.pos * c.neg))),
    _named("squared_predictive_corner", "Squared distance to PPV = NPV = 1", "proc01", better="lower",
           bounds=(0.0, 2.0),
           ratio=lambda c: ((c.fp * c.rest) * (c.fp * c.rest) + (c.fn * c.called) * (c.fn * c.called),
                            (c.called * c.rest) * (c.called * c.rest))),
    _named("p4", "P4", "p4_score", ratio=_p4),
    _named("equitable_threat", "Equitable threat score", "ets equitable_threat_score gilbert_skill_score",
           bounds=(-1.0 / 3.0, 1.0), ratio=lambda c: (c.cross, c.cross + c.total * (c.fp + c.fn))),
    _named("largest_error_rate", "Larger of both error proportions", "minimax", better="lower",
           ratio=lambda c: (-least(-c.fp, -c.fn), c.total)),
    _named("abs_d_alert_rate_prevalence", "Difference of alert rate and prevalence", "prevalencematching",
           better="lower", rises=None, fold=Fold("absolute", _CALLED_MINUS_POS),
           ratio=lambda c: (absolute(c.fp - c.fn), c.total)),
)  # fmt: skip


def _whole(value: float) -> tuple[int, int]:
    share = as_written(value)
    return share.numerator, share.denominator


def _option(value: object, name: str, low: float, high: float, hint: str) -> float:
    number = check_number(value, name)
    if not low <= number <= high:
        raise InvalidInputError(f"`{name}` must be between {low:g} and {high:g}; got {show(value)}. Hint: {hint}")
    if 0.0 < abs(number) < _LEAST:
        raise InvalidInputError(f"`{name}` must be 0 or at least {_LEAST:g} from it; got {show(value)}. Hint: use 0.")
    return number


def f_beta(*, beta: float = 1.0) -> CellMetric:
    """F-beta: recall counts `beta` times as much as precision."""
    weight = _option(beta, "beta", 1e-6, 1e6, "1 weighs recall and precision alike.")
    p, q = (part**2 for part in _whole(weight))
    return _named(
        "f_beta", f"F{weight:g}", "", options={"beta": weight},
        ratio=lambda c: ((p + q) * c.tp, (p + q) * c.tp + q * c.fp + p * c.fn),
        share=(("tp",), ("fp", "fn")) if p == q else None,
    )  # fmt: skip


def kappa_r(*, r: float = 0.5) -> CellMetric:
    """Kraemer's weighted kappa: a share `r` of the cost is that of missed positives; 0.5 is Cohen's kappa."""
    weight = _option(r, "r", 0.0, 1.0, "0.5 gives Cohen's kappa.")
    p, q = _whole(weight)
    return _named(
        "kappa_r", f"Weighted kappa (r = {weight:g})", "", options={"r": weight}, bounds=(-math.inf, 1.0),
        ratio=lambda c: (q * c.cross, p * c.pos * c.rest + (q - p) * c.called * c.neg),
    )  # fmt: skip


def net_benefit(*, threshold_probability: float) -> CellMetric:
    """Net benefit: true positives less false positives times the odds of the threshold probability, per row."""
    share = _option(threshold_probability, "threshold_probability", 0.0, 1.0 - 1e-12, "0.2 weighs 4 misses as 1 alarm.")
    p, q = _whole(share)
    return _named(
        "net_benefit", f"Net benefit at {share:g}", "", options={"threshold_probability": share},
        bounds=(-p / (q - p), 1.0), ratio=lambda c: ((q - p) * c.tp - p * c.fp, (q - p) * c.total),
    )  # fmt: skip


def cost(*, cost_fp: float = 1.0, cost_fn: float = 1.0) -> CellMetric:
    """Mean cost per row of false positives and false negatives."""
    given, hint = {"cost_fp": cost_fp, "cost_fn": cost_fn}, "a negative cost is a gain; use utility."
    if cost_fp == 0 and cost_fn == 0:
        raise InvalidInputError(
            "`cost_fp` and `cost_fn` must not both be 0; got 0 and 0. Hint: only their ratio decides, so give 1 and 5."
        )
    each = {name: _option(one, name, 0.0, 1e12, hint) for name, one in given.items()}
    (a, m), (b, n) = (_whole(one) for one in each.values())
    return _named(
        "cost", "Mean cost", "", options=each, bounds=(0.0, max(each.values())), better="lower",
        ratio=lambda c: (a * n * c.fp + b * m * c.fn, m * n * c.total),
    )  # fmt: skip


def utility(
    *, utility_tp: float = 0.0, utility_fp: float = 0.0, utility_fn: float = 0.0, utility_tn: float = 0.0
) -> CellMetric:
    """Mean utility per row, from the utility of each of the four outcomes."""
    given = {"utility_tp": utility_tp, "utility_fp": utility_fp, "utility_fn": utility_fn, "utility_tn": utility_tn}
    hint = "rescale the utilities; only their ratios matter for decisions."
    each = {name: _option(one, name, -1e12, 1e12, hint) for name, one in given.items()}
    if not any(each.values()):
        raise InvalidInputError(
            "`utility_tp`, `utility_fp`, `utility_fn` or `utility_tn` must not be 0; got none. "
            "Hint: utility_tp=1, utility_fp=-0.2, for instance."
        )
    shares = [as_written(one) for one in each.values()]
    below = math.lcm(*(share.denominator for share in shares))
    u = [int(share * below) for share in shares]
    return _named(
        "utility", "Mean utility", "", options=each, bounds=(min(each.values()), max(each.values())),
        rises=_HIGHER if u[0] >= u[2] and u[3] >= u[1] else None,
        ratio=lambda c: (u[0] * c.tp + u[1] * c.fp + u[2] * c.fn + u[3] * c.tn, below * c.total),
    )  # fmt: skip


def iba(*, alpha: float = 0.1) -> CellMetric:
    """Index of balanced accuracy: sensitivity times specificity, tilted by `alpha` times their difference."""
    weight = _option(alpha, "alpha", 0.0, 1.0, "0.1 is the usual choice.")
    p, q = _whole(weight)
    return _named(
        "iba", f"Index of balanced accuracy (alpha = {weight:g})", "", options={"alpha": weight}, free=True, needs="PN",
        bounds=(0.0, 1.0 + weight), rises=_HIGHER if 2 * p <= q else None,
        ratio=lambda c: (
            (c.tp * c.tn) * (q * c.pos * c.neg + p * (c.tp * c.neg - c.tn * c.pos)),
            q * (c.pos * c.neg) * (c.pos * c.neg),
        ),
    )  # fmt: skip


_FACTORIES: dict[str, tuple[Callable[..., CellMetric], str]] = {
    "f_beta": (f_beta, "f fbeta fbeta_score f_measure f_meas f_score fscore"),
    "kappa_r": (kappa_r, "weighted_kappa kraemer_kappa"),
    "net_benefit": (net_benefit, "nb"),
    "cost": (cost, "misclassification_cost mct expected_cost"),
    "utility": (utility, "total_utility"),
    "iba": (iba, "index_balanced_accuracy make_index_balanced_accuracy"),
}
CATALOGUE: dict[str, Callable[..., CellMetric]] = {
    **{row.name: lambda row=row: row for row in _ROWS},
    **{name: factory for name, (factory, _) in _FACTORIES.items()},
}
_NAMES = {alias: row.name for row in _ROWS for alias in (row.name, *row.aliases)} | {
    alias: name for name, (_, aliases) in _FACTORIES.items() for alias in (name, *aliases.split())
}
_F_OF = re.compile(r"f_?(\d+(?:\.\d+)?)(?:[_ -](?:score|measure))?")


def names() -> tuple[str, ...]:
    """Return the names of all metrics of the confusion matrix."""
    return tuple(CATALOGUE)


def canonical(name: str) -> tuple[str, dict[str, Any]] | None:
    """Return the name of the metric that a name of any library means, and the options it sets; None if unknown."""
    folded = re.sub(r"[-. ]+", "_", name.strip().lower())
    beta = _F_OF.fullmatch(name.strip().lower())
    if beta is not None:
        return "f_beta", {"beta": float(beta[1])}
    return (_NAMES[folded], {}) if folded in _NAMES else None


def options_of(name: str) -> tuple[str, ...]:
    """Return the options that a metric of the catalogue takes."""
    factory = CATALOGUE[name]
    return () if factory.__name__ == "<lambda>" else tuple(inspect.signature(factory).parameters)


def find(name: str, **options: Any) -> CellMetric:
    """Return the metric that a name means, with its options; names of other libraries are known."""
    found = canonical(name)
    if found is None:
        raise InvalidInputError(
            f"`metric` must be a metric of the confusion matrix; got {show(name)}.{did_you_mean(name, _NAMES)}"
        )
    own, preset = found
    known = options_of(own)
    for option in options:
        if option not in known:
            listed = ", ".join(f"`{one}`" for one in known) or "no options"
            raise InvalidInputError(f"{own!r} takes {listed}; got `{option}`. Hint: leave it out.")
    if own == "net_benefit" and not options:
        raise InvalidInputError("'net_benefit' needs `threshold_probability`; got none. Hint: pass 0.2, for instance.")
    return CATALOGUE[own](**(preset | options))
