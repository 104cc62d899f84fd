"""The propositions on small classes, where every count can be checked by hand."""

from __future__ import annotations

import pytest

from papers.cortes_mohri import propositions
from papers.cortes_mohri.printed import mean_and_variance, power_sum, proposition_2

MOST = 4


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Classes of up to four: enough to be wrong, and quick."""
    for name in ("_FEW", "_MANY"):
        monkeypatch.setattr(propositions, name, [case for case in getattr(propositions, name) if max(case[:2]) <= MOST])
    monkeypatch.setattr(propositions, "_MOST", MOST)


def test_the_cases_are_all_there_are():
    cases = [(m, n, k) for m in range(1, MOST + 1) for n in range(1, MOST + 1) for k in range(m + n + 1)]
    assert sorted(propositions._FEW + propositions._MANY) == sorted(cases)
    assert all(k <= min(m, n) for m, n, k in propositions._FEW)


@pytest.mark.parametrize(
    "entry",
    [
        propositions.identities,
        propositions.proposition_1,
        propositions.proposition_2_entry,
        propositions.proposition_3,
        propositions.corollary,
    ],
)
def test_every_statement_is_as_expected(entry):
    checks = entry().checks
    assert [check.what for check in checks if not check.as_expected] == []
    total = len(propositions._FEW)
    for check in checks:
        if check.what.endswith("k ≤ min(m, n)"):
            assert check.ours == f"{total} of {total} cases with m, n ≤ {MOST}"


def test_how_often_the_missing_condition_matters():
    wrong = sum(proposition_2(*case) != mean_and_variance(*case)[0] for case in propositions._MANY)
    (found,) = [check for check in propositions.proposition_2_entry().checks if check.status == "erratum"]
    assert found.ours == f"wrong in {wrong} of {len(propositions._MANY)} cases"
    assert 0 < wrong < len(propositions._MANY)  # with equal classes it holds


def test_a_wrong_formula_is_noticed(monkeypatch):
    monkeypatch.setattr(propositions, "power_sum", lambda m, n, k, q: power_sum(m, n, k, q) + (k == 2))
    assert not all(check.as_expected for check in propositions.identities().checks)
    assert not all(check.as_expected for check in propositions.proposition_1().checks)
