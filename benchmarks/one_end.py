"""Part of a case at one adverse end at a time, against the default's two: a table of docs/validation/areas.md.

    python -m benchmarks.one_end one_end.jsonl [--replicates 500] [--all]
    python -m benchmarks.one_end one_end.jsonl --page docs/validation/areas.md

The default puts half a case at the adverse end of both classes at once. Its rival computes each limit twice, with half
a case in one class and nothing in the other, and takes the further of the two: a sample that shows neither hidden
positives nor hidden negatives is no more likely than one that shows no hidden ones of the smaller class.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from benchmarks import bulk_intervals as bulk
from benchmarks.coverage_defaults import ALPHA, DRAWS, MEASURES, SIZES, Notes, sampled
from benchmarks.unkind_laws import LAWS
from benchmarks.width_table import NAMES

CELLS = (
    ("exponential x12, floor 1", 30, 0.5),
    ("normal 0.95", 30, 0.5),
    ("normal 0.9, sd ratio 3", 30, 0.5),
    ("25.0% hopeless, others 3", 30, 0.5),
    ("binary test 1.5", 30, 0.5),
    ("2.0% hopeless, others 30", 10, 0.5),
    ("5.0% hopeless, others 4", 30, 0.5),
    ("exponential x12, floor 1", 30, 0.1),
    ("normal 0.9, sd ratio 3", 30, 0.1),
    ("normal 0.995", 30, 0.1),
    ("t3 shifted 1.5", 30, 0.1),
    ("25.0% hopeless, others 3", 10, 0.1),
    ("normal 0.95", 10, 0.1),
    ("t3 shifted 1.5", 100, 0.5),
    ("normal 0.9, sd ratio 0.333", 100, 0.5),
    ("1.0% loud negatives, others 2.5", 100, 0.1),
    ("25.0% hopeless, others 3", 100, 0.1),
)


def limits(s: bulk.Samples, generator: torch.Generator) -> dict[tuple[bulk.Measure, str], bulk.Ends]:
    """Return the limits of each sample with both ends at once and with one at a time."""
    ranks = round(ALPHA / 2.0 * (DRAWS + 1)), round((1.0 - ALPHA / 2.0) * (DRAWS + 1))
    plain = bulk.draws(s.valid.shape[1], int(s.n_neg.max()), DRAWS, generator)
    pieces = bulk._pieces(s, plain)
    masses = [bulk.ends(0.5, DRAWS, generator) for _ in range(2)]
    nothing = torch.zeros_like(masses[0])
    out = {}
    for measure in MEASURES:
        found = []
        for pos, neg in (masses, (masses[0], nothing), (nothing, masses[1])):
            drawn = plain._replace(end_pos=pos, end_neg=neg)
            values = [torch.nan_to_num(bulk.weighted(pieces, s, drawn, measure, side)) for side in ("low", "high")]
            found.append([torch.kthvalue(v, rank, dim=1).values for v, rank in zip(values, ranks, strict=True)])
        (low, high), *single = found
        out[measure, "both"] = low, high
        out[measure, "one"] = torch.minimum(single[0][0], single[1][0]), torch.maximum(single[0][1], single[1][1])
    return out


def simulate(name: str, m: int, p: float, replicates: int) -> list[dict[str, Any]]:
    """Return coverage and width of both in one cell."""
    law = next(law for law in LAWS if law.name == name)
    pos, neg, n_pos, n_neg, generator = sampled(law, m, p, replicates)
    s = bulk.samples(pos, neg, n_pos, n_neg)
    step = max(1, 400_000 // (s.valid.shape[1] * DRAWS))
    parts = [limits(bulk.rows(s, slice(i, i + step)), generator) for i in range(0, n_pos.size, step)]
    notes = Notes(law, m, p)
    for key in parts[0]:
        low, high = (torch.cat([part[key][side] for part in parts]).double() for side in (0, 1))
        notes.add(*key, (low, high))
    return notes.lines


SECTION = """
### One end at a time

Tried as well: half a case at the end of one class at a time, the further of the two limits taken
(`benchmarks/one_end.py`; {samples} samples in each of {cells}):

{table}

It is not the default{left}.
"""


def section(rows: list[dict[str, Any]]) -> str:
    """Return how both compare."""
    cells: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for row in rows:
        cells.setdefault((tuple(row["measure"]), row["law"], row["m"], row["p"]), {})[row["method"]] = row
    lines = [
        "| figure | least, both ends | least, one at a time | mean width, one : both | least of these |",
        "|---|---|---|---|---|",
    ]
    for measure, name in NAMES.items():
        own = [both for key, both in cells.items() if key[0] == measure]
        least = [100 * min(both[method]["cover"] for both in own) for method in ("both", "one")]
        ratios = [both["one"]["width"] / both["both"]["width"] for both in own]
        shown = f"{sum(ratios) / len(ratios):.3f} | {min(ratios):.3f}"
        lines.append(f"| {name} | {least[0]:.1f} | {least[1]:.1f} | {shown} |")
    count = len({key[1:] for key in cells})
    # Samples without one of the classes are left out; what was drawn is the largest number.
    samples = max(row["n"] for row in rows)
    left = len(SIZES) * len(LAWS) - count
    chosen = f"{count} cells, some of those above and the worst of the grid" if left else f"all {count} cells"
    untried = f": the other {left} cells of the grid have not been tried with it" if left else ""
    return SECTION.format(table="\n".join(lines), cells=chosen, samples=samples, left=untried)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--all", action="store_true", help="every cell of the grid that is not in the file")
    parser.add_argument("--page", type=Path, help="put the table into this page, from the file as it is")
    given = parser.parse_args()
    if given.page is not None:
        page = given.page.read_text()
        end = page.index("\n## ROC area\n")
        start = page.find("\n### One end at a time\n")
        rows = [json.loads(line) for line in given.file.read_text().splitlines()]
        given.page.write_text(page[: start if start >= 0 else end] + section(rows) + page[end:])
        return
    torch.set_num_threads(1)
    done = (
        {(row["law"], row["m"], row["p"]) for row in map(json.loads, given.file.open())} if given.file.exists() else ()
    )
    grid = [(law.name, m, p) for m, p in SIZES for law in LAWS if (law.name, m, p) not in done]
    for cell in grid if given.all else CELLS:
        with given.file.open("a") as out:
            out.writelines(json.dumps(line) + "\n" for line in simulate(*cell, given.replicates))
        print(*cell, flush=True)


if __name__ == "__main__":
    main()
