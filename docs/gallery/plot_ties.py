"""
Ties
====

Cases with equal scores are one operating point. If scores are rounded more and more coarsely, the ROC area falls
little, and the exact areas fall as information is lost. The trapezoid rule in PR space rises instead, so it rewards
the loss.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

rng = np.random.default_rng(2026)
positive = rng.random(20_000) < 0.02
score = rng.normal(size=20_000) + 2.0 * positive
widths = np.array([0.01, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0])
rounded = [th.Scores(positive, np.floor(score / width)) for width in widths]

styles = {
    "interpolated": ("#0072B2", "o", "-"),
    "average_precision": ("#009E73", "s", (0, (4, 1))),
    "trapezoid": ("#D55E00", "^", (0, (9, 1))),
}
figure, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
for name, (color, marker, line) in styles.items():
    areas = [scores.pr_auc(estimator=name).value for scores in rounded]
    ax.plot(widths, areas, color=color, marker=marker, linestyle=line, label=name)
ax.axhline(positive.mean(), color="#6B6B6B", linestyle=":", linewidth=1.4)
ax.text(0.01, positive.mean() + 0.012, "a score that knows nothing", color="#6B6B6B")
ax.set(xscale="log", xlabel="scores rounded down to multiples of", ylabel="area under the PR curve", ylim=(0, 0.6))
ax.set_xticks([0.01, 0.1, 1, 4], ["0.01", "0.1", "1", "4"])
ax.legend(loc="upper left")

# %%
# The estimate says how much the ties matter:

print(rounded[-1].pr_auc())
