"""Every measure by name has its default interval in the table of simulated coverages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thresher as th
from support.measures import options_of

PAGE = (Path(__file__).parents[2] / "docs" / "validation" / "every-measure.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([\w-]+) \| ([^|]+) \| (\d+) \| ([\d.]+) \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", th.measures.names())
def test_its_default_was_simulated(name):
    found = {law: (method, float(covers)) for row, method, law, _, covers in ROWS if row == name}
    default = th.measures.as_measure(name, **options_of(name)).intervals[0]
    assert len(found) >= 2
    assert {method for method, _ in found.values()} == {default}
    assert min(covers for _, covers in found.values()) >= 90.0


def test_worst_cells_come_first():
    shares = [float(covers) for *_, covers in ROWS]
    assert shares == sorted(shares)
