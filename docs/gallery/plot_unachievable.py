"""
Where no classifier can be
==========================

Even the worst possible ranking has some precision, because at full recall everything is predicted positive. No
classifier reaches the region below that curve; the more positives, the larger it is. PR areas at different
prevalences are comparable only without it: ``normalize=True`` removes it.
"""

import matplotlib.pyplot as plt
import numpy as np

import thresher as th

recall = np.linspace(0, 1, 400)
colors = {0.5: "#0072B2", 0.25: "#D55E00", 0.1: "#009E73"}
figure, ax = plt.subplots(figsize=(5.6, 4.8), layout="constrained")
for prevalence, color in colors.items():
    bound = th.pr_lower_bound(recall, prevalence)
    ax.fill_between(recall, bound, color=color, alpha=0.22, linewidth=0)
    ax.plot(recall, bound, color=color, label=f"{prevalence:g} positive: area {th.min_pr_auc(prevalence):.3f}")
ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1))
ax.legend(title="least precision", loc="upper left")

# %%
# The reverse of a good score lies on the bound, and its normalised area is 0:

reverse = th.Scores([1, 1, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6])
print(f"area {reverse.pr_auc().value:.4f}, bound {th.min_pr_auc(2 / 6):.4f}")
print(f"normalised {abs(reverse.pr_auc(normalize=True).value):.1f}")
