"""What a comparison returns."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import Any, Protocol

from thresher._compare.estimates import Estimates
from thresher._compare.multiplicity import OmnibusTest
from thresher._compare.roc_path_distance import leads, path
from thresher._core.checks import check_count
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import Key, Rng, batch_rows, run_batches, stream_key
from thresher._core.values import StandardError, value
from thresher._curves import Dominance, dominates
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure
from thresher.typing import FloatArray

__all__ = ["Comparison", "DominanceProbability", "PairComparison"]

_FIGURES = ("difference", "low", "high", "standard_error", "statistic", "df", "pvalue", "pvalue_adjusted")


class PairSource(Protocol):
    """Where resamples of two scorers come from."""

    rows: Any
    """The rows of both on which they were compared; None for independent samples."""

    @property
    def width(self) -> int:
        """How many numbers a replicate needs."""

    def draw(self, key: Key, first: int, count: int) -> list[tuple[FloatArray, FloatArray]]:
        """Return the count tables of both scorers in some replicates."""


@value
class DominanceProbability(Presented):
    """In which proportion of resamples one curve is nowhere below the other.

    Attributes
    ----------
    a, b : float
        Proportion of resamples in which that scorer's curve is nowhere below the other's and somewhere above it.
    equal : float
        Share in which the curves are the same.
    neither : float
        Share in which they cross.
    n_resamples : int
        How many resamples were drawn.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> pair = th.compare(data.y_true, data.models).pairs[0]
    >>> pair.dominance_probability(n_resamples=100, rng=0).n_resamples
    100
    """

    a: float
    b: float
    equal: float
    neither: float
    n_resamples: int


@value(slots=False)
class PairComparison(Presented):
    """Two scorers, the first minus the second.

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
        Of the difference. May be called, as that of an estimate is.
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
    _source: PairSource | None = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard_error", StandardError(self.standard_error))

    @cached_property
    def dominance(self) -> Dominance:
        """Whose curve is nowhere below the other's, where they cross, and who leads where; ``"a"`` is the first."""
        return replace(dominates(*self._counts), names=(self.a, self.b))

    def dominance_probability(
        self, *, n_resamples: int = 1000, rng: Rng = None, batch_size: int | None = None
    ) -> DominanceProbability:
        """Return in which proportion of bootstrap resamples one curve dominates the other.

        Parameters
        ----------
        n_resamples : int, default=1000
            How many resamples to draw.
        rng : int, Generator, SeedSequence or None
            A seed makes the result repeatable.
        batch_size : int, optional
            How many resamples are held in memory at once. Does not change the numbers.

        Returns
        -------
        DominanceProbability

        Notes
        -----
        Empirical curves of similar scorers nearly always cross somewhere, so that small shares for both are usual; a
        share near 1 says that the lead of a scorer holds at every operating point.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> result = th.compare(data.y_true, data.models)
        >>> result.pairs[0].dominance_probability(n_resamples=200, rng=0)
        DominanceProbability(a=0.595, b=0.0, equal=0.0, neither=0.405, n_resamples=200)
        """
        if self._source is None:
            raise InvalidInputError(
                "Resamples need the rows, which a comparison read from JSON does not have. Hint: `compare` them again."
            )
        total = check_count(n_resamples, "n_resamples", minimum=1)
        key = stream_key(rng)

        source = self._source

        def work(first: int, count: int) -> FloatArray:
            (pos_a, neg_a), (pos_b, neg_b) = source.draw(key, first, count)
            return leads(path(pos_a, neg_a, 0.5), path(pos_b, neg_b, 0.5))

        rows = (
            batch_rows(self._source.width) if batch_size is None else check_count(batch_size, "batch_size", minimum=1)
        )
        above, below = run_batches(work, total, rows=rows).T
        shares = (above * (1 - below), below * (1 - above), (1 - above) * (1 - below), above * below)
        a, b, equal, neither = (float(share.mean()) for share in shares)
        return DominanceProbability(a, b, equal, neither, total)


@value(repr=False)
class Comparison(Presented):
    """Scorers compared by one metric.

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

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.measure.title

    @property
    def options(self) -> dict[str, Any]:
        """The options of the metric that were given."""
        return self.measure.options

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
        lines += [f"  {name:<{width}}  {value:.6g}" for name, value in self.estimates.by_name.items()]
        several = len(self.pairs) > 1
        for pair in self.pairs:
            adjusted = f", adjusted {pair.pvalue_adjusted:.3g}" if several else ""
            lines.append(
                f"  {pair.a} - {pair.b}: {pair.difference:+.4g} "
                f"[{pair.low:+.4g}, {pair.high:+.4g}], p = {pair.pvalue:.3g}{adjusted}"
            )
        if several and self.omnibus is not None:
            lines.append(f"  all equal: p = {self.omnibus.pvalue:.3g}")
        return "\n".join(lines)
