"""What a comparison returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from thresher._compare.estimates import Estimates
from thresher._compare.multiplicity import OmnibusTest, holm
from thresher._compare.pair_tests import ComparisonTerms, PairTest
from thresher._compare.paired_rows import PairedRows
from thresher._core.digits import beside_interval
from thresher._core.presented import Noted, OfMeasure, Presented, Row
from thresher._core.values import StandardError, value
from thresher._curves import Dominance, dominates
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure

_FIGURES = ("difference", "low", "high", "standard_error", "statistic", "df", "pvalue", "pvalue_adjusted")


@value(slots=False)
class PairComparison(Presented):
    """Two models, the first minus the second.

    Attributes
    ----------
    a, b : str
        Their names.
    difference : float
        The metric of `a` minus that of `b`.
    low, high : float
        Two-sided interval for the difference.
    statistic : float
        (difference - null) / standard error for DeLong's test and the bootstrap, the difference itself for
        permutations; for Venkatraman's test the distance between the curves summed over the ranks of all rows.
    df : float
        Degrees of freedom of the statistic's t distribution; infinite for the normal, NaN where there is none.
    standard_error : float
        Of the difference. It can also be called as a method.
    pvalue : float
        In the direction of the alternative; 1 for scorers that rank alike.
    pvalue_adjusted : float
        Adjusted for all pairs of the comparison by Holm's method.
    pvalue_one_more : float
        What `pvalue` would be with one more case that the leader misranks, if that case would undo the finding; NaN
        if it would not, and for tests that do not look.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> result = th.compare(data.y_true, data.models)
    >>> pair = result.pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 3), round(pair.low, 3), round(pair.high, 3)
    ('logistic', 'tree', 0.096, 0.064, 0.127)
    >>> pair.dominance
    Dominance: logistic dominates tree (in ROC and in PR space alike)
    """

    a: str
    b: str
    difference: float
    low: float
    high: float
    statistic: float
    df: float
    standard_error: float
    pvalue: float
    pvalue_adjusted: float
    pvalue_one_more: float
    _counts: tuple[Counts, Counts] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard_error", StandardError(self.standard_error))

    @cached_property
    def dominance(self) -> Dominance:
        """Whose curve is nowhere below the other's, where they cross, and who leads where; ``"a"`` is the first."""
        return replace(dominates(*self._counts), names=(self.a, self.b))


@value(repr=False)
class Comparison(Noted, OfMeasure, Presented):
    """Models compared by one metric.

    Attributes
    ----------
    estimates : Estimates
        The metric of each scorer, with their covariance: ``estimates["a"]`` has an interval.
    pairs : list of PairComparison
        Every pair, in the order of the scorers; a new list each time.
    omnibus : OmnibusTest or None
        The test that all scorers are equal; None for Venkatraman's test of more than two curves.
    measure : Measure
        What was compared, with its options; `metric`, `options` and `better` are read from it.
    method, alternative : str
        By which test, and in which direction: "greater" means that the first model is better.
    confidence_level : float
        Level of the intervals.
    margin : float or None
        The non-inferiority margin.

    With exactly one pair its figures can be read from the comparison itself: ``comparison.pvalue``.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> result = th.compare(data.y_true, data.models)
    >>> result.metric, result.method
    ('roc_auc', 'delong')
    >>> round(result.difference, 4), result.pvalue < 1e-6
    (0.0957, True)
    """

    _records = "pairs"

    estimates: Estimates
    _pairs: tuple[PairComparison, ...]
    omnibus: OmnibusTest | None
    measure: Measure
    method: str
    alternative: str
    confidence_level: float
    margin: float | None = None
    _rows: PairedRows | None = field(default=None, repr=False, compare=False)
    _notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def better(self) -> str:
        """Which values are better: "higher" or "lower"."""
        return self.measure.better

    @property
    def pairs(self) -> list[PairComparison]:
        """Every pair, in the order of the models."""
        return list(self._pairs)

    @property
    def pair(self) -> PairComparison:
        """The only pair."""
        if len(self._pairs) != 1:
            raise InvalidInputError(
                f"A value of the comparison itself must belong to one pair; there are {len(self._pairs)}. "
                "Hint: read it from the elements of `pairs`."
            )
        return self._pairs[0]

    @property
    def difference(self) -> float:
        """The difference of the only pair."""
        return self.pair.difference

    @property
    def low(self) -> float:
        """The lower end of the only pair's interval."""
        return self.pair.low

    @property
    def high(self) -> float:
        """The upper end of the only pair's interval."""
        return self.pair.high

    @property
    def statistic(self) -> float:
        """The statistic of the only pair."""
        return self.pair.statistic

    @property
    def df(self) -> float:
        """The degrees of freedom of the only pair's statistic."""
        return self.pair.df

    @property
    def standard_error(self) -> float:
        """The standard error of the only pair's difference."""
        return self.pair.standard_error

    @property
    def pvalue(self) -> float:
        """The p value of the only pair."""
        return self.pair.pvalue

    def _facts(self) -> Row:
        names = ("metric", "options", "better", "method", "alternative", "confidence_level", "margin")
        omnibus = None if self.omnibus is None else self.omnibus.pvalue
        facts = {name: getattr(self, name) for name in names}
        return facts | {"estimates": self.estimates.by_name, "pvalue_all_equal": omnibus}

    def _columns(self) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = {
            "a": [pair.a for pair in self.pairs],
            "b": [pair.b for pair in self.pairs],
            "estimate_a": [self.estimates.by_name[pair.a] for pair in self.pairs],
            "estimate_b": [self.estimates.by_name[pair.b] for pair in self.pairs],
        }
        for name in _FIGURES:
            columns[name] = [float(getattr(pair, name)) for pair in self.pairs]
        columns["dominance"] = [pair.dominance.verdict for pair in self.pairs]
        return columns

    def __repr__(self) -> str:
        aim = self.alternative if self.margin is None else f"{self.alternative}, margin {self.margin:g}"
        lower = "" if self.better == "higher" else ", lower is better"
        lines = [f"Comparison of {self.measure.described()} by {self.method} ({aim}{lower})"]
        width = max(len(name) for name in self.estimates.names)
        # The values have as many digits as the narrowest of the differences supports.
        ends = min(((pair.low, pair.high) for pair in self.pairs), key=lambda one: one[1] - one[0])
        names, values = self.estimates.names, beside_interval(*ends, *self.estimates.values.tolist())
        lines += [f"  {name:<{width}}  {value}" for name, value in zip(names, values, strict=False)]
        several = len(self.pairs) > 1
        for pair in self.pairs:
            adjusted = f", adjusted {pair.pvalue_adjusted:.3g}" if several else ""
            change, low, high = beside_interval(pair.low, pair.high, pair.difference, sign="+")
            lines.append(f"  {pair.a} - {pair.b}: {change} [{low}, {high}], p = {pair.pvalue:.3g}{adjusted}")
        if several and self.omnibus is not None:
            lines.append(f"  all equal: p = {self.omnibus.pvalue:.3g}")
        return "\n".join(lines)


def answered(
    question: ComparisonTerms,
    estimates: Estimates,
    tables: Sequence[Counts],
    figures: Sequence[PairTest],
    omnibus: OmnibusTest | None,
    rows: PairedRows | None = None,
) -> Comparison:
    """Return the figures of all pairs with p values adjusted for their number."""
    adjusted = holm([one.pvalue for one in figures])
    pairs = tuple(
        PairComparison(
            estimates.names[i], estimates.names[j], *own[:-1], pvalue, own.pvalue_one_more, (tables[i], tables[j])
        )
        for (i, j), own, pvalue in zip(combinations(range(len(tables)), 2), figures, adjusted, strict=True)
    )
    return Comparison(
        estimates,
        pairs,
        omnibus,
        question.measure,
        question.method,
        question.alternative,
        question.confidence_level,
        question.margin,
        rows,
    )
