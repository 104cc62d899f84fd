"""`thresher calibration`: whether scores are probabilities, with gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter, validators

import thresher as th
from thresher._core.checks import show
from thresher.cli._errors import within
from thresher.cli._options import File, Format, Level, Seed, Selection, Share
from thresher.cli._output import judged, print_rows, working
from thresher.cli._read import read_models


@Parameter(name="*")
@dataclass(frozen=True)
class Gates:
    """What every model must keep.

    Parameters
    ----------
    max_mcb
        Exit with code 3 when the miscalibration of any model is above this.
    min_pvalue
        Exit with code 3 when the p-value of any model is below this.
    """

    max_mcb: Annotated[float | None, Parameter(validator=validators.Number(gte=0))] = None
    min_pvalue: Share = None

    def failed(self, rows: list[dict[str, Any]]) -> list[str]:
        """Return a sentence for each model and gate that it does not pass; a missing p-value passes none."""
        failed = [
            f"{row['model']}: miscalibration {row['miscalibration']:.4g} is above {self.max_mcb:g}"
            for row in rows
            if self.max_mcb is not None and not row["miscalibration"] <= self.max_mcb
        ]
        return failed + [
            f"{row['model']}: p-value {row['p']} is below {self.min_pvalue:g}"
            for row in rows
            if self.min_pvalue is not None and not (row["p"] is not None and row["p"] >= self.min_pvalue)
        ]


def calibration(
    file: File,
    /,
    *,
    selection: Selection = Selection(),
    score: Literal["brier", "log"] = "brier",
    test: Literal["mcb", "cox", "cumulative", "spiegelhalter", "hosmer-lemeshow"] = "mcb",
    prevalence: Share = None,
    gates: Gates = Gates(),
    n_resamples: Annotated[int, Parameter(validator=validators.Number(gte=19))] = 999,
    seed: Seed = 0,
    confidence_level: Level = 0.95,
    format: Format = "table",  # the option's name
) -> int:
    """Say whether scores are probabilities: miscalibration, discrimination, a test, observed over expected.

    Example: thresher calibration scores.csv --score brier --max-mcb 0.005

    Parameters
    ----------
    file
        Scores in [0, 1] with their labels.
    score
        The proper score that is taken apart.
    test
        The test of calibration; none at another prevalence.
    prevalence
        The proportion of positives where the scores will be used.
    n_resamples, seed
        For the test mcb.
    confidence_level
        Of the interval of the mean score.
    """
    with working() as work:
        models = read_models(file, selection, work)
    rows = []
    for name, scores in models.items():
        with within(f"{show(file, 200)}, model {show(name)}"):
            rows.append(_row(name, scores, score, test, prevalence, n_resamples, seed, confidence_level))
    print_rows(rows, format)
    return judged(gates.failed(rows))


def _row(
    model: str,
    scores: th.Scores,
    score: str,
    test: str,
    prevalence: float | None,
    n_resamples: int,
    seed: int,
    level: float,
) -> dict[str, Any]:
    found = scores.calibration(prevalence=prevalence)
    parts = found.decomposition(score)
    plain = prevalence is None and not scores._weighted
    ends = parts.confidence_interval("mean", level) if plain and parts.mean < float("inf") else None
    return {
        "model": model,
        "score": score,
        "mean": parts.mean,
        "low": None if ends is None else ends.low,
        "high": None if ends is None else ends.high,
        "miscalibration": parts.miscalibration,
        "discrimination": parts.discrimination,
        "uncertainty": parts.uncertainty,
        "skill": parts.skill,
        "observed_over_expected": found.in_the_large().ratio if prevalence is None else None,
        "test": test if plain else None,
        "p": found.test(test, n_resamples=n_resamples, rng=seed).pvalue if plain else None,
    }
