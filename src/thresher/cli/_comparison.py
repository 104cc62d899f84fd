"""By which test a command compares, and how often that resamples: `--method`, `--n-resamples`, `--seed`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter, validators

import thresher as th
from thresher.cli._errors import UsageError

__all__ = ["Resamples", "check_method"]


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


def check_method(method: str | None, measure: th.measures.Measure) -> None:
    """Refuse a test that there is not of a measure."""
    if method is not None and method.removesuffix("-t") not in (*measure.tests, "batches"):
        raise UsageError(f"--method {method} has no test of {measure.title}. Hint: it has {', '.join(measure.tests)}.")
