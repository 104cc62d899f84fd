"""Bands around a curve: for each point alone, or for the curve as a whole."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.checks import (
    check_choice,
    check_confidence_level,
    check_count,
    check_fractions,
    check_prevalence,
    warn,
)
from thresher._core.random_streams import Rng, batch_rows, random_generator, run_batches, stream_key
from thresher._curves import pr_gain_curve
from thresher._inference.bands.band_ends import WALD, Ends, distrust, precision_band, precision_of, share_band
from thresher._inference.bands.cuts import (
    FEW_ACROSS,
    Cuts,
    bootstrap_band,
    cuts_along_negatives,
    cuts_along_positives,
    drawn_curves,
    hardly_differ,
    rank_envelope,
    resampled_curves,
    weighted_cuts,
    worth_of_classes,
)
from thresher._inference.interval import ConfidenceInterval, CurveBand, normal_quantile
from thresher._inference.sampling import check_band_method, check_weights, needs_weights, sampling_of
from thresher._table import Counts, check_two_classes
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, FloatArray

POINTWISE_METHODS = ("binomial-beta", "logit", "normal", "bootstrap")
SIMULTANEOUS_METHODS = ("envelope", "equal-local-level", "dkw", "bootstrap")
_DESIGNS = ("random", "fixed")


def roc_band(
    counts: Counts,
    fpr: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    method: str | None = None,
    design: str = "random",
    n_resamples: int = 4000,
    rng: object = None,
) -> CurveBand:
    """Return a confidence band of the ROC curve.

    Parameters
    ----------
    fpr : array-like, optional
        False positive rates at which the band is wanted; 0, 0.01, ..., 1 if left out.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    simultaneous : bool, default=False
        Whether the confidence level applies to the whole curve instead of to each point.
    method : str, optional
        Pointwise: "binomial-beta" (default), "logit", "normal", "bootstrap". Simultaneous: "envelope" (default),
        "equal-local-level" (finite-sample guarantee), "dkw", "bootstrap".
    design : {"random", "fixed"}
        Whether the class totals were left to chance; for ROC both give the same band.
    n_resamples, rng : int, optional
        For "envelope" and "bootstrap": how many curves are drawn, and a seed.

    Returns
    -------
    CurveBand
        With `x`, `low`, `value` and `high` of equal length.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> band = th.Scores(data.y_true, data.logistic).roc_band([0.05, 0.1])
    >>> band.low.round(3), band.high.round(3)
    (array([0.777, 0.883]), array([0.909, 0.961]))
    """
    check_two_classes(counts, "A band of the ROC curve")
    counts = counts._even
    grid = _check_grid(np.linspace(0.0, 1.0, 101) if fpr is None else fpr, "fpr")
    how, level = _check_request(method, confidence_level, simultaneous, design)
    n_draws, generator = check_count(n_resamples, "n_resamples", minimum=100), random_generator(rng)
    x, back = np.unique(grid.ravel(), return_inverse=True)
    weighted = needs_weights(counts, balance=False)
    if weighted:
        check_band_method(counts, how)
        cuts = weighted_cuts(counts, along_positives=False, confidence_level=level)
    else:
        cuts = cuts_along_negatives(counts._plain or counts)
    if how == "bootstrap":
        table = counts if weighted else counts._plain or counts
        curves = resampled_curves(table, x, n_draws, generator, along_positives=False, stratified=True)
        if not weighted:
            _warn_if_alike(cuts, x, "positives", simultaneous=simultaneous)
        low, high = bootstrap_band(curves, level, simultaneous=simultaneous)
    elif weighted and how == "envelope":
        low, high = rank_envelope(*drawn_curves(counts, x, n_draws, generator, along_positives=False)[:2], level)
    else:
        low, high = share_band(cuts, x, how, level, n_draws, generator)
    _warn_if_wald(how, cuts, x, ("negatives", "positives"))
    # At a jump a ROC curve is read at its upper end, the most true positives for that false positive rate.
    value = cuts.value(x, at_jumps="upper")
    return _present(grid, back, (low, high), value, level, how, simultaneous=simultaneous, curve="roc")


def pr_band(
    counts: Counts,
    recall: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    method: str | None = None,
    design: str = "random",
    prevalence: float | None = None,
    n_resamples: int = 4000,
    rng: object = None,
) -> CurveBand:
    """Return a confidence band of the precision-recall curve.

    Parameters
    ----------
    recall : array-like, optional
        Recalls at which the band is wanted; 0.01, 0.02, ..., 1 if left out.
    confidence_level, simultaneous, method, n_resamples, rng
        As in `roc_band`.
    design : {"random", "fixed"}
        Whether the number of positives was left to chance, so that the prevalence is uncertain too.
    prevalence : float, optional
        The known proportion of positives to which precision refers.

    Returns
    -------
    CurveBand

    Notes
    -----
    Ties: between two thresholds the curve is what mixing them attains, and the band is a band of that curve.
    Inside a block of equal scores it is narrower than at a threshold, since each case of the block counts in part.
    After `Scores.compress` a block holds scores that differ: its path is not known, and both ends stay in the band.

    Where no negative stands above the threshold the band reaches precision 1, and where all do it reaches that of
    predicting everything positive; without these two rules such points would never be covered.

    With random class counts the distributions of the false positive rate and of the prevalence are convolved. Adding
    the squares of two half-widths instead (MOVER) is shorter but covers less where the curve is steep. What each method
    covers is in the tables of the validation pages.

    References
    ----------
    .. [1] J. M. Hughes-Oliver (2018), "Population and empirical PR curves for assessment of ranking algorithms".
    .. [2] J. Gu, S. Ghosal and A. Roy (2008), "Bayesian bootstrap estimation of ROC curve", doi:10.1002/sim.3366.
    .. [3] J. Besag, P. Green, D. Higdon and K. Mengersen (1995), "Bayesian computation and stochastic systems",
       doi:10.1214/ss/1177010123.
    .. [4] S. Aldor-Noiman et al. (2013), "The power to see: a new graphical test of normality",
       doi:10.1080/00031305.2013.847865.
    .. [5] G. Campbell (1994), "Advances in statistical methodology for the evaluation of diagnostic and laboratory
       tests", doi:10.1002/sim.4780130513.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> band = th.Scores(data.y_true, data.logistic).pr_band([0.5, 0.9])
    >>> band.low.round(2), band.value.round(2), band.high.round(2)
    (array([0.92, 0.41]), array([0.98, 0.6 ]), array([1.  , 0.68]))
    """
    check_two_classes(counts, "A band of the PR curve")
    counts = counts._even
    grid = _check_grid(np.linspace(0.01, 1.0, 100) if recall is None else recall, "recall")
    how, level = _check_request(method, confidence_level, simultaneous, design)
    share = None if prevalence is None else check_prevalence(prevalence)
    n_draws, generator = check_count(n_resamples, "n_resamples", minimum=100), random_generator(rng)
    x, back = np.unique(grid.ravel(), return_inverse=True)
    weighted, random = needs_weights(counts, balance=True), share is None and design == "random"
    if weighted:
        check_band_method(counts, how)
        cuts = weighted_cuts(counts, along_positives=True, confidence_level=level)
    else:
        cuts = cuts_along_positives(counts)
    skew = float(counts.n_neg / counts.n_pos) if share is None else (1.0 - share) / share
    totals = (counts.n_pos, counts.n_neg) if random else None
    if random and weighted:
        totals = worth_of_classes(counts)
    if how == "bootstrap":
        curves = np.zeros((n_draws, x.size))
        # Recall 0 comes first, if at all, and has no precision.
        start, own = int(x[0] == 0.0), random or (share is None and not weighted)
        curves[:, start:] = resampled_curves(
            counts,
            x[start:],
            n_draws,
            generator,
            along_positives=True,
            stratified=not random,
            odds=None if own else skew,
        )
        ends = bootstrap_band(curves, level, simultaneous=simultaneous)
        if not weighted:
            _warn_if_alike(cuts, x, "negatives", simultaneous=simultaneous)
    elif how == "envelope" and weighted:
        least, most, drawn = drawn_curves(counts, x, n_draws, generator, along_positives=True)
        by = drawn[:, None] if random else skew
        ends = rank_envelope(precision_of(x, by * most), precision_of(x, by * least), level)
    else:
        ends = precision_band(cuts, x, how, level, skew, totals, n_draws, generator)
    _warn_if_wald(how, cuts, x, ("positives", "negatives"))
    value = precision_of(x, skew * cuts.value(x))
    # Calling nothing positive has no precision: that of the first group is its limit.
    first, above = cuts.along[1] / cuts.n_along, skew * cuts.across[1] / cuts.n_across
    value[x == 0.0] = first / (first + above) if first + above > 0.0 else 1.0
    return _present(grid, back, ends, value, level, how, simultaneous=simultaneous, curve="pr")


def _check_grid(value: ArrayLike, name: str) -> FloatArray:
    grid = check_fractions(value, name)
    if grid.size == 0:
        raise InvalidInputError(f"`{name}` must hold at least one value; got none. Hint: leave it out for a full grid.")
    return grid


def _check_request(method: str | None, confidence_level: float, simultaneous: bool, design: str) -> tuple[str, float]:
    level = check_confidence_level(confidence_level)
    check_choice(design, "design", _DESIGNS)
    allowed, others = POINTWISE_METHODS, SIMULTANEOUS_METHODS
    if simultaneous:
        allowed, others = others, allowed
    if method is None:
        return allowed[0], level
    if method in others and method not in allowed:
        raise InvalidInputError(
            f"`method` must be one of {', '.join(map(repr, allowed))} when simultaneous={simultaneous}; got "
            f"{method!r}. Hint: {method!r} belongs to simultaneous={not simultaneous}."
        )
    return check_choice(method, "method", allowed), level


def _warn_if_wald(method: str, cuts: Cuts, x: FloatArray, names: tuple[str, str]) -> None:
    if method not in WALD:
        return
    reasons = distrust(cuts, x, names)
    if reasons:
        warn(
            f"The band of method {method!r} must not be trusted here: {'; '.join(reasons)}. "
            "Hint: 'binomial-beta' covers there."
        )


def _warn_if_alike(cuts: Cuts, x: FloatArray, across: str, *, simultaneous: bool) -> None:
    points = hardly_differ(cuts, x)
    if points:
        better = SIMULTANEOUS_METHODS[0] if simultaneous else POINTWISE_METHODS[0]
        warn(
            f"The band of method 'bootstrap' must not be trusted here: fewer than {FEW_ACROSS} {across} above or below "
            f"the threshold at {points} of {x.size} points, where resamples hardly differ. "
            f"Hint: {better!r} covers there."
        )


def _present(
    grid: FloatArray,
    back: NDArray[np.intp],
    ends: Ends,
    value: FloatArray,
    level: float,
    method: str,
    *,
    simultaneous: bool,
    curve: str,
) -> CurveBand:
    low, high = (np.clip(end, 0.0, 1.0) for end in ends)
    x = np.array(grid, dtype=np.float64)
    if curve == "pr":
        # Recall 0 fixes no precision.
        nothing = np.unique(grid) == 0.0
        low, high = np.where(nothing, 0.0, low), np.where(nothing, 1.0, high)
    columns = (np.minimum(low, value), np.maximum(high, value), value)
    low, high, value = (frozen(column[back]).reshape(grid.shape) for column in columns)
    return CurveBand(frozen(x), low, high, value, level, method, simultaneous, curve)


GAIN_METHODS = ("log", "percentile")

_GRID = np.linspace(0.0, 1.0, 101)


def pr_gain_band(
    counts: Counts,
    recall_gain: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    method: str | None = None,
    n_resamples: int = 4000,
    rng: object = None,
) -> CurveBand:
    """Return a confidence band of the precision-recall-gain curve; the class totals are taken as given.

    Parameters
    ----------
    recall_gain : array-like, optional
        Recall gains in [0, 1] at which the band is wanted; 0, 0.01, ..., 1 if left out.
    confidence_level, simultaneous, method, n_resamples, rng
        As in `roc_band`.

    Returns
    -------
    CurveBand
        The band of `pr_band` seen in the other space; gains below 0 are worse than predicting everything positive.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> band = th.Scores(data.y_true, data.logistic).pr_gain_band([0.9, 0.99])
    >>> band.low.round(3), band.value.round(3), band.high.round(3)
    (array([0.989, 0.827]), array([0.998, 0.907]), array([1.   , 0.943]))
    """
    check_two_classes(counts, "A precision-recall-gain band")
    gain = _GRID if recall_gain is None else np.atleast_1d(check_fractions(recall_gain, "recall_gain"))
    share = float(counts.prevalence)
    # At a given prevalence both gains rise with precision and recall, so the band of the PR curve is carried over.
    found = pr_band(
        counts,
        np.minimum(share / (1.0 - (1.0 - share) * gain), 1.0),
        confidence_level=confidence_level,
        simultaneous=simultaneous,
        method=method,
        design="fixed",
        n_resamples=n_resamples,
        rng=rng,
    )

    def gained(precision: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.asarray((precision - share) / ((1.0 - share) * precision))

    low, high, value = (gained(ends) for ends in (found.low, found.high, found.value))
    return CurveBand(gain, low, high, value, found.confidence_level, found.method, found.simultaneous, "pr_gain")


def pr_gain_interval(
    counts: Counts, confidence_level: float = 0.95, *, method: str = "log", n_resamples: int = 2000, rng: Rng = None
) -> ConfidenceInterval:
    """Return a confidence interval of the area under the precision-recall-gain curve.

    Parameters
    ----------
    confidence_level : float, default 0.95
        Strictly between 0 and 1.
    method : {"log", "percentile"}, default "log"
        A normal interval on the scale of log(1 - area), its standard error from the resamples; or their quantiles,
        which lie too high when the area is near 1 and the classes are small.
    n_resamples : int, default 2000
        How many resamples of the counts are drawn; each class keeps its size.
    rng : Generator or int, optional
        Source of randomness.

    Returns
    -------
    ConfidenceInterval

    Warns
    -----
    ThresherWarning
        When the area is 1: the interval is a point.

    Notes
    -----
    The area is at most 1 and skewed towards it. On the scale of log(1 - area) the normal distribution is nearer, and
    the interval stays below 1; quantiles of the resamples lie too high when the area is near 1 and the classes are
    small.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> round(scores.pr_gain().area, 4), f"{scores.pr_gain_interval(rng=1):.3f}"
    (0.9961, '0.994 to 0.997')
    """
    check_two_classes(counts, "An interval of the precision-recall-gain area")
    check_weights(counts)
    level = check_confidence_level(confidence_level)
    check_choice(method, "method", GAIN_METHODS)
    areas = resampled_gain_areas(counts, check_count(n_resamples, "n_resamples", minimum=2), rng)
    if method == "percentile":
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(areas, (tail, 1.0 - tail))
        return ConfidenceInterval(float(low), float(high), level, method)
    missing = 1.0 - pr_gain_curve(counts).area
    if missing <= 0.0:
        warn(
            "The area is 1, and so is that of every resample: the interval is a point and says nothing. "
            "Hint: `roc_auc().confidence_interval()` has length for separated classes."
        )
        return ConfidenceInterval(1.0, 1.0, level, method)
    factor = math.exp(min(normal_quantile(level) * float(areas.std(ddof=1)) / missing, 50.0))
    return ConfidenceInterval(1.0 - missing * factor, 1.0 - missing / factor, level, method)


def resampled_gain_areas(counts: Counts, n_resamples: int, rng: Rng) -> FloatArray:
    """Return the area of each resample, drawn within the classes."""
    # Rows with weights keep them, and clusters are drawn whole.
    plan = sampling_of(counts).draws(counts, "path", None, stratified=True)
    key = stream_key(rng)

    def measured(first: int, count: int) -> FloatArray:
        return np.array([_area(*table) for table in zip(*plan.draw(key, first, count), strict=True)])

    return run_batches(measured, n_resamples, rows=batch_rows(len(counts)))


def _area(pos: FloatArray, neg: FloatArray) -> float:
    """Return the area over recall gain 0 to 1 of a table, highest score first."""
    tp, fp = np.append(0.0, np.cumsum(pos)), np.append(0.0, np.cumsum(neg))
    n_pos, n_neg = tp[-1], fp[-1]
    # Recall gain 0 is recall = prevalence.
    start = n_pos * n_pos / (n_pos + n_neg)
    after = int(np.searchsorted(tp, start))
    part = (start - tp[after - 1]) / (tp[after] - tp[after - 1])
    tp = np.append(start, tp[after:])
    fp = np.append(fp[after - 1] + part * (fp[after] - fp[after - 1]), fp[after:])
    x, y = -(n_pos / n_neg) * n_pos / tp, 1.0 - n_pos / n_neg * fp / tp
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2.0)
