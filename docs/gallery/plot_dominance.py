"""
Where one model is better
=========================

Two models with nearly the same area: one is better at low recall, the other at high recall. Crossings, and the better
model on either side, are computed in integer arithmetic. A curve is above another in ROC space exactly where it is in
PR space, so the result holds for both.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(3)
early = th.Scores.from_pos_neg(np.r_[rng.normal(3, 1, 150), rng.normal(0.55, 1, 150)], rng.normal(0, 1, 1500))
steady = th.Scores.from_pos_neg(rng.normal(1.2, 0.8, 300), rng.normal(0, 1, 1500))
verdict = th.dominates(early, steady)
print(f"{early.roc_auc().value:.3f} and {steady.roc_auc().value:.3f}: {verdict.verdict} dominates")

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.9), layout="constrained")
models = {"early": early, "steady": steady}
display = th.plotting.LinkedDisplay.from_scores(models, axes=axes, n_marks=0, unachievable=False)
crossing = max(verdict.crossings, key=lambda point: point.tpr * (1 - point.tpr))
axes[0].plot(crossing.fpr, crossing.tpr, "o", color="black", markersize=8, zorder=6)
precision = early.pr().at(recall=crossing.recall).precision
axes[1].plot(crossing.recall, precision, "o", color="black", markersize=8, zorder=6)
axes[0].annotate("they cross", (crossing.fpr, crossing.tpr), (12, -14), textcoords="offset points")
axes[1].annotate("they cross", (crossing.recall, precision), (8, 10), textcoords="offset points")

# %%
# The ranges of recall in which each is higher:

names = {"a": "early", "b": "steady", "equal": "equal"}
for region in verdict.recall_regions:
    if region.high - region.low > 0.02:
        print(f"recall {region.low:.2f} to {region.high:.2f}: {names[region.leader]}")
