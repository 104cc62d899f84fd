"""What a report shows, as plain data: the only thing the page is made from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

Number = int | float


_AREAS_SHOWN = frozenset({"roc_auc", "pr_auc", "interpolated"})
"""Names of the two areas that the page has columns for, whatever ranks the models."""


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """The points that are drawn: confusion matrices, from calling nothing to calling everything."""

    thresholds: list[float]
    labels: list[float]
    tp: list[Number]
    fp: list[Number]
    hull: list[int]
    start: int
    n_points: int
    area_bound: float
    deviation: float

    @property
    def thinned(self) -> bool:
        """Whether points of the full curve are left out."""
        return len(self.tp) < self.n_points


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many positives and negatives have a score in ``[edges[i], edges[i + 1])``; the last bin is closed.

    Where scores are `whole` numbers, edges lie halfway between two of them.
    """

    edges: list[float]
    pos: list[Number]
    neg: list[Number]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """A confidence band: at ``x[i]`` the curve lies between ``low[i]`` and ``high[i]``."""

    x: list[float]
    low: list[float]
    high: list[float]
    confidence_level: float
    method: str
    simultaneous: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """One area of one model; `low`, `high` and `method` are None where no interval was computed."""

    key: str
    value: float
    reference: float | None = None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    method: str | None = None

    @property
    def difference(self) -> float | None:
        """How far the value is from the interpolated area, where that is the question."""
        return None if self.reference is None else self.value - self.reference


@dataclass(frozen=True, slots=True)
class CalibrationPart:
    """What a model says of probabilities; `usual` and `pvalue` are None where labels were not drawn again.

    Block j of isotonic regression covers the scores from ``high[j]`` down to ``low[j]``; the highest comes first.
    """

    brier: float
    miscalibration: float
    discrimination: float
    skill: float
    usual: float | None
    pvalue: float | None
    high: list[float]
    low: list[float]
    pos: list[Number]
    neg: list[Number]
    honest: Band | None
    consistency: Band | None


@dataclass(frozen=True, slots=True)
class Worth:
    """How many rows of equal weight a unit of weight counts for, at some of the points drawn, by metric."""

    at: list[int]
    rows: dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Model:
    """Everything about one model."""

    name: str
    n_pos: Number
    n_neg: Number
    weighted: bool
    sampling: str
    """How rows were weighted or belong together, as a sentence; empty where they are counted and independent."""
    drawn: DrawnCurve
    histogram: Histogram
    areas: dict[str, Area]
    points: list[dict[str, Any]]
    rows: int | None = None
    """How many rows carry the weights; None where only sums of weights are known, or rows are counted."""
    horizon: float | None = None
    """Of an outcome in time with rows censored before it; `rows` are then all that there are."""
    roc_band: Band | None = None
    pr_band: Band | None = None
    """The band at the prevalence of the sample, which is estimated too."""
    known_band: Band | None = None
    """The band if the prevalence were known; in odds of precision it moves with the prevalence."""
    own_area: Area | None = None
    """The interpolated area at the prevalence of the sample, if the report is for another."""
    score: float | None = None
    """The metric of the comparison, turned so that more is better; None without a comparison."""
    metric: Area | None = None
    """The metric of the comparison as it is, with its interval, where that is none of the areas."""
    calibration: CalibrationPart | None = None
    worth: Worth | bool | None = None
    """What weighted or dependent rows are worth; None if rows count alike, False if that is not known."""

    @property
    def prevalence(self) -> float:
        """The prevalence; by weight if rows have weights."""
        return self.n_pos / (self.n_pos + self.n_neg)

    def told_at(self, prevalence: float | None) -> float | None:
        """Return the prevalence at which counts are those to expect among so many cases; None for counted rows.

        Sums of weights are not counts, so they become proportions of cases, at the prevalence by weight.
        """
        return self.prevalence if prevalence is None and self.weighted else prevalence


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """A range of FPR or recall with the index of the model that leads in it; None where they are equal.

    `supported` tells whether the confidence bands of both models are apart in it.
    """

    low: float
    high: float
    leader: int | None
    supported: bool = True


@dataclass(frozen=True, slots=True)
class Difference:
    """What a test says of the difference `a` - `b` of one area."""

    metric: str
    value: float
    low: float | None
    high: float | None
    pvalue: float | None
    pvalue_adjusted: float | None
    one_more: float | None = None
    """The p-value with one more misranked case, if that case would undo the finding."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models beside each other; `winner` is the index of the one that dominates, None if neither does."""

    a: int
    b: int
    verdict: str
    winner: int | None
    n_crossings: int
    fpr_spans: list[LabelledSpan]
    recall_spans: list[LabelledSpan]
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class SamePoint:
    """One model at a recall, a precision or a number of alerts that all models share.

    `answer` counts alerts at a recall, and positives found otherwise, among `unit` cases; the difference is that from
    the best model. Both are None if the model never has that precision, or if nothing can be said.
    """

    kind: str
    level: float
    model: int
    threshold: float | None
    answer: float | None
    difference: tuple[float, float, float] | None
    few: bool = False
    """Whether too few positives lie beyond the place for an interval."""


@dataclass(frozen=True, slots=True)
class TopRow:
    """The cases with the highest scores: how many of them are positive, with limits; ties are broken at random."""

    depth: float
    model: int
    cases: float
    precision: tuple[float, float | None, float | None]
    recall: tuple[float, float | None, float | None]
    lift: float


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One model in one group of cases; areas are None where a class is missing."""

    group: str
    model: int
    n_pos: int | None
    n_neg: int | None
    """Rows of each class; None where weights leave that open."""
    areas: dict[str, Area] | None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a reader should know; `code` never changes its meaning."""

    code: str
    name: str
    level: str
    text: str
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A publication on which a number rests."""

    key: str
    text: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ReportData:
    """A whole report."""

    title: str
    summary: list[str]
    models: list[Model]
    pairs: list[Pair]
    findings: list[Finding]
    methods: list[str]
    references: list[Reference]
    settings: dict[str, str]
    confidence_level: float
    prevalence: float | None = None
    comparison: dict[str, str] = field(default_factory=dict)
    ranked: list[int] = field(default_factory=list)
    """Models by the figure that ranks them, the best first."""
    groups: list[GroupRow] = field(default_factory=list)
    same_points: list[SamePoint] = field(default_factory=list)
    top: list[TopRow] = field(default_factory=list)
    cases: str = "cases"
    """What a reader calls the rows, such as "patients"."""
    positive: str = "positive"
    """What a reader calls a positive row, such as "ill"."""
    sign: int = 1
    """-1 if lower values of the metric that ranks the models are better."""

    def ranking_value(self, model: Model) -> float:
        """Return the metric that ranks the models, as it is."""
        return model.areas["roc_auc"].value if model.metric is None else model.metric.value

    @property
    def other_metric(self) -> str | None:
        """The metric that ranks the models, where it is none of the two areas that are always shown."""
        return None if self.metric in _AREAS_SHOWN else self.metric

    @property
    def metric(self) -> str:
        """The figure that ranks the models."""
        return self.comparison.get("metric", "roc_auc")

    @property
    def verdict(self) -> list[Finding]:
        """The findings that come before everything else."""
        return [finding for finding in self.findings if finding.level == "warning"]

    @property
    def unit(self) -> int | None:
        """Among how many cases counts are those to expect; None for the sample's own counts."""
        told = self.models[0].told_at(self.prevalence) if self.models else self.prevalence
        return None if told is None else unit_of(told)


def unit_of(prevalence: float) -> int:
    """Return the power of ten, at least 1,000, among which ten positives or negatives are to be expected."""
    rare = min(prevalence, 1.0 - prevalence)
    return int(10 ** max(3, math.ceil(round(1.0 - math.log10(rare), 9))))
