"""Compare thresher with its peers and write the ratios down.

    python -m benchmarks.run            the whole run, about twenty minutes
    python -m benchmarks.run --quick    a tenth of the rows, one minute

Peers that are not installed are left out. Ratios are the peer's time over thresher's; the last column is what this
project asks of itself on two cores.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np

from benchmarks import data, peers
from benchmarks.timing import Race, in_subprocess, markdown, row
from thresher._core import native
from thresher._core.hull import upper_hull
from thresher._core.threads import num_threads

AVX2_ONLY = "X86_V4 AVX512_ICL AVX512_SPR"


def threads(n, call):
    def run():
        with num_threads(n):
            return call()

    return run


def has(name):
    return importlib.util.find_spec(name) is not None


def sort_time(n, dtype, disable=""):
    """Seconds of np.sort in an interpreter of its own, with some of NumPy's instruction sets switched off."""
    code = (
        "import numpy as np, time\n"
        f"x = np.random.default_rng(0).normal(size={n}).astype('{dtype}')\n"
        "best = 9e9\n"
        "for _ in range(3):\n"
        "    t = time.perf_counter(); np.sort(x); best = min(best, time.perf_counter() - t)\n"
        "print(best)"
    )
    return float(in_subprocess(code, {**os.environ, "NPY_DISABLE_CPU_FEATURES": disable}))


def curves(rows, n, rounds):
    from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

    from thresher import metrics

    rng = np.random.default_rng(0)
    y = data.labels(n, 0.1, rng)
    whole = y.astype(np.int64)
    for kind, dtype, wanted in (
        ("continuous", "float64", (40, 60)),
        ("continuous", "float32", (50, 75)),
        ("rounded", "float64", (60, 110)),
    ):
        s = data.scores(kind, n, rng, y).astype(dtype)
        race = Race("curve", rounds)
        race.add("scikit-learn", lambda s=s: (roc_auc_score(whole, s), roc_curve(whole, s)))
        race.add("T1", threads(1, lambda s=s: native.count_running(s, y)))
        race.add("T2", threads(2, lambda s=s: native.count_running(s, y)))
        best = race.run()
        for name, target in zip(("T1", "T2"), wanted, strict=True):
            rows.append(row(f"AUC + curve, {kind} {dtype}, n={n:g}, {name}", best, name, "scikit-learn", target))
        if kind == "continuous":
            for label, off in (("np.sort", ""), ("np.sort, AVX2", AVX2_ONLY)):
                best[label] = sort_time(n, dtype, off)
                title = f"count, curve and AUC beside a bare sort, {dtype}, n={n:g}"
                rows.extend(row(f"{title}, {t}", best, t, label, 0.83) for t in ("T1", "T2"))
    s = data.scores("continuous", n, rng, y)
    race = Race("roc_curve", rounds)
    race.add("scikit-learn", lambda: roc_curve(whole, s))
    race.add("T1", threads(1, lambda: metrics.roc_curve(whole, s)))
    rows.append(
        row(f"roc_curve with scikit-learn's outputs, float64, n={n:g}, T1", race.run(), "T1", "scikit-learn", 15)
    )
    for share in (0.5, 0.01):
        other = data.labels(n, share, rng)
        numbers, values = other.astype(np.int64), data.scores("continuous", n, rng, other)
        race = Race("prevalence", 1)
        race.add("scikit-learn", lambda a=numbers, b=values: (roc_auc_score(a, b), roc_curve(a, b)))
        race.add("T2", threads(2, lambda a=other, b=values: native.count_running(b, a)))
        best = race.run()
        rows.append(
            row(f"AUC + curve, continuous float64, prevalence {share}, n={n:g}, T2", best, "T2", "scikit-learn", 60)
        )

    def average_precision():
        t = native.count_running(s, y)
        return native.pr_area(t.tp, t.fp, "average_precision", 1.0) / t.n_pos

    race = Race("AP", rounds)
    race.add("scikit-learn", lambda: average_precision_score(whole, s))
    race.add("T2", threads(2, average_precision))
    rows.append(row(f"average precision, n={n:g}", race.run(), "T2", "scikit-learn", 30))


def small(rows):
    from sklearn.metrics import roc_auc_score

    import thresher as th

    rng = np.random.default_rng(1)
    y = data.labels(1000, 0.3, rng).astype(np.int64)
    s = rng.normal(size=1000)
    # Many short rounds: a round of a millisecond is often left alone even by a busy machine.
    race = Race("small", 100)
    race.add("scikit-learn", lambda: roc_auc_score(y, s))
    race.add("Scores", lambda: [float(th.Scores(y, s).roc_auc()) for _ in range(40)], share=40)
    race.add("kernel", lambda: [native.count_running(s, y == 1).twice_u for _ in range(40)], share=40)
    flags = (y == 1).view(np.uint8)
    race.add("C++ alone", lambda: [native._kernels.count(s, flags, True, False, 1) for _ in range(40)], share=40)
    best = race.run()
    best["beyond the kernel"] = best["Scores"] - best["C++ alone"]
    best["15 us"] = 15e-6
    rows.append(
        row("th.Scores(y, s).roc_auc() beyond the C++ alone, 1,000 rows", best, "beyond the kernel", "15 us", 1)
    )
    rows.append(row("AUC, 1,000 rows, kernel", best, "kernel", "scikit-learn", 30))
    rows.append(row("AUC, 1,000 rows, th.Scores(y, s).roc_auc()", best, "Scores", "scikit-learn", 30))


def resampling(rows, quick):
    """Bootstrap intervals through the public API, counting included; peers loop, and few of their turns are run."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    import thresher as th

    rng = np.random.default_rng(2)
    for n, name, metric, estimate, wanted in (
        (10**5, "ROC AUC", roc_auc_score, th.Scores.roc_auc, 250),
        (10**5 if quick else 10**6, "interpolated PR AUC", average_precision_score, th.Scores.pr_auc, 100),
    ):
        y = data.labels(n, 0.1, rng)
        s = data.scores("continuous", n, rng, y)
        replicates = 200 if quick else 2000
        tries = 3

        def loop(y=y, s=s, metric=metric, n=n, tries=tries):
            for _ in range(tries):
                take = rng.integers(0, n, n)
                metric(y[take], s[take])

        def ours(y=y, s=s, estimate=estimate, replicates=replicates):
            area = estimate(th.Scores(y, s))
            return area.confidence_interval(method="bootstrap", n_resamples=replicates, rng=1)

        peer = f"scikit-learn {metric.__name__}, from {tries} turns"
        race = Race("bootstrap", 3)
        race.add(peer, loop, share=tries / 2000)
        race.add("T1", threads(1, ours), share=replicates / 2000)
        race.add("T2", threads(2, ours), share=replicates / 2000)
        best = race.run()
        for t in ("T1", "T2"):
            title = f"BCa bootstrap of {name}, 2000 x {n:g}, {t}"
            rows.append(row(title, best, t, peer, wanted if t == "T2" else None))
    bootstrap_memory(rows, 10**6)


def bootstrap_memory(rows, n):
    code = (
        "import numpy as np\nfrom benchmarks.timing import peak_bytes\nimport thresher as th\n"
        f"n = {n}\nrng = np.random.default_rng(0)\ny = rng.random(n) < .1\ns = rng.normal(size=n) + y\n"
        "before = peak_bytes()\n"
        "th.Scores(y, s).pr_auc().confidence_interval(method='bootstrap', n_resamples=2000, rng=0)\n"
        "print((peak_bytes() - before) / 1e6)"
    )
    used = float(in_subprocess(code))
    rows.append(
        {"work": f"megabytes beyond the inputs, bootstrap 2000 x {n:g}", "peer": "300", "peer_s": 300, "ours": "",
         "ours_s": used, "ratio": 300 / used, "target": 1}
    )  # fmt: skip


def delong(rows, n):
    """DeLong's interval from labels and scores, and the paired test of two models."""
    import thresher as th

    rng = np.random.default_rng(6)
    y = data.labels(n, 0.1, rng)
    s, other = (data.scores("continuous", n, rng, y) for _ in range(2))
    whole = y.astype(np.int64)
    race = Race("DeLong", 3)
    race.add("T1", threads(1, lambda: th.Scores(y, s).roc_auc().confidence_interval(method="delong")))
    race.add("T2", threads(2, lambda: th.Scores(y, s).roc_auc().confidence_interval(method="delong")))
    race.add("paired", threads(2, lambda: th.compare(y, {"a": s, "b": other})))
    if has("confidenceinterval"):
        import confidenceinterval

        race.add("confidenceinterval", lambda: confidenceinterval.roc_auc_score(whole, s))
    best = race.run()
    seconds = in_r(
        f"n <- {n:d}; set.seed(0); y <- runif(n) < 0.1; s <- rnorm(n) + y; library(pROC); "
        "run <- function() ci.auc(roc(y, s, quiet = TRUE, direction = '<'), method = 'delong'); "
        "cat(min(sapply(1:2, function(i) system.time(run())[['elapsed']])))"
    )
    if seconds is not None:
        best["pROC"] = seconds
    for peer, wanted in (("confidenceinterval", 80), ("pROC", 8)):
        if peer in best:
            rows.extend(row(f"DeLong interval, n={n:g}, {t}", best, t, peer, wanted) for t in ("T1", "T2"))
    # A peer that has no paired test: two single intervals are less work.
    if "confidenceinterval" in best:
        best["2 x confidenceinterval"] = 2 * best["confidenceinterval"]
        rows.append(row(f"DeLong test of two models, n={n:g}, T2", best, "paired", "2 x confidenceinterval"))


def in_r(code):
    """Return the number that R prints; None without R or the packages."""
    found = shutil.which("Rscript")
    if found is None:
        return None
    done = subprocess.run([found, "-e", f"suppressMessages({{{code}}})"], capture_output=True, text=True, check=False)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None


def hull(rows, n):
    rng = np.random.default_rng(3)
    y = data.labels(n, 0.1, rng)
    t = native.count_running(data.scores("continuous", n, rng, y), y)
    best = Race("hull", 3).add("hull", lambda: upper_hull(t.fp, t.tp)).run()
    best["5 ns a point"] = 5e-9 * t.fp.size
    rows.append(row(f"convex hull, {t.fp.size:g} points", best, "hull", "5 ns a point", 1))


def adversarial(rows, n):
    rng = np.random.default_rng(4)
    y = data.labels(n, 0.1, rng)
    race = Race("adversarial", 3)
    for kind in ["continuous", *data.ADVERSARIAL]:
        s = data.scores(kind, n, rng)
        race.add(kind, threads(1, lambda s=s: native.count_running(s, y)))
    best = race.run()
    best["3 x continuous"] = 3 * best["continuous"]
    rows.extend(row(f"{kind}, n={n:g}, T1", best, kind, "3 x continuous", 1) for kind in best if kind[0] != "3")


def scaling(n_most):
    """Nanoseconds a row against the number of rows."""
    rng = np.random.default_rng(5)
    points = []
    n = 1000
    while n <= n_most:
        y = data.labels(n, 0.1, rng)
        for dtype in ("float32", "float64"):
            s = data.scores("continuous", n, rng, y).astype(dtype)
            race = Race("scaling", 5)
            for t in (1, 2):
                race.add(f"T{t}", threads(t, lambda s=s, y=y: native.count_running(s, y)))
            for name, seconds in race.run().items():
                points.append({"n": n, "dtype": dtype, "threads": name, "ns_per_row": seconds / n * 1e9})
        n *= 10
    return points


def memory(rows, n):
    code = (
        "import numpy as np\nfrom benchmarks.timing import peak_bytes\nfrom thresher._core import native\n"
        f"n = {n}\nrng = np.random.default_rng(0)\ns = rng.random(n)\ny = np.empty(n, dtype=bool)\n"
        "for i in range(0, n, 100000): y[i:i + 100000] = rng.random(min(100000, n - i)) < .1\n"
        "before = peak_bytes()\nt = native.count_running(s, y)\nprint((peak_bytes() - before) / s.nbytes)"
    )
    used = float(in_subprocess(code))
    rows.append(
        {"work": f"memory beyond the inputs over the scores' bytes, n={n:g}", "peer": "2.2 times", "peer_s": 2.2,
         "ours": "", "ours_s": used, "ratio": 2.2 / used, "target": 1}
    )  # fmt: skip


def plot(points, path):
    if not has("matplotlib"):
        return
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    for dtype in ("float32", "float64"):
        for t in ("T1", "T2"):
            line = [(p["n"], p["ns_per_row"]) for p in points if p["dtype"] == dtype and p["threads"] == t]
            axes.plot(*zip(*line, strict=True), "-" if t == "T1" else "--", marker="o", label=f"{dtype}, {t}")
    axes.set(xscale="log", xlabel="rows", ylabel="ns per row", ylim=(0, None), title="AUC and curve: cost of a row")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    parser.add_argument(
        "--only", nargs="*", help="curves small peers resampling delong hull adversarial memory scaling"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("benchmarks/results"), help="folder for the tables and the plot"
    )
    arguments = parser.parse_args()
    n = 10**6 if arguments.quick else 10**7
    rows, points = [], []
    jobs = {
        "curves": lambda: curves(rows, n, 4),
        "small": lambda: small(rows),
        "peers": lambda: peers.table([10**3, 10**5] if arguments.quick else [10**3, 10**6, 10**7]),
        "resampling": lambda: resampling(rows, arguments.quick),
        "delong": lambda: delong(rows, 10**5 if arguments.quick else 10**6),
        "hull": lambda: hull(rows, n),
        "adversarial": lambda: adversarial(rows, n),
        "memory": lambda: memory(rows, 10**7),
        "scaling": lambda: points.extend(scaling(10**6 if arguments.quick else 10**8)),
    }
    for name, job in jobs.items():
        if not arguments.only or name in arguments.only:
            done = len(rows)
            job()
            print(markdown(rows[done:]) if len(rows) > done else f"{name}: {len(points)} points", flush=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    head = (
        f"{platform.machine()}, {os.cpu_count()} cores, kernels: {native.instruction_set()}, NumPy {np.__version__}\n\n"
    )
    (arguments.out / "table.md").write_text(head + markdown(rows))
    (arguments.out / "results.json").write_text(json.dumps({"rows": rows, "scaling": points}, indent=1))
    if points:
        plot(points, arguments.out / "scaling.svg")


if __name__ == "__main__":
    main()
