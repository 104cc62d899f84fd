"""How resampling is done: how often, from which seed, of which table, and how long it takes."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, Protocol

from thresher._core import native
from thresher._core.checks import check_count, check_resamples, warn
from thresher._core.random_streams import Progress, Rng
from thresher._core.values import value
from thresher._inference.sampling import Draws, Influence, Kernel, drawn_rows, sampling_of
from thresher._table import Batch, Counts, Needs
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray


@value
class Resampling:
    """How resamples are drawn.

    Parameters
    ----------
    n_resamples : int, default=2000
        How many, at least 10.
    rng : int, Generator, SeedSequence or None
        A seed makes results repeatable; resample i depends on the seed and on i only.
    stratified : bool, optional
        Whether resamples keep the class totals: True draws within each class (no cluster may then hold both), False
        from all. Without it the classes are kept apart unless the metric depends on the prevalence or clusters hold
        both.
    batch_size : int, optional
        How many are held in memory at once; chosen so that tables stay small. Does not change the numbers.
    workers : int, default=1
        Threads that share what NumPy computes. Does not change the numbers.
    progress : callable, optional
        Called as ``progress(done, total)`` after each batch.

    Examples
    --------
    >>> import thresher as th
    >>> how = th.results.Resampling(n_resamples=500, rng=1)
    >>> y, s = [1, 1, 0, 1, 0, 1, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> th.bootstrap(y, s, resampling=how) == th.bootstrap(y, s, n_resamples=500, rng=1)
    True
    """

    n_resamples: int = 2000
    rng: Rng = None
    stratified: bool | None = None
    batch_size: int | None = None
    workers: int = 1
    progress: Progress | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_resamples(self.n_resamples)
        check_count(self.workers, "workers", minimum=1)
        if self.batch_size is not None:
            check_count(self.batch_size, "batch_size", minimum=1)

    @classmethod
    def _taken_from(cls, options: dict[str, Any], given: Resampling | None = None) -> Resampling:
        """Take what belongs to resampling out of a function's keywords; the object and keywords exclude each other."""
        own = {one.name: options.pop(one.name) for one in fields(cls) if one.name in options}
        if given is not None and own:
            raise InvalidInputError(
                f"`{next(iter(own))}` must not be given beside `resampling`. "
                "Hint: pass it to `th.results.Resampling(...)`."
            )
        if given is not None and not isinstance(given, Resampling):
            raise InvalidInputError(f"`resampling` must be a `th.results.Resampling`; got {given!r}.")
        return cls(**own) if given is None else given


class Resampled(Protocol):
    """What the bootstrap asks of a measure; `thresher.measures.Measure` describes it."""

    @property
    def title(self) -> str: ...
    @property
    def needs(self) -> Needs: ...
    @property
    def cut(self) -> float | None: ...
    @property
    def needs_balance(self) -> bool: ...
    @property
    def bounds(self) -> tuple[float, float]: ...
    @property
    def kernel(self) -> Kernel | None: ...
    @property
    def where_resampling_fails(self) -> str: ...
    def values(self, batch: Batch) -> FloatArray: ...
    def estimate(self, table: Counts) -> Any: ...
    def influence(self, table: Counts) -> Influence | None: ...
    def spread(self, table: Counts, design: str = "random") -> Any: ...


def table_for(counts: Counts, measure: Resampled) -> Counts:
    """Return the table without weights that cannot matter to the measure."""
    return counts._plain if counts._plain is not None and not measure.needs_balance else counts._even


def classes_apart(measure: Resampled, asked: bool | None) -> bool | None:
    """Return whether resamples keep the class totals: None if they do unless clusters hold both classes.

    A prevalence left to chance is part of what varies in a measure that depends on it.
    """
    return False if asked is None and measure.needs_balance else asked


def draws_of(counts: Counts, measure: Resampled, *, stratified: bool) -> Draws:
    """Return how a table is resampled for a measure."""
    return sampling_of(counts).draws(counts, measure.needs, measure.cut, stratified=stratified)


def warn_few(n_pos: int, n_neg: int, measure: Resampled, *, unit: str = "case") -> None:
    """Warn where resampling cannot show the variation there is."""
    few = min(n_pos, n_neg)
    side = "positive" if n_pos <= n_neg else "negative"
    if few == 1:
        warn(
            f"The bootstrap draws from one {side} {unit}, which is the same in every resample: the interval leaves "
            f"out the variation of the {side}s and is too short. Hint: {measure.where_resampling_fails}"
        )


PATIENCE = 0.2
"""Seconds that a repr may take."""
# Nanoseconds on one core of a processor of 2023, by replicate: to draw a case; to draw and measure one in the compiled
# kernel; to draw all cases of a column from a binomial distribution; to measure it with NumPy, once or table by table.
_DRAW, _MEASURED, _BY_COLUMN, _VALUES, _ONE_BY_ONE = 0.6, 1.4, 60.0, 15.0, 120.0
_EACH_TABLE = 50_000.0
# Replicates of NumPy's that leave out a case, for the acceleration of BCa.
_LEFT_OUT = 800


def resampling_seconds(counts: Counts, measure: Resampled, n_resamples: int) -> float:
    """Return about how long so many resamples take; it depends on the sizes of the data alone."""
    table = table_for(counts, measure)
    columns = 2 if measure.cut is not None else len(table)
    rows, by_case, weights = drawn_rows(table, columns)
    kernel = measure.kernel if native.available() else None
    known = kernel is not None and kernel.asked(weights=weights) is not None
    if by_case and known:
        return n_resamples * rows * _MEASURED * 1e-9
    own = getattr(type(measure), "values", None)
    one_by_one = own is not None and getattr(own, "__module__", "") == "thresher.measures._measure"
    values = _ONE_BY_ONE * columns + _EACH_TABLE if one_by_one else _VALUES * columns
    draw = rows * _DRAW if by_case else columns * _BY_COLUMN
    return ((n_resamples + _LEFT_OUT) * values + n_resamples * draw) * 1e-9
