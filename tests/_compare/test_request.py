import math

import numpy as np
import pytest

import thresher as th
from thresher._compare import compare, compare_unpaired
from thresher._compare.pair_tests import ask, shifted_ends
from thresher._inference.bootstrap import Resampling
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import RocAuc

Y = [0, 1, 0, 1]
GOOD = {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}


@pytest.mark.parametrize(
    "scores, options, error, message",
    [
        (
            {"a": [1, 2, 3, 4], "b": [1, 2, 3]},
            {},
            InvalidInputError,
            "`y_true` and `y_scores['b']` must have the same length; got 4 and 3. "
            "Hint: they are columns of the same rows.",
        ),
        (
            {"a": [1, 2, 3, 4], "b": [1, 2, math.nan, 3]},
            {},
            InvalidInputError,
            "`y_scores['b']` must not contain NaN; got NaN in 1 of 4 rows, first at row 2. "
            "Hint: remove those rows or give them a score; +inf and -inf are legal scores.",
        ),
        (
            {"a": [1, 2, 3, 4]},
            {},
            InvalidInputError,
            "`y_scores` must hold at least two models; got 1. "
            "Hint: an interval for one model comes from `Scores.roc_auc().confidence_interval()`.",
        ),
        (
            [[1, 2, 3, 4], [4, 3, 2, 1]],
            {},
            InvalidTypeError,
            "`y_scores` must map names to scores, or be a frame with a column for each; got list. "
            'Hint: for example `{"old": old_scores, "new": new_scores}`.',
        ),
        (
            {1: [1, 2, 3, 4], 2: [4, 3, 2, 1]},
            {},
            InvalidTypeError,
            "`y_scores` must have names that are text; got 1. Hint: for example '1'.",
        ),
        (
            GOOD,
            {"metric": "accuracy"},
            InvalidInputError,
            "`threshold` must be given with metric 'accuracy'; got none. Hint: for example `threshold=0.5`.",
        ),
        (
            GOOD,
            {"method": "t-test"},
            InvalidInputError,
            "`method` must be one of 'delong', 'delong-t', 'normal', 'score', 'mcnemar', 'bootstrap', "
            "'permutation', 'venkatraman'; got 't-test'.",
        ),
        (
            GOOD,
            {"alternative": "larger"},
            InvalidInputError,
            "`alternative` must be one of 'two-sided', 'greater', 'less'; got 'larger'.",
        ),
        (
            GOOD,
            {"metric": "pr_auc", "method": "delong"},
            InvalidInputError,
            "`method` must be a test that 'pr_auc' has; got 'delong'. "
            "Hint: it has 'bootstrap', 'permutation', 'normal'.",
        ),
        (
            GOOD,
            {"metric": "average_precision", "method": "delong"},
            InvalidInputError,
            "`method` must be a test that 'average_precision' has; got 'delong'. "
            "Hint: it has 'bootstrap', 'permutation', 'normal'.",
        ),
        (
            GOOD,
            {"metric": "recall", "threshold": 2, "method": "mcnemar", "alternative": "less"},
            InvalidInputError,
            "`method='mcnemar'` must have the alternative 'two-sided' and no margin. Hint: method='score' has both.",
        ),
        (
            GOOD,
            {"method": "venkatraman", "alternative": "less"},
            InvalidInputError,
            "`method='venkatraman'` must have the alternative 'two-sided'; got 'less'. "
            "Hint: curves that differ have no direction.",
        ),
        (
            GOOD,
            {"margin": 0.1},
            InvalidInputError,
            "`margin` must have a one-sided alternative; got 'two-sided'. "
            "Hint: alternative='greater' asks whether the first scorer is not worse by more than the margin.",
        ),
        (
            GOOD,
            {"margin": -0.1, "alternative": "greater"},
            InvalidInputError,
            "`margin` must be a number in [0, 1); got -0.1. Hint: it is the largest loss that is still acceptable, "
            "in units of the metric.",
        ),
        (
            GOOD,
            {"margin": 0.1, "alternative": "greater", "method": "permutation"},
            InvalidInputError,
            "`margin` must not be given with method 'permutation', which tests equality only. "
            "Hint: use 'bootstrap', or 'delong' for the area under the ROC curve.",
        ),
        (
            GOOD,
            {"cluster": [1, 1, 2, 3], "stratified": True, "method": "bootstrap"},
            InvalidInputError,
            "`cluster` must not mix positives and negatives when `stratified=True`; got 1 of 3 clusters with both, "
            "first 1. Hint: leave `stratified` out to draw whole clusters whatever their classes.",
        ),
        (
            GOOD,
            {"cluster": [1, 1, 2]},
            InvalidInputError,
            "`y_true` and `cluster` must have the same length; got 4 and 3. Hint: they are columns of the same rows.",
        ),
        (
            GOOD,
            {"sample_weight": [1, 1, 1, 2], "method": "venkatraman"},
            InvalidInputError,
            "`method='venkatraman'` must have rows of equal weight; got `sample_weight`. "
            "Hint: 'bootstrap' and 'permutation' take weights.",
        ),
        (
            GOOD,
            {"sample_weight": [0, 0, 0, 0]},
            InvalidInputError,
            "`sample_weight` and `frequency` must leave some rows; got only zeros.",
        ),
        (
            GOOD,
            {"method": "bootstrap", "n_resamples": 1},
            InvalidInputError,
            "`n_resamples` must be at least 10; got 1. Hint: 2000 are usual, and 200 do for a first look.",
        ),
        (
            GOOD,
            {"confidence_level": 90},
            InvalidInputError,
            "`confidence_level` must be in (0, 1); got 90. Hint: pass 0.9, not a percentage.",
        ),
    ],
)
def test_messages(scores, options, error, message):
    with pytest.raises(error) as caught:
        compare(Y, scores, **options)
    assert str(caught.value) == message


@pytest.mark.filterwarnings("ignore:The rarer class has")  # about something else
@pytest.mark.parametrize(
    ("options", "other"),
    [
        ({}, "permutation"),
        ({"metric": "partial_roc_auc", "fpr": (0, 0.5), "method": "normal"}, "permutation"),
        ({"metric": "pr_auc", "prevalence": 0.2, "method": "normal"}, "permutation"),
        ({"margin": 0.1, "alternative": "greater"}, "bootstrap"),
    ],
)
def test_the_remedy_for_one_positive_works(options, other):
    y, scores = [1, 0, 0, 0, 0], {"a": [3, 2, 1, 0, 5], "b": [5, 0, 1, 2, 3]}
    samples = [th.Scores(y, values) for values in scores.values()]
    for call in (lambda **o: compare(y, scores, **o), lambda **o: compare_unpaired(*samples, **o)):
        with pytest.raises(UndefinedMetricError) as caught:
            call(**options)
        what = "The variance" if options.get("method") == "normal" else "DeLong's variance"
        assert str(caught.value) == (
            f"{what} needs more than one positive; got 1. Hint: method={other!r} answers with one case of a class."
        )
        assert 0 < call(**{**options, "method": other, "n_resamples": 20, "rng": 0}).pairs[0].pvalue <= 1


@pytest.mark.filterwarnings("ignore:The rarer class has")  # about something else
def test_usual_methods():
    def chosen(**options):
        return compare(Y, GOOD, n_resamples=20, rng=0, **options).method

    with pytest.warns(th.ThresherWarning, match="The rarer class has 2 cases"):
        assert chosen() == "delong-t"
    many = [0, 1] * 50
    assert compare(many, {"a": range(100), "b": range(100, 0, -1)}).method == "delong"
    with pytest.warns(th.ThresherWarning, match="The rarer class has 2 cases"):
        assert chosen(cluster=[1, 2, 3, 4]) == "delong-t"  # each row a group of its own: none
    assert chosen(metric="pr_auc") == "bootstrap"
    assert chosen(metric="precision_at_recall", recall=0.5) == "bootstrap"
    assert chosen(metric="precision_at_recall", recall=0.5, margin=0.1, alternative="greater") == "bootstrap"


def test_few_exchanges_exclude_nothing():
    """Of 19 orders and the one seen none lies in a tail of less than a twentieth."""
    question = ask(
        RocAuc(), Resampling(), method="permutation", alternative="two-sided", confidence_level=0.95, margin=None
    )
    assert shifted_ends(0.2, np.linspace(-0.1, 0.1, 18), question) == (-1.0, 1.0)
    assert shifted_ends(0.2, np.linspace(-0.1, 0.1, 19), question) == pytest.approx((0.1, 0.3))


@pytest.mark.filterwarnings("ignore:The rarer class has")  # about something else
def test_losses_turn_the_alternative_round():
    """The better one has the smaller loss, and a margin is how much larger it may be."""
    y, scores = [0, 1] * 30, {"good": [0.3, 0.7] * 30, "bad": [0.4, 0.6] * 29 + [0.6, 0.4]}
    found = compare(y, scores, metric="brier", alternative="greater")
    assert found.difference < 0
    assert found.pvalue < 0.01
    assert compare(y, scores, metric="brier", alternative="less").pvalue > 0.99
    # As with a margin of no loss at all.
    assert compare(y, scores, metric="brier", alternative="greater", margin=0.0).pvalue == found.pvalue
    assert compare(y, scores, metric="brier", alternative="greater", margin=0.1).pvalue < found.pvalue


def test_margins_are_in_units_of_the_metric():
    y, scores = [0, 1] * 60, {"a": np.arange(120.0) % 7, "b": np.arange(120.0) % 5}
    options = {"metric": "youden", "threshold": 3.0, "alternative": "greater", "method": "score"}
    assert 0 < compare(y, scores, margin=1.5, **options).pvalue < 0.01
    with pytest.raises(InvalidInputError, match=r"`margin` must be a number in \[0, 2\); got 2"):
        compare(y, scores, margin=2, **options)
