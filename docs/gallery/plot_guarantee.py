"""
A guaranteed threshold
======================

Two hundred tuning samples of 100 positives each. The recall of the plug-in threshold for 0.9 is below 0.9 in the
population in every second sample. Chosen with a confidence of 0.9, it is below in at most one of ten, with a lower
threshold.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

import thresher as th

rng = np.random.default_rng(0)
recalls = {"plug-in": [], "confidence 0.9": []}
for _ in range(200):
    scores = th.Scores.from_pos_neg(rng.normal(1.5, 1, 100), rng.normal(0, 1, 300))
    for name, confidence in (("plug-in", None), ("confidence 0.9", 0.9)):
        cut = scores.choose_threshold(min_recall=0.9, confidence=confidence).threshold
        recalls[name].append(norm.sf(cut, 1.5))
figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
bins = np.linspace(0.78, 1.0, 45)
for (name, values), color in zip(recalls.items(), ("#D55E00", "#0072B2"), strict=True):
    broken = np.mean(np.array(values) < 0.9)
    ax.hist(values, bins, color=color, alpha=0.6, label=f"{name}: {broken:.0%} violate it")
ax.axvline(0.9, color="#6B6B6B", linestyle="--", label="constraint")
ax.set(xlabel="recall in the population", ylabel="tuning samples")
ax.legend(loc="upper left")
plt.show()
