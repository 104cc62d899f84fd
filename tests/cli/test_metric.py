"""The metric of a command with its options: one way for all commands to give them, show them and refuse them."""

from __future__ import annotations

import csv
import io
import json

import pytest

import thresher as th
from thresher.cli._errors import UsageError
from thresher.cli._metric import AnyMetric, OptionalMetric, measure_of, named_options, options_shown

DATA = th.datasets.load_digits_eight()
MODELS = {name: th.Scores(DATA.y_true, score) for name, score in DATA.models.items()}
F2 = ["--metric", "f_beta", "--threshold", "0.5", "--option", "beta=2"]
ASKED = [
    (F2, "f_beta", {"threshold": 0.5, "beta": 2}),
    (["--metric", "recall_at_fpr", "--fpr", "1/20"], "recall_at_fpr", {"fpr": 0.05}),
    (["--metric", "pauc", "--fpr", "0:0.1", "--option", "standardize=true"], "pauc",
     {"fpr": (0, 0.1), "standardize": True}),
    (["--metric", "precision_at_recall", "--recall", "0.8", "--prevalence", "0.01"], "precision_at_recall",
     {"recall": 0.8, "prevalence": 0.01}),
    (["--metric", "pr_auc", "--recall", "0.5:1", "--option", "estimator=average_precision"], "pr_auc",
     {"recall": (0.5, 1), "estimator": "average_precision"}),
]  # fmt: skip


@pytest.fixture
def sites(folder):
    rows = zip(DATA.y_true.tolist(), DATA.logistic.tolist(), DATA.tree.tolist(), "ns" * 899, strict=False)
    (folder / "sites.csv").write_text(
        "label,logistic,tree,site\n" + "".join(f"{y},{a!r},{b!r},{g}\n" for y, a, b, g in rows)
    )
    return "sites.csv"


def words(command: str) -> list[str]:
    """Return each command that takes a metric, without it."""
    both = ["--y-score", "logistic", "--y-score", "tree"]
    return {
        "auc": ["auc", "sites.csv", *both],
        "compare": ["compare", "sites.csv", *both],
        "curve": ["curve", "sites.csv", *both, "-o", "curve.json"],
        "gate": ["gate", "sites.csv", "--against", "sites.csv", "--y-score", "logistic", "--against-y-score", "tree"],
        "groups": ["groups", "sites.csv", "--y-score", "logistic", "--group", "site"],
        "report": ["report", "sites.csv", *both],
    }[command]


COMMANDS = ["auc", "compare", "curve", "gate", "groups", "report"]


# What is given


@pytest.mark.parametrize(("given", "metric", "options"), ASKED)
def test_areas_and_metrics_are_the_library_s(thresher, sites, given, metric, options):
    rows = json.loads(thresher(*words("auc"), *given, "--format", "json").out)
    for row in rows:
        want = MODELS[row["model"]].measure(metric, **options)
        low, high = want.confidence_interval(rng=0)
        assert (row["metric"], row["value"], row["low"], row["high"]) == (want.measure.title, want.value, low, high)
        assert row["options"] == json.loads(json.dumps(want.measure.shown))


@pytest.mark.parametrize(("given", "metric", "options"), ASKED)
def test_comparisons_and_gates_are_the_library_s(thresher, sites, given, metric, options):
    how = ("--n-resamples", "50", "--format", "json")
    pair = th.compare(DATA.y_true, DATA.models, metric=metric, n_resamples=50, rng=0, **options)
    (row,) = json.loads(thresher(*words("compare"), *given, *how).out)
    assert (row["difference"], row["low"], row["metric"]) == (pair.difference, pair.low, pair.metric)
    gate = json.loads(thresher(*words("gate"), *given, *how).out)
    want = th.gate(DATA.logistic, DATA.tree, y_true=DATA.y_true, metric=metric, n_resamples=50, **options)
    assert (gate["difference"], gate["low"], gate["metric"]) == (want.difference, want.low, want.metric)
    assert gate["options"] == json.loads(json.dumps(want.options))


def test_groups_are_the_library_s(thresher, sites):
    found = json.loads(thresher(*words("groups"), *F2, "--format", "json").out)
    want = th.by_group(DATA.y_true, DATA.logistic, list("ns" * 899)[:1797], metric="f_beta", threshold=0.5, beta=2)
    assert (found["metric"], found["options"]) == ("f2", {"threshold": 0.5})
    assert [row["value"] for row in found["groups"]] == want.values.tolist()


def test_a_report_ranks_by_it(thresher, sites, folder):
    assert thresher(*words("report"), *F2).code == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    for name, scores in MODELS.items():
        value = scores.measure("f_beta", threshold=0.5, beta=2).value
        assert f'<td class="self">{value:.3f}<span class="how">F2 (threshold 0.5)</span>' in page, name
    assert "tree has the best F2 (threshold 0.5)" in page


def test_a_report_s_prevalence_is_its_metric_s_too(thresher, sites, folder):
    assert thresher(*words("report"), "--metric", "ap", "--prevalence", "0.01").code == 0
    assert "average precision (prevalence 0.01)" in (folder / "report.html").read_text(encoding="utf-8")
    assert thresher(*words("report"), "--prevalence", "0.01").code == 0  # that of the page alone: the ROC area has none


def test_losses_are_shown_as_they_are(thresher, sites, folder):
    assert thresher(*words("report"), "--metric", "brier").code == 0
    value = MODELS["tree"].measure("brier").value
    assert f'<td class="self">{value:.3f}<' in (folder / "report.html").read_text(encoding="utf-8")


# What is shown beside it


@pytest.mark.parametrize("command", ["auc", "compare", "groups", "gate"])
def test_a_table_has_the_options_beside_the_metric(thresher, sites, command):
    ran = thresher(*words(command), *F2)
    assert "f2 (threshold 0.5)" in ran.out
    assert "iba (threshold 0.5, alpha 0.3)" in thresher(
        *words(command), "--metric", "iba", "--threshold", "0.5", "--option", "alpha=0.3"
    ).out  # fmt: skip


def test_markdown_has_them_too(thresher, sites):
    assert "| f2 (threshold 0.5) | 0.4" in thresher(*words("gate"), *F2, "--format", "markdown").out


def test_csv_has_them_as_text(thresher, sites):
    text = thresher(*words("auc"), "--metric", "pauc", "--fpr", "0:0.1", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["metric"], row["options"]) for row in rows] == [("partial_roc_auc", "fpr=0:0.1")] * 2
    assert options_shown(th.measures.RocAuc(), "csv") == {"metric": "roc_auc", "options": ""}


# What is refused


NAMES = "--metric must be the name of a measure; got "
TAKES = "'f_beta' takes --option beta=..., --prevalence, --threshold."
NOTHING = "must be an option of a measure; nothing takes it. Hint: check how it is spelt; "


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--metric", "f2x"], NAMES + "'f2x'. Hint: did you mean 'f2'?"),
        (["--metric", "qqq"], NAMES + "'qqq'. Hint: they are abs_d_alert_rate"),
        ([*F2[:2], "--option", "beto=2"], f"--option beto=... {NOTHING}{TAKES}"),
        (
            [*F2[:2], "--option", "depth=2"],
            "--option depth=... must not be given with --metric 'f_beta'. Hint: " + TAKES,
        ),
        (["--metric", "f1", "--option", "beta"], "--option must be name=value; got 'beta'. Hint: for example --option"),
        (["--metric", "f1", "--prevalence", "30"], "--prevalence"),
        (["--metric", "f1", "--fpr", "x"], "--fpr must be a number such as 0.05 or 1/20, or a range LOW:HIGH; got 'x'"),
    ],
)
def test_what_does_not_fit_is_a_wrong_command_line(thresher, sites, command, given, said):
    ran = thresher(*words(command), *given)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert f"Usage: see `thresher {command} --help`." in ran.err


@pytest.mark.parametrize("command", ["auc", "compare", "gate", "groups", "report"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (F2[:2], "--threshold must be given with --metric 'f_beta'; got none. Hint: for example --threshold 0.5."),
        (["--metric", "recall_at_fpr", "--fpr", "5"], "--fpr must be one number in (0, 1]"),
        (["--metric", "roc_auc", "--fpr", "0.1"], "--fpr must not be given with --metric 'roc_auc'. Hint: 'roc_auc' "
         "takes no options."),
    ],
)  # fmt: skip
def test_options_that_it_lacks_or_has_not(thresher, sites, command, given, said):
    ran = thresher(*words(command), *given)
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_all_of_them(thresher, command):
    text = thresher(command, "--help").out
    assert all(
        option in text for option in ("--metric", "--threshold", "--fpr", "--recall", "--prevalence", "--option")
    )


@pytest.mark.parametrize("command", ["auc", "curve"])
def test_an_option_without_a_metric(thresher, sites, command):
    ran = thresher(*words(command), "--option", "beta=2")
    assert ran.code == 2
    assert "--option beta=... must come with --metric; got none." in ran.err


# Gates on a metric


def test_a_gate_of_the_metric(thresher, sites):
    assert thresher(*words("auc"), *F2, "--fail-under", "f2=0.3").code == 0
    ran = thresher(*words("auc"), *F2, "--fail-under", "f2=0.5")
    assert ran.code == 3
    assert ran.err.startswith("gate failed: f2 of logistic is at least 0.38")
    for gate in ("f2=2", "mcc=0.5"):
        ran = thresher(*words("auc"), *F2, "--fail-under", gate)
        assert ran.code == 2
        assert f"--fail-under must be METRIC=VALUE with a value in [0, 1]; got {gate!r}." in ran.err
    ran = thresher(*words("auc"), "--metric", "brier", "--fail-under", "brier=0.1")
    assert ran.code == 2
    assert "--fail-under must be of a metric of which higher values are better; got brier." in ran.err


# The parts


def test_values_of_options():
    given = ("depth=10", "normalize=True", "estimator = average_precision", "utility-tp=-1/2", "fpr=0:1/4", "at=inf")
    assert named_options(given) == {
        "depth": 10, "normalize": True, "estimator": "average_precision", "utility_tp": -0.5, "fpr": (0, 0.25),
        "at": float("inf"),
    }  # fmt: skip
    assert type(named_options(given)["depth"]) is int


@pytest.mark.parametrize("given", [("beta",), ("=2",), ("beta=",), ("be ta=2",), ("beta=1", "beta=2")])
def test_what_is_no_option(given):
    with pytest.raises(UsageError, match=r"^--option "):
        named_options(given)


def test_a_measure_by_any_of_its_names():
    assert measure_of("auroc", {}) == th.measures.RocAuc()
    assert AnyMetric("ppv", threshold="-1e-3").measure() == th.measures.Confusion("precision", -0.001)
    assert OptionalMetric(prevalence=0.1).measure() is None
