"""Every figure of reference studies, made with fractions and 40 digits."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import thresher as th
from support import contrasts

STUDIES = {name: contrasts.data("readers", name) for name in contrasts.names("readers")}
NESTED = contrasts.data("split_plot", "readers_in_modality")
MODELS = {
    "random_readers_random_cases": {"readers": "random", "cases": "random"},
    "fixed_readers_random_cases": {"readers": "fixed", "cases": "random"},
    "random_readers_fixed_cases": {"readers": "random", "cases": "fixed"},
}
ASKED = {
    "roc_auc": ("roc_auc", {}),
    "unbiased": ("roc_auc", {"covariance": "unbiased"}),
    "sensitivity": ("recall", {"threshold": None}),
    "specificity": ("specificity", {"threshold": None}),
}


def study_of(rows):
    frame = pd.DataFrame(rows).astype({"truth": int, "rating": float})
    return th.readers(frame)


def expected_of(study, figure):
    found = STUDIES[study]["expected"].get(figure)
    return found.get("roc_auc") if figure == "unbiased" and found else found


def measured(study, figure, **how):
    metric, options = ASKED[figure]
    if "threshold" in options:
        options = {"threshold": float(STUDIES[study]["expected"][figure]["threshold"])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)
        return study_of(STUDIES[study]["rows"]).measure(metric, **options, **how)


def agree(found, expected, figures=None):
    for name in expected if figures is None else figures:
        if isinstance(expected[name], str):
            assert found[name] == expected[name]
        elif expected[name] is not None:
            assert found[name] == pytest.approx(expected[name], rel=1e-12, abs=1e-13), name


CASES = [
    (study, figure, model)
    for study in STUDIES
    for figure in ASKED
    for model in MODELS
    if expected_of(study, figure) is not None
]


@pytest.mark.parametrize(("study", "figure", "model"), CASES)
def test_models(study, figure, model):
    expected = expected_of(study, figure)
    found = measured(study, figure, **MODELS[model])
    components = [name for name, one in expected.items() if isinstance(one, float)]
    agree(found.components, expected, components)
    assert dict(found.components["modality_means"]) == pytest.approx(expected["modality_means"], rel=1e-12)
    for part, row in expected[model].items():
        if part == "differences":
            for own, other in zip(found.differences, row, strict=True):
                agree(own, other)
        elif part == "means":
            for own, other in zip(found.means, row, strict=True):
                agree(own, other)
        elif part == "readers":
            for own, other in zip(found.by_reader, row, strict=True):
                agree(own, other)
        else:
            assert found.omnibus[part] == pytest.approx(row, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("study", STUDIES)
def test_values_and_covariances(study):
    expected = STUDIES[study]["expected"]
    found = measured(study, "roc_auc")
    assert [[cell.modality, cell.reader] for cell in found.cells] == expected["cells"]
    assert [cell.value for cell in found.cells] == pytest.approx(expected["values"], rel=1e-15)
    np.testing.assert_allclose(found.case_covariance, expected["covariance"], rtol=1e-12, atol=1e-16)
    unbiased = measured(study, "unbiased")
    np.testing.assert_allclose(unbiased.case_covariance, expected["unbiased"]["covariance"], rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize("study", STUDIES)
def test_pairs(study):
    expected = STUDIES[study]["expected"]["by_pair"]
    random = measured(study, "roc_auc", pooled=False).differences
    fixed = measured(study, "roc_auc", pooled=False, readers="fixed").differences
    for own, alone, other in zip(random, fixed, expected, strict=True):
        agree(own, other, ["a", "b", "difference", "standard_error", "df", "low", "high", "t", "pvalue"])
        assert own.n_readers == len(other["readers"])
        assert alone.standard_error == pytest.approx(other["fixed_readers_standard_error"], rel=1e-12)
        assert alone["z"] == pytest.approx(other["fixed_readers_z"], rel=1e-12)
        assert alone.pvalue == pytest.approx(other["fixed_readers_pvalue"], rel=1e-12)


@pytest.mark.parametrize("study", [name for name in STUDIES if "power" in STUDIES[name]["expected"]])
def test_power(study):
    found = measured(study, "roc_auc")
    for row in STUDIES[study]["expected"]["power"]:
        cases = round(row["case_ratio"] * found.n_cases)
        own = found.power(row["difference"], readers=row["readers"], cases=cases)
        for name in row:
            assert own[name] == pytest.approx(row[name], rel=1e-9), name


@pytest.mark.filterwarnings("ignore:The mean of")  # its readers are few
def test_nested_readers():
    study = study_of(NESTED["rows"])
    expected = NESTED["expected"]["split_plot"]
    pooled, welch = study.measure(), study.measure(pooled=False)
    assert study.design == "nested"
    np.testing.assert_allclose(pooled.case_covariance, NESTED["expected"]["covariance"], rtol=1e-12)
    agree(pooled.components, expected, ["ms_modality", "ms_reader_in_modality", "var_error", "cov2", "cov3", "r0"])
    agree(pooled.omnibus, expected, ["denominator", "F", "df1", "df2", "pvalue"])
    for own, other, row in zip(pooled.differences, welch.differences, expected["differences"], strict=True):
        agree(own, row, ["a", "b", "difference", "standard_error", "df", "low", "high", "t", "pvalue"])
        for name in ("standard_error", "df", "low", "high", "pvalue"):
            assert other[name] == pytest.approx(row[f"welch_{name}"], rel=1e-12)
