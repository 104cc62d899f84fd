"""Names that people try first: an unknown attribute is answered with the one that was probably meant."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from thresher._core.checks import did_you_mean

__all__ = ["Guessed"]

_INTERVAL, _AREAS = "confidence_interval()", ("roc_auc()", "auc", "area()", "area", "value")
_ENDS = (_INTERVAL, "low", f"roc_auc().{_INTERVAL}")
# What a name may mean, the likeliest first: the first of these that an object has is its hint.
_MEANT: dict[str, tuple[str, ...]] = {
    "alpha": ("confidence_level",),
    "ap": ('pr_auc(estimator="average_precision")',),
    "aupr": ("pr_auc()",),
    "auprc": ("pr_auc()",),
    "auc": _AREAS,
    "auroc": _AREAS,
    "average_precision": ('pr_auc(estimator="average_precision")',),
    "ci": _ENDS,
    "ci_high": ("high", f"{_INTERVAL}.high"),
    "ci_low": ("low", f"{_INTERVAL}.low"),
    "conf_int": _ENDS,
    "confint": _ENDS,
    "cutoff": ("threshold", "point.threshold", "choose_threshold()", "thresholds"),
    "dataframe": ("to_frame()",),
    "estimate": ("value",),
    "frame": ("to_frame()",),
    "high": (f"{_INTERVAL}.high",),
    "hi": ("high", f"{_INTERVAL}.high"),
    "interval": _ENDS,
    "level": ("confidence_level",),
    "lo": ("low", f"{_INTERVAL}.low"),
    "low": (f"{_INTERVAL}.low",),
    "lower": ("low", f"{_INTERVAL}.low"),
    "p": ("pvalue",),
    "p_value": ("pvalue",),
    "point_estimate": ("value",),
    "pr_curve": ("pr()",),
    "precision_recall_curve": ("pr()",),
    "roc_curve": ("roc()",),
    "score": ("value",),
    "se": ("standard_error()", "standard_error"),
    "sem": ("standard_error()", "standard_error"),
    "std": ("standard_error()", "standard_error"),
    "std_error": ("standard_error()", "standard_error"),
    "stderr": ("standard_error()", "standard_error"),
    "threshold": ("point.threshold", "choose_threshold()", "thresholds"),
    "to_dataframe": ("to_frame()",),
    "to_pandas": ('to_frame("pandas")',),
    "to_polars": ('to_frame("polars")',),
    "upper": ("high", f"{_INTERVAL}.high"),
}


class Guessed:
    """An object whose unknown attributes are answered with a hint.

    Examples
    --------
    >>> import thresher as th
    >>> area = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
    >>> area.low
    Traceback (most recent call last):
        ...
    AttributeError: 'Estimate' object has no attribute 'low'. Hint: it is `confidence_interval().low`.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # to a type checker an unknown name is an error

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # which says why it is not there
            said = f"{type(self).__name__!r} object has no attribute {name!r}.{self._hint(name)}"
            raise AttributeError(said, name=name, obj=self)

    def _hint(self, name: str) -> str:
        """Return a hint with the attribute that was probably meant, behind a space."""
        known = _attributes(type(self))
        for meant in _MEANT.get(name.lower(), ()):
            first = meant.partition(".")[0].partition("(")[0]
            if first in known:
                return f" Hint: it is `{meant}`."
        return self._own_hint(name) or did_you_mean(name, known)

    def _own_hint(self, name: str) -> str:
        """Return what a class knows beside the table."""
        del name
        return ""


def _attributes(cls: type[Any]) -> Iterable[str]:
    """Return the public attributes that the objects of a class have."""
    parts = (*getattr(cls, "_parts", ()), *inspect.get_annotations(cls))
    return [name for name in dict.fromkeys((*dir(cls), *parts)) if not name.startswith("_")]
