import json

import pytest

from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import RecallAtFpr, RocAuc, as_measure, names
from thresher.measures._registry import _pack, _unpack


@pytest.mark.parametrize(
    "metric, options, message",
    [
        (
            "rocauc",
            {},
            "`metric` must be the name of a measure; got 'rocauc'. Hint: did you mean 'roc_auc'?",
        ),
        (
            "roc_auc",
            {"fpr": (0, 0.1)},
            "`fpr` must not be given with metric 'roc_auc'. Hint: 'roc_auc' takes no options.",
        ),
        (
            "average_precision",
            {"estimator": "trapezoid"},
            (
                "`estimator` must not be given with metric 'average_precision'. "
                "Hint: 'average_precision' takes `normalize`, `prevalence`, `recall`."
            ),
        ),
        (
            "partial_roc_auc",
            {},
            "`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got neither. Hint: for example `fpr=(0, 0.1)`.",
        ),
        (
            "partial_roc_auc",
            {"fpr": (0, 0.1), "tpr": (0, 1)},
            "`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got both. Hint: for example `fpr=(0, 0.1)`.",
        ),
        (
            "precision_at_recall",
            {},
            ("`recall` must be given with metric 'precision_at_recall'; got none. Hint: for example `recall=0.8`."),
        ),
        (
            "precision",
            {},
            (
                "`threshold` must be given with metric 'precision'; got none. Hint: for example `threshold=0.5`, or "
                "`depth` or `recall` for the precision there."
            ),
        ),
        (
            "precision_at_recall",
            {"recall": 80},
            (
                "`recall` must be one number in (0, 1] for metric 'precision_at_recall'; got 80. "
                "Hint: for example `recall=0.8`."
            ),
        ),
        (
            "pr_auc",
            {"estimator": "sum"},
            (
                "`estimator` must be one of 'interpolated', 'average_precision', 'unit_steps', 'trapezoid', "
                "'functional', 'achievable'; got 'sum'."
            ),
        ),
        (
            "pr_auc",
            {"estimator": "unit_steps", "recall": (0, 0.5)},
            (
                "`estimator='unit_steps'` must have whole counts and the whole range of recall; got recall=(0.0, 0.5). "
                "Hint: 'interpolated' is its exact limit."
            ),
        ),
        (
            "pr_auc",
            {"prevalence": 5},
            "`prevalence` must be in (0, 1); got 5. Hint: pass 0.05, not a percentage.",
        ),
    ],
)
def test_messages(metric, options, message):
    with pytest.raises(InvalidInputError) as caught:
        as_measure(metric, **options)
    assert str(caught.value) == message


def test_average_precision_is_an_estimator_of_the_pr_area():
    assert as_measure("average_precision") == as_measure("pr_auc", estimator="average_precision")


def test_bounds():
    assert as_measure("partial_roc_auc", fpr=(0.2, 0.5)).bounds == (0.0, pytest.approx(0.3))
    low, high = as_measure("partial_roc_auc", fpr=(0.2, 0.5), standardize=True).bounds
    assert high == 1.0
    assert low == pytest.approx((1 - 0.105 / 0.195) / 2)
    assert as_measure("pr_auc", recall=(0.5, 1)).bounds == (0.0, 0.5)


def test_every_name_and_alias_is_one_measure():
    for name in names():
        assert name == name.lower()
    assert as_measure("auc") == as_measure("auroc") == RocAuc()
    assert as_measure("ap") == as_measure("average_precision")
    assert as_measure("aupr") == as_measure("interpolated_pr_auc") == as_measure("pr_auc")
    assert as_measure("pauc", fpr=(0, 0.1)) == as_measure("partial_roc_auc", fpr=(0, 0.1))


def test_a_rate_is_known_by_the_rate_that_is_held():
    assert as_measure("tpr", fpr=0.1) == as_measure("sensitivity", fpr=0.1) == RecallAtFpr(0.1)
    assert as_measure("fpr", recall=0.9) == as_measure("fpr_at_recall", recall=0.9)
    assert as_measure("precision", recall=0.5) == as_measure("precision_at_recall", recall=0.5)
    assert as_measure("recall", precision=0.5) == as_measure("recall_at_precision", precision=0.5)
    assert as_measure("precision", depth=3) == as_measure("precision_at_depth", depth=3)
    assert as_measure("precision", threshold=0.5).title == "precision"


def test_both_words_for_the_same_option():
    assert as_measure("pr_auc", standardize=True) == as_measure("pr_auc", normalize=True)
    assert as_measure("pauc", fpr=(0, 0.1), normalize=True) == as_measure("pauc", fpr=(0, 0.1), standardize=True)


def test_an_object_has_its_options():
    assert as_measure(RecallAtFpr(0.2)) == RecallAtFpr(0.2)
    with pytest.raises(InvalidInputError, match="must not be given beside a measure that has its options"):
        as_measure(RocAuc(), recall=0.5)
    with pytest.raises(InvalidTypeError, match=r"must be .* an object of `thresher\.measures` or a function; got 3"):
        as_measure(3)
    with pytest.raises(InvalidTypeError, match="`colour` must be an option of a measure or of this function"):
        as_measure("roc_auc", colour="red")


@pytest.mark.parametrize(
    "figure",
    [
        RocAuc(),
        RecallAtFpr(0.2),
        as_measure("partial_roc_auc", fpr=(0.1, 0.4), standardize=True),
        as_measure("pr_auc", estimator="trapezoid", recall=(0.0, 0.5), prevalence=0.1),
        as_measure("eer", curve="roc"),
        as_measure("precision_at_depth", depth=5),
    ],
    ids=lambda figure: figure.described(),
)
def test_measures_go_through_json_and_back(figure):
    packed = _pack(figure)
    assert packed["options"] == {
        name: list(one) if isinstance(one, tuple) else one for name, one in figure.options.items()
    }
    again = _unpack(json.loads(json.dumps(packed)))
    assert again == figure
    assert again.options == figure.options
