"""
A smaller table with a guarantee
================================

``compress`` merges neighbouring scores of a large table, keeps the vertices of the convex hull, and bounds the error
of each area. Twice as many points halve the bound. The actual error is far below it.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(1)
positive = rng.random(200_000) < 0.05
scores = th.Scores(positive, rng.normal(size=200_000) + 1.5 * positive)
sizes = [100, 200, 500, 1000, 2000, 5000]
small = [scores.compress(size) for size in sizes]

figure, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
for name, color, marker in (("roc_auc", "#0072B2", "o"), ("pr_auc", "#D55E00", "s")):
    exact = getattr(scores, name)().value
    areas = [getattr(table, name)() for table in small]
    ax.plot(sizes, [area.error_bound for area in areas], color=color, marker=marker, label=f"{name}: guaranteed")
    errors = [abs(area.value - exact) for area in areas]
    ax.plot(sizes, errors, color=color, marker=marker, markerfacecolor="white", linestyle=":", label=f"{name}: made")
ax.set(xscale="log", yscale="log", xlabel="points kept of 200,000", ylabel="error of the area")
ax.legend(loc="upper right")
