"""Reader studies: many readers rate many cases in one or more modalities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thresher._core.checks import check_choice, check_confidence_level, check_resamples, warn
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import Rng
from thresher._core.values import value
from thresher._curves import roc_curve
from thresher._readers.analysis import ReaderAnalysis
from thresher._readers.covariance import COVARIANCES, ReadingValues, measured
from thresher._readers.models import ReaderModel, VarianceModel
from thresher._readers.readings import Readings, read_frame
from thresher._readers.results import ReaderCell, ReaderMean
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure
from thresher.typing import FloatArray

_KINDS = ("random", "fixed")
_DESIGNS = ("random", "fixed")
_FEW = 10
_MOST_BIAS = 0.25
"""Standard errors by which a value may be off on average before it is said."""


@value(repr=False)
class ReaderStudy(Presented):
    """The ratings of a reader study; `measure` analyses them.

    Made by `thresher.readers`. As a frame it has a row for each reader in each modality, with the cases read.

    Examples
    --------
    >>> import thresher as th
    >>> th.readers(th.datasets.load_reader_study().to_frame())
    Reader study: 6 readers, 2 modalities, 120 cases (48 positive, 72 negative), 1,440 ratings
      readers crossed with modalities; every reader reads every case
    """

    _readings: Readings

    @property
    def modalities(self) -> tuple[str, ...]:
        """The names of the modalities, sorted."""
        return self._readings.modalities

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the readers, sorted."""
        return self._readings.readers

    @property
    def design(self) -> str:
        """How readers and modalities are combined.

        "crossed" if every reader reads in every modality, "nested" if each reads in one, "incomplete" otherwise.
        """
        return self._readings.design

    @property
    def case_design(self) -> str:
        """Which readers read which cases, in words."""
        return self._readings.case_design

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return len(self._readings.cases)

    @property
    def n_pos(self) -> int:
        """Number of positive cases."""
        return int(self._readings.truth.sum())

    @property
    def n_neg(self) -> int:
        """Number of negative cases."""
        return self.n_cases - self.n_pos

    def tables(self, modality: str) -> dict[str, Counts]:
        """Return the counts of each reader in a modality, by the reader's name.

        Examples
        --------
        >>> import thresher as th
        >>> study = th.readers(th.datasets.load_reader_study().to_frame())
        >>> tables = study.tables("assisted")
        >>> len(tables), round(th.measures.RocAuc().of(tables["reader 1"]), 3)
        (6, 0.917)
        """
        at = self.modalities.index(check_choice(modality, "modality", self.modalities))
        cells = np.flatnonzero(self._readings.modality == at).tolist()
        return {self.readers[self._readings.reader[cell]]: self._readings.table(cell) for cell in cells}

    def mean_roc(self, modality: str) -> tuple[FloatArray, FloatArray]:
        """Return the mean of the readers' ROC curves in a modality, at equal false positive rates.

        Returns
        -------
        fpr, tpr : arrays
            The vertices. The area under them is the mean of the readers' areas.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> study = th.readers(th.datasets.load_reader_study().to_frame())
        >>> fpr, tpr = study.mean_roc("assisted")
        >>> round(float(np.trapezoid(tpr, fpr)), 6) == round(study.measure("roc_auc").means[0].estimate, 6)
        True
        """
        curves = [roc_curve(table) for table in self.tables(modality).values()]
        fpr = np.unique(np.concatenate([curve.fpr for curve in curves]))
        low, high = np.zeros(fpr.size), np.zeros(fpr.size)
        for curve in curves:
            # Where a curve is vertical it has a lowest and a highest point.
            own, first = np.unique(curve.fpr, return_index=True)
            last = np.append(first[1:], curve.fpr.size) - 1
            place = np.searchsorted(own, fpr)
            vertex = own[place] == fpr
            before = np.where(vertex, place, place - 1)
            share = np.where(vertex, 0.0, (fpr - own[before]) / np.where(vertex, 1.0, own[place] - own[before]))
            slanted = curve.tpr[last[before]] + share * (curve.tpr[first[place]] - curve.tpr[last[before]])
            low += np.where(vertex, curve.tpr[first[place]], slanted) / len(curves)
            high += np.where(vertex, curve.tpr[last[place]], slanted) / len(curves)
        return np.repeat(fpr, 2), np.stack((low, high), axis=1).reshape(-1)

    def measure(
        self,
        metric: str | Measure = "roc_auc",
        *,
        readers: str = "random",
        cases: str = "random",
        covariance: str | None = None,
        pooled: bool = True,
        design: str = "random",
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        rng: Rng = 0,
        **options: Any,
    ) -> ReaderAnalysis:
        """Return a metric of each modality and the differences, allowing for readers and cases.

        Parameters
        ----------
        metric : str or Measure, default="roc_auc"
            Any metric of `thresher.measures.names()`.
        readers, cases : {"random", "fixed"}
            What conclusions are about. "random": readers, or cases, like these; "fixed": these very ones. One of the
            two must be random.
        covariance : {"influence", "unbiased", "jackknife", "bootstrap"}, optional
            How the covariance over cases is estimated. By default from influence values, which are DeLong's for the
            ROC area, and for metrics without influence values by resampling cases. "unbiased" is Gallas' estimate, for
            the ROC area and proportions within a class; "jackknife" is what older programs print.
        pooled : bool, default=True
            With more than two modalities, whether one error serves all pairs. False takes each pair's own readers and
            cases, which holds also if modalities differ in spread.
        design : {"random", "fixed"}
            Whether the number of positive cases was left to chance; it matters for metrics that depend on prevalence.
        confidence_level : float, default=0.95
            In (0, 1).
        n_resamples, rng
            For "bootstrap"; the seed makes the result repeatable.
        **options
            Options of the metric.

        Returns
        -------
        ReaderAnalysis

        Warns
        -----
        ThresherWarning
            If a class has fewer than 10 cases, a reader makes no error, a mean is near a bound of the metric, or the
            metric is biased with so few cases: intervals then cover less than their level.

        Notes
        -----
        With random readers and cases the test is that of Obuchowski and Rockette [1]_ with the degrees of freedom of
        Hillis [2]_. In designs with holes each pair of modalities is compared by the readers of both.

        References
        ----------
        .. [1] N. A. Obuchowski and H. E. Rockette, "Hypothesis testing of diagnostic accuracy for multiple readers and
           multiple tests", Communications in Statistics - Simulation and Computation 24 (1995), 285-308.
           https://doi.org/10.1080/03610919508813243
        .. [2] S. L. Hillis, "A comparison of denominator degrees of freedom methods for multiple observer ROC
           analysis", Statistics in Medicine 26 (2007), 596-619. https://doi.org/10.1002/sim.2532

        Examples
        --------
        >>> import thresher as th
        >>> study = th.readers(th.datasets.load_reader_study().to_frame())
        >>> found = study.measure("recall", threshold=50, readers="fixed")
        >>> found.means[0].modality, round(found.means[0].estimate, 3)
        ('assisted', 0.809)
        """
        measure = as_measure(metric, **options)
        who, which = check_choice(readers, "readers", _KINDS), check_choice(cases, "cases", _KINDS)
        model = VarianceModel(who == "random", which == "random")
        if not (model.random_readers or model.random_cases):
            raise InvalidInputError(
                "`readers` or `cases` must be 'random'; got 'fixed' for both. Hint: then nothing varies, and the "
                "metric of each reader is what it is."
            )
        chosen = None if covariance is None else check_choice(covariance, "covariance", COVARIANCES)
        drawn, level = check_choice(design, "design", _DESIGNS), check_confidence_level(confidence_level)
        readings = self._readings
        self._check_sizes(measure, model)
        found = measured(readings, measure, chosen, drawn, check_resamples(n_resamples), rng)
        fitted = ReaderModel(readings, found, model, level, pooled)
        pairs = fitted.differences
        cells = []
        for cell, (mean, error) in enumerate(zip(found.values.tolist(), np.diag(found.covariance), strict=True)):
            modality, reader = readings.modality[cell], readings.reader[cell]
            names = self.modalities[modality], self.readers[reader]
            cells.append(ReaderCell(*names, mean, math.sqrt(max(error, 0.0)), *readings.sizes(cell)))
        means = fitted.means(measure.bounds)
        self._warn(measure, model, cells, means, found)
        return ReaderAnalysis(
            measure=measure,
            means=means,
            differences=pairs,
            omnibus=fitted.omnibus(),
            components=fitted.components,
            by_reader=fitted.by_reader(),
            cells=tuple(cells),
            random_readers=model.random_readers,
            random_cases=model.random_cases,
            covariance=found.method,
            confidence_level=level,
            design=self.design,
            case_design=self.case_design,
            n_readers=len(self.readers),
            n_cases=self.n_cases,
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            pooled=fitted.pooled,
            case_covariance=found.covariance,
        )

    def _check_sizes(self, measure: Measure, model: VarianceModel) -> None:
        """Refuse too few readers in a modality, and too few cases of a reader."""
        self._readings.check(measure)
        numbers = np.bincount(self._readings.modality)
        few = int(numbers.argmin())
        if model.random_readers and numbers[few] < 2:
            raise InvalidInputError(
                f"Random readers must be at least 2 in each modality; {self.modalities[few]!r} has {numbers[few]}. "
                "Hint: readers='fixed' draws conclusions about these readers."
            )

    def _warn(
        self,
        measure: Measure,
        model: VarianceModel,
        cells: list[ReaderCell],
        means: tuple[ReaderMean, ...],
        found: ReadingValues,
    ) -> None:
        """Say what makes the analysis rough."""
        needed = {"both": ("positive", "negative"), "pos": ("positive",), "neg": ("negative",)}.get(measure.classes, ())
        if model.random_cases:
            for side, size in (("positive", self.n_pos), ("negative", self.n_neg)):
                if side in needed and size < _FEW:
                    warn(
                        f"The study has only {size} {side} cases, so variances over cases are rough. "
                        "Hint: at least 10 of each class are usual."
                    )
            still = [cell for cell in cells if cell.standard_error == 0.0]
            if still:
                first = still[0]
                warn(
                    f"{measure.title!r} has no spread over cases for {len(still)} of {len(cells)} readings, first "
                    f"reader {first.reader!r} in {first.modality!r}: a reader without a single error. Intervals are "
                    "too short. Hint: more cases may show one."
                )
        near = [one for one in means if one.near_bound]
        if near:
            warn(
                f"The mean of {near[0].modality!r} is within 3 standard errors of a bound of {measure.title!r}, and "
                "its interval covers less than its level. Hint: `means[i].confidence_interval(method='wider')`."
            )
        if found.bias is not None:
            for i, one in enumerate(means):
                bias = float(found.bias[self._readings.modality == i].mean())
                if abs(bias) > _MOST_BIAS * one.standard_error:
                    warn(
                        f"{measure.title!r} of so few cases is on average about {abs(bias):.2g} too "
                        f"{'high' if bias > 0 else 'low'} in {one.modality!r}, so intervals of means cover less than "
                        "their level. Hint: rely on differences, or read more cases."
                    )
                    break

    def _facts(self) -> Row:
        return {
            "design": self.design,
            "case_design": self.case_design,
            "n_readers": len(self.readers),
            "n_modalities": len(self.modalities),
            "n_cases": self.n_cases,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
        }

    def _columns(self) -> dict[str, list[Any]]:
        one = self._readings
        sizes = [one.sizes(cell) for cell in range(one.modality.size)]
        return {
            "modality": [self.modalities[i] for i in one.modality],
            "reader": [self.readers[j] for j in one.reader],
            "n_pos": [size[0] for size in sizes],
            "n_neg": [size[1] for size in sizes],
        }

    def __repr__(self) -> str:
        t, r = len(self.modalities), len(self.readers)
        stand = {
            "crossed": "readers crossed with modalities; " if t > 1 else "",
            "nested": "readers nested in modalities; ",
            "incomplete": "not every reader reads in every modality; ",
        }[self.design]
        return (
            f"Reader study: {r} reader{'s' * (r != 1)}, {t} modalit{'y' if t == 1 else 'ies'}, {self.n_cases:,} cases "
            f"({self.n_pos:,} positive, {self.n_neg:,} negative), {self._readings.rating.size:,} ratings\n"
            f"  {stand}{self.case_design}"
        )


def readers(
    frame: Any,
    *,
    reader: str = "reader",
    case: str = "case",
    modality: str | None = "modality",
    truth: str = "truth",
    rating: str = "rating",
    pos_label: object = None,
) -> ReaderStudy:
    """Return a reader study: the ratings of many cases by several readers, with one rating in each row.

    Parameters
    ----------
    frame : dataframe
        Of pandas, polars or pyarrow, or anything with `__arrow_c_stream__`.
    reader, case, modality, truth, rating : str
        The names of the columns. `modality` may be None for a study of one modality. A case has the same name wherever
        it is read, and one truth; larger ratings mean more positive.
    pos_label : object, optional
        The truth of positive cases, unless truths are 0 and 1, false and true, or -1 and 1.

    Returns
    -------
    ReaderStudy
        Its design is seen in the rows: readers crossed with modalities or nested in them, cases read by all, by some,
        or by one.

    Examples
    --------
    >>> import thresher as th
    >>> study = th.readers(th.datasets.load_reader_study().to_frame())
    >>> study.measure("roc_auc")
    roc_auc of 6 random readers and 120 random cases, readers crossed, influence covariance
      assisted    0.886, 95% interval 0.835 to 0.937
      unassisted  0.836, 95% interval 0.776 to 0.895
      assisted - unassisted: +0.050 [-0.004, +0.104], t(14.34) = 1.99, p = 0.0662
    """
    return ReaderStudy(
        read_frame(frame, reader=reader, case=case, modality=modality, truth=truth, rating=rating, pos_label=pos_label)
    )
