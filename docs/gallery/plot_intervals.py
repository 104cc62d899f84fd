"""
Intervals side by side
======================

Intervals for one area under the ROC curve by seven methods. With few positives and a high area the plain DeLong
interval has a lower limit that is too high and an upper limit beyond 1. The default, a Bayesian bootstrap, and the
logit scale give asymmetric intervals. The intervals of Hanley and McNeil and of Newcombe need only the area and the
class totals. Their coverage is `measured <../validation/roc-intervals.html>`_.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(8)
scores = th.Scores.from_pos_neg(rng.normal(2.6, 1, 20), rng.normal(0, 1, 80))
estimate = scores.roc_auc()
methods = ["bayes", "delong-logit", "delong", "bamber", "hanley-mcneil", "newcombe", "bootstrap"]
figure, ax = plt.subplots(figsize=(6.8, 4.2), layout="constrained")
for row, method in enumerate(methods):
    options = {"rng": 0} if method == "bootstrap" else {}
    low, high = estimate.confidence_interval(method=method, **options)
    color = "#0072B2" if row == 0 else "#5A5A5A"
    ax.plot([low, high], [row, row], color=color, linewidth=3, solid_capstyle="butt")
    ax.text(high + 0.003, row, f"{low:.3f} to {high:.3f}", va="center", fontsize=10, color=color)
ax.axvline(estimate.value, color="#D55E00", linestyle=(0, (4, 1)), linewidth=1.4)
ax.set_yticks(range(len(methods)), [f"{name} (default)" if row == 0 else name for row, name in enumerate(methods)])
ax.invert_yaxis()
ax.grid(axis="y", visible=False)
ax.set(xlabel="area under the ROC curve, 20 positives and 80 negatives", xlim=(0.79, 1.05))
plt.show()
