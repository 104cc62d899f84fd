"""
Choose a threshold on one half, evaluate it on the other
========================================================

A threshold evaluated on the data used to choose it looks better than it is. Here a threshold with a recall of at
least 0.8 is chosen on 400 cases and evaluated on fresh data, 300 times. On average recall and precision are lower on
fresh data, and in a single sample both can be far off.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

population = th.population.CASES["A"].with_prevalence(0.1)
rng = np.random.default_rng(5)
tuned, achieved = [], []
for _ in range(300):
    tuning, fresh = (th.Scores(*population.sample(n, rng=rng)) for n in (400, 4000))
    result = th.tune(tuning, min_recall=0.8).evaluate(fresh)
    tuned.append((result.tuning_point.recall, result.tuning_point.precision))
    achieved.append((result.point.recall, result.point.precision))
tuned, achieved = np.array(tuned), np.array(achieved)

figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.0), layout="constrained")
for ax, column, name in zip(axes, (0, 1), ("recall", "precision"), strict=True):
    bins = np.linspace(*np.quantile(np.r_[tuned[:, column], achieved[:, column]], [0, 1]), 31)
    ax.hist(
        achieved[:, column],
        bins,
        color="#0072B2",
        alpha=0.75,
        label=f"on fresh data, mean {achieved[:, column].mean():.3f}",
    )
    ax.hist(
        tuned[:, column],
        bins,
        histtype="step",
        color="#D55E00",
        linewidth=2,
        label=f"on tuning data, mean {tuned[:, column].mean():.3f}",
    )
    ax.set(xlabel=name, ylabel="samples")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
axes[0].axvline(0.8, color="black", linestyle=":", linewidth=1.4)
