"""Whether weights and clusters can carry a variance: what is refused, and what is said."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import warn
from thresher._inference.sampling.design import clusters_of
from thresher._table import Counts, Outcome, Squares
from thresher.exceptions import InvalidInputError, UndefinedMetricError

_HEAVY_SHARE, _HEAVY_RATIO = 0.01, 4.0  # of all positives, and of one positive: measured in docs/validation/weights.md
_LARGE_RATIO = 9.0  # of weights within a class, beyond which coverage was measured below 90%
FEW_FOLLOWED = 20  # rows free of the event at a horizon, and rows that one of them stands for: docs/validation/time.md
_MOST_ROWS_FOR_ONE = 10.0
_FEW_CASES = 25
FEW_EFFECTIVE = 10.0  # rows of equal weight below which intervals are rough
_LEAST_EFFECTIVE = 2.0
_NAMES = ("positive", "negative")


def check_weights(counts: Counts) -> None:
    """Refuse weights from which no variance can be had, and warn where it is rough."""
    if counts._weight_squares is None:
        if not counts._counted:
            raise InvalidInputError(
                "An interval needs the sums of squared weights; this table has sums of weights only. "
                "Hint: pass `pos_squares=` and `neg_squares=`, or count the rows again with `sample_weight=`."
            )
        return
    _tell_integers(counts)
    _tell_few_followed(counts)
    for side, name in enumerate(_NAMES):
        worth = (counts.effective_pos, counts.effective_neg)[side]
        rows = (counts._rows_pos, counts._rows_neg)[side]
        equal = rows is not None and worth > rows * (1.0 - 1e-9)
        if equal or not (counts.n_pos, counts.n_neg)[side]:  # of a metric that is defined without that class
            continue
        share = largest_share(counts, counts._weight_squares, side)
        if worth < _LEAST_EFFECTIVE:
            raise UndefinedMetricError(
                f"One {name} carries {share:.0%} of the weight of its class; nothing shows how such rows vary. "
                "Hint: consider trimming the largest weights; this trades variance for bias."
            )
        if worth < FEW_EFFECTIVE:
            seen = "the rows" if rows is None else f"{rows:,} rows"
            warn(
                f"The weights of the {name}s are so unequal that {seen} are worth {worth:.3g}; intervals are rough. "
                f"Hint: the largest weight is {share:.0%} of all of them."
            )
    _tell_range(counts)


def _tell_few_followed(counts: Counts) -> None:
    """Say that few rows are followed to the horizon of an outcome in time, or stand for many."""
    rows = counts._outcome
    if rows is None or not rows.estimated:
        return
    total, heavy = int(np.count_nonzero(rows.free)), rows.heaviest
    cases = int(np.count_nonzero(rows.positive & rows.kept))
    stratum, free = _smallest_stratum(rows, total)
    if cases < _FEW_CASES:
        warn(
            f"Only {cases:,} cases are known by t = {rows.horizon.t:g}; intervals are rough. "
            f"Hint: a later t, or more rows, for at least {_FEW_CASES} cases."
        )
    if free >= FEW_FOLLOWED and heavy <= _MOST_ROWS_FOR_ONE:
        return
    t = rows.horizon.t
    if stratum is not None and heavy <= _MOST_ROWS_FOR_ONE and total >= FEW_FOLLOWED:
        warn(
            f"Only {free:,} rows of stratum {stratum!r} are followed to t = {t:g} without the event; intervals are "
            "rough. Hint: join small strata, or choose an earlier t."
        )
        return
    earlier = _earlier(rows)
    hint = (
        "more rows followed for longer"
        if earlier is None
        else f"an earlier t, e.g. {earlier[0]:.3g} ({earlier[1]:,} rows)"
    )
    warn(
        f"{total:,} of {rows.size:,} rows are followed to t = {t:g} without the event and stand for up to "
        f"{rows.heaviest:.3g} each: precision at t is rough. Hint: {hint}."
    )


def _smallest_stratum(rows: Outcome, total: int) -> tuple[object, int]:
    """Return the stratum with the fewest rows that are followed to the horizon, and how many they are."""
    if rows.strata is None:
        return None, total
    labels, code = np.unique(rows.strata, return_inverse=True)
    followed = np.bincount(code.reshape(-1), rows.free, labels.size)
    at = int(followed.argmin())
    return labels[at].item(), int(followed[at])


def _earlier(rows: Outcome) -> tuple[float, int] | None:
    """Return an earlier horizon to which enough rows are followed, and how many; None if there is none."""
    wanted = max(2 * FEW_FOLLOWED, rows.size // 8)
    times = np.sort(rows.time)
    if times.size <= wanted:
        return None
    t = float(f"{times[-wanted - 1]:.3g}")
    t = t if t < rows.horizon.t else float(times[-wanted - 1])
    free = int(np.count_nonzero(rows.time > t))
    return (t, free) if t < rows.horizon.t and bool((rows.event[rows.time <= t] == rows.horizon.cause).any()) else None


def _tell_range(counts: Counts) -> None:
    """Say that weights of very different size hide what the sample lacks: no figure of the sample itself can tell."""
    squares = counts._weight_squares
    spans = None if squares is None else squares.spans
    if spans is None:
        return
    ratios = [high / low if 0.0 < low <= high else 1.0 for low, high in spans]
    side = int(ratios[1] > ratios[0])
    if ratios[side] > _LARGE_RATIO:
        warn(
            f"The weights of the {_NAMES[side]}s range over a factor of {ratios[side]:.3g}. If they depend on the "
            "score, a sample without one of the rare heavy rows looks fine and its intervals are too short. "
            "Hint: keep sampling probabilities above a tenth of the largest, or trim the largest weights; this trades "
            "variance for bias."
        )


def largest_share(counts: Counts, squares: Squares, side: int) -> float:
    """Return which proportion of its class the heaviest row has; an upper bound where only sums are known."""
    total = float((counts.n_pos, counts.n_neg)[side])
    if squares.spans is not None:
        return squares.spans[side][1] / total
    return math.sqrt(float((squares.pos, squares.neg)[side].max())) / total


def _tell_integers(counts: Counts) -> None:
    """Say that integer weights are not row counts; Python shows it once for each line that asks."""
    squares = counts._weight_squares
    if squares is None or not squares.integers or squares.rows is None:
        return
    rows = sum(squares.rows)
    warn(
        f"Integer `sample_weight` are sampling weights: the {rows:,} rows are {rows:,} observations, not "
        f"{counts.n_pos + counts.n_neg:,}. "
        "Hint: pass `frequency=` if a row stands for that many identical independent rows."
    )


def warn_of_balance(counts: Counts, scale: float, design: str | None) -> None:
    """Say what weights leave unknown of precision, under a design if the class balance is left to the data.

    `scale` is by how much a negative counts more, where precision refers to another prevalence.
    """
    squares = counts._weight_squares
    if squares is None:
        return
    pos, neg = (float(typical.above[0]) for typical in counts._typical)
    heavy, share, constant = scale * neg, counts.prevalence, squares.constant
    if heavy > _HEAVY_SHARE * float(counts.n_pos) and heavy > _HEAVY_RATIO * pos:
        warn(
            f"One negative at the top of the list counts as much as {heavy / pos:.3g} positives, so precision there is "
            "not known and the area tends to be too large, which no interval of it shows. Reweighting negatives does "
            "not make more of them. Hint: `pr_band` shows where precision is known; more negatives would help."
        )
    if design == "random" and constant is not None and constant[0] != constant[1]:
        warn(
            "Weights are the same within each class, so they set the prevalence "
            f"({share:.3g}) and do not estimate it. Hint: design='fixed', or prevalence={share:.3g}."
        )
    if design == "fixed" and constant is None:
        warn(
            "design='fixed' takes the odds of the classes for known, but weights that vary within a class estimate "
            "them: the interval is too short unless the weights add up to known class totals. "
            "Hint: design='random' if rows came from one pool, 'class' if the classes were drawn apart, "
            f"or prevalence={share:.3g} if it is known."
        )


def refuse_dependent(counts: Counts, method: str) -> None:
    """Refuse a method that takes rows for independent where the table says that they are not."""
    if clusters_of(counts) is not None:
        raise InvalidInputError(
            f"`method={method!r}` must have independent rows; got clusters. "
            "Hint: the default method adds up what rows of a cluster have in common."
        )


def check_whole(counts: Counts, what: str, *, instead: str = "ask for a rate at a threshold") -> Counts:
    """Return the table of the rows themselves, which `what` counts; refuse weights that differ."""
    rows = counts._even
    if rows._weight_squares is not None:
        raise InvalidInputError(
            f"{what} counts rows; got sampling weights, of which only ratios count. "
            f"Hint: pass numbers of identical rows as `frequency`, or {instead}."
        )
    return rows


def check_counted(counts: Counts, method: str, instead: str) -> Counts:
    """Return a table of rows for a method that needs counts; refuse weights that vary within a class."""
    if counts._weight_squares is None:
        check_weights(counts)
        return counts
    if counts._plain is None:
        raise InvalidInputError(
            f"`method={method!r}` must have rows of equal weight within each class; got weights that vary. "
            f"Hint: {instead} take weights."
        )
    return counts._plain


def needs_weights(counts: Counts, *, balance: bool) -> bool:
    """Return whether a band must know of weights or clusters; `balance` says whether the class balance matters."""
    if clusters_of(counts) is not None or (not counts._counted and counts._weight_squares is None):
        return True
    return counts._weight_squares is not None and (balance or counts._plain is None)


def check_band_method(counts: Counts, method: str) -> None:
    """Refuse methods that know of no weights or clusters."""
    check_weights(counts)
    if method in ("binomial-beta", "envelope", "bootstrap"):
        return
    what = "weights that vary" if clusters_of(counts) is None else "clusters"
    raise InvalidInputError(
        f"`method={method!r}` must have independent rows of equal weight within each class; got {what}. "
        "Hint: 'binomial-beta', 'envelope' and 'bootstrap' take them."
    )
