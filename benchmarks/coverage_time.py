"""Coverage of intervals of outcomes in time: rows censored before the horizon, competing risks, late entry, clusters.

``python benchmarks/coverage_time.py [--replicates 400] [--cells NAME ...] [--few]`` writes the tables of
docs/validation/time.md, worst cell first.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import scipy

import thresher as th
from thresher._inference.bootstrap import censored_adverse_limits
from thresher._table import Batch

GRID = np.linspace(-6.0, 6.0, 4001)
DENSITY = scipy.stats.norm.pdf(GRID) / scipy.stats.norm.pdf(GRID).sum()
CUT = float(scipy.stats.norm.ppf(0.8))
TIMES = (0.4, 0.7, 1.0)


class Sample(NamedTuple):
    """Rows, and what beside them `Scores.at_time` is given."""

    time: np.ndarray
    event: np.ndarray
    score: np.ndarray
    options: dict[str, Any]


class Cell(NamedTuple):
    """A name, how samples are drawn, and how very many uncensored rows are."""

    name: str
    about: str
    draw: Callable[[np.random.Generator], Sample]
    truth: Callable[[], tuple[np.ndarray, np.ndarray, np.ndarray]]


def hazards(share: float, auc: float) -> tuple[float, float]:
    """Return the hazard and its log ratio by the score that give the share of events by t = 1 and the area."""

    def of(slope: float) -> tuple[float, float]:
        hazard = scipy.optimize.brentq(lambda h: _share(h, slope) - share, 1e-15, 1e3)
        return hazard, _area(hazard, slope)

    slope = scipy.optimize.brentq(lambda b: of(b)[1] - auc, 0.05, 6.0)
    return of(slope)[0], slope


def _risk(hazard: float, slope: float) -> np.ndarray:
    return -np.expm1(-hazard * np.exp(slope * GRID))


def _share(hazard: float, slope: float) -> float:
    return float(DENSITY @ _risk(hazard, slope))


def _area(hazard: float, slope: float) -> float:
    pos, neg = DENSITY * _risk(hazard, slope), DENSITY * (1.0 - _risk(hazard, slope))
    return float(pos @ (np.cumsum(neg) - neg / 2.0)) / float(pos.sum() * neg.sum())


def exponential(name: str, n: int, share: float, censored: float, auc: float, *, late: bool = False) -> Cell:
    """Return a cell of proportional hazards with censoring that is exponential, or late and heavy."""

    @cache
    def made() -> tuple[float, float, float]:
        hazard, slope = hazards(share, auc)
        own = hazard * np.exp(slope * GRID)

        def unknown(rate: float) -> float:
            return float(DENSITY @ (rate / (rate + own) * -np.expm1(-(rate + own)))) - censored

        return hazard, slope, 0.0 if late else scipy.optimize.brentq(unknown, 1e-6, 1e3)

    def draw(rng: np.random.Generator) -> Sample:
        hazard, slope, rate = made()
        score = rng.normal(size=n)
        event = rng.exponential(size=n) / (hazard * np.exp(slope * score))
        end = rng.uniform(0.5, 1.04, n) if late else rng.exponential(1.0 / rate, n)
        return Sample(np.minimum(event, end), event <= end, score, {})

    def truth() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        hazard, slope, _ = made()
        return GRID, DENSITY * _risk(hazard, slope), DENSITY * (1.0 - _risk(hazard, slope))

    return Cell(
        name, f"{n} rows, events {share:g}, unknown {'late' if late else f'{censored:g}'}, AUC {auc:g}", draw, truth
    )


def by_rows(name: str, about: str, draw: Callable[[np.random.Generator, bool], Sample]) -> Cell:
    """Return a cell whose truth is that of very many rows without censoring."""

    @cache
    def truth() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        score, pos, neg = [], [], []
        for seed in range(40):
            rows = draw(np.random.default_rng([7, seed]), True)
            case = (rows.event == 1) & (rows.time <= 1.0)
            score.append(rows.score)
            pos.append(case)
            neg.append(~case)
        return np.concatenate(score), np.concatenate(pos).astype(float), np.concatenate(neg).astype(float)

    return Cell(name, about, lambda rng: draw(rng, False), truth)


def _whole(rng: np.random.Generator, n: int, whole: bool) -> int:
    return 50_000 if whole else n


def stratum(rng: np.random.Generator, whole: bool) -> Sample:
    n = _whole(rng, 400, whole)
    site = rng.integers(0, 2, n)
    score = rng.normal(size=n) + 0.8 * site
    event = rng.exponential(size=n) / (0.5 * np.exp(0.9 * score))
    end = np.full(n, np.inf) if whole else rng.exponential(size=n) / np.where(site == 1, 2.2, 0.15)
    return Sample(np.minimum(event, end), (event <= end).astype(int), score, {"site": site})


def by_stratum(rng: np.random.Generator, whole: bool) -> Sample:
    rows = stratum(rng, whole)
    return rows._replace(options={"strata": rows.options["site"]})


def marginal(rng: np.random.Generator, whole: bool) -> Sample:
    return stratum(rng, whole)._replace(options={})


def tied(rng: np.random.Generator, whole: bool) -> Sample:
    n = _whole(rng, 250, whole)
    latent = rng.normal(size=n)
    event = rng.exponential(size=n) / (0.5 * np.exp(1.1 * latent))
    end = np.full(n, np.inf) if whole else rng.exponential(1.2, n)
    score = np.clip(np.round(latent + 0.3 * rng.normal(size=n)), -2, 2)
    return Sample(np.ceil(12 * np.minimum(event, end)) / 12, (event <= end).astype(int), score, {})


def end_at_t(rng: np.random.Generator, whole: bool) -> Sample:
    n = _whole(rng, 150, whole)
    score = rng.standard_t(2, n)
    event = rng.weibull(0.7, n) * np.exp(-0.5 * np.clip(score, -6, 6)) * 2.5
    end = np.full(n, np.inf) if whole else np.minimum(rng.exponential(2.0, n), 1.0)
    return Sample(np.minimum(event, end), (event <= end).astype(int), score, {})


def competing(rng: np.random.Generator, whole: bool) -> Sample:
    n = _whole(rng, 200, whole)
    score = rng.normal(size=n)
    first = rng.exponential(size=n) / (0.4 * np.exp(1.0 * score))
    second = rng.exponential(size=n) / (0.3 * np.exp(0.5 * score))
    end = np.full(n, np.inf) if whole else rng.exponential(1.5, n)
    event = np.where(np.minimum(first, second) > end, 0, np.where(first <= second, 1, 2))
    return Sample(np.minimum(np.minimum(first, second), end), event, score, {})


def entered(rng: np.random.Generator, whole: bool) -> Sample:
    n = _whole(rng, 500, whole)
    score = rng.normal(size=n)
    event = rng.exponential(size=n) / (0.5 * np.exp(0.9 * score))
    if whole:
        return Sample(event, np.ones(n, dtype=int), score, {})
    entry = np.where(rng.random(n) < 0.4, -0.01, rng.uniform(0.0, 0.8, n))
    end = entry + rng.exponential(1.5, n)
    seen = entry < event
    time, happened = np.minimum(event, end)[seen], (event <= end).astype(int)[seen]
    return Sample(time, happened, score[seen], {"entry": entry[seen]})


def clustered(rng: np.random.Generator, whole: bool) -> Sample:
    n = _whole(rng, 200, whole)
    family = np.arange(n) // 5
    shared, frail = rng.normal(size=(2, n // 5))
    score = 0.7 * shared[family] + 0.7 * rng.normal(size=n)
    event = rng.exponential(size=n) / (0.5 * np.exp(1.1 * score + 0.5 * frail[family]))
    end = np.full(n, np.inf) if whole else rng.exponential(1.5, n // 5)[family]
    options = {} if whole else {"cluster": family}
    return Sample(np.minimum(event, end), (event <= end).astype(int), score, options)


CELLS = [
    exponential("1", 100, 0.4, 0.1, 0.75),
    exponential("2", 100, 0.4, 0.5, 0.75),
    exponential("3", 100, 0.2, 0.3, 0.75),
    exponential("4", 200, 0.2, 0.7, 0.75),
    exponential("5", 500, 0.05, 0.3, 0.75),
    exponential("6", 500, 0.05, 0.7, 0.8),
    exponential("7", 1000, 0.05, 0.5, 0.9),
    exponential("8", 200, 0.4, 0.5, 0.6),
    exponential("9", 200, 0.4, 0.5, 0.95),
    exponential("10", 400, 0.2, 0.5, 0.95),
    exponential("11", 100, 0.2, 0.7, 0.9),
    exponential("12", 1000, 0.4, 0.7, 0.75),
    exponential("late", 300, 0.3, 0.7, 0.75, late=True),
    by_rows("tied", "250 rows, five scores, times rounded up to twelfths", tied),
    by_rows("end at t", "150 rows, heavy-tailed scores, falling hazard, everyone censored at t", end_at_t),
    by_rows("competing", "200 rows, two kinds of event", competing),
    by_rows("late entry", "about 420 rows, most of them entering late", entered),
    by_rows("clusters", "40 clusters of 5 with shared score, frailty and end", clustered),
    by_rows("by stratum", "400 rows, censoring by site, strata=site", by_stratum),
    by_rows("site ignored", "the same without strata", marginal),
]


@cache
def truths(name: str) -> dict[str, float]:
    """Return the values of the population of a cell."""
    cell = next(one for one in CELLS if one.name == name)
    score, pos, neg = cell.truth()
    table = th.Scores.from_counts(score, pos, neg)
    risk = _as_risk(score)
    share = float(pos.sum() / (pos.sum() + neg.sum()))
    brier = float(pos @ (1.0 - risk) ** 2 + neg @ risk**2) / float(pos.sum() + neg.sum())
    out = {"AUC": table.roc_auc().value, "PR": table.pr_auc().value, "prevalence": share, "Brier": brier}
    cut = _cut(name)
    for label, metric in RATES.items():
        out[label] = th.measures.Confusion(metric, threshold=cut).of(table)
    return out


RATES = {"recall": "recall", "FPR": "fpr", "precision": "precision", "NPV": "npv"}


def _cut(name: str) -> float:
    return {"tied": 1.0, "by stratum": 1.3, "site ignored": 1.3, "end at t": 1.06}.get(name, CUT)


def _as_risk(score: np.ndarray) -> np.ndarray:
    return np.asarray(scipy.special.expit(np.clip(score, -30, 30) - 1.0))


def intervals(cell: Cell, rows: Sample) -> dict[str, tuple[float, float]]:
    """Return the default intervals of a sample."""
    scores = th.Scores.at_time(rows.time, rows.event, rows.score, 1.0, **rows.options)
    out: dict[str, Any] = {"AUC": scores.roc_auc().confidence_interval()}
    out["PR"] = scores.pr_auc().confidence_interval()
    for label, metric in RATES.items():
        out[label] = scores.measure(metric, threshold=_cut(cell.name)).confidence_interval()
    risk = th.Scores.at_time(rows.time, rows.event, _as_risk(rows.score), 1.0, **rows.options)
    out["Brier"] = risk.measure("brier").confidence_interval()
    return {label: (float(low), float(high)) for label, (low, high) in out.items()}


def run(cell: Cell, replicates: int) -> tuple[dict[str, float], float, int]:
    """Return how often each interval covers, how often a warning was given, and how many samples had an answer."""
    inside: dict[str, list[bool]] = {}
    warned, done = 0, 0
    for seed in range(replicates):
        rows = cell.draw(np.random.default_rng([11, seed]))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                found = intervals(cell, rows)
            except th.UndefinedMetricError:
                continue
        done += 1
        warned += bool(said)
        for label, (low, high) in found.items():
            inside.setdefault(label, []).append(low <= truths(cell.name)[label] <= high)
    return {label: 100.0 * float(np.mean(own)) for label, own in inside.items()}, 100.0 * warned / max(done, 1), done


def _areas(pos: np.ndarray, neg: np.ndarray, at: np.ndarray) -> np.ndarray:
    return th.measures.PrAuc().values(Batch(pos, neg, at))


def few_followed(replicates: int) -> None:
    """Print the PR area with few heavy controls by how much of a row stands at the adverse ends."""
    print("| cell | logit | " + " | ".join(f"mass {m:g}" for m in (0.0625, 0.125, 0.25, 0.5)) + " | widths |")
    for name in ("late", "11", "2"):
        cell = next(one for one in CELLS if one.name == name)
        hits, widths = np.zeros(5), np.zeros(5)
        done = 0
        for seed in range(replicates):
            rows = cell.draw(np.random.default_rng([12, seed]))
            try:
                scores = th.Scores.at_time(rows.time, rows.event, rows.score, 1.0)
            except th.UndefinedMetricError:
                continue
            done += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = [tuple(scores.pr_auc().confidence_interval(method="logit"))]

            for mass in (0.0625, 0.125, 0.25, 0.5):
                value = th.measures.PrAuc().of(scores)
                found.append(censored_adverse_limits(scores, scores._outcome, _areas, 0.95, value=value, mass=mass))
            truth = truths(name)["PR"]
            hits += [low <= truth <= high for low, high in found]
            widths += [high - low for low, high in found]
        shown = " | ".join(f"{100 * h / done:.1f}" for h in hits)
        print(f"| {name} | {shown} | {', '.join(f'{w / done:.3f}' for w in widths)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=400)
    parser.add_argument("--cells", nargs="*", default=None)
    parser.add_argument("--few", action="store_true")
    given = parser.parse_args()
    if given.few:
        few_followed(given.replicates)
        return
    labels = ["AUC", "PR", *RATES, "Brier"]
    lines = []
    for cell in CELLS:
        if given.cells and cell.name not in given.cells:
            continue
        found, warned, done = run(cell, given.replicates)
        worst = min(found.values())
        numbers = " | ".join(f"{found[label]:.1f}" for label in labels)
        lines.append((worst, f"| {cell.name} | {cell.about} | {done} | {numbers} | {warned:.0f} |"))
        print(lines[-1][1], flush=True)
    error = 100.0 * math.sqrt(0.95 * 0.05 / given.replicates)
    print(f"\nWorst first; {given.replicates} samples a cell, standard error {error:.1f} at 95.\n")
    print("| cell | | samples | " + " | ".join(labels) + " | warned |\n" + "|---" * (len(labels) + 4) + "|")
    print("\n".join(line for _, line in sorted(lines)))


if __name__ == "__main__":
    main()
