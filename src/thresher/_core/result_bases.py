"""What results have in common: hints for unknown names, arithmetic with their value, `plot`, constructors."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib import import_module
from numbers import Real
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

from thresher._core.checks import did_you_mean

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


def own_constructors(cls: type[Any], *others: str) -> None:
    """Give a class its own copies of an inherited `__init__` and of other constructors, called by its name."""
    for name in ("__init__", *others):
        found = next(vars(base)[name] for base in cls.__mro__ if name in vars(base))
        function = getattr(found, "__func__", found)
        if not isinstance(function, FunctionType) or name in vars(cls):
            continue
        own = FunctionType(function.__code__, function.__globals__, name, function.__defaults__, function.__closure__)
        own.__kwdefaults__, own.__doc__, own.__module__ = function.__kwdefaults__, function.__doc__, cls.__module__
        own.__annotations__ = function.__annotations__
        own.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, own if function is found else type(found)(own))


class Drawn:
    """A curve with a display of its name in `thresher.plotting`."""

    __slots__ = ()
    _display: ClassVar[str] = ""
    """The name of the display, where it is not that of the class."""

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> Any:
        """Draw into matplotlib axes (new ones if none are given), and return the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.
        name : str, optional
            The name in the legend.
        **options
            Options of the display's `plot`, such as `color`.

        Returns
        -------
        display
            One of `thresher.plotting`, with `ax_` and `figure_`.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")  # draws to files only
        >>> import matplotlib.pyplot as plt
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> display = th.Scores(data.y_true, data.tree).roc().plot(name="tree")
        >>> display.ax_.get_ylabel()
        'True positive rate (recall)'
        >>> plt.close(display.figure_)
        """
        plotting = import_module("thresher.plotting")
        bases = [cls.__name__ for cls in type(self).__mro__]
        names = [f"{base}Display" for name in bases for base in (name, name.removesuffix("Curve"))]
        display = next(getattr(plotting, one) for one in (self._display, *names) if hasattr(plotting, one))
        named = {} if name is None else {"name": name}
        return display(self, **named).plot(ax, **options)


class Numeric:
    """A result with a `value`, which it calculates, rounds, is formatted and is ordered by."""

    __slots__ = ()
    value: float

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, ndigits: int | None = None) -> float:
        return round(self.value, ndigits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else repr(self)

    def __add__(self, other: object) -> float:
        return self.value + float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __radd__(self, other: object) -> float:
        return float(other) + self.value if isinstance(other, Real) else NotImplemented

    def __sub__(self, other: object) -> float:
        return self.value - float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rsub__(self, other: object) -> float:
        return float(other) - self.value if isinstance(other, Real) else NotImplemented

    def __mul__(self, other: object) -> float:
        return self.value * float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rmul__(self, other: object) -> float:
        return float(other) * self.value if isinstance(other, Real) else NotImplemented

    def __truediv__(self, other: object) -> float:
        return self.value / float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rtruediv__(self, other: object) -> float:
        return float(other) / self.value if isinstance(other, Real) else NotImplemented

    def __pow__(self, other: object) -> float:
        return self.value ** float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __rpow__(self, other: object) -> float:
        return float(other) ** self.value if isinstance(other, Real) else NotImplemented

    def __neg__(self) -> float:
        return -self.value

    def __abs__(self) -> float:
        return abs(self.value)

    def __lt__(self, other: object) -> bool:
        return self.value < float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.value <= float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.value > float(other) if isinstance(other, Numeric | Real) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.value >= float(other) if isinstance(other, Numeric | Real) else NotImplemented
