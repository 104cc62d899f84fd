"""Figures at a cut-off that was fixed beforehand: likelihood ratios, odds ratio and predictive values."""

from __future__ import annotations

import math

from thresher._cells import Matrix, find
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_prevalence, warn
from thresher._core.presented import Presented
from thresher._core.result_bases import Numeric
from thresher._core.values import value
from thresher._inference.interval import ConfidenceInterval, normal_quantile
from thresher._inference.rates.effective_counts import effective_matrix, refuse_unknown
from thresher._inference.rates.proportion import PROPORTION_METHODS, cell_limits
from thresher._inference.rates.two_rates import RATIO_METHODS, ratio_bounds
from thresher._table import CellSample
from thresher.exceptions import InvalidInputError

__all__ = ["CUT_OFF_FIGURES", "CutOffFigure", "cut_off_figure"]

CUT_OFF_FIGURES = ("lr_positive", "lr_negative", "dor", "ppv", "npv")


@value(repr=False)
class CutOffFigure(Numeric, Presented):
    """One figure of the confusion matrix at a threshold that was fixed before these cases were seen.

    Attributes
    ----------
    name : {"lr_positive", "lr_negative", "dor", "ppv", "npv"}
        Which figure.
    value : float
        The figure; NaN where no case enters it, +inf where only its denominator is 0.
    tp, fp, fn, tn : float
        The confusion matrix.
    prevalence : float or None
        The proportion of positives to which a predictive value refers; None for that of the sample.
    sample : CellSample or None
        The rows behind the matrix where they have weights or belong together: intervals then take the independent
        cases of equal weight that they are worth.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> point = th.Scores(data.y_true, data.logistic).roc().at(threshold=0.2)
    >>> point.lr_positive()
    lr_positive 17.06, 95% interval 13.7 to 21.47 (bayes)
    >>> point.ppv(prevalence=0.01)
    ppv 0.147 at prevalence 0.01, 95% interval 0.1215 to 0.1782 (bayes)
    """

    name: str
    value: float
    tp: float
    fp: float
    fn: float
    tn: float
    prevalence: float | None = None
    sample: CellSample | None = None

    @property
    def methods(self) -> tuple[str, ...]:
        """The names that `confidence_interval` knows for this figure, the default first."""
        if self.name == "dor":
            return ("bayes", "log")
        if self.name in ("ppv", "npv") and self.prevalence is None:
            return PROPORTION_METHODS
        return RATIO_METHODS

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str | None = None, prevalence_cases: int | None = None
    ) -> ConfidenceInterval:
        """Return an interval for the figure.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : str, optional
            Likelihood ratios, and predictive values at a given prevalence: "bayes" (default; the default limits of both
            rates joined), "mover" (Jeffreys' limits joined), "score" (Koopman), "log" (Simel; for predictive values
            that is the logit interval of Mercaldo, Lau and Zhou). Odds ratio: "bayes" (default; the posterior of both
            rates), "log" (Woolf; with half a case more in every cell if one is empty). Predictive values at the
            sample's own prevalence: "bayes" (default), "wilson", "clopper-pearson", "jeffreys", as in
            `proportion_interval`.
        prevalence_cases : int, optional
            For a predictive value with "log": the prevalence was found in another sample of so many cases.

        Returns
        -------
        ConfidenceInterval
            Ends are 0 or +inf where a count is 0.

        References
        ----------
        .. [1] A. Donner and G. Y. Zou, "Closed-form confidence intervals for functions of the normal mean and standard
           deviation", Statistical Methods in Medical Research 21 (2012), 347-359, doi:10.1177/0962280210383082
        .. [2] N. D. Mercaldo, K. F. Lau and X. H. Zhou, "Confidence intervals for predictive values with an emphasis to
           case-control studies", Statistics in Medicine 26 (2007), 2170-2183, doi:10.1002/sim.2677

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> point = th.Scores(data.y_true, data.logistic).roc().at(threshold=0.2)
        >>> print(f"{point.lr_negative().confidence_interval(method='score'):.3f}")
        0.099 to 0.208
        """
        level = check_confidence_level(confidence_level)
        how = self.methods[0] if method is None else check_choice(method, "method", self.methods)
        extra = 0.0
        if prevalence_cases is not None:
            if how != "log" or self.prevalence is None:
                raise InvalidInputError(
                    "`prevalence_cases` must come with a predictive value at a given prevalence and method='log'; got "
                    f"{self.name!r} and {how!r}."
                )
            n = check_count(prevalence_cases, "prevalence_cases", minimum=1)
            extra = 1.0 / (n * self.prevalence * (1.0 - self.prevalence))
        if math.isnan(self.value):
            warn(f'No case enters "{self.name}", so its interval says nothing.')
        low, high = self._bounds(level, how, extra)
        return ConfidenceInterval(low, high, level, how)

    def _bounds(self, level: float, method: str, extra: float) -> tuple[float, float]:
        if self.name in ("ppv", "npv") and self.prevalence is None:
            return self._limits(self.name.replace("ppv", "precision"), level, method)
        if self.name == "dor" and method == "bayes":
            return self._limits("dor", level, method, design="fixed")
        tp, fp, fn, tn = self._cases(level)
        n_pos, n_neg = tp + fn, fp + tn
        if self.name == "dor":
            return _log_odds_ratio_bounds(tp, fp, fn, tn, level)
        positive = self.name in ("lr_positive", "ppv")
        cells = (tp, n_pos, fp, n_neg) if positive else (fn, n_pos, tn, n_neg)
        if n_pos == 0.0 or n_neg == 0.0:
            low, high = 0.0, math.inf
        else:
            low, high = ratio_bounds(*cells, level, method)
        if self.name in ("lr_positive", "lr_negative"):
            return low, high
        if extra:
            low, high = _widened(low, high, level, extra)
        odds = _given(self.prevalence) / (1.0 - _given(self.prevalence))
        if self.name == "ppv":
            return _share(odds * low), _share(odds * high)
        # More missed positives for each correct negative lower the value.
        return _other_share(odds * high), _other_share(odds * low)

    @property
    def _weight(self) -> dict[str, float]:
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}

    def _cases(self, level: float) -> tuple[float, float, float, float]:
        """Return the matrix, or the cases of equal weight that are worth its two rates."""
        if self.sample is None:
            return self.tp, self.fp, self.fn, self.tn
        return effective_matrix(self._weight, self.sample, level)

    def _limits(self, metric: str, level: float, method: str, design: str = "random") -> tuple[float, float]:
        """Return the limits of a metric of the catalogue."""
        if self.sample is not None:
            refuse_unknown(self.sample)
        return cell_limits(find(metric), Matrix(**self._weight), self.sample, method=method, level=level, design=design)

    def __repr__(self) -> str:
        where = "" if self.prevalence is None else f" at prevalence {self.prevalence:g}"
        if math.isnan(self.value):
            return f"{self.name} nan{where}"
        low, high = self._bounds(0.95, self.methods[0], 0.0)
        return f"{self.name} {self.value:.4g}{where}, 95% interval {low:.4g} to {high:.4g} ({self.methods[0]})"


def cut_off_figure(
    name: str,
    tp: float,
    fp: float,
    fn: float,
    tn: float,
    prevalence: float | None = None,
    sample: CellSample | None = None,
) -> CutOffFigure:
    """Return a figure at a cut-off; `prevalence` only for predictive values."""
    if prevalence is not None:
        check_prevalence(prevalence)
    n_pos, n_neg = tp + fn, fp + tn
    if name == "dor":
        figure = _quotient(tp * tn, fp * fn)
    elif name == "lr_positive":
        figure = _quotient(tp * n_neg, fp * n_pos)
    elif name == "lr_negative":
        figure = _quotient(fn * n_neg, tn * n_pos)
    elif prevalence is None:
        figure = _quotient(tp, tp + fp) if name == "ppv" else _quotient(tn, tn + fn)
    else:
        # prevalence TPR against (1 - prevalence) FPR, over the common denominator.
        sick, well = prevalence * n_neg, (1.0 - prevalence) * n_pos
        figure = (
            _quotient(sick * tp, sick * tp + well * fp)
            if name == "ppv"
            else _quotient(well * tn, well * tn + sick * fn)
        )
    return CutOffFigure(name, figure, tp, fp, fn, tn, prevalence, sample)


def _quotient(part: float, whole: float) -> float:
    if whole > 0.0:
        return part / whole
    return math.inf if part > 0.0 else math.nan


def _given(number: float | None) -> float:
    return math.nan if number is None else number


def _share(odds: float) -> float:
    return 1.0 if math.isinf(odds) else odds / (1.0 + odds)


def _other_share(odds: float) -> float:
    return 0.0 if math.isinf(odds) else 1.0 / (1.0 + odds)


def _widened(low: float, high: float, level: float, extra: float) -> tuple[float, float]:
    """Add the variance of the logit of an estimated prevalence to an interval on the log scale."""
    centre = (math.log(low) + math.log(high)) / 2.0
    reach = math.hypot((math.log(high) - math.log(low)) / 2.0, normal_quantile(level) * math.sqrt(extra))
    return math.exp(centre - reach), math.exp(centre + reach)


def _log_odds_ratio_bounds(tp: float, fp: float, fn: float, tn: float, level: float) -> tuple[float, float]:
    cells = [tp, fp, fn, tn]
    if 0.0 in cells:
        cells = [cell + 0.5 for cell in cells]
    centre = math.log(cells[0]) + math.log(cells[3]) - math.log(cells[1]) - math.log(cells[2])
    reach = normal_quantile(level) * math.sqrt(math.fsum(1.0 / cell for cell in cells))
    return math.exp(centre - reach), math.exp(centre + reach)
