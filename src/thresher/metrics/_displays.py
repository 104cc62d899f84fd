"""scikit-learn's displays, to the letter: its own classes, with thresher's counting inside.

Constructors, arguments, drawings, warnings and errors differ between versions of scikit-learn, so nothing of them is
written again here: methods that count are run with thresher's functions under the names by which they call
scikit-learn's.
"""

from __future__ import annotations

import inspect
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

from sklearn import metrics

from thresher._core.device import in_main_memory, is_on_device
from thresher.metrics._area_scores import auc, average_precision_score
from thresher.metrics._curve_functions import det_curve, precision_recall_curve, roc_curve

_OURS: dict[str, Any] = {
    one.__name__: one for one in (auc, average_precision_score, det_curve, precision_recall_curve, roc_curve)
}

C = TypeVar("C", bound=type)


def _counted_here(cls: C) -> C:
    """Give a subclass of a display those of its methods that count, with thresher's functions in them."""
    for name, found in vars(cls.__mro__[1]).items():
        function = getattr(found, "__func__", found)
        if not isinstance(function, FunctionType) or not _OURS.keys() & set(function.__code__.co_names):
            continue
        ours = FunctionType(
            function.__code__, {**function.__globals__, **_OURS}, name, function.__defaults__, function.__closure__
        )
        ours.__kwdefaults__ = function.__kwdefaults__
        ours.__doc__ = function.__doc__
        ours.__qualname__ = f"{cls.__qualname__}.{name}"
        if name == "from_predictions":
            ours = _drawn_in_main_memory(ours)
        setattr(cls, name, classmethod(ours) if isinstance(found, classmethod) else ours)
    return cls


def _drawn_in_main_memory(function: Any) -> Any:
    """Return the method with arrays of devices brought over first, in one go: what is drawn is in main memory."""
    names = list(inspect.signature(function).parameters)[1:]

    @wraps(function)
    def from_predictions(cls: type, *args: Any, **options: Any) -> Any:
        there = {
            name: given for name, given in [*zip(names, args, strict=False), *options.items()] if is_on_device(given)
        }
        if there:
            here = dict(zip(there, in_main_memory(f"{cls.__name__}.from_predictions", **there), strict=True))
            args = (*(here.get(name, given) for name, given in zip(names, args, strict=False)), *args[len(names) :])
            options = {name: here.get(name, given) for name, given in options.items()}
        return function(cls, *args, **options)

    return from_predictions


@_counted_here
class RocCurveDisplay(metrics.RocCurveDisplay):  # type: ignore[misc]  # sklearn untyped
    """scikit-learn's drawing of ROC curves, counted by thresher.

    Constructor, `from_estimator`, `from_predictions`, `from_cv_results` and `plot` are those of the scikit-learn that
    is installed. `thresher.plotting.RocCurveDisplay` draws more: bands, operating points, the hull.

    See Also
    --------
    thresher.plotting.RocCurveDisplay : thresher's own.

    Examples
    --------
    >>> from thresher.metrics import RocCurveDisplay
    >>> display = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> float(display.roc_auc)
    0.75
    """


@_counted_here
class PrecisionRecallDisplay(metrics.PrecisionRecallDisplay):  # type: ignore[misc]  # sklearn untyped
    """scikit-learn's drawing of precision-recall curves, counted by thresher.

    Constructor, `from_estimator`, `from_predictions`, `from_cv_results` and `plot` are those of the scikit-learn that
    is installed: steps, and average precision. `thresher.plotting.PrCurveDisplay` interpolates rightly between
    thresholds.

    See Also
    --------
    thresher.plotting.PrCurveDisplay : thresher's own.

    Examples
    --------
    >>> from thresher.metrics import PrecisionRecallDisplay
    >>> display = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(float(display.average_precision), 4)
    0.8333
    """


@_counted_here
class DetCurveDisplay(metrics.DetCurveDisplay):  # type: ignore[misc]  # sklearn untyped
    """scikit-learn's drawing of detection error trade-offs, counted by thresher.

    Constructor, `from_estimator`, `from_predictions` and `plot` are those of the scikit-learn that is installed.

    Examples
    --------
    >>> from thresher.metrics import DetCurveDisplay
    >>> display = DetCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.fnr.round(2).tolist()
    [0.0, 0.5, 0.5]
    """
