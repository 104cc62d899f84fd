"""Names that people try first are answered with the one that was meant, and what the hint says works."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import thresher as th
from thresher._core.result_bases import Guessed

DATA = th.datasets.load_digits_eight()
SCORES = th.Scores(DATA.y_true, DATA.tree)
OBJECTS = {
    "Scores": SCORES,
    "Estimate": SCORES.roc_auc(),
    "ConfidenceInterval": SCORES.roc_auc().confidence_interval(),
    "OperatingPoint": SCORES.choose_threshold("f1"),
    "Tuned": th.tune(SCORES, "f1"),
    "Comparison": th.compare(DATA.y_true, DATA.models),
    "Gate": th.gate(DATA.tree, DATA.tree, y_true=DATA.y_true),
    "RocCurve": SCORES.roc(),
    "PrCurve": SCORES.pr(),
    "GroupedEstimate": th.by_group(DATA.y_true, DATA.tree, ["a", "b", "c"] * 599),
}


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        ("Scores", "auc", "roc_auc()"),
        ("Scores", "AUROC", "roc_auc()"),
        ("Scores", "average_precision", 'pr_auc(estimator="average_precision")'),
        ("Scores", "ci", "roc_auc().confidence_interval()"),
        ("Scores", "roc_curve", "roc()"),
        ("Scores", "threshold", "choose_threshold()"),
        ("Estimate", "low", "confidence_interval().low"),
        ("Estimate", "upper", "confidence_interval().high"),
        ("Estimate", "ci", "confidence_interval()"),
        ("Estimate", "se", "standard_error()"),
        ("Estimate", "to_pandas", 'to_frame("pandas")'),
        ("ConfidenceInterval", "lower", "low"),
        ("ConfidenceInterval", "hi", "high"),
        ("ConfidenceInterval", "level", "confidence_level"),
        ("OperatingPoint", "cutoff", "threshold"),
        ("Tuned", "threshold", "point.threshold"),
        ("Comparison", "p_value", "pvalue"),
        ("Comparison", "ci", "low"),
        ("Gate", "lower", "low"),
        ("RocCurve", "auc", "roc_auc()"),
        ("PrCurve", "auprc", "pr_auc()"),
        ("GroupedEstimate", "interval", "confidence_interval()"),
    ],
)
def test_the_hint_names_what_works(kind, name, meant):
    one = OBJECTS[kind]
    with pytest.raises(AttributeError) as caught:
        getattr(one, name)
    assert str(caught.value) == f"{kind!r} object has no attribute {name!r}. Hint: it is `{meant}`."
    assert (caught.value.name, caught.value.obj) == (name, one)
    assert eval(f"one.{meant}", {"one": one}) is not None  # noqa: S307  # the hints are ours


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("f1", 'measure("f1", threshold=...)'),
        ("ppv", 'measure("ppv", threshold=...)'),
        ("brier", 'measure("brier")'),
        ("recall_at_fpr", 'measure("recall_at_fpr", fpr=...)'),
    ],
)
def test_a_metric_is_asked_for_by_measure(name, call):
    with pytest.raises(AttributeError) as caught:
        getattr(SCORES, name)
    assert str(caught.value).endswith(f" Hint: it is a metric, `{call}`.")
    assert SCORES.measure(name, **dict.fromkeys(re.findall(r"(\w+)=\.", call), 0.4)).value > 0.0


@pytest.mark.parametrize(
    ("kind", "name", "near"),
    [
        ("Scores", "roc_acu", "roc_auc"),
        ("Scores", "choose_treshold", "choose_threshold"),
        ("Estimate", "confidence_intervals", "confidence_interval"),
        ("OperatingPoint", "sensitivty", "sensitivity"),
        ("Comparison", "pair_s", "pairs"),
        ("RocCurve", "threshold_s", "thresholds"),
    ],
)
def test_a_misspelt_name_has_its_neighbour(kind, name, near):
    with pytest.raises(AttributeError, match=f"Hint: did you mean '{near}'"):
        getattr(OBJECTS[kind], name)


@pytest.mark.parametrize("kind", OBJECTS)
def test_what_is_like_nothing_has_no_hint(kind):
    with pytest.raises(AttributeError) as caught:
        str(OBJECTS[kind].qqqqqq)
    assert str(caught.value) == f"{kind!r} object has no attribute 'qqqqqq'."


@pytest.mark.parametrize("kind", OBJECTS)
def test_protocols_are_asked_for_without_a_hint(kind):
    one = OBJECTS[kind]
    assert not hasattr(one, "__array_interface__")
    assert not hasattr(one, "_private")
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one


def test_a_property_that_fails_says_why():
    class Broken(Guessed):
        @property
        def value(self):
            return self.nothing_of_the_kind

    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_the_kind'"):
        str(Broken().value)


def test_the_module_does_the_same():
    with pytest.raises(AttributeError, match=r"it is a method of scores, `th\.Scores\(y_true, y_score\)\.roc_auc\(\)`"):
        str(th.roc_auc)
