"""Figures as OpenMetrics text, read back by the grammar of its specification."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import thresher as th

SAMPLE = re.compile(r"([a-zA-Z_][a-zA-Z0-9_]*)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
DATA = th.datasets.load_digits_eight()
SCORES = th.Scores(DATA.y_true, DATA.logistic)


def read(text):
    """Return the samples of a text: name, labels, value."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""]
    known, out = None, []
    for line in lines[:-2]:
        if line.startswith("# TYPE "):
            known = line.split(" ")[2]
            assert line == f"# TYPE {known} gauge"
            continue
        name, labels, value = SAMPLE.fullmatch(line).groups()
        assert name == known
        pairs = LABEL.findall(labels or "")
        assert ",".join(f'{key}="{text}"' for key, text in pairs) == (labels or "")
        out.append((name, dict(pairs), float(value)))
    assert len({(name, tuple(sorted(labels.items()))) for name, labels, _ in out}) == len(out)
    return out


RESULTS = {
    "estimate": SCORES.roc_auc,
    "option": lambda: SCORES.measure("f_beta", threshold=0.5, beta=2),
    "point": lambda: SCORES.choose_threshold(maximize="f1"),
    "comparison": lambda: th.compare(DATA.y_true, DATA.models),
    "gate": lambda: th.gate(DATA.logistic, DATA.tree, y_true=DATA.y_true),
    "summary": lambda: th.summary({"a": SCORES, 'b "x" \\ \n': SCORES}),
}


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_well_formed(name):
    result = RESULTS[name]()
    found = read(result.to_openmetrics(prefix="ml", labels={"env": "prod"}))
    assert found
    assert all(metric.startswith("ml_") and labels["env"] == "prod" for metric, labels, _ in found)


def test_figures_are_those_of_the_result():
    area = SCORES.measure("f_beta", threshold=0.5, beta=2)
    found = {name: (labels, value) for name, labels, value in read(area.to_openmetrics())}
    labels, value = found["thresher_value"]
    assert value == area.value
    assert labels["beta"] == "2"
    assert found["thresher_low"][1] == area.to_dict()["low"]


def test_text_and_numbers_that_need_care():
    table = th.compare(DATA.y_true, {'a"\\\n': DATA.logistic, "b": np.flip(DATA.tree)})
    found = read(table.to_openmetrics())
    assert any(labels.get("a") == 'a\\"\\\\\\n' for _, labels, _ in found)
    assert any(math.isinf(value) for name, _, value in found if name == "thresher_df")


def test_names_are_checked():
    with pytest.raises(th.InvalidInputError, match="letters, digits and underscores"):
        SCORES.roc_auc().to_openmetrics(prefix="a b")
