"""`th.bootstrap`: a measure of resampled rows."""

from __future__ import annotations

from typing import Any

from thresher._inference.bootstrap import BootstrapDistribution, Resampling, bootstrap_rows
from thresher._table import outcome_from
from thresher.measures import Measure, as_measure
from thresher.typing import ArrayLike


def bootstrap(
    y_true: ArrayLike | None,
    y_score: ArrayLike,
    *,
    metric: str | Measure = "roc_auc",
    cluster: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    pos_label: object = None,
    resampling: Resampling | None = None,
    **options: Any,
) -> BootstrapDistribution:
    """Resample rows, or whole clusters of rows, and compute a metric on each resample.

    The scores are sorted once; a resample is a new count at each distinct score, never a new sort.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n,)
        Labels and scores, as for `Scores`.
    metric : str or Measure, default="roc_auc"
        What is computed: a name of `thresher.measures.names()`, or an object of `thresher.measures`.
    cluster : array-like of shape (n,), optional
        Rows of the same cluster (a patient, a site) are drawn together, as often as their cluster is drawn.
    stratified : bool, optional
        True draws within each class, so that class totals stay (with clusters: the numbers of clusters of each class,
        and none may hold both). False draws from all; samples without one of the classes are drawn again. Without it
        the classes are kept apart unless the metric depends on the prevalence, which is then left to chance as
        in the sample, or clusters hold both.
    sample_weight : array-like of shape (n,), optional
        Each row carries its weight into the resamples that draw it; rows of weight 0 are left out.
    frequency : array-like of shape (n,), optional
        Whole numbers: how many identical independent rows each row stands for.
    pos_label : object, optional
        The label of the positive class.
    n_resamples : int, default=2000
        How many resamples to draw, at least 10.
    rng : int, Generator, SeedSequence or None
        A seed makes the result repeatable. Resample i depends on the seed and on i only.
    batch_size : int, optional
        How many resamples are held in memory at once; chosen so that tables stay small. Does not change the numbers.
    workers : int, default=1
        Threads that share what NumPy computes; the compiled kernels use those that `num_threads` allows. Does not
        change the numbers.
    progress : callable, optional
        Called as ``progress(done, total)`` after each batch.
    **options
        Options of the metric, such as `threshold`, `fpr`, `recall` or `prevalence`. For an outcome in time, with None
        for `y_true`: `time`, `event` and `at` (the horizon), and what `Scores.at_time` takes beside. Censored rows are
        drawn too, and the weights are estimated in each resample.

    Returns
    -------
    BootstrapDistribution
        With ``confidence_interval(level, method=...)``, `standard_error`, `bias` and `replicates`.

    Warns
    -----
    ThresherWarning
        When a class has a single row or cluster, whose variation no resample shows.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap" (1993).
       https://doi.org/10.1201/9780429246593

    Examples
    --------
    Six patients with two lesions each: lesions of a patient are drawn together.

    >>> import thresher as th
    >>> y = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1]
    >>> score = [9, 3, 8, 7, 2, 4, 6, 5, 1, 3, 4, 8]
    >>> patient = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    >>> found = th.bootstrap(y, score, cluster=patient, n_resamples=400, rng=0)
    >>> round(found.value, 4), found.replicates.size
    (0.9583, 400)
    """
    how = Resampling._taken_from(options, resampling)
    outcome = outcome_from(options, y_true, sample_weight=sample_weight, cluster=cluster, frequency=frequency)
    return bootstrap_rows(
        y_true,
        y_score,
        as_measure(metric, **options),
        how,
        cluster=cluster,
        sample_weight=sample_weight,
        frequency=frequency,
        pos_label=pos_label,
        outcome=outcome,
    )
