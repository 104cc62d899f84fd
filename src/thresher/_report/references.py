"""The publications on which the numbers of a report rest."""

from __future__ import annotations

from thresher._report.plain_data import Reference

__all__ = ["METHOD_SOURCES", "references_of"]

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
