"""Results of groups, predictions and curves over thresholds go through pickles, as Dask and Spark send them."""

import pickle

import numpy as np
import pytest

import thresher as th

DATA = th.datasets.load_digits_eight()
SCORES = th.Scores(DATA.y_true, DATA.tree)
GROUPS = th.by_group(DATA.y_true, DATA.tree, ["a", "b", "c"] * 599, metric="recall", threshold=0.5)
RESULTS = {
    "estimate": lambda: SCORES.measure("mcc", threshold=0.5),
    "curve": lambda: SCORES.metric_curve("mcc", "f1"),
    "band": lambda: SCORES.metric_curve("mcc").band(simultaneous=True),
    "table": lambda: SCORES.metric_table(["mcc"], at=[0.5]),
    "point": lambda: SCORES.choose_threshold("mcc", min_recall=0.5),
    "optimism": lambda: SCORES.choose_threshold("mcc").optimism(n_resamples=20, rng=0),
    "interval": lambda: SCORES.threshold_interval("mcc", n_resamples=20, rng=0),
    "groups": lambda: GROUPS,
    "group intervals": lambda: GROUPS.intervals(),
    "gaps": lambda: GROUPS.gaps(),
    "fairness": lambda: GROUPS.fairness(),
    "calls": lambda: th.compare_calls(DATA.y_true, {"a": DATA.tree > 0.5, "b": DATA.logistic > 0.5}, metrics=["mcc"]),
    "comparison": lambda: th.compare(DATA.y_true, DATA.models, metric="f1", threshold=0.5),
    "odds ratio": lambda: SCORES.roc().at(threshold=0.5).dor(),
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_a_result_comes_back_from_a_pickle(name):
    result = RESULTS[name]()
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        again = pickle.loads(pickle.dumps(result, protocol))
        assert type(again) is type(result)
        assert repr(again) == repr(result)
        assert again == result


def test_a_pickled_group_result_still_answers():
    again = pickle.loads(pickle.dumps(GROUPS))
    assert again.fairness()["equal_opportunity"] == GROUPS.fairness()["equal_opportunity"]
    assert np.array_equal(again.values, GROUPS.values)
