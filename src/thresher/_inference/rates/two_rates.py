"""Two rates compared, and what follows at a cut-off: likelihood ratios, the odds ratio and predictive values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._cells import PROPORTION_METHODS, Matrix, find, proportion_bounds
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_prevalence, warn
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented
from thresher._core.result_bases import Numeric
from thresher._core.root_search import bisect
from thresher._core.values import value
from thresher._inference.interval import ConfidenceInterval, normal_quantile
from thresher._inference.sampling import cell_limits, effective_matrix, refuse_unknown
from thresher._table import CellSample
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, FloatArray


def tango(only_a: float, only_b: float, total: float, level: float) -> tuple[float, float]:
    """Return the score limits of the difference of two paired shares, a minus b."""
    z = normal_quantile(level)

    def inside(delta: float) -> bool:
        square = 2.0 * total
        linear = -only_a - only_b + (2.0 * total - only_a + only_b) * delta
        constant = -only_b * delta * (1.0 - delta)
        # The likeliest proportion of "b alone" where the difference is delta.
        share = (math.sqrt(max(linear * linear - 4.0 * square * constant, 0.0)) - linear) / (2.0 * square)
        spread = total * (2.0 * share + delta * (1.0 - delta))
        gap = only_a - only_b - total * delta
        return gap * gap <= z * z * max(spread, 0.0)

    seen = (only_a - only_b) / total
    low = -1.0 if seen == -1.0 else bisect(inside, -1.0, seen)
    high = 1.0 if seen == 1.0 else bisect(inside, 1.0, seen)
    return low, high


def newcombe_paired(both: float, only_a: float, only_b: float, neither: float, level: float) -> tuple[float, float]:
    """Return Newcombe's tenth interval of the difference of two paired shares: Wilson limits with their correlation."""
    total = both + only_a + only_b + neither
    a, b = both + only_a, both + only_b
    low, high = proportion_bounds(np.array([a, b]), np.array([total, total]), level, "wilson")
    cross = both * neither - only_a * only_b
    if cross > 0.0:
        cross = max(cross - total / 2.0, 0.0)
    product = a * (total - a) * b * (total - b)
    phi = cross / math.sqrt(product) if product > 0.0 else 0.0
    pa, pb = a / total, b / total

    def reach(x: float, y: float) -> float:
        return math.sqrt(max(x * x - 2.0 * phi * x * y + y * y, 0.0))

    down = reach(pa - float(low[0]), float(high[1]) - pb)
    up = reach(float(high[0]) - pa, pb - float(low[1]))
    return max(pa - pb - down, -1.0), min(pa - pb + up, 1.0)


def predictive_value_test(
    right_a: float, called_a: float, right_b: float, called_b: float, both_right: float, both_wrong: float
) -> tuple[float, float]:
    """Return statistic and p-value of equal predictive values: Kosinski's weighted generalised score statistic."""
    if called_a == 0.0 or called_b == 0.0:
        return math.nan, math.nan
    pooled = (right_a + right_b) / (called_a + called_b)
    shared = (both_right * (1.0 - pooled) ** 2 + both_wrong * pooled**2) / (called_a + called_b)
    spread = (pooled * (1.0 - pooled) - 2.0 * shared) * (1.0 / called_a + 1.0 / called_b)
    gap = right_a / called_a - right_b / called_b
    if gap == 0.0:
        return 0.0, 1.0
    if spread <= 0.0:
        return math.nan, math.nan
    statistic = gap * gap / spread
    return statistic, float(scipy.special.chdtrc(1.0, statistic))


def log_ratio_difference(
    found: tuple[float, float, float], alarmed: tuple[float, float, float], level: float
) -> tuple[float, float, float, float]:
    """Return the ratio of two likelihood ratios with its limits and p-value, from (both, a only, b only) by class."""
    variance = 0.0
    centre = 0.0
    for sign, (both, only_a, only_b) in ((1.0, found), (-1.0, alarmed)):
        a, b = both + only_a, both + only_b
        if a == 0.0 or b == 0.0:
            return math.nan, 0.0, math.inf, math.nan
        centre += sign * (math.log(a) - math.log(b))
        # Delta method with the paired covariance of the two shares; their total cancels.
        variance += 1.0 / a + 1.0 / b - 2.0 * both / (a * b)
    reach = normal_quantile(level) * math.sqrt(max(variance, 0.0))
    chance = 1.0 if centre == 0.0 else math.nan
    if variance > 0.0:
        chance = 2.0 * float(scipy.special.ndtr(-abs(centre) / math.sqrt(variance)))
    return math.exp(centre), math.exp(centre - reach), math.exp(centre + reach), chance


RATIO_METHODS = ("bayes", "mover", "score", "log")
# Whose limits of the two shares are joined.
_JOINED = {"bayes": "bayes", "mover": "jeffreys"}


def score_statistic(x1: ArrayLike, n1: float, x2: ArrayLike, n2: float, ratio: float) -> FloatArray:
    """Koopman's statistic: p1 - ratio p2 over its standard error at the likeliest pair with that ratio.

    Negative where the data speak for a smaller ratio; 0 where the variance is 0 and so is the difference.
    """
    a, b = np.asarray(x1, dtype=np.float64), np.asarray(x2, dtype=np.float64)
    gap = a / n1 - ratio * b / n2
    square = (n1 + n2) * ratio
    linear = -(n1 * ratio + a + n2 + b * ratio)
    both = a + b
    # The smaller root; written so that it does not cancel.
    p2 = 2.0 * both / (-linear + np.sqrt(np.maximum(linear * linear - 4.0 * square * both, 0.0)))
    p1 = np.minimum(ratio * p2, 1.0)
    spread = np.sqrt(p1 * (1.0 - p1) / n1 + ratio * ratio * p2 * np.maximum(1.0 - p2, 0.0) / n2)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = gap / spread
    return np.asarray(np.where(spread > 0.0, z, _limit(gap)))


def _limit(gap: NDArray[Any]) -> NDArray[Any]:
    return np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap))


def ratio_bounds(
    x1: float, n1: float, x2: float, n2: float, confidence_level: float, method: str
) -> tuple[float, float]:
    """Return the limits of p1 / p2; [0, inf] where both counts are 0."""
    if x1 == 0.0 and x2 == 0.0:
        return 0.0, math.inf
    if method in _JOINED:
        return _joined(x1, n1, x2, n2, confidence_level, _JOINED[method])
    if method == "score":
        return _score(x1, n1, x2, n2, confidence_level)
    return _logarithm(x1, n1, x2, n2, confidence_level)


def _joined(x1: float, n1: float, x2: float, n2: float, level: float, shares: str) -> tuple[float, float]:
    """Return the limits that Donner and Zou make from those of either share."""
    counts, totals = np.array([x1, x2]), np.array([n1, n2])
    (l1, l2), (u1, u2) = (end.tolist() for end in proportion_bounds(counts, totals, level, shares))
    p1, p2 = x1 / n1, x2 / n2
    low = 0.0 if x1 == 0.0 else _smaller_root(p1, p2, p1 - l1, u2 - p2)
    high = math.inf if x2 == 0.0 else _larger_root(p1, p2, u1 - p1, p2 - l2)
    return low, high


def ratio_excluded(
    x1: FloatArray, n1: int, x2: FloatArray, n2: int, ratio: float, level: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether the default limits of p1 / p2 lie above a ratio, and whether below; for many counts at once.

    They solve p1 - L p2 = sqrt(down^2 + L^2 up^2) and the like: putting the ratio in for L tells on which side they
    lie.
    """
    p1, p2 = x1 / n1, x2 / n2
    shares = _JOINED[RATIO_METHODS[0]]
    l1, u1 = proportion_bounds(x1, np.full_like(x1, float(n1)), level, shares)
    l2, u2 = proportion_bounds(x2, np.full_like(x2, float(n2)), level, shares)
    above = p1 - ratio * p2 > np.hypot(p1 - l1, ratio * (u2 - p2))
    below = ratio * p2 - p1 > np.hypot(u1 - p1, ratio * (p2 - l2))
    return np.asarray(above & (x1 > 0.0)), np.asarray(below & (x2 > 0.0))


def _smaller_root(p1: float, p2: float, down: float, up: float) -> float:
    """Solve p1 - L p2 = sqrt(down^2 + L^2 up^2) for L: a quadratic, by the form that does not cancel."""
    constant = (p1 - down) * (p1 + down)
    square = (p2 - up) * (p2 + up)
    return constant / (p1 * p2 + math.sqrt(max((p1 * p2) ** 2 - square * constant, 0.0)))


def _larger_root(p1: float, p2: float, up: float, down: float) -> float:
    """Solve U p2 - p1 = sqrt(up^2 + U^2 down^2) for U."""
    constant = (p1 - up) * (p1 + up)
    square = (p2 - down) * (p2 + down)
    if square <= 0.0:  # the other share may be 0, as far as so little of a case can tell
        return math.inf
    return (p1 * p2 + math.sqrt(max((p1 * p2) ** 2 - square * constant, 0.0))) / square


def _score(x1: float, n1: float, x2: float, n2: float, level: float) -> tuple[float, float]:
    z = normal_quantile(level)

    def inside(log: float) -> bool:
        return abs(float(score_statistic(x1, n1, x2, n2, math.exp(log)))) <= z

    # Half a case stands in for none, to have a finite place inside the interval from which to search.
    middle = math.log((max(x1, 0.5) / n1) / (max(x2, 0.5) / n2))
    low = 0.0 if x1 == 0.0 else math.exp(bisect(inside, middle - 40.0, middle))
    high = math.inf if x2 == 0.0 else math.exp(bisect(inside, middle + 40.0, middle))
    return low, high


def _logarithm(x1: float, n1: float, x2: float, n2: float, level: float) -> tuple[float, float]:
    if x1 == 0.0 or x2 == 0.0:
        x1, n1, x2, n2 = x1 + 0.5, n1 + 1.0, x2 + 0.5, n2 + 1.0
    reach = normal_quantile(level) * math.sqrt(1.0 / x1 - 1.0 / n1 + 1.0 / x2 - 1.0 / n2)
    centre = math.log(x1) - math.log(n1) - math.log(x2) + math.log(n2)
    return math.exp(centre - reach), math.exp(centre + reach)


@value(repr=False)
class CutOffFigure(Numeric, Presented):
    """One metric of the confusion matrix at a threshold that was fixed beforehand.

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
    lr_positive 17.1, 95% interval 13.7 to 21.5 (bayes)
    >>> point.ppv(prevalence=0.01)
    ppv 0.147 at prevalence 0.01, 95% interval 0.122 to 0.178 (bayes)
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
        """The methods of `confidence_interval` for this metric, the default first."""
        if self.name == "dor":
            return ("bayes", "log")
        if self.name in ("ppv", "npv") and self.prevalence is None:
            return PROPORTION_METHODS
        return RATIO_METHODS

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str | None = None, prevalence_cases: int | None = None
    ) -> ConfidenceInterval:
        """Return an interval for the metric.

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
        shown, low_text, high_text = beside_interval(low, high, self.value)
        return f"{self.name} {shown}{where}, 95% interval {low_text} to {high_text} ({self.methods[0]})"


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
