"""What intervals of cross-validated areas cover: for the models that were fitted, and for the method.

    python benchmarks/coverage_cross_val.py [DATA_SETS]

Rows are normal in ten dimensions with the same covariance in
both classes, and the method is linear discriminant analysis, so that the area of every fitted model is known exactly.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.special import ndtr
from sklearn.model_selection import StratifiedKFold

from thresher.sklearn import cross_val_scores, nested_cross_val

COLUMNS = 10
SETTINGS = ((60, 0.5, 1.5), (100, 0.5, 1.5), (100, 0.2, 1.5))


class Discriminant:
    """Linear discriminant analysis, small and quick."""

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        a, b = X[y == 1], X[y == 0]
        centred = np.concatenate((a - a.mean(axis=0), b - b.mean(axis=0)))
        self.direction_ = np.linalg.solve(centred.T @ centred / (len(X) - 2), a.mean(axis=0) - b.mean(axis=0))
        return self

    def decision_function(self, X):
        return X @ self.direction_

    def __sklearn_tags__(self):
        from sklearn.base import BaseEstimator, ClassifierMixin

        return type("_", (ClassifierMixin, BaseEstimator), {})().__sklearn_tags__()


def true_area(model, shift):
    w = model.direction_
    return float(ndtr(w @ shift / np.linalg.norm(w) / np.sqrt(2)))


def main(data_sets: int) -> None:
    rng = np.random.default_rng(0)
    print("| rows | positives | interval | for the fitted models | for the method | mean length |")
    print("| ---: | ---: | --- | ---: | ---: | ---: |")
    for n, prevalence, distance in SETTINGS:
        shift = np.full(COLUMNS, distance / np.sqrt(COLUMNS))
        n_pos = round(n * prevalence)
        y = (np.arange(n) < n_pos).astype(int)
        # What the method is worth: the mean true area of models fitted to data of this size.
        drawn = (rng.normal(size=(n, COLUMNS)) + y[:, None] * shift for _ in range(4000))
        method = np.mean([true_area(Discriminant().fit(X, y), shift) for X in drawn])
        hits: dict[str, list[tuple[bool, bool, float]]] = {"one cross-validation": [], "nested": []}
        for data in range(data_sets):
            X = rng.normal(size=(n, COLUMNS)) + y[:, None] * shift
            nested = nested_cross_val(Discriminant(), X, y, n_repeats=10, rng=data, pos_label=1)
            folds = list(StratifiedKFold(5, shuffle=True, random_state=data).split(X, y))
            fitted = np.mean([true_area(Discriminant().fit(X[train], y[train]), shift) for train, _ in folds])
            single = cross_val_scores(Discriminant(), X, y, cv=folds, pos_label=1)
            for name, interval in (
                ("one cross-validation", single.roc_auc().confidence_interval()),
                ("nested", nested.confidence_interval()),
            ):
                hits[name].append((fitted in interval, method in interval, interval.width))
        for name, rows in hits.items():
            models, whole, width = np.mean(rows, axis=0)
            print(f"| {n} | {n_pos} | {name} | {models:.3f} | {whole:.3f} | {width:.3f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
