"""The text for a paper: what was computed, how, from which publications, with which settings."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from thresher._report.plain_data import Model, Reference
from thresher._report.ranking import cases_text, same_cases
from thresher._report.uncertainty import Uncertainty
from thresher._report.words import listed, method_words, metric_words

_REFERENCES = {
    "Bamber 1975": (
        "D. Bamber (1975). The area above the ordinal dominance graph and the area below the receiver operating "
        "characteristic graph. Journal of Mathematical Psychology 12. "
        "https://doi.org/10.1016/0022-2496(75)90001-2"
    ),
    "Boyd et al. 2012": (
        "K. Boyd, V. Santos Costa, J. Davis and D. Page (2012). Unachievable region in precision-recall space and its "
        "effect on empirical evaluation. ICML."
    ),
    "Boyd et al. 2013": (
        "K. Boyd, K. H. Eng and C. D. Page (2013). Area under the precision-recall curve: point estimates and "
        "confidence intervals. ECML PKDD. "
        "https://doi.org/10.1007/978-3-642-40994-3_29"
    ),
    "Donner and Zou 2012": (
        "A. Donner and G. Y. Zou (2012). Closed-form confidence intervals for functions of the normal mean and "
        "standard deviation. Statistical Methods in Medical Research 21. "
        "https://doi.org/10.1177/0962280210383082"
    ),
    "Davis and Goadrich 2006": (
        "J. Davis and M. Goadrich (2006). The relationship between precision-recall and ROC curves. ICML. "
        "https://doi.org/10.1145/1143844.1143874"
    ),
    "DeLong et al. 1988": (
        "E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988). Comparing the areas under two or more correlated "
        "receiver operating characteristic curves. Biometrics 44. "
        "https://doi.org/10.2307/2531595"
    ),
    "Efron 1987": (
        "B. Efron (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82. "
        "https://doi.org/10.1080/01621459.1987.10478410"
    ),
    "Hanley and McNeil 1982": (
        "J. A. Hanley and B. J. McNeil (1982). The meaning and use of the area under a receiver operating "
        "characteristic (ROC) curve. Radiology 143. "
        "https://doi.org/10.1148/radiology.143.1.7063747"
    ),
    "Hughes-Oliver 2018": (
        "J. M. Hughes-Oliver (2018). Population and empirical PR curves for assessment of ranking algorithms."
    ),
    "McClish 1989": (
        "D. K. McClish (1989). Analyzing a portion of the ROC curve. Medical Decision Making 9. "
        "https://doi.org/10.1177/0272989X8900900307"
    ),
    "Newcombe 2006": (
        "R. G. Newcombe (2006). Confidence intervals for an effect size measure based on the Mann-Whitney statistic. "
        "Part 2. Statistics in Medicine 25. "
        "https://doi.org/10.1002/sim.2324"
    ),
    "Obuchowski 1997": (
        "N. A. Obuchowski (1997). Nonparametric analysis of clustered ROC curve data. Biometrics 53. "
        "https://doi.org/10.2307/2533958"
    ),
    "Hoeffding 1963": (
        "W. Hoeffding (1963). Probability inequalities for sums of bounded random variables. JASA 58. "
        "https://doi.org/10.1080/01621459.1963.10500830"
    ),
    "Rubin 1981": (
        "D. B. Rubin (1981). The Bayesian bootstrap. Annals of Statistics 9. https://doi.org/10.1214/aos/1176345338"
    ),
    "Provost and Fawcett 2001": (
        "F. Provost and T. Fawcett (2001). Robust classification for imprecise environments. Machine Learning 42. "
        "https://doi.org/10.1023/A:1007601015854"
    ),
}
"""The text of each, with its address behind it."""

METHOD_SOURCES = {
    "bayes": "Rubin 1981",
    "exact": "Hoeffding 1963",
    "delong": "DeLong et al. 1988",
    "delong-t": "DeLong et al. 1988",
    "delong-logit": "DeLong et al. 1988",
    "bamber": "Bamber 1975",
    "bootstrap": "Efron 1987",
    "hanley-mcneil": "Hanley and McNeil 1982",
    "newcombe": "Newcombe 2006",
    "logit-boyd": "Boyd et al. 2013",
    "binomial": "Boyd et al. 2013",
    "asymptotic": "Hughes-Oliver 2018",
}
"""The publication behind each method of an interval."""


def references_of(paragraphs: list[str]) -> list[Reference]:
    """Return the publications that the text cites."""
    text = " ".join(paragraphs)
    return [_reference(key) for key in sorted(_REFERENCES) if key in text]


def _reference(key: str) -> Reference:
    text, space, address = _REFERENCES[key].partition(" https:")
    return Reference(key, text, f"https:{address}" if space else None)


_CURVES = (
    "ROC and precision-recall curves are two views of the same confusion matrices (Davis and Goadrich 2006). "
    "Between two thresholds the expected counts of a random choice between them were used: a straight line in ROC "
    "space and a hyperbola in precision-recall space."
)
_AREAS = (
    "ROC AUC is the proportion of pairs of a positive and a negative in which the positive scores higher, "
    "ties counting one half (Bamber 1975). The area up to a false positive rate of 0.1 is standardized (McClish 1989). "
    "PR AUC is the exact integral of the interpolated curve (Davis and Goadrich 2006); average precision, the "
    "trapezoid rule and the functional estimator (Hughes-Oliver 2018) are given for comparison. The achievable "
    "curve is the ROC convex hull (Provost and Fawcett 2001) in precision-recall space, built on the data shown."
)
_POINT = (
    "At a threshold, proportions have Clopper-Pearson limits with three quarters of a case instead of a whole one; "
    "predictive values at another prevalence join the limits of both rates (Donner and Zou 2012); so do Youden's J "
    "and, at another prevalence, F1 and alert rate, from Jeffreys limits. They hold for a threshold that was chosen on "
    "other data."
)
_ELSEWHERE = (
    "Precision at another prevalence was computed from the same true and false positive rates, which assumes that "
    "the distribution of scores within each class stays the same. The region below the lowest possible precision "
    "is that of Boyd et al. 2012. For given costs of a miss and of a false alarm the threshold of lowest expected "
    "cost is a vertex of the convex hull (Provost and Fawcett 2001)."
)


def methods_of(models: list[Model], confidence_level: float, comparison: dict[str, str]) -> list[str]:
    """Return the paragraphs; keys of references stand in parentheses."""
    first = models[0]
    if same_cases(models):
        data = (
            f"The data are {cases_text(first)}. Scores were reduced to their distinct values with the "
            f"{'weight of the ' if first.weighted else ''}positives and negatives at each."
        )
    else:
        data = "The scores of each model were reduced to distinct values with the positives and negatives at each."
    return [
        f"{data} A case is predicted positive when its score is at least the threshold; tied scores form one point.",
        *dict.fromkeys(model.sampling for model in models if model.sampling),
        _CURVES,
        _AREAS,
        *_interval_text(models, confidence_level),
        *_comparison_text(comparison),
        _ELSEWHERE,
    ]


def _interval_text(models: list[Model], confidence_level: float) -> list[str]:
    used = _methods_used(models)
    bands = [band for model in models for band in (model.roc_band, model.pr_band) if band is not None]
    out = []
    if used:
        named = [method_words(name) + (f" ({METHOD_SOURCES[name]})" if name in METHOD_SOURCES else "") for name in used]
        kind = "method" if len(named) == 1 else "methods"
        out.append(f"{_level(confidence_level)} intervals of areas are by the {kind} {listed(named)}.")
    if bands:
        kinds = sorted(
            {("simultaneous: " if band.simultaneous else "pointwise: ") + method_words(band.method) for band in bands}
        )
        out.append(f"{_level(bands[0].confidence_level)} bands around the curves are {listed(kinds)}.")
    if any(model.worth is not False for model in models):
        out.append(_POINT)
    return [" ".join(out)] if out else []


def _level(level: float) -> str:
    """Return a confidence level in percent."""
    return f"{float(f'{100 * level:.6g}'):g}%"


def _comparison_text(comparison: dict[str, str]) -> list[str]:
    if not comparison:
        return []
    source = " (DeLong et al. 1988)" if comparison["method"].startswith("delong") else ""
    text = (
        f"Differences of {metric_words(comparison['metric'])} between models on the same cases were tested by the "
        f"method {method_words(comparison['method'])}{source}, {comparison['alternative']}; p-values are adjusted for "
        "all pairs by Holm's method. Differences at the same recall, precision or number of alerts have normal "
        "intervals from the predictions of both models on the same cases; what moves each threshold enters by the "
        "secant of its curve over the interval of the rate that is held equal."
    )
    return [text]


def _methods_used(models: list[Model]) -> list[str]:
    return sorted({area.method for model in models for area in model.areas.values() if area.method})


def settings_of(
    models: list[Model], uncertainty: Uncertainty, *, max_points: int, comparison: dict[str, str]
) -> dict[str, str]:
    """Return every setting behind the numbers, by name."""
    used = [method_words(name) for name in _methods_used(models)]
    bands = sorted(
        {method_words(band.method) for model in models for band in (model.roc_band, model.pr_band) if band is not None}
    )
    out = {
        "confidence level": f"{uncertainty.confidence_level:g}",
        "interval methods": ", ".join(used) if used else "none",
        "bands": ", ".join(bands) + (", simultaneous" if uncertainty.simultaneous else ", pointwise"),
    }
    if uncertainty.resamples:
        out["resamples"] = f"{uncertainty.n_resamples:,}"
        out["seed"] = "none given" if uncertainty.rng is None else str(uncertainty.rng)
    if comparison:
        how = (metric_words(comparison["metric"]), method_words(comparison["method"]), comparison["alternative"])
        out["comparison"] = ", ".join(how)
    out["points drawn per curve"] = f"at most {max_points:,}, and every vertex of the hull"
    out["thresher"] = settings_version()
    out["numpy"] = np.__version__
    out["Python"] = platform.python_version()
    out["created"] = _today()
    return out


def settings_version() -> str:
    """Return the version that made the page."""
    try:
        return version("thresher")
    except PackageNotFoundError:
        return "not installed"


def _today() -> str:
    """Return the day, or the one that builds reproducible to the byte ask for."""
    stamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(stamp), UTC) if stamp.isdigit() else datetime.now(UTC)
    return now.strftime("%Y-%m-%d")
