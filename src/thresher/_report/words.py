"""Numbers and names as a reader sees them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

_LONGEST = 32
_SIZES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""Rates from which on 3, 4, ... decimals are enough."""
_MOST_DECIMALS = 8
_SLACK = 1e-12  # 1 - 0.9855 is a little less than 0.0145


def clean(name: str) -> str:
    """Return a name that can be written and shown: lone surrogates and control characters are replaced."""
    written = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in written)


def short(name: str, longest: int = _LONGEST) -> str:
    """Return a name cut in its middle, for places that have no room."""
    if len(name) <= longest:
        return name
    head = longest * 2 // 3
    return name[:head] + "…" + name[len(name) - (longest - head - 1) :]


def number(value: float) -> str:
    """Return a count as it is; one that is expected, or a sum of weights, with three significant digits or whole."""
    if float(value).is_integer() or abs(value) >= 100:
        return f"{float(fixed(value, 0)):,.0f}"
    digits = next(digits for digits in (1, 2, 3, 4, 5, 6) if abs(value) >= 10.0 ** (2 - digits) or digits == 6)
    return fixed(value, digits).rstrip("0").rstrip(".")


def fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals, a half rounded up: as the page's script writes it."""
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"


def decimals(value: float, least: int = 3) -> int:
    """Return how many decimals a rate needs: it and its complement have two significant digits then."""
    rare = min(value, 1.0 - value) * (1.0 + 1e-9)
    if rare <= 0.0:
        return least
    needed = next((digits for digits, size in enumerate(_SIZES, start=3) if rare >= size), _MOST_DECIMALS)
    return max(least, needed)


def _rounded(value: float, digits: int) -> str:
    """Return a rate with so many decimals, such that it and its complement add up to 1."""
    if value > 0.5:
        return fixed(1.0 - float(fixed(1.0 - value + _SLACK, digits)), digits)
    return fixed(value + _SLACK, digits)


def percent(share: float) -> str:
    """Return a share in percent: the digits of `rate`, so that both say the same number."""
    digits = decimals(share)
    text = fixed(float(_rounded(share, digits)) * 100, digits - 2)
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def rate(value: float | None, least: int = 3) -> str:
    """Return a rate in [0, 1] with at least so many decimals, and two significant digits of what it lacks to 0 or 1."""
    if value is None or math.isnan(value):
        return "–"
    digits = decimals(value, least)
    text = _rounded(value, digits)
    if text == fixed(1.0, digits) and value < 1:
        return ">" + fixed(1 - 10.0**-digits, digits)
    if text == fixed(0.0, digits) and value > 0:
        return "<" + fixed(10.0**-digits, digits)
    return text


def signed(value: float) -> str:
    """Return a difference with its sign."""
    return f"{value:+.4f}".replace("-", "−")


def pvalue(value: float) -> str:
    """Return a p-value; below one in ten thousand its digits mean nothing."""
    return "< 0.0001" if value < 0.0001 else f"= {value:.2g}"


def threshold(value: float) -> str:
    """Return a threshold with all its digits."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value!r}".removesuffix(".0").replace("-", "−")


def listed(words: Sequence[str]) -> str:
    """Return words as a list with commas and `and`."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


METHOD_WORDS = {
    "bayes": "Bayesian bootstrap",
    "score": "score",
    "exact": "Hoeffding",
    "delong": "DeLong",
    "delong-t": "DeLong with t quantiles",
    "delong-logit": "DeLong on the logit scale",
    "bamber": "Bamber",
    "hanley-mcneil": "Hanley and McNeil",
    "newcombe": "Newcombe",
    "max-variance": "largest variance",
    "logit": "logit",
    "logit-boyd": "logit (Boyd)",
    "binomial": "binomial",
    "asymptotic": "asymptotic",
    "bootstrap": "bootstrap",
    "normal": "normal approximation",
    "permutation": "permutation",
    "mcnemar": "McNemar",
    "venkatraman": "Venkatraman",
    "band": "confidence band",
}
"""How people write the names of methods."""

_METRIC_WORDS = {
    "roc_auc": "ROC AUC",
    "partial_roc_auc": "partial ROC AUC",
    "pr_auc": "PR AUC",
    "interpolated": "PR AUC",
    "average_precision": "average precision",
    "f1": "F1",
    "f2": "F2",
    "mcc": "MCC",
    "npv": "NPV",
    "fpr": "FPR",
    "log_loss": "log loss",
    "brier": "Brier score",
    "youden": "Youden's J",
    "eer": "equal error rate",
    "h_measure": "H measure",
    "recall_at_fpr": "recall at FPR",
    "fpr_at_recall": "FPR at recall",
}


def method_words(name: str) -> str:
    """Return a method as people write it."""
    return METHOD_WORDS.get(name, name.replace("-", " "))


def metric_words(name: str) -> str:
    """Return a metric as people write it; options that stand behind its name stay."""
    plain, mark, options = name.partition(" (")
    return _METRIC_WORDS.get(plain, plain.replace("_", " ")) + mark + options


def figure(value: float) -> str:
    """Return a threshold with four significant digits, for tables."""
    return threshold(value) if math.isinf(value) else f"{value:.4g}".replace("-", "−")


def lift(value: float) -> str:
    """Return a ratio with three significant digits, or whole."""
    return number(value) if value >= 100 else f"{value:#.3g}".removesuffix(".")


def small(value: float) -> str:
    """Return a bound with one significant digit, never as a power of ten."""
    return f"{Decimal(f'{value:.1g}'):f}"


def difference(value: float, limit: bool = False) -> str:
    """Return a difference of counts with its sign; a limit of one is whole from ten on, and has one decimal below."""
    size = abs(value)
    text = number(float(fixed(size, 0 if size >= 10 else 1)) if limit and size >= 0.1 else size)
    return text if text == "0" else ("−" if value < 0 else "+") + text
