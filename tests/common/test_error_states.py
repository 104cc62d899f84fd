"""Answers do not depend on the error state of NumPy that the caller has set."""

import numpy as np
import pytest

import thresher as th
from support.measures import options_of

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 200)
S = 1.0 / (1.0 + np.exp(-RNG.normal(size=200) - Y))
OTHER = 1.0 / (1.0 + np.exp(-RNG.normal(size=200) - Y))
TABLES = {
    "overlapping": th.Scores(Y, S),
    "separated": th.Scores([1] * 30 + [0] * 40, [0.9] * 30 + [0.1] * 40),
    "infinite": th.Scores([0, 1, 1, 0] * 10, [np.inf, 0.9, 0.8, -np.inf] * 10),
    "weighted": th.Scores(Y, S, sample_weight=1.0 + Y / 2.0 + RNG.random(200)),
    "clustered": th.Scores(Y, S, cluster=np.arange(200) // 3),
}
CALLS = {
    "bands": lambda s: (s.roc_band(), s.pr_band(), s.roc_band(simultaneous=True), s.pr_band(simultaneous=True)),
    "gain": lambda s: (s.pr_gain(), s.pr_gain_band(), s.pr_gain_interval(n_resamples=100, rng=0)),
    "views": lambda s: (s.det().normal_deviates(), s.lift(), s.gain(), s.cost_curve(), s.pr_function([0.0, 0.5, 1.0])),
    "metrics": lambda s: s.metric_curve("mcc", "f1", "dor", "markedness", "mutual_information"),
    "metric band": lambda s: s.metric_curve("mcc").band(),
    "choice": lambda s: s.choose_threshold("mcc").optimism(n_resamples=50, rng=0),
    "guarantee": lambda s: s.choose_threshold(min_recall=0.8, confidence=0.9),
    "threshold": lambda s: s.threshold_interval("f1", n_resamples=50, rng=0),
    "fit": lambda s: (th.Population.fit(s).pr_auc(), th.Population.fit(s).roc_auc()),
    "calibration": lambda s: (s.calibration().test(), s.calibration().band(), s.calibration().decomposition()),
    "decision": lambda s: (s.decision_curve().band(), s.decision_curve().band(simultaneous=True, rng=0)),
    "unpaired": lambda s: th.compare_unpaired(s, TABLES["overlapping"]),
    "plan": lambda s: th.sample_size(metric="roc_auc", pilot=s, half_width=0.05),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_functions_set_their_own_error_state(call, table):
    with np.errstate(all="raise"):
        try:
            CALLS[call](TABLES[table])
        except th.ThresherError as refused:
            assert "Hint: " in str(refused) or isinstance(refused, th.UndefinedMetricError)  # noqa: PT017


@pytest.mark.parametrize("name", th.measures.names())
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_measures_set_their_own_error_state(name):
    options = options_of(name)
    separated = [1] * 80 + [0] * 120, [0.8] * 80 + [0.1] * 120
    with np.errstate(all="raise"):
        for y, score in ((Y, S), separated):
            table = th.Scores(y, score)
            if not np.isfinite(table.measure(name, **options).value):
                continue
            table.measure(name, **options).confidence_interval(n_resamples=20, rng=0)
            table.measure(name, **options).standard_error(n_resamples=20, rng=0)
            th.bootstrap(y, score, metric=name, n_resamples=20, rng=0, **options).confidence_interval()
            th.compare(y, {"a": score, "b": OTHER}, metric=name, n_resamples=20, rng=0, **options)
            th.by_group(y, score, np.arange(200) % 3, metric=name, **options).gaps(n_resamples=20)


def test_the_report_sets_its_own_error_state(tmp_path):
    pytest.importorskip("jinja2")
    with np.errstate(all="raise"):
        th.report({"a": TABLES["overlapping"]}, tmp_path / "report.html")
