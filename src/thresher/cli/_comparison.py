"""What a command compares, and by which test: `--metric`, `--method`, and how often it resamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter, validators

import thresher as th
from thresher.cli._errors import UsageError
from thresher.exceptions import InvalidInputError

__all__ = ["Resamples", "check_method", "measure_called"]


@Parameter(name="*")
@dataclass(frozen=True)
class Resamples:
    """How often a test resamples, and from which seed.

    Parameters
    ----------
    n_resamples
        For the bootstrap and permutations.
    seed
        Makes them repeatable.
    """

    n_resamples: Annotated[int, Parameter(validator=validators.Number(gte=1))] = 2000
    seed: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 0


def measure_called(metric: str, **options: Any) -> th.measures.Measure:
    """Return the measure that `--metric` names, with its options."""
    try:
        return th.measures.as_measure(metric, argument="--metric", **options)
    except InvalidInputError as error:
        raise UsageError(str(error)) from None


def check_method(method: str | None, metric: str, measure: th.measures.Measure) -> None:
    """Refuse a test that there is not of a measure."""
    if method is not None and method.removesuffix("-t") not in measure.tests:
        raise UsageError(f"--method {method} has no test of {metric}. Hint: use --method bootstrap.")
