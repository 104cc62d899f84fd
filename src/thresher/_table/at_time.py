"""Tables of outcomes in time: what the user gave, checked, and the table of the rows whose status is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_scores, as_vector, as_weights, rows_text, unequal
from thresher._core.checks import check_choice, check_number, show
from thresher._core.counting import sum_weights
from thresher._table.clusters import as_clusters, make_clusters
from thresher._table.outcome import Horizon, Outcome
from thresher._table.squares import Squares, all_ones
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import ArrayLike, FloatArray, ScoreArray

if TYPE_CHECKING:
    from thresher._table.counts import Counts

C = TypeVar("C", bound="Counts")

OUTCOME_OPTIONS = ("cause", "controls", "censoring", "strata", "entry", "censored_at_t")


def read_outcome(
    time: ArrayLike,
    event: ArrayLike,
    t: Any,
    *,
    cause: object = 1,
    controls: str = "all",
    censoring: Any = "kaplan-meier",
    strata: ArrayLike | None = None,
    entry: ArrayLike | None = None,
    censored_at_t: str = "event-free",
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    y_score: ScoreArray | None = None,
) -> Outcome:
    """Check times and events and return them as seen from a horizon; whether it has both classes is not checked.

    `y_score` is checked already, but for its length. The arrays of the user are copied.
    """
    at = _horizon(t, cause, controls, censored_at_t)
    when = _times(time, "time")
    n = when.size
    if y_score is not None and y_score.size != n:
        raise unequal("y_score", y_score.size, "time", n)
    codes = _events(event, n)
    weight = None if sample_weight is None else as_weights(sample_weight, n, beside="time").astype(np.float64)
    if weight is not None and not (weight > 0).any():
        raise InvalidInputError("`sample_weight` must leave some rows; got only zeros. Hint: give some a weight.")
    if weight is not None and all_ones(weight):
        weight = None
    members = None if cluster is None else as_clusters(cluster, n, beside="time")
    began = None if entry is None else _entries(entry, when)
    layers = None if strata is None else as_clusters(strata, n, beside="time", name="strata")
    if layers is not None and began is not None:
        raise InvalidInputError(
            "`strata` must not be given with `entry`: the mass of a stratum that rows enter late is not known. "
            "Hint: leave `strata` out, or make a table of each stratum."
        )
    if layers is not None and layers.size and (layers == layers[0]).all():
        layers = None
    known = _probabilities(censoring, when, codes, at)
    if known is not None and (layers is not None or began is not None):
        raise InvalidInputError(
            f"`{'strata' if began is None else 'entry'}` must not be given with an array for `censoring`, which "
            "stands for it. Hint: leave it out."
        )
    score = None if y_score is None else y_score.copy()
    found = Outcome(
        when, codes, at, weight=weight, cluster=members, strata=layers, entry=began, known=known, score=score
    )
    return found.weighing()


def _horizon(t: Any, cause: object, controls: object, censored_at_t: object) -> Horizon:
    if np.ndim(t) and np.size(t) != 1:
        raise InvalidTypeError(
            f"`t` must be one time; got {np.size(t)} of them. Hint: `th.time_dependent` takes several horizons."
        )
    at = check_number(np.asarray(t).reshape(-1)[0].item() if np.ndim(t) else t, "t")
    if not np.isfinite(at):
        raise InvalidInputError(f"`t` must be finite; got {at}. Hint: give the horizon in the unit of `time`.")
    if isinstance(cause, bool) or not isinstance(cause, int | np.integer) or cause < 1:
        raise InvalidInputError(
            f"`cause` must be the code of an event, a whole number from 1 on; got {show(cause)}. "
            "Hint: 0 in `event` means censored."
        )
    return Horizon(
        at,
        int(cause),
        check_choice(controls, "controls", ("all", "event-free")),
        check_choice(censored_at_t, "censored_at_t", ("event-free", "unknown")),
    )


def _times(values: ArrayLike, name: str) -> FloatArray:
    array = as_vector(values, name)
    if array.dtype.kind not in "fiu":
        raise InvalidTypeError(f"`{name}` must be numbers; got dtype {array.dtype}. Hint: {_remedy(array.dtype)}")
    times = array.astype(np.float64)  # a copy
    wrong = ~np.isfinite(times)
    if wrong.any():
        raise InvalidInputError(
            f"`{name}` must be finite; got {times[wrong][0]} in {rows_text(wrong)}. "
            "Hint: a row without an event has the time until which it was followed."
        )
    return times


def _remedy(dtype: np.dtype[Any]) -> str:
    """Return what to do about times that are no numbers."""
    if dtype.names:  # scikit-survival has events and times in one array
        return f"pass the fields one by one, such as `y[{dtype.names[-1]!r}]`."
    if dtype == np.bool_:
        return "are `time` and `event` in each other's place?"
    return "durations in one unit, such as days: `(end - start).days`."


def _events(event: ArrayLike, n: int) -> NDArray[np.int64]:
    array = as_vector(event, "event")
    if array.size != n:
        raise unequal("event", array.size, "time", n)
    codes = None
    if array.dtype.kind in "biu" or (array.dtype.kind == "f" and (array == np.floor(array)).all()):
        codes = array.astype(np.int64)
    if codes is None or (codes < 0).any():
        got = array[codes < 0][0] if codes is not None else array[0]
        raise InvalidInputError(
            f"`event` must be booleans, or whole numbers with 0 for censored rows; got {show(got.item())}. "
            "Hint: `event == 'relapse'` makes booleans of text; competing events have codes 2, 3 and so on."
        )
    return codes


def _entries(entry: ArrayLike, time: FloatArray) -> FloatArray | None:
    began = _times(entry, "entry")
    if began.size != time.size:
        raise unequal("entry", began.size, "time", time.size)
    wrong = began >= time
    if wrong.any():
        raise InvalidInputError(
            f"`entry` must be before `time`; got {began[wrong][0]:g} with time {time[wrong][0]:g} in "
            f"{rows_text(wrong)}. Hint: leave out rows that were never under observation."
        )
    return None if began.max() < time.min() else began  # nobody enters late


def _probabilities(censoring: Any, time: FloatArray, event: NDArray[np.int64], at: Horizon) -> FloatArray | None:
    if isinstance(censoring, str):
        check_choice(censoring, "censoring", ("kaplan-meier",))
        return None
    known = as_vector(censoring, "censoring")
    if known.size != time.size:
        raise unequal("censoring", known.size, "time", time.size)
    if known.dtype.kind not in "fiu":
        raise InvalidTypeError(f"`censoring` must be 'kaplan-meier' or numbers; got dtype {known.dtype}.")
    known = known.astype(np.float64)
    needed = (event > 0) | (time >= at.t)
    wrong = needed & ~((known > 0.0) & (known <= 1.0))
    if wrong.any():
        raise InvalidInputError(
            f"`censoring` must be the probability of not being censored, in (0, 1]; got {known[wrong][0]} in "
            f"{rows_text(wrong)}. Hint: element i is G just before the smaller of the row's time and t."
        )
    return known


def outcome_from(
    options: dict[str, Any],
    y_true: object,
    *,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    frequency: object = None,
) -> Outcome | None:
    """Take `time`, `event`, `at` and what belongs to them out of a function's keywords; None if they are not given.

    Rows that were read already may stand in the place of labels.
    """
    if isinstance(y_true, Outcome):
        return y_true
    given = {name: options.pop(name) for name in ("time", "event", "at") if name in options}
    more = {name: options.pop(name) for name in OUTCOME_OPTIONS if name in options}
    if not given and not more:
        return None
    missing = [name for name in ("time", "event", "at") if name not in given]
    if missing:
        raise InvalidInputError(
            f"An outcome in time needs `time`, `event` and `at`; got no `{missing[0]}`. Hint: `time=days, "
            "event=relapse, at=365`."
        )
    if y_true is not None:
        raise InvalidInputError(
            "`y_true` must be None with `time`, `event` and `at`, which make the labels; got both. "
            "Hint: pass None for `y_true`."
        )
    if frequency is not None:
        raise InvalidInputError(
            "`frequency` must not be given with an outcome in time. Hint: repeat the rows, `np.repeat`."
        )
    return read_outcome(
        given["time"], given["event"], given["at"], **more, sample_weight=sample_weight, cluster=cluster
    )


def table_at_time(cls: type[C], rows: Outcome) -> C:
    """Return the table of rows with scores: that of labels alone if nobody is censored before the horizon."""
    rows = rows.checked()
    assert rows.score is not None  # noqa: S101  # for the type checker
    if rows.estimated and rows.weight is None and rows.entry is None:
        table, squared = sum_weights(rows.score, rows.positive, rows.mass)
        cases = int(np.count_nonzero(rows.positive))
        squares = Squares(*squared, None, (cases, int(np.count_nonzero(rows.kept)) - cases))
        out = cls._from_table(table, None, squares)
    else:
        kept = slice(None) if rows.kept.all() else np.flatnonzero(rows.kept)
        whole = rows.weight if rows.plain else rows.mass
        out = cls._from_rows(rows.score[kept], rows.positive[kept], None if whole is None else whole[kept], None)
        if not rows.plain and out._weight_squares is not None:
            # Weights that are estimated are never known to be the same, and have no range that is known beforehand.
            out.__dict__["_weight_squares"] = out._weight_squares._replace(spans=None, integers=False)
    if rows.cluster is not None:
        kept = np.flatnonzero(rows.kept)
        whole = rows.weight if rows.plain else rows.mass
        weight = None if whole is None else whole[kept]
        columns = rows.cluster[kept], out._thresholds, rows.score[kept], rows.positive[kept], weight
        out.__dict__["_clusters"] = make_clusters(*columns)
    out.__dict__["_outcome"] = rows
    return out


def scored_table(cls: type[C], rows: Outcome, y_score: ArrayLike) -> C:
    """Return the table of rows that were read without scores."""
    scores = as_scores(y_score)
    if scores.size != rows.before:
        raise unequal("y_score", scores.size, "time", rows.before)
    return table_at_time(cls, rows.scored(rows.of_given(scores.copy())))


def joined_tables(a: C, b: C) -> C:
    """Return the table of the rows of both, with the weights estimated from all of them."""
    mine, others = a._outcome, b._outcome
    reason = (
        "one is of an outcome in time, the other is not"
        if mine is None or others is None
        else mine.refusal_to_join(others)
    )
    if reason is not None or mine is None or others is None:
        raise InvalidInputError(
            f"Tables of outcomes in time must have the same horizon and options; {reason}. "
            "Hint: count the rows of both by `Scores.at_time` with the same arguments."
        )
    if not (a._complete and b._complete):
        raise InvalidInputError(
            "Tables of outcomes in time must have all their scores to be added; one was compressed. "
            "Hint: add them first and compress the sum."
        )
    return table_at_time(type(a), mine.joined(others))
