"""The closing advice of section 7: comparing two classifiers by one interval."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from papers.entry import Found, claim
from thresher import Scores, compare, cortes_mohri
from thresher.datasets import load_digits_eight

__all__ = ["two_classifiers"]


def two_classifiers() -> Found:
    """The closing advice: two AUCs differ if one is outside the interval of the other.

    Two models look for the digit eight among the 1,797 digits of scikit-learn (the data of `thresher demo`). The
    paper's rule asks whether the AUC of one lies in the interval of the other, computed from its error count. The
    models are tested on the same rows, which the rule does not know.

    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> pair = th.compare(data.y_true, data.models).pairs[0]
    >>> pair.pvalue < 1e-8
    True
    """
    data = load_digits_eight()
    names = list(data.models)
    scores = {name: Scores(data.y_true, values) for name, values in data.models.items()}
    area = {name: table.roc_auc().value for name, table in scores.items()}
    better, worse = sorted(names, key=lambda name: -area[name])
    ends = {name: _interval(table) for name, table in scores.items()}
    pvalue = compare(data.y_true, data.models).pairs[0].pvalue
    inside = ends[better][0] <= area[worse] <= ends[better][1]
    other_way = ends[worse][0] <= area[better] <= ends[worse][1]
    return Found(
        (
            claim(
                "“checking if the AUC value of one falls within the confidence interval of the other”",
                published="the AUC of one in the interval of the other",
                ours=(
                    f"{area[worse]:.3f} ({worse}) is in the interval of {better}, {ends[better][0]:.3f} to "
                    f"{ends[better][1]:.3f}; {area[better]:.3f} ({better}) is not in that of {worse}, "
                    f"{ends[worse][0]:.3f} to {ends[worse][1]:.3f}"
                ),
                holds=inside != other_way,
                status="not determined by the text",
                why="The text does not say whose interval decides, and the two can answer differently, as here.",
            ),
            claim(
                "a paired test of the same two models on the same rows",
                ours=f"DeLong's test has p = {pvalue:.0e}",
                holds=pvalue < 1e-4,
                status="our experiment",
                why=(
                    "The rule knows neither the variation of the second AUC nor that both models saw the same rows; a "
                    "paired test, `th.compare`, does."
                ),
            ),
        )
    )


def _interval(scores: Scores) -> tuple[float, float]:
    """Return Theorem 2's interval, with a normal E, for the errors at probability one half."""
    point = scores.roc().at(threshold=0.5)
    errors = int(point.fp + point.fn)
    found = cortes_mohri(int(scores.n_pos), int(scores.n_neg), errors, error_interval="normal")
    return found.low, found.high
