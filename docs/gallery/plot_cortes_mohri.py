"""
An interval from errors alone
=============================

An error rate says something about the area under the ROC curve. Cortes and Mohri (2004) assume that every ranking
with that number of errors is equally likely. The mean of the area then follows exactly. For balanced classes it is
one minus the error rate; the more unbalanced the classes, the lower it is. The interval describes that model, not a
particular classifier.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

errors = np.arange(0, 101)
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
styles = {(100, 100): ("#0072B2", "-"), (50, 150): ("#D55E00", (0, (9, 1))), (20, 180): ("#009E73", (0, (4, 1)))}
for (n_pos, n_neg), (color, line) in styles.items():
    mean = th.auc_moments(n_pos, n_neg, errors).mean
    left.plot(errors / 200, mean, color=color, linestyle=line, label=f"{n_pos} positives, {n_neg} negatives")
left.plot(errors / 200, 1 - errors / 200, color="#6B6B6B", linestyle=":", linewidth=3, label="1 − error rate")
left.set(xlabel="error rate", ylabel="mean area under the ROC curve", ylim=(0.45, 1.01), xlim=(0, 0.5))
left.legend(loc="upper right")

some = np.array([0, 5, 10, 20, 30, 45, 60, 80])
ends = np.array([tuple(th.cortes_mohri(100, 100, int(k))) for k in some])
sharp = np.array([tuple(th.cortes_mohri(100, 100, int(k), eps="optimal", bound="selberg")) for k in some])
right.fill_between(
    some / 200, ends[:, 0], ends[:, 1], color="#56B4E9", alpha=0.35, linewidth=0, label="Theorem 2, exact binomial"
)
right.fill_between(
    some / 200, sharp[:, 0], sharp[:, 1], color="#0072B2", alpha=0.45, linewidth=0, label="the sharpest of its kind"
)
right.plot(some / 200, th.auc_moments(100, 100, some).mean, color="black", linewidth=1.4, label="mean")
right.set(xlabel="error rate, 100 and 100 cases", ylabel="95% interval", ylim=(0.35, 1.01), xlim=(0, 0.4))
right.legend(loc="lower left")
