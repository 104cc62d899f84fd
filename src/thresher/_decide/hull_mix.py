"""A constraint met exactly: a point of the ROC convex hull, reached by a randomised mixture of two thresholds."""

from __future__ import annotations

from fractions import Fraction

from thresher._core.decimals import as_written
from thresher._curves import Mix, OperatingPoint, RocCurve, roc_curve
from thresher._decide.target import Target, out_of_reach
from thresher._table import Counts, next_lower
from thresher.exceptions import InvalidInputError, UndefinedMetricError


def mixed_point(counts: Counts, target: Target) -> OperatingPoint:
    """Return where the hull meets the one limit of a target.

    Precision never rises along the hull and recall never falls, so the best point that keeps a limit is the one at
    which it is met with equality.
    """
    _check_one_limit(target)
    hull = roc_curve(counts).hull()
    tp, fp = hull.tp.tolist(), hull.fp.tolist()
    skew = target.skew(hull.n_pos, hull.n_neg)
    (name, value), *_ = target.limits.items()
    a, b, c = _line(name, value, Fraction(hull.n_pos), Fraction(hull.n_neg), skew)
    levels = [a * Fraction(x) + b * Fraction(y) - c for x, y in zip(tp, fp, strict=True)]
    if name == "min_recall":
        after = next(i for i, level in enumerate(levels) if level >= 0)
        return (
            _between(counts, hull, after - 1, levels, target)
            if levels[after] > 0
            else _vertex(counts, hull, after, target)
        )
    # The last point that keeps the limit; on a vertical piece this is its upper end.
    before = max((i for i, level in enumerate(levels) if level <= 0), default=-1)
    if name == "min_precision" and before < 1:
        best = tp[1] / (tp[1] + float(skew) * fp[1])
        raise UndefinedMetricError(out_of_reach(name, value, len(counts), best))
    if before == len(levels) - 1 or levels[before] == 0:
        return _vertex(counts, hull, before, target)
    return _between(counts, hull, before, levels, target)


def _point(
    counts: Counts, hull: RocCurve, at: float, cells: tuple[float, float], target: Target, mix: Mix | None = None
) -> OperatingPoint:
    """Return the point of the hull with these true and false positives."""
    tp, fp = cells
    skew, sample = float(target.skew(hull.n_pos, hull.n_neg)), hull._behind(at, mix)
    rest = hull.n_pos - tp, hull.n_neg - fp
    return OperatingPoint(at, tp, fp, *rest, skew, mix, sample, next_lower=next_lower(counts, at))


def _vertex(counts: Counts, hull: RocCurve, index: int, target: Target) -> OperatingPoint:
    return _point(counts, hull, hull._threshold(index), (hull.tp[index].item(), hull.fp[index].item()), target)


def can_mix(target: Target) -> bool:
    """Return whether a randomised mixture of two thresholds can meet what is asked for."""
    return len(target.limits) == 1 and next(iter(target.limits)) in _LINES and target.usual


def _check_one_limit(target: Target) -> None:
    if can_mix(target):
        return
    names = [f"`{name}`" for name in target.limits]
    given = ", ".join([*names, f"maximize={target.objective!r}"] if target.named else names)
    raise InvalidInputError(
        f"`mix=True` must have exactly one constraint of {', '.join(_LINES)} and no metric beside it; got "
        f"{given or 'no constraint'}. Hint: a metric is always best at a single threshold."
    )


_LINES = ("min_recall", "max_fpr", "min_precision", "max_alerts", "max_alert_rate")


def _line(
    name: str, value: float, n_pos: Fraction, n_neg: Fraction, skew: Fraction
) -> tuple[Fraction, Fraction, Fraction]:
    """Return a, b, c of a limit as the line a tp + b fp = c.

    The sum rises along the hull, or, for precision, is met coming from above.
    """
    share = Fraction(value) if name == "max_alerts" else as_written(value)
    one, none = Fraction(1), Fraction(0)
    lines = {
        "min_recall": (one, none, share * n_pos),
        "max_fpr": (none, one, share * n_neg),
        "min_precision": (share - 1, share * skew, none),
        "max_alerts": (one, one, share),
        "max_alert_rate": (one, skew, share * (n_pos + skew * n_neg)),
    }
    return lines[name]


def _between(counts: Counts, hull: RocCurve, before: int, levels: list[Fraction], target: Target) -> OperatingPoint:
    """Return the point between two vertices at which the level is 0."""
    after = before + 1
    share = float(levels[before] / (levels[before] - levels[after]))
    tp, fp = (
        float(low + Fraction(share) * (high - low))
        for low, high in (
            (Fraction(column[before].item()), Fraction(column[after].item())) for column in (hull.tp, hull.fp)
        )
    )
    mix = hull._mix(before, after, share)
    # Alone, the looser threshold keeps a recall, the stricter one keeps every other limit.
    at = mix.low if "min_recall" in target.limits else mix.high
    return _point(counts, hull, at, (tp, fp), target, mix)
