"""
A gate with a margin
====================

Three new models against the same base, with the 95% interval of the difference. The gate passes if the whole interval
is above minus the margin, fails if it is below, and is undecided if the rows cannot tell.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(1)
positive = rng.random(1500) < 0.3
signal = rng.normal(size=1500) + 1.5 * positive
base = signal + 0.5 * rng.normal(size=1500)
models = {
    "as good": signal + 0.5 * rng.normal(size=1500),
    "a little worse": signal + 0.65 * rng.normal(size=1500),
    "much worse": signal + 1.0 * rng.normal(size=1500),
}
colors = {"passed": "#0072B2", "undecided": "#E69F00", "failed": "#D55E00"}

figure, ax = plt.subplots(figsize=(6.8, 2.8), layout="constrained")
for place, score in enumerate(models.values()):
    found = th.gate(score, base, y_true=positive, margin=0.02)
    ax.plot([found.low, found.high], [place, place], color=colors[found.verdict], linewidth=3)
    ax.plot(found.difference, place, "o", color=colors[found.verdict])
    ax.text(found.high + 0.003, place, found.verdict, va="center", color=colors[found.verdict])
ax.axvline(-0.02, color="#6B6B6B", linestyle=":", linewidth=1.4)
ax.axvline(0, color="#6B6B6B", linewidth=0.8)
ax.set_yticks(range(3), list(models))
ax.set_ylim(2.5, -0.5)
ax.grid(axis="y", visible=False)
ax.set(xlabel="difference in ROC AUC from the base; dotted: minus the margin of 0.02", xlim=(-0.09, 0.05))
plt.show()
