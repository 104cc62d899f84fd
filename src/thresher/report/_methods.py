"""The text for a paper: what was computed, how, from which publications, with which settings."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from thresher.report._data import Model, Reference
from thresher.report._words import listed, number, percent

__all__ = ["methods_of", "references_of", "settings_of"]

_REFERENCES = {
    "Bamber 1975": (
        "D. Bamber (1975). The area above the ordinal dominance graph and the area below the receiver operating "
        "characteristic graph. Journal of Mathematical Psychology 12.",
        "https://doi.org/10.1016/0022-2496(75)90001-2",
    ),
    "Boyd et al. 2012": (
        "K. Boyd, V. Santos Costa, J. Davis and D. Page (2012). Unachievable region in precision-recall space and its "
        "effect on empirical evaluation. ICML.",
        None,
    ),
    "Davis and Goadrich 2006": (
        "J. Davis and M. Goadrich (2006). The relationship between precision-recall and ROC curves. ICML.",
        "https://doi.org/10.1145/1143844.1143874",
    ),
    "DeLong et al. 1988": (
        "E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988). Comparing the areas under two or more correlated "
        "receiver operating characteristic curves. Biometrics 44.",
        "https://doi.org/10.2307/2531595",
    ),
    "Boyd et al. 2013": (
        "K. Boyd, K. H. Eng and C. D. Page (2013). Area under the precision-recall curve: point estimates and "
        "confidence intervals. ECML PKDD.",
        "https://doi.org/10.1007/978-3-642-40994-3_29",
    ),
    "Hughes-Oliver 2018": (
        "J. M. Hughes-Oliver (2018). Population and empirical PR curves for assessment of ranking algorithms.",
        None,
    ),
    "McClish 1989": (
        "D. K. McClish (1989). Analyzing a portion of the ROC curve. Medical Decision Making 9.",
        "https://doi.org/10.1177/0272989X8900900307",
    ),
    "Provost and Fawcett 2001": (
        "F. Provost and T. Fawcett (2001). Robust classification for imprecise environments. Machine Learning 42.",
        "https://doi.org/10.1023/A:1007601015854",
    ),
}

_METHOD_SOURCES = {
    "delong": "DeLong et al. 1988",
    "delong-logit": "DeLong et al. 1988",
    "bamber": "Bamber 1975",
    "logit": "Boyd et al. 2013",
    "binomial": "Boyd et al. 2013",
    "asymptotic": "Hughes-Oliver 2018",
}


def methods_of(models: list[Model], confidence_level: float) -> list[str]:
    """Return the paragraphs; keys of references stand in parentheses."""
    first = models[0]
    same = len({(model.n_pos, model.n_neg) for model in models}) == 1
    total = first.n_pos + first.n_neg
    if same:
        data = (
            f"Scores of {number(total)} cases, {number(first.n_pos)} of them positive ({percent(first.prevalence)}), were "
            "reduced to their distinct values with the positives and negatives at each."
        )
    else:
        data = "The scores of each model were reduced to their distinct values with the positives and negatives at each."
    paragraphs = [
        f"{data} A case is called positive when its score is at least the threshold; tied scores form one operating "
        "point.",
        "ROC and precision-recall curves are two views of the same confusion matrices (Davis and Goadrich 2006). Between "
        "two thresholds the expected counts of a random choice between them were used, which is a straight line in ROC "
        "space and a hyperbola in precision-recall space.",
        "AUC-ROC is the share of pairs of a positive and a negative in which the positive scores higher, ties counting "
        "one half (Bamber 1975). The area up to a false positive rate of 0.1 is standardized (McClish 1989). AUC-PR is "
        "the exact integral of the interpolated curve (Davis and Goadrich 2006); average precision, the trapezoid rule "
        "and the functional estimator (Hughes-Oliver 2018) are given for comparison. The achievable curve is the ROC "
        "convex hull (Provost and Fawcett 2001) in precision-recall space, built on the data shown.",
    ]
    paragraphs += _interval_text(models, confidence_level)
    paragraphs.append(
        "Precision at another prevalence was computed from the same true and false positive rates, which assumes that the "
        "distribution of scores within each class stays the same. The region below the lowest possible precision is that "
        "of Boyd et al. 2012. For given costs of a miss and of a false alarm the threshold of lowest expected cost is a "
        "vertex of the convex hull (Provost and Fawcett 2001)."
    )
    return paragraphs


def _interval_text(models: list[Model], confidence_level: float) -> list[str]:
    used = _methods_used(models)
    bands = [band for model in models for band in (model.roc_band, model.pr_band) if band is not None]
    out = []
    if used:
        named = [f"{name} ({_METHOD_SOURCES[name]})" if name in _METHOD_SOURCES else name for name in used]
        out.append(f"Confidence intervals at level {confidence_level:g} are by the methods {listed(named)}.")
    if bands:
        kinds = sorted({("simultaneous " if band.simultaneous else "pointwise ") + band.method for band in bands})
        out.append(f"Bands around the curves at level {bands[0].confidence_level:g} are {listed(kinds)}.")
    return [" ".join(out)] if out else []


def _methods_used(models: list[Model]) -> list[str]:
    return sorted({area.method for model in models for area in model.areas.values() if area.method})


def references_of(paragraphs: list[str]) -> list[Reference]:
    """Return the publications that the text cites."""
    text = " ".join(paragraphs)
    return [Reference(key, *_REFERENCES[key]) for key in sorted(_REFERENCES) if key in text]


def settings_of(
    models: list[Model], *, confidence_level: float, max_points: int, extra: dict[str, str]
) -> dict[str, str]:
    """Return every setting behind the numbers, by name."""
    used = _methods_used(models)
    out = {
        "confidence level": f"{confidence_level:g}",
        "interval methods": ", ".join(used) if used else "none",
        "points drawn per curve": f"at most {max_points:,}, and every vertex of the hull",
        **extra,
    }
    for package in ("thresher", "numpy"):
        try:
            out[package] = version(package)
        except PackageNotFoundError:
            out[package] = np.__version__ if package == "numpy" else "not installed"
    out["Python"] = platform.python_version()
    out["created"] = _today()
    return out


def _today() -> str:
    """Return the day, or the one that builds reproducible to the byte ask for."""
    stamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(stamp), UTC) if stamp.isdigit() else datetime.now(UTC)
    return now.strftime("%Y-%m-%d")
