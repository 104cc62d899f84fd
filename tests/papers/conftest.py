from __future__ import annotations

from functools import cache
from unittest.mock import patch

import pytest

from papers import PAPERS, EntryResult, recompute_entry
from papers.davis_goadrich import theorems
from papers.entry import STATUSES

# Items that take seconds; their parts are tried in an ordinary run, in the files of their modules.
SLOW = {
    ("davis-goadrich", "Figure 1"),
    ("hughes-oliver", "P4"),
    ("hughes-oliver", "Theorem 1(A)"),
    ("cortes-mohri", "Theorem 2"),
    ("cortes-mohri", "Our table on public data"),
    ("chen", "Abstract, two findings"),
}


@pytest.fixture(scope="session")
def found():
    """Give the checks of an item by name; it is recomputed once, with a tenth of the random curves."""

    @cache
    def look(paper: str, item: str) -> EntryResult:
        with patch.multiple(theorems, _N_CURVES=300, _N_PAIRS=300, _N_SETS=150):
            return recompute_entry(paper, item)

    return look


@pytest.fixture(scope="session")
def explained(found):
    """Give an item whose checks have been looked at: each has a status, and a reason where it is not reproduced."""

    def look(paper: str, item: str) -> EntryResult:
        result = found(paper, item)
        assert result.status in STATUSES
        for check in result.found.checks:
            assert check.as_expected, check.what
            assert check.status in STATUSES, check.what
            assert bool(check.why) == (check.status != "reproduced"), check.what
            # Printed is what is printed: no stand-ins for it.
            assert check.published not in ("not stated", "yes", "always", "formula", "identity", " "), check.what
            if check.status in ("reproduced", "erratum"):
                assert check.published, check.what
        return result

    return look


@pytest.fixture(scope="session")
def values(found):
    """Give the recomputed numbers of an item, by what they are."""

    def look(paper: str, item: str) -> dict[str, float]:
        checks = found(paper, item).found.checks
        return {check.what: check.our_value for check in checks if check.our_value is not None}

    return look


def pytest_generate_tests(metafunc):
    """Run a test that asks for `entry_of_<paper>` once for each of its items."""
    for paper in PAPERS:
        name = f"entry_of_{paper.key.replace('-', '_')}"
        if name in metafunc.fixturenames:
            metafunc.parametrize(
                name,
                [
                    pytest.param(entry.item, marks=[pytest.mark.slow] if (paper.key, entry.item) in SLOW else [])
                    for entry in paper.entries
                ],
            )
