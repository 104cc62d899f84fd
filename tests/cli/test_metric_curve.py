"""A metric at every threshold, from the library's curve to the file."""

from __future__ import annotations

import json

import numpy as np
import pytest

import thresher as th

DATA = th.datasets.load_digits_eight()


def rows(folder, name="curve.json"):
    return json.loads((folder / name).read_text())


@pytest.mark.parametrize(
    ("words", "metric", "options"),
    [
        (["--metric", "mcc"], "mcc", {}),
        (["--metric", "f_beta", "--option", "beta=2"], "f_beta", {"beta": 2}),
        (["--metric", "precision", "--prevalence", "0.01"], "precision", {"prevalence": 0.01}),
    ],
)
def test_rows_are_the_library_s(thresher, folder, digits, words, metric, options):
    ran = thresher("curve", digits, "--y-score", "tree", "-o", "curve.json", *words)
    assert (ran.code, ran.out, ran.err) == (0, "wrote curve.json\n", "")
    scores = th.Scores(DATA.y_true, DATA.tree)
    curve = scores.metric_curve(metric, **options)
    found = rows(folder)
    np.testing.assert_array_equal([row.get("value", np.nan) for row in found], curve.values[0])
    assert [row["tp"] for row in found] == scores.roc().tp.tolist()
    band = curve.band()
    limits = np.array(sorted((row["threshold"], row["low"], row["high"]) for row in found if "low" in row))
    # NumPy's sums may differ in the last digit with the place of an array in memory.
    np.testing.assert_allclose(limits, sorted(zip(band.x, band.low, band.high, strict=True)), rtol=1e-13)


def test_the_metric_is_named_with_its_options(thresher, folder, digits):
    thresher("curve", digits, "-o", "c.csv", "--metric", "iba", "--option", "alpha=0.3", "--prevalence", "0.01")
    text = (folder / "c.csv").read_text()
    assert text.startswith(
        'model,metric,threshold,tp,fp,value,low,high\nlogistic,"iba (prevalence 0.01, alpha 0.3)",inf,0,0'
    )


def test_no_bands(thresher, folder, digits):
    assert thresher("curve", digits, "-o", "curve.json", "--metric", "mcc", "--no-bands").code == 0
    assert not any("low" in row for row in rows(folder))


def test_weights_have_no_band(thresher, folder, small_file):
    words = ("curve", small_file, "--y-score", "a", "--weight", "weight", "-o", "curve.json", "--metric", "f1")
    ran = thresher(*words)
    assert ran.code == 1
    assert "must have independent rows of equal weight. Hint: --no-bands writes the curve alone." in ran.err
    assert thresher(*words, "--no-bands").code == 0


def test_a_figure(thresher, folder, digits):
    assert thresher("curve", digits, "-o", "c.svg", "--metric", "f_beta", "--option", "beta=3").code == 0
    text = (folder / "c.svg").read_text()
    assert text.startswith("<?xml")
    assert "f_beta (beta 3)" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--metric", "roc_auc"], "--metric must be one of the confusion matrix for a curve"),
        (["--metric", "f1", "--threshold", "0.5"], "--threshold must not be given for a curve"),
        (["--metric", "f1", "--simultaneous"], "--simultaneous must not be given with --metric"),
    ],
)  # fmt: skip
def test_what_a_curve_cannot_have(thresher, digits, words, said):
    ran = thresher("curve", digits, "-o", "c.csv", *words)
    assert ran.code == 2
    assert said in ran.err
