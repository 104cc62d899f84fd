"""Time every public call: the functions of the library, and what each result can be asked for, found by introspection.

    python -m benchmarks [--rows 1e3 1e5 1e6] [--quick] [--only TEXT] [--output FILE]

Times are of the processor, the best of a few rounds, and are printed as multiples of one count of the same rows
(`th.Scores(y, s)` with its columns), the slowest first. A call that takes more than `--most` seconds is not repeated.
The results go to one JSON file, which says commit, machine and date.
"""

from __future__ import annotations

import argparse
import inspect
import json
import math
import platform
import subprocess
import time
import warnings
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import numpy as np

import thresher as th
from benchmarks.beside import pairs, race
from benchmarks.calls_page import RESULTS
from thresher._core import native
from thresher.exceptions import ThresherError

# What a call needs beside its defaults.
OPTIONS = {
    "recall_at_fpr": {"fpr": 0.1},
    "fpr_at_recall": {"recall": 0.8},
    "precision_at_recall": {"recall": 0.8},
    "recall_at_precision": {"precision": 0.6},
    "net_benefit": {"threshold_probability": 0.2},
    "precision_at_depth": {"depth": 40},
    "recall_at_depth": {"depth": 40},
    "partial_roc_auc": {"fpr": (0.0, 0.2)},
    "enrichment_factor": {"fraction": 0.2},
    "utility": {"threshold": 0.3, "utility_tp": 1.0},
}
ARGUMENTS = {
    "at": {"threshold": 0.5},
    "mix": {"recall": 0.5},
    "choose_threshold": {"min_recall": 0.9},
    "threshold_interval": {"min_recall": 0.9},
    "diagnostic_table": {"threshold": 0.5},
    "metric_curve": ("mcc",),
    "metric_table": {"top": [0.01, 0.1]},
    "partial_roc_auc": {"fpr": (0.0, 0.2)},
    "pr_function": ([0.1, 0.5],),
    "compress": (1000,),
    "measure": ("roc_auc",),
    "predict": ([0.2, 0.7],),
    "standardized": (),
}
# What stands for all measures in a quick run: one of each kind.
FEW = ("roc_auc", "pr_auc", "average_precision", "brier", "kolmogorov_smirnov", "mcc", "precision")
# Not timed: they write files, draw, or are constructors.
LEFT_OUT = {"save", "load", "plot", "figure", "display"}


class Data:
    """Rows of one size, in the forms that calls take."""

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(0)
        self.n = n
        self.y = (rng.random(n) < 0.1).astype(np.int64)
        latent = rng.normal(size=n) + 1.3 * self.y
        self.s = 1.0 / (1.0 + np.exp(2.2 - latent))
        self.other = np.clip(self.s + 0.05 * rng.normal(size=n), 1e-6, 1 - 1e-6)
        self.tied = np.round(self.s, 2)
        self.weight = rng.choice([0.5, 1.0, 2.0], n)
        self.cluster = np.arange(n) // 5
        self.by = np.arange(n) % 5

    @cached_property
    def scores(self) -> th.Scores:
        return th.Scores(self.y, self.s)


def options_of(name: str) -> dict[str, object]:
    if name in OPTIONS:
        return OPTIONS[name]
    try:
        th.measures.as_measure(name)
    except ThresherError:
        return {"threshold": 0.3}
    return {}


def tables(d: Data):
    """Name the tables whose measures are timed."""
    yield "", lambda: th.Scores(d.y, d.s)
    yield "tied ", lambda: th.Scores(d.y, d.tied)
    yield "weighted ", lambda: th.Scores(d.y, d.s, sample_weight=d.weight)
    yield "clustered ", lambda: th.Scores(d.y, d.s, cluster=d.cluster)


def functions(d: Data, names=None):
    """Name the functions of the library that take rows."""
    both = {"new": d.s, "old": d.other}
    yield "Scores", lambda: th.Scores(d.y, d.s)
    yield "Scores(sample_weight=)", lambda: th.Scores(d.y, d.s, sample_weight=d.weight)
    yield "Scores(frequency=)", lambda: th.Scores(d.y, d.s, frequency=np.ones(d.n, dtype=int))
    yield "Scores(cluster=)", lambda: th.Scores(d.y, d.s, cluster=d.cluster)
    yield "Scores(cluster= as text)", lambda: th.Scores(d.y, d.s, cluster=d.cluster.astype(str))
    for name in names or th.measures.names():
        options = options_of(name)
        yield f"by_group({name})", lambda name=name, o=options: th.by_group(d.y, d.s, d.by, metric=name, **o)
        yield f"bootstrap({name})", lambda name=name, o=options: th.bootstrap(d.y, d.s, metric=name, rng=0, **o)
        yield f"compare({name})", lambda name=name, o=options: th.compare(d.y, both, metric=name, rng=0, **o)
        yield (
            f"compare({name}, permutation)",
            lambda name=name, o=options: th.compare(d.y, both, metric=name, method="permutation", rng=0, **o),
        )
        yield f"gate({name})", lambda name=name, o=options: th.gate(d.s, d.other, y_true=d.y, metric=name, **o)
        yield (
            f"compare_unpaired({name})",
            lambda name=name, o=options: th.compare_unpaired(
                th.Scores(d.y, d.s), th.Scores(d.y, d.other), metric=name, rng=0, **o
            ),
        )
    yield "summary", lambda: th.summary({"new": th.Scores(d.y, d.s), "old": th.Scores(d.y, d.other)})
    yield "dominates", lambda: th.dominates(th.Scores(d.y, d.s), th.Scores(d.y, d.other))
    yield "roc_auc_many", lambda: th.roc_auc_many(d.y, np.c_[d.s, d.other])
    yield "tune", lambda: th.tune(th.Scores(d.y, d.s), min_recall=0.9).evaluate(th.Scores(d.y, d.other))
    for kind in ("logistic", "isotonic"):
        yield f"Calibrator.fit({kind})", lambda kind=kind: th.Calibrator.fit(th.Scores(d.y, d.s), method=kind)
    for name in th.metrics.__all__:
        call = getattr(th.metrics, name)
        parameters = list(inspect.signature(call).parameters) if not inspect.isclass(call) else []
        if parameters[:2] == ["y_true", "y_score"] and not name.startswith(("coverage", "label", "dcg", "ndcg", "top")):
            yield f"metrics.{name}", lambda call=call: call(d.y, d.s)


def measured(d: Data, names=None):
    """Name what is asked of each measure of each kind of table."""
    for kind, make in tables(d):
        for name in names or th.measures.names():
            options = options_of(name)

            def estimate(make=make, name=name, options=options):
                return make().measure(name, **options)

            yield f"{kind}{name}", make, lambda t, name=name, options=options: t.measure(name, **options)
            yield f"{kind}{name}.confidence_interval", estimate, lambda e: e.confidence_interval()
            yield f"{kind}{name}.standard_error", estimate, lambda e: e.standard_error()
            yield f"repr({kind}{name})", estimate, repr
            if not kind:
                yield f"html({name})", estimate, lambda e: e._repr_html_()


def results(d: Data):
    """Name what each result can be asked for: every public attribute, and every method that needs no argument."""
    roots = {"Scores": lambda: th.Scores(d.y, d.s)}
    seen = set()
    for _ in range(3):
        found = {}
        for name, make in roots.items():
            made = safely(make)
            if made is None or type(made) in seen or not type(made).__module__.startswith("thresher"):
                continue
            seen.add(type(made))
            for attribute in sorted(dir(type(made))):
                if attribute in LEFT_OUT or (
                    attribute.startswith("_") and attribute not in ("__repr__", "_repr_html_")
                ):
                    continue
                if attribute.startswith("from_") or isinstance(
                    inspect.getattr_static(type(made), attribute), classmethod
                ):
                    continue
                call = caller(made, attribute)
                if call is None:
                    continue
                yield f"{name}.{attribute}", make, call
                found[f"{name}.{attribute}"] = lambda make=make, call=call: call(make())
        roots = found


def caller(made, attribute):
    """Return how an attribute is asked for; None if it needs arguments that nothing here knows."""
    given = ARGUMENTS.get(attribute)
    member = inspect.getattr_static(type(made), attribute)
    if not inspect.isfunction(member):
        return lambda one: getattr(one, attribute)
    needed = [
        p
        for p in list(inspect.signature(member).parameters.values())[1:]
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]
    if given is None and needed:
        return None
    args, kwargs = (given, {}) if isinstance(given, tuple) else ((), given or {})
    return lambda one: getattr(one, attribute)(*args, **kwargs)


def safely(call):
    try:
        return call()
    except (ThresherError, AttributeError, NotImplementedError):
        return None


def timed(make, call, rounds: int, most: float):
    """Return the least processor seconds of a call on fresh objects; None if it is refused."""
    best = math.inf
    for _ in range(rounds):
        one = make()
        start = time.process_time()
        try:
            call(one)
        except Exception as error:  # every failure is a line of the table
            return f"{type(error).__name__}: {str(error)[:100]}"
        best = min(best, time.process_time() - start)
        if best > most / rounds:
            break
    return best


def entries(d: Data, names=None):
    yield from results(d)
    yield from measured(d, names)
    for name, call in functions(d, names):
        yield name, lambda: None, lambda _, call=call: call()


def processor() -> str:
    """Return the name of the processor, where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]} ({len(names)} cores)" if names else platform.machine()


def commit() -> str:
    return subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", nargs="+", type=float, default=[1e3, 1e5, 1e6])
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="one measure of each kind instead of all")
    parser.add_argument("--most", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=math.inf, help="processor seconds for each number of rows")
    parser.add_argument("--output", type=Path, default=RESULTS)
    given = parser.parse_args()
    warnings.simplefilter("ignore", th.ThresherWarning)
    found: dict[str, dict[str, object]] = {}
    counts = {}
    beside = []
    for n in map(int, given.rows):
        d, end = Data(n), time.process_time() + given.budget
        counts[n] = timed(lambda: None, lambda _, d=d: th.Scores(d.y, d.s).tp, 9, 100.0)
        for pair in pairs(d):
            ours, theirs = race(pair)
            beside.append({"work": pair.work, "rows": n, "peer": pair.peer, "ours": ours, "theirs": theirs})
        for name, make, call in entries(d, FEW if given.quick else None):
            if time.process_time() > end:
                break
            if given.only in name:
                found.setdefault(name, {})[str(n)] = timed(make, call, given.rounds, given.most)
    table = {
        "commit": commit(),
        "machine": f"{processor()}, kernels {native.instruction_set() if native.available() else 'NumPy'}, "
        f"Python {platform.python_version()}, NumPy {np.__version__}",
        "date": datetime.now(UTC).date().isoformat(),
        "count": {str(n): one for n, one in counts.items()},
        "options": (" --quick" if given.quick else "") + (f" --budget {given.budget:g}" if end < math.inf else ""),
        "beside": beside,
        "seconds": found,
    }
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(json.dumps(table, indent=1))
    last = str(int(given.rows[-1]))
    worst = sorted(
        ((cell[last], name) for name, cell in found.items() if isinstance(cell.get(last), float)), reverse=True
    )
    for seconds, name in worst[:60]:
        print(f"{seconds:10.4f} s {seconds / counts[int(last)]:10.0f} counts  {name}")
    failed = [(name, cell[last]) for name, cell in found.items() if isinstance(cell.get(last), str)]
    for name, why in failed:
        print(f"refused: {name}: {why}")


if __name__ == "__main__":
    main()
