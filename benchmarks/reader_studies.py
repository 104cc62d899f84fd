"""What tests and intervals of reader studies reject and cover, by simulation.

    python -m benchmarks.reader_studies [REPLICATES] [PATTERN]

Ratings follow the model of Roe and Metz (1997): readers, cases and their interactions with modalities are normal on a
latent scale, and both modalities are equally good. Each setting is a row: the proportion of 5% tests that reject, with
the proportion that does so without a warning; the coverage of the 95% interval of a modality's mean over readers, and
of the wider one of `confidence_interval(method="wider")`; and the ratio of the standard error to the standard deviation
of the difference. PATTERN picks settings by what their name contains.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

import thresher as th

# Variances of cases, of modalities by cases, of readers by cases, and the rest: much and little shared by readings.
SHARED = {"much": (0.3, 0.3, 0.2, 0.2), "little": (0.1, 0.1, 0.2, 0.6)}
READERS = {"alike": 0.0055, "apart": 0.03, "far apart": 0.056}


@dataclass(frozen=True)
class Setting:
    """One row of the table."""

    readers: int = 5
    pos: int = 25
    neg: int = 25
    mu: float = 1.5
    shared: str = "much"
    spread: str = "alike"
    wide: float = 1.0
    """How many times as wide the ratings of positives are."""
    points: int = 0
    """Ratings in so many categories; 0 for continuous ones."""
    read: float = 1.0
    """The proportion of cases that each reader reads."""
    nested: bool = False
    modalities: int = 2
    metric: str = "roc_auc"
    options: tuple[tuple[str, float], ...] = ()
    how: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What the table calls it."""
        parts = [
            self.metric, f"{self.readers} readers {self.spread}", f"{self.pos} + {self.neg} cases",
            f"distance {self.mu:g}", f"{self.shared} shared",
        ]  # fmt: skip
        parts += [f"positives {self.wide:g} times as wide"] if self.wide != 1 else []
        parts += [f"{self.points} categories"] if self.points else []
        parts += [f"each reads {self.read:.0%}"] if self.read < 1 else []
        parts += ["nested readers"] if self.nested else []
        parts += [f"{self.modalities} modalities"] if self.modalities != 2 else []
        parts += [f"{name}={one}" for name, one in (*self.options, *self.how)]
        return ", ".join(parts)


def drawn(one: Setting, rng: np.random.Generator) -> pd.DataFrame:
    """Return the ratings of one study."""
    t, r, n = one.modalities, one.readers, one.pos + one.neg
    truth = (np.arange(n) < one.pos).astype(int)
    scale = np.where(truth == 1, one.wide, 1.0)
    case, by_modality, by_reader, rest = np.sqrt(SHARED[one.shared])
    skill = np.sqrt(READERS[one.spread])
    # Effects of readers on positives and on negatives, alone and by modality.
    own = rng.normal(size=(r, 2)) * skill
    mixed = rng.normal(size=(t, r, 2)) * skill
    x = (own + mixed)[:, :, truth] + one.mu * truth
    x = x + scale * (
        case * rng.normal(size=n)
        + by_modality * rng.normal(size=(t, 1, n))
        + by_reader * rng.normal(size=(r, n))
        + rest * rng.normal(size=(t, r, n))
    )
    if one.points:
        x = np.searchsorted(np.linspace(0.0, one.mu + 0.3, one.points - 1), x)
    i, j, k = (index.ravel() for index in np.indices(x.shape))
    kept = np.ones(i.size, dtype=bool)
    if one.read < 1:
        kept = (rng.random((r, n)) < one.read)[j, k]
    if one.nested:
        kept &= j % t == i
    rows = {"modality": i, "reader": j, "case": k, "truth": truth[k], "rating": x.ravel()}
    return pd.DataFrame({name: column[kept] for name, column in rows.items()})


def true_value(one: Setting) -> float:
    """Return the mean of the metric over readers, for continuous ratings."""
    spread = 2.0 * READERS[one.spread]
    if one.metric == "roc_auc":
        return float(norm.cdf(one.mu / np.sqrt(2 * spread + 1 + one.wide**2)))
    rng = np.random.default_rng(1)
    pos, neg = rng.normal(size=(2, 4000)) * np.sqrt(spread)
    pos = pos + one.mu
    if one.metric == "recall":
        return float(norm.sf((dict(one.options)["threshold"] - pos) / one.wide).mean())
    if one.metric == "recall_at_fpr":
        cut = neg + norm.isf(dict(one.options)["fpr"])
        return float(norm.sf((cut - pos) / one.wide).mean())
    if one.metric == "kolmogorov_smirnov":
        cuts = np.linspace(-6, 9, 3001)[:, None]
        return float((norm.sf((cuts - pos) / one.wide) - norm.sf(cuts - neg)).max(axis=0).mean())
    return np.nan


def settings() -> list[Setting]:
    """Return all rows."""
    base = Setting()
    rows = [
        replace(base, readers=r, pos=p, neg=n, mu=mu, shared=shared, spread=spread)
        for r in (3, 5, 10)
        for p, n in ((25, 25), (8, 60))
        for mu, shared, spread in (
            (0.75, "much", "alike"), (1.5, "little", "apart"), (2.5, "much", "far apart"), (3.6, "little", "alike"),
        )
    ]  # fmt: skip
    rows += [
        replace(base, readers=r, pos=p, neg=n, mu=mu, wide=wide, spread="apart")
        for r in (3, 6)
        for p, n in ((25, 25), (8, 60))
        for mu, wide in ((2.0, 3.0), (0.8, 0.4))
    ]
    rows += [replace(base, readers=r, points=5, pos=p, neg=50) for r in (4, 8) for p in (8, 50)]
    rows += [replace(base, readers=r, read=0.5, pos=50, neg=50) for r in (4, 8)]
    rows += [replace(base, readers=r, nested=True, spread="apart", pos=30, neg=30) for r in (6, 12)]
    rows += [replace(base, modalities=3, spread="apart", how=how) for how in ((), (("pooled", False),))]
    rows += [replace(base, how=(("covariance", how),)) for how in ("unbiased", "jackknife")]
    for metric, options in (
        ("kolmogorov_smirnov", ()),
        ("recall_at_fpr", (("fpr", 0.2),)),
        ("recall", (("threshold", 1.0),)),
        ("average_precision", ()),
        ("mcc", (("threshold", 1.0),)),
    ):
        rows += [
            replace(base, readers=r, pos=p, neg=n, spread="apart", mu=mu, metric=metric, options=options)
            for r in (3, 6)
            for p, n, mu in ((25, 25, 1.5), (8, 60, 1.5), (25, 25, 3.0))
        ]
    return rows


def misused() -> list[Setting]:
    """Return settings in which what was sampled is taken as fixed."""
    return [
        Setting(readers=r, pos=50, neg=50, mu=mu, spread=spread, how=((what, "fixed"),))
        for r, mu, spread in ((10, 0.75, "alike"), (5, 1.5, "apart"), (5, 2.5, "far apart"))
        for what in ("cases", "readers")
    ]


def simulated(one: Setting, replicates: int, seed: int) -> dict[str, Any]:
    """Return the figures of one row."""
    rng = np.random.default_rng([seed, 7])
    truth = true_value(one) if not one.points else np.nan
    rejected = unwarned = covered = covered_unwarned = wider = refused = 0
    differences, errors = [], []
    quick = {} if one.metric in ("roc_auc", "recall", "mcc", "average_precision") else {"n_resamples": 300}
    for _ in range(replicates):
        study = th.readers(drawn(one, rng))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", th.ThresherWarning)
            try:
                found = study.measure(one.metric, **dict(one.options), **dict(one.how), **quick)
            except th.ThresherError:
                refused += 1
                continue
        quiet = not caught
        pvalue = found.differences[0].pvalue
        rejected += pvalue < 0.05
        unwarned += quiet and pvalue < 0.05
        inside = found.means[0].low <= truth <= found.means[0].high
        covered += inside
        wider += truth in found.means[0].confidence_interval(method="wider")
        covered_unwarned += inside or not quiet
        differences.append(found.differences[0].difference)
        errors.append(found.differences[0].standard_error ** 2)
    done = max(replicates - refused, 1)
    return {
        "setting": one.name,
        "rejects": 100 * rejected / done,
        "unwarned": 100 * unwarned / done,
        "covers": 100 * covered / done if np.isfinite(truth) else np.nan,
        "covers or warns": 100 * covered_unwarned / done if np.isfinite(truth) else np.nan,
        "wider covers": 100 * wider / done if np.isfinite(truth) else np.nan,
        "error over sd": float(np.sqrt(np.mean(errors)) / np.std(differences)) if differences else np.nan,
        "refused": 100 * refused / replicates,
    }


def table(rows: list[dict[str, Any]], by: str, *, down: bool) -> str:
    """Return rows as Markdown, worst first."""
    ordered = sorted(rows, key=lambda row: -row[by] if down else row[by])
    head = "| setting | rejects | unwarned | covers | covers or warns | wider covers | error / sd |"
    lines = [head, "|---|---|---|---|---|---|---|"]
    for row in ordered:
        cells = [
            row["setting"],
            *(f"{row[name]:.1f}" for name in ("rejects", "unwarned", "covers", "covers or warns", "wider covers")),
            f"{row['error over sd']:.2f}",
        ]
        lines.append("| " + " | ".join("" if cell == "nan" else cell for cell in cells) + " |")
    return "\n".join(lines)


def main(replicates: int, pattern: str) -> None:
    """Print the table, by rejections and then by coverage."""
    rows = []
    for seed, one in enumerate([*settings(), *misused()]):
        if pattern in one.name:
            rows.append(simulated(one, replicates, seed))
            print(table(rows[-1:], "rejects", down=True).splitlines()[-1], file=sys.stderr, flush=True)
    print(table(rows, "unwarned", down=True))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2] if len(sys.argv) > 2 else "")
