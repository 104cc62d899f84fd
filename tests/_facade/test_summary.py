"""One row a model."""

from __future__ import annotations

import pytest

import thresher as th

DATA = th.datasets.load_digits_eight()
MODELS = {name: th.Scores(DATA.y_true, score) for name, score in DATA.models.items()}


def test_rows_are_the_models_figures():
    rows = th.summary(MODELS, confidence_level=0.9).to_dict()["models"]
    assert [row["model"] for row in rows] == list(MODELS)
    for row, scores in zip(rows, MODELS.values(), strict=True):
        assert (row["n_pos"], row["n_neg"], row["prevalence"]) == (scores.n_pos, scores.n_neg, scores.prevalence)
        for name, area in (("roc_auc", scores.roc_auc()), ("pr_auc", scores.pr_auc())):
            low, high = area.confidence_interval(0.9)
            assert (row[name], row[f"{name}_low"], row[f"{name}_high"]) == (area.value, low, high)


def test_one_model_and_one_figure():
    found = th.summary(MODELS["tree"], metrics="brier")
    assert list(found.to_frame("polars").columns) == [
        "model", "n_pos", "n_neg", "prevalence", "brier", "brier_low", "brier_high"
    ]  # fmt: skip
    assert found.to_dict()["models"][0]["model"] == "model"


def test_totals_of_weights_are_shown_rounded():
    scores = th.Scores([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], sample_weight=[1 / 3, 1, 2, 1 / 7])
    first, _, row, *_ = repr(th.summary({"m": scores})).splitlines()
    assert first == "Summary of 1 model, 95% intervals"
    assert row.split()[:3] == ["m", "1.33", "2.14"]


def test_figures_of_one_name_are_told_apart():
    wanted = [th.measures.RecallAtFpr(0.05), th.measures.RecallAtFpr(0.1)]
    row = th.summary(MODELS, metrics=wanted).to_dict()["models"][0]
    assert [row[one.described()] for one in wanted] == [one.of(MODELS["logistic"]) for one in wanted]


def test_the_best_of_them():
    found = th.summary(MODELS)
    assert found.best("roc_auc") == found.best("aupr") == "logistic"
    values = {name: float(table.measure("brier")) for name, table in MODELS.items()}
    assert found.best("brier") == min(values, key=values.get)
    with pytest.raises(th.UndefinedMetricError, match="it is for none of"):
        found.best("precision", threshold=2.0)


def test_what_intervals_warn_of_is_shown():
    models = {"apart": th.Scores.from_pos_neg(range(20, 28), range(20)), "mixed": th.Scores([0, 1, 0, 1], [1, 2, 3, 4])}
    found = th.summary(models, metrics="roc_auc")
    assert [line.partition(":")[0] for line in found.remarks()] == ["apart"]
    assert found.remarks()[0] in repr(found)
    assert found.to_dict()["remarks"] == found.remarks()


def test_without_an_interval_the_value_stands_alone():
    found = th.summary({"tiny": th.Scores([0, 1], [1, 2])}, metrics="enrichment_factor")
    row = found.to_dict()["models"][0]
    assert row["enrichment_factor"] == 2.0
    assert len(repr(found).splitlines()) == 3 + len(found.remarks())


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({}, th.InvalidInputError, "at least one model"),
        ([MODELS["tree"]], th.InvalidTypeError, "dict of names to Scores"),
        ({"tree": DATA.tree}, th.InvalidTypeError, r"th\.Scores\(y_true, y_score\)"),
    ],
)
def test_other_things_are_refused(given, error, said):
    with pytest.raises(error, match=said):
        th.summary(given)


def test_no_figures_are_refused():
    with pytest.raises(th.InvalidInputError, match="`metrics`"):
        th.summary(MODELS, metrics=())
