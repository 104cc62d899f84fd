"""Fitting score distributions to data, and how well they fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from thresher._core.checks import check_choice, show
from thresher._core.sums import dot, dots
from thresher._core.values import ReadOnlyDict, value
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.population._combined import KernelDistribution, silverman
from thresher.population._distributions import Distribution, plain
from thresher.population._ordinal import fit_ordinal
from thresher.typing import FloatArray

FAMILIES: Mapping[str, tuple[str, ...]] = ReadOnlyDict(
    {
        "binormal": ("ordinal", "normal", "least_squares"),
        "bilognormal": ("ml",),
        "bibeta": ("ml",),
        "bigamma": ("ml",),
        "biexponential": ("ml",),
        "kde": ("silverman",),
    }
)
"""Families and their methods, the default first."""

_MANY = 1 << 30  # free parameters of a kernel density, which no chi-square can judge


@value
class Fit:
    """The result of fitting a population.

    Attributes
    ----------
    family, method : str
        What was fitted, and how.
    parameters, standard_errors : mapping of str to float
        Estimates and their standard errors; the latter are empty where the method has none.
    log_likelihood : float
        Largest log likelihood; NaN where the method has none.
    roc_auc, roc_auc_standard_error : float
        Area under the fitted ROC curve and its standard error by the delta method (NaN where there is none).
    statistic, degrees_of_freedom, pvalue : float, int, float
        Pearson's chi-square over groups of scores in which at least five cases of each class are expected, and the
        probability of a larger one under the fitted model; NaN when too few groups are left.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.Population.fit(th.Scores(data.y_true, data.logistic)).fit_result
    >>> found.family, {name: round(value, 2) for name, value in found.parameters.items()}
    ('binormal', {'a': 2.63, 'b': 0.92})
    """

    family: str
    method: str
    parameters: Mapping[str, float]
    standard_errors: Mapping[str, float]
    log_likelihood: float
    roc_auc: float
    roc_auc_standard_error: float
    statistic: float
    degrees_of_freedom: int
    pvalue: float


def fitted(make: Callable[..., Any], scores: Counts, family: str, method: str | None) -> Any:
    """Return the population that `make` builds of the distributions fitted to scores; see `fit_population`."""
    table = _check(scores)
    check_choice(family, "family", FAMILIES)
    chosen = FAMILIES[family][0] if method is None else check_choice(method, "method", FAMILIES[family])
    found = _FITTERS[family, chosen](table)
    prevalence = float(scores.n_pos / (scores.n_pos + scores.n_neg))
    population = make(found.pos, found.neg, prevalence=prevalence)
    statistic, freedom, pvalue = _goodness(table, found)
    population.__dict__["_fit"] = Fit(
        family,
        chosen,
        found.parameters,
        found.errors,
        found.log_likelihood,
        float(population.roc_auc()),
        found.auc_error,
        statistic,
        freedom,
        pvalue,
    )
    return population


@dataclass(slots=True)
class _Table:
    values: FloatArray
    pos: FloatArray
    neg: FloatArray
    n_pos: float
    n_neg: float


@dataclass(slots=True)
class _FoundFit:
    pos: Any
    neg: Any
    parameters: dict[str, float]
    errors: dict[str, float]
    log_likelihood: float
    auc_error: float
    free: int
    groups: Callable[[FloatArray], FloatArray] | None = None  # thresholds of the latent scale for given group ends


def _check(scores: object) -> _Table:
    if not isinstance(scores, Counts):
        raise InvalidTypeError(
            f"`scores` must be a Scores; got {show(scores)} of type {type(scores).__name__}. "
            "Hint: pass thresher.Scores(y_true, y_score)."
        )
    if not (scores.n_pos > 0 and scores.n_neg > 0):
        raise UndefinedMetricError(
            f"A fit needs both classes; got {scores.n_pos:,} positives and {scores.n_neg:,} negatives."
        )
    values = np.asarray(scores.thresholds, dtype=np.float64)[::-1]
    # Weighted rows are as many cases as they are worth, or their standard errors would depend on the unit of weights.
    rows, worth = scores if scores._plain is None else scores._plain, (scores.effective_pos, scores.effective_neg)
    n_pos, n_neg = worth if rows._weight_squares is not None else (float(rows.n_pos), float(rows.n_neg))
    pos = np.asarray(rows.pos, dtype=np.float64)[::-1] * (n_pos / float(rows.n_pos))
    neg = np.asarray(rows.neg, dtype=np.float64)[::-1] * (n_neg / float(rows.n_neg))
    return _Table(values, pos, neg, n_pos, n_neg)


def _joined(pos: FloatArray, neg: FloatArray) -> NDArray[np.int64]:
    """Return the group of each score: neighbours joined until five of each class are expected, twenty at most."""
    label, current = np.zeros(pos.size, dtype=np.int64), 0
    sum_pos = sum_neg = 0.0
    for i in range(pos.size):
        label[i] = current
        sum_pos, sum_neg = sum_pos + pos[i], sum_neg + neg[i]
        if min(sum_pos, sum_neg) >= 5:
            current, sum_pos, sum_neg = current + 1, 0.0, 0.0
    # After a full group both sums are 0; whatever is left over joins the last full group.
    last = max(current - 1, 0)
    # Sparse continuous data would give a group for every few cases; twenty are enough to see a misfit.
    return np.minimum(label, last) // max(1, math.ceil((last + 1) / 20))


def _goodness(table: _Table, found: _FoundFit) -> tuple[float, int, float]:
    """Return Pearson's chi-square over neighbouring scores joined until five of each class are expected."""
    from thresher.population._wrap import as_distribution

    distributions = [as_distribution(found.pos, "pos"), as_distribution(found.neg, "neg")]
    ends = table.values[:-1] / 2 + table.values[1:] / 2 if found.groups is None else found.groups(table.values)
    expected = []
    for distribution, total in zip(distributions, (table.n_pos, table.n_neg), strict=True):
        level = distribution.cdf_at(plain(ends)) if ends.size else np.zeros(0)
        expected.append(total * np.diff(np.concatenate([[0.0], level, [1.0]])))
    label = _joined(expected[0], expected[1])
    statistic, groups = 0.0, int(label.max()) + 1
    for seen, hoped in zip((table.pos, table.neg), expected, strict=True):
        o, e = np.bincount(label, weights=seen), np.bincount(label, weights=hoped)
        statistic += float(((o - e) ** 2 / e).sum()) if (e > 0).all() else math.inf
    cuts = groups - 1 if found.groups is not None else 0  # group ends were estimated too
    freedom = 2 * (groups - 1) - found.free - cuts
    if freedom < 1:
        return math.nan, 0, math.nan
    return statistic, freedom, float(stats.chi2.sf(statistic, freedom))


def _binormal_ordinal(table: _Table) -> _FoundFit:
    fit = fit_ordinal(table.pos, table.neg)
    a, b = float(fit.a), float(fit.b)
    root = math.sqrt(1 + b * b)
    gradient = np.array([1 / root, -a * b / root**3]) * math.exp(-0.5 * (a / root) ** 2) / math.sqrt(2 * math.pi)
    auc_error = math.sqrt(dot(gradient, dots(fit.covariance, gradient)))
    errors = np.sqrt(np.diag(fit.covariance))

    def groups(values: FloatArray) -> FloatArray:
        return _group_cuts(table, fit.cuts)

    return _FoundFit(
        stats.norm(a / b, 1 / b),
        stats.norm(0, 1),
        {"a": a, "b": b},
        {"a": float(errors[0]), "b": float(errors[1])},
        fit.log_likelihood,
        auc_error,
        2,
        groups,
    )


def _group_cuts(table: _Table, cuts: FloatArray) -> FloatArray:
    """Return a cut after every score but the last; inside a merged run they are spread evenly in probability."""
    kind = np.where(table.neg == 0, 1, np.where(table.pos == 0, -1, 0))
    start = np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 0))
    run = np.cumsum(start) - 1
    edges = special.ndtr(np.concatenate([[-np.inf], cuts, [np.inf]]))
    out = np.empty(table.values.size)
    for r in range(int(run[-1]) + 1):
        inside = np.flatnonzero(run == r)
        weight = np.cumsum(table.pos[inside] + table.neg[inside])
        out[inside] = edges[r] + (edges[r + 1] - edges[r]) * weight / weight[-1]
    return np.asarray(special.ndtri(np.clip(out[:-1], 1e-300, 1 - 1e-16)))


def _binormal_least_squares(table: _Table) -> _FoundFit:
    fp, tp = np.cumsum(table.neg[::-1]), np.cumsum(table.pos[::-1])
    with np.errstate(divide="ignore"):
        specificity, sensitivity = special.ndtri(1 - fp / table.n_neg), special.ndtri(tp / table.n_pos)
    keep = np.isfinite(specificity) & np.isfinite(sensitivity)
    x, y = sensitivity[keep], specificity[keep]
    if x.size < 2 or np.ptp(x) == 0:
        raise UndefinedMetricError(
            "A least-squares binormal fit needs at least 2 different ROC points inside (0, 1); "
            f"got {np.unique(x).size}. "
            'Hint: use method="normal", which fits the scores themselves.'
        )
    centered = x - x.mean()
    slope = dot(centered, y) / dot(centered, centered)
    intercept = float(y.mean() - slope * x.mean())
    if not slope < 0:
        raise UndefinedMetricError(
            f"A least-squares binormal fit needs sensitivity to fall as specificity rises; got the slope {slope:.3g}."
        )
    parameters = {"intercept": intercept, "slope": slope}
    return _FoundFit(stats.norm(intercept, -slope), stats.norm(0, 1), parameters, {}, math.nan, math.nan, 2, None)


def _moments(values: FloatArray, weights: FloatArray, who: str, kind: str) -> tuple[float, float]:
    """Return the mean and the standard deviation of scores that vary."""
    total = float(weights.sum())
    mean = dot(weights, values) / total
    sd = math.sqrt(dot(weights, (values - mean) ** 2) / total)
    if not sd > 0:
        raise UndefinedMetricError(f"A {kind} fit needs scores that vary; all {who} have the score {values[0]:g}.")
    return mean, sd


def _each_class(
    table: _Table, fitter: Callable[[FloatArray, FloatArray, str], tuple[Any, dict[str, float], dict[str, float]]]
) -> _FoundFit:
    distributions: list[Any] = []
    parameters: dict[str, float] = {}
    errors: dict[str, float] = {}
    log_likelihood = 0.0
    if not np.isfinite(table.values).all():
        raise InvalidInputError(
            'scores must be finite to be fitted as numbers; got an infinite one. Hint: use family="binormal", '
            'method="ordinal".'
        )
    for name, weights in (("pos", table.pos), ("neg", table.neg)):
        inside = weights > 0
        values, counts = table.values[inside], weights[inside]
        distribution, found, error = fitter(values, counts, "positives" if name == "pos" else "negatives")
        distributions.append(distribution)
        parameters |= {f"{key}_{name}": value for key, value in found.items()}
        errors |= {f"{key}_{name}": value for key, value in error.items()}
        log_likelihood += dot(counts, distribution.logpdf(values)) if hasattr(distribution, "logpdf") else math.nan
    return _FoundFit(distributions[0], distributions[1], parameters, errors, log_likelihood, math.nan, len(parameters))


def _normal(values: FloatArray, weights: FloatArray, who: str) -> tuple[Any, dict[str, float], dict[str, float]]:
    mean, sd = _moments(values, weights, who, "normal")
    n = float(weights.sum())
    return stats.norm(mean, sd), {"mean": mean, "sd": sd}, {"mean": sd / math.sqrt(n), "sd": sd / math.sqrt(2 * n)}


def _positive_scores(values: FloatArray, who: str, distribution: str, top: float = math.inf) -> None:
    if not ((values > 0) & (values < top)).all():
        bad = float(values[~((values > 0) & (values < top))][0])
        where = "above 0" if math.isinf(top) else "strictly between 0 and 1"
        raise InvalidInputError(f"scores must be {where} for a {distribution} fit; got {bad:g} among the {who}.")


def _lognormal(values: FloatArray, weights: FloatArray, who: str) -> tuple[Any, dict[str, float], dict[str, float]]:
    _positive_scores(values, who, "lognormal")
    _, found, errors = _normal(np.log(values), weights, who)
    distribution = stats.lognorm(s=found["sd"], scale=math.exp(found["mean"]))
    rename = {"mean": "mu", "sd": "sigma"}
    return distribution, {rename[k]: v for k, v in found.items()}, {rename[k]: v for k, v in errors.items()}


def _exponential(values: FloatArray, weights: FloatArray, who: str) -> tuple[Any, dict[str, float], dict[str, float]]:
    _positive_scores(values, who, "exponential")
    n = float(weights.sum())
    mean = dot(weights, values) / n
    return stats.expon(scale=mean), {"scale": mean}, {"scale": mean / math.sqrt(n)}


def _newton(
    start: FloatArray, system: Callable[[FloatArray], tuple[FloatArray, FloatArray]], who: str
) -> tuple[FloatArray, FloatArray]:
    """Solve score equations of positive parameters; return them and the information per case."""
    x = start
    for _ in range(200):
        score, information = system(x)
        step = np.linalg.solve(information, score)
        size = 1.0
        while (x + size * step <= 0).any():
            size /= 2
        x = x + size * step
        if (np.abs(size * step) <= 1e-14 * x).all():
            break
    else:
        raise UndefinedMetricError(f"The likelihood of the {who} must have a maximum; it was not found.")
    return x, system(x)[1]


def _gamma(values: FloatArray, weights: FloatArray, who: str) -> tuple[Any, dict[str, float], dict[str, float]]:
    _positive_scores(values, who, "gamma")
    mean, _ = _moments(values, weights, who, "gamma")
    n = float(weights.sum())
    gap = math.log(mean) - dot(weights, np.log(values)) / n

    def system(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        a = float(x[0])
        score = math.log(a) - float(special.digamma(a)) - gap
        return np.array([score]), np.array([[float(special.polygamma(1, a)) - 1 / a]])

    shape = float(_newton(np.array([(3 - gap + math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)]), system, who)[0][0])
    scale = mean / shape
    information = np.array([[float(special.polygamma(1, shape)), 1 / scale], [1 / scale, shape / scale**2]])
    error = np.sqrt(np.diag(np.linalg.inv(n * information)))
    errors = {"shape": float(error[0]), "scale": float(error[1])}
    return stats.gamma(shape, scale=scale), {"shape": shape, "scale": scale}, errors


def _beta(values: FloatArray, weights: FloatArray, who: str) -> tuple[Any, dict[str, float], dict[str, float]]:
    _positive_scores(values, who, "beta", 1.0)
    mean, sd = _moments(values, weights, who, "beta")
    n = float(weights.sum())
    logs = np.array([dot(weights, np.log(values)) / n, dot(weights, np.log1p(-values)) / n])
    size = max(mean * (1 - mean) / sd**2 - 1, 1e-3)

    def system(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        total = special.polygamma(1, x.sum())
        score = logs - special.digamma(x) + special.digamma(x.sum())
        return score, np.diag(special.polygamma(1, x)) - total

    shapes, information = _newton(np.array([mean * size, (1 - mean) * size]), system, who)
    error = np.sqrt(np.diag(np.linalg.inv(n * information)))
    distribution = stats.beta(float(shapes[0]), float(shapes[1]))
    return distribution, {"a": float(shapes[0]), "b": float(shapes[1])}, {"a": float(error[0]), "b": float(error[1])}


def _kernel(
    values: FloatArray, weights: FloatArray, who: str
) -> tuple[Distribution, dict[str, float], dict[str, float]]:
    width = silverman(values, weights)
    return KernelDistribution(values, weights / weights.sum(), width), {"bandwidth": width}, {}


def _binormal_normal(table: _Table) -> _FoundFit:
    found = _each_class(table, _normal)
    (m1, s1), (m0, s0) = ((found.parameters[f"mean_{k}"], found.parameters[f"sd_{k}"]) for k in ("pos", "neg"))
    root = math.hypot(s1, s0)
    z = (m1 - m0) / root
    slopes = {"mean_pos": 1 / root, "mean_neg": -1 / root, "sd_pos": -z * s1 / root**2, "sd_neg": -z * s0 / root**2}
    variance = sum((slopes[key] * found.errors[key]) ** 2 for key in slopes)
    found.auc_error = math.sqrt(variance) * math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    return found


_FITTERS: dict[tuple[str, str], Callable[[_Table], _FoundFit]] = {
    ("binormal", "ordinal"): _binormal_ordinal,
    ("binormal", "normal"): _binormal_normal,
    ("binormal", "least_squares"): _binormal_least_squares,
    ("bilognormal", "ml"): lambda table: _each_class(table, _lognormal),
    ("bibeta", "ml"): lambda table: _each_class(table, _beta),
    ("bigamma", "ml"): lambda table: _each_class(table, _gamma),
    ("biexponential", "ml"): lambda table: _each_class(table, _exponential),
    ("kde", "silverman"): lambda table: replace(_each_class(table, _kernel), free=_MANY),
}
