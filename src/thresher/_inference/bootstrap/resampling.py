"""How resampling is done: how often, from which seed, within which strata."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any

from thresher._core.checks import check_count, check_resamples
from thresher._core.random_streams import Progress, Rng
from thresher._core.values import value
from thresher.exceptions import InvalidInputError

__all__ = ["Resampling"]


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
