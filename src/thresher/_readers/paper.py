"""A reader study in sentences for a paper."""

from __future__ import annotations

import math
from typing import Any

from thresher.measures import Measure, RocAuc

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COVARIANCE = {
    "influence": "from influence values of the cases",
    "unbiased": "by the unbiased estimate",
    "jackknife": "by the jackknife over cases",
    "bootstrap": "by resampling cases",
}
_CREDIT = {"influence": "DeLong et al. 1988", "unbiased": "Gallas 2006"}
_SOURCES = {
    "OR": "Obuchowski NA, Rockette HE. Commun Stat Simul Comput 1995;24:285-308. doi:10.1080/03610919508813243",
    "H": "Hillis SL. Stat Med 2007;26:596-619. doi:10.1002/sim.2532",
    "influence": "DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595",
    "unbiased": "Gallas BD. Acad Radiol 2006;13:353-362. doi:10.1016/j.acra.2005.11.030",
}


def paragraphs(found: Any) -> str:
    """Return the methods, the results and the publications, a paragraph each."""
    return "\n\n".join((_methods(found), _results(found), _sources(found)))


def _plural(number: int, one: str, many: str) -> str:
    """Return a number with its noun; up to twelve as a word."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"
    return f"{word} {one if number == 1 else many}"


def _methods(found: Any) -> str:
    """Return what was done."""
    modalities = len(found.means)
    who = _plural(found.n_readers, "reader", "readers")
    head = (
        f"{who[0].upper()}{who[1:]} read {found.n_cases:,} cases ({found.n_pos:,} positive, {found.n_neg:,} negative) "
        f"in {_plural(modalities, 'modality', 'modalities')}"
    )
    design = {
        "crossed": "every reader read in every modality" if modalities > 1 else "",
        "nested": "each reader read in one modality",
        "incomplete": "not every reader read in every modality",
    }[found.design]
    about = {
        (True, True): "readers and cases were taken as random samples, so conclusions are about readers and cases in "
        "general",
        (False, True): "cases were taken as a random sample and readers as fixed, so conclusions are about these "
        "readers",
        (True, False): "readers were taken as a random sample and cases as fixed, so conclusions are about these cases",
    }[found.random_readers, found.random_cases]
    degrees = " with the degrees of freedom of Hillis (2007)" if found.random_readers and found.random_cases else ""
    cases = found.case_design.replace("reads", "read").replace("has cases", "had cases")
    if cases.startswith("every") and found.design == "crossed":
        shown = cases + (" in both" if modalities == 2 else " in each" if modalities > 2 else "")
    else:
        shown = ", and ".join(part for part in (design, cases) if part)
    credit = f" ({_CREDIT[found.covariance]})" if _has_credit(found) else ""
    return (
        f"{head}: {shown}. The metric was {_metric(found.measure)}. It was "
        f"analysed by the method of Obuchowski and Rockette (1995){degrees}; {about}. Covariances over cases were "
        f"estimated {_COVARIANCE[found.covariance]}{credit}. Intervals have level {100 * found.confidence_level:g}%."
    )


def _metric(measure: Measure) -> str:
    """Return the metric as a sentence names it, with its options."""
    label = measure.label or measure.described()
    label = label[0].lower() + label[1:] if label[:1].isupper() and not label[1:2].isupper() else label
    shown = measure.described().partition(" (")[2]
    return f"{label} ({shown}" if shown else label


def _results(found: Any) -> str:
    """Return means, the test of all modalities, and differences."""
    level = f"{100 * found.confidence_level:g}% interval"
    means = "; ".join(
        f"{one.modality} {one.estimate:.3f} ({level} {one.low:.3f} to {one.high:.3f})" for one in found.means
    )
    lines = [f"Means over readers were: {means}."]
    if found.omnibus is not None and len(found.differences) > 1:
        test = found.omnibus
        law = f"chi squared {test.statistic:.2f} on {test.df1}" if math.isinf(test.df2) else (
            f"F {test.statistic:.2f} on {test.df1} and {test.df2:.1f}"
        )  # fmt: skip
        lines.append(f"The test of equal modalities gave p {_p(test.pvalue)} ({law} degrees of freedom).")
    for one in found.differences:
        law = "" if math.isinf(one.df) else f", {one.df:.1f} degrees of freedom"
        lines.append(
            f"The difference {one.a} minus {one.b} was {one.difference:.3f} ({level} {one.low:.3f} to {one.high:.3f}, "
            f"p {_p(one.pvalue)}{law})."
        )
    return " ".join(lines)


def _has_credit(found: Any) -> bool:
    """Return whether the covariance has a publication: DeLong's and Gallas' are of ROC areas."""
    return found.covariance in _CREDIT and isinstance(found.measure, RocAuc)


def _p(pvalue: float) -> str:
    """Return a p value as journals write it."""
    return "< 0.001" if pvalue < 0.0005 else f"= {pvalue:.3f}"


def _sources(found: Any) -> str:
    """Return the publications of the methods, a line each."""
    keys = ["OR", *(["H"] if found.random_readers and found.random_cases else [])]
    if _has_credit(found):
        keys.append(found.covariance)
    return "\n".join(_SOURCES[key] for key in keys)
