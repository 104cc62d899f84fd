"""Relapse of breast cancer (GBSG-2, which scikit-survival ships) at 1, 3 and 5 years: both libraries on the same rows.

    pip install scikit-survival
    python benchmarks/gbsg2.py

A Cox model is fitted on half of the patients and measured on the others, as the times are and with every censoring put
just after the events of its day, which is the order that Kaplan-Meier gives them.
"""

from __future__ import annotations

import numpy as np
from sksurv.datasets import load_gbsg2
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import brier_score, concordance_index_ipcw, cumulative_dynamic_auc
from sksurv.preprocessing import OneHotEncoder
from sksurv.util import Surv

import thresher as th

TIMES = [365, 1095, 1826]


def main() -> None:
    """Print the largest difference of each figure."""
    patients, outcome = load_gbsg2()
    features = OneHotEncoder().fit_transform(
        patients.astype(dict.fromkeys(("horTh", "menostat", "tgrade"), "category"))
    )
    order = np.random.default_rng(0).permutation(len(patients))
    fitted, held = order[:343], order[343:]
    model = CoxPHSurvivalAnalysis(alpha=1e-4).fit(features.iloc[fitted], outcome[fitted])
    linear = model.predict(features.iloc[held])
    survival = np.array([curve(TIMES) for curve in model.predict_survival_function(features.iloc[held])])
    days, event = outcome["time"][held], outcome["cens"][held]
    for name, time in (("as they are", days), ("censorings after events", np.where(event, days, days + 1e-3))):
        own, both = th.time_dependent(time, event, linear, TIMES), Surv.from_arrays(event, time)
        areas, mean = cumulative_dynamic_auc(both, both, linear, TIMES)
        brier = brier_score(both, both, survival, TIMES)[1]
        pairs = {
            "ROC AUC": (own.measure("roc_auc").value, areas),
            "its mean": (own.mean_roc_auc().value, mean),
            "Brier score": (th.time_dependent(time, event, 1 - survival, TIMES).measure("brier").value, brier),
            "Uno's C": (own.concordance(1826).value, concordance_index_ipcw(both, both, linear, 1826)[0]),
        }
        print(name, {key: f"{np.abs(np.ravel(a) - b).max():.1e}" for key, (a, b) in pairs.items()})


if __name__ == "__main__":
    main()
