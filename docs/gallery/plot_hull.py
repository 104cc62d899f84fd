"""
Convex hull and achievable PR curve
===================================

Randomised mixtures of two thresholds reach every point of the line between them in ROC space, so the scores can
achieve the upper convex hull. Its image in PR space is the achievable PR curve. Thresholds below the hull are never
worth using. A shallow tree has few thresholds, so its hull gains much.
"""

import thresher as th

data = th.datasets.load_digits_eight()
scores = th.Scores(data.y_true, data.tree)
th.plotting.LinkedDisplay.from_scores({"tree": scores}, achievable=True, n_marks=0)

# %%
# The hull's thresholds, and what mixtures add to the area:

print(scores.roc().hull().thresholds.round(3))
print(f"{scores.pr_auc().value:.3f} -> {scores.pr_auc(estimator='achievable').value:.3f}")
