"""The closing advice of section 7: comparing two classifiers by one interval."""
# the first line of an entry is the title of its section on the page

from __future__ import annotations

from thresher import Scores, compare, cortes_mohri
from thresher.datasets import load_digits_eight
from thresher.papers._entry import Found, claim

__all__ = ["two_classifiers"]


def two_classifiers() -> Found:
    """Two AUCs differ if one is outside the interval of the other.

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
                "one AUC in the interval of the other means no significant difference",
                published="a test of significance",
                ours=(
                    f"{worse} {area[worse]:.3f} is in the interval of {better} ({area[better]:.3f}), "
                    f"{ends[better][0]:.3f} to {ends[better][1]:.3f}; the paired test of DeLong has p = {pvalue:.0e}"
                ),
                holds=not (inside and pvalue < 1e-4),
                why=(
                    "The interval is not round the AUC of its model (here it does not even contain it), takes no "
                    "account of the second model's own variation, nor of the correlation of two models on the same "
                    "rows. Use a paired test, `th.compare`."
                ),
            ),
            claim(
                "the rule gives one answer",
                published="not stated",
                ours=f"{ends[worse][0]:.3f} to {ends[worse][1]:.3f} of {worse} excludes {area[better]:.3f}",
                holds=inside == other_way,
                why="Asked the other way round, the rule finds the difference significant: it is not symmetric.",
            ),
        )
    )


def _interval(scores: Scores) -> tuple[float, float]:
    """Return Theorem 2's interval, with a normal E, for the errors at probability one half."""
    point = scores.roc().at(threshold=0.5)
    errors = int(point.fp + point.fn)
    found = cortes_mohri(int(scores.n_pos), int(scores.n_neg), errors, error_interval="normal")
    return found.low, found.high
