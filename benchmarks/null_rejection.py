"""How often tests between scorers of equal quality reject; makes docs/validation/small-tests.md.

    python -m benchmarks.null_rejection paired found.jsonl [--replicates 2000] [--part 0/4] [--device cuda]
    python -m benchmarks.null_rejection library found.jsonl [--replicates 2000] [--jobs 16]
    python -m benchmarks.null_rejection page found.jsonl > docs/validation/small-tests.md

Every cell compares scorers with the same population value, at 5%. "paired" simulates the defaults of `compare` on
tensors, on the laws of `equal_scorers`; "library" runs the library itself: samples that are not paired, several
scorers, non-inferiority, and DeLong's classical test by name. Both append lines of JSON.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import thresher as th
from benchmarks import bulk_tests, equal_scorers
from benchmarks.unkind_laws import LAWS, Distribution

SEED = 20261116
RESAMPLES = 400
LIMIT = 0.065

Draw = Callable[[np.random.Generator], float]


def paired(
    rng: np.random.Generator, n_pos: int, n_neg: int, moved: Sequence[tuple[float, float]]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return labels and a scorer for each shift and spread of the positives, on rows that share half their noise."""
    y = np.arange(n_pos + n_neg) < n_pos
    common = rng.normal(size=y.size)
    scores = {}
    for i, (shift, spread) in enumerate(moved):
        own = np.sqrt(0.5) * (common + rng.normal(size=y.size))
        scores[f"m{i}"] = np.where(y, shift + spread * own, own)
    return y, scores


def equal_areas(shift: float, spread: float) -> list[tuple[float, float]]:
    """Return two scorers whose curves cross and whose areas are equal: the shift grows as the summed variances."""
    return [(shift, 1.0), (shift * float(np.sqrt((1.0 + spread**2) / 2.0)), spread)]


def unpaired(rng: np.random.Generator, sizes: tuple[int, int, int, int], shift: float) -> tuple[th.Scores, th.Scores]:
    """Return two samples of one population: positives and negatives of each."""
    a, b, c, d = sizes
    return (
        th.Scores.from_pos_neg(rng.normal(shift, 1, a), rng.normal(0, 1, b)),
        th.Scores.from_pos_neg(rng.normal(shift, 1, c), rng.normal(0, 1, d)),
    )


def p_and_warned(draw: Draw, rng: np.random.Generator) -> tuple[float, bool]:
    """Return a p value, and whether the library said anything with it."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        pvalue = draw(rng)
    return pvalue, any(issubclass(one.category, th.ThresherWarning) for one in said)


@cache
def library_list() -> list[tuple[str, str, Draw]]:
    """Return the cells, which no pipe can carry: processes that are forked find them made."""
    return list(library_cells())


def measured(index: int, replicates: int) -> dict[str, Any]:
    """Return how often a test of the library rejects in one of the cells."""
    what, group, draw = library_list()[index]
    rng = np.random.default_rng([SEED, index])
    found = [p_and_warned(draw, rng) for _ in range(replicates)]
    rejects = np.array([pvalue < 0.05 for pvalue, _ in found])
    quiet = np.array([not warned for _, warned in found])
    return {
        "what": what,
        "group": group,
        "n": replicates,
        "rejects": float(rejects.mean()),
        "unwarned": float((rejects & quiet).mean()),
    }


def library_cells() -> Iterator[tuple[str, str, Draw]]:
    """Yield (what, group, one p value)."""
    for n_pos, n_neg, shift in ((6, 300, 1.0), (10, 300, 1.0), (15, 15, 1.0), (60, 60, 1.0)):
        what = f"ROC area, {n_pos} + {n_neg}, shift {shift:g}"
        yield what, "delong", partial(_paired_p, n_pos, n_neg, [(shift, 1.0)] * 2, "delong")
    for n_pos, n_neg in ((10, 100), (30, 300), (100, 30)):
        for shift, spread in ((1.0, 3.0), (2.0, 0.33)):
            what = f"ROC area, curves that cross (spread {spread:g}), {n_pos} + {n_neg}, shift {shift:g}"
            yield what, "delong", partial(_paired_p, n_pos, n_neg, equal_areas(shift, spread), "delong")
    for metric, options in (("roc_auc", {}), ("pr_auc", {"n_resamples": RESAMPLES})):
        what = f"{metric}, paired, 6 + 300"
        yield what, "few", partial(_paired_p, 6, 300, [(1.0, 1.0)] * 2, None, metric=metric, **options)
    for *sizes, shift in ((6, 300, 150, 150, 1), (10, 300, 10, 300, 1), (15, 15, 200, 200, 1), (20, 500, 200, 50, 2)):
        for group, method in (("unpaired", None), ("delong", "delong")):
            what = "ROC area, unpaired, {} + {} against {} + {}, shift {}".format(*sizes, shift)
            yield what, group, partial(_unpaired_p, tuple(sizes), float(shift), method)
    for law in LAWS[::2]:
        for sizes in ((10, 100, 10, 100), (20, 500, 200, 50)):
            what = "ROC area, {}, {} + {} against {} + {}".format(law.name, *sizes)
            yield what, "unpaired", partial(_unpaired_law_p, (law, law), sizes)
    for name in ("5.0% hopeless, others 4", "normal 0.9, sd ratio 3", "normal 0.9, sd ratio 0.333"):
        law = equal_scorers.BY_NAME[name]
        for sizes in ((20, 200, 20, 200), (15, 150, 200, 200)):
            other = equal_scorers.partner(law, ("roc", 0.0), 0.1, 1.0)
            what = "ROC area, {} against a normal, {} + {} against {} + {}".format(name, *sizes)
            yield what, "unpaired", partial(_unpaired_law_p, (law, other), sizes)
    for models in (3, 6, 10):
        for n_pos, n_neg in ((12, 60), (30, 300)):
            for name in ("normal 0.7", "five ratings 1.2", "80% easy, others 1"):
                what = f"omnibus of ROC areas, {models} scorers, {name}, {n_pos} + {n_neg}"
                yield what, "omnibus", partial(_omnibus_p, equal_scorers.BY_NAME[name], n_pos, n_neg, models)
    for name in ("normal 0.85", "t3 shifted 1.5", "80% easy, others 1", "5.0% hopeless, others 4"):
        law = equal_scorers.BY_NAME[name]
        better = equal_scorers.partner(law, ("roc", 0.0), 0.1, 1.0, less=-0.04)
        for n_pos, n_neg in ((20, 200), (100, 300)):
            what = f"ROC area, worse by the margin of 0.04, {name} against a normal, {n_pos} + {n_neg}"
            yield what, "margin", partial(_margin_p, (law, better), n_pos, n_neg)


def _paired_p(  # type: ignore[no-untyped-def]
    n_pos: int,
    n_neg: int,
    moved: Sequence[tuple[float, float]],
    method: str | None,
    rng: np.random.Generator,
    **options,
) -> float:
    y, scores = paired(rng, n_pos, n_neg, moved)
    if "n_resamples" in options:
        options |= {"rng": rng}
    return float(th.compare(y, scores, method=method, **options).pvalue)


def _unpaired_p(sizes: tuple[int, int, int, int], shift: float, method: str | None, rng: np.random.Generator) -> float:
    return float(th.compare_unpaired(*unpaired(rng, sizes, shift), method=method).pvalue)


def _unpaired_law_p(
    laws: tuple[Distribution, Distribution], sizes: tuple[int, int, int, int], rng: np.random.Generator
) -> float:
    both = [
        th.Scores.from_pos_neg(law.draw(True, (n_pos,), rng), law.draw(False, (n_neg,), rng))
        for law, n_pos, n_neg in zip(laws, sizes[::2], sizes[1::2], strict=True)
    ]
    return float(th.compare_unpaired(both[0], both[1]).pvalue)


def _rows(
    laws: Sequence[Distribution], n_pos: int, n_neg: int, rng: np.random.Generator
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    pos, neg = equal_scorers.draw(laws, n_pos, n_neg, 0.5, 1, rng)
    return np.arange(n_pos + n_neg) < n_pos, {
        f"m{k}": np.concatenate((pos[0, :, k], neg[0, :, k])) for k in range(len(laws))
    }


def _omnibus_p(law: Distribution, n_pos: int, n_neg: int, models: int, rng: np.random.Generator) -> float:
    return float(th.compare(*_rows([law] * models, n_pos, n_neg, rng)).omnibus.pvalue)


def _margin_p(laws: tuple[Distribution, Distribution], n_pos: int, n_neg: int, rng: np.random.Generator) -> float:
    return float(th.compare(*_rows(laws, n_pos, n_neg, rng), alternative="greater", margin=0.04).pvalue)


def simulate_paired(file: Path, replicates: int, part: str) -> None:
    """Append what the default tests of `compare` do."""
    which, parts = map(int, part.split("/"))
    # Sizes are mixed, so that parts take equally long.
    all_cells = list(equal_scorers.cells())
    for index in np.random.default_rng(SEED).permutation(len(all_cells))[which::parts]:
        cell = all_cells[index]
        start = time.monotonic()
        rng = np.random.default_rng([SEED, 1, index])
        generator = torch.Generator(torch.get_default_device()).manual_seed(int(index))
        laws, times = cell.laws(), replicates * cell.times
        pos, neg = equal_scorers.draw(laws, cell.n_pos, cell.n_neg, cell.rho, times, rng)
        count = 0 if cell.measures == (("roc", 0.0),) else RESAMPLES
        for measure, found in zip(
            cell.measures, bulk_tests.differences(pos, neg, cell.measures, count, generator), strict=True
        ):
            done = bulk_tests.rejected(found, cell.n_pos, cell.n_neg, 0 if measure[0] == "roc" else count)
            row = {
                "what": f"{equal_scorers.NAMES[measure[0]]}, {cell.what}",
                "group": "paired",
                "measure": measure[0],
                "n": times,
                "rejects": float(done.at_all.mean()),
                "unwarned": float(done.unwarned.mean()),
            }
            with file.open("a") as out:
                out.write(json.dumps(row) + "\n")
        print(f"{cell.what} {time.monotonic() - start:.1f} s", flush=True)


ABOUT = """\
# Tests with few cases

Rejections at 5% between scorers of equal quality, in percent, on laws that are not kind; worst first. Made by
`python -m benchmarks.null_rejection`. {replicates}
*Unwarned* are rejections with which the library says nothing.

A test sees only the sample. If a small proportion of the positives of a model ranks at the bottom, or a small
proportion of the negatives at the top, most small samples contain none of them. The area of such a sample is above
the truth with almost no spread, and a test against a model of equal quality but another distribution rejects too
often. No test can detect this from the sample. What can be detected is whether one such case would make the
difference no longer significant; `compare` then says so ("One case decides between ..."). With fewer than ten cases
of a class it always warns.

{limit}
"""
GROUPS = {
    "unpaired": ("Samples that are not paired", "`compare_unpaired`, default."),
    "omnibus": ("Several scorers", "`compare(...).omnibus`, default; scorers of one law."),
    "margin": (
        "Non-inferiority",
        '`compare(..., alternative="greater", margin=0.04)` where the first is worse by just that, one-sided at 5%.',
    ),
    "few": ("Fewer than ten positives", "Default; the library warns in every sample."),
    "delong": ('By name: `method="delong"`, the classical test', "Normal law, whatever the number of cases."),
}


def page(files: list[Path]) -> str:
    """Return the page of what was found."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    both = [row for row in rows if row["group"] == "paired"]
    default = [row for row in rows if row["group"] in ("paired", "unpaired", "omnibus", "margin")]
    over = [row for row in default if row["unwarned"] > LIMIT]
    counts = sorted({row["n"] for row in both})
    grid = sum(len(cell.measures) for cell in equal_scorers.cells())
    most = max(row["unwarned"] for row in default)
    out = [
        ABOUT.format(
            replicates=f"{len(both)} of the {grid} cells of `equal_scorers`,\n{counts[0]:,} to "
            f"{counts[-1]:,} samples each; the standard error of 5% is "
            f"{100 * (0.05 * 0.95 / counts[0]) ** 0.5:.2f} with {counts[0]:,}.",
            limit=f"In {sum(row['rejects'] > LIMIT for row in default)} of {len(default)} cells of the defaults more "
            f"than 6.5% are rejected at all, in {len(over)} more than 6.5%\nwithout a warning; the most of these is "
            f"{100 * most:.1f}%.",
        )
    ]
    out.append("## Two scorers on the same rows\n\n" + _summary(both))
    for kind, name in equal_scorers.NAMES.items():
        own = [row for row in both if row["measure"] == kind]
        out.append(f"### {name}\n\nBy all rejections, and by those without a warning:\n")
        out.append(_table(_worst(own, "rejects", 8) + _worst(own, "unwarned", 6)))
    for group, (title, words) in GROUPS.items():
        own = [row for row in rows if row["group"] == group]
        if own:
            shown = own if group in ("few", "delong") else _worst(own, "rejects", 12)
            mean = 100 * float(np.mean([row["rejects"] for row in own]))
            out.append(f"## {title}\n\n{words} {len(own)} cells, {own[0]['n']:,} samples each, mean {mean:.1f}.\n")
            out.append(_table(sorted(shown, key=lambda row: -row["rejects"])))
    return "\n".join(out)


def _summary(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| figure | cells | mean | most | over 6.5 | mean unwarned | most unwarned | over 6.5 unwarned |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind, name in equal_scorers.NAMES.items():
        columns = [
            100 * np.array([row[key] for row in rows if row["measure"] == kind]) for key in ("rejects", "unwarned")
        ]
        shown = " | ".join(
            f"{rates.mean():.1f} | {rates.max():.1f} | {(rates > 100 * LIMIT).sum()}" for rates in columns
        )
        lines.append(f"| {name} | {columns[0].size} | {shown} |")
    return "\n".join(lines) + "\n"


def _worst(rows: list[dict[str, Any]], key: str, count: int) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: -row[key])[:count]


def _table(rows: list[dict[str, Any]]) -> str:
    lines = ["| what | rejects | unwarned |", "|---|---|---|"]
    seen = set()
    for row in rows:
        if row["what"] not in seen:
            seen.add(row["what"])
            lines.append(f"| {row['what']} | {100 * row['rejects']:.1f} | {100 * row['unwarned']:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("paired", "library", "page"))
    parser.add_argument("file", type=Path, nargs="+")
    parser.add_argument("--replicates", type=int)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="where torch computes")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.what == "page":
        print(page(given.file))
    elif given.what == "paired":
        torch.set_default_device(given.device)
        simulate_paired(given.file[0], given.replicates or 2000, given.part)
    else:
        indices = range(len(library_list()))
        with ProcessPoolExecutor(given.jobs) as pool, given.file[0].open("a") as out:
            for row in pool.map(partial(measured, replicates=given.replicates or 2000), indices):
                out.write(json.dumps(row) + "\n")
                out.flush()


if __name__ == "__main__":
    main()
