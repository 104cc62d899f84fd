"""Planning from a pilot, whose value is taken for the true one: how strong a test of any measure is at other sizes."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from thresher._compare import compare
from thresher._core.checks import check_number
from thresher._decide.planned_areas import pilot_area
from thresher._decide.question import Question, StudyCases, by_share, check_test, rejection, two_models
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, ThresherError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure, RocAuc, as_measure


def pilot(
    pilot: Any,
    metric: str | Measure = "roc_auc",
    *,
    auc: float | tuple[float, float] | None = None,
    null: float | None = None,
    margin: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
    rng: Any = None,
    **options: Any,
) -> Question:
    """Return the question of a test whose variances a pilot study shows: of one model, or of two on the same cases.

    Parameters
    ----------
    pilot : (y_true, mapping of str to array-like) or Scores
        Two models on the same cases, or one.
    metric : str or Measure, default="roc_auc"
        What is compared: any measure.
    auc : float or (float, float), optional
        Supposed ROC areas in the place of the pilot's.
    null : float, optional
        With one model: the value under the null hypothesis; by default 0.5 for the ROC area, else needed.
    margin : float, optional
        Non-inferiority: the test, one-sided, is that the first is not worse by as much.
    significance_level, alternative
        As in `area`; for other metrics than the ROC area "greater" looks for a better first model.
    rng : Generator or int, optional
        For metrics whose variance needs resamples.
    **options
        Options of the metric, such as `threshold` or `fpr`.

    Returns
    -------
    Question
        For the ROC area `power(n_pos=, n_neg=)` and `size(power, ratio=1)` answer it, for other metrics `power(n)` and
        `size(power)`, on cases like those of the pilot.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> models = {"logistic": data.logistic, "tree": data.tree}
    >>> th.planning.pilot((data.y_true, models), "f1", threshold=0.2).size(0.8).n > 100
    True
    """
    measure = as_measure(metric, **options)
    tested = check_test(significance_level, alternative, margin)
    if measure == RocAuc():
        return pilot_area(pilot, auc, null, tested)
    if auc is not None:
        raise InvalidInputError(f"`auc` is not a supposed value of {measure.title!r}. Hint: leave it out.")
    if isinstance(pilot, tuple):
        gap = tested.pop("margin", None)
        if gap is not None:
            tested["alternative"] = "greater"
        labels, models = two_models(pilot)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ThresherWarning)
            method = "normal" if "normal" in measure.tests else "bootstrap"
            try:
                found = compare(labels, models, metric=measure, method=method, rng=rng)
            except ThresherError:
                found = compare(labels, models, metric=measure, method="bootstrap", rng=rng)
        lead, error = found.difference * measure.sign + (gap or 0.0), float(found.standard_error)
        share = found.pair._counts[0].prevalence
        return _question(measure, found.difference, lead, error * math.sqrt(np.size(labels)), share, tested)
    if not isinstance(pilot, Counts):
        two_models(pilot)  # which says what a pilot is
    if null is None or margin is not None:
        raise InvalidInputError(
            f"`null` must be given with a pilot of one model and {measure.title!r}, and no `margin`; got null={null} "
            f"and margin={margin}. Hint: for non-inferiority give null={measure.title} minus the margin."
        )
    at = check_number(null, "null")
    pilot = equal_rows(pilot)
    estimate = measure.estimate(pilot)
    error = float(estimate.standard_error(rng=0))
    if not (math.isfinite(estimate.value) and math.isfinite(error)):
        raise UndefinedMetricError(
            f"{measure.title!r} has no finite value with a standard error in the pilot. Hint: use a larger pilot."
        )
    difference, spread = estimate.value - at, error * math.sqrt(float(pilot.n_pos + pilot.n_neg))
    return _question(measure, difference, difference * measure.sign, spread, pilot.prevalence, tested, null=at)


def _question(
    measure: Measure,
    difference: float,
    lead: float,
    spread: float,
    prevalence: float,
    tested: dict[str, Any],
    null: float = 0.0,
) -> Question:
    """Return the question of a lead, of which more is better, with its standard error times the root of the rows."""
    alternative = tested["alternative"]

    def error(cases: StudyCases) -> float:
        return spread / math.sqrt(cases.n)

    def refuse(power: float) -> None:
        wrong = {"greater": lead <= 0.0, "less": lead >= 0.0, "two-sided": lead == 0.0}
        if wrong[alternative] or spread == 0.0:
            raise InvalidInputError(
                f"no number of cases has the power {power:g}: the pilot shows a difference of {lead:g} in the "
                "direction that counts. Hint: check the alternative and the margin."
            )

    return Question(
        difference=difference,
        metric=measure.described(),
        method="pilot",
        null=null,
        _power=lambda cases: rejection(lead, error(cases), error(cases), tested["level"], alternative),
        _error=error,
        _cases=by_share(prevalence),
        _refuse=refuse,
        **tested,
    )


def equal_rows(pilot: Counts) -> Counts:
    """Return a pilot of independent rows of one weight; others are refused."""
    pilot = pilot._even
    if not pilot._plain_rows:
        raise InvalidInputError(
            "`pilot` must have independent rows of equal weight; got weights or clusters. "
            "Hint: keep one row of each cluster, and plan in numbers of clusters."
        )
    return pilot
