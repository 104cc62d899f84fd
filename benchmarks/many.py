"""Many areas at once, beside a loop of calls of other libraries.

    python -m benchmarks.many [columns, 2000 by default] [rows, 10000] [groups, 100000]
    python -m benchmarks.many levels    how often each test rejects areas that are 0.5

Three jobs, each in one interleaved run: the columns of a matrix (areas and DeLong's errors), the same matrix with nine
zeros in ten as a sparse one, and groups of 50 rows against one count of as many rows. Loops run over a part of the
columns and are scaled up. Peers that are not installed are left out; scikit-learn is always there.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
import scipy.sparse
from sklearn.metrics import roc_auc_score

import thresher as th
from benchmarks.run import has
from benchmarks.timing import Race, markdown, row

SAMPLE = 50


def loop(function, y, matrix):
    columns = range(0, matrix.shape[1], max(matrix.shape[1] // SAMPLE, 1))
    return lambda: [function(y, matrix[:, c]) for c in columns], len(columns) / matrix.shape[1]


def columns(rows, n_columns, n_rows):
    rng = np.random.default_rng(0)
    y = rng.random(n_rows) < 0.3
    for kind in ("by rows", "by columns"):
        matrix = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
        matrix = matrix if kind == "by rows" else np.asfortranarray(matrix)
        race = Race(kind).add("roc_auc_many", lambda matrix=matrix: th.roc_auc_many(y, matrix))
        peers = {"scikit-learn, loop": roc_auc_score, "one Scores a column": lambda y, s: th.Scores(y, s).roc_auc()}
        if has("scors"):
            import scors

            peers["scors, loop"] = scors.roc_auc
        for name, function in peers.items():
            call, share = loop(function, y, matrix)
            race.add(name, call, share=share)
        best = race.run()
        for name in peers:
            rows.append(row(f"{n_columns:,} columns of {n_rows:,} rows, {kind}", best, "roc_auc_many", name))


def sparse(rows, n_columns, n_rows):
    rng = np.random.default_rng(1)
    y = rng.random(n_rows) < 0.3
    matrix = scipy.sparse.random(n_rows, n_columns, density=0.1, format="csc", random_state=1, dtype=np.float32)
    dense = matrix.toarray()
    race = Race("sparse").add("roc_auc_many", lambda: th.roc_auc_many(y, matrix))
    race.add("the same, dense", lambda: th.roc_auc_many(y, dense))
    best = race.run()
    rows.append(row(f"{n_columns:,} sparse columns of {n_rows:,} rows", best, "roc_auc_many", "the same, dense"))


def groups(rows, n_groups):
    rng = np.random.default_rng(2)
    n = 50 * n_groups
    y, s, in_order = rng.random(n) < 0.3, rng.normal(size=n), np.repeat(np.arange(n_groups), 50)
    mixed = rng.permutation(in_order)
    race = Race("groups").add("roc_auc_many", lambda: th.roc_auc_many(y, s, groups=in_order))
    race.add("groups in any order", lambda: th.roc_auc_many(y, s, groups=mixed))
    race.add("one count of all rows", lambda: th.Scores(y, s).roc_auc())
    best = race.run()
    for ours in ("roc_auc_many", "groups in any order"):
        rows.append(row(f"{n_groups:,} groups of 50 rows", best, ours, "one count of all rows"))


def levels(n_columns=40_000):
    """Print how often p values are below 0.05 where the area is 0.5; the positives spread as far, or three times."""
    rng = np.random.default_rng(3)
    print("| positives | negatives | rank test, equal spread | DeLong's | rank test, unequal | DeLong's |")
    print("|---:|---:|---:|---:|---:|---:|")
    for m, n in ((5, 5), (5, 100), (10, 10), (30, 30), (30, 300), (100, 100), (300, 30)):
        y = np.arange(m + n) < m
        cells = []
        for spread in (1.0, 3.0):
            many = th.roc_auc_many(y, rng.normal(size=(m + n, n_columns)) * np.where(y, spread, 1.0)[:, np.newaxis])
            cells += [f"{np.mean(many.pvalues(method=method) < 0.05):.3f}" for method in ("wilcoxon", "delong")]
        print(f"| {m} | {n} | {' | '.join(cells)} |", flush=True)


def main():
    if "levels" in sys.argv:
        levels()
        return
    n_columns, n_rows, n_groups = [*map(int, sys.argv[1:]), *(2000, 10_000, 100_000)[len(sys.argv) - 1 :]]
    rows = []
    warnings.simplefilter("ignore")  # groups of one class
    columns(rows, n_columns, n_rows)
    sparse(rows, n_columns, n_rows)
    groups(rows, n_groups)
    print(markdown(rows))


if __name__ == "__main__":
    main()
