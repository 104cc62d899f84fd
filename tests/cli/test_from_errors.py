"""Intervals from published figures: those of the library, each said with what it uses."""

from __future__ import annotations

import json

import pytest

import thresher as th


def rows(ran):
    assert ran.code == 0, ran
    return json.loads(ran.out)


def test_every_row_is_the_librarys(thresher):
    words = ("--positives", 139, "--negatives", 164, "--errors", 39, "--auc", "0.87", "--confidence-level", "0.9")
    found = {row["method"]: row for row in rows(thresher("from-errors", *words, "--format", "json"))}
    options = {
        "Cortes-Mohri, Clopper-Pearson": {},
        "Cortes-Mohri, Theorem 2, normal": {"error_interval": "normal"},
        "Cortes-Mohri, Theorem 2, Chebyshev": {"error_interval": "chebyshev"},
        "Cortes-Mohri, the paper's eps_k": {"eps": "gaussian", "law": "binomial"},
        "Cortes-Mohri, water-filling": {"eps": "optimal"},
    }
    for name, given in options.items():
        want = th.cortes_mohri(139, 164, 39, confidence_level=0.9, **given)
        assert (found[name]["low"], found[name]["high"]) == (want.low, want.high)
        assert found[name]["auc"] == float(th.auc_moments(139, 164, 39).mean)
    for name in ("hanley-mcneil", "newcombe", "max-variance"):
        want = th.roc_auc_interval(0.87, 139, 164, method=name, confidence_level=0.9)
        assert (found[name]["low"], found[name]["high"], found[name]["auc"]) == (want.low, want.high, 0.87)
        assert found[name]["uses"] == "class totals and the AUC"
    assert len(found) == 8


@pytest.mark.parametrize("errors", [0, 20])
def test_no_errors_or_nothing_but_errors(thresher, errors):
    """A binomial law of them would be a point, and its interval no interval."""
    words = ("--positives", 8, "--negatives", 12, "--errors", errors, "--format", "json")
    found = {row["method"]: row for row in rows(thresher("from-errors", *words))}
    assert len(found) == 5
    paper = found["Cortes-Mohri, the paper's eps_k"]
    assert paper["low"] < paper["high"]


def test_more_errors_than_cases(thresher):
    ran = thresher("from-errors", "--positives", 8, "--negatives", 12, "--errors", 21)
    assert (ran.code, ran.out) == (2, "")
    assert "--errors must be between 0 and" in ran.err
