"""Metrics of the confusion matrix over all thresholds: against the threshold, the depth, or each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._cells import CATALOGUE, CellMetric, Matrix, at_thresholds, canonical, limits, proportion_bounds
from thresher._core.arrays import frozen
from thresher._core.checks import check_confidence_level, check_number, check_prevalence, did_you_mean, show
from thresher._core.digits import count_text
from thresher._core.presented import Presented, Row
from thresher._core.result_bases import Drawn
from thresher._core.values import ReadOnlyDict, value
from thresher._curves import pr_curve
from thresher._decide.target import Goal
from thresher._inference import CurveBand
from thresher._inference.rates import rate_bounds
from thresher._inference.sampling import check_whole
from thresher._table import Counts, check_two_classes, padded_counts, with_empty
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Confusion, Estimate
from thresher.typing import FloatArray

_MOST_BANDED = 400
_PREVALENCES = 33
_OTHER_AXES = ("threshold", "depth")


@value(slots=False, repr=False)
class MetricCurve(Drawn, Presented):
    """Metrics at every threshold of a table.

    Attributes
    ----------
    names : tuple of str
        The metrics.
    x_name : str
        What `x` is: "threshold", "depth" (the proportion of rows predicted positive) or a metric.
    x : ndarray of shape (k,)
        Element i belongs to ``thresholds[i]``. The points are those of the thresholds, highest first: a path, neither
        sorted nor interpolated.
    thresholds : ndarray of shape (k,)
        The first predicts nothing positive.
    values : ndarray of shape (metrics, k)
        NaN if a metric is not defined there.
    prevalence : float or None
        The prevalence to which the metrics refer.
    options : mapping
        The options of the metrics.

    Examples
    --------
    >>> import thresher as th
    >>> curve = th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).metric_curve("f1", "recall")
    >>> curve.thresholds, curve["f1"].round(3)
    (array([inf,  4.,  3.,  2.,  1.]), array([0.   , 0.667, 0.5  , 0.8  , 0.667]))
    """

    names: tuple[str, ...]
    x_name: str
    x: FloatArray
    thresholds: NDArray[Any]
    values: FloatArray
    prevalence: float | None
    options: Mapping[str, Any]
    _counts: Counts

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self.names:
            raise InvalidInputError(
                f"The curve has {', '.join(map(repr, self.names))}; got {show(name)}. Hint: ask for it in "
                "`metric_curve`."
            )
        row: FloatArray = self.values[self.names.index(name)]
        return row

    def band(self, name: str | None = None, confidence_level: float = 0.95, *, simultaneous: bool = False) -> CurveBand:
        """Return the band of one of the metrics: its interval at each threshold, fixed beforehand, or at all of them.

        Parameters
        ----------
        name : str, optional
            Which metric; may be left out if there is one.
        confidence_level : float, default=0.95
            Of each interval, or of all together.
        simultaneous : bool, default=False
            Whether the level holds at all thresholds together, so that it also holds at one that was chosen from the
            curve. Both rates then lie within bounds at all thresholds ("equal-local-level"), and the prevalence too if
            it is that of the sample; guaranteed, and wide.

        Returns
        -------
        CurveBand
            At up to 400 of the thresholds.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> band = th.Scores(data.y_true, data.tree).metric_curve("mcc").band()
        >>> bool((band.low <= band.value).all() and (band.value <= band.high).all())
        True
        """
        level = check_confidence_level(confidence_level)
        if name is None and len(self.names) > 1:
            raise InvalidInputError(f"`name` must be one of {', '.join(map(repr, self.names))}; got none.")
        which = self.names[0] if name is None else name
        counts = self._counts._even
        if not counts._plain_rows:
            raise InvalidInputError(
                "A band over thresholds must have independent rows of equal weight. "
                "Hint: `scores.measure(metric, threshold=t).confidence_interval()` takes weights and clusters."
            )
        own = self[which]
        defined = np.flatnonzero(np.isfinite(own) & np.isfinite(self.x))
        kept = defined[np.unique(np.linspace(0, defined.size - 1, _MOST_BANDED).astype(np.intp))]
        tp, fp = (column[kept].astype(np.float64) for column in padded_counts(counts))
        cells = Matrix(tp, fp, float(counts.n_pos) - tp, float(counts.n_neg) - fp)
        metric = _cells_of(which, self.options)
        known = None if metric.free else self.prevalence
        how = "equal-local-level" if simultaneous else "bayes"
        if simultaneous:
            low, high = _at_all_thresholds(metric, cells, known, level)
            low, high = np.fmin(low, own[kept]), np.fmax(high, own[kept])
        else:
            low, high = limits(metric, cells, tail=(1.0 - level) / 2.0, prevalence=known)
        order = np.argsort(self.x[kept], kind="stable")
        across, low, high, middle = (frozen(np.asarray(c)[order]) for c in (self.x[kept], low, high, own[kept]))
        return CurveBand(across, low, high, middle, level, how, simultaneous, f"{which} by {self.x_name}")

    def _facts(self) -> Row:
        about = {"x": self.x_name, "metrics": list(self.names), "options": dict(self.options)}
        return {**about, "prevalence": self.prevalence}

    def _columns(self) -> dict[str, NDArray[Any]]:
        named = {} if self.x_name in ("threshold", *self.names) else {self.x_name: self.x}
        return {"threshold": self.thresholds, **named, **dict(zip(self.names, self.values, strict=True))}

    def __repr__(self) -> str:
        given = ", ".join(f"{name} {number:g}" for name, number in self.options.items())
        shown = f"{', '.join(self.names)}{f' ({given})' if given else ''}"
        return f"MetricCurve of {shown} by {self.x_name}: {self.x.size:,} thresholds"


def _at_all_thresholds(
    metric: CellMetric, cells: Matrix, prevalence: float | None, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest value over rectangles of both rates that hold at all thresholds together."""
    if metric.rises is None or metric.degree:
        raise InvalidInputError(
            f"A simultaneous band must be of a metric that is monotone in both rates; got {metric.name!r}. "
            "Hint: 'mcc' and 'youden' are; or leave out `simultaneous`."
        )
    n_pos, n_neg = float(cells.pos[0]), float(cells.neg[0])
    random = prevalence is None and not metric.free
    each = level ** (1.0 / 3.0 if random else 0.5)
    found = rate_bounds(cells.tp, n_pos, each), rate_bounds(cells.fp, n_neg, each)
    shares = [prevalence]
    if random:
        ends = proportion_bounds(np.array([n_pos]), np.array([n_pos + n_neg]), each, "clopper-pearson")
        shares = np.clip(np.linspace(ends[0][0], ends[1][0], _PREVALENCES), 1e-12, 1.0 - 1e-12).tolist()
    up = tuple(int(cell in ("tp", "fp")) for cell in metric.rises)  # which end of each rate is the higher value's
    sides = []
    for top in (0, 1):
        tpr, fpr = (ends[side if top else 1 - side] for ends, side in zip(found, up, strict=True))
        with np.errstate(all="ignore"):
            sides.append([metric.value(tpr, fpr, 1.0 - tpr, 1.0 - fpr, prevalence=one, exact=False) for one in shares])
    bottom, most = metric.bounds
    low, high = np.array(sides[0]), np.array(sides[1])
    return np.where(np.isnan(low), bottom, low).min(axis=0), np.where(np.isnan(high), most, high).max(axis=0)


def metric_curve(
    counts: Counts, *metrics: Goal, x: str = "threshold", prevalence: float | None = None, **options: Any
) -> MetricCurve:
    """Return metrics of the confusion matrix at every threshold, against the threshold, the depth or each other.

    Parameters
    ----------
    *metrics : str
        Names of metrics, such as "mcc" and "f1".
    x : str, default="threshold"
        "threshold", "depth" (the proportion of rows that are predicted positive), or a metric such as "recall".
    prevalence : float, optional
        The prevalence to which the metrics refer.
    **options
        Options of the metrics, such as `beta`.

    Returns
    -------
    MetricCurve
        With ``band(name)`` for the band of one of the metrics, and ``plot()``.

    Examples
    --------
    >>> import thresher as th
    >>> curve = th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).metric_curve("mcc", x="recall")
    >>> curve.x, curve["mcc"].round(3)
    (array([0. , 0.5, 0.5, 1. , 1. ]), array([0.   , 0.577, 0.   , 0.577, 0.   ]))
    """
    check_two_classes(counts, "A curve over thresholds")
    if not metrics:
        raise InvalidInputError("`metric_curve` needs at least one metric; got none. Hint: for example 'mcc'.")
    if "threshold" in options:
        raise InvalidInputError(
            f"`threshold` must not be given for a curve, which has every threshold; got {show(options['threshold'])}. "
            "Hint: `scores.measure(metric, threshold=t)` is the metric at one."
        )
    for name in options.keys() - Confusion.__dataclass_fields__.keys():
        raise InvalidInputError(
            f"`{name}` is not an option of a metric over thresholds. Hint: `x='depth'` or `x='recall'` sets the axis."
        )
    share = None if prevalence is None else check_prevalence(prevalence)
    found = [_cells_of(name, options) for name in metrics]
    asked = [*found] if x in _OTHER_AXES else [*found, _cells_of(x, {})]
    if share is None and any(metric.degree for metric in asked):
        counts = check_whole(
            counts, next(metric.label for metric in asked if metric.degree), instead="use 'phi_square'"
        )
    tp, fp = padded_counts(counts)
    values = at_thresholds(asked, tp, fp, prevalence=share)
    thresholds = with_empty(counts.thresholds, counts._highest_scores[0])
    if x == "threshold":
        across = np.asarray(thresholds, dtype=np.float64)
    elif x == "depth":
        across = np.asarray((tp + fp) / float(counts.n_pos + counts.n_neg), dtype=np.float64)
    else:
        across = values[-1]
    return MetricCurve(
        tuple(_title(name, options) for name in metrics),
        x,
        frozen(across),
        frozen(np.asarray(thresholds)),
        frozen(values[: len(metrics)]),
        share,
        ReadOnlyDict(options),
        counts,
    )


def _title(name: Goal, options: Mapping[str, Any]) -> str:
    """Return the name of a metric by which it can be asked for again, with the same options."""
    found = _at_threshold(name, 0.0, options=options)
    return str(found.metric) if options and not callable(name) else found.title


def _cells_of(name: Goal, options: Mapping[str, Any]) -> CellMetric:
    return _at_threshold(name, 0.0, options=options).cells


def _at_threshold(
    name: Goal, threshold: float, prevalence: float | None = None, options: Mapping[str, Any] | None = None
) -> Confusion:
    """Return a metric of the confusion matrix at a threshold; others are refused."""
    if not callable(name) and (not isinstance(name, str) or canonical(name) is None):
        hint = (did_you_mean(name, CATALOGUE) if isinstance(name, str) else "") or " Hint: for example 'mcc'."
        raise InvalidInputError(
            f"A metric over thresholds must be one of the confusion matrix; got {show(name)}.{hint}"
        )
    return Confusion(name, threshold, prevalence, **(options or {}))


@value(repr=False)
class MetricTable(Presented):
    """Metrics at chosen thresholds, with intervals.

    Attributes
    ----------
    estimates : tuple of tuple of Estimate
        A row for each threshold, in which each metric has its place.
    thresholds : tuple of float
    alerts : tuple of float
        How many rows are predicted positive.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> table = th.Scores(data.y_true, data.logistic).metric_table(["precision", "recall"], top=[0.05, 0.1])
    >>> table.alerts
    (89, 179)
    """

    estimates: tuple[tuple[Estimate, ...], ...]
    thresholds: tuple[float, ...]
    alerts: tuple[float, ...]

    def _columns(self) -> dict[str, list[Any]]:
        out: dict[str, list[Any]] = {"threshold": list(self.thresholds), "alerts": list(self.alerts)}
        for place, first in enumerate(self.estimates[0]):
            column = [row[place] for row in self.estimates]
            ends = [one.confidence_interval() for one in column]
            out[first.measure.title] = [one.value for one in column]
            out[f"{first.measure.title}_low"] = [end.low for end in ends]
            out[f"{first.measure.title}_high"] = [end.high for end in ends]
        return out

    def _facts(self) -> Row:
        return {"metrics": [one.measure.title for one in self.estimates[0]]}

    def __repr__(self) -> str:
        lines = []
        for threshold, alerts, row in zip(self.thresholds, self.alerts, self.estimates, strict=True):
            cells = []
            for one in row:
                low, high = one.confidence_interval()
                cells.append(f"{one.measure.title} {one.value:.3f} ({low:.3f} to {high:.3f})")
            lines.append(f"  threshold {threshold:.6g}, {count_text(alerts)} alerts: {', '.join(cells)}")
        return "\n".join(["Metrics by threshold, 95% intervals", *lines])


def metric_table(
    counts: Counts,
    metrics: Sequence[Goal] = ("precision", "recall"),
    *,
    at: Sequence[float] | None = None,
    top: Sequence[float] | None = None,
    alerts: Sequence[int] | None = None,
    prevalence: float | None = None,
) -> MetricTable:
    """Return metrics with intervals at chosen thresholds, proportions of the ranking, or numbers of alerts.

    Parameters
    ----------
    metrics : sequence of str, default=("precision", "recall")
        Names of metrics of the confusion matrix.
    at : sequence of float, optional
        Thresholds.
    top : sequence of float, optional
        Proportions of all rows: 0.01 is the highest-ranked 1%. The threshold is the lowest that predicts no more
        of them positive.
    alerts : sequence of int, optional
        Row counts instead.
    prevalence : float, optional
        The prevalence to which the metrics refer.

    Returns
    -------
    MetricTable

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.Scores(data.y_true, data.logistic).metric_table(["precision", "recall"], top=[0.05, 0.1])
    Metrics by threshold, 95% intervals
      threshold 0.452694, 89 alerts: precision 0.978 (0.925 to 0.997), recall 0.500 (0.424 to 0.576)
      threshold 0.254979, 179 alerts: precision 0.760 (0.691 to 0.820), recall 0.782 (0.714 to 0.840)
    """
    check_two_classes(counts, "A table of metrics")
    given = [(name, one) for name, one in (("at", at), ("top", top), ("alerts", alerts)) if one is not None]
    for name, column in given:
        if np.ndim(column) != 1:
            raise InvalidTypeError(
                f"`{name}` must be a list of numbers; got {show(column)}. Hint: {name}=[{show(column)}]."
            )
    if len(given) != 1 or not len(given[0][1]):
        listed = ", ".join(f"`{name}`" for name, _ in given) or "none"
        raise InvalidInputError(
            f"Exactly one of `at`, `top` and `alerts` must be given, and not be empty; got {listed}. "
            "Hint: top=[0.01, 0.05, 0.1] is the highest-ranked 1, 5 and 10%."
        )
    (kind, wanted), *_ = given
    if isinstance(metrics, str) or not metrics:
        raise InvalidInputError(f"`metrics` must list metrics; got {show(metrics)}. Hint: ['precision', 'recall'].")
    # Rows of one weight are counted; others have no number of alerts.
    counts = check_whole(counts, "`alerts`", instead="give `top`") if kind == "alerts" else counts._even
    total = float(counts.n_pos + counts.n_neg)
    called = np.asarray(counts.tp + counts.fp, dtype=np.float64)
    cuts = []
    for number in wanted:
        if kind == "at":
            cuts.append(check_number(number, "at"))
            continue
        most = check_number(number, kind) * (total if kind == "top" else 1.0)
        if not 0.0 < most <= total:
            raise InvalidInputError(
                f"`{kind}` must be within the rows, above 0; got {show(number)}. Hint: there are {total:,.6g}."
            )
        within = int(np.searchsorted(called, most * (1.0 + 1e-12), side="right"))
        if not within:
            raise InvalidInputError(
                f"`{kind}` must leave room for the highest-ranked tied rows, {called[0]:,.6g} of them; "
                f"got {show(number)}."
            )
        cuts.append(float(counts.thresholds[within - 1]))
    rows, seen = [], []
    curve = pr_curve(counts)
    for cut in cuts:
        rows.append(tuple(_at_threshold(name, cut, prevalence).estimate(counts) for name in metrics))
        point = curve.at(threshold=cut)
        seen.append(point.tp + point.fp)
    return MetricTable(tuple(rows), tuple(cuts), tuple(seen))
