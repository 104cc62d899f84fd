# ruff: noqa: E501  # the text of the page is written as it stands there
"""What intervals of weighted and clustered rows cover.

    OMP_NUM_THREADS=1 python benchmarks/coverage_weights.py > docs/validation/weights.md

takes an hour on one core; `--replicates` makes it shorter or longer, and `--section` makes one of its tables.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import integrate, special

import thresher as th

MEAN = 1.2
AUC = float(special.ndtr(MEAN / math.sqrt(2.0)))
THRESHOLDS = (0.5, 1.5, 2.5, 3.2)


class Rows(NamedTuple):
    """A sample with what precision refers to."""

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray | None
    prevalence: float
    groups: np.ndarray | None = None


def pool(rng: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < share
    return y, rng.normal(size=n) + MEAN * y


def kept(rng: np.random.Generator, y: np.ndarray, s: np.ndarray, p: np.ndarray, share: float) -> Rows:
    """Return the rows that a survey keeps with probability p, weighted by 1 / p."""
    inside = rng.random(y.size) < p
    return Rows(y[inside], s[inside], 1.0 / p[inside], share)


def _none(rng):
    return Rows(*pool(rng, 400, 0.25), None, 0.25)


def _hundred(rng):
    y, s = pool(rng, 400, 0.25)
    return Rows(y, s, np.full(400, 100.0), 0.25)


def _ipw(rng):
    y, s = pool(rng, 1500, 0.1)
    return kept(rng, y, s, np.where(s > 1.0, 1.0, 0.1), 0.1)


def _verification(rng):
    y, s = pool(rng, 1500, 0.1)
    return kept(rng, y, s, 0.05 + 0.95 * special.expit(2.0 * (s - 1.0)), 0.1)


def _tail(rng):
    y, s = pool(rng, 1500, 0.1)
    return kept(rng, y, s, np.minimum(0.1 * np.exp(0.8 * np.abs(s - 0.6)), 1.0), 0.1)


def _balanced(rng):
    y, s = pool(rng, 400, 0.12)
    share = y.mean()
    return Rows(y, s, np.where(y, 0.5 / share, 0.5 / (1.0 - share)), 0.5)


def _case_control(rng, n_pos=100, n_neg=100, factor=49.0):
    y = np.arange(n_pos + n_neg) < n_pos
    s = rng.normal(size=y.size) + MEAN * y
    return Rows(y, s, np.where(y, 1.0, factor), n_pos / (n_pos + factor * n_neg))


def _uniform(rng):
    return Rows(*pool(rng, 400, 0.25), rng.uniform(0.5, 2.0, 400), 0.25)


def _decay(rng):
    return Rows(*pool(rng, 400, 0.25), 0.5 ** (np.arange(400) / 60.0), 0.25)


def _log_normal(rng, n=400):
    return Rows(*pool(rng, n, 0.25), rng.lognormal(size=n), 0.25)


def _screened(rng):
    """A cheap screen decides who is examined: all who screen positive, one in five of the others."""
    y, s = pool(rng, 1500, 0.1)
    return kept(rng, y, s, np.where(s + 1.5 * rng.normal(size=y.size) > 0.8, 1.0, 0.2), 0.1)


def _whole(rng):
    """Whole weights from 1 to 5 on scores with many ties."""
    y, s = pool(rng, 400, 0.25)
    # Rounded down, so that a tenth is reached by those who reached it before.
    return Rows(y, np.floor(10.0 * s + 1e-9) / 10.0, rng.integers(1, 6, 400), 0.25)


DESIGNS: dict[str, Callable[[np.random.Generator], Rows]] = {
    "none": _none,
    "x100": _hundred,
    "ipw": _ipw,
    "verif": _verification,
    "tail": _tail,
    "bal": _balanced,
    "49": _case_control,
    "unif": _uniform,
    "decay": _decay,
    "logn": _log_normal,
    "logn120": lambda rng: _log_normal(rng, 120),
    "screened": _screened,
    "whole": _whole,
}
FIXED = ("bal", "49")
EQUAL = ("none", "x100", "bal", "49")
VARYING = ("ipw", "verif", "tail", "unif", "decay", "logn", "logn120", "screened", "whole")


def clustered(rng, patients, mean_rows, *, icc=0.3, pure=False, clumped=False, weights=False, single=False) -> Rows:
    sizes = np.ones(patients, dtype=int) if single else 1 + rng.poisson(mean_rows - 1, patients)
    group = np.repeat(np.arange(patients), sizes)
    if pure:
        y = (rng.random(patients) < 0.3)[group]
    else:
        share = rng.beta(0.6, 1.4, patients) if clumped else np.full(patients, 0.3)
        y = rng.random(group.size) < share[group]
    effect = math.sqrt(icc) * rng.normal(size=patients)[group]
    s = MEAN * y + effect + math.sqrt(1.0 - icc) * rng.normal(size=group.size)
    return Rows(y, s, rng.uniform(0.5, 2.0, group.size) if weights else None, 0.3, group)


CLUSTERS: dict[str, Callable[[np.random.Generator], Rows]] = {
    "100 x 3": lambda rng: clustered(rng, 100, 3),
    "30 x 3": lambda rng: clustered(rng, 30, 3),
    "20 x 10": lambda rng: clustered(rng, 20, 10),
    "clumped 50 x 4": lambda rng: clustered(rng, 50, 4, clumped=True),
    "pure 60 x 4": lambda rng: clustered(rng, 60, 4, pure=True),
    "50 x 4, w U(.5,2)": lambda rng: clustered(rng, 50, 4, weights=True),
    "200 x 1": lambda rng: clustered(rng, 200, 1, single=True),
}


def pr_area(share: float) -> float:
    """Return the area under the population's PR curve."""

    def slope(t: float) -> float:
        tpr, fpr = special.ndtr(MEAN - t), special.ndtr(-t)
        density = math.exp(-((t - MEAN) ** 2) / 2.0) / math.sqrt(2.0 * math.pi)
        return density * share * tpr / (share * tpr + (1.0 - share) * fpr)

    return float(integrate.quad(slope, -8.0, 10.0, epsabs=1e-10, limit=400)[0])


class Tally:
    """How often intervals hold the truth, and how often there is none."""

    def __init__(self) -> None:
        self._held: dict[str, list[float]] = {}

    def add(self, name: str, interval: Any, truth: float) -> None:
        self._held.setdefault(name, []).append(float(interval.low <= truth <= interval.high))

    def __getitem__(self, name: str) -> float:
        return 100.0 * float(np.mean(self._held[name])) if name in self._held else math.nan

    def size(self, name: str) -> int:
        return len(self._held.get(name, []))


def frequency_reading(scores: th.Scores) -> Any:
    """Return the interval that takes weights for row counts, as it was before."""
    from thresher._inference.delong import delong, variance_interval

    value = scores.roc_auc().value
    return variance_interval(
        value, delong(scores.pos.astype(float), scores.neg.astype(float)).variance, 0.95, "delong-logit"
    )


def areas(name: str, replicates: int, rng: np.random.Generator) -> tuple[Tally, float, float]:
    """Return the coverage of intervals of areas under one design, and the shares of samples that were warned of.

    The second share is of warnings that only `design="fixed"` gives.
    """
    tally, warned, told = Tally(), 0, 0
    for _ in range(replicates):
        rows = DESIGNS[name](rng)
        scores = th.Scores(rows.y, rows.s, sample_weight=rows.w)
        pr, truth = scores.pr_auc(), pr_area_of(rows.prevalence)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                tally.add("roc logit", scores.roc_auc().confidence_interval(), AUC)
                tally.add("roc plain", scores.roc_auc().confidence_interval(method="delong"), AUC)
                design = "fixed" if name in FIXED else "random"
                tally.add("pr own", pr.confidence_interval(design=design), truth)
                tally.add(
                    "ap own", scores.pr_auc(estimator="average_precision").confidence_interval(design=design), truth
                )
                tally.add("pr random", pr.confidence_interval(design="random"), truth)
                given = scores.pr_auc(prevalence=rows.prevalence)
                tally.add("pr given", given.confidence_interval(), truth)
                tally.add("roc frequency", frequency_reading(scores), AUC)
            except th.UndefinedMetricError:
                continue
        warned += says(caught, *WARNINGS)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tally.add("pr fixed", pr.confidence_interval(design="fixed"), truth)
        told += says(caught, "design='fixed' takes", *WARNINGS)
    return tally, 100.0 * warned / replicates, 100.0 * told / replicates


def says(caught: list[warnings.WarningMessage], *parts: str) -> bool:
    return any(part in str(one.message) for one in caught for part in parts)


WARNINGS = ("so unequal", "top of the list", "range over a factor", "so they set the prevalence")
_AREAS: dict[float, float] = {}


def pr_area_of(share: float) -> float:
    key = round(share, 6)
    if key not in _AREAS:
        _AREAS[key] = pr_area(key)
    return _AREAS[key]


def truths(share: float, t: float) -> dict[str, float]:
    tpr, fpr = float(special.ndtr(MEAN - t)), float(special.ndtr(-t))
    called = share * tpr + (1.0 - share) * fpr
    return {
        "recall": tpr,
        "fpr": fpr,
        "precision": share * tpr / called,
        "npv": (1.0 - share) * (1.0 - fpr) / (1.0 - called),
    }


def rates(name: str, replicates: int, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest coverage over the thresholds."""
    tally = Tally()
    for _ in range(replicates):
        rows = DESIGNS[name](rng)
        curve = th.Scores(rows.y, rows.s, sample_weight=rows.w).roc()
        for t in THRESHOLDS:
            point = curve.at(threshold=t)
            for rate, truth in truths(rows.prevalence, t).items():
                tally.add(f"{rate} {t}", th.rate_interval(rate, point), truth)
    out = {}
    for rate in ("recall", "fpr", "precision", "npv"):
        found = [tally[f"{rate} {t}"] for t in THRESHOLDS]
        out[rate] = min(found), max(found)
    return out


def clusters(name: str, replicates: int, rng: np.random.Generator) -> Tally:
    tally = Tally()
    for _ in range(replicates):
        rows = CLUSTERS[name](rng)
        for label, groups in (("independent", None), ("clusters", rows.groups)):
            scores = th.Scores(rows.y, rows.s, sample_weight=rows.w, groups=groups)
            try:
                tally.add(f"roc {label}", scores.roc_auc().confidence_interval(), AUC)
                tally.add(f"pr {label}", scores.pr_auc().confidence_interval(), pr_area_of(0.3))
                point = scores.roc().at(threshold=1.0)
                for rate, truth in truths(0.3, 1.0).items():
                    tally.add(f"{rate} {label}", th.rate_interval(rate, point), truth)
            except th.UndefinedMetricError:
                continue
    return tally


REWEIGHTED = ((100, 100, 49.0), (200, 1000, 9.8), (100, 1000, 4.9), (400, 400, 12.0), (100, 900, 1.0), (400, 3600, 5.0))


def reweighted(case: tuple[int, int, float], replicates: int, rng: np.random.Generator) -> tuple[float, ...]:
    """Return the coverage by default and by the logit, mean estimate over truth, and how often the logit is warned of."""
    tally, ratio, warned = Tally(), [], 0
    for _ in range(replicates):
        rows = _case_control(rng, *case)
        area, truth = th.Scores(rows.y, rows.s, sample_weight=rows.w).pr_auc(), pr_area_of(rows.prevalence)
        tally.add("default", area.confidence_interval(design="fixed"), truth)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tally.add("logit", area.confidence_interval(method="logit", design="fixed"), truth)
        warned += says(caught, "top of the list")
        ratio.append(area.value / truth)
    return tally["default"], tally["logit"], float(np.mean(ratio)), 100.0 * warned / replicates


def bands(name: str, replicates: int, rng: np.random.Generator) -> list[float]:
    """Return the coverage of pointwise bands: TPR at three FPRs, then FPR at three recalls by the PR band."""
    held = np.zeros(6)
    x, r = np.array([0.05, 0.2, 0.5]), np.array([0.2, 0.5, 0.8])
    for _ in range(replicates):
        rows = DESIGNS[name](rng)
        scores = th.Scores(rows.y, rows.s, sample_weight=rows.w)
        band = scores.roc_band(x)
        held[:3] += band.contains(special.ndtr(MEAN + special.ndtri(x)))
        fpr = special.ndtr(-(MEAN - special.ndtri(r)))
        truth = rows.prevalence * r / (rows.prevalence * r + (1.0 - rows.prevalence) * fpr)
        held[3:] += scores.pr_band(r, prevalence=rows.prevalence).contains(truth)
    return (100.0 * held / replicates).tolist()


def number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


INTRO = """# Coverage of intervals under weights and clusters

Written by `python benchmarks/coverage_weights.py`, table by table with `--section`; nominal level 95%.

Scores are N(1.2, 1) and N(0, 1), AUC-ROC 0.8019. Designs: *none* 400 rows, prevalence 0.25; *x100* the same with weight
100; *ipw* a pool of 1500 at 0.1 of which all rows with s > 1 and one in ten others are kept; *verif* the same pool, kept
with probability 0.05 + 0.95 expit(2(s - 1)), so that weights reach 20; *tail* kept with probability 0.1 exp(0.8 |s - 0.6|);
*bal* 400 rows at 0.12 with balanced weights; *49* 100 and 100 rows, negatives weighted 49; *unif* weights U(0.5, 2);
*decay* weights that halve every 60 rows; *logn* log-normal(0, 1) weights; *logn120* the same with 120 rows. Two more:
*screened* a noisy screen decides who is examined, all who screen positive and one in five others; *whole* whole weights
1 to 5 on scores rounded down to tenths."""


NOT_DEFAULT = "weights taken for row counts"
LABELS = {
    "roc frequency": f"ROC, {NOT_DEFAULT} (before)",
    "roc logit": "**ROC `delong-logit`**",
    "roc plain": "ROC `delong`",
    "pr own": "**PR, default, own design**",
    "ap own": "average precision, own design",
    "pr random": "PR, design random",
    "pr given": "PR, prevalence given",
    "warned": "warned",
    "pr fixed": "PR, design fixed",
    "told": "warned of design fixed",
}


def print_areas(n: int, rng: np.random.Generator) -> None:
    sizes = {name: max(n // 3, 50) if name in EQUAL else n for name in DESIGNS}
    errors = [100.0 * math.sqrt(0.05 * 0.95 / size) for size in (n, min(sizes.values()))]
    print(
        f"## Areas\n\n{n} replicates a cell (standard error {errors[0]:.1f} at 95); *none*, *x100*, *bal* and *49*, whose rows have equal weight within\n"
        f"each class and intervals that are resampled, {min(sizes.values())} ({errors[1]:.1f}). *Warned* says in what share of the samples the code warned of the rows\n"
        "above it: of very unequal weights, of weights of very different size, of few negatives for many, or, where the design is\n"
        "random, of weights by class, which set the prevalence. The last two rows\n"
        "are for `design='fixed'`, right for *bal* and *49* alone: weights that vary within a class estimate the odds, which it\n"
        "takes for known, and the code says so; in *none* and *x100* nothing in the rows tells that their classes were left to\n"
        "chance.\n"
    )
    found = {name: areas(name, size, rng) for name, size in sizes.items()}

    def cell(name: str, key: str) -> float:
        tally, warned, told = found[name]
        return {"warned": warned, "told": told}[key] if key in ("warned", "told") else tally[key]

    print(
        table(
            ["", *DESIGNS], [[label, *(number(cell(name, key)) for name in DESIGNS)] for key, label in LABELS.items()]
        )
    )


def print_rates(n: int, rng: np.random.Generator) -> None:
    print(
        f"## Rates at thresholds 0.5, 1.5, 2.5 and 3.2\n\nThe default with effective counts, lowest and highest; {n} replicates.\n"
    )
    by_rate = {name: rates(name, n, rng) for name in ("none", *VARYING)}
    rows = [
        [rate, *("-".join(number(end) for end in by_rate[name][rate]) for name in by_rate)]
        for rate in ("recall", "fpr", "precision", "npv")
    ]
    print(table(["", *by_rate], rows))


def print_bands(n: int, rng: np.random.Generator) -> None:
    m = max(n // 3, 50)
    print(
        f"## Pointwise bands\n\nTPR at FPR 0.05, 0.2, 0.5; precision at recall 0.2, 0.5, 0.8 with the prevalence given; {m} replicates.\n"
    )
    names = ("ipw", "decay", "logn", "screened")
    print(table(["", *names], [["binomial-beta", *(" ".join(map(number, bands(name, m, rng))) for name in names)]]))


def print_clusters(n: int, rng: np.random.Generator) -> None:
    print(
        f"## Clusters\n\nICC 0.3, prevalence 0.3; patients x mean rows; t with clusters less one; {n} replicates. *pure*: one class per patient;\n"
        "*clumped*: prevalence differs between patients. *Independent* is what `groups=` left out gives: no code can tell.\n"
    )
    told = {name: clusters(name, n, rng) for name in CLUSTERS}
    rows = []
    for key, label in (
        ("roc", "ROC"),
        ("pr", "PR"),
        ("recall", "TPR at 1.0"),
        ("fpr", "FPR at 1.0"),
        ("precision", "precision at 1.0"),
    ):
        cells = [
            f"{number(told[name][f'{key} independent'])} / {number(told[name][f'{key} clusters'])}" for name in CLUSTERS
        ]
        rows.append([f"{label}: independent / clusters", *cells])
    print(table(["", *CLUSTERS], rows))


def print_reweighted(n: int, rng: np.random.Generator) -> None:
    print(
        "## Few negatives that stand for many\n\nReweighting negatives does not make more of them: precision at the top of the list depends on few rows, and AUC-PR is\n"
        "too large on average. The default interval of rows that have equal weight within each class is resampled with half a\n"
        "case at the adverse end, each draw with the weights of its class, and covers. That of `method='logit'`, the default where weights vary within a class, has a\n"
        "variance and no bias: the code warns where one negative at the top counts more than 1% of all positives and more than\n"
        f"four of them. {n} replicates.\n"
    )
    rows = []
    for case in REWEIGHTED:
        held, logit, ratio, warned = reweighted(case, n, rng)
        label = f"{case[0]} + {case[1]}, negatives x {case[2]:g}"
        rows.append([label, number(held), number(logit), number(warned), f"{ratio:.2f}"])
    print(table(["rows", "default", "`logit`", "`logit` warned", "estimate / truth"], rows))


SECTIONS = (print_areas, print_rates, print_bands, print_clusters, print_reweighted)

UNDER = """## Under 90%

Cells under 90% of the methods that are offered, each with its reason and with the warning that fires there:

| cell | reason | what is said |
|---|---|---|
| `delong`, *verif*; PR at a given prevalence, *logn* | weights reach 20 times the least: a sample without a heavy row looks fine | "weights range over a factor of ..." |
| PR by `logit`, the rows of the last table with weights of 4.9 and more | few negatives stand for many: the estimate is biased upwards | "One negative at the top of the list counts as much as ..." |
| PR with `design='fixed'`, *unif*, *decay*, *logn*, *logn120*, *whole* | the odds are estimated by the weights and taken for known | "design='fixed' takes the odds of the classes for known ..." |
| independent rows, clusters | the rows belong together and nobody said so | nothing can be said; `cluster=` is the remedy |"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=600)
    parser.add_argument("--section", type=int, choices=range(len(SECTIONS)), help="one of the tables alone")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", th.ThresherWarning)
    if chosen.section is None:
        print(INTRO, UNDER, sep="\n\n")
    for i, section in enumerate(SECTIONS):
        if chosen.section in (None, i):
            # A stream for each table, so that one can be made again alone.
            print()
            section(chosen.replicates, np.random.default_rng([17, i]))


if __name__ == "__main__":
    main()
