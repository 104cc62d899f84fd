"""thresher beside every library that computes the same, on the same rows: the table of docs/benchmarks/peers.md.

    python -m benchmarks.peers [--rows 1000 1000000 10000000]

AUC, average precision and the ROC curve of scores between 0 and 1, float64, 10% positives. Each contestant gets its
own kind of array before the clock runs, uses as many threads as it does by default, and takes turns with the others;
the best of its turns counts. "Ties" is how far its answer for scores of two decimals is from the exact one. Libraries
that are not installed are named. Spark's evaluator is in `benchmarks/pipelines.py`; devices are in `benchmarks/gpu.py`.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import platform
import time
import warnings
from fractions import Fraction

import numpy as np

import thresher as th
from benchmarks.timing import Race

JOBS = ("AUC", "average precision", "curve")
ROUNDS = {3: 40, 4: 30, 5: 10, 6: 4}


def ours(y, s):
    def curve():
        roc = th.Scores(y, s).roc()
        return roc.fpr, roc.tpr

    return {
        "AUC": lambda: th.Scores(y, s).roc_auc().value,
        "average precision": lambda: th.Scores(y, s).pr_auc(estimator="average_precision").value,
        "curve": curve,
    }


def scikit_learn(y, s):
    from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

    whole = y.astype(np.int64)
    return {
        "AUC": lambda: roc_auc_score(whole, s),
        "average precision": lambda: average_precision_score(whole, s),
        "curve": lambda: roc_curve(whole, s, drop_intermediate=False)[:2],
    }


def intelex(y, s):
    from sklearnex.metrics import roc_auc_score

    whole = y.astype(np.int64)
    return {"AUC": lambda: roc_auc_score(whole, s)}


def scors(y, s):
    import scors

    return {"AUC": lambda: scors.roc_auc(y, s), "average precision": lambda: scors.average_precision(y, s)}


def polars_ds(y, s):
    import polars as pl
    import polars_ds as pds

    frame = pl.DataFrame({"y": y.astype(np.uint32), "s": s})
    both = frame.lazy().select(pds.query_binary_metrics("y", "s").alias("m"))
    return {
        "AUC": lambda: frame.select(pds.query_roc_auc("y", "s")).item(),
        "average precision": lambda: both.collect().item()["avg_precision"],
    }


def clickhouse(y, s):
    import chdb
    import pyarrow as pa

    rows = pa.table({"y": y.astype(np.uint8), "s": s})  # chdb finds it by its name

    def ask(function):
        query = f"SELECT {function}(groupArray(s), groupArray(y)) FROM Python(rows)"
        return lambda: (rows, float(str(chdb.query(query, "CSV")).strip()))[1]

    return {"AUC": ask("arrayROCAUC"), "average precision": ask("arrayAUCPR")}


def fast_auc(y, s):
    """The loop that goes by the name of fastauc: rows by descending score, true positives summed at every negative."""
    import numba

    @numba.njit
    def area(positive, order, scores):
        twice = tp = fp = 0
        i = 0
        while i < order.size:
            p = q = 0
            score = scores[order[i]]
            while i < order.size and scores[order[i]] == score:
                p += positive[order[i]]
                q += not positive[order[i]]
                i += 1
            twice += q * (2 * tp + p)
            tp += p
            fp += q
        return twice / (2.0 * tp * fp)

    area(y[:2], np.arange(2), s[:2])  # compiles it
    return {"AUC": lambda: area(y, np.argsort(s)[::-1], s)}


def autogluon(y, s):
    from autogluon.core.metrics.classification_metrics import customized_binary_roc_auc_score

    whole = y.astype(np.int64)
    return {"AUC": lambda: customized_binary_roc_auc_score(whole, s)}


def torchmetrics(y, s):
    import torch
    from torchmetrics.functional.classification import binary_auroc, binary_average_precision, binary_roc

    scores, target = torch.from_numpy(s), torch.from_numpy(y.astype(np.int64))
    return {
        "AUC": lambda: float(binary_auroc(scores, target)),
        "average precision": lambda: float(binary_average_precision(scores, target)),
        "curve": lambda: tuple(side.numpy() for side in binary_roc(scores, target)[:2]),
    }


def torcheval(y, s):
    import torch
    from torcheval.metrics.functional import binary_auprc, binary_auroc

    scores, target = torch.from_numpy(s), torch.from_numpy(y.astype(np.float32))
    return {
        "AUC": lambda: float(binary_auroc(scores, target)),
        "average precision": lambda: float(binary_auprc(scores, target)),
    }


def scipy_ranks(y, s):
    from scipy.stats import rankdata

    positives = int(y.sum())
    pairs = positives * (y.size - positives)
    return {"AUC": lambda: (rankdata(s)[y].sum() - positives * (positives + 1) / 2) / pairs}


PEERS = {
    "scikit-learn": ("sklearn", scikit_learn),
    "scikit-learn-intelex": ("sklearnex", intelex),
    "scors": ("scors", scors),
    "polars-ds": ("polars_ds", polars_ds),
    "ClickHouse (chdb)": ("chdb", clickhouse),
    "fastauc's loop, numba": ("numba", fast_auc),
    "AutoGluon's scorer": ("autogluon", autogluon),
    "torchmetrics": ("torchmetrics", torchmetrics),
    "torcheval": ("torcheval", torcheval),
    "SciPy's ranks": ("scipy", scipy_ranks),
}


def draw(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.1
    y[:2] = True, False
    return y, 1.0 / (1.0 + np.exp(-rng.normal(size=n) - y))


def exact(y, s):
    """Return AUC and average precision in fractions, from counts."""
    scores, place = np.unique(-s, return_inverse=True)
    pos, all_ = np.bincount(place[y], minlength=scores.size), np.bincount(place)
    tp, rows = np.cumsum(pos).tolist(), np.cumsum(all_).tolist()
    twice, precise = 0, Fraction(0)
    for k, (p, t, a) in enumerate(zip(pos.tolist(), tp, all_.tolist(), strict=True)):
        twice += (a - p) * (2 * t - p)
        precise += Fraction(p * t, rows[k])
    return Fraction(twice, 2 * tp[-1] * (rows[-1] - tp[-1])), precise / tp[-1]


def distance(job, answer, truth):
    """Return how far an answer is from the truth; of a curve, its area."""
    if job != "curve":
        return abs(float(answer) - float(truth[JOBS.index(job)]))
    fpr, tpr = answer
    return abs(math.fsum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2) - float(truth[0]))


def in_words(far):
    return "exact" if far < 1e-12 else "float32" if far < 1e-6 else f"off by {far:.1g}"


def ties(contestants):
    """Return what each makes of scores of two decimals."""
    y, s = draw(20_000, 1)
    s = np.round(s, 2)
    truth = exact(y, s)
    return {
        (name, job): in_words(distance(job, call(), truth))
        for name, make in contestants.items()
        for job, call in make(y, s).items()
    }


def repeated(call):
    """Return a call that lasts about two milliseconds, and how many of the given one it makes."""
    call()
    start = time.perf_counter()
    call()
    repeats = min(max(int(2e-3 / (time.perf_counter() - start)), 1), 40)

    def several():
        for _ in range(repeats):
            call()

    return several, repeats


def compare(n, contestants):
    """Print the table of so many rows, job by job."""
    y, s = draw(n)
    calls = {name: make(y, s) for name, make in contestants.items()}
    for job in JOBS:
        race = Race(job, ROUNDS.get(round(math.log10(n)), 3))
        for name, mine in calls.items():
            if job in mine:
                call, repeats = repeated(mine[job])
                race.add(name, call, share=repeats)
        best = race.run()
        yield from (
            (job, n, name, best[name], best["thresher"], best[name] / best["thresher"],
             race.processor[name] / race.processor["thresher"])
            for name in best if name != "thresher"
        )  # fmt: skip


def in_ms(seconds):
    return f"{1e3 * seconds:.3g}" if seconds < 1.0 else f"{1e3 * seconds:.0f}"


def table(sizes):
    """Print who is here, what they make of ties, and the table."""
    warnings.simplefilter("ignore")
    here = {name: make for name, (module, make) in PEERS.items() if importlib.util.find_spec(module) is not None}
    contestants = {"thresher": ours, **here}
    right = ties(contestants)
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, NumPy {np.__version__}")
    print("Not installed: " + (", ".join(name for name in PEERS if name not in here) or "none"))
    print("thresher, ties: " + ", ".join(f"{job} {right['thresher', job]}" for job in JOBS), "\n")
    print("| work | rows | peer | peer, ms | thresher, ms | ratio | by processor time | ties |")
    print("|---|---|---|---:|---:|---:|---:|---|")
    for n in sizes:
        for job, size, name, theirs, mine, ratio, processor in compare(n, contestants):
            cells = f"{in_ms(theirs)} | {in_ms(mine)} | {ratio:.3g} | {processor:.3g}"
            print(f"| {job} | {size:g} | {name} | {cells} | {right[name, job]} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 1_000_000, 10_000_000])
    table(parser.parse_args().rows)


if __name__ == "__main__":
    main()
