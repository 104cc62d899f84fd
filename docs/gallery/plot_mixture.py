"""
A randomised mixture of two thresholds
======================================

No single threshold of this tree has a recall of 0.9. A mixture of two thresholds has: cases above the higher one are
predicted positive, cases between the two with a fixed probability. Over repeated use the points scatter around the
expected one.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

data = th.datasets.load_digits_eight()
scores = th.Scores(data.y_true, data.tree)
curve = scores.achievable_pr()
mix = curve.mix(recall=0.9)
print(mix)

# %%
# Use it 200 times:

rng = np.random.default_rng(0)
recalls, precisions = [], []
for _ in range(200):
    lower = rng.random(len(data.tree)) < mix.probability
    called = data.tree >= np.where(lower, mix.low, mix.high)
    recalls.append(called[data.y_true == 1].mean())
    precisions.append(data.y_true[called].mean())

figure, ax = plt.subplots(figsize=(5.8, 4.8), layout="constrained")
recall = np.linspace(0.78, 1, 300)
ax.plot(recall, curve.interpolate(recall), color="#0072B2", label="achievable PR curve")
ax.plot(recalls, precisions, ".", color="#D55E00", alpha=0.5, markersize=6, label="200 times the mixture")
for threshold, name, offset in ((mix.high, "higher threshold", (10, 4)), (mix.low, "lower threshold", (-40, 14))):
    point = scores.pr().at(threshold=threshold)
    ax.plot(point.recall, point.precision, "s", color="black", markersize=8)
    ax.annotate(name, (point.recall, point.precision), offset, textcoords="offset points")
ax.plot(
    0.9, curve.at(recall=0.9).precision, "o", color="white", markeredgecolor="black", markersize=9, label="expected"
)
ax.set(xlabel="recall", ylabel="precision", xlim=(0.78, 1.005), ylim=(0, 0.7))
ax.set_xticks([0.8, 0.85, 0.9, 0.95, 1.0])
ax.legend(loc="upper right")
