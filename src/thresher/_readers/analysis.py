"""The answer of a reader study: means, differences, tests, components, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from thresher._compare.combined_estimate import t_pvalue
from thresher._core.checks import check_confidence_level, check_count, check_number, check_positive, show, warn
from thresher._core.digits import beside_interval
from thresher._core.presented import OfMeasure, Presented, Row
from thresher._core.values import value
from thresher._readers.models import VarianceModel
from thresher._readers.paper import paragraphs
from thresher._readers.results import Keyed, ReaderCell, ReaderComponents, ReaderDifference, ReaderMean, ReaderOmnibus
from thresher._readers.sizing import Pilot, ReaderPower, ReaderSizes, check_readers, fewest_cases, power_of
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure
from thresher.typing import FloatArray

_FEW_READERS = 4


@value
class ReaderNoninferiority(Keyed):
    """Whether a modality is no worse than another one by more than a margin.

    Attributes
    ----------
    new, reference : str
        The modalities.
    difference, low, high : float
        The metric of `new` minus that of `reference`, with its two-sided interval.
    margin : float
        By how much `new` may be worse.
    statistic, df : float
        Of the one-sided test that it is worse by `margin` or more.
    pvalue : float
        One-sided; to be compared with half of 1 minus the confidence level.
    confidence_level : float
        Of the interval.
    noninferior : bool
        Whether the interval excludes that `new` is worse by `margin` or more.

    Examples
    --------
    >>> from thresher.results import ReaderNoninferiority
    >>> ReaderNoninferiority("CT", "MR", 0.01, -0.02, 0.04, 0.05, 4.0, 12.0, 0.001, 0.95, True).noninferior
    True
    """

    new: str
    reference: str
    difference: float
    low: float
    high: float
    margin: float
    statistic: float
    df: float
    pvalue: float
    confidence_level: float
    noninferior: bool

    def __repr__(self) -> str:
        verdict = "non-inferior" if self.noninferior else "inconclusive"
        return (
            f"{self.new} against {self.reference}, margin {self.margin:g}: {verdict}; difference "
            f"{self.difference:+.4g} [{self.low:+.4g}, {self.high:+.4g}], one-sided p = {self.pvalue:.3g}"
        )


@value(repr=False)
class ReaderAnalysis(OfMeasure, Presented):
    """A metric in a study of many readers and many cases.

    Attributes
    ----------
    measure : Measure
        What was computed; `metric` and `options` are read from it.
    means : tuple of ReaderMean
        The mean over readers of each modality.
    differences : tuple of ReaderDifference
        Each pair of modalities, over readers.
    omnibus : ReaderOmnibus or None
        The test that all modalities are equal; None for one modality, and for more than two if some readers did not
        read in all of them.
    components : ReaderComponents
        Mean squares, variance components and covariances; as a frame the table of the analysis of variance.
    by_reader : tuple of ReaderDifference
        The differences of each reader alone: for these readers and other cases.
    cells : tuple of ReaderCell
        Each reader in each modality.
    random_readers, random_cases : bool
        Whether conclusions are about readers like these, and cases like these, or about these very ones.
    covariance : str
        How the covariance over cases was found.
    confidence_level : float
        Level of the intervals.
    design, case_design : str
        How readers and modalities are combined, and which readers read which cases.
    n_readers, n_cases, n_pos, n_neg : int
        Sizes of the study.
    case_covariance : ndarray of shape (k, k)
        The covariance over cases of the k cells, in the order of `cells`.

    Examples
    --------
    >>> import thresher as th
    >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
    >>> found.differences[0]
    assisted - unassisted: +0.050 [-0.004, +0.104], t(14.34) = 1.99, p = 0.0662
    """

    measure: Measure
    means: tuple[ReaderMean, ...]
    differences: tuple[ReaderDifference, ...]
    omnibus: ReaderOmnibus | None
    components: ReaderComponents
    by_reader: tuple[ReaderDifference, ...]
    cells: tuple[ReaderCell, ...]
    random_readers: bool
    random_cases: bool
    covariance: str
    confidence_level: float
    design: str
    case_design: str
    n_readers: int
    n_cases: int
    n_pos: int
    n_neg: int
    pooled: bool
    case_covariance: FloatArray

    def noninferiority(self, new: str, reference: str | None = None, *, margin: float) -> ReaderNoninferiority:
        """Test that a modality is no worse than another one by as much as a margin.

        Parameters
        ----------
        new : str
            The modality in question.
        reference : str, optional
            The one it is compared with; the other one of two by default.
        margin : float
            By how much the metric may be worse, above 0; chosen before the study.

        Returns
        -------
        ReaderNoninferiority
            Of losses, lower values count as better.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
        >>> found.noninferiority("assisted", margin=0.02).noninferior
        True
        """
        least = check_positive(margin, "margin")
        names = [one.modality for one in self.means]
        for name, argument in ((new, "new"), (reference, "reference")):
            if name is not None and name not in names:
                raise InvalidInputError(
                    f"`{argument}` must be a modality; got {show(name)}. Hint: they are "
                    f"{', '.join(repr(one) for one in names)}."
                )
        others = [name for name in names if name != new]
        if reference is None and len(others) != 1:
            raise InvalidInputError(
                f"`reference` must be given unless there are two modalities; got none of {len(names)}. "
                "Hint: name the modality to compare with."
            )
        against = others[0] if reference is None else reference
        if against == new:
            raise InvalidInputError(f"`reference` must be another modality than `new`; got {show(new)} for both.")
        pair = next(one for one in self.differences if {one.a, one.b} == {new, against})
        turn = 1.0 if pair.a == new else -1.0
        low, high = sorted((turn * pair.low, turn * pair.high))
        sign = self.measure.sign
        away = sign * turn * pair.difference + least
        statistic = away / pair.standard_error if pair.standard_error > 0.0 else math.inf
        tail = t_pvalue(away, pair.standard_error, pair.df, "greater")
        worst = low if sign > 0 else -high
        return ReaderNoninferiority(
            new, against, turn * pair.difference, low, high, least, statistic, pair.df, tail, self.confidence_level,
            bool(worst > -least),
        )  # fmt: skip

    def power(
        self,
        difference: float,
        *,
        readers: int | None = None,
        cases: int | None = None,
        significance_level: float = 0.05,
    ) -> ReaderPower:
        """Return the power of another study to find a difference, with this one as its pilot.

        Parameters
        ----------
        difference : float
            The true difference of two modalities that should be found.
        readers, cases : int, optional
            How many readers and cases that study has; as many as this one by default. The proportion of positives is
            that of this study. If readers are nested in modalities, `readers` is how many each modality has.
        significance_level : float, default=0.05
            Of the two-sided test.

        Returns
        -------
        ReaderPower
            For the same conclusions as this analysis: random or fixed readers and cases.

        Warns
        -----
        ThresherWarning
            For fewer than 4 readers, with whom the test depends on what three numbers or fewer show of all readers.

        Notes
        -----
        A negative component of readers by modalities is taken as 0. Variances over cases are inversely proportional to
        the number of cases.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
        >>> round(float(found.power(0.05, readers=8, cases=200)), 2)
        0.7
        """
        pilot, alpha = self._pilot(), check_confidence_level(significance_level, "significance_level")
        number = self._planned_readers() if readers is None else check_count(readers, "readers", minimum=1)
        check_readers(number, pilot.model)
        size = self.n_cases if cases is None else check_count(cases, "cases", minimum=4)
        if number < _FEW_READERS and self.random_readers:
            warn(
                f"Power with {number} readers is rough: so few do not show how readers differ. "
                f"Hint: plan for at least {_FEW_READERS}."
            )
        return power_of(pilot, _difference(difference), number, size, alpha)

    def sample_size(
        self,
        difference: float,
        *,
        power: float = 0.8,
        readers: Iterable[int] | None = None,
        significance_level: float = 0.05,
    ) -> ReaderSizes:
        """Return how many cases another study needs with each number of readers, with this one as its pilot.

        Parameters
        ----------
        difference : float
            The true difference of two modalities that should be found.
        power : float, default=0.8
            The probability to find it.
        readers : iterable of int, optional
            The numbers of readers to look at; 4 to 12 by default.
        significance_level : float, default=0.05
            Of the two-sided test.

        Returns
        -------
        ReaderSizes
            0 cases where no number of cases is enough with so few readers.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
        >>> found.sample_size(0.05, readers=[5, 8, 12]).cases.tolist()
        [0, 313, 195]
        """
        pilot, alpha = self._pilot(), check_confidence_level(significance_level, "significance_level")
        target = check_confidence_level(power, "power")
        numbers = [check_count(one, "readers", minimum=1) for one in (range(4, 13) if readers is None else readers)]
        for number in numbers:
            check_readers(number, pilot.model)
        return fewest_cases(pilot, _difference(difference), numbers, target, alpha)

    def _pilot(self) -> Pilot:
        parts = self.components
        needed = parts.ms_reader_in_modality if self.design == "nested" else parts.ms_modality_reader
        if self.random_readers and needed is None:
            raise UndefinedMetricError(
                f"Sizing needs a pilot in which at least 2 readers read in all of 2 modalities or more; this one has "
                f"{self.n_readers} readers and {len(self.means)} modalities, {self.design}. Hint: take two modalities."
            )
        if not self.random_readers and (self.design == "nested" or len(self.means) < 2):
            raise UndefinedMetricError(
                "Sizing for fixed readers needs a pilot in which they read in both modalities; this one has "
                f"{len(self.means)} modalities, readers {self.design}. Hint: analyse with readers='random'."
            )
        model = VarianceModel(self.random_readers, self.random_cases)
        return Pilot(parts, model, self.n_cases, len(self.means))

    def _planned_readers(self) -> int:
        return self.n_readers if self.design != "nested" else round(self.n_readers / len(self.means))

    def text(self) -> str:
        """Return methods and results as text for a paper, with references.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
        >>> print(found.text().split(". ")[0])
        Six readers read 120 cases (48 positive, 72 negative) in two modalities: every reader read every case in both
        """
        return paragraphs(self)

    def _facts(self) -> Row:
        return {
            "metric": self.metric,
            "options": self.options,
            "readers": "random" if self.random_readers else "fixed",
            "cases": "random" if self.random_cases else "fixed",
            "covariance": self.covariance,
            "confidence_level": self.confidence_level,
            "design": self.design,
            "case_design": self.case_design,
            "n_readers": self.n_readers,
            "n_cases": self.n_cases,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "pvalue_all_equal": None if self.omnibus is None else self.omnibus.pvalue,
        }

    def _columns(self) -> dict[str, list[Any]]:
        shared = ("standard_error", "df", "low", "high")
        pairs = self.differences
        columns: dict[str, list[Any]] = {
            "estimate_of": [one.modality for one in self.means] + [f"{one.a} - {one.b}" for one in pairs],
            "estimate": [one.estimate for one in self.means] + [one.difference for one in pairs],
        }
        for name in shared:
            columns[name] = [getattr(one, name) for one in (*self.means, *pairs)]
        columns["pvalue"] = [None] * len(self.means) + [one.pvalue for one in pairs]
        return columns

    def __repr__(self) -> str:
        kinds = [("random" if one else "fixed") for one in (self.random_readers, self.random_cases)]
        head = (
            f"{self.measure.described()} of {self.n_readers} {kinds[0]} readers and {self.n_cases:,} {kinds[1]} cases, "
            f"readers {self.design}, {self.covariance} covariance"
        )
        width = max(len(one.modality) for one in self.means)
        level = f"{100 * self.confidence_level:g}%"
        lines = [head]
        for one in self.means:
            shown, low, high = beside_interval(one.low, one.high, one.estimate)
            lines.append(f"  {one.modality:<{width}}  {shown}, {level} interval {low} to {high}")
        lines += [f"  {one!r}" for one in self.differences]
        if self.omnibus is not None and len(self.differences) > 1:
            lines.append(f"  all equal: p = {self.omnibus.pvalue:.3g}")
        return "\n".join(lines)


def _difference(given: object) -> float:
    """Return a difference to be found: any number but 0."""
    number = check_number(given, "difference")
    if number == 0.0 or not np.isfinite(number):
        raise InvalidInputError(f"`difference` must be finite and not 0; got {show(given)}. Hint: for example 0.05.")
    return number
