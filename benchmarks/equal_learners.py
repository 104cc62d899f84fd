"""How often tests over folds reject learners of equal quality; makes docs/validation/learners.md.

    python -m benchmarks.equal_learners > docs/validation/learners.md

Two linear discriminants each see columns of their own, which are alike: by symmetry the learners are equally good, but
the models that they fit to one data set are not.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.coverage_cross_val import Discriminant
from thresher.sklearn import cross_val_scores

SETTINGS = ((100, 5, 5), (100, 5, 10), (200, 20, 5), (200, 20, 10), (500, 5, 5))
SHIFT = 1.2
HEAD = """\
# Tests of learners over folds

Made by `python -m benchmarks.equal_learners`: {replicates:,} data sets a row, ROC AUC, 30% positives, two linear
discriminants that are equally good by symmetry. Rejections at the 5% level, in percent; the standard error of 5% is
{error:.1f}. `target="models"` asks if the fitted models differ, which they do: as a test of learners it rejects too
often, and the message of the result says what it is about.

| rows | columns of each | folds | `target="learner"` | `target="models"` |
|---|---|---|---|---|"""


def rejected(rows: int, columns: int, folds: int, seed: int) -> tuple[bool, bool]:
    """Return whether each test rejects on one data set."""
    rng = np.random.default_rng((seed, rows, columns, folds))
    y = (np.arange(rows) < 0.3 * rows).astype(int)
    X = rng.normal(size=(rows, 2 * columns)) + SHIFT / np.sqrt(columns) * y[:, None]
    cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
    a, b = (cross_val_scores(Discriminant(), X[:, part::2], y, cv=cv) for part in (0, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return a.compare(b, target="learner").pvalue < 0.05, a.compare(b).pvalue < 0.05


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=1000)
    given = parser.parse_args()
    print(HEAD.format(replicates=given.replicates, error=100 * (0.05 * 0.95 / given.replicates) ** 0.5))
    for setting in SETTINGS:
        found = 100 * np.mean([rejected(*setting, seed) for seed in range(given.replicates)], axis=0)
        print("| " + " | ".join(map(str, setting)) + f" | {found[0]:.1f} | {found[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
