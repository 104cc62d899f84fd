"""
Pooled or averaged
==================

Three models of one cross-validation, each tested on its own fold. Every model ranks its own fold equally well, but
their scores are at different levels. The averaged curve says how well each model ranks its own rows, the pooled curve
what one threshold for all three achieves.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(4)
folds = []
for level in (-1.5, 0.0, 1.5):
    positive = rng.random(1500) < 0.3
    folds.append(th.Scores(positive, rng.normal(size=1500) + 1.6 * positive + level))
pooled = folds[0] + folds[1] + folds[2]

figure, ax = plt.subplots(figsize=(5.8, 5.2), layout="constrained")
grid = np.linspace(0, 1, 400)
curves = [fold.roc().interpolate(grid) for fold in folds]
for k, curve in enumerate(curves):
    ax.plot(grid, curve, color="#6B6B6B", linewidth=1, label="each fold" if k == 0 else None)
mean = np.mean([fold.roc_auc().value for fold in folds])
ax.plot(grid, np.mean(curves, axis=0), color="#0072B2", label=f"averaged, {mean:.3f}")
area = f"pooled, {pooled.roc_auc():.3f}"
ax.plot(grid, pooled.roc().interpolate(grid), color="#D55E00", linestyle=(0, (9, 1)), label=area)
ax.plot([0, 1], [0, 1], color="#6B6B6B", linestyle=":", linewidth=1.4)
ax.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1))
ax.legend(title="ROC AUC", loc="lower right")
plt.show()
