"""Rows of a reader study's answer: means, differences, readers, cells, the test of all modalities, the components."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from thresher._core.checks import check_choice, check_confidence_level
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.values import ReadOnlyDict, value
from thresher._inference import ConfidenceInterval
from thresher._inference.delong import logit_interval
from thresher._inference.sampling import quantile
from thresher.exceptions import InvalidInputError


class Keyed(Presented):
    """A result whose values can be read by key too, under the names that publications use."""

    __slots__ = ()

    def _known(self) -> Row:
        return self._facts()

    def __getitem__(self, key: str) -> Any:
        known = self._known()
        if key not in known:
            raise InvalidInputError(f"There is no value {key!r} here. Hint: the values are {', '.join(known)}.")
        return known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def keys(self) -> tuple[str, ...]:
        """Return the names of the values.

        Examples
        --------
        >>> from thresher.results import ReaderCell
        >>> dict(ReaderCell("CT", "A", 0.9, 0.03, 40, 60))["value"]
        0.9
        """
        return tuple(self._known())


@value
class ReaderCell(Keyed):
    """One reader in one modality.

    Attributes
    ----------
    modality, reader : str
        Which.
    value : float
        The metric.
    standard_error : float
        For other cases and this reader.
    n_pos, n_neg : int
        Positive and negative cases read.

    Examples
    --------
    >>> from thresher.results import ReaderCell
    >>> ReaderCell("CT", "A", 0.9, 0.03, 40, 60).standard_error
    0.03
    """

    modality: str
    reader: str
    value: float
    standard_error: float
    n_pos: int
    n_neg: int


@value
class ReaderMean(Keyed):
    """The mean of the readers in one modality.

    Attributes
    ----------
    modality : str
        Which.
    estimate : float
        The mean of the metric over readers.
    standard_error, df : float
        Its standard error, from this modality alone, and the degrees of freedom; infinite for the normal distribution.
    low, high : float
        Confidence interval, inside the bounds of the metric.
    n_readers : int
        How many readers read in this modality.
    ms_reader : float
        Variance of the metric between readers; NaN for one reader.
    var_error, cov2 : float
        Mean variance over cases, and mean covariance of two readers of the same cases.
    confidence_level : float
        Level of the interval.
    bounds : tuple of float
        The least and the greatest value of the metric.

    Examples
    --------
    >>> import thresher as th
    >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
    >>> found.means[0].modality, found.means[0].n_readers, round(found.means[0].estimate, 3)
    ('assisted', 6, 0.886)
    """

    modality: str
    estimate: float
    standard_error: float
    df: float
    low: float
    high: float
    n_readers: int
    ms_reader: float
    var_error: float
    cov2: float
    confidence_level: float
    bounds: tuple[float, float]

    @property
    def near_bound(self) -> bool:
        """Whether a bound of the metric is within 3 standard errors, so that the plain interval undercovers."""
        return min(abs(self.estimate - bound) for bound in self.bounds) <= 3.0 * self.standard_error

    def confidence_interval(self, confidence_level: float | None = None, *, method: str = "t") -> ConfidenceInterval:
        """Return an interval for the mean of readers and cases like these.

        Parameters
        ----------
        confidence_level : float, optional
            In (0, 1); that of the analysis by default.
        method : {"t", "logit", "wider"}
            "t" is the one that is printed, cut to the bounds of the metric. "logit" is made on the logit scale, and
            "wider" reaches as far as either, which is safer near a bound.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.readers(th.datasets.load_reader_study().to_frame()).measure("roc_auc")
        >>> low, high = found.means[0].confidence_interval(method="logit")
        >>> round(low, 3), round(high, 3)
        (0.824, 0.928)
        """
        level = self.confidence_level if confidence_level is None else check_confidence_level(confidence_level)
        kind = check_choice(method, "method", ("t", "logit", "wider"))
        least, most = self.bounds
        reach = quantile(level, self.df) * self.standard_error
        plain = max(self.estimate - reach, least), min(self.estimate + reach, most)
        if kind == "t":
            return ConfidenceInterval(*plain, level, kind)
        if not (math.isfinite(least) and math.isfinite(most)):
            raise InvalidInputError(
                f"`method` must be 't' for a metric without bounds; got {kind!r}. Hint: leave it out."
            )
        ends = self.estimate, self.estimate
        if least < self.estimate < most:
            width = most - least
            low, high = logit_interval((self.estimate - least) / width, (reach / width) ** 2, 1.0)
            ends = least + width * low, least + width * high
        if kind == "wider":
            ends = min(ends[0], plain[0]), max(ends[1], plain[1])
        return ConfidenceInterval(*ends, level, kind)


@value
class ReaderDifference(Keyed):
    """The difference of two modalities, over readers or of one reader.

    Attributes
    ----------
    a, b : str
        The modalities.
    difference : float
        The metric of `a` minus that of `b`.
    standard_error, df : float
        Its standard error and degrees of freedom; infinite for the normal distribution.
    low, high : float
        Two-sided confidence interval.
    statistic : float
        The difference divided by its standard error; by key "t", or "z" if normal.
    pvalue : float
        Two-sided; 1 for modalities without any difference.
    n_readers : int
        How many readers it is the mean of.
    reader : str or None
        The reader, for the difference of a single one.

    Examples
    --------
    >>> from thresher.results import ReaderDifference
    >>> found = ReaderDifference("CT", "MR", -0.05, 0.02, 12.3, -0.093, -0.007, -2.5, 0.027, 5)
    >>> found.statistic == found["t"]
    True
    """

    a: str
    b: str
    difference: float
    standard_error: float
    df: float
    low: float
    high: float
    statistic: float
    pvalue: float
    n_readers: int
    reader: str | None = None

    def _facts(self) -> Row:
        own = {} if self.reader is None else {"reader": self.reader}
        return own | {name: one for name, one in Presented._facts(self).items() if name != "reader"}

    def _known(self) -> Row:
        return self._facts() | {"z" if math.isinf(self.df) else "t": self.statistic}

    def __repr__(self) -> str:
        who = "" if self.reader is None else f"{self.reader}: "
        law = "z" if math.isinf(self.df) else f"t({self.df:.4g})"
        change, low, high = beside_interval(self.low, self.high, self.difference, sign="+")
        return (
            f"{who}{self.a} - {self.b}: {change} [{low}, {high}], {law} = {self.statistic:.3g}, p = {self.pvalue:.3g}"
        )


@value
class ReaderOmnibus(Keyed):
    """The test that all modalities are equal.

    Attributes
    ----------
    statistic : float
        F, or chi squared for fixed readers; also by these keys.
    df1, df2 : float
        Degrees of freedom; `df2` is infinite for chi squared.
    pvalue : float
        Of the hypothesis that all modalities have the same mean.
    denominator : float
        What the mean square of modalities is divided by; NaN if no pooled test fits the design.

    Examples
    --------
    >>> from thresher.results import ReaderOmnibus
    >>> ReaderOmnibus(4.49, 1, 15.03, 0.0512, 0.00107)["F"]
    4.49
    """

    statistic: float
    df1: int
    df2: float
    pvalue: float
    denominator: float

    def _known(self) -> Row:
        known = self._facts()
        return known | ({"chi2": self.statistic, "df": self.df1} if math.isinf(self.df2) else {"F": self.statistic})


@value
class ReaderComponents(Keyed):
    """Mean squares, variance components and covariances of Obuchowski and Rockette's model.

    Values that a design does not have are None: a study in which readers are nested in modalities has no `cov1`, for
    example. As a frame it is the table of the analysis of variance.

    Attributes
    ----------
    modality_means : dict of str to float
        The mean over readers of each modality.
    ms_modality, ms_reader, ms_modality_reader : float or None
        Mean squares of crossed readers and modalities.
    ms_reader_in_modality : float or None
        Mean square of readers within modalities, if they are nested.
    var_error : float
        Mean variance over cases of one reader in one modality.
    cov1, cov2, cov3 : float or None
        Mean covariance over cases of the same reader in two modalities, of two readers in the same modality, and of
        two readers in two modalities.
    var_reader, var_modality_reader : float or None
        Variance components of readers and of readers by modalities, as they are estimated: they may be negative.
    r0 : float or None
        Readers in a modality, averaged, if they are nested.
    df_modality, df_reader, df_interaction : int or None
        Degrees of freedom of the mean squares; the last is of readers within modalities if they are nested.

    Examples
    --------
    >>> import thresher as th
    >>> study = th.readers(th.datasets.load_reader_study().to_frame())
    >>> found = study.measure("roc_auc").components
    >>> round(found.cov2, 6) == round(found["cov2"], 6), found.df_interaction
    (True, 5)
    """

    modality_means: ReadOnlyDict[str, float]
    var_error: float
    cov1: float | None = None
    cov2: float | None = None
    cov3: float | None = None
    ms_modality: float | None = None
    ms_reader: float | None = None
    ms_modality_reader: float | None = None
    ms_reader_in_modality: float | None = None
    var_reader: float | None = None
    var_modality_reader: float | None = None
    r0: float | None = None
    df_modality: int | None = None
    df_reader: int | None = None
    df_interaction: int | None = None

    def _facts(self) -> Row:
        return {name: getattr(self, name) for name in self._parts if getattr(self, name) is not None}  # type: ignore[attr-defined]  # of a Value

    def _columns(self) -> dict[str, list[Any]]:
        nested = self.ms_reader_in_modality is not None
        rows: list[tuple[str, int | None, float | None]] = [
            ("mean square of modalities", self.df_modality, self.ms_modality),
            ("mean square of readers", self.df_reader, self.ms_reader),
            ("mean square of readers by modalities", None if nested else self.df_interaction, self.ms_modality_reader),
            ("mean square of readers within modalities", self.df_interaction, self.ms_reader_in_modality),
            ("variance of readers", None, self.var_reader),
            ("variance of readers by modalities", None, self.var_modality_reader),
            ("variance over cases", None, self.var_error),
            ("covariance 1: same reader, other modality", None, self.cov1),
            ("covariance 2: other reader, same modality", None, self.cov2),
            ("covariance 3: other reader, other modality", None, self.cov3),
        ]
        shown = [row for row in rows if row[2] is not None]
        return {
            "term": [row[0] for row in shown],
            "df": [row[1] for row in shown],
            "estimate": [row[2] for row in shown],
        }
