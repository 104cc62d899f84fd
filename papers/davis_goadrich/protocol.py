"""What sections 3 and 4 say between the theorems: thresholds, tuning set, the coin, the statistic behind the area."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from fractions import Fraction

import numpy as np

from papers.entry import Found, claim, within
from thresher import Scores, tune
from thresher.population import CASES
from thresher.typing import IntArray

__all__ = ["candidate_thresholds", "coin", "tuning_set", "wilcoxon"]

_N_LISTS = 400
_N_SPLITS = 40


def _as_printed(labels: IntArray, scores: IntArray) -> set[int]:
    """Return the thresholds of the paper's traversal: ascending, a classifier where the class changes."""
    order = np.argsort(scores, kind="stable")
    y, s = labels[order].tolist(), scores[order].tolist()
    return {s[i + 1] for i in range(len(s) - 1) if y[i] != y[i + 1] and s[i] < s[i + 1]}


def candidate_thresholds() -> Found:
    """Only thresholds where the class changes are worth trying.

    The list of scores is traversed in ascending order, and “For each i such that class(i) ≠ class(i + 1) and prob(i) <
    prob(i + 1)” a classifier is made. Random lists, against the traversal in a plain loop, and against every threshold
    there is: no vertex of the convex hull may be missed.

    >>> import thresher as th
    >>> th.tune(th.Scores([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])).candidates.tolist()
    [6, 5, 3]
    """
    rng = np.random.default_rng(34)
    same = kept = 0
    for _ in range(_N_LISTS):
        size = int(rng.integers(4, 30))
        labels = np.append([0, 1], rng.integers(0, 2, size - 2))
        scores = rng.permutation(size)
        tuned = tune(Scores(labels, scores))
        same += set(tuned.candidates.tolist()) == _as_printed(labels, scores)
        # The first vertex calls nothing positive and the last one everything; they need no threshold.
        kept += set(tuned.hull.thresholds[1:-1].tolist()) <= set(tuned.candidates.tolist())
    # One negative at 1, both classes at 2, one positive at 3.
    tied = np.array([1, 2, 2, 3])
    first, second = _as_printed(np.array([0, 0, 1, 1]), tied), _as_printed(np.array([0, 1, 0, 1]), tied)
    table = Scores([0, 0, 1, 1], tied)
    vertex = 3 in table.roc().hull().thresholds
    return Found(
        (
            claim(
                "the thresholds of the traversal, lists without ties",
                published="class(i) ≠ class(i + 1) and prob(i) < prob(i + 1)",
                ours=f"`th.tune` finds the same in {same} of {_N_LISTS} random lists",
                holds=same == _N_LISTS,
            ),
            claim(
                "every vertex of the convex hull is among them",
                published="“find a candidate set of thresholds”, then the hull",
                ours=f"in {kept} of {_N_LISTS} random lists",
                holds=kept == _N_LISTS,
            ),
            claim(
                "lists in which scores of both classes are tied",
                published="not mentioned",
                ours=f"scores 1, 2, 2, 3: thresholds {sorted(first)} or {sorted(second)} by the order of the tied two",
                holds=first != second and vertex and set(tune(table).candidates.tolist()) == {2, 3},
                status="not determined by the text",
                why=(
                    "The order of tied examples is left open, and with it whether the threshold 3, a vertex of the "
                    "hull here, is made. `th.tune` takes it if any order makes it, so that no vertex is missed."
                ),
            ),
        )
    )


def tuning_set() -> Found:
    """A hull must be built on other data than it is judged on.

    “it would be methodologically incorrect to construct a convex hull or achievable PR curve by looking at performance
    on the test data”; instead thresholds and hull come from a tuning set, and the test curve is drawn at them. How much
    the wrong way flatters: case A of Hughes-Oliver, 100 tuning and 100 test cases, one positive in five, forty times.

    >>> import thresher as th
    >>> case = th.population.CASES["A"].with_prevalence(0.2)
    >>> tuning, test = th.Scores(*case.sample(100, rng=1)), th.Scores(*case.sample(100, rng=2))
    >>> result = th.tune(tuning).evaluate(test)
    >>> hull = test.roc().hull()
    >>> result.roc_auc().value < sum((hull.fpr[1:] - hull.fpr[:-1]) * (hull.tpr[1:] + hull.tpr[:-1]) / 2)
    np.True_
    """
    case = CASES["A"].with_prevalence(0.2)
    rows = []
    convex = 0
    for seed in range(_N_SPLITS):
        tuning, test = (Scores(*case.sample(100, rng=1000 * half + seed)) for half in (1, 2))
        played = tune(tuning).evaluate(test)
        rows.append((_hull_area(test), played.roc_auc().value))
        slopes = np.diff(played.roc.tpr) * np.roll(np.diff(played.roc.fpr), -1)
        convex += bool((slopes[:-1] >= (np.roll(np.diff(played.roc.tpr), -1) * np.diff(played.roc.fpr))[:-1]).all())
    own, other = np.array(rows).T
    truth = float(case.roc_auc())
    return Found(
        (
            claim(
                "the hull of the test data is optimistic",
                published="“methodologically incorrect”",
                ours=f"AUC {own.mean():.3f} on average by the test's own hull, {other.mean():.3f} at the tuning set's "
                f"thresholds; the population has {truth:.3f}",
                holds=own.mean() > truth > other.mean() and own.mean() - truth > 2 * own.std() / np.sqrt(_N_SPLITS),
            ),
            claim(
                "the test curve “is not guaranteed to be a convex hull”",
                published="not guaranteed",
                ours=f"convex in {convex} of {_N_SPLITS} draws",
                holds=convex < _N_SPLITS,
            ),
        )
    )


def _hull_area(scores: Scores) -> float:
    hull = scores.roc().hull()
    return float(np.trapezoid(hull.tpr, hull.fpr))


def coin() -> Found:
    """Any point on a line between two ROC points is reached by flipping a weighted coin.

    “One can achieve any level of performance on this line by flipping a weighted coin to decide between the classifiers
    that the two end points represent.” The expected counts of the mixture, in fractions, lie on the line in ROC space
    and on the interpolated curve in PR space.

    >>> import thresher as th
    >>> scores = th.Scores.from_counts([3, 2, 1], pos=[5, 5, 10], neg=[5, 25, 1970])
    >>> scores.achievable_pr().mix(recall=0.4)
    Mix(high=3.0, low=2.0, probability=0.6)
    """
    scores = Scores.from_counts([3.0, 2.0, 1.0], [5, 5, 10], [5, 25, 1970])
    achievable = scores.achievable_pr()
    exact = worst = 0.0
    tried = 0
    for step in range(1, 100):
        recall = Fraction(1, 4) + Fraction(step, 400)
        share = (recall * 20 - 5) / 5
        tp, fp = 5 + share * 5, 5 + share * 25
        mix = achievable.mix(recall=float(recall))
        worst = max(worst, abs(mix.probability - float(share)))
        exact = max(exact, abs(float(achievable.interpolate(float(recall))) - float(tp / (tp + fp))))
        tried += 1
    rng = np.random.default_rng(35)
    heads = rng.random((2000, 5)) < 0.6, rng.random((2000, 25)) < 0.6
    tp, fp = 5 + heads[0].sum(axis=1).mean(), 5 + heads[1].sum(axis=1).mean()
    return Found(
        (
            claim(
                "the coin and the point it reaches, between A and B of Table 1",
                published="any level of performance on the line",
                ours=f"probability {within(worst)}, precision {within(exact)} at {tried} recalls",
                holds=worst < 1e-12 and exact < 1e-14,
            ),
            claim(
                "played 2,000 times with probability 0.6",
                ours=f"on average {tp:.2f} true and {fp:.2f} false positives; expected 8 and 20",
                holds=abs(tp - 8) < 0.2 and abs(fp - 20) < 0.4,
                status="our experiment",
                why="The line is reached on average; a single run of the coin is near it.",
            ),
        )
    )


def wilcoxon() -> Found:
    """AUC-ROC by trapezoids is the Wilcoxon-Mann-Whitney statistic.

    The area “can be calculated by using the trapezoidal areas created between each ROC point, and is equivalent to the
    Wilcoxon-Mann-Whitney statistic”. Random samples with ties: pairs counted one by one in whole numbers, ties half.

    >>> import thresher as th
    >>> th.Scores([0, 1, 1, 0], [1, 1, 2, 3]).roc_auc().value        # of 4 pairs 1 right and 1 tied
    0.375
    """
    rng = np.random.default_rng(36)
    same = 0
    for _ in range(_N_LISTS):
        pos, neg = (rng.integers(0, 8, int(rng.integers(1, 12))) for _ in range(2))
        wins = sum(2 * (p > n) + (p == n) for p in pos.tolist() for n in neg.tolist())
        area = Fraction(wins, 2 * pos.size * neg.size)
        roc = Scores.from_pos_neg(pos, neg).roc()
        x, y = roc.fp.tolist(), roc.tp.tolist()
        twice = sum((x[i + 1] - x[i]) * (y[i + 1] + y[i]) for i in range(len(x) - 1))
        same += (
            Fraction(twice, 2 * pos.size * neg.size)
            == area
            == Fraction(Scores.from_pos_neg(pos, neg).roc_auc().value).limit_denominator(1000)
        )
    return Found(
        (
            claim(
                "trapezoids = share of pairs ranked rightly, ties half",
                published="equivalent",
                ours=f"equal as fractions in {same} of {_N_LISTS} random samples, and to `roc_auc`",
                holds=same == _N_LISTS,
            ),
        )
    )
