import pytest

from thresher._inference.bootstrap.statistic import make_statistic
from thresher.exceptions import InvalidInputError


@pytest.mark.parametrize(
    "metric, options, message",
    [
        (
            "auc",
            {},
            (
                "`metric` must be one of 'roc_auc', 'partial_roc_auc', 'pr_auc', 'average_precision', "
                "'precision_at_recall'; got 'auc'."
            ),
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
                "Hint: 'average_precision' takes `prevalence`, `recall`, `standardize`."
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
            (
                "`recall` must be one number in (0, 1] for metric 'precision_at_recall'; got None. "
                "Hint: for example `recall=0.8`."
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
                "`estimator='unit_steps'` must have the whole range of recall; got recall=(0.0, 0.5). "
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
        make_statistic(metric, **options)
    assert str(caught.value) == message


def test_average_precision_is_an_estimator_of_the_pr_area():
    assert make_statistic("average_precision") == make_statistic("pr_auc", estimator="average_precision")


def test_bounds():
    assert make_statistic("partial_roc_auc", fpr=(0.2, 0.5)).bounds == (0.0, pytest.approx(0.3))
    assert make_statistic("partial_roc_auc", fpr=(0.2, 0.5), standardize=True).bounds == (0.0, 1.0)
    assert make_statistic("pr_auc", recall=(0.5, 1)).bounds == (0.0, 0.5)
