"""
Choose on one half, judge on the other
======================================

A threshold that was chosen because it looked best on some data looks better on those data than it is. Here precision
is guaranteed at a recall of at least 0.8 on tuning data of 400 cases and measured on fresh data, 300 times. On average
neither recall nor precision is what was guaranteed, and a single time both can be far off.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

population = th.population.CASES["A"].with_prevalence(0.1)
rng = np.random.default_rng(5)
promised, achieved = [], []
for _ in range(300):
    tuning, fresh = (th.Scores(*population.sample(n, rng=rng)) for n in (400, 4000))
    result = th.tune(tuning, min_recall=0.8).evaluate(fresh)
    promised.append((result.tuning_point.recall, result.tuning_point.precision))
    achieved.append((result.point.recall, result.point.precision))
promised, achieved = np.array(promised), np.array(achieved)

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.0), layout="constrained")
for ax, column, name in zip(axes, (0, 1), ("recall", "precision"), strict=True):
    bins = np.linspace(*np.quantile(np.r_[promised[:, column], achieved[:, column]], [0, 1]), 31)
    ax.hist(
        achieved[:, column],
        bins,
        color="#0072B2",
        alpha=0.75,
        label=f"on fresh data, mean {achieved[:, column].mean():.3f}",
    )
    ax.hist(
        promised[:, column],
        bins,
        histtype="step",
        color="#D55E00",
        linewidth=2,
        label=f"on tuning data, mean {promised[:, column].mean():.3f}",
    )
    ax.set(xlabel=name, ylabel="samples")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
axes[0].axvline(0.8, color="black", linestyle=":", linewidth=1.4)
