"""
Curves of groups
================

Three groups whose scores are at different levels, with one threshold for all. The pooled curve hides that the
threshold gives different rates in each group: the marker shows the same threshold on every curve. The tables of the
groups add up to the pooled table by ``+``.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(11)
shifts = {"north": (0.0, 0.25), "middle": (0.5, 0.12), "south": (1.1, 0.05)}
groups = {}
for name, (shift, share) in shifts.items():
    positive = rng.random(3000) < share
    groups[name] = th.Scores(positive, rng.normal(size=3000) + 1.8 * positive + shift)
pooled = groups["north"] + groups["middle"] + groups["south"]

figure, axes = plt.subplots(1, 2, figsize=(9.8, 5.2), layout="constrained")
th.plotting.LinkedDisplay.from_scores(
    {**groups, "all": pooled},
    thresholds={name: [1.8] for name in groups},
    axes=axes,
    guides=False,
    unachievable=False,
    chance=False,
)

# %%
# What the threshold 1.8 does in each group:

for name, scores in groups.items():
    point = scores.roc().at(threshold=1.8)
    print(f"{name:7s} recall {point.recall:.2f}, false positive rate {point.fpr:.2f}, precision {point.precision:.2f}")
