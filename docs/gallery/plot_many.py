"""
Two thousand markers, one call
==============================

Each point is a marker, with its area under the ROC curve and its p-value. Thirty markers differ between the classes.
Among two thousand tests about a hundred have p < 0.05 by chance; the adjusted p-values of Benjamini and Hochberg show
which ones to follow up.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(3)
sick = rng.random(200) < 0.3
markers = rng.normal(size=(200, 2000))
markers[:, :30] += np.outer(sick, rng.uniform(0.6, 1.6, 30))

many = th.roc_auc_many(sick, markers)
plain, adjusted = many.pvalues(), many.pvalues(adjustment="bh")

figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
for chosen, colour, text in (
    (plain >= 0.05, "#999999", "p of 0.05 or more"),
    ((plain < 0.05) & (adjusted >= 0.05), "#56B4E9", "below 0.05, but not when adjusted"),
    (adjusted < 0.05, "#D55E00", "below 0.05 when adjusted"),
):
    ax.scatter(
        many.auc[chosen], -np.log10(plain[chosen]), s=9, color=colour, label=f"{text}: {np.count_nonzero(chosen):,}"
    )
ax.set(xlabel="area under the ROC curve", ylabel="-log10 of the p value")
ax.legend(loc="upper left")
