"""
Bands: at one point, and for the whole curve
============================================

A pointwise band covers the true precision at *one* recall, chosen beforehand, in 95 of 100 samples. A simultaneous
band covers the *whole* true curve in 95 of 100 samples and is wider. Here the truth is known: the scores are drawn
from Case A of Hughes-Oliver (2018) with one positive in five.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

population = th.population.CASES["A"].with_prevalence(0.2)
scores = th.Scores(*population.sample(500, rng=1))
grid = np.linspace(0.02, 1, 99)
pointwise = scores.pr_band(grid)
simultaneous = scores.pr_band(grid, simultaneous=True, rng=0)

figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
ax.fill_between(
    grid, simultaneous.low, simultaneous.high, color="#56B4E9", alpha=0.30, linewidth=0, label="95% for the whole curve"
)
ax.fill_between(
    grid, pointwise.low, pointwise.high, color="#0072B2", alpha=0.40, linewidth=0, label="95% at each recall"
)
ax.plot(grid, pointwise.value, color="#0072B2", linewidth=1.4, label="500 cases")
ax.plot(grid, population.pr(grid), color="black", linestyle=(0, (4, 1)), label="truth")
ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
ax.legend(loc="lower left")
