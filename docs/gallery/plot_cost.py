"""
Cost curves
===========

Each threshold is a straight line: its cost as prevalence and costs vary from left to right. The lower envelope is the
least cost that the scores can reach, and its vertices are those of the ROC convex hull. The model is useful where the
envelope is below both dashed lines, which predict everything negative or everything positive.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

data = th.datasets.load_digits_eight()
weight = np.linspace(0, 1, 400)
figure, ax = plt.subplots(figsize=(6.4, 4.6), layout="constrained")
roc = th.Scores(data.y_true, data.logistic).roc()
for fpr, tpr in zip(roc.fpr[::40], roc.tpr[::40], strict=True):
    ax.plot([0, 1], [fpr, 1 - tpr], color="#0072B2", alpha=0.12, linewidth=0.8)
for name, color, line in (("logistic", "#0072B2", "-"), ("tree", "#D55E00", (0, (9, 1)))):
    curve = th.Scores(data.y_true, data.models[name]).cost_curve()
    ax.plot(weight, curve.evaluate(weight), color=color, linestyle=line, label=name)
ax.plot(weight, np.minimum(weight, 1 - weight), color="#6B6B6B", linestyle=(0, (2, 1)), linewidth=1.4, label="no model")
ax.set(
    xlabel="weight of the positives: prevalence and costs",
    ylabel="normalised expected cost",
    xlim=(0, 1),
    ylim=(0, 0.52),
)
ax.legend(loc="upper left")

# %%
# The best threshold if a false negative costs nine times a false positive and one case in ten is positive:

print(th.Scores(data.y_true, data.logistic).cost_curve().best_threshold(0.5))
