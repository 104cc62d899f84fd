"""Metrics of the confusion matrix: coverage of intervals, sizes of tests, chosen thresholds, largest gaps, bands.

    python -m benchmarks.coverage_confusion [intervals|paired|unpaired|chosen|gaps|bands ...] [--samples 1000]

Prints the tables of `docs/validation/confusion.md`, the worst cell of each first. Intervals with fixed classes are
enumerated, not simulated.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product
from typing import Any

import numpy as np
import scipy.optimize
import scipy.special
import scipy.stats

import thresher as th
from thresher._cells import Matrix, Pairing, compare_paired, compare_unpaired, find, limits
from thresher._cells.gaps import largest_gap
from thresher._inference.rates.proportion import proportion_bounds

METRICS = ("mcc", "f1", "kappa", "precision", "npv", "g_mean", "markedness", "lr_positive", "dor", "accuracy")
TPRS, TNRS = (0.6, 0.8, 0.95, 0.99), (0.7, 0.9, 0.97, 0.995)


def metric_of(name: str) -> Any:
    """Return a metric of the catalogue."""
    return find(name)


def intervals(samples: int) -> None:
    """Print the exact coverage of the default intervals with fixed classes, and that of random ones by simulation."""
    rows = []
    for n_pos, n_neg in ((10, 10), (10, 90), (30, 30)):
        tp, fp = (x.ravel().astype(float) for x in np.meshgrid(range(n_pos + 1), range(n_neg + 1), indexing="ij"))
        cells = Matrix(tp, fp, n_pos - tp, n_neg - fp)
        for name in METRICS:
            low, high = limits(metric_of(name), cells, design="fixed")
            for tpr, tnr in product(TPRS, TNRS):
                truth = metric_of(name).value(tpr * n_pos, (1 - tnr) * n_neg, (1 - tpr) * n_pos, tnr * n_neg)
                mass = scipy.stats.binom.pmf(tp, n_pos, tpr) * scipy.stats.binom.pmf(fp, n_neg, 1 - tnr)
                inside = (low <= truth + 1e-12) & (truth <= high + 1e-12)
                rows.append((float(mass[inside].sum()), name, f"{n_pos} v {n_neg}, fixed", f"{tpr} and {tnr}"))
    rng = np.random.default_rng(1)
    for (n, share), (tpr, tnr) in product(((40, 0.5), (200, 0.1)), ((0.6, 0.9), (0.95, 0.97), (0.99, 0.995))):
        chances = (share * tpr, (1 - share) * (1 - tnr), share * (1 - tpr), (1 - share) * tnr)
        tables, times = np.unique(rng.multinomial(n, chances, size=samples), axis=0, return_counts=True)
        both = (tables[:, 0] + tables[:, 2] > 0) & (tables[:, 1] + tables[:, 3] > 0)
        cells = Matrix(*tables[both].T.astype(float))
        for name in METRICS:
            low, high = limits(metric_of(name), cells)
            truth = metric_of(name).value(*chances)
            inside = (low <= truth + 1e-12) & (truth <= high + 1e-12)
            covered = float(times[both][inside].sum() / times[both].sum())
            rows.append((covered, name, f"{n}, {share:g} positive, random", f"{tpr} and {tnr}"))
    rows.sort()
    print("| coverage | metric | rows | TPR and TNR |\n|---:|---|---|---|")
    for covered, *what in rows[:12]:
        print(f"| {100 * covered:.1f}% | {' | '.join(what)} |")
    under, middle = sum(row[0] < 0.93 for row in rows), 100 * rows[len(rows) // 2][0]
    print(f"\n{len(rows)} cells; {under} under 93%; median {middle:.1f}%.")


def joint(rng: Any, n: int, rate_a: float, rate_b: float, rho: float, samples: int) -> Pairing:
    """Return the rows of one class by the predictions of two models with correlated latent scores."""
    cuts = scipy.special.ndtri(rate_a), scipy.special.ndtri(rate_b)
    both = float(scipy.stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf(cuts))
    drawn = rng.multinomial(n, [both, rate_a - both, rate_b - both, 1 - rate_a - rate_b + both], size=samples).T
    return Pairing(*drawn.astype(float))


def equal_tnr(name: str, n_pos: int, n_neg: int, tpr: float, tnr: float, other: float) -> float | None:
    """Return the specificity at which a model with another recall has the same value of the metric."""
    goal = metric_of(name).value(tpr * n_pos, (1 - tnr) * n_neg, (1 - tpr) * n_pos, tnr * n_neg)

    def off(x: float) -> float:
        return float(metric_of(name).value(other * n_pos, (1 - x) * n_neg, (1 - other) * n_pos, x * n_neg) - goal)

    return float(scipy.optimize.brentq(off, 0.01, 0.9999)) if off(0.01) * off(0.9999) < 0 else None


def paired(samples: int) -> None:
    """Print how often the default test of two models on the same rows rejects where they are equal."""
    rng, rows = np.random.default_rng(2), []
    for (n_pos, n_neg), name in product(((15, 45), (20, 200), (60, 140), (200, 800)), METRICS):
        points = [((0.8, 0.9), (0.8, 0.9)), ((0.95, 0.97), (0.95, 0.97))]
        other = equal_tnr(name, n_pos, n_neg, 0.9, 0.8, 0.7)
        points += [((0.9, 0.8), (0.7, other))] if other is not None else []
        for (first, second), rho in product(points, (0.1, 0.7)):
            pos = joint(rng, n_pos, first[0], second[0], rho, samples)
            neg = joint(rng, n_neg, 1 - first[1], 1 - second[1], rho, samples)
            with np.errstate(all="ignore"):
                found = compare_paired(metric_of(name), pos, neg)
            rejected = float(np.nanmean(np.where(np.isfinite(found.difference), found.pvalue < 0.05, np.nan)))
            kind = "same" if first == second else "unlike"
            rows.append((rejected, name, f"{n_pos} v {n_neg}", f"{kind} points {first[0]}, {first[1]}", f"{rho}"))
    rows.sort(reverse=True)
    print("| rejected at 5% | metric | rows | operating points | correlation |\n|---:|---|---|---|---:|")
    for rejected, *what in rows[:12]:
        print(f"| {100 * rejected:.1f}% | {' | '.join(what)} |")
    print(f"\n{len(rows)} cells of {samples:,} samples; {sum(row[0] > 0.065 for row in rows)} over 6.5%.")


def unpaired(samples: int) -> None:
    """Print how often the default test of two independent samples rejects where they are equal."""
    rng, rows = np.random.default_rng(3), []
    sizes = (((20, 20), (20, 20)), ((40, 40), (40, 40)), ((20, 180), (60, 140)), ((15, 45), (100, 300)))
    for (a, b), name, (tpr, tnr) in product(sizes, METRICS, ((0.8, 0.9), (0.95, 0.97), (0.6, 0.7))):
        if not metric_of(name).free and a[0] / sum(a) != b[0] / sum(b):
            continue
        tables = []
        for n_pos, n_neg in (a, b):
            tp, fp = rng.binomial(n_pos, tpr, samples), rng.binomial(n_neg, 1 - tnr, samples)
            tables.append(Matrix(*(x.astype(float) for x in (tp, fp, n_pos - tp, n_neg - fp))))
        none = np.zeros(samples), np.ones(samples)
        with np.errstate(all="ignore"):
            found = compare_unpaired(metric_of(name), *tables, none, none)
        rejected = float(np.nanmean(np.where(np.isfinite(found.difference), found.pvalue < 0.05, np.nan)))
        rows.append((rejected, name, f"{a[0]} v {a[1]} and {b[0]} v {b[1]}", f"{tpr}, {tnr}"))
    rows.sort(reverse=True)
    print("| rejected at 5% | metric | samples | TPR, TNR |\n|---:|---|---|---|")
    for rejected, *what in rows[:12]:
        print(f"| {100 * rejected:.1f}% | {' | '.join(what)} |")
    print(f"\n{len(rows)} cells of {samples:,} samples; {sum(row[0] > 0.065 for row in rows)} over 6.5%.")


def chosen(samples: int) -> None:
    """Print the coverage of intervals at a threshold chosen on the same rows, for what the rule will do."""
    rng, rows = np.random.default_rng(4), []
    laws = {"normal": lambda n: rng.normal(size=n), "exponential": lambda n: rng.exponential(size=n)}
    tails = {"normal": scipy.stats.norm.sf, "exponential": scipy.stats.expon.sf}
    for law, (n, share), name in product(laws, ((60, 0.5), (250, 0.2)), ("youden", "f1", "mcc")):
        moved, plain = 0, 0
        for seed in range(samples):
            y = np.arange(n) < round(share * n)
            point = th.Scores(y, laws[law](n) + 1.2 * y).choose_threshold(name)
            cells = [share * tails[law](point.threshold - 1.2), (1 - share) * tails[law](point.threshold)]
            truth = float(metric_of(name).value(cells[0], cells[1], share - cells[0], 1 - share - cells[1]))
            corrected = point.optimism(n_resamples=200, rng=seed)
            moved += corrected.low <= truth <= corrected.high
            own = limits(metric_of(name), Matrix(*map(float, (point.tp, point.fp, point.fn, point.tn))))
            plain += bool(own[0] <= truth <= own[1])
        rows.append((moved / samples, plain / samples, name, law, f"{n}, {share:g} positive"))
    rows.sort()
    print("| `optimism()` | the interval of a fixed threshold | metric | scores | rows |\n|---:|---:|---|---|---|")
    for one, other, *what in rows:
        print(f"| {100 * one:.1f}% | {100 * other:.1f}% | {' | '.join(what)} |")
    print(f"\n{samples:,} samples a cell.")


def gaps(samples: int) -> None:
    """Print the coverage of the interval of the largest gap, equal groups first."""
    rng, rows = np.random.default_rng(5), []
    settings = [
        ((100,) * 5, (0.5,) * 5),
        ((1000, 300, 100, 40, 15), (0.98,) * 5),
        ((1000, 300, 100, 40, 15), (0.5,) * 5),
        ((200,) * 3, (0.8,) * 3),
        ((100,) * 2, (0.5,) * 2),
        ((30,) * 12, (0.9,) * 12),
        ((100,) * 5, (0.5, 0.5, 0.5, 0.7, 0.7)),
        ((200,) * 3, (0.7, 0.8, 0.9)),
    ]
    for sizes, rates in settings:
        inside = shown = 0
        for _ in range(samples):
            n = np.array(sizes, dtype=float)
            k = rng.binomial(sizes, rates).astype(float)
            found = largest_gap([(k / n, lambda tail, k=k, n=n: proportion_bounds(k, n, 1 - 2 * tail, "bayes"))])
            truth = max(rates) - min(rates)
            inside += found.low <= truth + 1e-12 and truth <= found.high + 1e-12
            shown += found.low > 0.0
        sized = " ".join(map(str, sizes)) if len(set(sizes)) > 1 else f"{len(sizes)} x {sizes[0]}"
        rated = f"all {rates[0]}" if len(set(rates)) == 1 else " ".join(map(str, rates))
        rows.append((inside / samples, shown / samples, sized, rated))
    rows.sort()
    print("| coverage | gap shown | groups | rates |\n|---:|---:|---|---|")
    for covered, shown_, *what in rows:
        print(f"| {100 * covered:.1f}% | {100 * shown_:.1f}% | {' | '.join(what)} |")
    print(f"\n{samples:,} samples a cell.")


def bands(samples: int) -> None:
    """Print how often the whole curve of the population is inside the simultaneous band of a metric."""
    rng, rows = np.random.default_rng(6), []
    for (n, share), (name, prevalence) in product(
        ((80, 0.5), (200, 0.1)), (("youden", None), ("mcc", None), ("f1", None), ("precision", None), ("mcc", 0.02))
    ):
        inside = seen = 0
        for _ in range(samples):
            y = rng.random(n) < share
            if y.all() or not y.any():
                continue
            curve = th.Scores(y, rng.normal(size=n) + 1.2 * y).metric_curve(name, prevalence=prevalence)
            band = curve.band(simultaneous=True)
            tpr, fpr = scipy.special.ndtr(1.2 - band.x), scipy.special.ndtr(-band.x)
            truth = metric_of(name).value(tpr, fpr, 1 - tpr, 1 - fpr, prevalence=prevalence or share, exact=False)
            inside += bool(((band.low <= truth + 1e-12) & (truth <= band.high + 1e-12)).all())
            seen += 1
        where = "the sample's" if prevalence is None else f"{prevalence:g}, known"
        rows.append((inside / seen, name, where, f"{n}, {share:g} positive"))
    rows.sort()
    print("| coverage | metric | prevalence | rows |\n|---:|---|---|---|")
    for covered, *what in rows:
        print(f"| {100 * covered:.1f}% | {' | '.join(what)} |")
    print(f"\n{samples:,} samples a cell.")


PARTS = {one.__name__: one for one in (intervals, paired, unpaired, chosen, gaps, bands)}


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--samples", type=int, default=1000)
    given = parser.parse_args()
    warnings.simplefilter("ignore", th.ThresherWarning)
    for name in given.parts or PARTS:
        print(f"\n### {name}\n")
        PARTS[name](given.samples)


if __name__ == "__main__":
    main()
