"""The `console` blocks of the pages: every `thresher` command is run, and prints what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import thresher as th
from support.shared_reports import compute_once

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "_build" not in page.parts and re.search(r"^\$ thresher ", page.read_text(encoding="utf-8"), re.MULTILINE)
)


class Step(NamedTuple):
    words: list[str]
    printed: str


def steps(page: Path) -> Iterator[Step]:
    """Yield the commands of a page, in order, with what is printed below each."""
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield Step(shlex.split(command, comments=True), printed)


def write(name: str, **columns: list[object]) -> None:
    rows = zip(*columns.values(), strict=True)
    Path(name).write_text(",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


@pytest.fixture
def files(folder, thresher):
    """The files that the pages name, made of the bundled example."""
    data = th.datasets.load_digits_eight()
    y, new, old = (column.tolist() for column in (data.y_true, data.logistic, data.tree))
    for name in ("scores.csv", "my-class.csv"):
        write(name, label=y, logistic=new, tree=old)
    write("flaw.csv", label=[1, 0, 1], a=[0.5, "NA", 0.25])
    write("new.csv", label=y, score=new)
    write("base.csv", label=y, score=old)
    for name, rows in (("validation.csv", slice(None, 900)), ("test.csv", slice(900, None))):
        write(name, label=y[rows], risk=new[rows])
    for k, site in enumerate("abc"):
        write(f"site-{site}.csv", label=y[k::3], risk=new[k::3])
    for site in "bc":
        assert thresher("count", f"site-{site}.csv", "-o", f"{site}.scores").code == 0
    Path("scores.txt").write_text("".join(f"{score!r} {label}\n" for label, score in zip(y[:200], new, strict=False)))
    sites = np.array(["north", "south", "west"])[np.arange(len(y)) % 3]
    rows = pd.DataFrame({"site": sites, "label": y, "new_score": new, "old_score": old})
    rows.to_parquet("scored.parquet")
    counted = rows.assign(neg=1 - rows.label).groupby(["site", "new_score"], as_index=False)[["label", "neg"]].sum()
    counted.rename(columns={"new_score": "score", "label": "pos"}).to_parquet("counts.parquet")
    write("ratings.csv", **th.datasets.load_reader_study().to_frame().to_dict("list"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(page, files, thresher, monkeypatch):
    compute_once(monkeypatch)
    monkeypatch.setenv("COLUMNS", "150")
    code = 0
    for words, printed in steps(page):
        match words:
            case ["thresher", *rest]:
                redirected = ">" in rest
                ran = thresher(*(rest[: rest.index(">")] if redirected else rest))
                code, found = ran.code, ran.err if redirected else ran.out + ran.err
                assert (code == 0) == ("thresher: " not in printed and "gate failed" not in printed), str(ran)
            case ["echo", "$?"]:
                found = str(code)
            case ["head", count, name]:
                found = "\n".join(Path(name).read_text().splitlines()[: int(count[1:])])
            case _:  # installing, other programs
                continue
        if printed.strip():
            assert found.split() == printed.split(), shlex.join(words)
