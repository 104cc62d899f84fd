"""The table of a diagnostic accuracy study at a cut-off, in one call."""

from __future__ import annotations

import math
from typing import Any

from thresher._core.checks import check_confidence_level, check_prevalence
from thresher._core.digits import count_text
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._curves import OperatingPoint, roc_curve
from thresher._inference.rates import cut_off_figure, rate_interval
from thresher._table import Counts, as_counts, check_two_classes
from thresher.measures import RocAuc

_TITLES = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "lr_positive": "Positive likelihood ratio",
    "lr_negative": "Negative likelihood ratio",
    "dor": "Diagnostic odds ratio",
    "accuracy": "Accuracy",
    "prevalence": "Prevalence",
    "roc_auc": "Area under the ROC curve",
}


@value
class DiagnosticFigure(Presented):
    """One row of a diagnostic table.

    Attributes
    ----------
    name : str
        The figure.
    count, total : float or None
        For shares: how many out of how many.
    value, low, high : float
        The figure with its interval.
    method : str
        How the interval was found.

    Examples
    --------
    >>> import thresher as th
    >>> table = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).diagnostic_table(threshold=1)
    >>> table["sensitivity"].count, table["sensitivity"].total, table["sensitivity"].value
    (45, 50, 0.9)
    """

    name: str
    count: float | None
    total: float | None
    value: float
    low: float
    high: float
    method: str


@value(repr=False)
class DiagnosticTable(Presented):
    """The table of a diagnostic accuracy study: the two-by-two table and the metrics with intervals.

    Attributes
    ----------
    point : OperatingPoint
        The confusion matrix at the cut-off.
    figures : tuple of DiagnosticFigure
        In the order in which they are printed.
    prevalence : float or None
        The proportion of positives to which predictive values refer, where one was given.
    confidence_level : float
        Of all intervals.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88])
    >>> print(scores.diagnostic_table(threshold=1))
    Cut-off: score >= 1
                        positive  negative     total
    predicted positive        45        12        57
    predicted negative         5        88        93
    total                     50       100       150
    <BLANKLINE>
    Metric                       Count  Value    95% interval
    Sensitivity                  45/50  0.900  0.787 to 0.967
    Specificity                 88/100  0.880  0.802 to 0.936
    Positive predictive value    45/57  0.789  0.665 to 0.886
    Negative predictive value    88/93  0.946  0.882 to 0.982
    Positive likelihood ratio           7.500  4.461 to 14.17
    Negative likelihood ratio           0.114  0.038 to 0.244
    Diagnostic odds ratio               66.00  23.04 to 261.0
    Accuracy                   133/150  0.887  0.826 to 0.932
    Prevalence                  50/150  0.333  0.259 to 0.414
    Area under the ROC curve            0.890  0.824 to 0.935
    """

    _records = "figures"

    point: OperatingPoint
    figures: tuple[DiagnosticFigure, ...]
    prevalence: float | None
    confidence_level: float

    def __getitem__(self, name: str) -> DiagnosticFigure:
        return next(figure for figure in self.figures if figure.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: the four counts, and value, ends and method of each figure.

        Examples
        --------
        >>> import thresher as th
        >>> table = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).diagnostic_table(threshold=1)
        >>> table.to_dict()["counts"]
        {'tp': 45, 'fp': 12, 'fn': 5, 'tn': 88}
        """
        parts = ("count", "total", "value", "low", "high", "method")
        return {
            "threshold": self.point.threshold,
            "counts": {cell: getattr(self.point, cell) for cell in ("tp", "fp", "fn", "tn")},
            "prevalence": self.prevalence,
            "confidence_level": self.confidence_level,
            "figures": {one.name: {part: getattr(one, part) for part in parts} for one in self.figures},
        }

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = []
        for one in self.figures:
            shift = f" at prevalence {self.prevalence:g}" if one.name in ("ppv", "npv") and self.prevalence else ""
            count = "" if one.count is None or one.total is None else f"{count_text(one.count)}/{count_text(one.total)}"
            ends = f"{_number(one.low)} to {_number(one.high)}"
            rows.append((_TITLES[one.name] + shift, count, _number(one.value), ends))
        return rows

    def _matrix(self) -> list[tuple[str, str, str, str]]:
        tp, fp, fn, tn = (getattr(self.point, cell) for cell in ("tp", "fp", "fn", "tn"))
        lines = [("predicted positive", tp, fp), ("predicted negative", fn, tn), ("total", tp + fn, fp + tn)]
        return [(name, count_text(a), count_text(b), count_text(a + b)) for name, a, b in lines]

    def __repr__(self) -> str:
        lines = [f"Cut-off: score >= {self.point.threshold_text}"]
        lines.append(f"{'':<18}  {'positive':>8}  {'negative':>8}  {'total':>8}")
        lines += [f"{name:<18}  {a:>8}  {b:>8}  {c:>8}" for name, a, b, c in self._matrix()]
        head = ("Metric", "Count", "Value", f"{self.confidence_level * 100:g}% interval")
        rows = self._rows()
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(4)]
        lines.append("")
        for row in [head, *rows]:
            cells = [f"{row[0]:<{widths[0]}}", *(f"{row[i]:>{widths[i]}}" for i in (1, 2, 3))]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    def to_latex(self, *, digits: int = 4) -> str:
        r"""Return both tables as LaTeX, for the package booktabs; counts and figures have the digits that they print.

        Examples
        --------
        >>> import thresher as th
        >>> table = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).diagnostic_table(threshold=1)
        >>> print(table.to_latex().splitlines()[0])
        \begin{tabular}{lrrr}
        """
        out = [r"\begin{tabular}{lrrr}", r"\toprule"]
        out.append(rf"Score $\ge {self.point.threshold_text}$ & positive & negative & total \\")
        out.append(r"\midrule")
        out += [" & ".join(row) + r" \\" for row in self._matrix()]
        out += [r"\bottomrule", r"\end{tabular}", "", r"\begin{tabular}{lrrr}", r"\toprule"]
        out.append(rf"Metric & Count & Value & {self.confidence_level * 100:g}\% interval \\")
        out.append(r"\midrule")
        out += [" & ".join(row).replace("inf", r"$\infty$") + r" \\" for row in self._rows()]
        return "\n".join([*out, r"\bottomrule", r"\end{tabular}"])


def diagnostic_table(
    scores: Counts, *, threshold: float, prevalence: float | None = None, confidence_level: float = 0.95
) -> DiagnosticTable:
    """Return the table of a diagnostic accuracy study: counts, rates, predictive values, likelihood ratios, area.

    Parameters
    ----------
    threshold : float
        The cut-off, fixed before these data were seen; a case is predicted positive at this score or above.
    prevalence : float, optional
        The proportion of positives where the test will be used; predictive values refer to it.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.

    Returns
    -------
    DiagnosticTable
        Prints itself; ``to_latex()`` and ``to_dict()`` for papers and programs.

    Notes
    -----
    Proportions have the interval of `proportion_interval`; likelihood ratios join the limits of both rates, and
    predictive values at a given prevalence follow from them. The odds ratio has a logarithmic interval. At a
    threshold chosen on the same data all of them are optimistic: see `choose_threshold` with a `confidence`.

    References
    ----------
    .. [1] P. M. Bossuyt and others, "STARD 2015", BMJ 351 (2015), h5527, doi:10.1136/bmj.h5527

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> table = th.Scores(data.y_true, data.tree).diagnostic_table(threshold=0.5, prevalence=0.01)
    >>> round(table["ppv"].value, 3), round(table["sensitivity"].low, 3)
    (0.257, 0.646)
    """
    counts = as_counts(scores)
    check_two_classes(counts, "A diagnostic table")
    level = check_confidence_level(confidence_level)
    share = None if prevalence is None else check_prevalence(prevalence)
    point = roc_curve(counts).at(threshold=threshold)
    tp, fp, fn, tn = point.tp, point.fp, point.fn, point.tn
    figures = [
        _share("sensitivity", point, tp, tp + fn, level),
        _share("specificity", point, tn, fp + tn, level),
        *(_figure(name, point, share, level) for name in ("ppv", "npv", "lr_positive", "lr_negative", "dor")),
        _share("accuracy", point, tp + tn, tp + fp + fn + tn, level),
    ]
    # All rows predicted positive: the proportion of them that is right is the prevalence.
    ends = rate_interval("precision", roc_curve(counts).at(threshold=-math.inf), confidence_level=level)
    total = tp + fp + fn + tn
    figures.append(DiagnosticFigure("prevalence", tp + fn, total, (tp + fn) / total, ends.low, ends.high, ends.method))
    area = RocAuc().estimate(counts)
    ends = area.confidence_interval(level)
    figures.append(DiagnosticFigure("roc_auc", None, None, area.value, ends.low, ends.high, ends.method))
    return DiagnosticTable(point, tuple(figures), share, level)


def _share(name: str, point: OperatingPoint, count: float, total: float, level: float) -> DiagnosticFigure:
    ends = rate_interval(name, point, confidence_level=level)
    return DiagnosticFigure(name, count, total, count / total, ends.low, ends.high, ends.method)


def _figure(name: str, point: OperatingPoint, prevalence: float | None, level: float) -> DiagnosticFigure:
    predictive = name in ("ppv", "npv")
    cells = (point.tp, point.fp, point.fn, point.tn)
    figure = cut_off_figure(name, *cells, prevalence if predictive else None, point.sample)
    ends = figure.confidence_interval(level)
    count = total = None
    if predictive and prevalence is None:
        count, total = (cells[0], cells[0] + cells[1]) if name == "ppv" else (cells[3], cells[3] + cells[2])
    return DiagnosticFigure(name, count, total, figure.value, ends.low, ends.high, ends.method)


def _number(number: float) -> str:
    """Return four characters or more: three decimals below 10, four digits above."""
    if math.isinf(number) or math.isnan(number):
        return f"{number}"
    return f"{number:.3f}" if abs(number) < 10.0 else f"{number:#.4g}".rstrip(".")
