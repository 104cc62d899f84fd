"""
Why not the trapezoid?
======================

The expected counts of randomised mixtures of two thresholds lie on a straight line, and so do their points in ROC
space; in PR space they lie on a hyperbola. Here a model has one useful point, recall 0.02 at precision 1, and the
point where everything is predicted positive. A straight line between the two has eighteen times the real area.
(The example is Figure 6 of Davis and Goadrich, 2006.)
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

BLUE, ORANGE = "#0072B2", "#D55E00"
curve = th.PrCurve.from_points([0.02], [1.0], n_pos=433, n_neg=56164)
recall = np.linspace(0.02, 1, 2000)
precision = curve.interpolate(recall)
straight = np.interp(recall, [0.02, 1], [1, curve.prevalence])

figure, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
ax.fill_between(recall, straight, color=ORANGE, alpha=0.12, linewidth=0)
ax.plot(
    recall,
    straight,
    color=ORANGE,
    linestyle=(0, (9, 1)),
    label=f"straight line, area {0.02 + np.trapezoid(straight, recall):.3f}",
)
ax.plot(recall, precision, color=BLUE, label=f"attained by mixtures, area {0.02 + np.trapezoid(precision, recall):.3f}")
ax.plot([0.02, 1], [1, curve.prevalence], "o", color="black", markersize=7, clip_on=False, zorder=5)
ax.annotate("the one useful threshold", (0.02, 1), (0.09, 0.98), va="center")
ax.annotate("everything predicted positive", (1, 0.01), (0.88, 0.06), ha="right", va="center")
ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
ax.legend(loc="upper right", bbox_to_anchor=(1, 0.9))
