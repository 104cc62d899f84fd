"""The library against definitions: 20,000 random tables over all options, and a million in the weekly run."""

from __future__ import annotations

import math
import os
import random
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from support.definitions import CELLS, Rows

BLOCKS = 20
TABLES = 50_000 if os.environ.get("THRESHER_EXAMPLES") == "thorough" else 1_000

PALETTES: list[list[float]] = [
    [0.0, 0.25, 0.5, 0.75, 1.0],
    [1.0, 2.0, 3.0],
    [math.inf, -math.inf, 0.0, -0.0, 1.0],
    [5e-324, 0.0, 1e300, -1e300, math.inf],
    [i / 16 for i in range(17)],
    [2.0**53, 2.0**53 + 2, -(2.0**53), 0.1, 0.1 + 2**-56],
]


KINDS = (
    "rows",
    "rows",
    "frequency",
    "weights",
    "clusters",
    "weights and clusters",
    "frequency and clusters",
)


class Case:
    """Random rows with one of the ways to weigh them."""

    def __init__(self, rng: random.Random) -> None:
        n = rng.randint(2, 12)
        self.labels = [1, 0, *(rng.randint(0, 1) for _ in range(n - 2))]
        rng.shuffle(self.labels)
        self.palette = rng.choice(PALETTES)
        self.scores = [rng.choice(self.palette) for _ in range(n)]
        self.kind = rng.choice(KINDS)
        self.weights = [Fraction(1)] * n
        columns: dict[str, Any] = {}
        if self.kind.startswith("frequency"):
            self.weights = [Fraction(rng.randint(1, 5)) for _ in range(n)]
            columns["frequency"] = [int(w) for w in self.weights]
        elif self.kind.startswith("weights"):
            self.weights = [Fraction(rng.randint(1, 40), 8) for _ in range(n)]
            columns["sample_weight"] = [float(w) for w in self.weights]
        if self.kind.endswith("clusters"):
            columns["cluster"] = [rng.randint(0, 3) for _ in range(n)]
        self.columns = columns
        self.table = th.Scores(self.labels, np.array(self.scores), **columns)
        self.rows = Rows(self.labels, self.scores, self.weights)
        self.prevalence = rng.choice((None, Fraction(1, 100), Fraction(1, 2), Fraction(3, 4)))

    def shown(self) -> str:
        return f"{self.labels}, {self.scores}, {self.columns}, prevalence {self.prevalence}"

    def agrees(self, found: float, expected: float | Fraction, what: str) -> None:
        wanted = float(expected)
        close = (
            found == wanted
            or (found != found and wanted != wanted)
            or abs(found - wanted) <= 1e-12 * max(1.0, abs(wanted))
        )
        assert close, f"{what}: {found!r}, by definition {wanted!r}\n{self.shown()}"


def counts(case: Case, rng: random.Random) -> None:
    del rng
    table, rows = case.table, case.rows
    assert table.thresholds.tolist() == rows.thresholds(), case.shown()
    cells = [rows.cells(t) for t in rows.thresholds()]
    assert table.tp.tolist() == [float(c.tp) for c in cells], case.shown()
    assert table.fp.tolist() == [float(c.fp) for c in cells], case.shown()


def areas(case: Case, rng: random.Random) -> None:
    table, rows, p = case.table, case.rows, case.prevalence
    share = None if p is None else float(p)
    area = rows.roc_auc()
    if "weights" in case.kind:
        case.agrees(table.roc_auc().value, area, "roc_auc")
    else:  # correctly rounded
        assert table.roc_auc().value == float(area), case.shown()
    case.agrees(table.measure("gini").value, 2 * area - 1, "gini")
    low, high = sorted(rng.sample(range(9), 2))
    span = (low / 8, high / 8)
    ends = (Fraction(low, 8), Fraction(high, 8))
    along, standard = rng.choice(("fpr", "tpr")), rng.random() < 0.5
    case.agrees(
        table.partial_roc_auc(**{along: span}, standardize=standard).value,
        rows.partial_roc_auc(*ends, along=along, standardize=standard),
        f"partial area over {along} {span}, standardize={standard}",
    )
    case.agrees(table.pr_auc(estimator="average_precision", prevalence=share).value, rows.average_precision(p), "ap")
    case.agrees(table.pr_auc(prevalence=share).value, rows.pr_auc(p, Fraction(0), Fraction(1)), "pr_auc")
    part = table.pr_auc(prevalence=share, recall=span).value
    case.agrees(part, rows.pr_auc(p, *ends), f"pr_auc over recall {span}")


def points(case: Case, rng: random.Random) -> None:
    table, rows, p = case.table, case.rows, case.prevalence
    share = None if p is None else float(p)
    rate = Fraction(rng.randint(1, 8), 8)
    for what, options, expected in (
        ("recall_at_fpr", {"fpr": float(rate)}, rows.recall_at_fpr(rate)),
        ("fpr_at_recall", {"recall": float(rate)}, rows.fpr_at_recall(rate)),
        (
            "precision_at_recall",
            {"recall": float(rate), "prevalence": share},
            rows.precision_at_recall(rate, p),
        ),
        ("kolmogorov_smirnov", {}, max(rows.kolmogorov_smirnov(), Fraction(0))),
    ):
        case.agrees(table.measure(what, **options).value, expected, f"{what} {options}")
    drawn = table.roc()
    assert [drawn.fpr.tolist(), drawn.tpr.tolist()] == [
        [pytest.approx(float(x), abs=1e-15) for x, _ in rows.rates()],
        [pytest.approx(float(y), abs=1e-15) for _, y in rows.rates()],
    ], case.shown()


def cells(case: Case, rng: random.Random) -> None:
    threshold = rng.choice([*case.scores, *case.palette, 0.3, math.inf, -math.inf])
    matrix = case.rows.cells(threshold)
    name = rng.choice(list(CELLS))
    options: dict[str, Any] = {"threshold": threshold}
    if case.prevalence is not None and "prevalence" in th.measures.as_measure(name, threshold=0.0).__slots__:
        options["prevalence"] = float(case.prevalence)
        matrix = matrix.at(case.prevalence)
    found = case.table.measure(name, **options).value
    case.agrees(found, CELLS[name](matrix), f"{name} {options}")


def choices(case: Case, rng: random.Random) -> None:
    table, rows = case.table, case.rows
    goal, constraint = rng.choice(("youden", "f1", "mcc", "accuracy")), rng.choice(("min_recall", "max_fpr", None))
    limit = rng.randint(0, 8) / 8

    def allowed(c: Any) -> bool:
        if constraint is None:
            return True
        return CELLS["recall"](c) >= limit if constraint == "min_recall" else CELLS["fpr"](c) <= limit

    best = rows.best(CELLS[goal], allowed)
    given = {} if constraint is None else {constraint: limit}
    point = table.choose_threshold(goal, **given)
    matrix = rows.cells(point.threshold)
    said = f"{goal} under {given}: {point}"
    case.agrees(float(CELLS[goal](matrix)), math.nan if best is None else best, said)
    assert allowed(matrix), f"{said}\n{case.shown()}"
    assert [point.tp, point.fp] == [float(matrix.tp), float(matrix.fp)], f"{said}\n{case.shown()}"
    assert point.predict(np.array(case.scores)).tolist() == [s >= point.threshold for s in case.scores], case.shown()


def losses(case: Case, rng: random.Random) -> None:
    del rng
    if not all(0.0 <= s <= 1.0 for s in case.scores):
        return
    case.agrees(case.table.measure("brier").value, case.rows.brier(), "brier")
    case.agrees(case.table.measure("log_loss").value, case.rows.log_loss(), "log_loss")


def errors(case: Case, rng: random.Random) -> None:
    del rng
    rows, clusters = case.rows, case.columns.get("cluster")
    if case.kind == "weights":
        expected = rows.weighted_variance()
    elif case.kind == "frequency":  # as often as it says
        repeated = [(y, s) for y, s, w in rows.rows for _ in range(int(w))]
        rows = Rows(*zip(*repeated, strict=True), [Fraction(1)] * len(repeated))
        expected = rows.delong_variance(range(len(repeated)))
    else:
        expected = rows.delong_variance(range(len(case.labels)) if clusters is None else clusters)
    if expected is None:
        return
    try:
        found = case.table.roc_auc().standard_error(method="delong")
    except th.UndefinedMetricError:  # of weights so unequal that one case is most of its class nothing is known
        assert case.kind.startswith("weights"), case.shown()
        assert max(w / (rows.n_pos if y else rows.n_neg) for y, _, w in rows.rows) > Fraction(1, 2), case.shown()
        return
    case.agrees(found**2, max(expected, 0.0), "the square of DeLong's standard error")


def sums(case: Case, rng: random.Random) -> None:
    """The union of two parts is the whole, and repeated rows are a frequency."""
    if "clusters" in case.kind:
        return
    side = [rng.random() < 0.5 for _ in case.labels]
    parts = []
    for which in (True, False):
        kept = [i for i, one in enumerate(side) if one is which]
        if not kept:
            return
        columns = {name: [column[i] for i in kept] for name, column in case.columns.items()}
        chosen = [case.labels[i] for i in kept], np.array([case.scores[i] for i in kept])
        parts.append(th.Scores(*chosen, **columns))
    whole = parts[0] + parts[1]
    assert whole.tp.tolist() == case.table.tp.tolist(), case.shown()
    assert whole.roc_auc().value == pytest.approx(case.table.roc_auc().value, rel=1e-14), case.shown()


def compression(case: Case, rng: random.Random) -> None:
    small = case.table.compress(case.table.roc().hull().tp.size + rng.randint(1, 3))
    for name in ("roc_auc", "pr_auc"):
        found, full = small.measure(name), case.table.measure(name)
        assert abs(found.value - full.value) <= found.error_bound + 1e-12, f"{name}\n{case.shown()}"


CHECKS = (counts, areas, points, cells, cells, cells, choices, losses, errors, sums, compression)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_tables_agree_with_definitions(block):
    seed = os.environ.get("THRESHER_SEED", "2026")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        for number in range(TABLES):
            rng = random.Random(f"{seed}-{block}-{number}")  # noqa: S311  # not a secret
            case = Case(rng)
            for check in rng.sample(CHECKS, 3):
                check(case, rng)
