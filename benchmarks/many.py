"""Many areas at once, beside a loop of calls of other libraries.

    python -m benchmarks.many [columns, 20000 by default] [rows, 10000] [groups, 1000000]
    python -m benchmarks.many levels    how often each test rejects areas that are 0.5

Three jobs, each in one interleaved run: the columns of a matrix (areas and DeLong's errors), the same matrix with nine
zeros in ten as a sparse one, and groups of 50 rows against one count of as many rows. Loops run over a part of the
columns and are scaled up. Peers that are not installed are left out; scikit-learn is always there. illico tests every
column by ranks, one class against the rest, in one call on all cores. Ratios are the peer's time over thresher's, by
the clock and by the processor time of the process.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings

import numpy as np
import scipy.sparse
from sklearn.metrics import roc_auc_score

import thresher as th
from benchmarks.run import has
from benchmarks.timing import Race, in_subprocess

SAMPLE = 100


def report(title, race):
    """Print a line for everybody who ran against `roc_auc_many`."""
    best, used = race.run(), race.processor
    ours = "roc_auc_many"
    for name in best:
        if name != ours:
            ratios = f"{best[name] / best[ours]:.3g} | {used[name] / used[ours]:.3g}"
            print(f"| {title} | {name} | {best[name]:.3g} | {best[ours]:.3g} | {ratios} |", flush=True)


def loop(function, y, matrix):
    columns = range(0, matrix.shape[1], max(matrix.shape[1] // SAMPLE, 1))
    return lambda: [function(y, matrix[:, c]) for c in columns], len(columns) / matrix.shape[1]


def by_illico(y, matrix):
    import anndata
    import illico
    import loguru
    import pandas as pd

    loguru.logger.remove()
    side = pd.DataFrame({"side": pd.Categorical(np.where(y, "p", "n"))}, index=np.arange(y.size).astype(str))
    rows = anndata.AnnData(matrix, obs=side)

    def call():
        with contextlib.redirect_stderr(io.StringIO()):
            return illico.asymptotic_wilcoxon(
                rows, is_log1p=False, group_keys="side", groups=["p"], n_threads=os.cpu_count()
            )

    return call


def columns(n_columns, n_rows):
    rng = np.random.default_rng(0)
    y = rng.random(n_rows) < 0.3
    matrix = np.empty((n_rows, n_columns), dtype=np.float32)
    for i in range(n_rows):
        matrix[i] = rng.standard_normal(n_columns, dtype=np.float32)
    for kind in ("by rows", "by columns"):
        matrix = matrix if kind == "by rows" else np.asfortranarray(matrix)
        race = Race(kind).add("roc_auc_many", lambda matrix=matrix: th.roc_auc_many(y, matrix))
        peers = {"scikit-learn, loop": roc_auc_score, "one Scores a column": lambda y, s: th.Scores(y, s).roc_auc()}
        if has("scors"):
            import scors

            peers["scors, loop"] = scors.roc_auc
        for name, function in peers.items():
            call, share = loop(function, y, matrix)
            race.add(name, call, share=share)
        if has("illico"):
            race.add("illico", by_illico(y, matrix))
        report(f"{n_columns:,} columns of {n_rows:,} rows, {kind}", race)


def sparse(n_columns, n_rows):
    rng = np.random.default_rng(1)
    y = rng.random(n_rows) < 0.3
    matrix = scipy.sparse.random(n_rows, n_columns, density=0.1, format="csc", random_state=1, dtype=np.float32)
    race = Race("sparse").add("roc_auc_many", lambda: th.roc_auc_many(y, matrix))
    if has("illico"):
        race.add("illico", by_illico(y, matrix))
    if has("scors"):
        import scors

        chosen = range(0, n_columns, max(n_columns // SAMPLE, 1))
        race.add(
            "scors, loop",
            lambda: [scors.roc_auc(y, matrix[:, [c]].toarray().ravel()) for c in chosen],
            share=len(chosen) / n_columns,
        )
    report(f"{n_columns:,} sparse columns of {n_rows:,} rows", race)


def groups(n_groups):
    rng = np.random.default_rng(2)
    n = 50 * n_groups
    y, users = rng.random(n) < 0.3, rng.integers(0, n_groups, n)
    far = users * np.int64(0x1E3779B97F4A7C15)  # as hashed identifiers are
    keys = {"in any order": users, "in any order, of 64 bits": far, "sorted": np.sort(users)}
    print("\n| groups of about 50 rows | scores | users | s | one count, s | times a count | by processor time |")
    print("|---|---|---|---:|---:|---:|---:|")
    for kind in (np.float64, np.float32):
        s = rng.standard_normal(n, dtype=kind)
        race = Race("groups", 5).add("count", lambda s=s: th.Scores(y, s).roc_auc())
        for name, column in keys.items():
            race.add(name, lambda s=s, column=column: th.roc_auc_many(y, s, by=column))
        best, used = race.run(), race.processor
        for name in keys:
            cells = f"{best[name]:.3g} | {best['count']:.3g} | {best[name] / best['count']:.3g}"
            print(
                f"| {n_groups:,} | {kind.__name__} | {name} | {cells} | {used[name] / used['count']:.3g} |", flush=True
            )
    print(f"\nMemory beyond the rows given, float64: {group_memory(n_groups):.3g} bytes a row")


def group_memory(n_groups):
    code = (
        "import numpy as np\nimport warnings\nwarnings.simplefilter('ignore')\n"
        "from benchmarks.timing import peak_bytes\nimport thresher as th\n"
        f"g = {n_groups}\nn = 50 * g\nrng = np.random.default_rng(0)\ns, k = rng.random(n), rng.integers(0, g, n)\n"
        "y = np.empty(n, dtype=bool)\nfor i in range(0, n, 100000): y[i:i + 100000] = rng.random(100000) < .3\n"
        "th.roc_auc_many(y[:500], s[:500], by=k[:500])\n"
        "before = peak_bytes()\nth.roc_auc_many(y, s, by=k)\nprint((peak_bytes() - before) / n)"
    )
    return float(in_subprocess(code))


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
    given = [int(float(word)) for word in sys.argv[1:]]
    n_columns, n_rows, n_groups = [*given, *(20_000, 10_000, 1_000_000)[len(given) :]]
    warnings.simplefilter("ignore")  # groups of one class
    th.config.show_config()
    print("| work | peer | peer, s | thresher, s | ratio | by processor time |\n|---|---|---:|---:|---:|---:|")
    if n_columns:
        columns(n_columns, n_rows)
        sparse(n_columns, n_rows)
    if n_groups:
        groups(n_groups)


if __name__ == "__main__":
    main()
