"""`th.gate`: may the new model replace the old one? One answer, with the interval that it rests on."""

from __future__ import annotations

from typing import Any

from thresher._compare import compare, compare_source, compare_unpaired
from thresher._core.checks import check_number, show
from thresher._core.digits import beside_interval, count_text
from thresher._core.presented import OfMeasure, Presented, Row, installed_version
from thresher._core.values import value
from thresher._table import OUTCOME_OPTIONS, Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, as_measure
from thresher.typing import ArrayLike


@value(repr=False)
class Gate(OfMeasure, Presented):
    """Whether a new model is no worse than a base by more than a margin.

    Attributes
    ----------
    verdict : {"passed", "failed", "undecided"}
        "passed" if the whole interval says so, "failed" if none of it does, "undecided" if the interval includes
        the margin. The gate passes only with "passed".
    passed : bool
        Whether the verdict is "passed"; so is the truth value of the gate, as in ``assert th.gate(...)``.
    measure : Measure
        What was compared; `metric`, `options` and `better` are read from it.
    new, base : float
        The value of both.
    difference, low, high : float
        New less base, with its two-sided interval.
    margin : float
        By how much the new one may be worse.
    confidence_level : float
        Of the interval.
    method : str
        By which the interval was made.
    paired : bool
        Whether both were judged on the same rows.
    n_pos, n_neg, base_n_pos, base_n_neg : float
        The rows behind each.
    version : str
        Of thresher.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.gate(data.tree, data.logistic, y_true=data.y_true, margin=0.01)
    >>> found.verdict, found.passed, found.paired
    ('failed', False, True)
    """

    measure: Measure
    new: float
    base: float
    difference: float
    low: float
    high: float
    margin: float
    confidence_level: float
    method: str
    paired: bool
    n_pos: float
    n_neg: float
    base_n_pos: float
    base_n_neg: float
    version: str

    @property
    def better(self) -> str:
        """Which values of the metric are better."""
        return self.measure.better

    def __bool__(self) -> bool:
        return self.passed

    @property
    def verdict(self) -> str:
        """Whether the interval lies on the right side of the margin, on the wrong one, or on both."""
        worst, best = (-self.high, -self.low) if self.better == "lower" else (self.low, self.high)
        if worst >= -self.margin:
            return "passed"
        return "failed" if best < -self.margin else "undecided"

    @property
    def passed(self) -> bool:
        """Whether the gate passes."""
        return self.verdict == "passed"

    def _facts(self) -> Row:
        facts = Presented._facts(self)
        facts.pop("measure", None)
        about = {"metric": self.metric, "options": self.options, "better": self.better}
        return {"verdict": self.verdict, "passed": self.passed, **about, **facts}

    def _sentence(self) -> str:
        word = "worse" if self.better == "higher" else "higher"
        said = {
            "passed": f"no {word} by more than {self.margin:g}",
            "failed": f"{word} by more than {self.margin:g}",
            "undecided": f"possibly {word} by more than {self.margin:g}; these rows cannot exclude it",
        }
        return f"{self.measure.described()} of the new model is {said[self.verdict]}"

    def __repr__(self) -> str:
        rows = "the same rows" if self.paired else f"{count_text(self.base_n_pos)} and {count_text(self.base_n_neg)}"
        new, base, *_ = beside_interval(self.low, self.high, self.new, self.base)
        difference, low, high = beside_interval(self.low, self.high, self.difference, sign="+")
        return (
            f"Gate {self.verdict}: {self._sentence()}\n"
            f"  new {new}, base {base}, difference {difference}, "
            f"{self.confidence_level * 100:g}% interval {low} to {high} ({self.method})\n"
            f"  {count_text(self.n_pos)} positives and {count_text(self.n_neg)} negatives; the base has {rows}"
        )


def gate(
    new: ArrayLike | Counts | str,
    base: ArrayLike | Counts | str,
    *,
    y_true: ArrayLike | str | None = None,
    source: Any = None,
    metric: str | Measure = "roc_auc",
    margin: float = 0.0,
    confidence_level: float = 0.95,
    method: str | None = None,
    pos_label: object = None,
    n_resamples: int = 2000,
    rng: Any = 0,
    **options: Any,
) -> Gate:
    """Test whether a new model is no worse than a base by more than a margin.

    Parameters
    ----------
    new, base : array-like of shape (n,), Scores, or str
        The scores of both for the same rows, with their labels in `y_true`; or two Scores of independent samples. The
        same rows give the sharper answer. With a `source` the names of two of its columns.
    y_true : array-like of shape (n,), or str, optional
        Labels, as for `Scores`; with a `source` the name of a column.
    source : path, dataset, table, frame or mapping, optional
        Rows that need not fit in memory, as in `compare_source`; a dict has the sources "new" and "base".
    metric : str or Measure, default="roc_auc"
        What is compared.
    margin : float, default=0.0
        By how much the new one may be worse, in units of the metric. 0 asks for no loss at all, which two good
        models of equal quality do not pass: choose what you could live with.
    confidence_level : float, default=0.95
        Of the two-sided interval of the difference.
    method : str, optional
        The test, as in `compare`.
    pos_label : object, optional
        The label of the positive class.
    n_resamples, rng
        For methods that resample. The seed is fixed unless another is given, so that a gate answers alike twice.
    **options
        Options of the metric, and for the same rows `sample_weight`, `frequency` and `cluster`; with a `source` the
        names of columns, and `id`, `filter`, `batches`, `max_points` and `memory` too. For an outcome in time,
        in the place of `y_true`: `time`, `event` and `at` (the horizon), and what `Scores.at_time` takes beside.

    Returns
    -------
    Gate

    See Also
    --------
    compare : All pairs of several models.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.gate(data.logistic, data.tree, y_true=data.y_true, metric="pr_auc", margin=0.01)
    Gate passed: pr_auc (interpolated) of the new model is no worse by more than 0.01
      new 0.870, base 0.605, difference +0.266, 95% interval +0.184 to +0.341 (bootstrap)
      174 positives and 1,623 negatives; the base has the same rows

    Of columns of a table, or of files:

    >>> import pyarrow as pa
    >>> table = pa.table({"eight": data.y_true, "logistic": data.logistic, "tree": data.tree})
    >>> th.gate("logistic", "tree", source=table, y_true="eight", margin=0.01).verdict
    'passed'
    """
    ours = _OF_ROWS if source is None else (*_OF_ROWS, *_OF_SOURCES)
    measure_options = {name: options.pop(name) for name in tuple(options) if name not in ours}
    measure = as_measure(metric, **measure_options)
    least = check_number(margin, "margin", "a number that is not negative")
    if not 0.0 <= least < float("inf"):
        raise InvalidInputError(
            f"`margin` must be a finite number that is not negative; got {show(margin)}. "
            "Hint: 0.01 allows a loss of one hundredth."
        )
    asked = {
        "metric": measure,
        "method": method,
        "confidence_level": confidence_level,
        "n_resamples": n_resamples,
        "rng": rng,
    }
    both = isinstance(new, Counts), isinstance(base, Counts)
    found: Any
    if source is not None:
        label = "y_true" if y_true is None else y_true
        asked = {name: asked[name] for name in ("metric", "method", "confidence_level")}
        columns: Any = {"new": new, "base": base}
        found = compare_source(source, y_true=label, y_score=columns, pos_label=pos_label, **asked, **options)
    elif isinstance(new, Counts) and isinstance(base, Counts) and y_true is None:
        if options or pos_label is not None:
            given = next(iter(options), "pos_label")
            raise InvalidInputError(f"`{given}` belongs to rows; got it with two Scores. Hint: give it to `Scores`.")
        found = compare_unpaired(new, base, names=("new", "base"), **asked)
    elif not any(both) and (y_true is not None or "time" in options):
        found = compare(y_true, {"new": new, "base": base}, pos_label=pos_label, **asked, **options)
    else:
        raise InvalidTypeError(
            "`new` and `base` must be scores of the same rows with `y_true`, or two Scores without it; got "
            f"{type(new).__name__} and {type(base).__name__} with"
            f"{'out' if y_true is None else ''} `y_true`. Hint: gate(new_scores, old_scores, y_true=labels)."
        )
    pair = found.pair
    a, b = pair._counts
    return Gate(
        measure=measure,
        new=found.estimates.by_name["new"],
        base=found.estimates.by_name["base"],
        difference=pair.difference,
        low=pair.low,
        high=pair.high,
        margin=float(least),
        confidence_level=found.confidence_level,
        method=found.method,
        paired=source is not None or not any(both),
        n_pos=a.n_pos,
        n_neg=a.n_neg,
        base_n_pos=b.n_pos,
        base_n_neg=b.n_neg,
        version=installed_version(),
    )


_OF_ROWS = ("sample_weight", "frequency", "cluster", "time", "event", "at", *OUTCOME_OPTIONS)
_OF_SOURCES = ("id", "filter", "batches", "max_points", "memory")
